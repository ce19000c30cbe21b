//===- Plugin.cpp - Parts loaded at run time ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/Plugin.h"
#include "cif/Support/Diagnostics/Pass.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"

using namespace cif;

/// Two parts of one name, of which only one would be found; the same one is
/// there twice where a plugin is loaded twice.
template <typename Part, typename Function>
static std::string clash(ArrayRef<Part> parts, Function Part::*function,
                         StringRef what) {
  llvm::StringMap<Function> seen;
  for (const Part &part : parts)
    if (seen.try_emplace(part.name, part.*function).first->second !=
        part.*function)
      return ("there is " + what + " '" + part.name + "' already").str();
  return "";
}

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
  for (const std::string &problem :
       {registry.problem, registry.passes.problem().str(),
        clash<FrontEnd>(registry.frontEnds, &FrontEnd::parse, "a front end"),
        clash<Emitter>(registry.emitters, &Emitter::emit, "an emitter")})
    if (!problem.empty())
      return fail(problem);
  return true;
}
