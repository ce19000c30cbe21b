//===- InputBytes.cpp - Reading files, also compressed ones ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/InputBytes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

using namespace cif;

/// Of the run, as `interrupted` is: whatever is read, they end it.
static Limits readingLimits;
static bool isLate = false;

void cif::limitReading(const Limits &limits) {
  readingLimits = limits;
  readingLimits.maxStates = readingLimits.maxMemory = 0;
}

std::string cif::readingStopped() {
  if (!isLate && !interrupted)
    return {};
  return stoppedText(Budget(readingLimits).look(0, 0));
}

InputBytes::InputBytes(int fd) : fd(fd) {
  // As much as tells the format: small files are read often, and a pipe may
  // give a byte at a time.
  size_t size = 0;
  while (size_t got = size < 2 ? readFile(buffer + size, 4096 - size) : 0)
    size += got;
  rest = StringRef(buffer, size);
  if (!rest.starts_with("\x1f\x8b"))
    return;
  stream = std::make_unique<z_stream>();
  if (inflateInit2(stream.get(), 15 + 16) != Z_OK)
    error = "out of memory";
}

InputBytes::~InputBytes() {
  if (stream)
    inflateEnd(stream.get());
}

/// Waits for more, or the end; false: until the deadline or a signal.
bool InputBytes::comes() const {
  using namespace std::chrono;
  const auto deadline = readingLimits.deadline;
  while (deadline != Limits::Clock::time_point::max()) {
    if (interrupted) // reading would wait for another signal
      return false;
    const auto left =
        ceil<milliseconds>(deadline - Limits::Clock::now()).count();
    pollfd waited{fd, POLLIN, 0};
    // Whatever is wrong is found out by reading.
    if (int ready = poll(&waited, 1,
                         static_cast<int>(std::clamp<int64_t>(left, 0, 1000)));
        ready > 0 || (ready < 0 && errno != EINTR))
      return true;
    if (left <= 0)
      return false;
  }
  return true;
}

size_t InputBytes::readFile(char *to, size_t size) {
  if (!comes()) {
    isLate = !interrupted;
    error = readingStopped();
    return 0;
  }
  ssize_t got;
  do
    got = ::read(fd, to, size);
  while (got < 0 && errno == EINTR && !interrupted);
  if (got < 0)
    error = errno == EINTR ? "interrupted" : std::strerror(errno);
  return static_cast<size_t>(std::max<ssize_t>(got, 0));
}

bool InputBytes::fill() {
  if (rest.empty())
    rest = StringRef(buffer, readFile(buffer, sizeof buffer));
  return !rest.empty();
}

size_t InputBytes::read(char *to, size_t size) {
  if (!stream) {
    if (rest.empty())
      return error.empty() ? readFile(to, size) : 0;
    size = std::min(size, rest.size());
    std::memcpy(to, rest.data(), size);
    rest = rest.drop_front(size);
    return size;
  }
  stream->next_out = reinterpret_cast<Bytef *>(to);
  stream->avail_out = static_cast<uInt>(std::min<size_t>(size, 1u << 30));
  const uInt wanted = stream->avail_out;
  while (error.empty() && stream->avail_out == wanted) {
    if (!fill()) {
      if (!betweenMembers && error.empty())
        error = "the compressed data end too early";
      break;
    }
    // Members that follow one another are one text, as gzip has it.
    if (std::exchange(betweenMembers, false))
      inflateReset(stream.get());
    stream->next_in =
        reinterpret_cast<Bytef *>(const_cast<char *>(rest.data()));
    stream->avail_in = static_cast<uInt>(rest.size());
    int status = inflate(stream.get(), Z_NO_FLUSH);
    rest = rest.take_back(stream->avail_in);
    betweenMembers = status == Z_STREAM_END;
    if (!betweenMembers && status != Z_OK && status != Z_BUF_ERROR)
      error = "the compressed data are damaged";
  }
  return wanted - stream->avail_out;
}

/// Reads what has no size of its own: pipes, terminals, devices, and what is
/// compressed.
static std::unique_ptr<llvm::MemoryBuffer>
readPieces(InputBytes &from, StringRef name, uint64_t most, std::string &why) {
  llvm::SmallString<0> bytes;
  constexpr size_t piece = 1u << 16;
  while (bytes.size() <= most) {
    size_t size = bytes.size();
    // Grown by hand: what is announced is not believed, what came is kept.
    if (bytes.capacity() < size + piece)
      bytes.reserve(std::max<size_t>(2 * size, 4 * piece));
    bytes.resize_for_overwrite(size + piece);
    size_t got = from.read(bytes.data() + size, piece);
    bytes.truncate(size + got);
    if (!from.error.empty()) {
      why = from.error;
      return nullptr;
    }
    if (got == 0)
      return std::make_unique<llvm::SmallVectorMemoryBuffer>(
          std::move(bytes), name, /*RequiresNullTerminator=*/false);
  }
  return nullptr;
}

std::string cif::startOfInput(StringRef path, size_t size) {
  std::string start;
  int fd = open(path.str().c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return start;
  InputBytes bytes(fd);
  start.resize(size);
  size_t got = 0, more = 1;
  for (; got < size && more; got += more)
    more = bytes.read(start.data() + got, size - got);
  start.resize(got);
  close(fd);
  return start;
}

std::unique_ptr<llvm::MemoryBuffer>
cif::readInput(StringRef path, uint64_t most, std::string &why) {
  if (path == "-") {
    why = readingStopped(); // while it was waited for before
    if (!why.empty())
      return nullptr;
    InputBytes bytes(STDIN_FILENO);
    return readPieces(bytes, "<stdin>", most, why);
  }
  int fd = open(path.str().c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  std::unique_ptr<llvm::MemoryBuffer> result;
  if (fd < 0 || fstat(fd, &status) != 0) {
    why = std::strerror(errno);
  } else if (S_ISDIR(status.st_mode)) {
    why = std::strerror(EISDIR);
  } else if (InputBytes bytes(fd); bytes.isCompressed() ||
                                   !S_ISREG(status.st_mode) ||
                                   status.st_size == 0) {
    result = readPieces(bytes, path, most, why);
  } else if (static_cast<uint64_t>(status.st_size) <= most) {
    auto mapped = llvm::MemoryBuffer::getOpenFile(
        fd, path, static_cast<uint64_t>(status.st_size),
        /*RequiresNullTerminator=*/false);
    if (mapped)
      result = std::move(*mapped);
    else
      why = mapped.getError().message();
  }
  if (fd >= 0)
    close(fd);
  return result;
}
