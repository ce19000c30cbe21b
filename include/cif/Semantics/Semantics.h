//===- Semantics.h - From a module to a system ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which semantics, which network, which observation; and the function that
/// makes a System of what a module holds. docs/semantics.md says what each
/// choice means.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SEMANTICS_SEMANTICS_H
#define CIF_SEMANTICS_SEMANTICS_H

#include "cif/IR/Module.h"
#include "cif/Semantics/System.h"
#include "cif/Support/Limits.h"
#include <memory>
#include <optional>

namespace cif {

enum class SemanticsKind : uint8_t {
  Auto,
  Choreography,  ///< a global graph
  Collaboration, ///< processes and a network
  Peers,         ///< peer LTSs and a network
  Local,         ///< one process alone, with what it sends and receives: a peer
  Detailed,      ///< processes whose activities start and complete
  Fbpmn,         ///< processes as the tool of [fbpmn] reads them
};

/// Networks.def says what each is.
enum class NetworkKind : uint8_t {
#define CIF_NETWORK(NAME, WORD, TEXT, ORDER, PROPERTIES) NAME,
#include "cif/Semantics/Networks.def"
};

/// What is known of a network, whatever the messages.
enum NetworkProperty : uint8_t {
  /// It has to know the receiver when a message is sent.
  NetworkNeedsReceiver = 1,
  /// Finitely many messages can be in transit, without a bound: a send may have
  /// to wait for others.
  NetworkIsFinite = 2,
  /// It is made of FIFO queues that one receiver each reads from.
  NetworkHasOwnQueues = 4,
};
/// Whether Networks.def gives \p kind this property.
bool networkHas(NetworkKind kind, NetworkProperty property);

/// Which messages a network delivers in the order in which they are sent.
enum class NetworkOrder : uint8_t {
  None,
  Pair,     ///< those of one sender to one receiver
  Sender,   ///< those of one sender
  Receiver, ///< those to one receiver (`causal`: where their order is caused)
  All,
};
/// Whether \p kind delivers \p first and \p second in the order in which they
/// are sent.
bool keepsOrder(NetworkKind kind, const Label &first, const Label &second);

enum class Observation : uint8_t {
  /// `p->q:m` where the semantics' source shows it: at the send for peers, at
  /// the reception for collaborations.
  Exchange,
  Send,    ///< `p->q:m` at the send, receptions are tau
  Receive, ///< `p->q:m` at the reception, sends are tau
  Both,    ///< `p!q:m` and `q?p:m`
};

constexpr uint32_t noBound = UINT32_MAX;

/// Bounds on counts; a step beyond one is not taken.
struct TokenLimits {
  uint32_t flow = noBound;    ///< tokens on each sequence flow
  uint32_t message = noBound; ///< messages in transit of each message flow
  uint32_t node = noBound;    ///< marks of each node
  bool any() const {
    return flow != noBound || message != noBound || node != noBound;
  }
  bool operator==(const TokenLimits &) const = default;
};

/// Reads `flow:2,message:1,node:3` into \p limits. Returns what is wrong, or
/// nothing.
std::string parseTokenLimits(StringRef text, TokenLimits &limits);
/// Reads a constraint file of the tool of [fbpmn]: `CONSTANT ConstraintNode <-
/// TRUE ConstraintEdge <- MaxEdgeMarking2 Constraint <- ConstraintNodeEdge`.
std::string parseConstraintFile(StringRef text, TokenLimits &limits);
/// The limits for people: "at most 2 tokens on a flow".
std::string tokenLimitsText(const TokenLimits &limits);

struct SemanticsOptions {
  SemanticsKind semantics = SemanticsKind::Auto;
  /// Empty: defaultNetwork.
  std::optional<NetworkKind> network;
  uint32_t bound = noBound; ///< capacity of each queue
  /// Bounded queues take a slot for each message that they have room for, and
  /// nothing is interned, unless the slots were too many.
  bool plainQueues = false;
  Observation observe = Observation::Exchange;
  /// The behaviours or systems to take, by name; empty: all that fit.
  std::vector<std::string> only;
  /// Peers: messages (`p->q:m`) that are handed over by handshake whatever the
  /// network, and silently: what controllers say to each other.
  std::vector<std::string> handshakes;
  /// Peers under networks with queues of their own: where a peer can do nothing
  /// but receive the head of its queue, only that step is taken. The
  /// sequences of sends and the states without steps stay the same; without
  /// done peers also the states in which all are done. See Peers.cpp.
  enum EagerReceptions : uint8_t { NotEager, Eager, EagerUnlessDone };
  EagerReceptions eagerReceptions = NotEager;
  /// Collaborations: what sends to or waits for nobody in particular, and finds
  /// nobody, exchanges its message with the environment.
  bool open = false;
  TokenLimits limits; ///< collaborations
  /// Of what is worked out before and beside exploration.
  Limits runLimits;

  /// Those of peers.
  static SemanticsOptions peers(NetworkKind network, Observation observe,
                                ArrayRef<std::string> handshakes = {},
                                uint32_t bound = noBound);
};

/// The words of the options, in the enumerators' order.
ArrayRef<StringRef> semanticsWords();
ArrayRef<StringRef> networkWords();
/// The networks on which messages travel: all but `sync`.
std::vector<NetworkKind> asynchronousNetworks();
ArrayRef<StringRef> observationWords();
StringRef networkText(NetworkKind kind);
/// Bag for collaborations, inbox for peers.
NetworkKind defaultNetwork(SemanticsKind kind);
StringRef observationText(Observation observe);

/// The semantics that Auto stands for with this module: peers when it has peer
/// LTSs (controllers are taken with them), else collaboration when it has
/// processes, else choreography.
SemanticsKind resolveSemantics(const Module &module,
                               const SemanticsOptions &options);

/// The system of what \p options select. Computes no states beyond what the
/// initial one needs. The module must outlive the system and stay as it is.
/// Null: errors were reported; missing partners and node kinds without a
/// meaning in the semantics are such.
std::unique_ptr<System> makeSystem(const Module &module,
                                   const SemanticsOptions &options,
                                   class DiagnosticEngine &diags);

/// Tells \p diags how far \p system is from what the sources say, for the facts
/// that are found on it. makeSystem does; who keeps a system does so again.
void tellAbstractions(const Module &module, const System &system,
                      DiagnosticEngine &diags);

/// The place of the source element that \p origin names, and a short text for
/// it ("task 'Pay'", "transition 3 of peer 'a'").
Location originLocation(const Module &module, const Origin &origin);
Place originPlace(const Module &module, const Origin &origin);
std::string originText(const Module &module, const Origin &origin);

} // namespace cif

#endif
