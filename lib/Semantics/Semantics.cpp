//===- Semantics.cpp - From a module to a system --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Semantics/Semantics.h"
#include "SystemFactories.h"
#include "cif/IR/Starts.h"
#include "cif/Support/Diagnostics.h"
#include "cif/Support/Diagnostics/Semantics.h"

using namespace cif;

ArrayRef<StringRef> cif::semanticsWords() {
  static const StringRef words[] = {"auto",  "choreography", "collaboration",
                                    "peers", "local",        "detailed",
                                    "fbpmn"};
  return words;
}
ArrayRef<StringRef> cif::observationWords() {
  static const StringRef words[] = {"exchange", "send", "receive", "both"};
  return words;
}
StringRef cif::observationText(Observation observe) {
  return observationWords()[static_cast<unsigned>(observe)];
}

SemanticsOptions SemanticsOptions::peers(NetworkKind network,
                                         Observation observe,
                                         ArrayRef<std::string> handshakes,
                                         uint32_t bound) {
  SemanticsOptions options{.semantics = SemanticsKind::Peers,
                           .network = network,
                           .observe = observe,
                           .handshakes = handshakes.vec()};
  options.bound = bound;
  return options;
}

SemanticsKind cif::resolveSemantics(const Module &module,
                                    const SemanticsOptions &options) {
  if (options.semantics != SemanticsKind::Auto)
    return options.semantics;
  auto named = [&](Name name) {
    return options.only.empty() ||
           llvm::is_contained(options.only, module.text(name));
  };
  for (const SystemDecl &system : module.systems)
    if (named(system.name) && system.role == SystemRole::Peer)
      return SemanticsKind::Peers;
  for (const Behaviour &behaviour : module.behaviours)
    if (named(behaviour.name) && behaviour.kind == BehaviourKind::Process)
      return SemanticsKind::Collaboration;
  bool choreography =
      llvm::any_of(module.behaviours, [&](const Behaviour &behaviour) {
        return named(behaviour.name) &&
               behaviour.kind == BehaviourKind::Choreography;
      });
  // A name that nothing has is told in terms of what there is.
  if (!choreography && !options.only.empty())
    return resolveSemantics(module, SemanticsOptions());
  return SemanticsKind::Choreography;
}

/// The indexes of \p items that are selected; an error for a name that none
/// has.
template <class Items, class Fits>
static bool select(const Module &module, const SemanticsOptions &options,
                   const Items &items, StringRef what, Fits fits,
                   DiagnosticEngine &diags, SmallVectorImpl<uint32_t> &chosen) {
  SmallVector<StringRef, 8> names;
  for (size_t i = 0; i < items.size(); ++i) {
    StringRef name = module.text(items[i].name);
    if (!fits(items[i]))
      continue;
    names.push_back(name);
    if (options.only.empty() || llvm::is_contained(options.only, name))
      chosen.push_back(i);
  }
  for (const std::string &wanted : options.only)
    if (!llvm::is_contained(names, wanted)) {
      diags.report(diag::unknown_selected).guess(nearest(wanted, names))
          << what << wanted;
      return false;
    }
  if (chosen.empty())
    diags.report(diag::nothing_to_explore) << what;
  return !chosen.empty();
}

/// The processes that are selected.
static bool selectProcesses(const Module &module,
                            const SemanticsOptions &options,
                            DiagnosticEngine &diags,
                            SmallVectorImpl<uint32_t> &chosen) {
  return select(
      module, options, module.behaviours, "process",
      [](const Behaviour &b) { return b.kind == BehaviourKind::Process; },
      diags, chosen);
}

std::unique_ptr<CollaborationSystem>
cif::makeCollaborationSystem(const Module &module,
                             const SemanticsOptions &options,
                             DiagnosticEngine &diags) {
  SmallVector<uint32_t, 8> chosen;
  // Pools without a process leave all there is to the environment.
  bool isOpen = options.only.empty() && hasBlackBoxesOnly(module);
  if (!isOpen && !selectProcesses(module, options, diags, chosen))
    return nullptr;
  SemanticsOptions closed = options;
  closed.open = true;
  if (options.semantics == SemanticsKind::Fbpmn && !isOpen)
    return makeFbpmnSystem(module, chosen, closed, diags);
  if (options.semantics != SemanticsKind::Detailed)
    closed.semantics = SemanticsKind::Collaboration;
  return makeProcessSystem(module, chosen, closed, diags);
}

/// The peers and controllers that \p options select.
static bool selectPeers(const Module &module, const SemanticsOptions &options,
                        DiagnosticEngine &diags,
                        SmallVectorImpl<uint32_t> &chosen) {
  return select(
      module, options, module.systems, "peer",
      [](const SystemDecl &s) { return s.acts(); }, diags, chosen);
}

std::optional<PeerView> cif::makePeerView(const Module &module,
                                          const SemanticsOptions &options,
                                          DiagnosticEngine &diags) {
  SmallVector<uint32_t, 8> chosen;
  if (!selectPeers(module, options, diags, chosen))
    return std::nullopt;
  diags.abstracted("");
  for (StringRef text : module.abstractions)
    diags.abstracted(text);
  return PeerView::make(module, chosen, options.handshakes, diags);
}

std::unique_ptr<PeerComposition>
cif::makePeerComposition(const Module &module, const SemanticsOptions &options,
                         DiagnosticEngine &diags) {
  std::optional<PeerView> view = makePeerView(module, options, diags);
  if (!view)
    return nullptr;
  return makePeerSystem(module, std::move(*view), options);
}

SemanticsOptions cif::localOptions(SemanticsOptions options) {
  options.semantics = SemanticsKind::Local;
  options.network = NetworkKind::Bag;
  options.observe = Observation::Both;
  return options;
}

static std::unique_ptr<System> makeAny(const Module &module,
                                       const SemanticsOptions &options,
                                       DiagnosticEngine &diags) {
  SmallVector<uint32_t, 8> chosen;
  switch (resolveSemantics(module, options)) {
  case SemanticsKind::Auto:
    break;
  case SemanticsKind::Peers:
    return makePeerComposition(module, options, diags);
  case SemanticsKind::Collaboration:
    if (!selectProcesses(module, options, diags, chosen))
      return nullptr;
    return makeProcessSystem(module, chosen, options, diags);
  case SemanticsKind::Detailed:
  case SemanticsKind::Fbpmn:
    return makeCollaborationSystem(module, options, diags);
  case SemanticsKind::Local: {
    if (!selectProcesses(module, options, diags, chosen))
      return nullptr;
    if (chosen.size() > 1) {
      diags.report(diag::several_behaviours) << "processes";
      return nullptr;
    }
    return makeProcessSystem(module, chosen, localOptions(options), diags);
  }
  case SemanticsKind::Choreography:
    if (!select(
            module, options, module.behaviours, "choreography",
            [](const Behaviour &b) {
              return b.kind == BehaviourKind::Choreography;
            },
            diags, chosen))
      return nullptr;
    if (chosen.size() > 1) {
      auto report = diags.report(diag::several_behaviours);
      report << "choreographies";
      for (uint32_t b : chosen)
        report.note(module.place(module.behaviours[b].loc),
                    "choreography '" + module.text(module.behaviours[b].name) +
                        "'");
      return nullptr;
    }
    return makeChoreographySystem(module, chosen.front(), options, diags);
  }
  llvm_unreachable("unknown semantics");
}

void cif::tellAbstractions(const Module &module, const System &system,
                           DiagnosticEngine &diags) {
  diags.abstracted(""); // something is explored, if only as it is
  for (StringRef text : module.abstractions)
    diags.abstracted(text);
  for (StringRef text : system.abstractions())
    diags.abstracted(text);
}

std::unique_ptr<System> cif::makeSystem(const Module &module,
                                        const SemanticsOptions &options,
                                        DiagnosticEngine &diags) {
  std::unique_ptr<System> system = makeAny(module, options, diags);
  if (system)
    tellAbstractions(module, *system, diags);
  return system;
}

Location cif::originLocation(const Module &module, const Origin &origin) {
  switch (origin.kind) {
  case Origin::None:
    break;
  case Origin::Node:
    return module.behaviours[origin.unit].nodes[origin.element].loc;
  case Origin::Flow:
    return module.behaviours[origin.unit].flows[origin.element].loc;
  case Origin::Transition: {
    const SystemDecl &system = module.systems[origin.unit];
    if (!system.transitionPlaces.empty())
      return system.transitionPlaces[origin.element];
    Location loc = system.loc;
    if (!system.transitionLines.empty()) {
      loc.line = system.transitionLines[origin.element];
      loc.column = 0;
    }
    return loc;
  }
  }
  return {};
}

Place cif::originPlace(const Module &module, const Origin &origin) {
  if (origin.kind == Origin::None)
    return {};
  return module.place(originLocation(module, origin));
}

std::string cif::originText(const Module &module, const Origin &origin) {
  switch (origin.kind) {
  case Origin::None:
    break;
  case Origin::Node: {
    const Behaviour &b = module.behaviours[origin.unit];
    const Node &node = b.nodes[origin.element];
    std::string text = nodeKindText(node.kind).str();
    if (!node.name.empty())
      text += " '" + module.text(node.name).str() + "'";
    else if (!node.loc.element.empty())
      text += " " + module.text(node.loc.element).str();
    return text;
  }
  case Origin::Flow: {
    const Flow &flow = module.behaviours[origin.unit].flows[origin.element];
    Name name = flow.name.empty() ? flow.loc.element : flow.name;
    return "flow '" + module.text(name).str() + "'";
  }
  case Origin::Transition: {
    const SystemDecl &system = module.systems[origin.unit];
    return "transition " + std::to_string(origin.element) + " of " +
           systemRoleText(system.role).str() + " '" +
           module.text(system.name).str() + "'";
  }
  }
  return {};
}
