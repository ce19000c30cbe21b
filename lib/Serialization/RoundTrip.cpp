//===- RoundTrip.cpp - Whether both forms say the same --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Text.h"
#include "cif/Serialization/Binary.h"

using namespace cif;

/// The first line in which two texts differ.
static std::string firstDifference(StringRef a, StringRef b) {
  for (unsigned line = 1;; ++line) {
    auto [firstA, restA] = a.split('\n');
    auto [firstB, restB] = b.split('\n');
    if (firstA != firstB || (restA.empty() != restB.empty()))
      return ("line " + Twine(line) + ": '" + firstA + "' became '" + firstB +
              "'")
          .str();
    a = restA, b = restB;
    if (a.empty())
      return "the texts are the same";
  }
}

bool cif::checkRoundTrip(const Module &module, std::string &why) {
  SourceManager sources;
  DiagnosticCollector found;
  DiagnosticEngine diags(sources, found);
  auto failed = [&](const Twine &step) {
    why = step.str();
    if (!found.all.empty())
      why += ": " + found.all.front().text;
    return false;
  };
  auto binary = [&](const Module &from, std::string &to) {
    llvm::raw_string_ostream os(to);
    return writeBinary(from, os, diags);
  };
  auto textOf = [](const Module &from) {
    std::string to;
    llvm::raw_string_ostream os(to);
    printText(from, os);
    return to;
  };

  std::string first;
  if (!binary(module, first))
    return failed("cannot write the binary form");
  Module fromBinary;
  if (!readBinary(llvm::MemoryBuffer::getMemBufferCopy(first, "<round trip>"),
                  fromBinary, diags))
    return failed("cannot read the binary form back");
  std::string text = textOf(fromBinary);
  if (std::string original = textOf(module); original != text)
    return failed("binary form: " + firstDifference(original, text));
  SourceBuffer source("<round trip>",
                      llvm::MemoryBuffer::getMemBufferCopy(text));
  Module fromText;
  if (!parseText(source, fromText, diags))
    return failed("cannot read the text form back");
  std::string second;
  if (!binary(fromText, second))
    return failed("cannot write the binary form again");
  if (first == second)
    return true;
  return failed("text form: " + firstDifference(text, textOf(fromText)));
}
