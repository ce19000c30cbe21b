//===- VerifierRules.h - The verifier's rules -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_IR_VERIFIERRULES_H
#define CIF_LIB_IR_VERIFIERRULES_H

#include "cif/IR/Verifier.h"

namespace cif {

class Verifier {
public:
  Verifier(const Module &module, DiagnosticEngine &diags, PlaceFinder fallback)
      : module(module), diags(diags), fallback(fallback) {}
  bool run();

private:
  using Subject = VerifierSubject;

  DiagnosticBuilder report(Subject subject, const Location &loc,
                           diag::Kind kind);
  DiagnosticBuilder report(Subject::Kind what, size_t index,
                           const Location &loc, diag::Kind kind) {
    return report(Subject{what, static_cast<uint32_t>(index)}, loc, kind);
  }
  /// About a node of the behaviour that is being looked at.
  DiagnosticBuilder atNode(size_t index, diag::Kind kind);
  DiagnosticBuilder atFlow(size_t index, diag::Kind kind);
  /// `interaction n3`.
  std::string describe(NodeId id) const;

  //===--- Verifier.cpp: what all other rules rely on ---------------------===//

  void indexesExist();
  void behaviourIndexesExist(const Behaviour &b);
  void locationExists(Subject subject, const Location &loc);
  void nameExists(Subject subject, const Location &loc, Name name);
  void sortExists(Subject subject, const Location &loc, Sort sort);
  template <class Id>
  void exists(Subject subject, const Location &loc, Id id, size_t count,
              StringRef what);
  template <class Enum>
  void enumeratorExists(Subject subject, const Location &loc, Enum value,
                        Enum last, StringRef what);
  void argumentsAreThere(const Behaviour &b);
  void operandsComeFirst();

  //===--- VerifierData.cpp: names, expressions, systems, facts -----------===//

  void stringsAreUtf8();
  void participantsDiffer();
  void instancesAreARange();
  void messagesDiffer();
  void messagesHaveAnEnd();
  void enumerationsAreSets();
  void exprsHoldWhatTheyNeed();
  void sortsFit();
  void ltsIsWellFormed();
  void labelsHoldWhatTheyNeed();
  void transitionLinesAreComplete();
  void peersHaveAnOwner();
  void messageFlowsHaveEnds();
  void violatedHasWitness();
  void witnessLoopsWithin();

  //===--- VerifierGraph.cpp: behaviours ----------------------------------===//

  void behaviourRules();
  void ownerFits();
  void kindFitsBehaviour();
  void flagsAreKnown();
  bool parentsAreContainers();
  void parentsHaveNoCycle();
  void messageIsThere();
  void fieldsFitKind();
  void messageFitsOwner();
  void interactionHasEnds();
  void replyGoesBack();
  void boundaryIsOnActivity();
  void callNamesEnclosing();
  void boundArgumentsAreVariables();
  void flowsStayInside();
  void incomingFitsKind();
  void outgoingFitsKind();
  void defaultsFitSource();
  void guardsAreBoolean();
  void attributesAreSorted();

  const Module &module;
  DiagnosticEngine &diags;
  PlaceFinder fallback;
  bool ok = true;
  uint32_t behaviourIndex = 0;
  const Behaviour *behaviour = nullptr;
};

} // namespace cif

#endif
