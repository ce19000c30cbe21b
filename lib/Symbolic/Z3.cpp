//===- Z3.cpp - The solver Z3 ---------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Formulas to and from Z3, by its C interface. Integers and truth values are
/// Z3's; strings and literals are of one sort without interpretation, whose
/// literals differ from each other, so that the solver cannot order or count
/// them. Quantifiers over integers are eliminated by Z3's `qe`, which is
/// complete for linear arithmetic; any other result is discarded.
///
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Solver.h"

using namespace cif;

#ifndef CIF_HAVE_Z3

std::unique_ptr<Solver> cif::makeSolver(FormulaPool &, double, const Limits &,
                                        std::string &why) {
  why = "this was built without Z3; install it (Debian: libz3-dev) and build "
        "again with -DCIF_Z3=ON";
  return nullptr;
}

#else

#include "Z3Functions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include <unistd.h>

namespace {

/// Errors are looked for after each question, but without memory there is no
/// after.
void ignoreError(Z3_context, Z3_error_code error) {
  if (error == Z3_MEMOUT_FAIL)
    _exit(outOfMemoryStatus);
}

class Z3Solver : public Solver, Z3Functions {
public:
  /// Null: there is no memory for it.
  static std::unique_ptr<Solver> make(FormulaPool &pool, double secondsEach,
                                      const Limits &limits);
  using Z3Functions::load;
  Z3Solver(FormulaPool &pool, double secondsEach, const Limits &limits,
           Z3_context context);
  ~Z3Solver() override {
    Z3_solver_dec_ref(z3, solver);
    Z3_del_context(z3);
  }

  Answer satisfiable(FormulaId formula, Valuation *model) override;
  std::optional<FormulaId> forAll(ArrayRef<VariableId> bound,
                                  FormulaId formula) override;
  std::optional<FormulaId> simplify(FormulaId formula) override;
  std::string version() const override { return versionText(); }
  static std::string versionText() {
    unsigned major, minor, build, revision;
    Z3_get_version(&major, &minor, &build, &revision);
    return "Z3 " + std::to_string(major) + "." + std::to_string(minor) + "." +
           std::to_string(build);
  }

private:
  void beginQuestion();
  unsigned milliseconds() const;
  Z3_sort sortOf(DataSort sort) const {
    return sort == boolData ? boolSort : sort == intData ? intSort : textSort;
  }
  Z3_ast to(FormulaId formula);
  Z3_ast make(const FormulaPool::Node &node);
  Z3_ast facts(const std::vector<VariableId> &variables);
  std::optional<FormulaId> from(Z3_ast root);
  std::optional<FormulaId> fromApp(Z3_app app);
  std::optional<FormulaId> fold(ExprOp op, Z3_app app);
  Answer check(Z3_ast formula, ArrayRef<VariableId> variables, Valuation *model,
               double share = 1);
  bool isValid(FormulaId formula);
  bool readModel(Z3_model model, ArrayRef<VariableId> variables,
                 Valuation &values);
  std::optional<FormulaId> shorter(FormulaId formula);
  std::optional<FormulaId> forAllOf(ArrayRef<VariableId> bound,
                                    FormulaId formula);
  std::optional<FormulaId> forAllByZ3(ArrayRef<VariableId> integers,
                                      FormulaId formula);
  std::optional<FormulaId> forAllByCases(ArrayRef<VariableId> integers,
                                         FormulaId formula);
  std::optional<FormulaId> apply(Z3_ast formula,
                                 ArrayRef<const char *> tactics);
  Z3_ast variableAst(VariableId v) { return to(pool.var(v)); }
  /// Keeps that Z3 ran out of its memory, if \p why says so.
  void noteWhy(StringRef why) {
    if (why.contains("memory") || why.contains("memout"))
      limit = "memory";
  }

  FormulaPool &pool;
  double seconds;
  Limits limits;
  Limits::Clock::time_point until; ///< the end of the question
  Z3_context z3;
  Z3_solver solver;
  Z3_sort boolSort, intSort, textSort;
  llvm::DenseMap<uint32_t, Z3_ast> made;      ///< by formula
  llvm::DenseMap<uint32_t, FormulaId> known;  ///< by the ast's number
  std::map<DataNumber, Z3_ast> texts;         ///< constants of literals
  llvm::DenseMap<uint32_t, FormulaId> leaves; ///< by the ast's number
  std::map<std::pair<std::vector<VariableId>, FormulaId>,
           std::optional<FormulaId>>
      eliminated;
};

} // namespace

Z3Solver::Z3Solver(FormulaPool &of, double secondsEach, const Limits &within,
                   Z3_context context)
    : pool(of), seconds(secondsEach), limits(within), z3(context) {
  Z3_set_error_handler(z3, ignoreError);
  boolSort = Z3_mk_bool_sort(z3);
  intSort = Z3_mk_int_sort(z3);
  textSort = Z3_mk_uninterpreted_sort(z3, Z3_mk_string_symbol(z3, "Text"));
  solver = Z3_mk_simple_solver(z3); // one for all: making it takes a while
  Z3_solver_inc_ref(z3, solver);
}

void Z3Solver::beginQuestion() {
  using Milliseconds = std::chrono::milliseconds;
  ++queries;
  until = std::min(limits.deadline,
                   Limits::Clock::now() +
                       Milliseconds(int64_t(std::min(seconds, 4e6) * 1000)));
}

/// What is left for the question.
unsigned Z3Solver::milliseconds() const {
  double left =
      std::chrono::duration<double>(until - Limits::Clock::now()).count();
  return left <= 0 ? 1 : static_cast<unsigned>(left * 1000) + 1;
}

//===----------------------------------------------------------------------===//
// To Z3
//===----------------------------------------------------------------------===//

Z3_ast Z3Solver::make(const FormulaPool::Node &node) {
  Z3_ast args[2] = {node.lhs ? made[node.lhs.index()] : nullptr,
                    node.rhs ? made[node.rhs.index()] : nullptr};
  switch (node.op) {
  case ExprOp::IntLiteral:
    return Z3_mk_int64(z3, node.value, intSort);
  case ExprOp::BoolLiteral:
    return node.value ? Z3_mk_true(z3) : Z3_mk_false(z3);
  case ExprOp::StringLiteral:
  case ExprOp::EnumLiteral: {
    std::string name = "t" + std::to_string(node.value);
    Z3_ast text =
        Z3_mk_const(z3, Z3_mk_string_symbol(z3, name.c_str()), textSort);
    texts[node.value] = text;
    return text;
  }
  case ExprOp::Variable: {
    std::string name = "v" + std::to_string(node.value);
    return Z3_mk_const(z3, Z3_mk_string_symbol(z3, name.c_str()),
                       sortOf(node.sort));
  }
  case ExprOp::Not:
    return Z3_mk_not(z3, args[0]);
  case ExprOp::Negate:
    return Z3_mk_unary_minus(z3, args[0]);
  case ExprOp::And:
    return Z3_mk_and(z3, 2, args);
  case ExprOp::Or:
    return Z3_mk_or(z3, 2, args);
  case ExprOp::Implies:
    return Z3_mk_implies(z3, args[0], args[1]);
  case ExprOp::Add:
    return Z3_mk_add(z3, 2, args);
  case ExprOp::Subtract:
    return Z3_mk_sub(z3, 2, args);
  case ExprOp::Multiply:
    return Z3_mk_mul(z3, 2, args);
  case ExprOp::Divide:
    return Z3_mk_div(z3, args[0], args[1]);
  case ExprOp::Modulo:
    return Z3_mk_mod(z3, args[0], args[1]);
  case ExprOp::Equal:
    return Z3_mk_eq(z3, args[0], args[1]);
  case ExprOp::NotEqual:
    return Z3_mk_not(z3, Z3_mk_eq(z3, args[0], args[1]));
  case ExprOp::Less:
    return Z3_mk_lt(z3, args[0], args[1]);
  case ExprOp::LessEqual:
    return Z3_mk_le(z3, args[0], args[1]);
  case ExprOp::Greater:
    return Z3_mk_gt(z3, args[0], args[1]);
  case ExprOp::GreaterEqual:
    return Z3_mk_ge(z3, args[0], args[1]);
  case ExprOp::Opaque:
    break;
  }
  llvm_unreachable("no formula has this");
}

Z3_ast Z3Solver::to(FormulaId formula) {
  for (FormulaId at : pool.below(formula)) {
    if (made.count(at.index()))
      continue;
    FormulaPool::Node node = pool[at];
    Z3_ast ast = make(node);
    made[at.index()] = ast;
    if (!node.lhs)
      leaves[Z3_get_ast_id(z3, ast)] = at;
  }
  return made[formula.index()];
}

/// What is true of these variables and of literals whatever a formula says.
Z3_ast Z3Solver::facts(const std::vector<VariableId> &variables) {
  std::vector<Z3_ast> all;
  for (VariableId v : variables) {
    DataSort sort = pool.variable(v).sort;
    if (!sort.isEnum())
      continue;
    std::vector<Z3_ast> values;
    for (uint32_t literal : pool.literals(sort))
      values.push_back(
          Z3_mk_eq(z3, variableAst(v), to(pool.number(literal, sort))));
    all.push_back(Z3_mk_or(z3, values.size(), values.data()));
  }
  std::vector<Z3_ast> literals;
  for (auto [number, ast] : texts)
    literals.push_back(ast);
  if (literals.size() > 1)
    all.push_back(Z3_mk_distinct(z3, literals.size(), literals.data()));
  return Z3_mk_and(z3, all.size(), all.data());
}

//===----------------------------------------------------------------------===//
// From Z3
//===----------------------------------------------------------------------===//

/// An operation on two or more operands, from the left.
std::optional<FormulaId> Z3Solver::fold(ExprOp op, Z3_app app) {
  std::optional<FormulaId> result;
  for (unsigned i = 0, n = Z3_get_app_num_args(z3, app); i < n; ++i) {
    FormulaId next = known[Z3_get_ast_id(z3, Z3_get_app_arg(z3, app, i))];
    // `x + -1 * y` and `x + -3` as people write them.
    bool isMinus = false;
    if (op == ExprOp::Add && result) {
      const FormulaPool::Node node = pool[next];
      if (node.op == ExprOp::IntLiteral && node.value < 0 &&
          node.value != INT64_MIN) {
        next = pool.number(-node.value);
        isMinus = true;
      } else if (node.op == ExprOp::Negate) {
        next = node.lhs;
        isMinus = true;
      }
    }
    result = !result
                 ? next
                 : pool.make(isMinus ? ExprOp::Subtract : op, *result, next);
  }
  return result;
}

std::optional<FormulaId> Z3Solver::fromApp(Z3_app app) {
  auto leaf = leaves.find(Z3_get_ast_id(z3, Z3_app_to_ast(z3, app)));
  if (leaf != leaves.end())
    return leaf->second;
  auto arg = [&](unsigned i) {
    return known[Z3_get_ast_id(z3, Z3_get_app_arg(z3, app, i))];
  };
  unsigned count = Z3_get_app_num_args(z3, app);
  switch (Z3_get_decl_kind(z3, Z3_get_app_decl(z3, app))) {
  case Z3_OP_TRUE:
    return pool.truth(true);
  case Z3_OP_FALSE:
    return pool.truth(false);
  case Z3_OP_ANUM: {
    int64_t value;
    if (!Z3_get_numeral_int64(z3, Z3_app_to_ast(z3, app), &value))
      return std::nullopt;
    return pool.number(value);
  }
  case Z3_OP_NOT:
    return pool.negation(arg(0));
  case Z3_OP_UMINUS:
    return pool.make(ExprOp::Negate, arg(0));
  case Z3_OP_AND:
    return count ? fold(ExprOp::And, app) : pool.truth(true);
  case Z3_OP_OR:
    return count ? fold(ExprOp::Or, app) : pool.truth(false);
  case Z3_OP_IMPLIES:
    return pool.make(ExprOp::Implies, arg(0), arg(1));
  case Z3_OP_EQ:
  case Z3_OP_IFF:
    return pool.make(ExprOp::Equal, arg(0), arg(1));
  case Z3_OP_DISTINCT:
    if (count == 2)
      return pool.make(ExprOp::NotEqual, arg(0), arg(1));
    return std::nullopt;
  case Z3_OP_ITE: {
    if (pool[arg(1)].sort != boolData)
      return std::nullopt;
    return pool.conjunction(pool.make(ExprOp::Implies, arg(0), arg(1)),
                            pool.make(ExprOp::Or, arg(0), arg(2)));
  }
  case Z3_OP_LE:
    return pool.make(ExprOp::LessEqual, arg(0), arg(1));
  case Z3_OP_GE:
    return pool.make(ExprOp::GreaterEqual, arg(0), arg(1));
  case Z3_OP_LT:
    return pool.make(ExprOp::Less, arg(0), arg(1));
  case Z3_OP_GT:
    return pool.make(ExprOp::Greater, arg(0), arg(1));
  case Z3_OP_ADD:
    return fold(ExprOp::Add, app);
  case Z3_OP_SUB:
    return fold(ExprOp::Subtract, app);
  case Z3_OP_MUL:
    if (count == 2 && pool[arg(0)].op == ExprOp::IntLiteral &&
        pool[arg(0)].value == -1)
      return pool.make(ExprOp::Negate, arg(1));
    return fold(ExprOp::Multiply, app);
  case Z3_OP_IDIV:
  case Z3_OP_MOD: {
    FormulaPool::Node by = pool[arg(1)];
    if (by.op != ExprOp::IntLiteral || !by.value)
      return std::nullopt;
    bool isDiv = Z3_get_decl_kind(z3, Z3_get_app_decl(z3, app)) == Z3_OP_IDIV;
    return pool.make(isDiv ? ExprOp::Divide : ExprOp::Modulo, arg(0), arg(1));
  }
  default:
    return std::nullopt;
  }
}

/// What Z3 made, as a formula; nothing where it has something of its own.
std::optional<FormulaId> Z3Solver::from(Z3_ast root) {
  std::vector<Z3_ast> work{root};
  while (!work.empty()) {
    Z3_ast at = work.back();
    uint32_t number = Z3_get_ast_id(z3, at);
    if (known.count(number)) {
      work.pop_back();
      continue;
    }
    if (!Z3_is_app(z3, at))
      return std::nullopt; // a quantifier is left
    Z3_app app = Z3_to_app(z3, at);
    size_t before = work.size();
    for (unsigned i = 0, n = Z3_get_app_num_args(z3, app); i < n; ++i)
      if (!known.count(Z3_get_ast_id(z3, Z3_get_app_arg(z3, app, i))))
        work.push_back(Z3_get_app_arg(z3, app, i));
    if (work.size() > before)
      continue;
    std::optional<FormulaId> formula = fromApp(app);
    if (!formula)
      return std::nullopt;
    known[number] = *formula;
    work.pop_back();
  }
  return known[Z3_get_ast_id(z3, root)];
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

bool Z3Solver::readModel(Z3_model model, ArrayRef<VariableId> variables,
                         Valuation &values) {
  std::map<uint32_t, DataNumber> numbers; // of texts, by the value's ast
  // Texts that no literal names are numbered behind all that do.
  DataNumber another = firstOtherText;
  for (auto [number, ast] : texts) {
    another = std::max(another, number + 1);
    Z3_ast value;
    if (Z3_model_eval(z3, model, ast, true, &value))
      numbers.try_emplace(Z3_get_ast_id(z3, value), number);
  }
  for (VariableId v : variables) {
    Z3_ast value;
    if (!Z3_model_eval(z3, model, variableAst(v), true, &value))
      return false;
    DataSort sort = pool.variable(v).sort;
    if (sort == boolData) {
      values[v] = Z3_get_bool_value(z3, value) == Z3_L_TRUE;
    } else if (sort == intData) {
      int64_t number;
      if (!Z3_get_numeral_int64(z3, value, &number))
        return false;
      values[v] = number;
    } else {
      auto [at, isNew] = numbers.try_emplace(Z3_get_ast_id(z3, value), another);
      another += isNew;
      values[v] = at->second;
    }
  }
  return true;
}

Answer Z3Solver::check(Z3_ast formula, ArrayRef<VariableId> variables,
                       Valuation *model, double share) {
  Z3_params params = Z3_mk_params(z3);
  Z3_params_inc_ref(z3, params);
  Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "timeout"),
                     static_cast<unsigned>(milliseconds() * share) + 1);
  Z3_solver_set_params(z3, solver, params);
  Z3_params_dec_ref(z3, params);
  Z3_solver_push(z3, solver);
  Z3_solver_assert(z3, solver, formula);
  Z3_lbool found = Z3_solver_check(z3, solver);
  Answer answer = found == Z3_L_TRUE    ? Answer::Yes
                  : found == Z3_L_FALSE ? Answer::No
                                        : Answer::Unknown;
  if (answer == Answer::Unknown)
    noteWhy(Z3_solver_get_reason_unknown(z3, solver));
  if (answer == Answer::Yes && model) {
    Z3_model values = Z3_solver_get_model(z3, solver);
    Z3_model_inc_ref(z3, values);
    if (!readModel(values, variables, *model))
      answer = Answer::Unknown;
    Z3_model_dec_ref(z3, values);
  }
  Z3_solver_pop(z3, solver, 1);
  return answer;
}

Answer Z3Solver::satisfiable(FormulaId formula, Valuation *model) {
  beginQuestion();
  if (pool.is(formula, false))
    return Answer::No;
  std::vector<VariableId> variables;
  pool.collect(formula, variables);
  Z3_ast base = to(formula);
  Z3_ast with[2] = {base, facts(variables)};
  base = Z3_mk_and(z3, 2, with);
  if (!model)
    return check(base, variables, nullptr);
  // Small numbers are easier to read.
  for (int64_t most : {10, 1000}) {
    std::vector<Z3_ast> all{base};
    for (VariableId v : variables)
      if (pool.variable(v).sort == intData) {
        all.push_back(
            Z3_mk_le(z3, variableAst(v), Z3_mk_int64(z3, most, intSort)));
        all.push_back(
            Z3_mk_ge(z3, variableAst(v),
                     Z3_mk_int64(z3, most == 10 ? 0 : -most, intSort)));
      }
    if (check(Z3_mk_and(z3, all.size(), all.data()), variables, model) ==
        Answer::Yes)
      return Answer::Yes;
  }
  return check(base, variables, model);
}

std::optional<FormulaId> Z3Solver::apply(Z3_ast formula,
                                         ArrayRef<const char *> names) {
  Z3_tactic all = nullptr;
  for (const char *name : names) {
    Z3_tactic next = Z3_mk_tactic(z3, name);
    Z3_tactic_inc_ref(z3, next);
    if (all) {
      Z3_tactic both = Z3_tactic_and_then(z3, all, next);
      Z3_tactic_inc_ref(z3, both);
      Z3_tactic_dec_ref(z3, all);
      Z3_tactic_dec_ref(z3, next);
      next = both;
    }
    all = next;
  }
  Z3_tactic limited = Z3_tactic_try_for(z3, all, milliseconds());
  Z3_tactic_inc_ref(z3, limited);
  Z3_goal goal = Z3_mk_goal(z3, /*models=*/false, false, false);
  Z3_goal_inc_ref(z3, goal);
  Z3_goal_assert(z3, goal, formula);
  Z3_apply_result result = Z3_tactic_apply(z3, limited, goal);
  std::optional<FormulaId> read;
  if (Z3_error_code error = Z3_get_error_code(z3); error != Z3_OK)
    noteWhy(Z3_get_error_msg(z3, error));
  else if (result) {
    Z3_apply_result_inc_ref(z3, result);
    std::vector<Z3_ast> ways;
    for (unsigned i = 0, n = Z3_apply_result_get_num_subgoals(z3, result);
         i < n; ++i) {
      Z3_goal part = Z3_apply_result_get_subgoal(z3, result, i);
      std::vector<Z3_ast> of;
      for (unsigned j = 0, m = Z3_goal_size(z3, part); j < m; ++j)
        of.push_back(Z3_goal_formula(z3, part, j));
      ways.push_back(Z3_mk_and(z3, of.size(), of.data()));
    }
    read = from(Z3_mk_or(z3, ways.size(), ways.data()));
    Z3_apply_result_dec_ref(z3, result);
  }
  Z3_goal_dec_ref(z3, goal);
  Z3_tactic_dec_ref(z3, limited);
  Z3_tactic_dec_ref(z3, all);
  return read;
}

std::optional<FormulaId> Z3Solver::simplify(FormulaId formula) {
  beginQuestion();
  return shorter(formula);
}

std::optional<FormulaId> Z3Solver::shorter(FormulaId formula) {
  if (pool.isLiteral(formula))
    return formula;
  return apply(to(formula), {"simplify", "ctx-solver-simplify"});
}

std::optional<FormulaId> Z3Solver::forAllByZ3(ArrayRef<VariableId> integers,
                                              FormulaId formula) {
  std::vector<Z3_app> apps;
  for (VariableId v : integers)
    apps.push_back(Z3_to_app(z3, variableAst(v)));
  return apply(Z3_mk_forall_const(z3, 0, apps.size(), apps.data(), 0, nullptr,
                                  to(formula)),
               {"simplify", "qe", "simplify"});
}

std::optional<FormulaId> Z3Solver::forAllByCases(ArrayRef<VariableId> integers,
                                                 FormulaId formula) {
  std::optional<FormulaId> result = formula;
  for (VariableId v : integers)
    if (result)
      result = cif::forAllByCases(pool, v, *result);
  if (result)
    result = shorter(*result).value_or(*result);
  return result;
}

/// Whether all values make it true, as far as a fifth of the time tells: much
/// that is asked of all values is, and then nothing has to be eliminated.
bool Z3Solver::isValid(FormulaId formula) {
  std::vector<VariableId> variables;
  pool.collect(formula, variables);
  Z3_ast negated = Z3_mk_not(z3, to(formula));
  Z3_ast both[2] = {negated, facts(variables)};
  return check(Z3_mk_and(z3, 2, both), variables, nullptr, 0.2) == Answer::No;
}

/// One conjunct for all values: what does not depend on them is left out.
std::optional<FormulaId> Z3Solver::forAllOf(ArrayRef<VariableId> bound,
                                            FormulaId formula) {
  auto key = std::pair(std::vector(bound.begin(), bound.end()), formula);
  if (auto found = eliminated.find(key); found != eliminated.end())
    return found->second;
  auto mentions = [&](FormulaId part) {
    std::vector<VariableId> used;
    pool.collect(part, used);
    return llvm::any_of(
        bound, [&](VariableId v) { return llvm::binary_search(used, v); });
  };
  FormulaId rest = formula;
  SmallVector<FormulaId, 4> premises; // as they are nested, to be found again
  for (FormulaPool::Node node = pool[rest];
       node.op == ExprOp::Implies && !mentions(node.lhs); node = pool[rest]) {
    premises.push_back(node.lhs);
    rest = node.rhs;
  }
  std::optional<FormulaId> result = rest;
  if (mentions(rest)) {
    SmallVector<VariableId, 4> integers;
    rest = forAllFinite(pool, bound, rest, integers);
    result = rest;
    if (!integers.empty() && isValid(rest)) {
      result = pool.truth(true);
    } else if (!integers.empty()) {
      // Cases are the faster way through what is large.
      constexpr size_t large = 4000;
      bool casesFirst = pool.below(rest).size() > large;
      result = casesFirst ? forAllByCases(integers, rest)
                          : forAllByZ3(integers, rest);
      if (!result)
        result = casesFirst ? forAllByZ3(integers, rest)
                            : forAllByCases(integers, rest);
    }
  }
  for (FormulaId premise : llvm::reverse(premises))
    if (result)
      result = pool.make(ExprOp::Implies, premise, *result);
  eliminated[key] = result;
  return result;
}

std::optional<FormulaId> Z3Solver::forAll(ArrayRef<VariableId> bound,
                                          FormulaId formula) {
  beginQuestion();
  FormulaId all = pool.truth(true);
  for (FormulaId part : pool.conjuncts(formula)) {
    std::optional<FormulaId> left = forAllOf(bound, part);
    if (!left)
      return left;
    all = pool.conjunction(all, *left);
  }
  return all;
}

std::unique_ptr<Solver> Z3Solver::make(FormulaPool &pool, double secondsEach,
                                       const Limits &limits) {
  if (limits.maxMemory)
    Z3_global_param_set(
        "memory_max_size",
        std::to_string(std::max<uint64_t>(limits.maxMemory >> 20, 1)).c_str());
  Z3_config config = Z3_mk_config();
  Z3_context context = Z3_mk_context(config);
  Z3_del_config(config);
  if (!context)
    return nullptr;
  return std::make_unique<Z3Solver>(pool, secondsEach, limits, context);
}

std::unique_ptr<Solver> cif::makeSolver(FormulaPool &pool, double secondsEach,
                                        const Limits &limits,
                                        std::string &why) {
  if (const std::string &problem = Z3Solver::load(); !problem.empty()) {
    why = "Z3 cannot be loaded: " + problem;
    return nullptr;
  }
  return makeSolverProcess(pool, secondsEach, limits, Z3Solver::versionText(),
                           [=](FormulaPool &own) {
                             return Z3Solver::make(own, secondsEach, limits);
                           });
}

#endif
