//===- taken.cpp - Parts that cannot be added -----------------------------===//

#include "cif/Tools/Plugin.h"

using namespace cif;

[[maybe_unused]] static PassResult runNothing(Module &, PassContext &) {
  return PassResult::Unchanged;
}

static void addParts(Registry &registry) {
#if defined(PASS)
  registry.passes.add(
      {"normalize", PassGroup::Transform, "nothing", "", runNothing, {}});
#elif defined(FUNCTION)
  registry.passes.add(
      {"nothing", PassGroup::Transform, "nothing", "", nullptr, {}});
#elif defined(FRONTEND)
  registry.frontEnds.push_back(
      {"ioc", "ioc", "nothing", [](StringRef, StringRef) { return 0; },
       [](const SourceBuffer &, Module &, DiagnosticEngine &,
          const FrontEndOptions &) { return true; }});
#else
  registry.emitters.push_back({"svg", "svg", "nothing",
                               [](const Module &, raw_ostream &,
                                  DiagnosticEngine &,
                                  const EmitOptions &) { return true; }});
#endif
}

extern "C" PluginInfo cifPluginInfo() {
  return {pluginApiVersion, "taken", "1.0", addParts};
}
