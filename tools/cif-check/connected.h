//===- connected.h - Checks proofs of sender-connectedness ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The second half of cif-check, a part of cif-check.cpp: what
/// `--check-realizable --certificate=FILE` wrote, against the choreography in a
/// module, by the rules of docs/certificates.md.
///
//===----------------------------------------------------------------------===//

/// A choreography as a net: flows or states are places; what takes tokens and
/// makes others is a transition; those of steps have a message.
struct Net {
  using Message = std::array<string, 3>; // sender, receiver, name
  struct Transition {
    std::vector<uint32_t> takes, makes;
    uint32_t step; // the number of a node, or of a transition of an LTS
    std::optional<Message> message;
  };
  uint32_t size = 0, initial = 0; // places, and the one with the first token
  std::vector<Transition> transitions;
  std::map<uint32_t, Message> steps; // by number
  std::vector<std::vector<uint32_t>> takers;

  void add(std::vector<uint32_t> takes, std::vector<uint32_t> makes,
           uint32_t step, const std::optional<Message> &message = {}) {
    if (message)
      steps[step] = *message;
    transitions.push_back({std::move(takes), std::move(makes), step, message});
  }
  /// Drops what can never happen.
  void prune() {
    Set known{initial};
    for (size_t before = 0; before != known.size();) {
      before = known.size();
      for (const Transition &t : transitions)
        if (happens(t, known))
          known.insert(t.makes.begin(), t.makes.end());
    }
    std::erase_if(transitions, [&](auto &t) { return !happens(t, known); });
    takers.resize(size);
    for (uint32_t i = 0; i < transitions.size(); ++i)
      for (uint32_t p : transitions[i].takes)
        takers[p].push_back(i);
  }
  static bool happens(const Transition &t, const Set &known) {
    return !any_of(t.takes, [&](uint32_t p) { return !known.count(p); });
  }
};

Net::Message messageAt(const Columns &in, uint32_t index) {
  const auto *all = in.module.messages();
  const auto *who = in.module.participants();
  need(all && who && all->name() && who->name(), "no such message");
  const uint32_t from = in.at(all->sender(), index, ~0u),
                 to = in.at(all->receiver(), index, ~0u);
  prove(from != ~0u && to != ~0u, "a message without two participants");
  prove(in.at(who->maximum(), from, 1) == 1 &&
            in.at(who->maximum(), to, 1) == 1,
        "a participant with several instances");
  Net::Message found{in.text(in.at(who->name(), from)),
                     in.text(in.at(who->name(), to)),
                     in.text(in.at(all->name(), index))};
  prove(found[0] != found[1], "a message whose sender is its receiver");
  return found;
}

Net readSystem(const Columns &in, const cif::fb::System &lts) {
  const char *wrong = "the LTS is not well-formed";
  need(lts.row_begin() && lts.row_begin()->size() && lts.label_kind(), wrong);
  Net net;
  net.size = lts.row_begin()->size() - 1;
  net.initial = lts.initial();
  need(net.initial < net.size, wrong);
  for (uint32_t s = 0, t = in.at(lts.row_begin(), 0); s < net.size; ++s)
    for (; t < in.at(lts.row_begin(), s + 1); ++t) {
      need(lts.label() && lts.target(), wrong);
      const uint32_t label = in.at(lts.label(), t), to = in.at(lts.target(), t),
                     kind = in.at(lts.label_kind(), label);
      need(to < net.size, wrong);
      prove(kind < 2, "a label that is no exchange"); // 0: silent
      if (kind == 0)
        net.add({s}, {to}, t);
      else
        net.add({s}, {to}, t,
                Net::Message{in.text(in.at(lts.label_sender(), label)),
                             in.text(in.at(lts.label_receiver(), label)),
                             in.text(in.at(lts.label_message(), label))});
    }
  return net;
}

/// Whether a guard leaves open what it says: it is kept but not understood.
bool isFree(const Columns &in, uint32_t guard) {
  return guard == ~0u ||
         (in.module.exprs() &&
          cif::fb::ExprOp(in.at(in.module.exprs()->op(), guard)) ==
              cif::fb::ExprOp::Opaque);
}

Net readBehaviour(const Columns &in, const cif::fb::Behaviour &graph) {
  using Kind = cif::fb::NodeKind;
  const auto *nodes = graph.nodes();
  const auto *flows = graph.flows();
  need(nodes && nodes->kind() && flows && flows->source() && flows->target(),
       "a choreography without nodes or flows");
  const uint32_t count = nodes->kind()->size();
  Net net;
  net.size = flows->source()->size();
  std::vector<std::vector<uint32_t>> from(count),
      to(count); // flows of nodes
  bool splits = false;
  for (uint32_t f = 0; f < net.size; ++f) {
    const uint32_t a = in.at(flows->source(), f), b = in.at(flows->target(), f);
    need(a < count && b < count, "a flow that leads nowhere");
    prove(isFree(in, in.at(flows->guard(), f, ~0u)), "a guard decides");
    from[a].push_back(f);
    to[b].push_back(f);
    splits |= nodes->kind()->Get(a) == Kind::AllSelect;
  }
  Set initial;
  for (uint32_t n = 0; n < count; ++n) {
    const Kind kind = nodes->kind()->Get(n);
    const string here = "node " + std::to_string(n) + ": ";
    const uint32_t message = in.at(nodes->message(), n, ~0u);
    const bool chooses = kind == Kind::Choice || kind == Kind::EventChoice ||
                         kind == Kind::DominatedChoice,
               stops = kind == Kind::Final || kind == Kind::Stuck ||
                       (kind == Kind::Terminate && !splits);
    const bool passes = kind == Kind::SimpleJoin || kind == Kind::Task,
               all = kind == Kind::AllSelect, joins = kind == Kind::AllJoin;
    prove(kind == Kind::Initial || kind == Kind::Interaction || chooses ||
              stops || passes || all || joins,
          here + "of a kind that is not covered; --normalize may help");
    prove(!in.at(nodes->trigger(), n) && !in.at(nodes->loop(), n) &&
              !in.at(nodes->flags(), n) &&
              in.at(nodes->parent(), n, ~0u) == ~0u &&
              in.at(nodes->reply(), n, ~0u) == ~0u &&
              (message != ~0u) == (kind == Kind::Interaction),
          here + "more than a plain node");
    prove(kind == Kind::Stuck ||
              (stops ? from[n].empty() : chooses || all || from[n].size() == 1),
          here + "not as many flows out of it as such a node has");
    prove(!all || to[n].size() == 1, here + "a split with several flows in");
    if (kind == Kind::Initial) {
      prove(to[n].empty(), here + "a start with an incoming flow");
      initial.insert(from[n][0]);
    } else if (joins && !to[n].empty()) {
      net.add(to[n], from[n], n);
    } else if (!stops) {
      for (uint32_t f : to[n])
        if (chooses)
          for (uint32_t g : from[n])
            net.add({f}, {g}, n);
        else if (message != ~0u)
          net.add({f}, from[n], n, messageAt(in, message));
        else
          net.add({f}, from[n], n);
      prove(!to[n].empty(), here + "a start that is none");
    }
  }
  prove(initial.size() == 1, "not exactly one start");
  net.initial = *initial.begin();
  return net;
}

/// The only choreography of a module, or the one with that name.
Net readNet(const string &text, const string &name) {
  const Columns in = Columns::of(text);
  std::vector<Net> found;
  auto wanted = [&](auto *one) {
    return name.empty() || in.text(one->name()) == name;
  };
  if (auto *all = in.module.behaviours())
    for (const auto *one : *all)
      if (one->kind() == cif::fb::BehaviourKind::Choreography && wanted(one))
        found.push_back(readBehaviour(in, *one));
  if (auto *all = in.module.systems())
    for (const auto *one : *all)
      if (one->role() == cif::fb::SystemRole::Choreography && wanted(one))
        found.push_back(readSystem(in, *one));
  need(found.size() == 1,
       "not exactly one choreography; choose one with --system=NAME");
  found[0].prune();
  return std::move(found[0]);
}

/// What a transition makes for the receiver of its message, after what
/// happens to it in any case.
std::multiset<uint32_t> made(const Net &net,
                             const std::vector<std::set<string>> &owners,
                             const Net::Transition &by) {
  std::multiset<uint32_t> found;
  std::vector<uint32_t> work(by.makes);
  for (size_t i = 0; i < work.size(); ++i) {
    prove(i <= 4 * size_t(net.size) + 4, "a split that never ends");
    const uint32_t p = work[i];
    if (!owners[p].count((*by.message)[1]))
      continue;
    const auto *next = net.takers[p].size() == 1
                           ? &net.transitions[net.takers[p][0]]
                           : nullptr;
    if (!next || next->message || next->takes.size() > 1)
      found.insert(p);
    else
      work.insert(work.end(), next->makes.begin(), next->makes.end());
  }
  return found;
}

/// Whether the k-th use of a message has one kind, the same in all runs: at
/// most one token says what kind is next (0: it does not), and a use takes
/// that one.
void checkCount(const Net &net, const Net::Message &message,
                const std::vector<uint32_t> &kind) {
  std::map<uint32_t, uint32_t> next;
  for (const Net::Transition &t : net.transitions) {
    auto counts = [&](const std::vector<uint32_t> &places) {
      uint32_t found = 0;
      for (uint32_t p : places) {
        prove(!found || !kind[p], "two tokens count one message");
        found = std::max(found, kind[p]);
      }
      return found;
    };
    const uint32_t before = counts(t.takes), after = counts(t.makes);
    const bool uses = t.message == message;
    prove(before || !uses, "a use that is not counted");
    prove(uses || !after || after == before, "a count changes without a use");
    prove(!uses || !after || next.emplace(before, after).first->second == after,
          "a use is followed by two kinds");
  }
}

string checkConnected(const Net &net, Reader in) { // says what is proved
  using Owners = std::vector<std::set<string>>;
  for (const char *word : {"cif-certificate", "1", "property"})
    in.expect(word);
  in.expect("sender-connected");
  auto step = [&] {
    const auto at = net.steps.find(in.number(1ull << 32));
    prove(at != net.steps.end(), "not a step");
    return at->second;
  };
  Owners owners(net.size); // of tokens: who sends the step that comes next
  in.expect("next");
  for (uint32_t k = in.count(); k; --k) {
    const uint32_t p = in.number(net.size);
    for (uint32_t n = in.count(); n; --n)
      owners[p].insert(step()[0]);
  }
  std::map<Net::Message, std::vector<uint32_t>> counted; // kinds, by place
  in.expect("counts");
  for (uint32_t k = in.count(); k; --k) {
    const Net::Message message = step();
    std::vector<uint32_t> &kind = counted[message];
    kind.assign(net.size, 0);
    for (uint32_t n = in.count(); n; --n) {
      const uint32_t p = in.number(net.size);
      kind[p] = in.number(~0u);
    }
    checkCount(net, message, kind);
  }
  in.expect("end");
  in.expect("");
  std::map<std::pair<Net::Message, uint32_t>, std::multiset<uint32_t>> kinds;
  for (const Net::Transition &t : net.transitions) {
    const string here = "node or transition " + std::to_string(t.step) + ": ";
    for (uint32_t p : t.takes)
      prove(net.takers[p].size() == 1 || owners[p].size() <= 1,
            here + "a choice of several senders");
    for (uint32_t p : t.makes)
      for (const string &who : owners[p]) {
        auto lacks = [&](uint32_t q) { return !owners[q].count(who); };
        prove(t.message ? who == (*t.message)[0] || who == (*t.message)[1]
                        : !any_of(t.takes, lacks),
              here + "'" + who + "' sends next and does not see it");
      }
    if (!t.message)
      continue;
    const uint32_t before = t.takes[0];
    prove(owners[before] == std::set{(*t.message)[0]},
          here + "its sender is not the one who sends next");
    const auto count = counted.find(*t.message);
    const uint32_t kind = count == counted.end() ? 0 : count->second[before];
    const auto mine = made(net, owners, t);
    prove(kinds.emplace(std::pair(*t.message, kind), mine).first->second ==
              mine,
          here + "its message leads its receiver elsewhere, too");
  }
  return "sender-connected: holds, the certificate is checked";
}
