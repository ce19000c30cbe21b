//===- Binary.h - Modules as bytes ----------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The binary form: FlatBuffers, schema/cif.fbs. The same module gives the same
/// bytes, whatever the order in which its strings and expressions were made.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SERIALIZATION_BINARY_H
#define CIF_SERIALIZATION_BINARY_H

#include "cif/IR/Module.h"

namespace cif {

/// FlatBuffers' offsets are signed 32-bit numbers.
constexpr uint64_t maxBinarySize = 0x7fffffff;

/// Writes \p module, which must be one that the verifier accepts. False: it is
/// larger than \p limit, which was reported, and nothing was written.
bool writeBinary(const Module &module, raw_ostream &os, DiagnosticEngine &diags,
                 uint64_t limit = maxBinarySize);

/// Reads \p buffer, which is not trusted, into \p module, which must be new.
/// Strings and LTSs stay in the buffer, and the module keeps it alive. The
/// result passed the verifier. False: errors were reported and the module is
/// not to be used.
bool readBinary(std::shared_ptr<llvm::MemoryBuffer> buffer, Module &module,
                DiagnosticEngine &diags);

/// Whether \p bytes start like the binary form.
bool looksBinary(StringRef bytes);

/// Takes \p module through both forms and compares the bytes: to binary, back,
/// to text, back, and to binary again. False: \p why says what differs.
bool checkRoundTrip(const Module &module, std::string &why);

} // namespace cif

#endif
