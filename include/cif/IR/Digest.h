//===- Digest.h - Whether two modules, or parts of them, are equal --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Digests of the processes and peers of a module. Module::digest is that of
/// the whole.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_DIGEST_H
#define CIF_IR_DIGEST_H

#include "cif/IR/Module.h"

namespace cif {

/// The processes and peers of each participant at some time: a transform that
/// changes a process must drop the peers of its owner, or make them anew.
class PeerStamps {
public:
  explicit PeerStamps(const Module &module);
  /// The systems of \p now, by index, that are peers as they were, while the
  /// processes of their owner are not.
  std::vector<uint32_t> staleIn(const Module &now) const;

private:
  struct Stamp {
    uint64_t peer, process; ///< digests
    uint32_t system;
    auto operator<=>(const Stamp &) const = default;
  };
  std::vector<Stamp> stamps; ///< of peers whose owner has a process, sorted
};
/// Removes the peers that are stale since \p before.
void dropStalePeers(Module &module, const PeerStamps &before);

} // namespace cif

#endif
