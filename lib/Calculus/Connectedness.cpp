//===- Connectedness.cpp - Can the roles follow the choreography? ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Connectedness for sequence and the unique points of choice. Implements:
/// [iocpoc], Defs. 4.2, 4.3, 5.1, 5.5, 5.7, 5.9.
///
/// Input class: IOC terms with internal steps (for these conditions,
/// interactions of a role with itself) and guards, which are ignored; terms
/// with loops are checked as graphs (GraphConnectedness.cpp). Differs from the
/// paper: the initial interactions of `I ; J` are those of I, and also those of
/// J if I can be done immediately (the paper omits those of I then), and
/// likewise for the final ones.
///
/// The conditions are about all pairs from two sets of interactions. A set is
/// represented by a small kernel that decides the same (class Front), so that
/// one walk from the leaves to the root is sufficient and every node costs a
/// constant.
///
//===----------------------------------------------------------------------===//

#include "cif/Calculus/Connectedness.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

StringRef cif::iocSemanticsName(IocSemantics semantics) {
  static const char *const names[] = {"sync", "sender", "receiver",
                                      "sender-receiver", "disjoint"};
  return names[static_cast<unsigned>(semantics)];
}

StringRef cif::iocSemanticsText(IocSemantics semantics) {
  return semantics == IocSemantics::Synchronous ? "synchronous"
                                                : iocSemanticsName(semantics);
}

bool cif::mayPrecede(IocSemantics semantics, const TermAction &first,
                     const TermAction &second) {
  bool sender = first.involves(second.sender);
  bool receiver = second.involves(first.receiver);
  switch (semantics) {
  case IocSemantics::Synchronous:
    return sender || first.involves(second.receiver);
  case IocSemantics::Sender:
    return sender;
  case IocSemantics::Receiver:
    return receiver;
  case IocSemantics::SenderReceiver:
    return sender && receiver;
  case IocSemantics::Disjoint:
    return first.receiver == second.sender;
  }
  llvm_unreachable("all semantics are handled");
}

bool cif::mayCompete(IocSemantics semantics, const TermAction &first,
                     const TermAction &second) {
  if (semantics == IocSemantics::Synchronous)
    return first.involves(second.sender) || first.involves(second.receiver);
  return first.sender == second.sender;
}

StringRef cif::flawName(ConnectednessRule rule) {
  switch (rule) {
  case ConnectednessRule::Sequence:
    return "no sequentiality";
  case ConnectednessRule::Decider:
    return "no knowledge, no choice";
  case ConnectednessRule::Informed:
  case ConnectednessRule::LoopExit:
  case ConnectednessRule::Uncounted:
    return "no knowledge for choice";
  default:
    return "no causality";
  }
}

bool cif::repairable(ConnectednessRule rule) {
  return rule != ConnectednessRule::Decider &&
         rule != ConnectednessRule::Parallel &&
         rule != ConnectednessRule::Overlap &&
         rule != ConnectednessRule::Ambiguous &&
         rule != ConnectednessRule::Exclusive;
}

StringRef cif::repairText(ConnectednessRule rule) {
  if (repairable(rule))
    return "more messages can repair it";
  return rule == ConnectednessRule::Decider ||
                 rule == ConnectednessRule::Overlap ||
                 rule == ConnectednessRule::Ambiguous
             ? "more messages alone cannot repair it"
             : "renaming an operation repairs it";
}

ArrayRef<TermKind> cif::connectednessKinds() {
  static const TermKind kinds[] = {
      TermKind::Done,  TermKind::Stuck,    TermKind::Action,   TermKind::Tau,
      TermKind::Guard, TermKind::Sequence, TermKind::Parallel, TermKind::Choice,
      TermKind::Loop,  TermKind::While};
  return kinds;
}

namespace {

/// A set of interactions, as far as it matters to the conditions. They ask of
/// two sets whether all pairs share a role, whether all senders of one are
/// among the roles of each of the other, and the like. It is enough to keep
///
/// - pairs of roles, at most three for each role: when a role has three, only
///   interactions with that role share a role with all of them, and then with
///   any further one of that role. With more than twelve pairs three of them
///   are disjoint (else four roles would cover all), no interaction shares a
///   role with all, and further ones change nothing;
/// - one interaction for each of three senders, and of three receivers: nothing
///   has three roles.
class Front {
public:
  static constexpr unsigned maxPairs = 13, maxEnds = 3;

  void add(const Term &term, TermId id) {
    const TermAction &x = term.action(id);
    if (numPairs < maxPairs) {
      unsigned ofSender = 0, ofReceiver = 0;
      bool known = false;
      for (TermId other : ArrayRef(pairs, numPairs)) {
        const TermAction &y = term.action(other);
        ofSender += y.involves(x.sender);
        ofReceiver += y.involves(x.receiver);
        known |= (y.sender == x.sender && y.receiver == x.receiver) ||
                 (y.sender == x.receiver && y.receiver == x.sender);
      }
      if (!known && ofSender < 3 && ofReceiver < 3)
        pairs[numPairs++] = id;
    }
    addEnd(term, senders, numSenders, id, &TermAction::sender);
    addEnd(term, receivers, numReceivers, id, &TermAction::receiver);
  }
  void add(const Term &term, const Front &other) {
    other.forEach([&](TermId id) { return add(term, id), false; });
  }
  bool empty() const { return numPairs == 0; }
  TermId any() const { return empty() ? TermId() : pairs[0]; }
  void clear() { numPairs = numSenders = numReceivers = 0; }

  /// Calls \p visit for each until it returns true.
  bool forEach(function_ref<bool(TermId)> visit) const {
    for (TermId id : ArrayRef(pairs, numPairs))
      if (visit(id))
        return true;
    auto extra = [&](ArrayRef<TermId> ends) {
      for (TermId id : ends)
        if (!llvm::is_contained(ArrayRef(pairs, numPairs), id) && visit(id))
          return true;
      return false;
    };
    return extra(ArrayRef(senders, numSenders)) ||
           extra(ArrayRef(receivers, numReceivers));
  }

private:
  static void addEnd(const Term &term, TermId *ends, uint8_t &count, TermId id,
                     uint32_t TermAction::*role) {
    for (TermId other : ArrayRef(ends, count))
      if (term.action(other).*role == term.action(id).*role)
        return;
    if (count < maxEnds)
      ends[count++] = id;
  }

  TermId pairs[maxPairs], senders[maxEnds], receivers[maxEnds];
  uint8_t numPairs = 0, numSenders = 0, numReceivers = 0;
};

/// The roles of a term, each with one of its interactions.
using Roles = llvm::SmallDenseMap<uint32_t, TermId, 4>;

class Walk {
public:
  Walk(const Term &term, IocSemantics semantics, Connectedness &result)
      : term(term), semantics(semantics), result(result), initial(term.size()),
        final(term.size()), roles(term.size()), done(term.size()) {}

  void run(const Limits &limits) {
    Budget budget(limits);
    for (size_t i = 0; i < term.size(); ++i) {
      if (budget.spend(8)) {
        result.gaveUp = true;
        result.limit = budget.limit();
        return;
      }
      visit(TermId(i));
    }
  }

private:
  void visit(TermId id) {
    const TermNode &node = term[id];
    size_t i = id.index();
    switch (node.kind) {
    case TermKind::Action:
    case TermKind::Tau:
      initial[i].add(term, id);
      final[i].add(term, id);
      roles[i][term.action(id).sender] = id;
      roles[i][term.action(id).receiver] = id;
      return;
    case TermKind::Done:
      done[i] = true;
      return;
    case TermKind::Sequence:
      return visitSequence(id);
    case TermKind::Parallel:
    case TermKind::Choice:
      return visitBranches(id);
    case TermKind::Guard:
      done[i] = done[node.firstChild.index()];
      initial[i] = initial[node.firstChild.index()];
      final[i] = final[node.firstChild.index()];
      roles[i] = std::move(roles[node.firstChild.index()]);
      return;
    default: // 0, and what the caller has excluded
      return;
    }
  }

  void visitSequence(TermId id) {
    size_t i = id.index();
    done[i] = true;
    Front last;
    for (TermId c = term[id].firstChild; c; c = term[c].nextSibling) {
      checkSequence(id, last, initial[c.index()]);
      if (!done[c.index()])
        last.clear();
      last.add(term, final[c.index()]);
      if (done[i])
        initial[i].add(term, initial[c.index()]);
      done[i] = done[i] && done[c.index()];
    }
    final[i] = last;

    for (TermId c = term[id].firstChild; c; c = term[c].nextSibling)
      unite(roles[i], roles[c.index()]);
  }

  void visitBranches(TermId id) {
    bool isChoice = term[id].kind == TermKind::Choice;
    result.hasChoice |= isChoice;
    size_t i = id.index();
    done[i] = !isChoice;
    TermId most; // the branch with the most roles
    for (TermId c = term[id].firstChild; c; c = term[c].nextSibling) {
      if (isChoice)
        checkDeciders(id, initial[i], initial[c.index()]);
      initial[i].add(term, initial[c.index()]);
      final[i].add(term, final[c.index()]);
      done[i] =
          isChoice ? done[i] || done[c.index()] : done[i] && done[c.index()];
      if (!most || roles[c.index()].size() > roles[most.index()].size())
        most = c;
    }
    if (isChoice)
      checkInformed(id, most);
    for (TermId c = term[id].firstChild; c; c = term[c].nextSibling)
      unite(roles[i], roles[c.index()]);
  }

  /// All of \p from into \p to, the smaller one into the larger one.
  static void unite(Roles &to, Roles &from) {
    if (from.size() > to.size())
      std::swap(to, from);
    for (auto [role, at] : from)
      to.try_emplace(role, at);
    from = Roles();
  }

  void checkSequence(TermId at, const Front &before, const Front &after) {
    before.forEach([&](TermId x) {
      return after.forEach([&](TermId y) {
        if (mayPrecede(semantics, term.action(x), term.action(y)))
          return false;
        result.violations.push_back({ConnectednessRule::Sequence, at, x, y});
        return true;
      });
    });
  }

  void checkDeciders(TermId at, const Front &some, const Front &others) {
    some.forEach([&](TermId x) {
      return others.forEach([&](TermId y) {
        if (mayCompete(semantics, term.action(x), term.action(y)))
          return false;
        result.violations.push_back({ConnectednessRule::Decider, at, x, y});
        return true;
      });
    });
  }

  /// All branches must have the roles of \p most, and no others. Looks at no
  /// more roles than the smaller branches have, and one.
  void checkInformed(TermId at, TermId most) {
    const Roles &base = roles[most.index()];
    for (TermId c = term[at].firstChild; c; c = term[c].nextSibling) {
      if (c == most)
        continue;
      const Roles &other = roles[c.index()];
      auto missing = [&](const Roles &in, const Roles &from, TermId without) {
        for (auto [role, where] : in)
          if (!from.contains(role)) {
            result.violations.push_back({ConnectednessRule::Informed, at, where,
                                         initial[without.index()].any(), role});
            return true;
          }
        return false;
      };
      if (!missing(other, base, most) && other.size() < base.size())
        missing(base, other, c);
    }
  }

  const Term &term;
  const IocSemantics semantics;
  Connectedness &result;
  std::vector<Front> initial, final; ///< transI and transF of each subterm
  std::vector<Roles> roles;
  std::vector<bool> done; ///< can terminate at once
};

} // namespace

void cif::checkSequenceAndChoice(const Term &term,
                                 const ConnectednessOptions &options,
                                 Connectedness &result) {
  Walk(term, options.semantics, result).run(options.limits);
}

Connectedness cif::checkConnected(const Term &term,
                                  const ConnectednessOptions &options) {
  Connectedness result;
  if (hasLoop(term)) {
    IocGraph graph = buildIocGraph(term);
    result = checkConnected(graph, options);
    for (ConnectednessViolation &v : result.violations)
      for (IocPart *part : {&v.at, &v.first, &v.second})
        if (*part)
          *part = TermId(graph.nodes[part->node()].origin);
  } else {
    checkSequenceAndChoice(term, options, result);
    if (!result.gaveUp)
      checkCausality(term, options, result);
  }
  llvm::stable_sort(result.violations, [](const ConnectednessViolation &x,
                                          const ConnectednessViolation &y) {
    return std::tie(x.first, x.at) < std::tie(y.first, y.at);
  });
  return result;
}

bool cif::hasLoop(const Term &term) {
  return llvm::any_of(term.nodes, [](const TermNode &node) {
    return node.kind == TermKind::Loop || node.kind == TermKind::While ||
           node.kind == TermKind::Rec;
  });
}
