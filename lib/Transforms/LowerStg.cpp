//===- LowerStg.cpp - Symbolic transition graphs --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `lower-stg`: writes the symbolic transition graphs of the module's
/// choreographies and processes [symbolic, Fig. 2], or the product of the
/// processes [symbolic, Algorithm 1], restricted to the exchanges of a
/// choreography [symbolic, Def. 2] where one is given. The module stays as it
/// is.
///
//===----------------------------------------------------------------------===//

#include "cif/Pass/Pass.h"
#include "cif/Support/Diagnostics/Data.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "cif/Symbolic/Stg.h"
#include "cif/Transforms/Normalize.h"

using namespace cif;

namespace {
/// One run of the pass: the formulas of its graphs.
class StgLowering {
public:
  PassResult run(Module &module, PassContext &context);

private:
  Outcome<std::vector<Stg>> graphs(const Module &module, bool product,
                                   PassContext &context);
  FormulaPool pool;
  std::vector<OpenCondition> open;
};

} // namespace

/// Every graph that is asked for.
Outcome<std::vector<Stg>>
StgLowering::graphs(const Module &module, bool product, PassContext &context) {
  using Graphs = Outcome<std::vector<Stg>>;
  std::vector<Stg> found;
  if (!product) {
    for (const Behaviour &b : module.behaviours) {
      Outcome<Stg> stg =
          buildStg(module, b, pool, context.limits, context.diags, open);
      if (!stg)
        return Graphs::without(stg);
      found.push_back(std::move(*stg));
    }
    return found;
  }
  Outcome<Stg> whole =
      buildImplementation(module, pool, context.limits, context.diags, open);
  if (!whole)
    return Graphs::without(whole);
  found.push_back(std::move(*whole));
  StringRef path = context.option("alphabet");
  if (path.empty())
    return found;
  std::unique_ptr<Module> spec = context.host.load(path);
  if (!spec || !normalize(*spec, context.diags))
    return Failed();
  std::vector<StgLabel> alphabet;
  for (const Behaviour &b : spec->behaviours)
    if (b.kind == BehaviourKind::Choreography)
      llvm::append_range(alphabet, alphabetOf(*spec, b));
  llvm::sort(alphabet);
  found.front() = restrict(found.front(), alphabet, pool);
  return found;
}

PassResult StgLowering::run(Module &module, PassContext &context) {
  auto format = context.oneOf("format", {"text", "dot"});
  if (!format)
    return PassResult::Failed;
  if (module.behaviours.empty()) {
    context.diags.report(diag::nothing_to_explore) << "choreography or process";
    return PassResult::Failed;
  }
  Module normal = module.clone();
  if (!normalize(normal, context.diags))
    return PassResult::Failed;
  bool whole = context.flag("product") || context.hasOption("alphabet");
  if (whole && !normal.has(BehaviourKind::Process)) {
    context.diags.report(diag::nothing_to_explore)
        << "process for the product; --project makes them";
    return PassResult::Failed;
  }
  Outcome<std::vector<Stg>> found = graphs(normal, whole, context);
  if (found.isStopped())
    return context.stop(module, "the symbolic transition graph", Place(),
                        found.limit());
  if (!found)
    return PassResult::Failed;
  for (const OpenCondition &c : open)
    context.diags.report(c.at, diag::condition_open) << c.text << c.why;
  auto print = [&](raw_ostream &os) {
    if (*format)
      os << "digraph stg {\n";
    for (size_t i = 0; i < found->size(); ++i)
      if (*format)
        printStgDot(pool, (*found)[i], i, os);
      else
        printStg(pool, (*found)[i], os);
    if (*format)
      os << "}\n";
  };
  for (const Stg &stg : *found) {
    context.count("states", stg.numStates());
    context.count("transitions", stg.transitions.size());
  }
  if (context.hasOption("file"))
    return context.host.write(context.option("file"), print)
               ? PassResult::Unchanged
               : PassResult::Failed;
  if (context.host.log)
    print(*context.host.log);
  return PassResult::Unchanged;
}

namespace cif {
PassResult runLowerStg(Module &module, PassContext &context) {
  return StgLowering().run(module, context);
}
} // namespace cif
