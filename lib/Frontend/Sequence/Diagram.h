//===- Diagram.h - Sequence diagrams as terms -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the readers of Mermaid and PlantUML share: they say what stands on each
/// line, and this makes the interaction-oriented term of it, which the lowering
/// of IOC turns into a choreography. docs/sequence-diagrams.md says what each
/// construct means:
///
///   alt                +, of its operands; with one operand as opt
///   opt                1 + I
///   loop               loop {I}
///   par                ||
///   critical, option   the region; then one of the options, or none
///   break              B + the rest of the fragment around it; directly in a
///                      loop: rec X {1 + I ; (B + J ; X)}
///   group, rect, box   what is in them
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_FRONTEND_SEQUENCE_DIAGRAM_H
#define CIF_LIB_FRONTEND_SEQUENCE_DIAGRAM_H

#include "../IOC/Ast.h"
#include "cif/Frontend/FrontEnd.h"

namespace cif::sequence {

/// A line without its end.
struct Line {
  StringRef text;
  uint32_t number = 0;
  const char *start = nullptr; ///< of the line in the file

  uint32_t column(const char *at) const {
    return static_cast<uint32_t>(at - start + 1);
  }
};

/// A diagram's lines in its file.
struct Block {
  enum Language { Mermaid, PlantUml };
  Language language = Mermaid;
  uint32_t begin = 0, end = 0; ///< offsets in the file
  uint32_t line = 1;           ///< where it begins
  bool quoted = false;         ///< its lines begin with `>`
  std::string name;
};

/// Goes through the lines of a block.
class Lines {
public:
  Lines(StringRef text, const Block &block)
      : rest(text.slice(block.begin, block.end)), number(block.line),
        quoted(block.quoted) {}
  /// The next one, without blanks at its ends; false: there is none.
  bool next(Line &line);

private:
  StringRef rest;
  uint32_t number;
  bool quoted;
};

enum class Fragment : uint8_t {
  Root,
  Alt,
  Opt,
  Loop,
  Par,
  Critical,
  Break,
  Group,
  Rect, ///< no more than colour
  Box,
};

/// Where something stands.
struct Spot {
  uint32_t line = 1, column = 1;
};

class DiagramBuilder {
public:
  DiagramBuilder(const SourceBuffer &source, Module &module,
                 DiagnosticEngine &diags, bool strict);

  /// The lifeline that \p id names, made when there is none.
  uint32_t lifeline(StringRef id, Spot at);
  /// Gives it the name that people see.
  void show(uint32_t lifeline, StringRef name, Spot at);
  /// The other end of messages from and to the border of the diagram.
  uint32_t environment(Spot at);

  void message(uint32_t from, uint32_t to, StringRef text, Spot at);
  /// An arrow to several: the messages are exchanged in any order.
  void multicast(uint32_t from, ArrayRef<uint32_t> to, StringRef text, Spot at);
  /// An arrow with a head at each end.
  void messagesBothWays(uint32_t a, uint32_t b, StringRef text, Spot at);
  void open(Fragment kind, StringRef word, StringRef text, Spot at);
  /// The next operand of the innermost fragment, if that is of one of \p kinds.
  void part(ArrayRef<Fragment> kinds, StringRef word, StringRef text, Spot at);
  bool inBox() const { return frames.back().kind == Fragment::Box; }
  /// The end of a fragment, or of a box.
  void close(StringRef word, bool box, Spot at);

  void abstracted(const Twine &what, const Twine &how, Spot at);
  void unsupported(const Twine &what, const Twine &why, Spot at);
  void expected(const Twine &what, StringRef found, Spot at);
  /// No statement: \p text, which begins with \p word.
  void unknown(StringRef text, StringRef word, ArrayRef<StringRef> words,
               StringRef example, Spot at);
  void misplaced(StringRef word, const Twine &why, Spot at);

  /// Closes the diagram and adds it as a choreography. False: reported.
  bool finish(const Block &block, StringRef language);

  bool stopped() const { return diags.tooManyErrors(); }
  Place place(Spot at) const {
    return {source.path().str(), at.line, at.column, ""};
  }

  Module &module;
  DiagnosticEngine &diags;

private:
  struct Lifeline {
    Name id, name;
    Spot at;
  };
  struct Frame {
    Fragment kind;
    std::string word;
    Spot at;
    uint32_t term;                ///< Choice, Parallel, Loop, ...
    uint32_t sequence;            ///< where the next step goes
    uint32_t last;                ///< of that sequence
    uint32_t lastPart = 0;        ///< the last operand
    uint32_t owner;               ///< the frame whose sequence goes on here
    uint32_t options = ioc::none; ///< of Critical: its choice
    unsigned parts = 1;
    bool broken = false; ///< of Loop: a break leaves it
    bool inPar = false;  ///< it, or one around it, is a par
  };

  uint32_t newTerm(ioc::TermKind kind, Spot at);
  uint32_t newSequence(StringRef label, Spot at);
  void append(uint32_t term);
  void addPart(Frame &frame, StringRef text, Spot at);
  void condition(Fragment kind, StringRef text, Spot at);
  void endBreak(uint32_t firstPart, Spot at);
  void endLoop(Frame &loop, Spot at);
  void nameLifelines();

  const SourceBuffer &source;
  const bool strict;
  ioc::Ast ast;
  std::vector<Lifeline> lifelines;
  llvm::DenseMap<uint32_t, uint32_t> byId;
  uint32_t environmentLine = ioc::none;
  std::vector<Frame> frames;
  std::vector<std::string> abstractions;
  const unsigned errorsBefore;
};

/// Reads one block into \p builder.
void readMermaid(const SourceBuffer &source, const Block &block,
                 DiagramBuilder &builder);
void readPlantUml(const SourceBuffer &source, const Block &block,
                  DiagramBuilder &builder);

/// What the block's own lines call the diagram, or nothing.
std::string titleOfMermaid(StringRef text, const Block &block);
std::string titleOfPlantUml(StringRef text, const Block &block);
/// Whether these lines are a sequence diagram, not one of the other kinds.
bool isMermaidSequence(StringRef text, const Block &block);
bool isPlantUmlSequence(StringRef text, const Block &block);

/// Gives blocks without a title the name \p fallback, and each another one.
void nameBlocks(std::vector<Block> &blocks, StringRef path);
/// Reads \p blocks, or the one of them that is selected.
bool readBlocks(const SourceBuffer &source, ArrayRef<Block> blocks,
                Module &module, DiagnosticEngine &diags,
                const FrontEndOptions &options, StringRef language);
std::vector<SourcePart> partsOf(ArrayRef<Block> blocks);

/// \p text for messages: quoted, and not too long.
std::string shown(StringRef text);
/// A character by its number, as UTF-8; nothing when there is none.
void appendCodePoint(std::string &to, uint32_t code);

} // namespace cif::sequence

#endif
