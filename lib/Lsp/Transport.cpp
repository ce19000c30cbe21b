//===- Transport.cpp - Messages in a stream of bytes ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport.h"
#include "llvm/Support/raw_ostream.h"

using namespace cif;
using llvm::json::Object;

void Transport::drop(size_t count) {
  start += count;
  // Bytes are moved seldom, so that many small messages cost no more than one.
  if (start == buffer.size() || start > (1u << 20)) {
    buffer.erase(0, start);
    start = 0;
  }
}

/// Whether arrays and objects in \p text are nested deeper than \p most. The
/// parser has one frame on the stack for each of them.
static bool isDeep(StringRef text, unsigned most) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most)
        return true;
    } else if ((c == ']' || c == '}') && depth) {
      --depth;
    }
  }
  return false;
}

/// Reads the lines up to the empty one. Something: they are of no use.
std::optional<Incoming> Transport::readHeader() {
  StringRef bytes = StringRef(buffer).substr(start);
  size_t end = bytes.find("\r\n\r\n"), size = 4;
  if (size_t plain = bytes.find("\n\n"); plain < end) {
    end = plain;
    size = 2;
  }
  if (end == StringRef::npos) {
    if (bytes.size() <= maxHeader)
      return std::nullopt;
    // Whatever this is, a header may follow.
    size_t next = bytes.find("Content-Length", 1);
    drop(next == StringRef::npos ? bytes.size() - 16 : next);
    return Incoming{nullptr, "expected a header with Content-Length"};
  }
  StringRef header = bytes.take_front(end);
  uint64_t announced = 0;
  bool found = false;
  SmallVector<StringRef> lines;
  header.split(lines, '\n');
  for (StringRef line : lines) {
    auto [name, value] = line.split(':');
    if (name.trim().equals_insensitive("Content-Length"))
      found = !value.trim().getAsInteger(10, announced);
  }
  drop(end + size);
  if (!found)
    return Incoming{nullptr, "expected a header with Content-Length"};
  if (announced > maxMessage) {
    skipping = announced;
    return Incoming{nullptr,
                    "the message has " + std::to_string(announced) +
                        " bytes; at most " + std::to_string(maxMessage) +
                        " are read",
                    InvalidRequest};
  }
  length = announced;
  return std::nullopt;
}

std::optional<Incoming> Transport::next() {
  if (skipping) {
    size_t count = std::min(skipping, buffer.size() - start);
    skipping -= count;
    drop(count);
    if (skipping)
      return std::nullopt;
  }
  if (!length)
    if (std::optional<Incoming> bad = readHeader())
      return bad;
  if (!length || buffer.size() - start < *length)
    return std::nullopt;
  StringRef text = StringRef(buffer).substr(start, *length);
  Incoming incoming;
  if (isDeep(text, maxDepth)) {
    incoming.error = "the message is nested deeper than " +
                     std::to_string(maxDepth) + " levels";
  } else if (llvm::Expected<llvm::json::Value> value =
                 llvm::json::parse(text)) {
    incoming.message = std::move(*value);
  } else {
    incoming.error = "not JSON: " + llvm::toString(value.takeError());
  }
  drop(*length);
  length.reset();
  return incoming;
}

void Transport::send(llvm::json::Object message) {
  message["jsonrpc"] = "2.0";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(message));
  out << "Content-Length: " << text.size() << "\r\n\r\n" << text;
  out.flush();
}

void Transport::reply(llvm::json::Value id, llvm::json::Value result) {
  send(Object{{"id", std::move(id)}, {"result", std::move(result)}});
}

void Transport::fail(llvm::json::Value id, RpcError code, const Twine &text) {
  send(Object{{"id", std::move(id)},
              {"error", Object{{"code", static_cast<int>(code)},
                               {"message", text.str()}}}});
}

void Transport::notify(StringRef method, llvm::json::Value params) {
  send(Object{{"method", method}, {"params", std::move(params)}});
}

void Transport::request(int64_t id, StringRef method,
                        llvm::json::Value params) {
  send(Object{{"id", "cif-" + std::to_string(id)},
              {"method", method},
              {"params", std::move(params)}});
}
