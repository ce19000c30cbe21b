//===- Reach.h - What a walk through a graph comes to ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_GRAPH_REACH_H
#define CIF_GRAPH_REACH_H

#include "cif/Support/Ids.h"
#include "cif/Support/LLVM.h"
#include "llvm/ADT/BitVector.h"
#include <vector>

namespace cif {

/// The nodes (numbers or ids) that a walk has come to. Who walks takes one
/// after the other, the newest first, and adds those that it leads to.
template <class Node = uint32_t>
class Reach {
public:
  explicit Reach(size_t numNodes) : seen(numNodes) {}
  Reach(size_t numNodes, Node start) : Reach(numNodes) { add(start); }

  /// The walk comes to \p node; false: it did before.
  bool add(Node node) {
    if (seen.test(indexOf(node)))
      return false;
    seen.set(indexOf(node));
    work.push_back(node);
    return true;
  }
  /// Takes a node that was added; false: none is left.
  bool take(Node &node) {
    if (work.empty())
      return false;
    node = work.back();
    work.pop_back();
    return true;
  }
  bool operator[](Node node) const { return seen.test(indexOf(node)); }
  llvm::BitVector &nodes() { return seen; }

private:
  static uint32_t indexOf(uint32_t node) { return node; }
  template <class Tag>
  static uint32_t indexOf(Id<Tag> node) {
    return node.index();
  }

  llvm::BitVector seen;
  std::vector<Node> work;
};

/// Whether a graph has no cycle; \p forSuccessors(node, visit) visits those of
/// a node. Takes away what nothing leads to, as long as there is something.
template <class ForSuccessors>
bool isAcyclic(size_t numNodes, ForSuccessors forSuccessors) {
  std::vector<uint32_t> incoming(numNodes), work;
  for (uint32_t n = 0; n < numNodes; ++n)
    forSuccessors(n, [&](uint32_t to) { ++incoming[to]; });
  for (uint32_t n = 0; n < numNodes; ++n)
    if (!incoming[n])
      work.push_back(n);
  for (size_t done = 0; done < work.size(); ++done)
    forSuccessors(work[done], [&](uint32_t to) {
      if (!--incoming[to])
        work.push_back(to);
    });
  return work.size() == numNodes;
}

} // namespace cif

#endif
