//===- AutFrontEnd.cpp - AUT files as modules -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An AUT file becomes a module with one system. Its labels tell its role:
/// exchanges `p->q:m` make a choreography, `q!m` and `p?m` a peer, which is
/// named after the file; anything else is a plain LTS.
///
//===----------------------------------------------------------------------===//

#include "AutFrontEnd.h"
#include "cif/LTS/Aut.h"
#include "cif/Support/InputBytes.h"
#include "llvm/Support/Path.h"

using namespace cif;

int cif::detectAut(StringRef, StringRef text) {
  return looksLikeAut(text) ? 90 : 0;
}

static SystemRole roleOf(ArrayRef<Label> labels) {
  bool exchanges = false, ends = false, others = false;
  for (const Label &label : labels) {
    exchanges |= label.kind == LabelKind::Exchange;
    ends |= label.kind == LabelKind::Send || label.kind == LabelKind::Receive;
    others |= label.kind == LabelKind::Plain;
  }
  if (others || exchanges == ends)
    return SystemRole::Plain;
  return exchanges ? SystemRole::Choreography : SystemRole::Peer;
}

bool cif::parseAut(const SourceBuffer &source, Module &module,
                   DiagnosticEngine &diags, const FrontEndOptions &) {
  StringRef stem = llvm::sys::path::stem(unpackedName(source.path()));
  std::optional<Lts> lts = readAut(source.text(), source.path(), diags, stem);
  if (!lts)
    return false;
  SystemDecl system;
  system.role = roleOf(lts->labels);
  system.name = module.intern(stem);
  system.loc.source = module.getSource(source.path(), "aut");
  system.loc.line = system.loc.column = 1;
  if (system.role == SystemRole::Peer)
    system.owner = module.getParticipant(system.name, system.loc);
  for (const Label &label : lts->labels) {
    if (label.kind == LabelKind::Tau || label.kind == LabelKind::Plain ||
        label.kind == LabelKind::Tick)
      continue;
    auto end = [&](StringRef name) {
      return module.getParticipant(module.intern(name), system.loc);
    };
    ParticipantId sender = end(label.sender), receiver = end(label.receiver);
    module.getMessage(module.intern(label.message), sender, receiver,
                      system.loc);
  }
  system.lts = std::move(*lts);
  module.systems.push_back(std::move(system));
  return true;
}
