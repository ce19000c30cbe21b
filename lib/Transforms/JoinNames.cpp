//===- JoinNames.cpp - Names that are meant to be one ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Transforms/JoinNames.h"
#include "cif/IR/Link.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/SimilarNames.h"
#include <map>
#include <set>

using namespace cif;

/// Every two of that many names are compared, and no more.
static constexpr size_t maxCompared = 300;

/// Whether a reader added an id to the name because it was there already.
static bool hasId(StringRef name) {
  return name.ends_with(")") && name.contains(" (");
}

std::vector<SimilarPair> cif::findSimilarNames(const Module &module) {
  std::vector<SimilarPair> pairs;
  std::set<std::pair<uint32_t, uint32_t>> exchange;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> between;
  for (uint32_t m = 0; m < module.messages.size(); ++m) {
    const Message &message = module.messages[m];
    std::pair ends(message.sender.raw(), message.receiver.raw());
    exchange.insert(ends);
    between[ends].push_back(m);
  }
  auto add = [&](bool isMessage, Name name, const Location &at, Name other,
                 const Location &otherAt) {
    StringRef a = module.text(name), b = module.text(other);
    if (a != b && !hasId(a) && !hasId(b) && areSimilar(a, b))
      pairs.push_back({isMessage, a.str(), b.str(), module.place(at),
                       module.place(otherAt)});
  };
  size_t count = std::min(module.participants.size(), maxCompared);
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t j = 0; j < i; ++j) {
      uint32_t p = ParticipantId(i).raw(), q = ParticipantId(j).raw();
      if (!exchange.count({p, q}) && !exchange.count({q, p}))
        add(false, module.participants[i].name, module.participants[i].loc,
            module.participants[j].name, module.participants[j].loc);
    }
  size_t compared = 0;
  for (const auto &[ends, messages] : between)
    for (size_t i = 0; i < messages.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        if (++compared > maxCompared * maxCompared)
          return pairs;
        const Message &a = module.messages[messages[i]],
                      &b = module.messages[messages[j]];
        add(true, a.name, a.loc, b.name, b.loc);
      }
  return pairs;
}

bool cif::joinNames(Module &module,
                    ArrayRef<std::pair<std::string, std::string>> joins,
                    DiagnosticEngine &diags) {
  std::vector<StringRef> known;
  for (const Participant &p : module.participants)
    known.push_back(module.text(p.name));
  for (const Message &m : module.messages)
    known.push_back(module.text(m.name));
  std::map<std::string, std::string> map;
  for (const auto &[name, other] : joins) {
    for (const std::string &word : {name, other})
      if (!llvm::is_contained(known, word)) {
        diags.report(diag::bad_option_value).guess(nearest(word, known))
            << "--join" << word << "the name of a participant or message";
        return false;
      }
    map[name] = other;
  }
  // Two steps at most: a name that is joined to one that is joined itself.
  auto target = [&](Name name) {
    std::string text = module.text(name).str();
    for (unsigned i = 0; i < 2; ++i)
      if (auto found = map.find(text); found != map.end())
        text = found->second;
    return module.intern(text);
  };
  for (Participant &p : module.participants)
    p.name = target(p.name);
  for (Message &m : module.messages) {
    m.name = target(m.name);
    if (m.sender && m.receiver && m.sender != m.receiver &&
        module.participant(m.sender).name ==
            module.participant(m.receiver).name) {
      diags.report(module.place(m.loc), diag::join_exchange)
          << module.participantName(m.sender) << module.text(m.name);
      return false;
    }
  }
  for (SystemDecl &s : module.systems)
    for (Label &label : s.lts.labels)
      for (std::string *word : {&label.sender, &label.receiver, &label.message})
        if (auto found = map.find(*word); found != map.end())
          *word = found->second;
  // What has one name now is one thing after linking.
  Module joined;
  joined.name = joined.intern(module.text(module.name));
  if (!linkInto(joined, module, diags))
    return false;
  module = std::move(joined);
  return true;
}
