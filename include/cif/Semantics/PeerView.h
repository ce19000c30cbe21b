//===- PeerView.h - The peers of a module ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Who acts, what each label of each peer does, who receives what, and what is
/// handed over by handshake: the one reading of a module's peers that their
/// composition and every check of them share.
///
/// Controllers act like peers. Whatever a controller receives is handed over by
/// a silent handshake whatever the network [verchor, Fig. 13]: what its peer
/// sends, and synchronisations of other controllers. What a controller sends to
/// a peer travels over the network and shows as sent by its own peer.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SEMANTICS_PEERVIEW_H
#define CIF_SEMANTICS_PEERVIEW_H

#include "cif/Semantics/Semantics.h"

namespace cif {

/// Peers and controllers with numbered messages. The module must stay as it is.
class PeerView {
public:
  enum class Kind : uint8_t { Internal, Send, Receive };
  struct Action {
    Kind kind = Kind::Internal;
    uint32_t message = 0; ///< of a send or reception
  };
  struct Message {
    uint32_t sender, receiver; ///< peers
    uint32_t pair;             ///< the ordered pair of the two
    std::string name;
    bool handshake; ///< handed over at once and silently
    /// The exchange that others see: a controller stands for its peer.
    Label shown;
  };
  struct Peer {
    std::string name;
    uint32_t system; ///< in the module
    const Lts *lts;
    bool isController;
    /// Steps of a composition come in groups, one for each transition of each
    /// peer, peer after peer.
    GroupIndex firstGroup;
    std::vector<Action> actions; ///< by label

    Action action(uint32_t transition) const {
      return actions[lts->label[transition]];
    }
    /// Whether it may stop here: final or, where it does not speak of final
    /// states, without a way on.
    bool isDone(StateIndex s) const {
      return lts->saysFinal() ? lts->isFinal(s) : lts->labelsOf(s).empty();
    }
  };
  std::vector<Peer> peers;
  std::vector<Message> messages;
  uint32_t numPairs = 0;

  /// Of the systems with these indexes; \p handshakes are further messages
  /// (`p->q:m`) that are handed over. Nothing: errors were reported.
  static std::optional<PeerView> make(const Module &module,
                                      ArrayRef<uint32_t> systems,
                                      ArrayRef<std::string> handshakes,
                                      class DiagnosticEngine &diags);

  /// The peer whose transition \p group is.
  uint32_t peerOf(GroupIndex group) const;
  Action actionOf(GroupIndex group) const {
    const Peer &peer = peers[peerOf(group)];
    return peer.action(group - peer.firstGroup);
  }
  bool isHandshake(Action action) const {
    return action.kind != Kind::Internal && messages[action.message].handshake;
  }
  /// Whether a message of any peer is handed over at once.
  bool hasHandshakes() const;
  /// `p!q:m`, `q?p:m`; tau for an internal step.
  Label label(Action action) const;
  /// The peers that are linked by messages, set by set, in ascending order.
  std::vector<std::vector<uint32_t>> linkedPeers() const;

private:
  bool addActions(const Module &module, class DiagnosticEngine &diags);
  void showControllers();
};

/// The peers and controllers that \p options select. Nothing: errors were
/// reported.
std::optional<PeerView> makePeerView(const Module &module,
                                     const SemanticsOptions &options,
                                     class DiagnosticEngine &diags);

/// A composition of peers, and what can be asked of one.
class PeerComposition : public System {
public:
  const PeerView &view() const { return peerView; }
  /// How many of each message are in transit, by message.
  virtual void inTransit(const uint32_t *state,
                         MutableArrayRef<uint32_t> counts) const = 0;
  /// What is in transit, for people; empty: nothing.
  virtual std::string transitText(const uint32_t *state) const = 0;
  /// The message that has to be received before \p message can be, whatever is
  /// sent later: the head of its queue. UINT32_MAX: there is none.
  virtual uint32_t heldUpBy(const uint32_t *state, uint32_t message) const = 0;
  /// Whether the send of \p message waits for others without any bound: it is
  /// handed over, or finitely many messages fit into the network.
  virtual bool sendWaits(uint32_t message) const = 0;
  /// Whether \p state has the steps of all peers: with eager receptions one
  /// peer may come first.
  virtual bool asksAll(const uint32_t *state) const = 0;

protected:
  PeerView peerView;
};

/// The system of the peers that \p options select. Null: errors were reported.
std::unique_ptr<PeerComposition>
makePeerComposition(const Module &module, const SemanticsOptions &options,
                    class DiagnosticEngine &diags);

} // namespace cif

#endif
