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
#include "cif/Support/ChildProcess.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Visible.h"
#include "llvm/Support/Program.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <unistd.h>

using namespace cif;

namespace {
/// A file without a name, which is gone with this program however it ends.
struct Unnamed {
  std::unique_ptr<FILE, int (*)(FILE *)> file{std::tmpfile(), std::fclose};

  explicit operator bool() const { return file != nullptr; }
  int descriptor() const { return fileno(file.get()); }
  std::string content() const {
    std::string text;
    char part[4096];
    std::rewind(file.get());
    while (size_t got = std::fread(part, 1, sizeof part, file.get()))
      text.append(part, got);
    return text;
  }
};
} // namespace

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
  Unnamed svg, picture, errors;
  if (!svg || !picture || !errors)
    return fail(Twine("no temporary file: ") + std::strerror(errno));
  llvm::raw_fd_ostream file(svg.descriptor(), /*shouldClose=*/false);
  bool good = emitSvg(module, file, diags, options);
  file.flush();
  if (!good)
    return false;
  if (file.has_error()) {
    std::string why = file.error().message();
    file.clear_error();
    return fail("no temporary file: " + why);
  }
  lseek(svg.descriptor(), 0, SEEK_SET);
  ChildProcess process;
  process.program = *program;
  process.words = {*program, "-f", format.str()};
  // Pictures of one model are the same at any time of day.
  process.environment = {"SOURCE_DATE_EPOCH=0"};
  process.input = svg.descriptor();
  process.output = picture.descriptor();
  process.errors = errors.descriptor();
  ChildEnd end = run(process, options.semantics.runLimits);
  if (end.kind == ChildEnd::Stopped) {
    if (options.stopped)
      options.stopped(end.text);
    return false;
  }
  const std::string said = errors.content(), made = picture.content();
  if (end.kind != ChildEnd::Exited || end.status != 0)
    return fail("rsvg-convert failed" +
                (said.empty() ? "" : ": " + visible(StringRef(said).trim())));
  if (made.empty())
    return fail("rsvg-convert wrote nothing");
  os << made;
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
