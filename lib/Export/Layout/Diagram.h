//===- Diagram.h - A module's behaviours as BPMN diagrams -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the BPMN and SVG emitters have in common: which BPMN element a node is,
/// ids, message flows, and where everything is drawn. A Diagram is one page: a
/// choreography, or processes side by side as pools of a collaboration.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_LAYOUT_DIAGRAM_H
#define CIF_LIB_EXPORT_LAYOUT_DIAGRAM_H

#include "TextMetrics.h"
#include "cif/IR/Module.h"
#include "cif/Support/DiagramLayout.h"
#include "llvm/ADT/StringMap.h"

namespace cif {

/// What is drawn for a node.
enum class Figure : uint8_t {
  Event,
  Gateway,
  Task,
  ChoreographyTask,
  Container, ///< sub-process
  SubChoreography,
  Pool,
};
Figure figureOf(const Behaviour &behaviour, const Node &node);

/// Ids of elements: an element's own id where it is an NCName that nothing else
/// in the module has, else a made one, the same in every run.
class ElementIds {
public:
  explicit ElementIds(const Module &module);
  StringRef behaviour(uint32_t b) const { return behaviours[b]; }
  StringRef node(uint32_t b, NodeId n) const { return nodes[b][n.index()]; }
  StringRef flow(uint32_t b, uint32_t f) const { return flows[b][f]; }
  StringRef participant(ParticipantId p) const {
    return participants[p.index()];
  }
  StringRef message(MessageId m) const { return messages[m.index()]; }
  /// A new id that begins with \p prefix: itself if it is free.
  std::string fresh(const Twine &prefix);
  /// The element's own id where it can be kept, else a new one.
  std::string keep(StringRef own, const char *prefix);

private:
  llvm::StringMap<unsigned> taken; ///< and how many were made of it
  llvm::StringMap<unsigned> made;
  std::vector<std::string> behaviours, participants, messages;
  std::vector<std::vector<std::string>> nodes, flows;
};

/// A message flow that is drawn: the module's own, or one that follows from who
/// sends and receives a message.
struct DrawnMessageFlow {
  MessageId message;
  /// Behaviour and node; without a node the border of the pool.
  struct End {
    uint32_t pool = 0;
    NodeId node;
  } source, target;
  /// The process at the border that the flow ends at, or begins at, has nothing
  /// that receives, or sends, the message.
  bool unmatched = false;
  Location loc;
  std::string id;
  TextBlock text;
};

struct Pool {
  ParticipantId participant;
  uint32_t behaviour = layout::none; ///< none: a black box
  std::string name, id;
};

/// A shape, parallel to layout::Graph::nodes.
struct Shape {
  Figure figure = Figure::Task;
  uint32_t behaviour = layout::none;
  NodeId node;       ///< empty: a pool
  uint32_t pool = 0; ///< that it is in, or is
  TextBlock text;
  bool textOutside = false, textAbove = false;
  layout::Box textBox;               ///< when outside
  std::vector<ParticipantId> bands;  ///< from the top; the first initiates
  TextBlock envelope, replyEnvelope; ///< messages' names
  bool isCollapsed = false;          ///< what is in it is not drawn
  bool hasGivenText = false;         ///< the source says where its text is
};

struct Line {
  uint32_t behaviour = 0;
  FlowId flow;
  TextBlock text;
};

/// A lane, an annotation and the like, where the source draws it.
struct DrawnDecoration {
  StringRef id; ///< in the layout
  DiagramLayout::Kind kind;
  StringRef text;
  layout::Box box;
  layout::Box label; ///< without width: beside the sign
  std::vector<layout::Point> points;
};

constexpr layout::Coord bandHeight = 20, markedBandHeight = 36,
                        envelopeWidth = 35, envelopeHeight = 25,
                        envelopeDistance = 20, poolHeader = 30;

class Diagram {
public:
  Diagram(const Module &module, const DiagramLayout *given, Budget &budget)
      : module(module), given(given), budget(&budget) {}
  void makeChoreography(uint32_t b);
  void makeCollaboration(ArrayRef<uint32_t> behaviours);

  bool isChoreography() const { return pools.empty(); }
  layout::Coord height(ParticipantId p) const {
    return module.participant(p).maximum == 1 ? bandHeight : markedBandHeight;
  }
  /// How many of a shape's bands are at its top.
  static size_t topBands(const Shape &shape) {
    return (shape.bands.size() + 1) / 2;
  }
  /// Where a band is.
  layout::Box bandBox(uint32_t shape, size_t band) const;
  layout::Box envelopeBox(uint32_t shape, bool reply) const;

  std::string id;    ///< of the choreography or collaboration; set by writers
  uint32_t only = 0; ///< a choreography's behaviour
  /// Ids of the participants' elements on this page; set by writers.
  std::vector<std::string> participantIds;
  std::vector<Pool> pools;
  std::vector<Shape> shapes;                  ///< pools first
  std::vector<Line> lines;                    ///< parallel to Graph::edges
  std::vector<DrawnMessageFlow> messageFlows; ///< parallel to Graph::links
  std::vector<DrawnDecoration> decorations;   ///< only with a given drawing
  layout::Graph graph;
  /// Boxes without width are not drawn, nor are routes without points: what
  /// the reader made explicit is not in the source's drawing.
  layout::Drawing drawing;
  bool hides = false; ///< whether there are such boxes
  uint32_t shapeOf(uint32_t b, NodeId n) const { return base[b] + n.index(); }

private:
  void addBehaviour(uint32_t b, uint32_t pool);
  void size(uint32_t shape);
  void sizeChoreographyTask(Shape &shape, const Node &node, layout::Node &at);
  void sizeContainer(Shape &shape, const Node &node, layout::Node &at);
  void findBands(uint32_t b);
  void findMessageFlows();
  void orderPools();
  bool takeGiven();
  void findDecorations(const layout::Box &within);
  void finish();

  const Module &module;
  const DiagramLayout *given; ///< null: the source draws nothing
  Budget *budget;
  std::vector<uint32_t> base; ///< first shape of each behaviour
};

/// The pages of a module: its choreographies, then its collaboration. When
/// \p budget stops, they are of no use.
std::vector<Diagram> makeDiagrams(const Module &module,
                                  const DiagramLayout *given, Budget &budget);

/// Whether BPMN has an element for everything; reports what it has not.
bool checkDrawable(const Module &module, DiagnosticEngine &diags);
/// Whether flows stay within their containers, as drawings need it.
bool checkFlows(const Module &module, DiagnosticEngine &diags);
/// Whether a flow is what a pair of link events means; BPMN has no sequence
/// flow there.
bool followsLink(const Behaviour &behaviour, const Flow &flow);
/// `choice 'Paid?' (Gateway_1)`, for messages.
std::string describeNode(const Module &module, uint32_t b, NodeId n);

} // namespace cif

#endif
