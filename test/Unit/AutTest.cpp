//===- AutTest.cpp - Reading and writing AUT ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/LTS/Aut.h"
#include "LtsGenerator.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include <gtest/gtest.h>

using namespace cif;

namespace {
struct Reader {
  SourceManager sources;
  DiagnosticCollector collected;
  DiagnosticEngine diags{sources, collected};

  std::optional<Lts> read(StringRef text) {
    return readAut(text, "test.aut", diags);
  }
  /// What is compressed, or read by threads, is read from a file.
  std::optional<Lts> readFile(StringRef bytes, unsigned threads = 1,
                              uint64_t maxBytes = UINT64_MAX) {
    llvm::SmallString<128> path;
    int fd = -1;
    if (llvm::sys::fs::createTemporaryFile("bytes", "aut.gz", fd, path))
      return std::nullopt;
    llvm::FileRemover remover(path);
    llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << bytes;
    return readAutFile(path, diags, {}, maxBytes, threads);
  }
  /// `line:code` of the first diagnostic.
  std::string first() const {
    if (collected.all.empty())
      return "";
    const Diagnostic &d = collected.all.front();
    return std::to_string(d.place.line) + ":" + diagInfo(d.kind).code;
  }
};

std::string written(const Lts &lts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeAut(lts, os);
  return text;
}
} // namespace

TEST(Aut, BothFormsOfLines) {
  Reader reader;
  auto lts = reader.read("des (1, 4, 3)\r\n(0,\"a\",1)\n( 1 , b c , 2 )\n\n"
                         "(2,i,0)\n(0,\"x(\"1\", 2)\",2)");
  ASSERT_TRUE(lts) << reader.first();
  EXPECT_EQ(verifyLts(*lts), "");
  EXPECT_EQ(written(*lts), "des (1,4,3)\n(0,\"a\",1)\n(0,\"x(\"1\", 2)\",2)\n"
                           "(1,\"b c\",2)\n(2,\"tau\",0)\n");
}

TEST(Aut, LabelsAreReadOnce) {
  Reader reader;
  auto lts = reader.read("des (0,3,1)\n(0,\"p->q:m\",0)\n(0,\"p -> q : m\",0)\n"
                         "(0,\"tau\",0)\n");
  ASSERT_TRUE(lts);
  ASSERT_EQ(lts->labels.size(), 2u);
  EXPECT_EQ(lts->labels[1], (Label{LabelKind::Exchange, "p", "q", "m"}));
}

TEST(Aut, BadFilesNameTheLine) {
  struct {
    const char *text, *expected;
  } cases[] = {
      {"", "1:E0501"},
      {"hello", "1:E0501"},
      {"des (0,1)\n", "1:E0501"},
      {"des (0,x,1)\n", "1:E0501"},
      {"des (0,0,1) x\n", "1:E0501"},
      {"des (0,1,2)\n(0,\"a\" 1)\n", "2:E0502"},
      {"des (0,1,2)\n0,\"a\",1)\n", "2:E0502"},
      {"des (0,1,2)\n(0,\"a\",1\n", "2:E0502"},
      {"des (0,1,2)\n(0,\"a\",)\n", "2:E0502"},
      {"des (0,1,2)\n(,\"a\",1)\n", "2:E0502"},
      {"des (0,1,2)\n(0)\n", "2:E0502"},
      {"des (0,99999999999,2)\n", "1:E0503"},
      {"des (0,1,2)\n(99999999999999999999999,a,1)\n", "2:E0503"},
      {"des (0,1,2)\n(0,a,4294967295)\n", "2:E0503"},
      {"des (2,0,2)\n", "1:E0504"},
      {"des (0,1,2)\n(2,\"a\",1)\n", "2:E0504"},
      {"des (0,1,2)\n(0,\"a\",2)\n", "2:E0504"},
      {"des (0,2,2)\n(0,\"a\",1)\n", "2:E0505"},
      {"des (0,1,2)\n(0,\"a\",1)\n(1,\"a\",1)\n", "3:E0506"},
      {"des (0,1,2)\n(0,\"a,1)\n", "2:E0507"},
      {"des (0,1,2)\n(0,a\",1)\n", "2:E0507"},
      {"des (0,0,0)\n", "1:E0508"},
      {"des (0,1,4000000000)\n(0,\"a\",1)\n", "1:E0509"},
      {"des (0,1,4000000000)\n(3999999999,\"a\",1)\n", "1:E0509"},
      {"des (0,4000000000,4000000000)\n(0,\"a\",1)\n", "2:E0505"},
  };
  for (const auto &test : cases) {
    Reader reader;
    EXPECT_FALSE(reader.read(test.text)) << test.text;
    EXPECT_EQ(reader.first(), test.expected) << test.text;
  }
}

TEST(Aut, LongLine) {
  Reader reader;
  std::string text = "des (0,1,1)\n(0,\"";
  text.append(17u << 20, 'x');
  // Only what comes in pieces is bounded: a text in memory is there already.
  std::string packed;
  {
    LtsBuilder builder;
    builder.add(0, builder.labels.intern(Label::plain(text)), 0);
    llvm::raw_string_ostream os(packed);
    ASSERT_FALSE(bool(writeAutGz(std::move(builder).finish(0, 1), os)));
  }
  EXPECT_FALSE(reader.readFile(packed));
  EXPECT_EQ(reader.first(), "2:E0510");
}

TEST(Aut, GzipRoundTripAndDamage) {
  std::mt19937 random(3);
  Lts lts = randomLts(random, 50);
  std::string packed;
  llvm::raw_string_ostream os(packed);
  ASSERT_FALSE(bool(writeAutGz(lts, os)));
  Reader reader;
  auto back = reader.readFile(packed);
  ASSERT_TRUE(back);
  EXPECT_EQ(written(*back), written(lts));
  for (size_t cut : {packed.size() - 3, packed.size() / 2, size_t(3)}) {
    Reader other;
    EXPECT_FALSE(other.readFile(StringRef(packed).take_front(cut)));
    EXPECT_EQ(StringRef(other.first()).split(':').second, "E0511") << cut;
  }
}

TEST(Aut, WrittenIsReadBack) {
  std::mt19937 random(11);
  for (int i = 0; i < 500; ++i) {
    LtsBuilder builder;
    unsigned n = 1 + random() % 9, m = random() % 20;
    const char *pieces[] = {"a",  "\"", "\"\"", ",",   "(", ")", " ",
                            "\n", "\r", "tau",  "->q", ":", "",  "\\"};
    for (unsigned t = 0; t < m; ++t) {
      std::string label;
      for (unsigned k = random() % 5; k; --k)
        label += pieces[random() % std::size(pieces)];
      builder.add(random() % n, builder.labels.intern(Label::plain(label)),
                  random() % n);
    }
    Lts lts = std::move(builder).finish(random() % n, n);
    Reader reader;
    std::string text = written(lts);
    auto back = reader.read(text);
    ASSERT_TRUE(back) << text;
    EXPECT_EQ(back->rowBegin.ref(), lts.rowBegin.ref());
    EXPECT_EQ(back->target.ref(), lts.target.ref());
    for (size_t e = 0; e < lts.numTransitions(); ++e)
      EXPECT_EQ(back->labels[back->label[e]], lts.labels[lts.label[e]]) << text;
  }
}

// The usual form of a line is read eight bytes at a time, any other one byte by
// byte: blanks before the end of each line lead to the second way.
TEST(Aut, ReadsWordsAsItReadsBytes) {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    unsigned n = 1 + random() % 100000, m = 20 + random() % 30;
    std::vector<std::string> labels;
    for (unsigned k = 0; k < 12; ++k) {
      std::string &label = labels.emplace_back();
      while (random() % 24)
        label += "ab\0,("[random() % (i % 2 ? 2 : 5)];
    }
    std::string head =
        "des (0," + std::to_string(m) + "," + std::to_string(n) + ")\n";
    std::string fast = head, slow = head;
    unsigned source = 0;
    for (unsigned t = 0; t < m; ++t) {
      if (random() % 3 == 0)
        source = random() % 50 ? std::min(source + 1, n - 1) : random() % n;
      std::string line =
          "(" + std::string(random() % 40 ? 0 : random() % 12, '0') +
          std::to_string(source) + ",\"" + labels[random() % labels.size()] +
          "\"," + std::string(random() % 40 ? 0 : random() % 12, '0') +
          std::to_string(random() % n) + ")";
      fast += line + "\n";
      slow += line + " \n";
    }
    Reader one, other;
    auto left = one.read(fast), right = other.read(slow);
    ASSERT_TRUE(left && right) << one.first() << other.first() << fast;
    EXPECT_EQ(left->rowBegin.ref(), right->rowBegin.ref());
    EXPECT_EQ(left->target.ref(), right->target.ref());
    EXPECT_EQ(left->label.ref(), right->label.ref());
    EXPECT_EQ(left->labels, right->labels);
  }
}

TEST(Aut, NumbersOfAnyLengthAreWritten) {
  std::vector<uint32_t> numbers{0, 4294967294};
  for (uint64_t power = 1; power < 4294967294; power *= 10)
    for (uint64_t number : {power - 1, power, power + 7, 4 * power})
      if (number < 4294967294)
        numbers.push_back(number);
  for (uint32_t number : numbers) {
    Lts lts; // not one to compute with: its target does not exist
    lts.rowBegin = std::vector<uint32_t>{0, 1};
    lts.label = std::vector<LabelIndex>{tauLabel};
    lts.target = std::vector<StateIndex>{number};
    EXPECT_EQ(written(lts),
              "des (0,1,1)\n(0,\"tau\"," + std::to_string(number) + ")\n");
  }
}

TEST(Aut, MutatedTextsDoNoHarm) {
  std::mt19937 random(23);
  unsigned accepted = 0;
  for (int i = 0; i < 10000; ++i) {
    std::string text = written(randomLts(random, 6));
    for (unsigned k = 1 + random() % 3; k; --k) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, 1 + random() % 4);
        break;
      case 2:
        text.insert(at, 1, "0123456789(),\"\n\r \0"[random() % 18]);
        break;
      case 3:
        text.resize(at);
        break;
      }
      if (text.empty())
        text = "d";
    }
    Reader reader;
    auto lts = reader.read(text);
    EXPECT_EQ(lts.has_value(), !reader.diags.hasErrors()) << text;
    if (lts) {
      ++accepted;
      ASSERT_EQ(verifyLts(*lts), "") << text;
    }
  }
  EXPECT_GT(accepted, 50u);
}

TEST(Aut, ThreadsWriteTheSameText) {
  Lts lts;
  for (const std::string &label : {std::string("a"), std::string(100000, 'b')})
    lts.labels.push_back(Label::plain(label));
  std::vector<uint32_t> rows{0}, labels, targets;
  for (StateIndex s = 0; s < 50000; ++s) {
    for (unsigned k = 0; k < s % 3; ++k) { // some states have no transition
      labels.push_back(s % 9973 == 1 ? 2 : s % 2);
      targets.push_back((s * 7 + k) % 50000);
    }
    rows.push_back(targets.size());
  }
  lts.rowBegin = rows;
  lts.label = labels;
  lts.target = targets;
  std::string one, three;
  llvm::raw_string_ostream ofOne(one), ofThree(three);
  writeAut(lts, ofOne);
  writeAut(lts, ofThree, /*threads=*/3);
  EXPECT_EQ(ofOne.str(), ofThree.str());
}

namespace {
/// Lines in every form that is allowed, and a size that threads share.
std::string manyLines(std::mt19937 &random, unsigned states, unsigned lines) {
  std::string text =
      "des (0," + std::to_string(lines) + "," + std::to_string(states) + ")\n";
  const bool sorted = random() % 4, plain = random() % 2;
  for (unsigned i = 0; i < lines; ++i) {
    const unsigned source = sorted || random() % 1000
                                ? uint64_t(states) * i / lines
                                : random() % states;
    // Some labels come early, some late, some in two spellings.
    std::string label = "p->q:m" + std::to_string(random() % 20);
    if (random() % 20 == 0)
      label = random() % 3 ? "tau" : "label number " + std::to_string(i / 1000);
    else if (random() % 20 == 0)
      label = "p -> q : m" + std::to_string(random() % 30);
    const unsigned form = plain ? 9 : random() % 200;
    const char *quote = form == 0 ? "" : "\"", *blank = form == 1 ? "\t" : "";
    text += std::string(form == 2 ? 1 + random() % 3 : 0, '\n') + blank + "(" +
            std::to_string(source) + "," + blank + quote + label + quote + "," +
            std::to_string(random() % states) + ")" +
            (form == 3 ? "\r\n" : "\n");
  }
  return text;
}

/// All that is reported, with its place.
std::string reports(const Reader &reader) {
  std::string all;
  for (const Diagnostic &d : reader.collected.all)
    all += std::to_string(d.place.line) + ":" + std::to_string(d.place.column) +
           ": " + d.text + "\n";
  return all;
}

/// Reads \p bytes by one thread and by several.
void expectAlike(StringRef bytes, uint64_t maxBytes = UINT64_MAX) {
  Reader reader;
  const std::optional<Lts> alone = reader.readFile(bytes, 1, maxBytes);
  for (unsigned threads : {2, 5}) {
    Reader other;
    const std::optional<Lts> shared = other.readFile(bytes, threads, maxBytes);
    EXPECT_EQ(reports(reader), reports(other)) << threads;
    ASSERT_EQ(alone.has_value(), shared.has_value()) << threads;
    if (!alone)
      continue;
    EXPECT_EQ(verifyLts(*shared), "");
    EXPECT_EQ(alone->initial, shared->initial);
    EXPECT_EQ(alone->labels, shared->labels);
    EXPECT_TRUE(alone->rowBegin.ref() == shared->rowBegin.ref());
    EXPECT_TRUE(alone->label.ref() == shared->label.ref());
    EXPECT_TRUE(alone->target.ref() == shared->target.ref());
  }
}
} // namespace

TEST(Aut, ThreadsReadTheSameLts) {
  std::mt19937 random(61);
  for (int i = 0; i < 4; ++i) {
    std::string text = manyLines(random, 1 + random() % 200'000, 120'000);
    ASSERT_GT(text.size(), 2u << 20);
    Reader reader;
    EXPECT_TRUE(reader.read(text)) << reports(reader);
    if (i % 2)
      text.pop_back(); // the last line end
    expectAlike(text);
  }
}

TEST(Aut, ThreadsReportTheSameErrors) {
  std::mt19937 random(67);
  const std::string good = manyLines(random, 100'000, 150'000);
  const size_t head = good.find('\n');
  auto change = [&](function_ref<void(std::string &)> how) {
    std::string text = good;
    how(text);
    expectAlike(text);
  };
  // In two places: only the first one counts.
  for (int i = 0; i < 4; ++i)
    change([&](std::string &text) {
      for (int k = 0; k < 2; ++k)
        text[head + 1 + random() % (text.size() - head - 1)] =
            "(),\"\n9 "[random() % 7];
    });
  change([&](std::string &text) { text.resize(text.size() * 3 / 4); });
  change([&](std::string &text) { text += "(0,\"a\",0)\n"; });
  change([&](std::string &text) {
    text.replace(0, head, "des (0,99999,100000)");
  });
  change([&](std::string &text) {
    text.replace(0, head, "des (0,4000000000,4000000000)");
  });
  change([&](std::string &text) {
    text.insert(text.size() / 2, std::string(17u << 20, 'x'));
  });
  for (uint64_t most : {good.size(), good.size() - 1, good.size() / 2 + 1})
    expectAlike(good, most);
}

TEST(Aut, ThreadsReadWhatIsPacked) {
  std::mt19937 random(71);
  Reader reader;
  const auto lts = reader.read(manyLines(random, 100'000, 150'000));
  ASSERT_TRUE(lts);
  std::string packed;
  llvm::raw_string_ostream os(packed);
  ASSERT_FALSE(bool(writeAutGz(*lts, os)));
  expectAlike(packed);
  expectAlike(StringRef(packed).drop_back(packed.size() / 4));
  packed[packed.size() / 2] ^= 1;
  expectAlike(packed);
}
