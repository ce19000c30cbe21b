//===- SimilarNames.cpp - Names that are almost equal ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/SimilarNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

/// The letters under the accents of U+00C0 to U+017F.
static const char letters[] =
    "aaaaaaaceeeeiiiidnooooo?ouuuuytsaaaaaaaceeeeiiiidnooooo?ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
    "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/// A name in small letters, without accents, blanks and punctuation.
static std::string plainName(StringRef name) {
  std::string plain;
  for (size_t i = 0; i < name.size(); ++i) {
    auto c = static_cast<unsigned char>(name[i]);
    if (c < 0x80) {
      if (llvm::isAlnum(name[i]))
        plain += llvm::toLower(name[i]);
      continue;
    }
    // Two bytes: U+0080 to U+07FF.
    if ((c & 0xe0) == 0xc0 && i + 1 < name.size()) {
      unsigned point =
          (c & 0x1fu) << 6 | (static_cast<unsigned char>(name[i + 1]) & 0x3fu);
      if (point >= 0xc0 && point < 0x180 && letters[point - 0xc0] != '?') {
        plain += letters[point - 0xc0];
        ++i;
        continue;
      }
      if (point == 0xa0) { // a blank that does not break
        ++i;
        continue;
      }
    }
    plain += name[i];
  }
  return plain;
}

static std::string withoutDigits(StringRef text) {
  std::string result;
  for (char c : text)
    if (!llvm::isDigit(c))
      result += c;
  return result;
}

static std::string digits(StringRef text) {
  std::string result;
  for (char c : text)
    if (llvm::isDigit(c))
      result += c;
  return result;
}

/// The words of a name, also of `SellerA`, as plain names.
static std::vector<std::string> wordsOf(StringRef name) {
  std::vector<std::string> words;
  size_t begin = 0;
  auto end = [&](size_t at) {
    if (std::string word = plainName(name.slice(begin, at)); !word.empty())
      words.push_back(std::move(word));
    begin = at;
  };
  for (size_t i = 1; i < name.size(); ++i) {
    bool isLetter = llvm::isAlnum(name[i]) || name[i] == '\'' ||
                    static_cast<unsigned char>(name[i]) >= 0x80;
    if (!isLetter || (llvm::isUpper(name[i]) && llvm::isLower(name[i - 1])))
      end(i);
  }
  end(name.size());
  return words;
}

/// Employer and employee, insurer and insured.
static bool areCounterparts(StringRef p, StringRef q) {
  if (p.size() != q.size() || p.drop_back() != q.drop_back())
    return false;
  char x = std::min(p.back(), q.back()), y = std::max(p.back(), q.back());
  return y == 'r' && (x == 'e' || x == 'd');
}

/// Of two plain names that are not equal.
static bool areSimilarWords(StringRef x, StringRef y) {
  if (digits(x) != digits(y) || areCounterparts(x, y))
    return false;
  std::string p = withoutDigits(x), q = withoutDigits(y);
  size_t shorter = std::min(p.size(), q.size());
  // A letter of a short word makes another word.
  unsigned allowed = shorter < 5 ? 0 : shorter < 8 ? 1 : 2;
  // Two letters that changed places are one slip.
  if (allowed == 1 && p.size() == q.size()) {
    size_t at = 0;
    while (at < p.size() && p[at] == q[at])
      ++at;
    if (at + 1 < p.size() && p[at] == q[at + 1] && p[at + 1] == q[at] &&
        StringRef(p).substr(at + 2) == StringRef(q).substr(at + 2))
      return true;
  }
  return allowed && StringRef(p).edit_distance(q, /*AllowReplacements=*/true,
                                               allowed) <= allowed;
}

bool cif::areSimilar(StringRef a, StringRef b) {
  std::string x = plainName(a), y = plainName(b);
  if (x.empty() || y.empty())
    return false;
  if (x == y)
    return true;
  std::vector<std::string> p = wordsOf(a), q = wordsOf(b);
  if (p.size() != q.size())
    return areSimilarWords(x, y);
  // Each word by itself: Seller A is not Seller B, nor East Branch West Branch.
  for (size_t i = 0; i < p.size(); ++i)
    if (p[i] != q[i] && !areSimilarWords(p[i], q[i]))
      return false;
  return true;
}

static std::string initials(StringRef name) {
  std::string result;
  bool inWord = false;
  for (char c : name) {
    bool isLetter = llvm::isAlnum(c) || static_cast<unsigned char>(c) >= 0x80;
    if (isLetter && !inWord)
      result += llvm::toLower(c);
    inWord = isLetter;
  }
  return result;
}

/// Whether one name abbreviates the other.
static bool isShortFor(StringRef a, StringRef b) {
  std::string x = plainName(a), y = plainName(b);
  auto shortens = [](StringRef s, StringRef l) {
    return s.size() >= 3 && l.size() > s.size() &&
           (l.starts_with(s) || l.ends_with(s));
  };
  return shortens(x, y) || shortens(y, x) ||
         (x.size() > 1 && x == initials(b)) ||
         (y.size() > 1 && y == initials(a));
}

std::vector<std::pair<std::string, std::string>>
cif::likelyPairs(std::vector<std::string> names,
                 std::vector<std::string> others) {
  std::vector<std::pair<std::string, std::string>> pairs;
  // More than that nobody writes a map for.
  if (names.size() > 200 || others.size() > 200)
    return pairs;
  auto take = [&](function_ref<bool(StringRef, StringRef)> fits) {
    std::vector<std::pair<size_t, size_t>> found;
    std::vector<unsigned> ofName(names.size()), ofOther(others.size());
    for (size_t i = 0; i < names.size(); ++i)
      for (size_t j = 0; j < others.size(); ++j)
        if (fits(names[i], others[j])) {
          found.push_back({i, j});
          ++ofName[i];
          ++ofOther[j];
        }
    std::vector<bool> usedName(names.size()), usedOther(others.size());
    for (auto [i, j] : found)
      if (ofName[i] == 1 && ofOther[j] == 1) {
        pairs.push_back({names[i], others[j]});
        usedName[i] = usedOther[j] = true;
      }
    auto drop = [](std::vector<std::string> &from,
                   const std::vector<bool> &used) {
      std::vector<std::string> rest;
      for (size_t i = 0; i < from.size(); ++i)
        if (!used[i])
          rest.push_back(std::move(from[i]));
      from = std::move(rest);
    };
    drop(names, usedName);
    drop(others, usedOther);
  };
  take(areSimilar);
  take(isShortFor);
  if (names.size() == 1 && others.size() == 1)
    pairs.push_back({names[0], others[0]});
  return pairs;
}
