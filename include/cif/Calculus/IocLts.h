//===- IocLts.h - The LTSs of IOC terms and POC systems -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The labelled transition systems that [iocpoc] gives to choreographies and to
/// systems of roles, state by state.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_IOCLTS_H
#define CIF_CALCULUS_IOCLTS_H

#include "cif/Calculus/Projection.h"
#include "cif/IR/Lts.h"
#include "cif/Support/Limits.h"

namespace cif {

enum class PocNetwork : uint8_t {
  Synchronous, ///< output and input step together
  Asynchronous ///< an output leaves a message, which an input may take later
};

/// What a transition is called.
enum class StepKind : uint8_t { Exchange, Output, Internal };
struct IocStep {
  StepKind kind;
  /// Exchange: both; Output and Internal: the sender only.
  uint32_t sender, receiver, operation;
};
using StepLabel = function_ref<Label(const IocStep &)>;

/// Kinds of terms that have a semantics here: all. Choices and loops must be
/// deferred; guards and `while` are read as if any condition could be true or
/// false at any time.
ArrayRef<TermKind> iocLtsKinds();

/// The LTS of a choreography: its steps are exchanges and internal steps; an
/// action without a receiver is an output.
/// Nothing at a limit, which \p limit names; infinitely many steps of one state
/// are a limit too. \p term must have choices and loops as iocLtsKinds says.
std::optional<Lts> buildIocLts(const Term &term, StepLabel label,
                               const Limits &limits, std::string &limit);

/// The LTS of a system of roles. Asynchronous: outputs, exchanges (that is,
/// receptions) and internal steps, with at most \p mostMessages in transit.
/// Nothing at a limit, which \p limit names.
std::optional<Lts> buildPocLts(ArrayRef<PocRole> roles, PocNetwork network,
                               StepLabel label, const Limits &limits,
                               std::string &limit,
                               size_t mostMessages = SIZE_MAX);

} // namespace cif

#endif
