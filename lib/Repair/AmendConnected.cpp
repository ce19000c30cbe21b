//===- AmendConnected.cpp - --amend for connectedness ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From a module to the term of its choreography and back: the term is
/// amended (AmendTerm.cpp), checked again, compared with the original and
/// shown, and only then converted to a behaviour.
///
//===----------------------------------------------------------------------===//

#include "AmendConnected.h"
#include "ExchangeText.h"
#include "IocText.h"
#include "PatchCheck.h"
#include "cif/Calculus/BehaviourOfTerm.h"
#include "cif/Calculus/IocRelation.h"
#include "cif/Calculus/IocSubject.h"
#include "cif/Check/Calculus/IocConforms.h"
#include "cif/IR/Builder.h"
#include "cif/IR/Names.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Support/Diagnostics/Calculus.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/SourceDiff.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

namespace {

/// Alternatives that are shown; all are counted.
constexpr size_t mostShown = 5;

/// An amended term as text, a line for each step.
class TermLines {
public:
  struct Line {
    std::string text;
    unsigned indent;
    char mark;
  };

  /// \p name gives the text of a step; \p changed what it was, if it is not
  /// that any more.
  TermLines(const Term &term, ArrayRef<TermId> origin,
            function_ref<std::string(TermId)> name,
            function_ref<std::string(TermId)> before);

  void print(raw_ostream &os) const;

private:
  void add(const std::string &text, unsigned indent, char mark = ' ') {
    lines.push_back({text, indent, mark});
  }
  std::vector<Line> lines;
};

TermLines::TermLines(const Term &term, ArrayRef<TermId> origin,
                     function_ref<std::string(TermId)> name,
                     function_ref<std::string(TermId)> before) {
  struct Visit {
    TermId id, next;
    unsigned indent;
  };
  std::vector<Visit> path;
  auto closing = [&](TermKind kind) {
    return kind == TermKind::Loop || kind == TermKind::While ||
                   kind == TermKind::Rec
               ? "}"
               : ")";
  };
  auto enter = [&](TermId id, unsigned indent) {
    const TermNode &node = term[id];
    switch (node.kind) {
    case TermKind::Done:
      return add("1", indent);
    case TermKind::Stuck:
      return add("0", indent);
    case TermKind::Action:
    case TermKind::Tau: {
      std::string was = before(id);
      if (!was.empty())
        add(was, indent, '-');
      return add(name(id), indent,
                 !origin[id.index()] || !was.empty() ? '+' : ' ');
    }
    case TermKind::Call:
      return add(name(id), indent);
    case TermKind::Sequence:
      path.push_back({id, node.firstChild, indent});
      return;
    default:
      add(node.kind == TermKind::Loop    ? "loop {"
          : node.kind == TermKind::While ? "while [...] {"
          : node.kind == TermKind::Guard ? "[...] => ("
          : node.kind == TermKind::Rec   ? "rec " + name(id) + " {"
                                         : "(",
          indent);
      path.push_back({id, node.firstChild, indent + 2});
      return;
    }
  };
  enter(term.root(), 2);
  while (!path.empty()) {
    Visit &visit = path.back();
    const TermNode &node = term[visit.id];
    if (!visit.next) {
      unsigned indent = visit.indent;
      path.pop_back();
      if (node.kind != TermKind::Sequence)
        add(closing(node.kind), indent - 2);
      continue;
    }
    TermId child = visit.next;
    if (child != node.firstChild) {
      if (node.kind == TermKind::Sequence)
        lines.back().text += " ;";
      else
        add(node.kind == TermKind::Parallel ? "||" : "+", visit.indent - 2);
    }
    visit.next = term[child].nextSibling;
    enter(child, visit.indent);
  }
}

void TermLines::print(raw_ostream &os) const {
  constexpr size_t context = 3;
  size_t shown = 0; // up to here
  for (size_t i = 0; i < lines.size(); ++i) {
    bool near = false;
    for (size_t j = i < context ? 0 : i - context;
         j < std::min(lines.size(), i + context + 1); ++j)
      near |= lines[j].mark != ' ';
    if (!near)
      continue;
    if (shown < i)
      os << "    ...\n";
    shown = i + 1;
    os << lines[i].mark << ' ' << std::string(lines[i].indent, ' ')
       << visible(lines[i].text) << '\n';
  }
  if (shown < lines.size())
    os << "    ...\n";
}

/// The changes as edits of the text that the choreography was read from: new
/// interactions go before or after terms that are there with a `;`, which binds
/// tightest, and a use that was renamed gets the rest of its name. False: the
/// text does not show where.
class TextEdits {
public:
  TextEdits(const Module &module, const Behaviour &behaviour,
            const TermAmendment &way, SourceManager &sources,
            function_ref<std::string(TermId)> name)
      : module(module), behaviour(behaviour), way(way), sources(sources),
        name(name) {}

  bool find();
  /// Whether the patched text says \p verified. Connectedness depends on the
  /// term: the same runs are not enough.
  bool give(const Module &verified) const {
    return patchGives(*source, "ioc", edits.take(), verified,
                      module.text(behaviour.name), nullptr);
  }
  void print(raw_ostream &os) { printSourceDiff(os, *source, edits.take()); }
  bool hasSource() const { return source; }

private:
  bool addGroup(ArrayRef<TermId> added, TermId before, TermId after);
  bool rename(TermId id);
  bool isOldStep(TermId id) const {
    return id && way.origin[id.index()] &&
           way.term[id].kind == TermKind::Action;
  }
  std::optional<size_t> offset(TermId id);
  /// Where the exchange of a step stands.
  std::optional<ExchangeExtent> extent(TermId id);
  /// Where a term stands that was there before.
  std::optional<TermRange> range(TermId id);

  const Module &module;
  const Behaviour &behaviour;
  const TermAmendment &way;
  SourceManager &sources;
  function_ref<std::string(TermId)> name;
  const SourceBuffer *source = nullptr;
  std::optional<IocText> terms; ///< of it
  IocEdits edits;
};

std::optional<size_t> TextEdits::offset(TermId id) {
  if (!way.term[id].node)
    return std::nullopt;
  const Node &node = behaviour.node(way.term[id].node);
  Place place = module.place(node.loc);
  if (!node.loc.source || !place.element.empty() ||
      module.text(module.sources[node.loc.source.index()].language) != "ioc")
    return std::nullopt;
  const SourceBuffer *here = sources.find(place.file);
  if (!here || (source && source != here))
    return std::nullopt;
  std::optional<size_t> at = offsetOf(*here, place.line, place.column);
  if (at)
    source = here;
  return at;
}

std::optional<ExchangeExtent> TextEdits::extent(TermId id) {
  std::optional<size_t> at = offset(id);
  return at ? exchangeExtent(*source, *at) : std::nullopt;
}

std::optional<TermRange> TextEdits::range(TermId id) {
  if (!id || !way.origin[id.index()])
    return std::nullopt;
  if (isOldStep(id)) {
    std::optional<ExchangeExtent> found = extent(id);
    return found ? std::optional(TermRange{found->begin, found->end, false})
                 : std::nullopt;
  }
  std::optional<size_t> at = offset(id);
  if (!at)
    return std::nullopt;
  if (!terms)
    terms.emplace(source->text());
  return terms->at(*at);
}

bool TextEdits::addGroup(ArrayRef<TermId> added, TermId before, TermId after) {
  // Beside a step rather than around something large.
  bool goesBefore = isOldStep(after) || (after && !isOldStep(before));
  std::optional<TermRange> there = range(goesBefore ? after : before);
  if (!there) {
    goesBefore = !goesBefore;
    there = range(goesBefore ? after : before);
  }
  for (TermId id : added)
    if (there && goesBefore)
      edits.before(*there, name(id));
    else if (there)
      edits.behind(*there, name(id));
  return there.has_value();
}

bool TextEdits::rename(TermId id) {
  std::string was =
      module.exchangeText(behaviour.node(way.term[id].node).message);
  std::string now = name(id);
  std::optional<ExchangeExtent> there = extent(id);
  if (!there || !there->plain || !StringRef(now).starts_with(was))
    return false;
  edits.append(there->nameEnd, now.substr(was.size()));
  return true;
}

bool TextEdits::find() {
  for (size_t i = 0; i < way.term.size(); ++i) {
    if (way.term.nodes[i].kind != TermKind::Sequence)
      continue;
    TermId before;
    SmallVector<TermId, 4> added;
    for (TermId c = way.term.nodes[i].firstChild; c;
         c = way.term[c].nextSibling) {
      if (way.term[c].kind == TermKind::Action && !way.origin[c.index()]) {
        added.push_back(c);
        continue;
      }
      if (!added.empty() && !addGroup(added, before, c))
        return false;
      added.clear();
      before = c;
    }
    if (!added.empty() && !addGroup(added, before, TermId()))
      return false;
  }
  for (TermId id : way.renamed)
    if (!rename(id))
      return false;
  return source;
}

class Amend {
public:
  Amend(Module &module, Behaviour &behaviour, IocSemantics semantics,
        PassContext &context)
      : module(module), behaviour(behaviour), semantics(semantics),
        context(context) {}

  PassResult run();

private:
  FactBuilder newFact() const;
  void reportDeciders(const TermAmendments &found);
  bool sameTraces(const TermAmendment &way, std::string &problem);
  void nameMessages(const TermAmendment &way);
  std::string stepText(const TermAmendment &way, TermId id) const;
  std::string oldText(const TermAmendment &way, TermId id) const;
  std::string placeText(const TermAmendment &way, TermId id) const;
  void rank(TermAmendments &found);
  bool show(const TermAmendment &way, const Behaviour &amended,
            raw_ostream &os);
  PassResult finish(const TermAmendments &found, size_t pick);
  void tellWays(const TermAmendments &found, size_t pick, FactBuilder &fact);
  std::vector<MessageId> messagesOf(const TermAmendment &way);
  std::string lookAgain(const Behaviour &amended, bool &wasStopped) const;
  bool isAmendable() const;

  Module &module;
  Behaviour &behaviour;
  const IocSemantics semantics;
  PassContext &context;
  OperationNumbers operations;
  Term term;
  std::vector<std::string> fresh; ///< names of fresh operations
};

FactBuilder Amend::newFact() const {
  FactBuilder fact("connected",
                   "amended choreography '" + module.text(behaviour.name) + "'",
                   module.place(behaviour.loc));
  return fact.with("semantics", iocSemanticsName(semantics))
      .by(iocSemanticsText(semantics) + " semantics");
}

void Amend::reportDeciders(const TermAmendments &found) {
  FactBuilder fact = newFact();
  fact.violated("choreography '" + module.text(behaviour.name) +
                "' has a choice that two roles decide, which more messages "
                "alone cannot repair")
      .show("elements");
  auto add = [&](TermId id, const std::string &text, StringRef note) {
    const Node &step = behaviour.node(term[id].node);
    std::string name =
        term.action(id).isTau()
            ? "tau " + quoted(module.participantName(
                           ParticipantId(term.action(id).sender)))
            : module.exchangeText(step.message);
    fact.step("'" + name + "' " + text, module.place(step.loc), note);
  };
  for (const ConnectednessViolation &v : found.flaws) {
    add(v.first.term(), "begins one branch", flawName(v.rule));
    add(v.second.term(), "begins another one", "");
  }
  fact.note("deciders=move lets one role decide and tell the other");
  context.report(module, std::move(fact));
}

/// Whether \p way has the traces of the choreography when what was added is
/// hidden and what was renamed has its old name.
bool Amend::sameTraces(const TermAmendment &way, std::string &problem) {
  llvm::DenseMap<uint32_t, uint32_t> back;
  for (TermId id : way.renamed)
    back[way.term.action(id).operation] =
        term.action(way.origin[id.index()]).operation;
  auto label = [&](const IocStep &step) {
    if (step.kind == StepKind::Internal)
      return Label::plain("tau " + std::to_string(step.sender));
    uint32_t operation = step.operation;
    if (auto it = back.find(operation); it != back.end())
      operation = it->second;
    if (operation >= term.numOperations)
      return Label::tau();
    return Label{LabelKind::Exchange, std::to_string(step.sender),
                 std::to_string(step.receiver), std::to_string(operation)};
  };
  auto before = buildIocLts(term, label, context.limits, problem);
  if (!before)
    return false;
  auto after = buildIocLts(way.term, label, context.limits, problem);
  if (!after)
    return false;
  CompareOptions options{.limits = context.limits};
  Comparison result = compare(*before, *after, Relation::WeakTrace, options);
  if (result.verdict == Verdict::Violated)
    problem = "its traces changed; this is a defect";
  else if (result.verdict == Verdict::Inconclusive)
    problem = stoppedText(result.limit);
  return result.verdict == Verdict::Holds;
}

/// `sync1`, `sync2`, ... and `o_2` for another use of o.
void Amend::nameMessages(const TermAmendment &way) {
  llvm::StringSet<> used;
  for (const Message &message : module.messages)
    used.insert(module.text(message.name));
  fresh.assign(way.term.numOperations, "");
  llvm::StringMap<unsigned> next; // of each base: no smaller number is free
  auto name = [&](uint32_t operation, const std::string &base, unsigned from) {
    unsigned &i = next.try_emplace(base, from).first->second;
    for (; fresh[operation].empty(); ++i)
      if (used.insert(base + std::to_string(i)).second)
        fresh[operation] = base + std::to_string(i);
  };
  llvm::DenseSet<uint32_t> renamed;
  for (TermId id : way.renamed) {
    uint32_t was = term.action(way.origin[id.index()]).operation;
    name(way.term.action(id).operation,
         module.text(operations.name(was)).str() + "_", 2);
  }
  for (size_t i = 0; i < way.term.size(); ++i)
    if (way.term.nodes[i].kind == TermKind::Action && !way.origin[i])
      name(way.term.nodes[i].action.operation, "sync", 1);
}

std::string Amend::stepText(const TermAmendment &way, TermId id) const {
  const TermNode &node = way.term[id];
  if (node.kind == TermKind::Rec || node.kind == TermKind::Call) {
    NodeId rec =
        node.kind == TermKind::Call ? way.term[node.target].node : node.node;
    Name name = behaviour.node(rec).name;
    return name.empty() ? "X" + std::to_string(rec.index())
                        : quoted(module.text(name));
  }
  const TermAction &x = way.term.action(id);
  auto role = [&](uint32_t r) {
    return quoted(module.participantName(ParticipantId(r)));
  };
  if (x.isTau())
    return "tau " + role(x.sender);
  std::string operation =
      x.operation < term.numOperations
          ? quoted(module.text(operations.name(x.operation)))
          : quoted(fresh[x.operation]);
  return role(x.sender) + " -> " + role(x.receiver) + " : " + operation;
}

/// What a renamed step was.
std::string Amend::oldText(const TermAmendment &way, TermId id) const {
  if (!llvm::is_contained(way.renamed, id))
    return "";
  return module.exchangeText(behaviour.node(way.term[id].node).message);
}

/// Where the added step \p id is: behind or before which step.
std::string Amend::placeText(const TermAmendment &way, TermId id) const {
  const Term &all = way.term;
  // It stands in a sequence, with something that was there.
  TermId before, after;
  for (size_t i = id.index() + 1; i < all.size() && !before && !after; ++i) {
    if (all.nodes[i].kind != TermKind::Sequence)
      continue;
    TermId last;
    bool met = false;
    for (TermId c = all.nodes[i].firstChild; c; c = all[c].nextSibling) {
      bool added = all[c].kind == TermKind::Action && !way.origin[c.index()];
      met |= c == id;
      if (!added && !met)
        last = c;
      else if (!added && !after)
        after = c;
    }
    before = met ? last : TermId();
    after = met ? after : TermId();
  }
  auto isStep = [&](size_t i) {
    return (all.nodes[i].kind == TermKind::Action ||
            all.nodes[i].kind == TermKind::Tau) &&
           way.origin[i];
  };
  auto begin = [&](TermId at) {
    while (all[at].firstChild)
      at = all[at].firstChild;
    return at.index();
  };
  if (before)
    for (size_t i = before.index() + 1, first = begin(before); i-- > first;)
      if (isStep(i))
        return " behind '" + stepText(way, TermId(i)) + "'";
  if (after)
    for (size_t i = begin(after); i <= after.index(); ++i)
      if (isStep(i))
        return " before '" + stepText(way, TermId(i)) + "'";
  return "";
}

/// Of ways that are as good, those first that the source shows.
void Amend::rank(TermAmendments &found) {
  auto shows = [&](const TermAmendment &way) {
    nameMessages(way);
    auto name = [&](TermId id) { return stepText(way, id); };
    return TextEdits(module, behaviour, way, context.diags.sources(), name)
        .find();
  };
  auto begin = found.ways.begin();
  while (begin != found.ways.end()) {
    auto end =
        std::find_if(begin, found.ways.end(), [&](const TermAmendment &way) {
          return way.added != begin->added || way.semantics != begin->semantics;
        });
    std::stable_partition(begin, end, shows);
    begin = end;
  }
}

/// As a diff on the source that `patch` applies, if the patched text says what
/// \p amended does, or else on the term. False: the source is .ioc, and there
/// is no such diff.
bool Amend::show(const TermAmendment &way, const Behaviour &amended,
                 raw_ostream &os) {
  auto name = [&](TermId id) { return stepText(way, id); };
  TextEdits edits(module, behaviour, way, context.diags.sources(), name);
  if (edits.find()) {
    Module verified = module.clone();
    verified.behaviours[&behaviour - module.behaviours.data()] = amended;
    if (edits.give(verified)) {
      edits.print(os);
      return true;
    }
  }
  std::string title = "choreography " + quoted(module.text(behaviour.name));
  os << "--- " << title << "\n+++ " << title << ", connected for the "
     << iocSemanticsText(semantics) << " semantics\n";
  TermLines(way.term, way.origin, name, [&](TermId id) {
    return oldText(way, id);
  }).print(os);
  return !edits.hasSource();
}

/// Why \p amended is not connected as it stands, data included; empty: it is.
/// \p wasStopped: a limit is why.
std::string Amend::lookAgain(const Behaviour &amended, bool &wasStopped) const {
  OperationNumbers numbers;
  TermBreak why;
  Budget budget(context.limits);
  auto graph = buildIocGraph(module, amended, numbers, &why, &budget);
  wasStopped = budget.stopped();
  if (wasStopped)
    return stoppedText(budget.limit());
  if (!graph)
    return "it has no graph (" + why.reason + ")";
  ConnectednessOptions options{.semantics = semantics,
                               .limits = context.limits};
  Connectedness found = checkConnected(*graph, options);
  DataKnowledge data = checkDataKnowledge(module, amended, *graph, options);
  for (const std::string &limit : {found.limit, data.limit})
    if (!limit.empty()) {
      wasStopped = true;
      return stoppedText(limit);
    }
  if (!found.holds())
    return "its graph is not connected";
  if (data.gaveUp)
    return "finding out who knows which data takes too long";
  if (data.violations.empty())
    return "";
  const DataViolation &v = data.violations.front();
  return ("'" + module.participantName(ParticipantId(v.role)) +
          "' does not know '" + module.text(v.variable) +
          "', and only a message that brings it can help")
      .str();
}

/// A call that something follows needs a stack: traces cannot be compared.
bool Amend::isAmendable() const {
  std::vector<bool> last = lastCalls(term);
  for (size_t i = 0; i < term.size(); ++i)
    if (term.nodes[i].kind == TermKind::Call && !last[i]) {
      (void)context.diags.report(
          module.place(behaviour.node(term.nodes[i].node).loc),
          diag::amend_call);
      return false;
    }
  return true;
}

/// Says which of the smallest ways this is, and what the others add.
void Amend::tellWays(const TermAmendments &found, size_t pick,
                     FactBuilder &fact) {
  size_t n = found.ways.size();
  if (n > 1 || found.more)
    fact.note("this is solution " + std::to_string(pick + 1) + " of " +
              (found.more ? "more than " : "") + std::to_string(n) +
              " of the same size; pick=N takes another one");
  for (size_t i = 0; i < std::min(n, mostShown); ++i) {
    if (i == pick)
      continue;
    const TermAmendment &other = found.ways[i];
    nameMessages(other);
    std::string text = "way " + std::to_string(i + 1) + ":";
    const char *separator = " ";
    for (size_t j = 0; j < other.term.size(); ++j)
      if (other.term.nodes[j].kind == TermKind::Action && !other.origin[j]) {
        text += separator + stepText(other, TermId(j)) +
                placeText(other, TermId(j));
        separator = ", ";
      }
    fact.note(text);
  }
}

/// The message of each action, in the module.
std::vector<MessageId> Amend::messagesOf(const TermAmendment &way) {
  std::vector<MessageId> messages(way.term.size());
  for (size_t i = 0; i < messages.size(); ++i) {
    if (way.term.nodes[i].kind != TermKind::Action)
      continue;
    const TermAction &x = way.term.nodes[i].action;
    if (x.operation < term.numOperations) {
      messages[i] = behaviour.node(way.term.nodes[i].node).message;
      continue;
    }
    messages[i] =
        module.getMessage(module.intern(fresh[x.operation]),
                          ParticipantId(x.sender), ParticipantId(x.receiver));
    if (way.origin[i]) // a renamed one keeps its fields
      module.messages[messages[i].index()].fields =
          module.message(behaviour.node(way.term.nodes[i].node).message).fields;
  }
  return messages;
}

PassResult Amend::finish(const TermAmendments &found, size_t pick) {
  const TermAmendment &way = found.ways[pick];
  nameMessages(way);
  // Checked again from the beginning, and against what it was.
  ConnectednessOptions options{.semantics = semantics,
                               .limits = context.limits};
  Connectedness again = checkConnected(way.term, options);
  std::string problem = again.holds()         ? ""
                        : again.limit.empty() ? "it is not connected"
                                              : stoppedText(again.limit);
  if (!again.holds() || !sameTraces(way, problem)) {
    context.report(
        module,
        newFact().inconclusive(
            "the amended choreography could not be checked: " + problem));
    return PassResult::Stopped;
  }
  FactBuilder fact = newFact().holds();
  auto count = [](size_t n, const char *what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  fact.note(count(way.added, "interaction") + " added, " +
            count(way.renamed.size(), "use") + " of operations renamed; " +
            (found.fewest ? "no smaller number of interactions is sufficient"
                          : "not all smaller numbers were tried") +
            "; hiding them leaves the traces unchanged");
  tellWays(found, pick, fact);
  nameMessages(way);
  Behaviour amended = behaviourOf(module, behaviour, way.term, messagesOf(way));
  if (context.host.log && !show(way, amended, *context.host.log))
    fact.note(noPatchText);
  bool wasStopped = false;
  if (problem = lookAgain(amended, wasStopped); !problem.empty()) {
    Fact unsure = newFact();
    unsure.exact = false;
    unsure.message =
        "the amended choreography could not be checked: " + problem;
    context.report(module, std::move(unsure));
    return PassResult::Stopped;
  }
  behaviour = std::move(amended);
  context.count("interactions added", way.added);
  context.count("uses renamed", way.renamed.size());
  context.count("ways tried", found.tried);
  context.report(module, std::move(fact));
  return PassResult::Changed;
}

PassResult Amend::run() {
  auto pick = context.number("pick");
  auto deciders = context.oneOf("deciders", {"keep", "move"});
  if (!pick || !deciders)
    return PassResult::Failed;
  auto read =
      iocSubject(module, behaviour, operations, amendKinds(), context.diags);
  if (!read)
    return PassResult::Failed;
  term = std::move(*read);
  if (!isAmendable())
    return PassResult::Failed;
  AmendOptions options{.semantics = semantics,
                       .moveDeciders = *deciders == 1,
                       .limits = context.limits};
  TermAmendments found = amendTerm(term, options);
  switch (found.outcome) {
  case TermAmendments::Connected: {
    FactBuilder fact = newFact();
    bool wasStopped = false;
    std::string problem = lookAgain(behaviour, wasStopped);
    if (problem.empty())
      fact.holds().note("nothing had to be added");
    else
      fact.inconclusive((wasStopped ? "no verdict: "
                                    : "no message without content can amend "
                                      "it: ") +
                        problem);
    context.report(module, std::move(fact));
    return PassResult::Unchanged;
  }
  case TermAmendments::TwoDeciders:
    reportDeciders(found);
    return PassResult::Unchanged;
  case TermAmendments::GaveUp:
    context.report(
        module, newFact().inconclusive("no amendment was found in " +
                                       std::to_string(found.tried) + " tries" +
                                       (found.limit.empty() ? "" : ", ") +
                                       stoppedText(found.limit)));
    return PassResult::Stopped;
  case TermAmendments::Found:
    rank(found);
    break;
  }
  if (*pick < 1 || *pick > found.ways.size()) {
    context.diags.report(diag::bad_option_value)
        << "pick" << std::to_string(*pick)
        << "a number from 1 to " + std::to_string(found.ways.size());
    return PassResult::Failed;
  }
  return finish(found, *pick - 1);
}

} // namespace

PassResult cif::amendForConnectedness(Module &module, IocSemantics semantics,
                                      PassContext &context) {
  const Behaviour *chosen = selectedChoreography(module, context);
  if (!chosen)
    return PassResult::Failed;
  Behaviour &behaviour = module.behaviours[chosen - module.behaviours.data()];
  return Amend(module, behaviour, semantics, context).run();
}
