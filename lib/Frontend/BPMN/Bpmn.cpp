//===- Bpmn.cpp - The BPMN front end --------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Entry of the BPMN 2.0 front end: recognises BPMN files, chooses which parts
/// of a file are lowered, and examines calls before they are expanded, so that
/// neither a cycle nor a chain of calls that doubles at each step does harm.
///
//===----------------------------------------------------------------------===//

#include "cif/Support/Diagnostics/Bpmn.h"
#include "Lowering.h"
#include "cif/Frontend/Pnml.h"
#include "cif/IR/Verifier.h"

using namespace cif;
using namespace cif::bpmn;

int cif::detectBpmn(StringRef path, StringRef text) {
  StringRef head = text.take_front(8192);
  std::string narrow;
  if (head.contains('\0')) { // UTF-16 or UTF-32: the ASCII of it is enough
    for (char c : head)
      if (c)
        narrow += c;
    head = narrow;
  }
  head.consume_front("\xef\xbb\xbf");
  head.consume_front("\xff\xfe") || head.consume_front("\xfe\xff");
  bool isXml = head.ltrim().starts_with("<");
  if (isXml && head.contains("definitions") && head.contains("BPMN"))
    return 95;
  if (isXml && head.contains("/BPMN/"))
    return 80;
  bool named = path.ends_with(".bpmn") || path.ends_with(".bpmn2");
  if (isXml && !named && looksLikePnml(text))
    return 0;
  if (isXml)
    return named ? 70 : 30;
  return named ? 10 : 0;
}

bool cif::parseBpmn(const SourceBuffer &source, Module &module,
                    DiagnosticEngine &diags, const FrontEndOptions &options) {
  Document document;
  document.layout = options.layout;
  if (!readXml(source, document, diags, options.strict))
    return false;
  return Lowering(source, document, module, diags, options).run();
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Lowering::Lowering(const SourceBuffer &source, const Document &doc,
                   Module &module, DiagnosticEngine &diags,
                   const FrontEndOptions &options)
    : source(source), doc(doc), module(module), diags(diags), options(options),
      coverage(diags, options.strict),
      sourceId(module.getSource(source.path(), "bpmn")),
      names(doc.strings.size()), nodesOf(doc.elements.size()) {}

Name Lowering::name(Name documentName) {
  Name &known = names[documentName.index()];
  if (known.empty())
    known = module.intern(doc.text(documentName));
  return known;
}

std::string Lowering::idOrPlace(ElementId e) const {
  if (!doc[e].id.empty())
    return doc.id(e).str();
  return (elementInfo(doc[e].kind).xml + (" " + Twine(doc[e].line)) + ":" +
          Twine(doc[e].column))
      .str();
}

std::string Lowering::nameOrId(ElementId e) const {
  std::string text = tidyName(doc.text(doc[e].name));
  return text.empty() ? idOrPlace(e) : text;
}

std::string Lowering::describe(ElementId e) const {
  std::string text = tidyName(doc.text(doc[e].name));
  if (text.empty())
    text = doc.id(e).str();
  std::string result = elementInfo(doc[e].kind).xml;
  if (!text.empty())
    result += " '" + text + "'";
  return result;
}

std::string Lowering::danglingHint(ElementId flow) {
  constexpr unsigned most = 20; // all ids are compared
  for (auto [key, name] : {std::pair(Attr::sourceRef, "sourceRef"),
                           std::pair(Attr::targetRef, "targetRef")}) {
    Name ref = doc.attribute(flow, key);
    if (ref.empty() || doc.resolve(ref))
      continue;
    std::string text =
        "no element has the id '" + doc.text(ref).str() + "' (" + name + ")";
    std::vector<StringRef> ids;
    if (hinted++ < most)
      for (const Element &each : doc.elements)
        if (!each.id.empty())
          ids.push_back(doc.text(each.id));
    return text + guessText(nearest(doc.text(ref), ids));
  }
  return "";
}

bool Lowering::dangling(ElementId from, StringRef attribute, Name ref,
                        StringRef expected) {
  diags.report(place(from), diag::bpmn_dangling)
      << describe(from) << attribute << doc.text(ref) << expected;
  return false;
}

bool Lowering::missing(ElementId from, StringRef attribute) {
  diags.report(place(from), diag::bpmn_missing) << describe(from) << attribute;
  return false;
}

bool Lowering::misuse(ElementId e, Rule rule) {
  diags.report(place(e), diag::bpmn_misuse) << describe(e) << ruleText(rule);
  return false;
}

//===----------------------------------------------------------------------===//
// What to lower
//===----------------------------------------------------------------------===//

bool Lowering::hasNodes(ElementId root) const {
  for (ElementId c = doc.firstChild(root); c; c = doc.nextChild(root, c))
    if (isFlowNode(doc[c].kind))
      return true;
  return false;
}

/// The process, choreography or other root element that an element is in.
ElementId Lowering::rootOf(ElementId e) const {
  while (doc[e].parent && doc[doc[e].parent].parent)
    e = doc[e].parent;
  return e;
}

bool Lowering::collect() {
  std::vector<bool> isCalled(doc.elements.size());
  llvm::DenseMap<uint32_t, bool> hasPool;
  for (size_t i = 0; i < doc.elements.size(); ++i) {
    ElementId e(i);
    Name ref;
    if (doc[e].kind == ElementKind::CallActivity)
      ref = doc.attribute(e, Attr::calledElement);
    else if (doc[e].kind == ElementKind::CallChoreography)
      ref = doc.attribute(e, Attr::calledChoreographyRef);
    else if (doc[e].kind == ElementKind::Participant)
      if (ElementId process = doc.resolve(doc.attribute(e, Attr::processRef)))
        hasPool[process.index()] = true;
    if (ElementId called = doc.resolve(ref)) {
      isCalled[called.index()] = true;
      calls.push_back({called, e});
    }
  }
  ElementId root(0);
  for (ElementId e = doc.firstChild(root); e; e = doc.nextChild(root, e)) {
    switch (doc[e].kind) {
    case ElementKind::Collaboration:
      collaborations.push_back(e);
      break;
    case ElementKind::Choreography:
      // What is only there to be called is read where it is called.
      if (hasNodes(e) && !isCalled[e.index()])
        choreographies.push_back(e);
      break;
    case ElementKind::Process:
      if (hasNodes(e) && (!isCalled[e.index()] || hasPool.count(e.index())))
        processes.push_back(e);
      break;
    default:
      break;
    }
  }
  addCycles(isCalled);
  // A file with nothing else: a process or choreography that has nothing to do.
  if (choreographies.empty() && processes.empty() && collaborations.empty())
    for (ElementId e = doc.firstChild(root); e; e = doc.nextChild(root, e)) {
      bool isProcess = doc[e].kind == ElementKind::Process;
      if ((isProcess || doc[e].kind == ElementKind::Choreography) &&
          !isCalled[e.index()])
        (isProcess ? processes : choreographies).push_back(e);
    }
  return options.select.empty() || selectOne();
}

/// Of what is called, but by nothing that is read so far, the first stands for
/// all that it calls: calls that lead in a circle.
void Lowering::addCycles(const std::vector<bool> &isCalled) {
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 2>> next; // by root
  for (auto [called, call] : calls)
    next[rootOf(call).index()].push_back(called.index());
  llvm::DenseSet<uint32_t> reached;
  llvm::SmallVector<uint32_t, 8> work;
  auto reach = [&](ElementId from) {
    if (reached.insert(from.index()).second)
      work.push_back(from.index());
    while (!work.empty())
      for (uint32_t to : next.lookup(work.pop_back_val()))
        if (reached.insert(to).second)
          work.push_back(to);
  };
  for (ElementId e : choreographies)
    reach(e);
  for (ElementId e : processes)
    reach(e);
  ElementId root(0);
  for (ElementId e = doc.firstChild(root); e; e = doc.nextChild(root, e)) {
    bool isProcess = doc[e].kind == ElementKind::Process;
    if ((!isProcess && doc[e].kind != ElementKind::Choreography) ||
        !isCalled[e.index()] || !hasNodes(e) || reached.contains(e.index()))
      continue;
    auto &those = isProcess ? processes : choreographies;
    those.insert(llvm::upper_bound(those, e,
                                   [](ElementId x, ElementId y) {
                                     return x.index() < y.index();
                                   }),
                 e);
    reach(e);
  }
}

bool Lowering::selectOne() {
  std::vector<StringRef> candidates;
  ElementId chosen;
  ElementId root(0);
  for (ElementId e = doc.firstChild(root); e; e = doc.nextChild(root, e)) {
    ElementKind kind = doc[e].kind;
    if (kind != ElementKind::Collaboration && kind != ElementKind::Process &&
        kind != ElementKind::Choreography)
      continue;
    candidates.push_back(doc.id(e));
    if (doc.id(e) == options.select && !chosen)
      chosen = e;
  }
  if (!chosen) {
    StringRef near = nearest(options.select, candidates);
    diags.report(Place{source.path().str(), 0, 0, ""}, diag::bpmn_select)
        << options.select
        << (near.empty() ? std::string() : "; is '" + near.str() + "' meant?");
    return false;
  }
  choreographies.clear();
  switch (doc[chosen].kind) {
  case ElementKind::Choreography:
    collaborations.clear();
    processes.clear();
    choreographies.push_back(chosen);
    return true;
  case ElementKind::Collaboration: {
    collaborations = {chosen};
    llvm::DenseMap<uint32_t, bool> inPool;
    doc.forChildren(chosen, [&](ElementId c) {
      if (doc[c].kind == ElementKind::Participant)
        if (ElementId process = doc.resolve(doc.attribute(c, Attr::processRef)))
          inPool[process.index()] = true;
    });
    llvm::erase_if(processes,
                   [&](ElementId p) { return !inPool.count(p.index()); });
    return true;
  }
  default: // a process, with the collaborations that say who its partners are
    processes = {chosen};
    return true;
  }
}

namespace {
/// A process or choreography.
struct Callable {
  uint64_t size = 0; ///< how many nodes it has itself
  std::vector<std::pair<ElementId, ElementId>> calls; ///< by whom, what
  enum { New, Open, Done } state = New;
};
} // namespace

/// By element.
static llvm::DenseMap<uint32_t, Callable> findCallables(const Document &doc) {
  llvm::DenseMap<uint32_t, Callable> callables;
  ElementId root;
  for (size_t i = 1; i < doc.elements.size(); ++i) {
    ElementId e(i);
    if (doc[e].parent == ElementId(0))
      root = e;
    ElementKind kind = doc[e].kind;
    if (!isFlowNode(kind))
      continue;
    Callable &callable = callables[root.index()];
    ++callable.size;
    if (kind != ElementKind::CallActivity &&
        kind != ElementKind::CallChoreography)
      continue;
    ElementId called = doc.resolve(doc.attribute(
        e, kind == ElementKind::CallActivity ? Attr::calledElement
                                             : Attr::calledChoreographyRef));
    if (called && (doc[called].kind == ElementKind::Process ||
                   doc[called].kind == ElementKind::Choreography))
      callable.calls.push_back({e, called});
  }
  return callables;
}

bool Lowering::checkCalls() {
  llvm::DenseMap<uint32_t, Callable> callables = findCallables(doc);
  bool soughtTails = false;
  auto isTailCall = [&](ElementId call) {
    std::vector<CallOf> all;
    for (const auto &[caller, callable] : callables)
      for (auto [by, called] : callable.calls)
        all.push_back({ElementId(caller), by, called});
    if (!soughtTails)
      findTailCalls(std::move(all));
    soughtTails = true;
    return tailCalls.contains(call.index());
  };
  // Depth first, with the calls on the way on a stack.
  struct Frame {
    ElementId element;
    size_t next;
    ElementId call;
  };
  std::vector<Frame> stack;
  std::vector<ElementId> roots = choreographies;
  roots.insert(roots.end(), processes.begin(), processes.end());
  for (ElementId start : roots) {
    if (callables[start.index()].state == Callable::New)
      stack.push_back({start, 0, ElementId()});
    while (!stack.empty()) {
      Frame &frame = stack.back();
      Callable &callable = callables[frame.element.index()];
      callable.state = Callable::Open;
      if (frame.next == callable.calls.size()) {
        callable.state = Callable::Done;
        stack.pop_back();
        continue;
      }
      auto [call, called] = callable.calls[frame.next];
      auto target = callables.find(called.index());
      if (target == callables.end()) { // has no nodes
        ++frame.next;
      } else if (target->second.state == Callable::Done) {
        callable.size += target->second.size;
        ++frame.next;
        if (callable.size > maxNodes) {
          diags.report(place(call), diag::bpmn_too_large)
              << "calls expand " + describe(start) +
                     " to more than 4000000 nodes";
          return false;
        }
      } else if (target->second.state == Callable::New) {
        stack.push_back({called, 0, call});
      } else {
        if (doc[called].kind == ElementKind::Process) {
          recursiveCalls.insert(call.index());
          ++frame.next;
          continue;
        }
        if (isTailCall(call)) {
          ++frame.next;
          continue;
        }
        auto report = diags.report(place(call), diag::bpmn_call_cycle);
        report << describe(call) << describe(called);
        size_t at = stack.size();
        while (at > 0 && stack[at - 1].element != called)
          --at;
        for (size_t i = at; i < stack.size() && i < at + 10; ++i)
          report.note(place(stack[i].call),
                      "reached by " + describe(stack[i].call));
        return false;
      }
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

std::string Lowering::behaviourName(ElementId e) {
  std::string text = nameOrId(e);
  if (usedNames.empty())
    for (const Behaviour &b : module.behaviours)
      usedNames.insert(module.text(b.name));
  if (!usedNames.insert(text).second)
    text += " (" + idOrPlace(e) + ")";
  return text;
}

bool Lowering::lowerProcesses() {
  bool good = true;
  llvm::DenseMap<uint32_t, bool> owned;
  for (const Pool &pool : pools)
    owned[pool.id.raw()] = true;
  uint64_t copied = 0; // elements of processes that several pools have
  for (ElementId process : processes) {
    auto those = poolsOf.find(process.index());
    if (those == poolsOf.end()) {
      ParticipantId owner = participant(process);
      if (!owned.try_emplace(owner.raw(), true).second) {
        std::string other = tidyName(doc.text(doc[process].name)) + " (" +
                            idOrPlace(process) + ")";
        owner = makeParticipant(module.intern(other), process);
      }
      good &= lowerBehaviour(process, BehaviourKind::Process, owner,
                             behaviourName(process));
    } else {
      for (uint32_t i : those->second) {
        // The first has the process's name, others that of their pools.
        bool isFirst = i == those->second.front();
        if (!isFirst)
          copied += doc[process].end - process.index();
        if (copied > maxNodes) {
          diags.report(place(process), diag::bpmn_too_large)
              << "copies for the pools that share a process have more than "
                 "4000000 nodes";
          return false;
        }
        good &= lowerBehaviour(
            process, BehaviourKind::Process, pools[i].id,
            behaviourName(isFirst ? process : pools[i].participant));
      }
    }
    if (diags.tooManyErrors())
      return false;
  }
  return good;
}

bool Lowering::run() {
  unsigned errorsBefore = diags.errors();
  for (const Document::UnknownElement &u : doc.unknown)
    diags.report(Place{source.path().str(), u.line, u.column, ""},
                 diag::bpmn_unknown)
        << u.name;
  size_t firstBehaviour = module.behaviours.size();
  size_t participantsBefore = module.participants.size();
  if (!readFields() || !collect() || !checkCalls())
    return false;
  separateParticipants();
  findStrays();
  pairEvents();
  pairLinks();
  findHandlersInFlow();
  if (!leaveOutRepeated() || !checkFlowRefs() || !lowerParticipants())
    return false;
  findCallers();
  if (!lowerMessageFlows())
    return false;
  bool good = true;
  declareParticipants();
  for (ElementId choreography : choreographies)
    good &= lowerBehaviour(choreography, BehaviourKind::Choreography, {},
                           behaviourName(choreography));
  good &= lowerProcesses();
  if (!good)
    return false;
  if (module.behaviours.size() == firstBehaviour &&
      module.participants.size() == participantsBefore) {
    (void)diags.report(place(ElementId(0)), diag::bpmn_empty);
    return false;
  }
  emitMessageFlows();
  giveFields();
  tellNames();
  if (collaborations.size() > 1 && options.select.empty())
    diags.report(place(collaborations[1]), diag::bpmn_several)
        << collaborations.size();
  for (size_t i = firstBehaviour; i < module.behaviours.size(); ++i)
    if (module.behaviours[i].kind == BehaviourKind::Choreography)
      checkEnforceable(module, module.behaviours[i], diags);
  if (coverage.abstracted || doc.ignored)
    diags.report(Place{source.path().str(), 0, 0, ""}, diag::bpmn_summary)
        << Twine(coverage.abstracted) +
               (coverage.abstracted == 1 ? " element" : " elements")
        << doc.ignored;
  module.addAbstractions(coverage.abstractions());
  // What our own words say may be wrong in ways that only the rules tell.
  return diags.errors() == errorsBefore &&
         (!hasExactWords || verify(module, diags));
}
