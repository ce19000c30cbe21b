//===- FactTitle.cpp - What a verdict is about, for people ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/FactTitle.h"

#include "llvm/ADT/StringExtras.h"

using namespace cif;

std::string cif::factTitle(StringRef property, StringRef subject) {
  if (subject.empty())
    return property.str();
  std::string title = property.str();
  // A name is in quotes, and may contain what is looked for here.
  auto [who, which] = subject.rsplit(": ");
  if (llvm::all_of(which,
                   [](char c) { return c == ' ' || llvm::isAlpha(c); }) &&
      !which.empty()) {
    // One of several answers of a check; most are problems that are absent.
    title += ": " + std::string(which.starts_with("safe ") ? "" : "no ");
    title += which;
    subject = who;
  } else if (size_t to = subject.find(" to choreography '");
             to != StringRef::npos) {
    title += subject.substr(to);
    subject = subject.substr(0, to);
  }
  return subject.str() + ": " + title;
}
