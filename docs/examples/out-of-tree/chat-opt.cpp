//===- chat-opt.cpp - cif-opt with parts of our own -----------------------===//

#include "Chat.h"
#include "cif/Tools/Drivers.h"

int main(int argc, char **argv) {
  cif::Registry registry = cif::builtinRegistry();
  chat::registerParts(registry);
  return cif::cifOptMain(argc, argv, std::move(registry));
}
