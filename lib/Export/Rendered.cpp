//===- Rendered.cpp - Pictures as PNG and PDF -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// PNG and PDF are what librsvg's rsvg-convert makes of our SVG. A program and
/// not the library: it is needed by few, and brings a dozen libraries along.
///
//===----------------------------------------------------------------------===//

#include "cif/Export/Emitter.h"
#include "cif/Support/DiagnosticKinds.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace cif;

static bool render(const Module &module, raw_ostream &os,
                   DiagnosticEngine &diags, const EmitOptions &options,
                   StringRef format) {
  auto fail = [&](const Twine &why) {
    diags.report(diag::emit_renderer) << format << why;
    return false;
  };
  auto program = llvm::sys::findProgramByName("rsvg-convert");
  if (!program)
    return fail("rsvg-convert of librsvg is not installed; --emit=svg needs "
                "nothing");
  llvm::SmallString<128> svg, picture;
  int descriptor = -1;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("cif", "svg", descriptor, svg))
    return fail("no temporary file: " + error.message());
  llvm::FileRemover removeSvg(svg);
  llvm::raw_fd_ostream file(descriptor, /*shouldClose=*/true);
  bool good = emitSvg(module, file, diags, options);
  file.close();
  if (!good)
    return false;
  if (file.has_error()) {
    std::string why = file.error().message();
    file.clear_error();
    return fail("'" + svg.str() + "': " + why);
  }
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("cif", format, picture))
    return fail("no temporary file: " + error.message());
  llvm::FileRemover removePicture(picture);
  StringRef arguments[] = {*program, "-f", format, "-o", picture, svg};
  std::string error;
  if (llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt, {},
                                /*SecondsToWait=*/120, 0, &error) != 0)
    return fail("rsvg-convert failed" +
                (error.empty() ? Twine() : ": " + Twine(error)));
  auto made = llvm::MemoryBuffer::getFile(picture);
  if (!made || (*made)->getBuffer().empty())
    return fail("rsvg-convert wrote nothing");
  os << (*made)->getBuffer();
  return true;
}

bool cif::emitPng(const Module &module, raw_ostream &os,
                  DiagnosticEngine &diags, const EmitOptions &options) {
  return render(module, os, diags, options, "png");
}

bool cif::emitPdf(const Module &module, raw_ostream &os,
                  DiagnosticEngine &diags, const EmitOptions &options) {
  return render(module, os, diags, options, "pdf");
}
