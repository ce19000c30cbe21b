//===- Chat.h - The parts of this example ---------------------------------===//

#ifndef CHAT_H
#define CHAT_H

#include "cif/Tools/Registry.h"

namespace chat {

int detectChat(llvm::StringRef path, llvm::StringRef text);
bool parseChat(const cif::SourceBuffer &source, cif::Module &module,
               cif::DiagnosticEngine &diags,
               const cif::FrontEndOptions &options);

/// The kind of CHAT001, once the parts are registered.
cif::diag::Kind badLine();

/// Adds the front end and the pass.
void registerParts(cif::Registry &registry);

} // namespace chat

#endif
