//===- RunFiles.cpp - The files of a run ----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/RunFiles.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <climits>
#include <sys/stat.h>
#include <unistd.h>

using namespace cif;
namespace path = llvm::sys::path;

/// As many links as Linux follows.
constexpr unsigned maxLinks = 40;

std::string cif::throughLinks(StringRef start) {
  std::string at = start.str();
  for (unsigned links = 0; links < maxLinks; ++links) {
    char target[PATH_MAX];
    ssize_t size = readlink(at.c_str(), target, sizeof target);
    if (size < 0) // no link, or nothing there
      return at;
    StringRef to(target, static_cast<size_t>(size));
    if (path::is_absolute(to)) {
      at = to.str();
    } else {
      llvm::SmallString<128> beside(path::parent_path(at));
      path::append(beside, to);
      at = std::string(beside);
    }
  }
  return {};
}

/// Standard output, wherever it goes.
RunFiles::Identity RunFiles::standardOutput() { return {0, 0, "-"}; }

std::vector<RunFiles::Identity> RunFiles::identify(StringRef file, Use use) {
  struct stat status;
  std::vector<Identity> found;
  if (file == "-") {
    int fd = use == Use::Written ? STDOUT_FILENO : STDIN_FILENO;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
      found.push_back({status.st_dev, status.st_ino, ""});
    if (use == Use::Written)
      found.push_back(standardOutput());
    return found;
  }
  std::string target = throughLinks(file);
  if (stat(target.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode))
      return {};
    found.push_back({status.st_dev, status.st_ino, ""});
  }
  StringRef folder = path::parent_path(target);
  if (stat(folder.empty() ? "." : folder.str().c_str(), &status) == 0)
    found.push_back(
        {status.st_dev, status.st_ino, path::filename(target).str()});
  return found;
}

bool RunFiles::share(ArrayRef<Identity> a, ArrayRef<Identity> b) {
  return llvm::any_of(
      a, [&](const Identity &each) { return llvm::is_contained(b, each); });
}

void RunFiles::addInput(StringRef file) {
  files.push_back({identify(file, Use::Input), "", Use::Input, file.str()});
}

bool RunFiles::addRead(StringRef file, DiagnosticEngine &diags) {
  std::vector<Identity> own = identify(file, Use::Read);
  for (File &other : files)
    if (other.use == Use::Written && share(own, other.identities)) {
      other.use = Use::Read; // a report of this error is not written there
      if (other.owner.empty())
        diags.report(diag::cannot_open) << file << "this run writes it";
      else
        diags.report(diag::cannot_write)
            << file
            << "this run reads it; choose another file for " + other.owner;
      return false;
    }
  files.push_back({std::move(own), "", Use::Read, file.str()});
  return true;
}

bool RunFiles::claim(StringRef file, StringRef owner, bool inPlace,
                     DiagnosticEngine &diags) {
  auto refuse = [&](const Twine &why) {
    diags.report(diag::cannot_write) << file << why;
    return false;
  };
  std::vector<Identity> own = identify(file, Use::Written);
  if (llvm::any_of(files, [&](const File &other) {
        return other.use == Use::Written && !owner.empty() &&
               owner == other.owner && share(own, other.identities);
      }))
    return true;
  for (const File &other : files) {
    if (!share(own, other.identities))
      continue;
    if (other.use == Use::Read)
      return refuse("this run reads it");
    if (other.use == Use::Input && !inPlace)
      return refuse("it is an input");
    if (other.use == Use::Written)
      return refuse(other.owner.empty()
                        ? Twine("this run has written it already")
                        : other.owner + " writes it too");
  }
  files.push_back({std::move(own), owner.str(), Use::Written, file.str()});
  return true;
}

void RunFiles::written(StringRef file) {
  std::vector<Identity> now = identify(file, Use::Written);
  for (File &other : files)
    if (other.use == Use::Written && share(now, other.identities))
      other.identities = now;
}

std::vector<std::string> RunFiles::names(bool written) const {
  std::vector<std::string> found;
  for (const File &file : files)
    if ((file.use == Use::Written) == written && file.name != "-" &&
        !file.identities.empty() && !llvm::is_contained(found, file.name))
      found.push_back(file.name);
  return found;
}

bool RunFiles::standardOutputTaken() const {
  return llvm::any_of(files, [](const File &file) {
    return llvm::is_contained(file.identities, standardOutput());
  });
}
