//===- MessageEnds.cpp - What processes send and receive ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Nodes.h"
#include "cif/Transforms/Compose.h"
#include <map>

using namespace cif;

StringRef cif::ownerName(const Module &module, const Behaviour &process) {
  return process.owner ? module.participantName(process.owner)
                       : module.text(process.name);
}

std::vector<MessageEnd> cif::messageEnds(const Module &module) {
  // Message flows by the node at their source, and at their target.
  using Key = std::pair<uint32_t, uint32_t>;
  std::map<Key, SmallVector<uint32_t, 1>> out, in;
  for (uint32_t f = 0; f < module.messageFlows.size(); ++f) {
    const MessageFlow &flow = module.messageFlows[f];
    if (!flow.message)
      continue;
    if (flow.sourceBehaviour && flow.sourceNode)
      out[{flow.sourceBehaviour.index(), flow.sourceNode.index()}].push_back(f);
    if (flow.targetBehaviour && flow.targetNode)
      in[{flow.targetBehaviour.index(), flow.targetNode.index()}].push_back(f);
  }
  std::vector<MessageEnd> ends;
  for (uint32_t b = 0; b < module.behaviours.size(); ++b) {
    const Behaviour &behaviour = module.behaviours[b];
    if (behaviour.kind != BehaviourKind::Process)
      continue;
    for (uint32_t n = 0; n < behaviour.nodes.size(); ++n) {
      const Node &node = behaviour.nodes[n];
      bool sends = sendsMessage(node);
      if (!sends && !receivesMessage(node))
        continue;
      size_t first = ends.size();
      auto &flows = sends ? out : in;
      if (auto found = flows.find({b, n}); found != flows.end())
        for (uint32_t f : found->second) {
          const MessageFlow &flow = module.messageFlows[f];
          if (llvm::none_of(ArrayRef(ends).drop_front(first),
                            [&](const MessageEnd &end) {
                              return end.message == flow.message;
                            }))
            ends.push_back(
                {BehaviourId(b), NodeId(n), flow.message, sends, flow.loc});
        }
      if (ends.size() == first)
        ends.push_back({BehaviourId(b), NodeId(n), node.message, sends, {}});
    }
  }
  return ends;
}

Label cif::exchangeOf(const Module &module, const MessageEnd &end) {
  Label label{LabelKind::Exchange, "", "", ""};
  if (end.message)
    label = module.label(LabelKind::Exchange, end.message);
  std::string self =
      ownerName(module, module.behaviours[end.behaviour.index()]).str();
  (end.sends ? label.sender : label.receiver) = self;
  return label;
}

std::string cif::endText(const Module &module, const MessageEnd &end) {
  const Node &node = module.behaviours[end.behaviour.index()].node(end.node);
  std::string text = elementKindText(node).str();
  if (!node.name.empty())
    text += " '" + module.text(node.name).str() + "'";
  if (!node.loc.element.empty())
    text += " (" + module.text(node.loc.element).str() + ")";
  return text;
}
