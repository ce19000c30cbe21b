//===- Plugin.h - Parts loaded at run time --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A plugin is a shared object with one C function, cifPluginInfo:
///
///   extern "C" cif::PluginInfo cifPluginInfo() {
///     return {cif::pluginApiVersion, "mine", "1.0",
///             [](cif::Registry &registry) { registry.passes.add(...); }};
///   }
///
/// It links no library of CIF's or LLVM's: the tool that loads it has them all.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_PLUGIN_H
#define CIF_TOOLS_PLUGIN_H

#include "cif/Tools/Registry.h"
#include "cif/Tools/Version.h"

namespace cif {

struct PluginInfo {
  uint32_t apiVersion; ///< pluginApiVersion of the headers it was built with
  const char *name, *version;
  /// Adds what the plugin brings; called once, when it is loaded.
  void (*registerParts)(Registry &registry);
};

/// Loads a plugin and registers its parts. False: reported, with the path and
/// what was expected and found.
bool loadPlugin(StringRef path, Registry &registry, DiagnosticEngine &diags);

} // namespace cif

/// What a plugin exports.
extern "C" cif::PluginInfo cifPluginInfo();

#endif
