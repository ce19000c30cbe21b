//===- AmendmentDiff.cpp - Added interactions, shown in the source --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In IOC an interaction goes before or after another one with a `;`, which
/// binds tightest. If a message carries more data, they are added in its
/// parentheses. In a conversation protocol a transition becomes two with a new
/// state between them. For other sources the elements on both sides are named.
///
//===----------------------------------------------------------------------===//

#include "ExchangeText.h"
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

  void run(raw_ostream &os, ArrayRef<Synchronisation> added,
           ArrayRef<std::string> exchanges) {
    std::map<FlowId, std::vector<size_t>> byFlow;
    const SourceBuffer *source = nullptr;
    bool whole = true;
    std::map<NodeId, Synchronisation> byMessage;
    for (size_t i = 0; i < added.size(); ++i)
      if (!added[i].extends)
        byFlow[added[i].flow].push_back(i);
      else if (auto [at, isNew] =
                   byMessage.try_emplace(added[i].extends, added[i]);
               !isNew)
        llvm::append_range(at->second.carries, added[i].carries);
    for (const auto &[node, sync] : byMessage)
      whole = whole && editPayload(sync, source);
    for (const auto &[flow, which] : byFlow) {
      std::vector<std::string> texts;
      for (size_t i : which)
        texts.push_back(exchanges[i]);
      whole = whole && edit(flow, texts, source);
    }
    if (whole && source) {
      printSourceDiff(os, *source, std::move(edits));
      return;
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
  }

private:
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
  bool edit(FlowId flow, ArrayRef<std::string> texts,
            const SourceBuffer *&source) {
    std::optional<NodeId> after = step(graph.flow(flow).target, true);
    std::optional<NodeId> before = step(graph.flow(flow).source, false);
    if (!after && !before)
      return editGroup(flow, texts, source);
    StringRef language;
    std::optional<ExchangeExtent> found =
        extentOf(after ? *after : *before, source, language);
    if (!found)
      return false;
    if (language == "ioc")
      return editIoc(texts, found->begin, found->end, after.has_value());
    if (language == "cp")
      return editCp(*source, texts, found->begin, found->end,
                    after.has_value());
    return false;
  }

  /// Where an interaction stands in the one text that is changed.
  std::optional<ExchangeExtent> extentOf(NodeId n, const SourceBuffer *&source,
                                         StringRef &language) const {
    const Node &node = graph.node(n);
    Place place = module.place(node.loc);
    if (node.loc.source)
      language = module.text(module.sources[node.loc.source.index()].language);
    const SourceBuffer *here = sources.find(place.file);
    if (!here || (source && source != here) || !place.element.empty())
      return std::nullopt;
    std::optional<size_t> offset = offsetOf(*here, place.line, place.column);
    if (!offset)
      return std::nullopt;
    source = here;
    return exchangeExtent(*here, *offset);
  }

  /// More between the parentheses of a message, or these with it.
  bool editPayload(const Synchronisation &sync, const SourceBuffer *&source) {
    StringRef language;
    std::optional<ExchangeExtent> found =
        extentOf(sync.extends, source, language);
    if (!found || (language != "ioc" && language != "cp"))
      return false;
    std::string values = carriedText(module, sync);
    if (found->end == found->nameEnd) {
      edits.push_back({found->end, values});
      return true;
    }
    bool isEmpty = source->text()
                       .slice(found->nameEnd, found->end)
                       .trim(" \t\r\n()")
                       .empty();
    edits.push_back({found->end - 1, (isEmpty ? "" : ", ") +
                                         values.substr(1, values.size() - 2)});
    return true;
  }

  /// In IOC: before a choice or parallel part in parentheses, or after one. The
  /// gateways stand where their operator does.
  bool editGroup(FlowId flow, ArrayRef<std::string> texts,
                 const SourceBuffer *&source) {
    for (bool ahead : {true, false}) {
      const Node &node =
          graph.node(ahead ? graph.flow(flow).target : graph.flow(flow).source);
      bool parallel =
          node.kind == NodeKind::AllSelect || node.kind == NodeKind::AllJoin;
      if (!node.loc.source ||
          module.text(module.sources[node.loc.source.index()].language) !=
              "ioc")
        continue;
      Place place = module.place(node.loc);
      const SourceBuffer *here = sources.find(place.file);
      if (!here || (source && source != here))
        continue;
      std::optional<size_t> at = offsetOf(*here, place.line, place.column);
      if (!at)
        continue;
      auto group = groupAround(here->text(), *at, parallel);
      if (!group)
        continue;
      source = here;
      return editIoc(texts, group->first, group->second, ahead);
    }
    return false;
  }

  /// The parentheses around the operator at \p at, if that is what they are
  /// there for. Comments and quotes are too much here.
  static std::optional<std::pair<size_t, size_t>>
  groupAround(StringRef text, size_t at, bool parallel) {
    StringRef sign = parallel ? "||" : "+";
    if (!text.drop_front(at).starts_with(sign))
      return std::nullopt;
    size_t open = at, close = at;
    for (unsigned depth = 1; depth;) {
      if (open == 0 || StringRef("{}").contains(text[open - 1]))
        return std::nullopt;
      --open;
      depth += text[open] == ')';
      depth -= text[open] == '(';
    }
    for (unsigned depth = 1; depth; ++close) {
      if (close >= text.size() || StringRef("{}").contains(text[close]))
        return std::nullopt;
      depth += text[close] == '(';
      depth -= text[close] == ')';
    }
    StringRef inside = text.slice(open, close);
    if (inside.contains("//") || inside.contains("/*") ||
        inside.contains('"') || inside.contains("[>"))
      return std::nullopt;
    // A choice beside it would be what the parentheses hold.
    unsigned depth = 0;
    for (char c : inside) {
      depth += c == '(';
      depth -= c == ')';
      if (parallel && depth == 1 && c == '+')
        return std::nullopt;
    }
    return std::pair(open, close);
  }

  bool editIoc(ArrayRef<std::string> texts, size_t offset, size_t end,
               bool goesBefore) {
    std::string all;
    for (const std::string &text : texts)
      all += goesBefore ? text + " ; " : " ; " + text;
    edits.push_back({goesBefore ? offset : end, all});
    return true;
  }

  /// `s -> t : EXCHANGE`: a new state for each message.
  bool editCp(const SourceBuffer &source, ArrayRef<std::string> texts,
              size_t offset, size_t end, bool goesBefore) {
    StringRef head = source.text().take_front(offset).rtrim();
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
      states.push_back((base + "_" + StringRef(text).rsplit(' ').second).str());
      if (source.text().contains(states.back()))
        return false;
    }
    if (goesBefore) {
      std::string lines;
      std::string at = from.str();
      for (size_t i = 0; i < texts.size(); ++i) {
        lines += at + " -> " + states[i] + " : " + texts[i] + "\n  ";
        at = states[i];
      }
      edits.push_back({fromBegin, lines});
      edits.push_back({fromEnd, at.substr(from.size())});
      return true;
    }
    size_t targetEnd =
        static_cast<size_t>(target.end() - source.text().begin());
    edits.push_back({targetEnd, states.front().substr(target.size())});
    std::string lines;
    for (size_t i = 0; i < texts.size(); ++i)
      lines += "\n  " + states[i] + " -> " +
               (i + 1 < texts.size() ? states[i + 1] : target.str()) + " : " +
               texts[i];
    edits.push_back({end, lines});
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
  std::vector<SourceEdit> edits;
};
} // namespace

void cif::printAmendment(raw_ostream &os, SourceManager &sources,
                         const Module &module, const Behaviour &graph,
                         ArrayRef<Synchronisation> added,
                         ArrayRef<std::string> exchanges) {
  DiffWriter(module, graph, sources).run(os, added, exchanges);
}
