//===- Joint.cpp - Two LTSs as one --------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Joint.h"

using namespace cif;

std::optional<Joint> cif::joinReduced(const Lts &left, const Lts &right,
                                      Relation relation, Budget &budget,
                                      std::string &limit) {
  std::optional<Reduction> ofLeft = reduceWithin(left, relation, budget, limit);
  if (!ofLeft)
    return std::nullopt;
  std::optional<Reduction> ofRight =
      reduceWithin(right, relation, budget, limit);
  if (!ofRight)
    return std::nullopt;
  Lts both = disjointUnion(ofLeft->quotient, ofRight->quotient);
  auto offset = static_cast<StateIndex>(ofLeft->quotient.numStates());
  std::optional<Reduction> joint = reduceWithin(both, relation, budget, limit);
  if (!joint)
    return std::nullopt;
  Joint result;
  result.lts = std::move(joint->quotient);
  const std::vector<uint32_t> &classOf = joint->partition.classOf;
  for (uint32_t &c : ofLeft->partition.classOf)
    c = classOf[c];
  for (uint32_t &c : ofRight->partition.classOf)
    c = classOf[offset + c];
  result.leftClass = std::move(ofLeft->partition.classOf);
  result.rightClass = std::move(ofRight->partition.classOf);
  result.left = result.leftClass[left.initial];
  result.right = result.rightClass[right.initial];
  return result;
}

/// Closes `members` and interns them.
Subsets::SetId Subsets::close() {
  if (tau == TauIs::Silent)
    for (size_t i = 0; i < members.size(); ++i) {
      StateIndex s = members[i];
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
        if (lts.label[e] == tauLabel && !seen[lts.target[e]]) {
          seen[lts.target[e]] = true;
          members.push_back(lts.target[e]);
        }
    }
  llvm::sort(members);
  for (StateIndex s : members)
    seen[s] = false;
  return pool.intern(members);
}

Subsets::SetId Subsets::of(StateIndex state) {
  members.assign(1, state);
  seen[state] = true;
  return close();
}

Subsets::SetId Subsets::post(SetId set, LabelIndex label) {
  if (label == tauLabel && tau == TauIs::Silent)
    return set;
  auto [entry, isNew] = posts.try_emplace(uint64_t(set) << 32 | label, 0);
  if (!isNew)
    return entry->second;
  members.clear();
  for (StateIndex s : pool[set])
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      if (lts.label[e] == label && !seen[lts.target[e]]) {
        seen[lts.target[e]] = true;
        members.push_back(lts.target[e]);
      }
  return entry->second = close();
}

SmallVector<LabelIndex, 16> Subsets::enabled(SetId set) const {
  SmallVector<LabelIndex, 16> labels;
  for (StateIndex s : pool[set])
    for (LabelIndex l : lts.labelsOf(s))
      if (l != tauLabel || tau == TauIs::Visible)
        labels.push_back(l);
  llvm::sort(labels);
  labels.erase(llvm::unique(labels), labels.end());
  return labels;
}
