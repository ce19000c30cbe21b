//===- Exported.h - Systems for the languages of other tools --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the writers of systems share: the system as guarded commands, names
/// that are words of any language, and how guards and changes are written.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_SYSTEM_EXPORTED_H
#define CIF_LIB_EXPORT_SYSTEM_EXPORTED_H

#include "cif/Export/Emitter.h"

namespace cif {

/// A letter, a number and what is left of \p name: `q2_inbox_of_seller`. Such
/// a word is a keyword of no language; the number alone makes it unique. Some
/// languages do not tell capitals apart.
std::string identifier(char kind, size_t number, StringRef name);
/// \p text for a comment: one line of printable ASCII that ends no comment.
std::string commentText(StringRef text);

/// A language whose modules are named like their files, and which wants a
/// second file beside a module.
struct ModuleLanguage {
  bool (*isName)(StringRef name); ///< whether a module may have this name
  const char *names;              ///< which it may have, for people
  const char *second;             ///< the extension of the second file
  const char *title;              ///< what that file is
  const char *remark; ///< begins a line behind a module that is not read
};

/// A system as guarded commands, with a word for everything.
class Exported {
public:
  /// The system that the options select. Nothing: errors were reported.
  static std::optional<Exported> make(const Module &module, const char *format,
                                      const EmitOptions &options,
                                      DiagnosticEngine &diags);

  const CommandModel &model() const { return *commands; }
  const System &system() const { return *made; }
  /// Reports that the format cannot express something. Always false.
  bool refuse(const Twine &what, const Twine &why) const;
  /// The same for a command.
  bool refuse(const CommandModel::Command &command, const Twine &why) const;
  /// Whether all queues have bounds; it is an error if not.
  bool hasBounds() const;
  /// Whether it is known when the system has terminated; an error if not.
  bool knowsFinal() const;

  /// \name Words
  /// @{
  std::vector<std::string> counters, queues, messages, labels;
  /// @}
  using Part = function_ref<void(StringRef name, raw_ostream &os)>;
  /// Writes the module, and the second file beside it or, where there is no
  /// place beside it, as remarks behind it. False: an error was reported.
  bool writeModule(const ModuleLanguage &language, const EmitOptions &options,
                   raw_ostream &os, Part module, Part second) const;
  /// The lines that say what was written.
  std::vector<std::string> header() const;
  /// The element that a command stems from, for a comment; or empty.
  std::string origin(const CommandModel::Command &command) const;

private:
  Exported(const Module &module, const char *format, DiagnosticEngine &diags)
      : module(&module), format(format), diags(&diags) {}

  const Module *module;
  const char *format;
  DiagnosticEngine *diags;
  std::string semantics; ///< what was chosen, for people
  std::unique_ptr<System> made;
  std::unique_ptr<CommandModel> commands;
};

/// How a language writes conditions.
struct ConditionStyle {
  const char *equals, *atLeast, *atMost, *both, *either, *yes, *no;
  /// A counter.
  function_ref<std::string(uint32_t counter)> counter;
};

/// All of \p all, and of each of \p some at least one, in this style; then
/// \p more, which is written as it is.
std::string condition(ArrayRef<CommandModel::Test> all,
                      ArrayRef<SmallVector<CommandModel::Test, 4>> some,
                      ArrayRef<std::string> more, const ConditionStyle &style);

} // namespace cif

#endif
