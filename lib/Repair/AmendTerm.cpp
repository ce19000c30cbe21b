//===- AmendTerm.cpp - Messages that make a term connected ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [lanese13], section 4: hidden interactions on fresh
/// operations are added until a choreography is connected, and uses of one
/// operation that are not ordered are renamed.
///
/// Differs from the paper: existing roles carry the messages, not fresh
/// ones; nothing that was concurrent is put in sequence; and a choice that
/// two roles decide is left unchanged unless requested, because giving it
/// one decider is more than informing a role. As [cruzfilipe23] found the
/// published theory of such repairs wrong in a corner case, callers check
/// every solution again.
///
/// An added interaction goes before or after a subterm, in sequence, but
/// not before a guard, because the data would be evaluated later than
/// before, and not after a call in tail position. Hidden, it changes no
/// trace, wherever it is. The search takes a violation and tries all
/// interactions that could remove it, with one more message in each round.
/// For any violation, some interaction of every solution is among those
/// tried: between the two interactions of a sequence, and one that may
/// follow the first of them; of the role that has to learn something, in
/// the branch that does not involve it; and for everything else anywhere.
/// So the first solution has the fewest messages, as long as the work stays
/// within its limit. Beyond that, the interaction that leaves the fewest
/// violations is added repeatedly, without any claim of minimality.
///
/// If many subterms of sequences do not follow each other, a search by
/// number of messages is both infeasible and unnecessary: each place
/// between two of them gets one message that may follow what is before it
/// and precede what is after it. In a sequence of interactions each such
/// place needs its own message, so these are the fewest.
///
//===----------------------------------------------------------------------===//

#include "cif/Repair/AmendTerm.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <set>

using namespace cif;

ArrayRef<TermKind> cif::amendKinds() {
  static const TermKind kinds[] = {
      TermKind::Done,     TermKind::Stuck,    TermKind::Action, TermKind::Tau,
      TermKind::Sequence, TermKind::Parallel, TermKind::Choice, TermKind::Loop,
      TermKind::Guard,    TermKind::While,    TermKind::Rec,    TermKind::Call};
  return kinds;
}

namespace {

constexpr uint32_t none = TermAction::none;

/// A term that can be changed: nodes never move, new ones are added.
struct EditTerm {
  struct Node {
    TermKind kind;
    bool deferred = false;
    TermAction action;
    TermId origin;
    uint32_t parent = none;
    SmallVector<uint32_t, 2> children;
    bool added = false, renamed = false;
  };
  std::vector<Node> nodes;
  uint32_t root = 0;
  uint32_t numRoles = 0, numOperations = 0;
  unsigned added = 0;

  explicit EditTerm(const Term &term);
  void insert(uint32_t at, bool before, TermAction action);
  /// Each action behind the node that it is for, which is in a sequence.
  void insertBehind(const std::map<uint32_t, TermAction> &actions);
  /// As a plain term, and which node each subterm is.
  Term build(const Term &from, std::vector<uint32_t> &nodeOf) const;
  std::vector<bool> findCallers(const Term &from) const;
  std::string key() const;
};

EditTerm::EditTerm(const Term &term)
    : numRoles(term.numRoles), numOperations(term.numOperations) {
  nodes.resize(term.size());
  root = term.root().index();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const TermNode &from = term.nodes[i];
    nodes[i].kind = from.kind;
    nodes[i].deferred = from.deferred;
    nodes[i].action = from.action;
    nodes[i].origin = TermId(i);
    for (TermId c = from.firstChild; c; c = term[c].nextSibling) {
      nodes[i].children.push_back(c.index());
      nodes[c.index()].parent = i;
    }
  }
}

void EditTerm::insert(uint32_t at, bool before, TermAction action) {
  auto add = [&](TermKind kind, uint32_t parent) {
    nodes.emplace_back();
    nodes.back().kind = kind;
    nodes.back().parent = parent;
    return static_cast<uint32_t>(nodes.size() - 1);
  };
  uint32_t sequence = nodes[at].parent;
  if (nodes[at].kind == TermKind::Sequence) {
    sequence = at;
    at = before ? nodes[at].children.front() : nodes[at].children.back();
  } else if (sequence == none || nodes[sequence].kind != TermKind::Sequence) {
    uint32_t parent = sequence;
    sequence = add(TermKind::Sequence, parent);
    if (parent == none)
      root = sequence;
    else
      *llvm::find(nodes[parent].children, at) = sequence;
    nodes[sequence].children.push_back(at);
    nodes[at].parent = sequence;
  }
  uint32_t leaf = add(TermKind::Action, sequence);
  nodes[leaf].action = action;
  nodes[leaf].added = true;
  auto &children = nodes[sequence].children;
  auto it = llvm::find(children, at);
  children.insert(before ? it : it + 1, leaf);
  ++added;
}

void EditTerm::insertBehind(const std::map<uint32_t, TermAction> &actions) {
  std::set<uint32_t> sequences;
  for (const auto &[at, action] : actions)
    sequences.insert(nodes[at].parent);
  for (uint32_t sequence : sequences) {
    SmallVector<uint32_t, 2> children, before = nodes[sequence].children;
    for (uint32_t child : before) {
      children.push_back(child);
      auto found = actions.find(child);
      if (found == actions.end())
        continue;
      children.push_back(static_cast<uint32_t>(nodes.size()));
      Node &leaf = nodes.emplace_back();
      leaf.kind = TermKind::Action;
      leaf.parent = sequence;
      leaf.action = found->second;
      leaf.added = true;
      ++added;
    }
    nodes[sequence].children = std::move(children);
  }
}

Term EditTerm::build(const Term &from, std::vector<uint32_t> &nodeOf) const {
  Term result;
  result.numRoles = numRoles;
  result.numOperations = numOperations;
  nodeOf.clear();
  std::vector<TermId> now(from.size()); // of what was there
  struct Visit {
    uint32_t node, next;
    SmallVector<TermId, 2> made;
  };
  std::vector<Visit> path{{root, 0, {}}};
  while (true) {
    Visit &visit = path.back();
    const Node &node = nodes[visit.node];
    if (visit.next < node.children.size()) {
      uint32_t child = node.children[visit.next++];
      path.push_back({child, 0, {}});
      continue;
    }
    TermNode made;
    if (node.origin)
      made = from[node.origin];
    made.kind = node.kind;
    made.deferred = node.deferred;
    made.action = node.action;
    result.add(made, visit.made);
    nodeOf.push_back(visit.node);
    if (node.origin)
      now[node.origin.index()] = result.root();
    path.pop_back();
    if (path.empty())
      break;
    path.back().made.push_back(result.root());
  }
  for (TermNode &node : result.nodes)
    if (node.kind == TermKind::Call)
      node.target = now[node.target.index()];
  return result;
}

/// Nodes that nothing can be added behind, as a call in them is in last place,
/// of a recursion around them.
std::vector<bool> EditTerm::findCallers(const Term &from) const {
  std::vector<bool> result(nodes.size());
  if (!hasLoop(from))
    return result;
  std::vector<uint32_t> depth(nodes.size()), least(nodes.size(), none), order;
  std::vector<uint32_t> depthOf(from.size()); // of a recursion
  order.push_back(root);
  for (size_t i = 0; i < order.size(); ++i) {
    const Node &node = nodes[order[i]];
    bool rec = node.kind == TermKind::Rec;
    if (rec)
      depthOf[node.origin.index()] = depth[order[i]];
    for (uint32_t child : node.children) {
      depth[child] = depth[order[i]] + rec;
      order.push_back(child);
    }
  }
  for (uint32_t n : llvm::reverse(order)) {
    const Node &node = nodes[n];
    if (node.kind == TermKind::Call)
      least[n] = depthOf[from[node.origin].target.index()];
    for (uint32_t child : node.children)
      least[n] = std::min(least[n], least[child]);
    result[n] = least[n] < depth[n];
  }
  return result;
}

/// Equal for terms that differ in the numbers of fresh operations only.
std::string EditTerm::key() const {
  std::string text;
  struct Visit {
    uint32_t node, next;
  };
  std::vector<Visit> path{{root, 0}};
  while (!path.empty()) {
    Visit &visit = path.back();
    const Node &node = nodes[visit.node];
    if (visit.next == 0) {
      text += '(';
      if (node.added)
        text += '+' + std::to_string(node.action.sender) + '>' +
                std::to_string(node.action.receiver);
      else
        text += std::to_string(node.origin.raw());
    }
    if (visit.next < node.children.size()) {
      uint32_t child = node.children[visit.next++];
      path.push_back({child, 0});
      continue;
    }
    text += ')';
    path.pop_back();
  }
  return text;
}

class Search {
public:
  Search(const Term &term, const AmendOptions &options)
      : source(term), options(options), budget(options.limits),
        work(options.maxWork), roles(rolesOf(term)) {}

  TermAmendments run();

private:
  TermAmendments giveUp();

  struct Position {
    uint32_t at;
    bool before;
  };
  struct Insertion : Position {
    uint32_t sender, receiver;
  };

  Connectedness check(const EditTerm &edit) {
    result.tried += 1;
    built = edit.build(source, nodeOf);
    pay(built.size() + 1);
    ConnectednessOptions o{.semantics = options.semantics,
                           .limits = options.limits};
    return checkConnected(built, o);
  }
  /// Takes from the work that is left; nothing is left when a limit is reached.
  void pay(uint64_t amount) {
    work = budget.spend(16 * amount) ? 0 : work - std::min(work, amount);
  }
  bool renameUnordered(EditTerm &edit);
  static bool isEnd(const EditTerm &edit, ArrayRef<uint32_t> path, bool first);
  void pathUp(const EditTerm &edit, uint32_t node, uint32_t top,
              SmallVectorImpl<uint32_t> &path) const;
  uint32_t aroundBoth(const EditTerm &edit, uint32_t first, uint32_t second,
                      SmallVectorImpl<uint32_t> &up,
                      SmallVectorImpl<uint32_t> &other) const;
  bool wayBack(const EditTerm &edit, uint32_t first, uint32_t second,
               SmallVectorImpl<uint32_t> &up,
               SmallVectorImpl<uint32_t> &down) const;
  void addAll(const EditTerm &edit, uint32_t top,
              std::vector<Position> &positions) const;
  bool addBetween(const EditTerm &edit, ConnectednessRule rule, uint32_t first,
                  uint32_t second, std::vector<Position> &positions) const;
  void addWithout(const EditTerm &edit, uint32_t choice, uint32_t role,
                  std::vector<Position> &positions) const;
  std::vector<Insertion> candidates(const EditTerm &edit,
                                    const ConnectednessViolation &v);
  size_t bridge(EditTerm &edit, const Connectedness &found) const;
  bool isPlainSequence() const;
  ConnectednessViolation inSource(const EditTerm &edit,
                                  ConnectednessViolation v) const;
  void deepen(const EditTerm &edit, unsigned left);
  bool greedy(EditTerm edit);
  void keep(const EditTerm &edit);
  bool holds(const EditTerm &edit, IocSemantics semantics) const;
  void rank();

  const Term &source;
  const AmendOptions &options;
  Budget budget;
  uint64_t work;
  std::vector<uint32_t> roles;
  TermAmendments result;
  Term built;                   ///< what was checked last
  std::vector<uint32_t> nodeOf; ///< of its subterms
  llvm::StringSet<> seen;
};

/// Uses of one operation in parallel or in different branches: no message can
/// order them.
bool Search::renameUnordered(EditTerm &edit) {
  while (work) {
    Connectedness found = check(edit);
    const ConnectednessViolation *unordered = nullptr;
    for (const ConnectednessViolation &v : found.violations)
      if (v.rule == ConnectednessRule::Parallel ||
          v.rule == ConnectednessRule::Exclusive)
        unordered = &v;
    if (!unordered)
      return true;
    EditTerm::Node &use = edit.nodes[nodeOf[unordered->second.term().index()]];
    use.action.operation = edit.numOperations++;
    use.renamed = true;
  }
  return false;
}

/// \p node and what is around it, below \p top.
void Search::pathUp(const EditTerm &edit, uint32_t node, uint32_t top,
                    SmallVectorImpl<uint32_t> &path) const {
  for (; node != none && node != top; node = edit.nodes[node].parent)
    path.push_back(node);
}

/// The smallest part that is around both nodes, and each of them with what is
/// around it below that part.
uint32_t Search::aroundBoth(const EditTerm &edit, uint32_t first,
                            uint32_t second, SmallVectorImpl<uint32_t> &up,
                            SmallVectorImpl<uint32_t> &other) const {
  up.clear();
  other.clear();
  pathUp(edit, first, none, up);
  pathUp(edit, second, none, other);
  uint32_t top = none;
  while (!up.empty() && !other.empty() && up.back() == other.back()) {
    top = up.back();
    up.pop_back();
    other.pop_back();
  }
  return top;
}

/// Whether each of \p path but the last is the first or last thing of the
/// sequence around it, if that is what it is in.
bool Search::isEnd(const EditTerm &edit, ArrayRef<uint32_t> path, bool first) {
  for (uint32_t n : path.drop_back()) {
    const EditTerm::Node &parent = edit.nodes[edit.nodes[n].parent];
    if (parent.kind == TermKind::Sequence &&
        (first ? parent.children.front() : parent.children.back()) != n)
      return false;
  }
  return true;
}

/// Whether \p second comes right behind \p first in the next round of a loop or
/// recursion: then what is around \p first up to the end of the round, and what
/// is around \p second from its beginning on.
bool Search::wayBack(const EditTerm &edit, uint32_t first, uint32_t second,
                     SmallVectorImpl<uint32_t> &up,
                     SmallVectorImpl<uint32_t> &down) const {
  for (uint32_t n = first; n != none; n = edit.nodes[n].parent) {
    up.push_back(n);
    uint32_t parent = edit.nodes[n].parent;
    if (parent == none)
      return false;
    TermKind kind = edit.nodes[parent].kind;
    uint32_t round = none;
    if (kind == TermKind::Loop || kind == TermKind::While) {
      round = parent;
    } else if (kind == TermKind::Sequence) {
      const auto &children = edit.nodes[parent].children;
      auto next = llvm::find(children, n) + 1;
      if (next != children.end()) {
        if (edit.nodes[*next].kind != TermKind::Call)
          return false;
        TermId target = source[edit.nodes[*next].origin].target;
        for (round = parent;
             round != none && edit.nodes[round].origin != target;)
          round = edit.nodes[round].parent;
      }
    }
    if (round == none)
      continue;
    down.clear();
    pathUp(edit, second, round, down);
    bool inside = !down.empty() && edit.nodes[down.back()].parent == round;
    down.push_back(round);
    bool found = inside && isEnd(edit, down, true);
    down.pop_back();
    if (found)
      return true;
    if (kind == TermKind::Sequence)
      return false;
  }
  return false;
}

/// Adds the positions before and behind everything in \p top.
void Search::addAll(const EditTerm &edit, uint32_t top,
                    std::vector<Position> &positions) const {
  std::vector<uint32_t> below{top};
  for (size_t i = 0; i < below.size(); ++i) {
    const EditTerm::Node &node = edit.nodes[below[i]];
    uint32_t parent = node.parent;
    bool inSequence = parent != none && below[i] != top &&
                      edit.nodes[parent].kind == TermKind::Sequence;
    if (node.kind != TermKind::Sequence) {
      if (!inSequence || edit.nodes[parent].children.front() == below[i])
        positions.push_back({below[i], true});
      positions.push_back({below[i], false});
    }
    below.insert(below.end(), node.children.begin(), node.children.end());
  }
}

/// Adds the positions between \p first and \p second, of which one should
/// follow the other, or which begin branches; false: they are not known.
bool Search::addBetween(const EditTerm &edit, ConnectednessRule rule,
                        uint32_t first, uint32_t second,
                        std::vector<Position> &positions) const {
  const bool sequence = rule == ConnectednessRule::Sequence;
  SmallVector<uint32_t, 16> up, other;
  auto take = [&] {
    for (uint32_t n : up)
      positions.push_back({n, !sequence});
    for (uint32_t n : other)
      positions.push_back({n, true});
    return true;
  };
  uint32_t top = aroundBoth(edit, first, second, up, other);
  if (!up.empty() && !other.empty()) {
    const auto &children = edit.nodes[top].children;
    // Nothing that could be passed over must be between them: else what is
    // added there would count too.
    bool direct = edit.nodes[top].kind == TermKind::Sequence &&
                  llvm::find(children, up.back()) + 1 ==
                      llvm::find(children, other.back()) &&
                  isEnd(edit, up, false) && isEnd(edit, other, true);
    if (sequence ? direct : edit.nodes[top].kind == TermKind::Choice)
      return take();
  }
  up.clear();
  other.clear();
  return sequence && wayBack(edit, first, second, up, other) && take();
}

/// Adds the positions in branches of \p choice that \p role has no part in.
void Search::addWithout(const EditTerm &edit, uint32_t choice, uint32_t role,
                        std::vector<Position> &positions) const {
  for (uint32_t branch : edit.nodes[choice].children) {
    bool has = false;
    std::vector<uint32_t> below{branch};
    for (size_t i = 0; i < below.size(); ++i) {
      const EditTerm::Node &node = edit.nodes[below[i]];
      has |= node.children.empty() && node.action.involves(role);
      below.insert(below.end(), node.children.begin(), node.children.end());
    }
    if (!has)
      addAll(edit, branch, positions);
  }
}

std::vector<Search::Insertion>
Search::candidates(const EditTerm &edit, const ConnectednessViolation &v) {
  auto nodeAt = [&](IocPart part) {
    return part ? nodeOf[part.term().index()] : none;
  };
  const uint32_t first = nodeAt(v.first);
  std::vector<Position> positions;
  uint32_t must = none; // a role that has to take part
  bool anywhere = true;
  switch (v.rule) {
  case ConnectednessRule::Sequence:
  case ConnectednessRule::Decider:
    anywhere = !addBetween(edit, v.rule, first, nodeAt(v.second), positions);
    break;
  case ConnectednessRule::LoopExit:
  case ConnectednessRule::Uncounted:
    must = v.role; // no message of others tells it
    break;
  case ConnectednessRule::Informed:
    if (!v.at)
      break;
    must = v.role;
    if (uint32_t choice = nodeAt(v.at);
        edit.nodes[choice].kind == TermKind::Choice) {
      anywhere = false;
      addWithout(edit, choice, must, positions);
    }
    break;
  default:
    break;
  }
  if (anywhere)
    addAll(edit, edit.root, positions);
  // Who decides looks at a guard first; and calls stay where they are.
  std::vector<bool> callers = edit.findCallers(source);
  llvm::erase_if(positions, [&](const Position &p) {
    return edit.nodes[p.at].kind == TermKind::Guard ||
           (!p.before && callers[p.at]);
  });
  std::vector<Insertion> found;
  for (const Position &p : positions)
    for (uint32_t sender : roles) {
      if (budget.spend(roles.size()))
        work = 0;
      if (!work)
        return found;
      for (uint32_t receiver : roles)
        if (sender != receiver &&
            (must == none || sender == must || receiver == must) &&
            (v.rule != ConnectednessRule::Sequence ||
             mayPrecede(options.semantics, edit.nodes[first].action,
                        {sender, receiver, 0})))
          found.push_back({p, sender, receiver});
    }
  return found;
}

bool Search::isPlainSequence() const {
  TermId root = source.root();
  if (source[root].kind != TermKind::Sequence)
    return false;
  for (TermId c = source[root].firstChild; c; c = source[c].nextSibling)
    if (source[c].kind != TermKind::Action)
      return false;
  return true;
}

/// One message in each place between neighbours of a sequence where one is
/// enough for all violations of \p found there; how many places.
size_t Search::bridge(EditTerm &edit, const Connectedness &found) const {
  std::vector<uint32_t> positionOf(edit.nodes.size());
  for (const EditTerm::Node &node : edit.nodes)
    for (size_t i = 0; i < node.children.size(); ++i)
      positionOf[node.children[i]] = static_cast<uint32_t>(i);
  std::vector<bool> callers = edit.findCallers(source);
  // By the subterm before the place: what meets there.
  std::map<uint32_t, std::vector<std::pair<uint32_t, uint32_t>>> places;
  SmallVector<uint32_t, 16> up, other;
  for (const ConnectednessViolation &v : found.violations) {
    if (v.rule != ConnectednessRule::Sequence || !v.first || !v.second)
      continue;
    uint32_t first = nodeOf[v.first.term().index()],
             second = nodeOf[v.second.term().index()];
    uint32_t top = aroundBoth(edit, first, second, up, other);
    if (up.empty() || other.empty() ||
        edit.nodes[top].kind != TermKind::Sequence)
      continue;
    uint32_t x = up.back(), y = other.back();
    if (positionOf[x] + 1 == positionOf[y] && isEnd(edit, up, false) &&
        isEnd(edit, other, true) && !callers[x] &&
        edit.nodes[x].kind != TermKind::Guard &&
        edit.nodes[y].kind != TermKind::Guard)
      places[x].push_back({first, second});
  }
  std::map<uint32_t, TermAction> added;
  for (const auto &[at, pairs] : places) {
    SmallVector<uint32_t, 16> who;
    for (auto [first, second] : pairs)
      for (uint32_t n : {first, second})
        for (uint32_t role :
             {edit.nodes[n].action.sender, edit.nodes[n].action.receiver})
          if (who.size() < 16 && !llvm::is_contained(who, role))
            who.push_back(role);
    auto fits = [&, &pairs = pairs](const TermAction &z) {
      return llvm::all_of(pairs, [&](auto pair) {
        return mayPrecede(options.semantics, edit.nodes[pair.first].action,
                          z) &&
               mayPrecede(options.semantics, z, edit.nodes[pair.second].action);
      });
    };
    for (size_t i = 0; i < who.size() * who.size() && !added.count(at); ++i) {
      TermAction z{who[i / who.size()], who[i % who.size()],
                   edit.numOperations};
      if (z.sender != z.receiver && fits(z)) {
        added[at] = z;
        ++edit.numOperations;
      }
    }
  }
  edit.insertBehind(added);
  return added.size();
}

bool Search::holds(const EditTerm &edit, IocSemantics semantics) const {
  std::vector<uint32_t> unused;
  ConnectednessOptions o{.semantics = semantics, .limits = options.limits};
  return checkConnected(edit.build(source, unused), o).holds();
}

void Search::keep(const EditTerm &edit) {
  if (result.ways.size() >= options.mostWays) {
    result.more = true;
    return;
  }
  TermAmendment way;
  std::vector<uint32_t> which;
  way.term = edit.build(source, which);
  way.added = edit.added;
  for (size_t i = 0; i < which.size(); ++i) {
    way.origin.push_back(edit.nodes[which[i]].origin);
    if (edit.nodes[which[i]].renamed)
      way.renamed.push_back(TermId(i));
  }
  for (unsigned i = 0; i < numIocSemantics; ++i)
    way.semantics += holds(edit, static_cast<IocSemantics>(i));
  result.ways.push_back(std::move(way));
}

/// All solutions with \p left more messages.
void Search::deepen(const EditTerm &edit, unsigned left) {
  pay(edit.nodes.size());
  if (!work || !seen.insert(edit.key()).second)
    return;
  Connectedness found = check(edit);
  if (found.holds())
    return left == 0 ? keep(edit) : void();
  if (left == 0 || found.violations.empty())
    return;
  // The violation with the fewest ways out.
  std::vector<Insertion> tries;
  for (const ConnectednessViolation &v : found.violations) {
    std::vector<Insertion> mine = candidates(edit, v);
    if (!work)
      return;
    if (tries.empty() || mine.size() < tries.size())
      tries = std::move(mine);
  }
  for (const Insertion &i : tries) {
    EditTerm next = edit;
    next.insert(i.at, i.before, {i.sender, i.receiver, next.numOperations});
    ++next.numOperations;
    deepen(next, left - 1);
    if (!work)
      return;
  }
}

/// One message after the other, each the one that leaves the fewest violations.
bool Search::greedy(EditTerm edit) {
  work = budget.stopped() ? 0 : options.maxWork;
  unsigned idle = 0;
  while (work && idle < 4) {
    Connectedness found = check(edit);
    if (found.holds()) {
      keep(edit);
      return true;
    }
    if (found.violations.empty())
      return false;
    size_t fewest = SIZE_MAX, before = found.violations.size();
    std::optional<EditTerm> best;
    std::vector<Insertion> tries = candidates(edit, found.violations.front());
    for (const Insertion &i : tries) {
      EditTerm next = edit;
      next.insert(i.at, i.before, {i.sender, i.receiver, next.numOperations});
      ++next.numOperations;
      Connectedness after = check(next);
      if (after.gaveUp)
        return false;
      if (after.violations.size() < fewest) {
        fewest = after.violations.size();
        best = std::move(next);
      }
      if (!work || fewest == 0)
        break;
    }
    if (!best)
      return false;
    idle = fewest < before ? 0 : idle + 1;
    edit = std::move(*best);
  }
  return false;
}

void Search::rank() {
  llvm::stable_sort(result.ways,
                    [](const TermAmendment &x, const TermAmendment &y) {
                      return std::pair(x.added, numIocSemantics - x.semantics) <
                             std::pair(y.added, numIocSemantics - y.semantics);
                    });
}

/// A violation of what was built last, with the ids of the source: building
/// numbers subterms anew.
ConnectednessViolation Search::inSource(const EditTerm &edit,
                                        ConnectednessViolation v) const {
  for (IocPart *part : {&v.at, &v.first, &v.second})
    if (*part)
      *part = edit.nodes[nodeOf[part->term().index()]].origin;
  return v;
}

TermAmendments Search::run() {
  EditTerm edit(source);
  Connectedness found = check(edit);
  if (found.holds()) {
    result.outcome = TermAmendments::Connected;
    return std::move(result);
  }
  if (!options.moveDeciders) {
    for (const ConnectednessViolation &v : found.violations)
      if (v.rule == ConnectednessRule::Decider)
        result.flaws.push_back(inSource(edit, v));
    if (!result.flaws.empty()) {
      result.outcome = TermAmendments::TwoDeciders;
      return std::move(result);
    }
  }
  result.limit = found.limit;
  if (found.gaveUp || !renameUnordered(edit))
    return giveUp();
  // So many messages are needed that trying all sets of fewer is hopeless.
  constexpr size_t mostSearched = 8;
  found = check(edit);
  EditTerm bridged = edit;
  bool many = bridge(bridged, found) > mostSearched;
  if (many && check(bridged).holds()) {
    keep(bridged);
    result.outcome = TermAmendments::Found;
    result.fewest = isPlainSequence();
    result.more = true;
    return std::move(result);
  }
  for (unsigned messages = 0; !many && work && result.ways.empty();
       ++messages) {
    seen.clear();
    deepen(edit, messages);
  }
  // Smaller numbers were all tried to the end.
  result.fewest = !result.ways.empty();
  result.more |= work == 0;
  if (result.fewest || greedy(many ? bridged : edit)) {
    result.outcome = TermAmendments::Found;
    rank();
    return std::move(result);
  }
  return giveUp();
}

TermAmendments Search::giveUp() {
  if (result.limit.empty())
    result.limit = budget.limit();
  return std::move(result);
}

} // namespace

TermAmendments cif::amendTerm(const Term &term, const AmendOptions &options) {
  return Search(term, options).run();
}
