//===- IocRelation.h - When a system does what a choreography says --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The relations of [iocpoc] between a choreography and a system of roles.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_IOCRELATION_H
#define CIF_CALCULUS_IOCRELATION_H

#include "cif/Calculus/IocLts.h"
#include "cif/Equivalence/Compare.h"
#include <functional>

namespace cif {

enum class IocRelation : uint8_t {
  Synchronous,      ///< [iocpoc, Def. 4.1]
  Sender,           ///< [iocpoc, Def. 5.4]: receptions are silent
  Receiver,         ///< [iocpoc, Def. 5.6]: outputs are silent
  Disjoint,         ///< [iocpoc, Def. 5.8]
  SynchronousTrace, ///< equal traces of exchanges
  SenderTrace,      ///< equal traces of outputs
  ReceiverTrace,    ///< equal traces of receptions
  DisjointTrace, ///< equal traces of outputs and receptions, where those of an
                 ///< interaction stand for it, one right after the other but
                 ///< for what runs beside it [iocpoc, section 5.3]
};
/// "ioc-sync", "ioc-sender", ..., "ioc-disjoint-trace", in their order.
ArrayRef<StringRef> iocRelationNames();

struct IocComparison {
  Verdict verdict = Verdict::Inconclusive;
  std::string limit;  ///< inconclusive: why
  std::string method; ///< how it was decided
  /// Violated: sentences that tell the two apart, without full stops.
  std::vector<std::string> sentences;
  /// Violated: a way to where they differ; of a formula empty.
  std::vector<Label> trace;
  std::string formula; ///< violated, bisimilarity but for disjoint
  /// Violated: looks at the difference again, on the LTSs as they are. Whether
  /// it is one.
  std::function<bool()> replays;
  uint64_t states = 0, transitions = 0; ///< of both together

  bool holds() const { return verdict == Verdict::Holds; }
};

/// Names for labels.
struct IocNames {
  std::function<std::string(uint32_t)> role, operation;
};

/// Decides whether \p choreography and \p system are related. Roles and
/// operations must have the same numbers on both sides. Exact; inconclusive at
/// a limit.
IocComparison compareIoc(const Term &choreography, ArrayRef<PocRole> system,
                         IocRelation relation, const IocNames &names,
                         const Limits &limits = {});

/// The same for LTSs: \p choreography over exchanges, \p system over exchanges
/// and, when it is asynchronous, outputs. Not for DisjointTrace, which needs to
/// know what runs beside what.
IocComparison compareIoc(const Lts &choreography, const Lts &system,
                         IocRelation relation, const Limits &limits = {});

/// The first label of an LTS that \p relation does not allow on that side;
/// nothing if it allows all. compareIoc on LTSs requires that.
std::optional<Label> foreignLabel(const Lts &lts, IocRelation relation,
                                  bool isSystem);

} // namespace cif

#endif
