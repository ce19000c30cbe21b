//===- StateStore.h - The states that were found --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// State vectors, each once, numbered as they come. Slots are stored in one,
/// two or four bits or bytes as their values need; one that outgrows its width
/// is widened for all states. Beyond the packed vectors a state costs the
/// table's entry (8 bytes at a load of 0.44 to 0.67) and its parent (4 bytes,
/// behind the vector).
///
/// The hash is a sum over the slots of a vector, each times a number of its
/// own, stirred once at the end: a successor that differs in one slot costs one
/// multiplication, not a walk over the vector (PackedState). The table is
/// made of parts, chosen by the hash, so that threads that share out the parts
/// can add states without a lock (Pending).
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_STATESTORE_H
#define CIF_EXPLORE_STATESTORE_H

#include "cif/Semantics/System.h"
#include <cstring>
#include <memory>

namespace cif {

class StateStore {
public:
  /// An empty store for states of \p system.
  explicit StateStore(const System &system);

  static constexpr StateIndex none = ~StateIndex(0);

  size_t size() const { return count; }
  unsigned numSlots() const { return width; }
  StateIndex parent(StateIndex s) const { return packedOf(s)[words]; }
  /// The slots of a state.
  void unpack(StateIndex s, uint32_t *state) const {
    unpack(packedOf(s), state);
  }

  /// How many words a packed vector takes.
  unsigned packedWords() const { return words; }
  /// Packs a vector; false: a slot is too narrow (call widen, then again).
  bool pack(const uint32_t *state, uint32_t *packed) const;
  void widen(const uint32_t *state);
  /// Packs a vector; slots that are too narrow are widened.
  void packWidening(const uint32_t *state, std::vector<uint32_t> &packed) {
    packed.resize(words);
    while (!pack(state, packed.data())) {
      widen(state);
      packed.resize(words);
    }
  }
  /// A hash of the values of the slots, whatever the widths of their fields.
  uint32_t hash(const uint32_t *packed) const;
  /// The state with this packed vector, or none. Any number of threads may look
  /// while nobody adds.
  StateIndex find(const uint32_t *packed, uint32_t hash) const {
    const std::vector<uint64_t> &table = parts[partOf(hash)].table;
    const uint64_t *at = table.data() + home(hash, table.size());
    for (; uint64_t entry = *at;) {
      if (entry >> 32 == hash) {
        StateIndex index = static_cast<uint32_t>(entry) - 1;
        if (same(packed, packedOf(index)))
          return index;
      }
      if (++at == table.data() + table.size())
        at = table.data();
    }
    return none;
  }
  /// Starts to load what find will look at, first the table's entry, then the
  /// state that it names.
  void prefetchEntry(uint32_t hash) const {
    const std::vector<uint64_t> &table = parts[partOf(hash)].table;
    __builtin_prefetch(table.data() + home(hash, table.size()));
  }
  void prefetchState(uint32_t hash) const {
    const std::vector<uint64_t> &table = parts[partOf(hash)].table;
    uint64_t entry = table[home(hash, table.size())];
    if (entry >> 32 == hash && entry)
      __builtin_prefetch(packedOf(static_cast<uint32_t>(entry) - 1));
  }
  /// Adds a state that is not there.
  StateIndex add(const uint32_t *packed, uint32_t hash, StateIndex parent);
  /// Forgets all states from \p number on; nothing may be looked up after it.
  void truncate(size_t number) { count = number; }

  /// What a state takes, vector included, however full the tables are.
  uint64_t bytesPerState() const { return uint64_t(words) * 4 + 22; }
  /// What is allocated beyond the packed vectors.
  uint64_t overheadBytes() const;

  /// \name Adding by several threads
  /// Every thread owns some parts of the table. Entries are first put in with
  /// numbers beyond the states that are there, then given their real ones.
  /// @{

  static constexpr unsigned numParts = 64;
  static unsigned partOf(uint32_t hash) { return hash % numParts; }
  /// Makes room for \p more entries of a part.
  void reserve(unsigned part, size_t more);
  /// Puts in an entry with number \p provisional, unless \p equal recognises
  /// the vector of one that is there with a number from \p first on. Returns
  /// the number that counts, and where its entry is if it is new. The part must
  /// have room.
  template <class Equal>
  StateIndex offer(uint32_t hash, StateIndex first, StateIndex provisional,
                   size_t &place, Equal equal) {
    Part &part = parts[partOf(hash)];
    size_t at = home(hash, part.table.size());
    for (; uint64_t entry = part.table[at];
         at = at + 1 == part.table.size() ? 0 : at + 1) {
      StateIndex index = static_cast<uint32_t>(entry) - 1;
      if (entry >> 32 == hash && index >= first && equal(index))
        return index;
    }
    part.table[at] = entryOf(hash, provisional);
    ++part.used;
    place = at;
    return provisional;
  }
  void prefetchPlace(uint32_t hash, size_t at) const {
    __builtin_prefetch(parts[partOf(hash)].table.data() + at, 1);
  }
  /// Makes room for states up to \p number; they are set by place, each once.
  void extend(size_t number);
  void place(StateIndex s, const uint32_t *packed, uint32_t hash,
             StateIndex parent, size_t at) {
    put(s, packed, parent);
    parts[partOf(hash)].table[at] = entryOf(hash, s);
  }
  /// @}

private:
  friend class PackedState;

  /// Where a slot is in a packed vector, and its factor in the hash.
  struct Field {
    uint64_t factor;
    uint32_t maximum; ///< the largest value that fits
    uint32_t word;
    uint8_t shift;

    uint32_t of(const uint32_t *packed) const {
      return packed[word] >> shift & maximum;
    }
  };
  struct Part {
    std::vector<uint64_t> table; ///< hash << 32 | index + 1; 0: free
    size_t used = 0;
  };

  void layOut();
  static void grow(Part &part, size_t capacity);
  static uint64_t entryOf(uint32_t hash, StateIndex index) {
    return uint64_t(hash) << 32 | (uint64_t(index) + 1);
  }
  /// Where a hash belongs in a table of \p capacity entries. Entries keep the
  /// order of hashes, so that growing the table is one pass in order.
  static size_t home(uint32_t hash, size_t capacity) {
    return static_cast<size_t>((uint64_t(hash) * capacity) >> 32);
  }
  static uint32_t stir(uint64_t sum) {
    sum ^= sum >> 32;
    sum *= 0x9fb21c651e98df25ull;
    return static_cast<uint32_t>(sum >> 32);
  }
  bool same(const uint32_t *a, const uint32_t *b) const {
    for (unsigned i = 0; i < words; ++i)
      if (a[i] != b[i])
        return false;
    return true;
  }
  void unpack(const uint32_t *packed, uint32_t *state) const {
    for (unsigned i = 0; i < width; ++i)
      state[i] = fields[i].of(packed);
  }
  uint32_t *packedOf(StateIndex s) const {
    return blocks[s >> blockBits].get() + size_t(s & blockMask) * (words + 1);
  }
  void put(StateIndex s, const uint32_t *packed, StateIndex parent) {
    uint32_t *to = packedOf(s);
    for (unsigned i = 0; i < words; ++i)
      to[i] = packed[i];
    to[words] = parent;
  }
  void addBlock() {
    blocks.push_back(std::make_unique_for_overwrite<uint32_t[]>(
        size_t(words + 1) << blockBits));
  }

  static constexpr unsigned blockBits = 13;
  static constexpr uint32_t blockMask = (1u << blockBits) - 1;
  unsigned width, words = 0;
  std::vector<uint8_t> slotBits; ///< a power of two
  unsigned narrow = 0;           ///< how often parts of a byte did not do
  std::vector<Field> fields;     ///< by slot
  std::vector<std::unique_ptr<uint32_t[]>> blocks;
  std::vector<Part> parts;
  size_t count = 0;
};

/// A state and its successors, one after the other, as packed vectors with
/// their hashes: what a successor does not change is not looked at again.
class PackedState {
public:
  explicit PackedState(const StateStore &of) : store(of) {}

  /// The slots of the state, and room for as many, for System::changes.
  const uint32_t *slots() const { return state.data(); }
  uint32_t *scratch() { return room.data(); }

  /// Goes to a state of the store.
  void load(StateIndex s) {
    const unsigned width = store.width, words = store.words;
    if (state.size() != width || base.size() != words) {
      // The first one, or the store has widened its slots.
      state.resize(width);
      room.resize(width);
      base.resize(words);
      current.resize(words);
      changed.resize(width);
    }
    const uint32_t *from = store.packedOf(s);
    for (unsigned i = 0; i < words; ++i)
      current[i] = base[i] = from[i];
    baseSum = 0;
    for (unsigned i = 0; i < width; ++i) {
      state[i] = store.fields[i].of(from);
      baseSum += store.fields[i].factor * state[i];
    }
  }

  /// Sets packed() and hash() to a successor; false: a slot is too narrow.
  /// Whatever came of it, undo() goes back to the state.
  bool set(ArrayRef<SlotChange> changes) {
    uint64_t sum = baseSum;
    bool fits = true;
    const size_t number = numChanged = changes.size();
    for (size_t i = 0; i < number; ++i) {
      const uint32_t now = changes[i].value, before = state[changes[i].slot];
      const StateStore::Field &field = store.fields[changes[i].slot];
      fits &= now <= field.maximum;
      const uint32_t word = field.word;
      sum += field.factor * (uint64_t(now) - before);
      current[word] ^= (now ^ before) << field.shift;
      changed[i] = word;
    }
    hashed = StateStore::stir(sum);
    return fits;
  }
  /// The slots of a successor, in room that lasts until the next call.
  const uint32_t *apply(ArrayRef<SlotChange> changes) {
    whole = state;
    for (const SlotChange &change : changes)
      whole[change.slot] = change.value;
    return whole.data();
  }
  void undo() {
    for (size_t i = 0, number = numChanged; i < number; ++i)
      current[changed[i]] = base[changed[i]];
  }
  const uint32_t *packed() const { return current.data(); }
  uint32_t hash() const { return hashed; }

private:
  const StateStore &store;
  std::vector<uint32_t> state, room, whole, base, current, changed;
  uint64_t baseSum = 0;
  uint32_t hashed = 0;
  size_t numChanged = 0;
};

} // namespace cif

#endif
