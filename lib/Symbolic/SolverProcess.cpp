//===- SolverProcess.cpp - A solver in a process of its own ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Solvers do not always respect their time limits: Z3's quantifier elimination
/// continues on large formulas, and an interruption does not reach it there. So
/// the solver runs in a child process, which is killed if it does not answer in
/// time; a solver that crashes ends only its child.
///
/// The child is forked at the first question and has all formulas that exist
/// then. Questions and answers contain their formulas, node by node, so each
/// side numbers its own formulas. Variables have the same numbers on both
/// sides: if there are new ones, another child is forked.
///
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Solver.h"
#include "llvm/ADT/DenseMap.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace cif;

namespace {

/// Numbers on their way between the two processes.
using Words = std::vector<int64_t>;

enum class Question : uint8_t { Satisfiable, Model, ForAll, Simplify };

constexpr int64_t nothing = -1;

void writeFormula(const FormulaPool &pool, FormulaId formula, Words &to) {
  llvm::DenseMap<uint32_t, int64_t> places;
  std::vector<FormulaId> all = pool.below(formula);
  to.push_back(static_cast<int64_t>(all.size()));
  auto place = [&](FormulaId of) {
    return of ? places.lookup(of.index()) : nothing;
  };
  for (FormulaId at : all) {
    const FormulaPool::Node &node = pool[at];
    to.insert(to.end(), {static_cast<int64_t>(node.op), node.sort.value,
                         place(node.lhs), place(node.rhs), node.value});
    places[at.index()] = static_cast<int64_t>(places.size());
  }
}

/// Reads what the other process wrote; this program wrote it, so that only its
/// end is looked at.
class Reader {
public:
  explicit Reader(ArrayRef<int64_t> words) : words(words) {}
  int64_t next() {
    if (words.empty())
      return nothing;
    int64_t word = words.front();
    words = words.drop_front();
    return word;
  }
  FormulaId formula(FormulaPool &pool) {
    std::vector<FormulaId> made;
    for (int64_t count = next(); count > 0; --count) {
      auto op = static_cast<ExprOp>(next());
      DataSort sort{static_cast<uint32_t>(next())};
      int64_t lhs = next(), rhs = next(), value = next();
      if (op == ExprOp::Variable)
        made.push_back(pool.var(VariableId(static_cast<uint32_t>(value))));
      else if (lhs == nothing)
        made.push_back(pool.number(value, sort));
      else
        made.push_back(
            pool.make(op, made[lhs], rhs == nothing ? FormulaId() : made[rhs]));
    }
    return made.empty() ? pool.truth(true) : made.back();
  }

private:
  ArrayRef<int64_t> words;
};

/// All of \p size bytes; false: the other process is gone.
bool sendAll(int socket, const void *data, size_t size) {
  const char *at = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    at += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

bool sendWords(int socket, const Words &words) {
  uint64_t count = words.size();
  return sendAll(socket, &count, sizeof count) &&
         sendAll(socket, words.data(), count * sizeof(int64_t));
}

/// \p mayWait is asked every few milliseconds whether to go on.
bool receiveAll(int socket, void *data, size_t size,
                function_ref<bool()> mayWait) {
  char *at = static_cast<char *>(data);
  while (size > 0) {
    constexpr int slice = 20; // milliseconds
    pollfd waiting{socket, POLLIN, 0};
    int ready = poll(&waiting, 1, slice);
    if (ready < 0 && errno != EINTR)
      return false;
    if (ready <= 0) {
      if (!mayWait())
        return false;
      continue;
    }
    ssize_t got = recv(socket, at, size, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

bool receiveWords(int socket, Words &words, function_ref<bool()> mayWait) {
  uint64_t count = 0;
  if (!receiveAll(socket, &count, sizeof count, mayWait))
    return false;
  words.resize(count);
  return receiveAll(socket, words.data(), count * sizeof(int64_t), mayWait);
}

Words answerTo(Solver &solver, FormulaPool &pool, const Words &question) {
  Reader read(question);
  auto kind = static_cast<Question>(read.next());
  std::vector<VariableId> bound;
  for (int64_t count = read.next(); count > 0; --count)
    bound.push_back(VariableId(static_cast<uint32_t>(read.next())));
  FormulaId formula = read.formula(pool);
  Words answer;
  solver.limit.clear();
  bool answered = true;
  auto tell = [&](std::optional<FormulaId> result) {
    answered = result.has_value();
    answer.push_back(answered);
    if (result)
      writeFormula(pool, *result, answer);
  };
  switch (kind) {
  case Question::Satisfiable:
  case Question::Model: {
    Valuation model;
    Answer found =
        solver.satisfiable(formula, kind == Question::Model ? &model : nullptr);
    answered = found != Answer::Unknown;
    answer.push_back(static_cast<int64_t>(found));
    answer.push_back(static_cast<int64_t>(model.size()));
    for (auto [variable, value] : model)
      answer.insert(answer.end(), {variable.index(), value});
    break;
  }
  case Question::ForAll:
    tell(solver.forAll(bound, formula));
    break;
  case Question::Simplify:
    tell(solver.simplify(formula));
    break;
  }
  if (!solver.limit.empty() && !answered)
    _exit(outOfMemoryStatus);
  return answer;
}

/// A child that only answers: it has no open files but \p socket, prints
/// nothing, leaves no core, and ends with its parent.
int isolate(int socket, [[maybe_unused]] pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(0);
#endif
  std::signal(SIGINT, SIG_IGN); // the parent is told, too, and decides
  for (int signal : {SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                     SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM})
    std::signal(signal, SIG_DFL);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  constexpr int kept = 3;
  int sink = open("/dev/null", O_RDWR);
  for (int standard : {0, 1, 2})
    dup2(sink, standard);
  dup2(socket, kept);
  closefrom(kept + 1);
  return kept;
}

class SolverProcess : public Solver {
public:
  SolverProcess(FormulaPool &pool, double secondsEach, const Limits &limits,
                std::string version, SolverFactory make)
      : pool(pool), seconds(secondsEach), maxMemory(limits.maxMemory),
        budget(limits), name(std::move(version)), make(std::move(make)) {}
  ~SolverProcess() override { end(); }

  Answer satisfiable(FormulaId formula, Valuation *model) override;
  std::optional<FormulaId> forAll(ArrayRef<VariableId> bound,
                                  FormulaId formula) override {
    return formulaFor(Question::ForAll, bound, formula);
  }
  std::optional<FormulaId> simplify(FormulaId formula) override {
    return formulaFor(Question::Simplify, {}, formula);
  }
  std::string version() const override { return name; }

private:
  bool start();
  int end(); ///< how the child ended
  [[noreturn]] void serve(int parent);
  bool ask(Question kind, ArrayRef<VariableId> bound, FormulaId formula,
           Words &answer);
  std::optional<FormulaId> formulaFor(Question kind, ArrayRef<VariableId> bound,
                                      FormulaId formula);

  FormulaPool &pool;
  double seconds;
  uint64_t maxMemory;
  Budget budget;
  std::string name;
  SolverFactory make;
  pid_t child = 0;
  int socket = -1;
  size_t variables = 0; ///< that the child knows
};

} // namespace

void SolverProcess::serve(int parent) {
  std::unique_ptr<Solver> solver = make(pool);
  if (!solver)
    _exit(outOfMemoryStatus);
  Words question;
  while (receiveWords(parent, question, [] { return true; }) &&
         sendWords(parent, answerTo(*solver, pool, question))) {
  }
  _exit(0);
}

bool SolverProcess::start() {
  if (child && variables == pool.numVariables())
    return true;
  end();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return false;
  const pid_t self = getpid();
  child = fork();
  if (child == 0)
    serve(isolate(ends[1], self));
  close(ends[1]);
  socket = ends[0];
  variables = pool.numVariables();
  if (child > 0)
    return true;
  child = 0;
  end();
  return false;
}

int SolverProcess::end() {
  if (socket >= 0)
    close(socket);
  socket = -1;
  if (!child)
    return 0;
  int status = 0;
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  return status;
}

bool SolverProcess::ask(Question kind, ArrayRef<VariableId> bound,
                        FormulaId formula, Words &answer) {
  ++queries;
  limit = budget.look(0, 0);
  if (!limit.empty() || !start())
    return false;
  Words question{static_cast<int64_t>(kind),
                 static_cast<int64_t>(bound.size())};
  for (VariableId v : bound)
    question.push_back(v.index());
  writeFormula(pool, formula, question);
  // The solver looks at its limit by itself, and mostly in time.
  constexpr double grace = 0.3;
  const auto since = Limits::Clock::now();
  auto mayWait = [&] {
    std::chrono::duration<double> waited = Limits::Clock::now() - since;
    return waited.count() < seconds + grace && budget.look(0, 0).empty();
  };
  if (sendWords(socket, question) && receiveWords(socket, answer, mayWait))
    return true;
  const int status = end();
  limit = budget.look(0, 0);
  if (limit.empty() && WIFEXITED(status) &&
      WEXITSTATUS(status) == outOfMemoryStatus)
    limit = "--max-memory=" + std::to_string(maxMemory);
  return false;
}

Answer SolverProcess::satisfiable(FormulaId formula, Valuation *model) {
  if (pool.is(formula, false))
    return Answer::No;
  Words words;
  if (!ask(model ? Question::Model : Question::Satisfiable, {}, formula, words))
    return Answer::Unknown;
  Reader read(words);
  auto answer = static_cast<Answer>(read.next());
  for (int64_t count = read.next(); count > 0; --count) {
    VariableId variable(static_cast<uint32_t>(read.next()));
    (*model)[variable] = read.next();
  }
  return answer;
}

std::optional<FormulaId> SolverProcess::formulaFor(Question kind,
                                                   ArrayRef<VariableId> bound,
                                                   FormulaId formula) {
  if (pool.isLiteral(formula))
    return formula;
  Words words;
  if (!ask(kind, bound, formula, words))
    return std::nullopt;
  Reader read(words);
  if (read.next() != 1)
    return std::nullopt;
  return read.formula(pool);
}

std::unique_ptr<Solver> cif::makeSolverProcess(FormulaPool &pool,
                                               double secondsEach,
                                               const Limits &limits,
                                               std::string version,
                                               SolverFactory make) {
  return std::make_unique<SolverProcess>(pool, secondsEach, limits,
                                         std::move(version), std::move(make));
}
