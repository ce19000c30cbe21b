//===- Folder.cpp - The models of a folder --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cif;

/// As many models and as deep as a page can show.
constexpr size_t maxModels = 2000;
constexpr size_t maxEntries = 50000;
constexpr unsigned maxDepth = 8;

static std::string versionOf(StringRef text) {
  return llvm::utohexstr(llvm::xxh3_64bits(text)) + "-" +
         std::to_string(text.size());
}

static bool isPlainName(StringRef name) {
  return !name.empty() && name.size() < 256 && name.front() != '.' &&
         llvm::none_of(name, [](unsigned char c) {
           return c == '/' || c == '\\' || c < 32 || c == 127;
         });
}

Folder::~Folder() {
  if (root >= 0)
    close(root);
}

bool Folder::open(StringRef path, std::string &error) {
  root = ::open(path.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root < 0)
    error = std::strerror(errno);
  return root >= 0;
}

bool Folder::isModel(StringRef path) {
  if (path.size() > 1000 || !llvm::json::isUTF8(path))
    return false;
  SmallVector<StringRef> parts;
  path.split(parts, '/');
  return parts.size() <= maxDepth && llvm::all_of(parts, isPlainName) &&
         (path.ends_with(".bpmn") || path.ends_with(".ioc") ||
          path.ends_with(".cp"));
}

/// The folder that holds \p path, and the \p name in it; negative: errno says
/// why there is none.
int Folder::openParent(StringRef path, std::string &name) const {
  int at = fcntl(root, F_DUPFD_CLOEXEC, 0);
  SmallVector<StringRef> parts;
  path.split(parts, '/');
  for (StringRef part : llvm::ArrayRef(parts).drop_back()) {
    if (at < 0)
      return at;
    int next = openat(at, part.str().c_str(),
                      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int why = errno;
    close(at);
    errno = why;
    at = next;
  }
  name = parts.back().str();
  return at;
}

/// Reads the regular file \p name of a folder. Negative: errno says why not.
static int readAt(int directory, const std::string &name, std::string &text,
                  struct stat &status) {
  // A pipe would wait for somebody who writes into it.
  int fd = openat(directory, name.c_str(),
                  O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return -1;
  int why = 0;
  if (fstat(fd, &status) != 0)
    why = errno;
  else if (!S_ISREG(status.st_mode))
    why = EINVAL;
  else if (status.st_size > static_cast<off_t>(Folder::maxSize))
    why = EFBIG;
  text.clear();
  char buffer[1 << 16];
  while (!why) {
    ssize_t n = ::read(fd, buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      why = errno;
    if (n <= 0)
      break;
    text.append(buffer, n);
    if (text.size() > Folder::maxSize) // it grows
      why = EFBIG;
  }
  close(fd);
  errno = why;
  return why ? -1 : 0;
}

void Folder::listInto(std::vector<ModelFile> &found, int directory,
                      const std::string &prefix, unsigned depth, bool &isCut) {
  DIR *stream = fdopendir(directory);
  if (!stream) {
    close(directory);
    return;
  }
  std::vector<std::string> folders;
  size_t entries = 0;
  while (dirent *entry = readdir(stream)) {
    if (++entries > maxEntries || found.size() >= maxModels) {
      isCut = true;
      break;
    }
    std::string name = entry->d_name, path = prefix + name;
    struct stat status;
    if (!isPlainName(name) ||
        fstatat(dirfd(stream), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (S_ISDIR(status.st_mode))
      folders.push_back(name);
    if (!S_ISREG(status.st_mode) || !isModel(path))
      continue;
    int64_t changed =
        status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
    Known &last = known[path];
    if (last.version.empty() || last.changed != changed ||
        last.size != status.st_size || last.inode != status.st_ino) {
      std::string text;
      if (readAt(dirfd(stream), name, text, status) != 0)
        continue;
      last = {changed, status.st_size, status.st_ino, versionOf(text)};
    }
    found.push_back({path, last.version});
  }
  for (const std::string &name : folders) {
    if (depth + 1 >= maxDepth || found.size() >= maxModels)
      break;
    int next = openat(dirfd(stream), name.c_str(),
                      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    // The recursion is as deep as maxDepth.
    if (next >= 0)
      listInto(found, next, prefix + name + "/", depth + 1, isCut);
  }
  closedir(stream);
}

std::vector<ModelFile> Folder::list(bool &isCut) {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<ModelFile> found;
  isCut = false;
  if (known.size() > 2 * maxModels) // files come and go
    known.clear();
  int top = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (top >= 0)
    listInto(found, top, "", 0, isCut);
  llvm::sort(found, [](const ModelFile &a, const ModelFile &b) {
    return a.path < b.path;
  });
  return found;
}

static Folder::Result whyNot(int why, StringRef path, std::string &error) {
  error = "'" + path.str() + "': " +
          (why == EFBIG                    ? "the file is too large"
           : why == ELOOP || why == EINVAL ? "not a regular file"
                                           : std::strerror(why));
  return why == ENOENT ? Folder::NotFound : Folder::Refused;
}

Folder::Result Folder::read(StringRef path, std::string &text,
                            std::string &version, std::string &error) const {
  if (!isModel(path)) {
    error = "'" + path.str() + "' is not the path of a model in the folder";
    return Refused;
  }
  std::string name;
  struct stat status;
  int parent = openParent(path, name);
  bool isRead = parent >= 0 && readAt(parent, name, text, status) == 0;
  int why = errno;
  if (parent >= 0)
    close(parent);
  if (!isRead)
    return whyNot(why, path, error);
  if (!llvm::json::isUTF8(text)) {
    error = "'" + path.str() + "' is not UTF-8 text";
    return Refused;
  }
  version = versionOf(text);
  return Done;
}

/// Writes a file beside \p name and renames it: whoever reads sees the old text
/// or the new one, never a part.
static bool replaceAt(int directory, const std::string &name, StringRef text,
                      mode_t mode, bool isNew) {
  std::string temporary = "." + name + ".cif-" + std::to_string(getpid());
  int fd = openat(directory, temporary.c_str(),
                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (fd < 0)
    return false;
  bool isGood = isNew || fchmod(fd, mode) == 0;
  while (isGood && !text.empty()) {
    ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno != EINTR)
      isGood = false;
    text = text.drop_front(std::max<ssize_t>(n, 0));
  }
  isGood = isGood && fsync(fd) == 0;
  int why = errno;
  if (close(fd) != 0 && isGood) {
    isGood = false;
    why = errno;
  }
  // A link fails where somebody made the file meanwhile; a rename would not.
  if (isGood) {
    isGood = isNew ? linkat(directory, temporary.c_str(), directory,
                            name.c_str(), 0) == 0
                   : renameat(directory, temporary.c_str(), directory,
                              name.c_str()) == 0;
    why = errno;
  }
  if (!isGood || isNew)
    unlinkat(directory, temporary.c_str(), 0);
  errno = why;
  return isGood;
}

Folder::Result Folder::save(StringRef path, StringRef text, StringRef expected,
                            std::string &version, std::string &error) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!isModel(path) || text.size() > maxSize || !llvm::json::isUTF8(text)) {
    error = "'" + path.str() + "' cannot be written: " +
            (isModel(path) ? "the text is too long, or not UTF-8"
                           : "a model is a path in the folder that ends in "
                             ".bpmn, .ioc or .cp");
    return Refused;
  }
  std::string name, old;
  struct stat status;
  int parent = openParent(path, name);
  if (parent < 0)
    return whyNot(errno, path, error);
  int why = readAt(parent, name, old, status) == 0 ? 0 : errno;
  Result result = Done;
  if (why && why != ENOENT) {
    result = whyNot(why, path, error);
  } else {
    version = why ? "" : versionOf(old);
    if (version != expected) {
      error = "'" + path.str() + "' " +
              (expected.empty()  ? "exists already"
               : version.empty() ? "was removed"
                                 : "was changed by somebody else");
      result = Changed;
    } else if (!replaceAt(parent, name, text,
                          why ? 0666 : status.st_mode & 0777, why == ENOENT)) {
      result = errno == EEXIST ? Changed : Refused;
      whyNot(errno, path, error);
    } else {
      version = versionOf(text);
    }
  }
  close(parent);
  return result;
}
