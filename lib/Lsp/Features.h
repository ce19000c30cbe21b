//===- Features.h - What editors ask about a text -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Answers to requests of the protocol that need the text, its names and its
/// last report, and take hardly any time.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_LSP_FEATURES_H
#define CIF_LIB_LSP_FEATURES_H

#include "Document.h"
#include <functional>

namespace cif {

/// \name Names (Names.cpp)
/// @{
/// Where the name at \p position is defined; without a definition, where it
/// comes first.
Value definitionOf(const Document &document, LspPosition position);
Value referencesOf(const Document &document, LspPosition position,
                   bool withDefinition);
Value highlightsOf(const Document &document, LspPosition position);
/// What would be renamed.
Value renameRange(const Document &document, LspPosition position);
/// The edits that give the name at \p position another one. False: \p error
/// says why it cannot have it.
bool rename(const Document &document, LspPosition position, StringRef name,
            std::vector<LspEdit> &edits, std::string &error);
/// The participant or message of \p other that has the name at \p position,
/// too; of a message, between the same participants. Symbol::none: there is
/// none.
uint32_t sharedName(const Document &document, LspPosition position,
                    const Document &other);
/// The edits that give it another name there.
bool renameShared(const Document &other, uint32_t symbol, StringRef name,
                  std::vector<LspEdit> &edits, std::string &error);
Value outlineOf(const Document &document);
Value semanticTokensOf(const Document &document);
/// The kinds of tokens that semanticTokensOf numbers.
Value semanticTokenTypes();
/// @}

/// The words that may stand at \p position (Complete.cpp).
Value completionsAt(const Document &document, LspPosition position);

/// What is known of \p position, as Markdown (Hover.cpp).
struct HoverText {
  std::string text;
  LspRange range;
  /// The participant whose part is worth showing; empty: none.
  std::string participant;
};
HoverText hoverAt(const Document &document, LspPosition position,
                  const std::function<std::string(StringRef)> &explain);

/// \name Changes and verdicts (Actions.cpp)
/// @{
/// The text with another layout; nothing: it has none, or it is in order.
std::optional<LspEdit> formatEdit(const Document &document);
/// What makes \p after of the text: the lines from the first to the last that
/// differ.
LspEdit editTo(const Document &document, StringRef after);
/// Fixes of what is found in \p range.
Value actionsAt(const Document &document, const LspRange &range,
                bool withVersions);
Value lensesOf(const Document &document);
/// Edits of one document.
struct DocumentEdits {
  const Document *document;
  std::vector<LspEdit> edits;
};
/// A WorkspaceEdit that changes \p first, and \p others where somebody who sees
/// them agrees.
Value editOf(const DocumentEdits &first, ArrayRef<DocumentEdits> others);
/// A WorkspaceEdit.
Value editOf(const Document &document, ArrayRef<LspEdit> edits,
             bool withVersions);
/// @}

} // namespace cif

#endif
