//===- Synchronisations.h - Where participants could tell each other ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A synchronisation is a message without content that is put on a flow of a
/// choreography: whoever took part in what comes before it tells the sender of
/// what comes after it. Controllers exchange them among themselves; an
/// amendment makes them interactions of the choreography. Where data have to be
/// told, a message that is sent anyway may carry them.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_REPAIR_SYNCHRONISATIONS_H
#define CIF_REPAIR_SYNCHRONISATIONS_H

#include "cif/Check/Peers/PeerSets.h"
#include "llvm/ADT/StringSet.h"

namespace cif {

/// A synchronisation that could be put on a flow of a choreography.
struct Synchronisation {
  FlowId flow;
  ParticipantId from, to;
  NodeId before; ///< the interaction that `from` took part in
  NodeId after;  ///< the interaction that `to` sends
  /// Variables that `from` knows, and tells; mostly none.
  SmallVector<ExprId, 1> carries = {};
  /// The interaction whose message carries them, too; empty: a new one.
  NodeId extends = {};
};

enum class Tellers : uint8_t {
  Senders,      ///< who sent: all that a controller sees
  Participants, ///< who sent, then who received
};

/// Every synchronisation between interactions that follow each other with
/// nothing but gateways in between. Flows out of a choice are left out: there
/// the synchronisation would decide in place of who decides. Two flows around
/// a gateway with one way in and one way out are the same place, and the first
/// one stands for both. When \p budget stops, some are missing.
std::vector<Synchronisation> findSynchronisations(const Module &module,
                                                  const Behaviour &choreography,
                                                  Tellers tellers,
                                                  Budget &budget);

/// Who could tell whom about data: for each choice and interaction, those who
/// know what a participant would have to know there, before it. Messages that
/// could carry it come first, then new ones. When \p budget stops, some are
/// missing.
std::vector<Synchronisation> findTellers(const Module &module,
                                         const Behaviour &choreography,
                                         Budget &budget);

/// The fields that a synchronisation's message has, or gets.
std::vector<Field> carriedFields(const Module &module,
                                 const Synchronisation &sync);
/// `(x)`; nothing where it carries nothing.
std::string carriedText(const Module &module, const Synchronisation &sync);
/// `c -> t : sync1(x)`; of one that extends a message without what it carries
/// already.
std::string exchangeText(const Module &module, MessageId message,
                         const Synchronisation &sync);

/// \p choreography with an interaction on the flow of each of \p chosen, in
/// their order; `messages` are theirs. New nodes stand where the interaction
/// after them does. Those that extend a message get its interaction more
/// arguments.
Behaviour insertSynchronisations(const Behaviour &choreography,
                                 ArrayRef<Synchronisation> chosen,
                                 ArrayRef<MessageId> messages);

/// Names that no message of a module has, nor each other.
class FreshMessageNames {
public:
  explicit FreshMessageNames(const Module &module);
  /// \p base, else with a number.
  std::string make(StringRef base);

private:
  llvm::StringSet<> taken;
};

/// The choreography of \p set as a graph. Of an LTS, the smallest protocol
/// becomes one as the reader of conversation protocols makes it: every state is
/// a join, then a choice; new participants and messages go into the source of
/// \p set.
Outcome<Behaviour> graphOf(PeerSet &set, ChoreographyRef which,
                           const Limits &limits);

} // namespace cif

#endif
