//===- SendTraces.h - What peers send, naively ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_SENDTRACES_H
#define CIF_TEST_UNIT_SENDTRACES_H

#include "NaivePeers.h"
#include "SemanticsModels.h"
#include "cif/Check/Peers/ConnectedProof.h"
#include "cif/Explore/ExploreModule.h"
#include <set>

namespace cif::test {

/// The choreography's LTS, where it is small.
inline std::optional<Lts> smallLts(const Module &module,
                                   ChoreographyRef which) {
  Limits limits;
  limits.maxStates = 300;
  TestDiagnostics diags;
  Outcome<GlobalLts> global = globalLts(module, which, limits, diags.engine);
  if (!global)
    return std::nullopt;
  return std::move(global->lts);
}

/// Whether \p run, one label a line, is a trace of \p lts.
inline bool isTrace(const Lts &lts, StringRef run) {
  SmallVector<StringRef> lines;
  run.split(lines, '\n', -1, false);
  std::set<std::pair<size_t, StateIndex>> seen{{0, lts.initial}};
  std::vector<std::pair<size_t, StateIndex>> work(seen.begin(), seen.end());
  while (!work.empty()) {
    auto [done, s] = work.back();
    work.pop_back();
    if (done == lines.size())
      return true;
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t) {
      bool silent = lts.label[t] == tauLabel;
      if (!silent && labelForPeople(lts.labels[lts.label[t]]) != lines[done])
        continue;
      std::pair<size_t, StateIndex> to{done + !silent, lts.target[t]};
      if (seen.insert(to).second)
        work.push_back(to);
    }
  }
  return false;
}

/// Whether \p peers can send \p run, one label a line, under \p network.
inline bool sendsAll(const Module &peers, NetworkKind network, StringRef run) {
  NaivePeers naive(peers, network);
  SmallVector<StringRef> lines;
  run.split(lines, '\n', -1, false);
  std::set<NaivePeers::State> at{naive.initial()};
  for (size_t i = 0; i <= lines.size(); ++i) {
    std::set<NaivePeers::State> next;
    std::vector<NaivePeers::State> work(at.begin(), at.end());
    while (!work.empty()) {
      NaivePeers::State state = work.back();
      work.pop_back();
      naive.successors(state, [&](const NaivePeers::State &to, int message,
                                  bool) {
        if (message < 0) {
          if (at.insert(to).second)
            work.push_back(to);
          return;
        }
        const NaivePeers::Message &m = naive.messages[message];
        Label label{LabelKind::Exchange,
                    peers.text(peers.systems[m.sender].name).str(),
                    peers.text(peers.systems[m.receiver].name).str(), m.name};
        if (i < lines.size() && labelForPeople(label) == lines[i])
          next.insert(to);
      });
    }
    if (i < lines.size())
      at = std::move(next);
  }
  return !at.empty();
}

} // namespace cif::test

#endif
