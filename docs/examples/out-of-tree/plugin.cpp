//===- plugin.cpp - The parts for the installed tools ---------------------===//

#include "Chat.h"
#include "cif/Tools/Plugin.h"

extern "C" cif::PluginInfo cifPluginInfo() {
  return {cif::pluginApiVersion, "chat", "1.0", chat::registerParts};
}
