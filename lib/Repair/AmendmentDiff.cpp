//===- AmendmentDiff.cpp - Added interactions, shown in the source --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In IOC an interaction goes before or after another one with a `;`, which
/// binds tightest, or before or after the term of a gateway, in parentheses
/// where these are necessary. If a message carries more data, they are added in
/// its parentheses. In a conversation protocol a transition becomes two with a
/// new state between them. For other sources the elements on both sides are
/// named.
///
/// The patched text is read again and compared with the amended choreography
/// (PatchCheck.h) before it is shown.
///
//===----------------------------------------------------------------------===//

#include "ExchangeText.h"
#include "IocText.h"
#include "PatchCheck.h"
#include "cif/IR/Names.h"
#include "cif/Repair/Amendment.h"
#include "cif/Support/SourceDiff.h"
#include "cif/Support/Visible.h"
#include <map>

using namespace cif;

namespace {
class DiffWriter {
public:
  DiffWriter(const Module &from, const Behaviour &choreography,
             SourceManager &manager)
      : module(from), graph(choreography), index(choreography),
        sources(manager) {}

  /// False: a text is changed, but what is printed is no patch of it.
  bool run(raw_ostream &os, ArrayRef<Synchronisation> added,
           ArrayRef<std::string> exchanges, const Limits &limits) {
    if (findEdits(added, exchanges)) {
      std::vector<SourceEdit> edits = iocEdits.take();
      llvm::append_range(edits, cpEdits);
      if (patchGives(*source, language, edits, module, module.text(graph.name),
                     &limits)) {
        printSourceDiff(os, *source, std::move(edits));
        return true;
      }
    }
    for (size_t i = 0; i < added.size(); ++i)
      if (added[i].extends)
        os << "@@ message of " << visible(nodeText(added[i].extends))
           << " @@\n+" << exchanges[i] << '\n';
      else
        os << "@@ " << visible(flowText(added[i].flow)) << " between "
           << visible(nodeText(added[i].before)) << " and "
           << visible(nodeText(added[i].after)) << " @@\n+" << exchanges[i]
           << '\n';
    return !source;
  }

private:
  /// False: the text does not show where everything goes.
  bool findEdits(ArrayRef<Synchronisation> added,
                 ArrayRef<std::string> exchanges) {
    std::map<FlowId, std::vector<std::string>> byFlow;
    std::map<NodeId, Synchronisation> byMessage;
    for (size_t i = 0; i < added.size(); ++i)
      if (!added[i].extends)
        byFlow[added[i].flow].push_back(exchanges[i]);
      else if (auto [at, isNew] =
                   byMessage.try_emplace(added[i].extends, added[i]);
               !isNew)
        llvm::append_range(at->second.carries, added[i].carries);
    for (const auto &[node, sync] : byMessage)
      if (!editPayload(sync))
        return false;
    for (const auto &[flow, texts] : byFlow)
      if (!edit(flow, texts))
        return false;
    return source;
  }

  /// The step that a place is directly before or after, if any.
  std::optional<NodeId> step(NodeId n, bool forward) const {
    for (size_t left = graph.nodes.size(); left > 0; --left) {
      if (graph.node(n).kind == NodeKind::Interaction)
        return n;
      if (graph.node(n).kind != NodeKind::SimpleJoin ||
          index.incoming(n).size() != 1 || index.outgoing(n).size() != 1)
        break;
      n = forward ? graph.flow(index.outgoing(n)[0]).target
                  : graph.flow(index.incoming(n)[0]).source;
    }
    return std::nullopt;
  }

  /// The edits for what goes on one flow; false: the text does not show how.
  bool edit(FlowId flow, ArrayRef<std::string> texts) {
    std::optional<NodeId> after = step(graph.flow(flow).target, true);
    std::optional<NodeId> before = step(graph.flow(flow).source, false);
    if (!after && !before)
      return editBesideGateways(flow, texts);
    std::optional<ExchangeExtent> found = extentOf(after ? *after : *before);
    if (!found)
      return false;
    if (language == "cp")
      return editCp(texts, found->begin, found->end, after.has_value());
    put({found->begin, found->end, false}, texts, after.has_value());
    return true;
  }

  void put(const TermRange &range, ArrayRef<std::string> texts,
           bool goesBefore) {
    for (const std::string &text : texts)
      if (goesBefore)
        iocEdits.before(range, text);
      else
        iocEdits.behind(range, text);
  }

  /// Where something stands in the one text that is changed.
  std::optional<size_t> offsetIn(const Location &loc) {
    Place place = module.place(loc);
    if (!loc.source || !place.element.empty())
      return std::nullopt;
    StringRef its = module.text(module.sources[loc.source.index()].language);
    const SourceBuffer *here = sources.find(place.file);
    if (!here || (source && source != here) || (its != "ioc" && its != "cp"))
      return std::nullopt;
    std::optional<size_t> offset = offsetOf(*here, place.line, place.column);
    if (!offset)
      return std::nullopt;
    if (!source && its == "ioc")
      terms.emplace(here->text());
    source = here;
    language = its;
    return offset;
  }

  std::optional<ExchangeExtent> extentOf(NodeId n) {
    std::optional<size_t> offset = offsetIn(graph.node(n).loc);
    return offset ? exchangeExtent(*source, *offset) : std::nullopt;
  }

  /// More between the parentheses of a message, or these with it.
  bool editPayload(const Synchronisation &sync) {
    std::optional<ExchangeExtent> found = extentOf(sync.extends);
    if (!found)
      return false;
    std::string values = carriedText(module, sync);
    if (found->end == found->nameEnd) {
      iocEdits.append(found->end, values);
      return true;
    }
    bool isEmpty = source->text()
                       .slice(found->nameEnd, found->end)
                       .trim(" \t\r\n()")
                       .empty();
    iocEdits.append(found->end - 1, (isEmpty ? "" : ", ") +
                                        values.substr(1, values.size() - 2));
    return true;
  }

  /// In IOC, where no interaction is beside the flow: before the term that it
  /// enters, else behind the term that it leaves. Gateways stand where their
  /// operator or keyword does.
  bool editBesideGateways(FlowId flow, ArrayRef<std::string> texts) {
    const Node &from = graph.node(graph.flow(flow).source);
    const Node &to = graph.node(graph.flow(flow).target);
    std::optional<size_t> left = offsetIn(from.loc), right = offsetIn(to.loc);
    if (!terms || !left || !right)
      return false;
    // Where a loop begins, and its body ends: two places in the text.
    if (from.kind == NodeKind::SimpleJoin && left == right &&
        hasTrait(to.kind, NodeTraits::Decision))
      if (std::optional<TermRange> body = terms->ofBody(*left)) {
        put(*terms->ofBlock(*left), texts, /*goesBefore=*/true);
        put(*body, texts, /*goesBefore=*/false);
        return true;
      }
    std::optional<TermRange> range;
    auto look = [&](const Node &node, size_t at, ArrayRef<NodeKind> kinds) {
      if (!range && llvm::is_contained(kinds, node.kind))
        range = terms->at(at);
      return range.has_value();
    };
    bool goesBefore = look(to, *right,
                           {NodeKind::AllSelect, NodeKind::EventChoice,
                            NodeKind::Container, NodeKind::Task});
    // A flow to the join of a loop enters it, unless it comes from its body:
    // from a term, which is looked for first.
    if (!goesBefore && !look(from, *left,
                             {NodeKind::AllJoin, NodeKind::SimpleJoin,
                              NodeKind::Container, NodeKind::Task}))
      goesBefore = look(to, *right, {NodeKind::SimpleJoin});
    if (range)
      put(*range, texts, goesBefore);
    return range.has_value();
  }

  /// `s -> t : EXCHANGE`: a new state for each message.
  bool editCp(ArrayRef<std::string> texts, size_t offset, size_t end,
              bool goesBefore) {
    StringRef all = source->text();
    StringRef head = all.take_front(offset).rtrim();
    if (!head.consume_back(":"))
      return false;
    StringRef target = lastName(head = head.rtrim());
    if (target.empty())
      return false;
    head = head.drop_back(target.size()).rtrim();
    if (!head.consume_back("->"))
      return false;
    StringRef from = lastName(head = head.rtrim());
    if (from.empty())
      return false;
    size_t fromBegin = head.size() - from.size(), fromEnd = head.size();
    StringRef base = goesBefore ? from : target;
    std::vector<std::string> states;
    for (const std::string &text : texts) {
      StringRef name = StringRef(text).split('(').first.rsplit(' ').second;
      states.push_back((base + "_" + name).str());
      if (all.contains(states.back()))
        return false;
    }
    if (goesBefore) {
      std::string lines;
      std::string at = from.str();
      for (size_t i = 0; i < texts.size(); ++i) {
        lines += at + " -> " + states[i] + " : " + texts[i] + "\n  ";
        at = states[i];
      }
      cpEdits.push_back({fromBegin, lines});
      cpEdits.push_back({fromEnd, at.substr(from.size())});
      return true;
    }
    size_t targetEnd = static_cast<size_t>(target.end() - all.begin());
    cpEdits.push_back({targetEnd, states.front().substr(target.size())});
    std::string lines;
    for (size_t i = 0; i < texts.size(); ++i)
      lines += "\n  " + states[i] + " -> " +
               (i + 1 < texts.size() ? states[i + 1] : target.str()) + " : " +
               texts[i];
    cpEdits.push_back({end, lines});
    return true;
  }

  /// The plain word at the end of \p text; quoted ones are not taken apart.
  static StringRef lastName(StringRef text) {
    size_t begin = text.size();
    while (begin > 0 && isWordChar(text[begin - 1]))
      --begin;
    return text.drop_front(begin);
  }

  std::string flowText(FlowId f) const {
    const Location &loc = graph.flow(f).loc;
    return loc.element.empty() ? "flow" : module.text(loc.element).str();
  }

  std::string nodeText(NodeId n) const {
    Place place = module.place(graph.node(n).loc);
    std::string text = module.exchangeText(graph.node(n).message) + " (";
    if (!place.element.empty())
      text += place.element + ", ";
    return text + place.file + ":" + std::to_string(place.line) + ")";
  }

  const Module &module;
  const Behaviour &graph;
  FlowIndex index;
  SourceManager &sources;
  const SourceBuffer *source = nullptr; ///< the one text that is changed
  StringRef language;                   ///< its
  std::optional<IocText> terms;         ///< of it
  IocEdits iocEdits;                    ///< and payloads of protocols
  std::vector<SourceEdit> cpEdits;
};
} // namespace

bool cif::printAmendment(raw_ostream &os, SourceManager &sources,
                         const Module &module, const Behaviour &graph,
                         ArrayRef<Synchronisation> added,
                         ArrayRef<std::string> exchanges,
                         const Limits &limits) {
  return DiffWriter(module, graph, sources).run(os, added, exchanges, limits);
}
