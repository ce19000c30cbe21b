//===- Transport.h - Messages in a stream of bytes ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// JSON-RPC 2.0 as the Language Server Protocol frames it: a header with
/// Content-Length, an empty line, and so many bytes of JSON. Nothing that is
/// announced is believed: a message that is too long is passed over as it
/// comes, and one that is nested too deep is not parsed.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_LSP_TRANSPORT_H
#define CIF_LIB_LSP_TRANSPORT_H

#include "cif/Support/LLVM.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace cif {

/// The codes of JSON-RPC and of the protocol.
enum RpcError {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  RequestFailed = -32803,
  ContentModified = -32801,
  RequestCancelled = -32800
};

/// A message that came, or why there is none.
struct Incoming {
  llvm::json::Value message = nullptr;
  std::string error; ///< empty: there is one
  RpcError code = ParseError;
};

class Transport {
public:
  static constexpr size_t maxMessage = 64u << 20, maxHeader = 8u << 10;
  static constexpr unsigned maxDepth = 100;

  explicit Transport(raw_ostream &out) : out(out) {}

  void feed(StringRef bytes) { buffer.append(bytes.data(), bytes.size()); }
  /// The next message of those that came as a whole.
  std::optional<Incoming> next();

  void reply(llvm::json::Value id, llvm::json::Value result);
  void fail(llvm::json::Value id, RpcError code, const Twine &text);
  void notify(StringRef method, llvm::json::Value params);
  /// Asks the editor for something; what it answers is not waited for.
  void request(int64_t id, StringRef method, llvm::json::Value params);

private:
  void send(llvm::json::Object message);
  std::optional<Incoming> readHeader();
  void drop(size_t count);

  raw_ostream &out;
  std::string buffer;
  size_t start = 0;             ///< what was taken of it
  std::optional<size_t> length; ///< of the message that comes
  size_t skipping = 0;          ///< bytes of one that is not read
};

} // namespace cif

#endif
