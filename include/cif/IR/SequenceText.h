//===- SequenceText.h - Writing sequence diagrams -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The lines of a sequence diagram in Mermaid or PlantUML: for choreographies
/// (lib/Export/Text/Sequence.cpp) and for runs (lib/Report/Sequence.cpp).
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_SEQUENCETEXT_H
#define CIF_IR_SEQUENCETEXT_H

#include "cif/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace cif {

class SequenceText {
public:
  enum Form { Mermaid, PlantUml };

  /// Begins a diagram with lifelines for \p names, which are distinct.
  SequenceText(Form form, raw_ostream &os, StringRef title,
               ArrayRef<std::string> names);
  /// Ends it.
  void finish();

  /// Those who take part are among the names above. \p waits: the sender is
  /// done when it has arrived.
  void message(StringRef from, StringRef to, StringRef text, bool waits = true);
  /// Opens `alt`, `loop`, ...; \p depth is that of the line itself.
  void open(StringRef word, StringRef label);
  /// `else`, `and`; \p word as Mermaid has it.
  void part(StringRef word, StringRef label);
  void close();
  /// A note over one lifeline, or over all when \p over is empty.
  void note(StringRef over, StringRef text);
  void comment(StringRef text);

private:
  raw_ostream &line();
  std::string escaped(StringRef text) const;
  const std::string &id(StringRef name) const { return ids.find(name)->second; }

  const Form form;
  raw_ostream &os;
  llvm::StringMap<std::string> ids;
  std::vector<std::string> order;
  unsigned depth = 1;
};

} // namespace cif

#endif
