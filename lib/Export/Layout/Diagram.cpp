//===- Diagram.cpp - A module's behaviours as BPMN diagrams ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagram.h"
#include "cif/IR/ExprText.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <optional>

using namespace cif;
using layout::Box;
using layout::Coord;

Figure cif::figureOf(const Behaviour &behaviour, const Node &node) {
  if (isGateway(node.kind))
    return Figure::Gateway;
  switch (node.kind) {
  case NodeKind::Initial:
  case NodeKind::Final:
  case NodeKind::Catch:
  case NodeKind::Throw:
  case NodeKind::Boundary:
  case NodeKind::Terminate:
    return Figure::Event;
  case NodeKind::Task: // a choreography has no tasks but choreography tasks
    return behaviour.kind == BehaviourKind::Choreography ? Figure::Event
                                                         : Figure::Task;
  case NodeKind::Interaction:
    return Figure::ChoreographyTask;
  case NodeKind::Container:
    return behaviour.kind == BehaviourKind::Choreography
               ? Figure::SubChoreography
               : Figure::Container;
  default:
    return Figure::Task;
  }
}

/// A text that fits into a box at least \p least wide, with its width.
static TextBlock boxText(StringRef text, Coord least, Coord most,
                         size_t lines) {
  for (Coord width = least; width < most; width += 20)
    if (TextBlock block = textBlock(text, width - 10, SIZE_MAX);
        block.lines.size() <= lines)
      return block;
  return textBlock(text, most - 10, 8);
}

void Diagram::sizeChoreographyTask(Shape &shape, const Node &node,
                                   layout::Node &at) {
  Coord bands = 0, widest = 0;
  for (ParticipantId p : shape.bands) {
    bands += height(p);
    widest = std::max(widest, textWidth(module.participantName(p)));
  }
  Coord least = std::clamp<Coord>(widest + 16, 100, 240);
  shape.text =
      boxText(module.text(node.name), least, std::max<Coord>(least, 180), 3);
  auto envelope = [&](MessageId message, TextBlock &text, Coord &room) {
    if (!message)
      return;
    // One line where it can be: viewers centre the name in little room.
    text = boxText(module.text(module.message(message).name), least,
                   std::max<Coord>(least, 240), 1);
    room = envelopeDistance + envelopeHeight +
           std::max<Coord>(envelopeHeight, text.height) + 2;
  };
  envelope(node.message, shape.envelope, at.outside.top);
  envelope(node.reply, shape.replyEnvelope, at.outside.bottom);
  at.width = std::max({least, shape.text.width + 12, shape.envelope.width + 12,
                       shape.replyEnvelope.width + 12});
  Coord marker = node.loop != LoopKind::None ? 18 : 0;
  at.height = bands + std::max<Coord>(40, shape.text.height + 10 + marker);
}

void Diagram::sizeContainer(Shape &shape, const Node &node, layout::Node &at) {
  at.isContainer = true;
  Coord top = 0, bottom = 0, widest = 0;
  for (size_t i = 0; i < shape.bands.size(); ++i) {
    (i < topBands(shape) ? top : bottom) += height(shape.bands[i]);
    widest =
        std::max(widest, textWidth(module.participantName(shape.bands[i])));
  }
  shape.text = textBlock(module.text(node.name), 240, 2);
  at.width = std::max<Coord>({100, widest + 16, shape.text.width + 20});
  Coord marker = node.loop != LoopKind::None ? 20 : 0;
  at.inside = {24, top + 14 + shape.text.height, 24, bottom + 18 + marker};
  at.height = std::max<Coord>(80, top + bottom + 40 + marker);
}

void Diagram::size(uint32_t s) {
  Shape &shape = shapes[s];
  layout::Node &at = graph.nodes[s];
  const Behaviour &behaviour = module.behaviours[shape.behaviour];
  const Node &node = behaviour.node(shape.node);
  StringRef name = module.text(node.name);
  switch (shape.figure) {
  case Figure::Event: {
    at.width = at.height = 36;
    at.docking = layout::Docking::Middle;
    shape.textOutside = true;
    shape.text = textBlock(name, 90);
    if (name.empty())
      break;
    Coord extra = std::max<Coord>(0, (shape.text.width - 36 + 1) / 2);
    at.outside.bottom = shape.text.height + 6;
    if (node.attachedTo)
      at.outside.left = shape.text.width;
    else
      at.outside.left = at.outside.right = extra + 2;
    break;
  }
  case Figure::Gateway:
    at.width = at.height = 50;
    at.docking = layout::Docking::Tips;
    shape.textOutside = true;
    shape.text = textBlock(name, 90);
    if (name.empty())
      break;
    at.outside.top = shape.text.height + 2;
    at.outside.left = std::max<Coord>(0, shape.text.width + 8 - 25);
    break;
  case Figure::Task:
    shape.text = boxText(name, 100, 180, 4);
    at.width = std::max<Coord>(100, shape.text.width + 12);
    at.height = std::max<Coord>(80, shape.text.height + 24);
    break;
  case Figure::ChoreographyTask:
    sizeChoreographyTask(shape, node, at);
    break;
  case Figure::Container:
  case Figure::SubChoreography:
    sizeContainer(shape, node, at);
    break;
  case Figure::Pool:
    break;
  }
}

/// The participants of each choreography activity: of tasks the sender and the
/// receiver, of sub-choreographies all that take part, the first initiator
/// first.
void Diagram::findBands(uint32_t b) {
  const Behaviour &behaviour = module.behaviours[b];
  auto add = [&](NodeId n, ParticipantId p) {
    std::vector<ParticipantId> &bands = shapes[shapeOf(b, n)].bands;
    if (p && llvm::find(bands, p) == bands.end())
      bands.push_back(p);
  };
  // Children before parents: by depth, deepest first.
  size_t count = behaviour.nodes.size();
  std::vector<std::vector<uint32_t>> children(count);
  std::vector<uint32_t> order;
  for (uint32_t n = 0; n < count; ++n) {
    const Node &node = behaviour.nodes[n];
    if (node.parent)
      children[node.parent.index()].push_back(n);
    else
      order.push_back(n);
    for (MessageId m : {node.message, node.reply})
      if (m && node.kind == NodeKind::Interaction) {
        add(NodeId(n), module.message(m).sender);
        add(NodeId(n), module.message(m).receiver);
      }
  }
  for (size_t i = 0; i < order.size(); ++i)
    for (uint32_t child : children[order[i]])
      order.push_back(child);
  for (uint32_t n : llvm::reverse(order))
    for (uint32_t child : children[n])
      for (ParticipantId p : shapes[shapeOf(b, NodeId(child))].bands)
        add(NodeId(n), p);
}

void Diagram::addBehaviour(uint32_t b, uint32_t pool) {
  const Behaviour &behaviour = module.behaviours[b];
  base.resize(module.behaviours.size());
  base[b] = shapes.size();
  for (uint32_t n = 0; n < behaviour.nodes.size(); ++n) {
    const Node &node = behaviour.nodes[n];
    Shape shape{.figure = figureOf(behaviour, node),
                .behaviour = b,
                .node = NodeId(n),
                .pool = pool};
    shapes.push_back(std::move(shape));
    layout::Node at;
    if (node.parent)
      at.parent = shapeOf(b, node.parent);
    else if (!isChoreography())
      at.parent = pool;
    if (node.kind == NodeKind::Boundary && node.attachedTo)
      at.attachedTo = shapeOf(b, node.attachedTo);
    graph.nodes.push_back(at);
  }
  if (behaviour.kind == BehaviourKind::Choreography)
    findBands(b);
  for (uint32_t n = 0; n < behaviour.nodes.size(); ++n)
    size(base[b] + n);
  for (uint32_t f = 0; f < behaviour.flows.size(); ++f) {
    const Flow &flow = behaviour.flows[f];
    Line line{.behaviour = b, .flow = FlowId(f)};
    std::string text = module.text(flow.name).str();
    if (text.empty() && flow.guard)
      text = "[" + exprText(module, flow.guard) + "]";
    line.text = textBlock(text, 110, 4);
    graph.edges.push_back({shapeOf(b, flow.source), shapeOf(b, flow.target),
                           line.text.width, line.text.height});
    lines.push_back(std::move(line));
  }
}

void Diagram::makeChoreography(uint32_t b) {
  only = b;
  addBehaviour(b, 0);
  finish();
}

void Diagram::makeCollaboration(ArrayRef<uint32_t> behaviours) {
  // A pool for each behaviour; another one of the same participant is named
  // after itself.
  std::vector<bool> has(module.participants.size());
  for (uint32_t b : behaviours) {
    const Behaviour &behaviour = module.behaviours[b];
    Pool pool{.participant = behaviour.owner,
              .behaviour = b,
              .name = module.participantName(behaviour.owner).str()};
    if (!behaviour.owner) {
      pool.name = module.text(behaviour.name).str();
    } else {
      if (has[behaviour.owner.index()])
        pool.name += " (" + behaviourKindText(behaviour.kind).str() + ")";
      has[behaviour.owner.index()] = true;
    }
    pools.push_back(std::move(pool));
  }
  findMessageFlows();
  orderPools();
  for (uint32_t p = 0; p < pools.size(); ++p) {
    Shape shape{.figure = Figure::Pool,
                .behaviour = pools[p].behaviour,
                .pool = p,
                .text = textBlock(pools[p].name, 200, 1)};
    layout::Node at;
    at.isRow = true;
    at.width = 400;
    at.height = pools[p].behaviour == layout::none ? 60 : 120;
    at.inside = {poolHeader + 24, 20, 24, 20};
    at.height = std::max(at.height, shape.text.width + 20);
    shapes.push_back(std::move(shape));
    graph.nodes.push_back(at);
  }
  for (uint32_t p = 0; p < pools.size(); ++p)
    if (pools[p].behaviour != layout::none)
      addBehaviour(pools[p].behaviour, p);
  for (DrawnMessageFlow &flow : messageFlows) {
    if (flow.message)
      flow.text =
          textBlock(module.text(module.message(flow.message).name), 110, 3);
    auto shapeAt = [&](const DrawnMessageFlow::End &end) {
      return end.node ? shapeOf(pools[end.pool].behaviour, end.node) : end.pool;
    };
    graph.links.push_back({shapeAt(flow.source), shapeAt(flow.target),
                           flow.text.width, flow.text.height});
    // A name stands on the other side of an event than its message flow.
    for (bool target : {false, true}) {
      const auto &here = target ? flow.target : flow.source;
      const auto &there = target ? flow.source : flow.target;
      if (!here.node || here.pool > there.pool)
        continue;
      uint32_t s = shapeAt(here);
      Shape &shape = shapes[s];
      layout::Node &at = graph.nodes[s];
      if (shape.figure != Figure::Event || shape.textAbove ||
          at.attachedTo != layout::none)
        continue;
      shape.textAbove = true;
      std::swap(at.outside.top, at.outside.bottom);
    }
  }
  finish();
}

/// Black boxes stand next to the pool that they talk to most: above the first
/// one, below any other.
void Diagram::orderPools() {
  const uint32_t count = pools.size();
  uint32_t processes = 0;
  while (processes < count && pools[processes].behaviour != layout::none)
    ++processes;
  // How often each black box talks to each process.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, unsigned> talks;
  std::vector<uint32_t> partner(count, layout::none);
  std::vector<unsigned> most(count);
  for (const DrawnMessageFlow &flow : messageFlows) {
    uint32_t process = std::min(flow.source.pool, flow.target.pool);
    uint32_t box = std::max(flow.source.pool, flow.target.pool);
    if (process >= processes || box < processes)
      continue;
    if (unsigned times = ++talks[{box, process}]; times > most[box])
      most[box] = times, partner[box] = process;
  }
  std::vector<std::vector<uint32_t>> next(processes + 1);
  for (uint32_t p = processes; p < count; ++p)
    next[std::min(partner[p], processes)].push_back(p);
  std::vector<uint32_t> order;
  if (processes > 1)
    llvm::append_range(order, next[0]);
  for (uint32_t q = 0; q < processes; ++q) {
    order.push_back(q);
    if (q || processes == 1)
      llvm::append_range(order, next[q]);
  }
  llvm::append_range(order, next[processes]);
  std::vector<uint32_t> position(count);
  std::vector<Pool> ordered;
  for (uint32_t i = 0; i < count; ++i) {
    position[order[i]] = i;
    ordered.push_back(std::move(pools[order[i]]));
  }
  pools = std::move(ordered);
  for (DrawnMessageFlow &flow : messageFlows) {
    flow.source.pool = position[flow.source.pool];
    flow.target.pool = position[flow.target.pool];
  }
}

namespace {
/// Finds the message flows of a module, and the pools that they need.
class FlowFinder {
public:
  FlowFinder(const Module &of, std::vector<Pool> &drawnPools,
             std::vector<DrawnMessageFlow> &into)
      : module(of), pools(drawnPools), flows(into),
        poolOf(of.behaviours.size(), layout::none),
        poolOfParticipant(of.participants.size(), layout::none),
        uses(of.messages.size()) {
    for (uint32_t p = 0; p < pools.size(); ++p) {
      poolOf[pools[p].behaviour] = p;
      if (ParticipantId owner = pools[p].participant;
          owner && poolOfParticipant[owner.index()] == layout::none)
        poolOfParticipant[owner.index()] = p;
    }
  }

  void addGiven();
  void addImplied();
  /// A participant without a process is a black box, made when first needed.
  uint32_t poolFor(ParticipantId p) {
    uint32_t &pool = poolOfParticipant[p.index()];
    if (pool == layout::none) {
      pool = pools.size();
      pools.push_back({p, layout::none, module.participantName(p).str(), ""});
    }
    return pool;
  }

private:
  using End = DrawnMessageFlow::End;
  /// Of a message without a flow of its own.
  struct Uses {
    std::vector<End> sends, receives;
    bool drawn = false;
  };
  void findUses();
  void add(MessageId message, End source, End target, Location loc = {},
           bool unmatched = false) {
    if (source.pool == target.pool)
      return;
    DrawnMessageFlow flow{.message = message,
                          .source = source,
                          .target = target,
                          .unmatched = unmatched,
                          .loc = loc};
    flows.push_back(std::move(flow));
    if (message)
      uses[message.index()].drawn = true;
  }

  const Module &module;
  std::vector<Pool> &pools;
  std::vector<DrawnMessageFlow> &flows;
  std::vector<uint32_t> poolOf; ///< by behaviour
  std::vector<uint32_t> poolOfParticipant;
  std::vector<Uses> uses; ///< by message
};
} // namespace

/// The module's own message flows between the pools.
void FlowFinder::addGiven() {
  for (const MessageFlow &flow : module.messageFlows) {
    auto end = [&](BehaviourId b, NodeId n, bool source) -> std::optional<End> {
      if (b && poolOf[b.index()] != layout::none)
        return End{poolOf[b.index()], n};
      if (!flow.message)
        return std::nullopt;
      const Message &message = module.message(flow.message);
      ParticipantId p = source ? message.sender : message.receiver;
      if (!p)
        return std::nullopt;
      return End{poolFor(p), NodeId()};
    };
    auto source = end(flow.sourceBehaviour, flow.sourceNode, true);
    auto target = end(flow.targetBehaviour, flow.targetNode, false);
    if (source && target)
      add(flow.message, *source, *target, flow.loc);
  }
}

void FlowFinder::findUses() {
  for (uint32_t p = 0; p < poolOf.size(); ++p) {
    if (poolOf[p] == layout::none)
      continue;
    const Behaviour &behaviour = module.behaviours[p];
    for (uint32_t n = 0; n < behaviour.nodes.size(); ++n) {
      const Node &node = behaviour.nodes[n];
      if (!node.message || uses[node.message.index()].drawn)
        continue;
      bool sends = hasTrait(node.kind, NodeTraits::Out);
      Uses &use = uses[node.message.index()];
      (sends ? use.sends : use.receives).push_back({poolOf[p], NodeId(n)});
    }
  }
}

/// Those that follow from who sends and receives a message without one.
void FlowFinder::addImplied() {
  findUses();
  for (uint32_t m = 0; m < uses.size(); ++m) {
    const Uses &use = uses[m];
    const Message &message = module.messages[m];
    if (use.sends.size() == 1 || use.receives.size() == 1) {
      for (const End &send : use.sends)
        for (const End &receive : use.receives)
          add(MessageId(m), send, receive);
      if (!use.sends.empty() && !use.receives.empty())
        continue;
    }
    auto hasProcess = [&](uint32_t pool) {
      return pools[pool].behaviour != layout::none;
    };
    if (message.receiver)
      for (const End &send : use.sends) {
        uint32_t pool = poolFor(message.receiver);
        add(MessageId(m), send, {pool, NodeId()}, {},
            use.receives.empty() && hasProcess(pool));
      }
    if (message.sender)
      for (const End &receive : use.receives) {
        uint32_t pool = poolFor(message.sender);
        add(MessageId(m), {pool, NodeId()}, receive, {},
            use.sends.empty() && hasProcess(pool));
      }
  }
}

void Diagram::findMessageFlows() {
  FlowFinder finder(module, pools, messageFlows);
  finder.addGiven();
  finder.addImplied();
  // Pools that exchange nothing are in the model all the same; a choreography's
  // participants are in its tasks.
  if (!module.has(BehaviourKind::Choreography))
    for (uint32_t p = 0; p < module.participants.size(); ++p)
      finder.poolFor(ParticipantId(p));
}

void Diagram::finish() {
  if (!given || !takeGiven())
    drawing = layout::draw(graph, budget);
  const Coord margin = 40;
  auto move = [&](Box &box) { box.x += margin, box.y += margin; };
  for (Box &box : drawing.boxes)
    move(box);
  for (auto *routes : {&drawing.routes, &drawing.links})
    for (layout::Route &route : *routes) {
      for (layout::Point &p : route.points)
        p.x += margin, p.y += margin;
      move(route.label);
    }
  for (DrawnDecoration &d : decorations) {
    move(d.box);
    move(d.label);
    for (layout::Point &p : d.points)
      p.x += margin, p.y += margin;
  }
  drawing.width += 2 * margin;
  drawing.height += 2 * margin;
  for (uint32_t s = 0; s < shapes.size(); ++s) {
    Shape &shape = shapes[s];
    if (!shape.textOutside || shape.text.lines.empty())
      continue;
    if (shape.hasGivenText) {
      move(shape.textBox);
      continue;
    }
    const Box &box = drawing.boxes[s];
    const TextBlock &text = shape.text;
    if (shape.figure == Figure::Gateway)
      shape.textBox = {box.centreX() - 8 - text.width, box.y - text.height,
                       text.width, text.height};
    else if (graph.nodes[s].attachedTo != layout::none)
      shape.textBox = {box.x - text.width + 12, box.bottom() + 2, text.width,
                       text.height};
    else
      shape.textBox = {box.centreX() - text.width / 2,
                       shape.textAbove ? box.y - 4 - text.height
                                       : box.bottom() + 4,
                       text.width, text.height};
  }
}

Box Diagram::bandBox(uint32_t s, size_t band) const {
  const Box &box = drawing.boxes[s];
  const Shape &shape = shapes[s];
  size_t top = topBands(shape);
  Coord y = box.y;
  if (band < top) {
    for (size_t i = 0; i < band; ++i)
      y += height(shape.bands[i]);
  } else {
    y = box.bottom();
    for (size_t i = band; i < shape.bands.size(); ++i)
      y -= height(shape.bands[i]);
  }
  return {box.x, y, box.width, height(shape.bands[band])};
}

Box Diagram::envelopeBox(uint32_t s, bool reply) const {
  const Box &box = drawing.boxes[s];
  return {box.centreX() - envelopeWidth / 2,
          reply ? box.bottom() + envelopeDistance
                : box.y - envelopeDistance - envelopeHeight,
          envelopeWidth, envelopeHeight};
}
