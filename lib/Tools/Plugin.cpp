//===- Plugin.cpp - Parts loaded at run time ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/Plugin.h"
#include "cif/Support/Diagnostics/Pass.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"

using namespace cif;

bool cif::loadPlugin(StringRef path, Registry &registry,
                     DiagnosticEngine &diags) {
  auto fail = [&](const Twine &why) {
    diags.report(diag::plugin_failed) << path << why;
    return false;
  };
  if (!llvm::sys::fs::exists(path))
    return fail("no such file");
  // A name without a slash would be searched for in the system's folders.
  std::string file = path.contains('/') ? path.str() : ("./" + path).str();
  std::string error;
  auto library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(file.c_str(), &error);
  if (!library.isValid())
    return fail(error);
  auto info = reinterpret_cast<decltype(&cifPluginInfo)>(
      library.getAddressOfSymbol("cifPluginInfo"));
  if (!info)
    return fail("it has no function 'cifPluginInfo'");
  PluginInfo plugin = info();
  if (plugin.apiVersion != pluginApiVersion)
    return fail("it is built for plugin API " + Twine(plugin.apiVersion) +
                ", this tool has " + Twine(pluginApiVersion));
  plugin.registerParts(registry);
  return registry.problem.empty() || fail(registry.problem);
}
