//===- BpmnImplied.cpp - What a BPMN file leaves implicit -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The model has nodes for what BPMN implies: a merge before a task that
/// several flows lead to, a split behind one, a start and an end, the steps of
/// a task that sends and receives. emitBpmn writes them, with ids that no file
/// has. Without them its text has the flows that the file has, so that a change
/// at such a task is a change of these.
///
//===----------------------------------------------------------------------===//

#include "BpmnPatcher.h"

using namespace cif;
using namespace cif::bpmnpatch;

namespace {
class Folding {
public:
  Folding(Tree &tree, const Tree &file, const std::set<std::string> *only)
      : tree(tree), file(file), only(only) {
    for (const std::string &id : tree.order)
      if (isTaskOfSteps(id))
        foldSteps(tree.byId[id]);
    if (!owner.empty())
      tree.index();
    for (const std::string &id : tree.order)
      if (xmlNodePtr flow = tree.byId[id]; is(flow, "sequenceFlow")) {
        out[attribute(flow, "sourceRef")].push_back(flow);
        in[attribute(flow, "targetRef")].push_back(flow);
      }
  }

  std::set<std::string> run() {
    for (const std::string &id : tree.order) {
      xmlNodePtr node = tree.byId[id];
      if (isFiled(node) || !attribute(node, "name").empty())
        continue;
      if (str(node->name).ends_with("Gateway"))
        foldMerge(node) || foldSplit(node);
      else if (is(node, "startEvent") || is(node, "endEvent"))
        foldEnd(node);
    }
    for (xmlNodePtr node : gone) {
      xmlUnlinkNode(node);
      xmlFreeNode(node);
    }
    if (!gone.empty())
      tree.index();
    return std::move(folded);
  }

private:
  /// Whether the file has a task where the tree has a container.
  bool isTaskOfSteps(const std::string &id) const {
    xmlNodePtr own = file.byId.lookup(id);
    return own && is(tree.byId.lookup(id), "subProcess") &&
           (is(own, "task") || str(own->name).ends_with("Task"));
  }
  /// Makes a container the task that it is in the file, which message flows at
  /// its steps lead to.
  void foldSteps(xmlNodePtr container) {
    const std::string whole = attribute(container, "id");
    std::string parts;
    std::vector<xmlNodePtr> steps;
    std::map<std::string, size_t> number;
    forChildren(container, [&](xmlNodePtr c) {
      std::string id = attribute(c, "id");
      if (id.empty() || file.byId.count(id))
        return;
      steps.push_back(c);
      owner[id] = whole;
      number.try_emplace(id, number.size());
    });
    // One of which only the sending or the receiving is left is that.
    auto isStep = [](xmlNodePtr n) { return str(n->name).ends_with("Task"); };
    const StringRef kind = str(file.byId.lookup(whole)->name);
    std::string single;
    if (llvm::count_if(steps, isStep) == 1) {
      xmlNodePtr step = *llvm::find_if(steps, isStep);
      single = str(step->name).str();
      xmlSetProp(container, xml("messageRef"),
                 xml(attribute(step, "messageRef")));
    }
    for (xmlNodePtr step : steps) {
      parts += str(step->name).str() + " " + attribute(step, "name");
      for (const char *end : {"sourceRef", "targetRef"})
        if (auto at = number.find(attribute(step, end)); at != number.end())
          parts += " " + std::to_string(at->second);
      parts += ";";
      xmlUnlinkNode(step);
      xmlFreeNode(step);
    }
    xmlNodeSetName(container, xml(single.empty() ? kind.str() : single));
    if (single.empty())
      xmlSetNsProp(container, tree.root->ns, xml("parts"), xml(parts));
    for (xmlNodePtr n = tree.root; n; n = next(n, tree.root))
      if (is(n, "messageFlow"))
        for (const char *end : {"sourceRef", "targetRef"})
          if (auto at = owner.find(attribute(n, end)); at != owner.end())
            xmlSetProp(n, xml(end), xml(at->second));
  }
  bool isFiled(xmlNodePtr node) const {
    return file.byId.count(attribute(node, "id"));
  }
  /// The node of the file that a flow which it has not leads to or from.
  xmlNodePtr beyond(xmlNodePtr flow, const char *end) const {
    if (isFiled(flow))
      return nullptr;
    xmlNodePtr node = tree.byId.lookup(attribute(flow, end));
    return node && isFiled(node) ? node : nullptr;
  }
  bool take(StringRef what, xmlNodePtr at) {
    std::string name = what.str() + attribute(at, "id");
    if (only && !only->count(name))
      return false;
    folded.insert(name);
    return true;
  }

  /// Makes \p flows, of a gateway, those of \p node instead of the one between
  /// the two.
  void moveTo(xmlNodePtr node, xmlNodePtr between,
              std::vector<xmlNodePtr> &flows, const char *end,
              const char *list) {
    const std::string id = attribute(node, "id");
    xmlNodePtr old = dropWord(node, list, attribute(between, "id"));
    for (xmlNodePtr flow : flows) {
      xmlSetProp(flow, xml(end), xml(id));
      xmlNodePtr word = xmlNewTextChild(node, node->ns, xml(list),
                                        xml(attribute(flow, "id")));
      if (old)
        xmlAddPrevSibling(old, word);
    }
    auto &own = (StringRef(list) == "incoming" ? in : out)[id];
    llvm::erase(own, between);
    llvm::append_range(own, flows);
    flows.clear();
    gone.push_back(between);
  }
  /// Takes a flow out of a node's list; what then stands in its place.
  xmlNodePtr dropWord(xmlNodePtr node, const char *list, StringRef flow) {
    for (xmlNodePtr c = node->children; c; c = c->next)
      if (is(c, list) && content(c) == flow) {
        xmlNodePtr place = c->next;
        xmlUnlinkNode(c);
        xmlFreeNode(c);
        return place;
      }
    return nullptr;
  }

  bool foldMerge(xmlNodePtr gateway) {
    const std::string id = attribute(gateway, "id");
    if (out[id].size() != 1 || !is(gateway, "exclusiveGateway"))
      return false;
    xmlNodePtr flow = out[id][0], node = beyond(flow, "targetRef");
    if (!node || !take("merge before ", node))
      return false;
    moveTo(node, flow, in[id], "targetRef", "incoming");
    gone.push_back(gateway);
    return true;
  }

  bool foldSplit(xmlNodePtr gateway) {
    const std::string id = attribute(gateway, "id");
    if (in[id].size() != 1 || is(gateway, "eventBasedGateway"))
      return false;
    xmlNodePtr flow = in[id][0], node = beyond(flow, "sourceRef");
    if (!node || !take(str(gateway->name).str() + " behind ", node))
      return false;
    if (std::string usual = attribute(gateway, "default"); !usual.empty())
      xmlSetProp(node, xml("default"), xml(usual));
    moveTo(node, flow, out[id], "sourceRef", "outgoing");
    gone.push_back(gateway);
    return true;
  }

  /// A start or end without a trigger.
  void foldEnd(xmlNodePtr event) {
    const bool isStart = is(event, "startEvent");
    const std::string id = attribute(event, "id");
    bool isPlain = true;
    forChildren(event, [&](xmlNodePtr c) {
      isPlain &= is(c, "incoming") || is(c, "outgoing");
    });
    std::vector<xmlNodePtr> &flows = (isStart ? out : in)[id];
    const char *end = isStart ? "targetRef" : "sourceRef";
    if (!isPlain || flows.size() != 1)
      return;
    xmlNodePtr flow = flows[0], node = beyond(flow, end);
    if (!node || !take(isStart ? "start before " : "end behind ", node))
      return;
    dropWord(node, isStart ? "incoming" : "outgoing", attribute(flow, "id"));
    llvm::erase((isStart ? in : out)[attribute(node, "id")], flow);
    gone.push_back(flow);
    gone.push_back(event);
  }

  Tree &tree;
  const Tree &file;
  const std::set<std::string> *only;
  std::map<std::string, std::vector<xmlNodePtr>> in, out;
  std::vector<xmlNodePtr> gone;
  std::set<std::string> folded;
  std::map<std::string, std::string> owner; ///< of steps of tasks
};
} // namespace

std::set<std::string>
bpmnpatch::foldImplied(Tree &tree, const Tree &file,
                       const std::set<std::string> *only) {
  return Folding(tree, file, only).run();
}
