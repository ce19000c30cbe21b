//===- InputBytes.h - Reading files, also compressed ones -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every input may be compressed with gzip, which its first bytes tell. All
/// limits are on the unpacked size: a small file may unpack to terabytes.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_INPUTBYTES_H
#define CIF_SUPPORT_INPUTBYTES_H

#include "cif/Support/LLVM.h"
#include "cif/Support/Limits.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

struct z_stream_s;

namespace cif {

/// From now on nobody waits for input longer than \p limits allow.
void limitReading(const Limits &limits);
/// Why input was not read to its end: "interrupted", "stopped at --timeout=1";
/// empty: nothing stopped it.
std::string readingStopped();

/// The bytes of an open file, unpacked, in pieces.
class InputBytes {
public:
  explicit InputBytes(int fd);
  ~InputBytes();

  /// Reads at most \p size bytes, which must not be 0. Returns 0 at the end, or
  /// when `error` says why there is no more.
  size_t read(char *to, size_t size);
  bool isCompressed() const { return stream != nullptr; }
  std::string error;

private:
  bool comes() const;
  size_t readFile(char *to, size_t size);
  bool fill();

  int fd;
  std::unique_ptr<z_stream_s> stream; ///< null: the file is not compressed
  bool betweenMembers = false;
  StringRef rest; ///< of the buffer
  char buffer[1 << 16];
};

/// The whole of a file, or of standard input (`-`); a plain regular file is
/// mapped. Null: \p why says what happened, or nothing when there are more than
/// \p most bytes.
std::unique_ptr<llvm::MemoryBuffer> readInput(StringRef path, uint64_t most,
                                              std::string &why);

/// At most \p size of the first bytes of a file; none when it cannot be read.
std::string startOfInput(StringRef path, size_t size);

/// The name that the file at \p path has when it is not compressed.
inline StringRef unpackedName(StringRef path) {
  path.consume_back(".gz");
  return path;
}

} // namespace cif

#endif
