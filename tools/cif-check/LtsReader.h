//===- LtsReader.h - The LTSs that cif-check looks at ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// cif-check's own readers of LTSs, AUT and binary CIF. It shares no code with
/// the engine; the layout of CIF files is the schema's. Included once.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_CIFCHECK_LTSREADER_H
#define CIF_TOOLS_CIFCHECK_LTSREADER_H

#include "cif_generated.h"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>
#include <zlib.h>

namespace {

using std::string;
using Set = std::vector<uint32_t>; // sorted, each once
using Bits = std::vector<bool>;

struct Failure {
  int status;
  string why;
};
[[noreturn]] void fail(int status, const string &why) {
#ifdef CIF_CHECK_IN_TEST
  throw Failure{status, why};
#else
  const char *kind = status == 1 ? "not proved" : "error";
  std::fprintf(stderr, "cif-check: %s: %s\n", kind, why.c_str());
  std::exit(status);
#endif
}
void bad(const string &why) { fail(2, why); }
void refute(const string &why) { fail(1, why); }

[[maybe_unused]] string slurp(const char *path) {
  string text;
  static char buffer[1 << 16];
  int got = -1;
  gzFile file = gzopen(path, "rb"); // plain files are read as they are
  while (file && (got = gzread(file, buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<size_t>(got));
  if (got < 0 || gzclose(file) != Z_OK)
    bad(string("cannot read ") + path);
  return text;
}

std::map<string, uint32_t> labelIndex{{"tau", 0}, {"i", 0}}; // of all LTSs
std::set<string> hidden;                                     // by --tau

uint32_t labelOf(string name) {
  // Blanks around the arrow and the colon of an exchange mean nothing.
  if (name.find("->") != string::npos && name.find('"') == string::npos)
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
  string head = name.substr(0, name.find('('));
  head.erase(head.find_last_not_of(' ') + 1);
  if (hidden.count(name) || hidden.count(head))
    return 0;
  return labelIndex.emplace(name, labelIndex.size()).first->second;
}

Set sorted(Set set) {
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}
bool has(const Set &set, uint32_t element) {
  return std::binary_search(set.begin(), set.end(), element);
}
bool within(const Set &small, const Set &large) {
  return std::includes(large.begin(), large.end(), small.begin(), small.end());
}

struct Edge {
  uint32_t label, target;
};

struct Lts {
  uint32_t initial = 0;
  std::vector<std::vector<Edge>> edges;

  Lts(const string &path, const string &text, const string &system);
  void readAut(const string &path, const string &text);
  void readCif(const string &path, const string &text, const string &system);
  uint32_t size() const { return static_cast<uint32_t>(edges.size()); }
  Set close(Set set, bool weak) const;
  Set post(const Set &set, uint32_t label, bool weak) const;
};

Lts::Lts(const string &path, const string &text, const string &system) {
  bool isCif = text.size() > 8 && text.compare(4, 4, "CIF1") == 0;
  isCif ? readCif(path, text, system) : readAut(path, text);
}

/// A name as labels have it: in quotes unless it is a plain word.
string nameText(const string &name, bool always) {
  auto digit = [](unsigned char c) { return c >= '0' && c <= '9'; };
  auto plain = [&](unsigned char c) {
    return digit(c) || (c | 32u) - 'a' < 26u || c == '_' || c >= 0x80;
  };
  if (!always && !name.empty() &&
      std::all_of(name.begin(), name.end(), plain) &&
      (!digit(name[0]) || std::all_of(name.begin(), name.end(), digit)))
    return name;
  string text = "\"";
  for (unsigned char c : name) {
    static const char from[] = "\"\\\n\t\r", to[] = "\"\\ntr";
    const char *at = c ? std::strchr(from, c) : nullptr;
    char hex[8];
    std::snprintf(hex, sizeof hex, "\\x%02X", c);
    text += at                      ? string("\\") + to[at - from]
            : c < 0x20 || c == 0x7f ? string(hex)
                                    : string(1, static_cast<char>(c));
  }
  return text + "\"";
}

/// The LTS with that name, or the only one, of a module.
void Lts::readCif(const string &path, const string &text,
                  const string &system) {
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t *>(text.data()),
                                 text.size());
  if (!cif::fb::VerifyModuleBuffer(verifier))
    bad(path + ": not a CIF file that is whole");
  const cif::fb::Module &module = *cif::fb::GetModule(text.data());
  // Columns that hold nothing but zeros may be left out.
  auto at = [&](auto *column, uint64_t index) -> uint32_t {
    if (column && index >= column->size())
      bad(path + ": a column is too short");
    return column ? column->Get(static_cast<uint32_t>(index)) : 0;
  };
  auto stringAt = [&](uint32_t index) {
    string result;
    uint32_t end = index ? at(module.string_ends(), index - 1) : 0;
    for (uint32_t i = index > 1 ? at(module.string_ends(), index - 2) : 0;
         i < end; ++i)
      result += static_cast<char>(at(module.string_bytes(), i));
    return result;
  };
  const cif::fb::System *found = nullptr;
  if (auto *systems = module.systems())
    for (const cif::fb::System *one : *systems)
      if (system.empty() ? systems->size() == 1
                         : stringAt(one->name()) == system)
        found = one;
  if (!found || !found->row_begin() || !found->label_kind())
    bad(path + ": no such LTS; say --system=NAME for one of several");
  Set labels;
  for (uint32_t l = 0; l < found->label_kind()->size(); ++l) {
    auto part = [&](auto *column, bool always = false) {
      return nameText(stringAt(at(column, l)), always);
    };
    string name = stringAt(at(found->label_message(), l));
    uint32_t kind = at(found->label_kind(), l);
    string sender = part(found->label_sender()),
           receiver = part(found->label_receiver()),
           message = part(found->label_message());
    if (kind == 1)
      name = sender + "->" + receiver + ":" + message;
    else if (kind == 2 || kind == 3)
      name = kind == 2 ? sender + "!" + receiver + ":" + message
                       : receiver + "?" + sender + ":" + message;
    else if (kind != 4)
      name = kind == 0 ? "tau" : "tick";
    else if (name == "tau" || name == "i" || name == "tick" || name.empty() ||
             name.find_first_of("\"\n\r!?>") != string::npos)
      name = part(found->label_message(), true); // not to be taken for another
    labels.push_back(labelOf(name));
  }
  uint32_t states = found->row_begin()->size() - 1, row = 0;
  if (!states || found->row_begin()->size() == 0 || found->initial() >= states)
    bad(path + ": the LTS is not well-formed");
  initial = found->initial();
  edges.resize(states);
  for (uint32_t s = 0; s < states; ++s)
    for (uint32_t end = at(found->row_begin(), s + 1); row != end; ++row) {
      if (end < row || !found->target())
        bad(path + ": the LTS is not well-formed");
      uint32_t label = at(found->label(), row), to = at(found->target(), row);
      if (label >= labels.size() || to >= states)
        bad(path + ": the LTS is not well-formed");
      edges[s].push_back({labels[label], to});
    }
  if (found->target() && row != found->target()->size())
    bad(path + ": the LTS is not well-formed");
}

void Lts::readAut(const string &path, const string &text) {
  unsigned long long from, to, transitions = 0, states = 0, seen = 0, line = 0;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    string row = text.substr(at, end - at);
    row.erase(row.find_last_not_of(" \t\r") + 1);
    string where = path + (":" + std::to_string(++line)) + ": bad ";
    int label = 0, rest = 0;
    if (row.empty())
      continue;
    if (edges.empty()) {
      if (std::sscanf(row.c_str(), " des ( %llu , %llu , %llu )%n", &from,
                      &transitions, &states, &rest) != 3 ||
          !rest || from >= states || states > 16 * transitions + 1048576)
        bad(where + "header");
      initial = static_cast<uint32_t>(from);
      edges.resize(states);
      continue;
    }
    size_t comma = std::min(row.rfind(','), row.size());
    if (std::sscanf(row.c_str(), " ( %llu , %n", &from, &label) != 1 ||
        std::sscanf(row.c_str() + comma, ", %llu )%n", &to, &rest) != 1 ||
        !rest || size_t(label) > comma || from >= states || to >= states)
      bad(where + "transition");
    string name = row.substr(label, comma - label);
    name.erase(name.find_last_not_of(" \t") + 1);
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
      name = name.substr(1, name.size() - 2);
    edges[from].push_back({labelOf(name), static_cast<uint32_t>(to)});
    ++seen;
  }
  if (edges.empty() || seen != transitions)
    bad(path + ": not an AUT file with all its transitions");
}

/// What is reached by silent steps too, when \p weak.
Set Lts::close(Set set, bool weak) const {
  static Bits seen;
  seen.resize(std::max(seen.size(), edges.size()));
  set = sorted(std::move(set));
  for (uint32_t s : set)
    seen[s] = true;
  for (size_t i = 0; weak && i < set.size(); ++i)
    for (Edge e : edges[set[i]])
      if (e.label == 0 && !seen[e.target]) {
        seen[e.target] = true;
        set.push_back(e.target);
      }
  for (uint32_t s : set)
    seen[s] = false;
  return sorted(std::move(set));
}

Set Lts::post(const Set &set, uint32_t label, bool weak) const {
  if (label == 0 && weak)
    return set;
  Set result;
  for (uint32_t s : set)
    for (Edge e : edges[s])
      if (e.label == label)
        result.push_back(e.target);
  return close(std::move(result), weak);
}

} // namespace

#endif
