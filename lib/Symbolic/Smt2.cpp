//===- Smt2.cpp - Questions for other solvers -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Smt2.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

namespace {
class Smt2Writer {
public:
  Smt2Writer(const Pes &pes, const PesSolution &solution, raw_ostream &os)
      : pes(pes), pool(pes.pool), solution(solution), os(os) {}
  void run(const SymbolicVerdict &verdict);

private:
  std::string name(VariableId v) const;
  StringRef sort(DataSort s) const {
    return s == boolData ? "Bool" : s == intData ? "Int" : "Text";
  }
  /// SMT-LIB has no negative literals.
  std::string number(int64_t value) const {
    std::string digits = std::to_string(value);
    return value < 0 ? "(- " + digits.substr(1) + ")" : digits;
  }
  std::string literal(int64_t number) const {
    return "text!" + std::to_string(number);
  }
  std::string predicate(uint32_t pair) const {
    return "R_" + std::to_string(pes.pairs[pair].implementation) + "_" +
           std::to_string(pes.pairs[pair].choreography);
  }
  std::string parameters(ArrayRef<VariableId> variables) const;
  /// `(R args)`, with some variables replaced.
  std::string call(uint32_t pair, const Substitution &given) const;
  std::string text(FormulaId formula) const;
  std::string text(const PesNode &node, ArrayRef<std::string> texts,
                   uint32_t first) const;
  /// That variables of enumerations have one of their values.
  std::string inSorts(ArrayRef<VariableId> variables) const;
  void literals();
  void equation(uint32_t pair);
  void ask(StringRef what, StringRef formula, StringRef expected);

  const Pes &pes;
  const FormulaPool &pool;
  const PesSolution &solution;
  raw_ostream &os;
};
} // namespace

/// Quoted symbols may have anything but `|` and `\`. The number tells variables
/// of one name apart.
std::string Smt2Writer::name(VariableId v) const {
  std::string text = pool.qualifiedName(v);
  for (char &c : text)
    if (c == '|' || c == '\\' || static_cast<unsigned char>(c) < 0x20)
      c = '_';
  return "|" + text + "#" + std::to_string(v.index()) + "|";
}

std::string Smt2Writer::parameters(ArrayRef<VariableId> variables) const {
  std::string result = "(";
  for (VariableId v : variables)
    result += (result.size() > 1 ? " (" : "(") + name(v) + " " +
              sort(pool.variable(v).sort).str() + ")";
  return result + ")";
}

std::string Smt2Writer::call(uint32_t pair, const Substitution &given) const {
  const std::vector<VariableId> &own = pes.pairs[pair].variables;
  if (own.empty())
    return predicate(pair);
  std::string result = "(" + predicate(pair);
  for (VariableId v : own) {
    auto found = given.find(v);
    result += " " + (found == given.end() ? name(v) : text(found->second));
  }
  return result + ")";
}

std::string Smt2Writer::text(FormulaId root) const {
  static const char *const signs[] = {
      "not", "-",   "and", "or",       "=>", "+",  "-", "*",
      "div", "mod", "=",   "distinct", "<",  "<=", ">", ">="};
  std::map<FormulaId, std::string> made;
  for (FormulaId at : pool.below(root)) {
    const FormulaPool::Node &node = pool[at];
    std::string &result = made[at];
    switch (node.op) {
    case ExprOp::Variable:
      result = name(VariableId(node.value));
      break;
    case ExprOp::BoolLiteral:
      result = node.value ? "true" : "false";
      break;
    case ExprOp::IntLiteral:
      result = number(node.value);
      break;
    case ExprOp::StringLiteral:
    case ExprOp::EnumLiteral:
      result = literal(node.value);
      break;
    default:
      result = std::string("(") +
               signs[static_cast<unsigned>(node.op) -
                     static_cast<unsigned>(ExprOp::Not)] +
               " " + made[node.lhs] + (node.rhs ? " " + made[node.rhs] : "") +
               ")";
    }
  }
  return made[root];
}

std::string Smt2Writer::text(const PesNode &node, ArrayRef<std::string> texts,
                             uint32_t first) const {
  auto children = [&] {
    std::string all;
    for (uint32_t child : node.children)
      all += " " + texts[child - first];
    return all;
  };
  switch (node.kind) {
  case PesNode::Formula:
    return text(node.formula);
  case PesNode::Apply:
    return call(node.pair, node.given);
  case PesNode::Substitute: {
    std::string lets;
    for (auto [v, value] : node.given)
      lets += "(" + name(v) + " " + text(value) + ")";
    return "(let (" + lets + ")" + children() + ")";
  }
  case PesNode::And:
    return "(and" + children() + ")";
  case PesNode::Or:
    return "(or" + children() + ")";
  case PesNode::Implies:
    return "(=>" + children() + ")";
  case PesNode::ForAll:
    return "(forall " + parameters(node.bound) + children() + ")";
  case PesNode::Exists:
    return "(exists " + parameters(node.bound) + children() + ")";
  }
  llvm_unreachable("no such node");
}

std::string Smt2Writer::inSorts(ArrayRef<VariableId> variables) const {
  std::string all = "(and true";
  for (VariableId v : variables) {
    DataSort s = pool.variable(v).sort;
    if (!s.isEnum())
      continue;
    all += " (or false";
    for (uint32_t l : pool.literals(s))
      all += " (= " + name(v) + " " + literal(l) + ")";
    all += ")";
  }
  return all + ")";
}

void Smt2Writer::literals() {
  os << "(declare-sort Text 0)\n";
  std::string all;
  for (uint32_t l = 0; l < pool.numLiterals(); ++l) {
    os << "(declare-const " << literal(l) << " Text)\n";
    all += " " + literal(l);
  }
  if (pool.numLiterals() > 1)
    os << "(assert (distinct" << all << "))\n";
}

void Smt2Writer::ask(StringRef what, StringRef formula, StringRef expected) {
  os << "\n; " << what << "\n(push 1)\n(assert " << formula << ")\n"
     << "(set-info :status " << expected << ")\n(check-sat)\n(pop 1)\n";
}

void Smt2Writer::equation(uint32_t number) {
  const PesPair &pair = pes.pairs[number];
  std::vector<std::string> texts;
  for (uint32_t n = pair.firstNode; n < pair.endNode; ++n)
    texts.push_back(text(pes.nodes[n], texts, pair.firstNode));
  std::string same = "(= " + call(number, {}) + " " + texts.back() + ")";
  std::string here = inSorts(pair.variables);
  if (!solution.reachable.empty())
    here = "(and " + here + " " + text(solution.reachable[number]) + ")";
  std::string all = "(=> " + here + " " + same + ")";
  if (!pair.variables.empty())
    all = "(forall " + parameters(pair.variables) + " " + all + ")";
  ask(pes.name(number) + " solves its equation", "(not " + all + ")", "unsat");
}

void Smt2Writer::run(const SymbolicVerdict &verdict) {
  os << "; Predicate equations of symbolic conformance, and their solution.\n"
     << "; R_i_j: for which data state i of the implementation conforms to\n"
     << "; state j of the choreography.\n(set-logic ALL)\n";
  if (!solution.stopped.empty()) {
    os << "; not solved: stopped at " << solution.stopped << "\n";
    return;
  }
  literals();
  for (uint32_t p = 0; p < pes.pairs.size(); ++p)
    os << "(define-fun " << predicate(p) << " "
       << parameters(pes.pairs[p].variables) << " Bool "
       << text(solution.predicates[p].formula()) << ")\n";
  for (uint32_t p = 0; p < pes.pairs.size(); ++p)
    equation(p);
  const std::vector<VariableId> &free = pes.pairs[0].variables;
  std::string sorts = inSorts(free), range;
  os << "\n";
  for (VariableId v : free) {
    os << "(declare-const " << name(v) << " " << sort(pool.variable(v).sort)
       << ")\n";
    if (pool.variable(v).sort != intData)
      continue;
    for (auto [bound, sign] : {std::pair(pes.range.lowest, ">="),
                               std::pair(pes.range.highest, "<=")})
      if (bound)
        range += std::string(" (") + sign + " " + name(v) + " " +
                 number(*bound) + ")";
  }
  std::string premise = "(and " + sorts + range + ")";
  bool holds = verdict.verdict == Verdict::Holds;
  bool never = verdict.constraint && *verdict.constraint == pool.truth(false);
  ask("data for which it does not conform",
      "(and " + premise + " (not " + call(0, {}) + "))",
      holds ? "unsat" : "sat");
  ask("data for which it conforms", "(and " + premise + " " + call(0, {}) + ")",
      never ? "unsat" : "sat");
}

void cif::printSmt2(const Pes &pes, const PesSolution &solution,
                    const SymbolicVerdict &verdict, raw_ostream &os) {
  Smt2Writer(pes, solution, os).run(verdict);
}

void cif::printSolution(const Pes &pes, const PesSolution &solution,
                        raw_ostream &os) {
  auto name = [&](VariableId v) { return pes.pool.qualifiedName(v); };
  for (uint32_t p = 0; p < pes.pairs.size(); ++p)
    os << pes.name(p) << (solution.stopped.empty() ? " = " : " implies ")
       << pes.pool.text(solution.predicates[p].formula(), name) << "\n";
  if (!solution.stopped.empty())
    os << "not solved: stopped at " << solution.stopped << "\n";
}
