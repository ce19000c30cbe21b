//===- Serve.cpp - cifc --serve -------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Serve.h"
#include "cif/Studio/Studio.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Support/Visible.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <memory>

using namespace cif;

/// Where the studio is, as seen from the folder of the tools.
#ifndef CIF_STUDIO_MODULE
#define CIF_STUDIO_MODULE ""
#endif

/// The studio of this build, or nothing after an error.
static std::unique_ptr<Studio> loadStudio(StringRef self,
                                          DiagnosticEngine &diags) {
  auto fail = [&](const Twine &why) {
    diags.report(diag::not_in_build) << "--serve" << why.str();
    return nullptr;
  };
  if (!*CIF_STUDIO_MODULE)
    return fail("this build did not find cpp-httplib (Debian: "
                "libcpp-httplib-dev)");
  llvm::SmallString<256> path(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(path, CIF_STUDIO_MODULE);
  if (!llvm::sys::fs::exists(path))
    return fail("'" + path + "' is missing");
  std::string error;
  auto library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(path.c_str(), &error);
  if (!library.isValid())
    return fail(error);
  auto make = reinterpret_cast<decltype(&cifMakeStudio)>(
      library.getAddressOfSymbol("cifMakeStudio"));
  if (!make)
    return fail("'" + path + "' is not a studio");
  return std::unique_ptr<Studio>(make());
}

int cif::serve(Session &session, const char *self) {
  const Arguments &arguments = session.arguments;
  if (!session.standsAlone("serve",
                           {"timeout", "max-memory", "quiet", "color"}))
    return ExitError;
  StudioOptions options;
  llvm::SmallString<256> folder(arguments.value("serve"));
  llvm::sys::fs::make_absolute(folder);
  llvm::sys::path::remove_dots(folder);
  options.folder = folder.str().str();
  options.cifc = llvm::sys::fs::getMainExecutable(
      self, reinterpret_cast<void *>(&cif::serve));
  options.timeout = arguments.value("timeout", "20").str();
  options.memory = arguments.value("max-memory", "2G").str();
  unsigned seconds;
  if (StringRef(options.timeout).getAsInteger(10, seconds) || seconds == 0 ||
      seconds > 86400) {
    session.diags.report(diag::bad_option_value)
        << "--timeout" << options.timeout
        << "a whole number of seconds, at most a day, with --serve";
    return ExitError;
  }
  std::unique_ptr<Studio> studio = loadStudio(options.cifc, session.diags);
  if (!studio)
    return ExitError;
  // Threads of the server do not see these; the wait below does.
  sigset_t ends;
  sigemptyset(&ends);
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    sigaddset(&ends, signal);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  std::string error;
  if (!studio->start(options, error)) {
    session.diags.report(diag::cannot_open) << options.folder << error;
    return ExitError;
  }
  llvm::outs() << studio->address() << '\n';
  llvm::outs().flush();
  if (!arguments.has("quiet"))
    llvm::errs() << "The models of '" << visible(options.folder)
                 << "' are at this address, for a browser on this machine. "
                    "Ctrl-C ends it.\n";
  int signal;
  sigwait(&ends, &signal);
  studio->stop();
  return ExitHolds;
}
