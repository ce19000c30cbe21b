//===- StateStore.h - The states that were found
//---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// State vectors, each once, numbered as they come. Slots are stored in one,
/// two or four bytes as their values need; one that outgrows its width is
/// widened for all states. Beyond the packed vectors a state costs the table's
/// entry (8 bytes at a load of 0.53 to 0.8) and its parent (4 bytes).
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LTS_STATESTORE_H
#define CIF_LTS_STATESTORE_H

#include "cif/Semantics/System.h"
#include <memory>

namespace cif {

class StateStore {
public:
  explicit StateStore(const System &system);

  static constexpr StateIndex none = ~StateIndex(0);

  size_t size() const { return parents.size(); }
  StateIndex parent(StateIndex s) const { return parents[s]; }
  /// The slots of a state.
  void unpack(StateIndex s, uint32_t *state) const;

  /// How many words a packed vector takes.
  unsigned packedWords() const { return words; }
  /// Packs a vector; false: a slot is too narrow (call widen, then again).
  bool pack(const uint32_t *state, uint32_t *packed) const;
  void widen(const uint32_t *state);
  uint32_t hash(const uint32_t *packed) const;
  /// The state with this packed vector, or none. Any number of threads may look
  /// while nobody adds.
  StateIndex find(const uint32_t *packed, uint32_t hash) const;
  /// Adds a state that is not there.
  StateIndex add(const uint32_t *packed, uint32_t hash, StateIndex parent);
  /// Forgets all states from \p count on; nothing may be looked up after it.
  void truncate(size_t count) { parents.resize(count); }

  /// What a state takes, vector included, however full the tables are.
  uint64_t bytesPerState() const { return uint64_t(words) * 4 + 20; }
  /// What is allocated beyond the packed vectors.
  uint64_t overheadBytes() const {
    return table.capacity() * sizeof(uint64_t) +
           parents.capacity() * sizeof(StateIndex);
  }

private:
  void layOut();
  void growTable(size_t capacity);
  void insert(uint64_t entry);
  const uint32_t *packedOf(StateIndex s) const {
    return blocks[s >> blockBits].get() + size_t(s & blockMask) * words;
  }

  static constexpr unsigned blockBits = 13;
  static constexpr uint32_t blockMask = (1u << blockBits) - 1;
  unsigned width, words = 0;
  std::vector<uint8_t> slotBytes;             ///< 1, 2 or 4
  std::vector<uint32_t> wide, middle, narrow; ///< slots by their width
  std::vector<std::unique_ptr<uint32_t[]>> blocks;
  std::vector<uint64_t> table; ///< hash << 32 | index + 1; 0: free
  std::vector<StateIndex> parents;
};

} // namespace cif

#endif
