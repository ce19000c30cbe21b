//===- cif-pins.cpp - Systems for the engines of LTSmin -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A language module of LTSmin's PINS interface:
///
///   pins2lts-mc --loader=cif-pins.so --cif-bound=2 model.bpmn
///
/// A slot of a system is a slot of PINS, a group a group. Slots that are
/// interned have a chunk type each, in which their canonical bytes are entered
/// as hexadecimal digits: the engine keeps its tables alike in all of its
/// processes, and traces are plain text. Whatever is not supported is an error
/// with its place; nothing is explored then.
///
/// A goal (Goals.h) shows as the edge label `goal` or `goalN`: steps that reach
/// it have it in place of their own, and states that reach it a loop with it,
/// in groups of their own behind the others.
///
//===----------------------------------------------------------------------===//

#include "cif/Frontend/FrontEnd.h"
#include "cif/IR/Text.h"
#include "cif/Semantics/CollaborationSystem.h"
#include "cif/Semantics/Goals.h"
#include "cif/Semantics/PeerView.h"
#include "cif/Semantics/Semantics.h"
#include "cif/Support/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>
#include <mutex>

extern "C" {
#include <ltsmin/dlopen-api.h>
#include <ltsmin/pins-util.h>
#include <ltsmin/pins.h>
}

using namespace cif;

namespace {
/// What the user gave; of the option table below.
char *networkArgument = nullptr, *boundArgument = nullptr,
     *semanticsArgument = nullptr, *queuesArgument = nullptr,
     *observeArgument = nullptr, *onlyArgument = nullptr,
     *handshakesArgument = nullptr, *tokensArgument = nullptr,
     *environmentArgument = nullptr, *goalArgument = nullptr;

[[noreturn]] void fail(const Twine &text) {
  llvm::errs() << "cif-pins: error: " << text << '\n';
  ltsmin_abort(2);
}

/// The index of \p text in \p words; an error if it is none.
unsigned wordOf(const char *option, StringRef text, ArrayRef<StringRef> words) {
  auto *at = llvm::find(words, text);
  if (at == words.end())
    fail(Twine("option '") + option + "' is '" + text + "'; expected " +
         llvm::join(words, ", "));
  return at - words.begin();
}

/// A question that a state answers.
struct Atom {
  const char *name;
  std::function<bool(const uint32_t *state)> holds;
  std::vector<uint32_t> slots; ///< that it looks at; empty: all
};

class PinsModel {
public:
  void load(model_t model, const char *path);
  static constexpr int everyGroup = -1;
  int steps(int group, const int *source, TransitionCB callback, void *context);
  int holds(int atom, const int *source) {
    return atoms[atom].holds(decoded(source).data());
  }
  void allHold(const int *source, int *labels) {
    std::vector<uint32_t> state = decoded(source);
    for (size_t i = 0; i < atoms.size(); ++i)
      labels[i] = atoms[i].holds(state.data());
  }

private:
  using State = std::vector<uint32_t>;
  void read(const char *path);
  SemanticsOptions optionsGiven();
  void findAtoms();
  void declare();
  void setMatrices();
  int encoded(uint32_t slot, uint32_t value);
  State decoded(const int *source);
  size_t numGroups() const {
    return system->groups().size() + goal->parts().size();
  }
  /// Tells the engine of an edge.
  struct Edges {
    const int *source;
    TransitionCB callback;
    void *context;
    int count = 0;
    void tell(int label, int group, int *target) {
      transition_info_t info = GB_TI(&label, group);
      callback(context, &info, target, nullptr);
      ++count;
    }
  };
  void tell(const Step &step, const uint32_t *next, const State &from,
            Edges &edges);
  void checkTrouble() {
    if (std::string trouble = system->trouble(); !trouble.empty())
      fail("not all steps are known: " + trouble);
  }

  model_t pins = nullptr;
  SourceManager sources;
  DiagnosticPrinter printer{llvm::errs(), sources, false, "cif-pins"};
  DiagnosticEngine diags{sources, printer};
  Module module;
  std::unique_ptr<System> system;
  std::unique_ptr<GoalWatch> goal;
  std::vector<Atom> atoms;
  std::deque<matrix_t> matrices; ///< the engine keeps their addresses
  /// \name Between the numbers here and those of the engine
  /// @{
  std::mutex lock;         ///< some engines ask from several threads
  std::vector<int> typeOf; ///< by slot: its chunk type; -1: plain
  std::vector<llvm::DenseMap<uint32_t, int>> chunkOf;
  std::vector<llvm::DenseMap<int, uint32_t>> valueOf;
  std::vector<int> labelChunks, goalChunks;
  /// @}
};
} // namespace

void PinsModel::read(const char *path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    fail(Twine("cannot open '") + path + "': " + buffer.getError().message());
  const SourceBuffer &source = sources.add(path, std::move(*buffer));
  if (StringRef(path).ends_with(".cift")) {
    if (!parseText(source, module, diags))
      ltsmin_abort(2);
    return;
  }
  const FrontEnd *best = nullptr;
  int sure = 0;
  for (const FrontEnd &one : builtinFrontEnds())
    if (int how = one.detect(path, source.text()); how > sure) {
      sure = how;
      best = &one;
    }
  if (!best)
    fail(Twine("'") + path + "' is not in a known language");
  if (!best->parse(source, module, diags, FrontEndOptions()))
    ltsmin_abort(2);
}

/// The names in a list; none can have a comma.
static std::vector<std::string> listOf(const char *text) {
  SmallVector<StringRef, 4> names;
  StringRef(text ? text : "").split(names, ',', -1, /*KeepEmpty=*/false);
  return {names.begin(), names.end()};
}

SemanticsOptions PinsModel::optionsGiven() {
  SemanticsOptions options;
  options.only = listOf(onlyArgument);
  options.handshakes = listOf(handshakesArgument);
  if (observeArgument)
    options.observe = static_cast<Observation>(
        wordOf("--cif-observe", observeArgument, observationWords()));
  if (environmentArgument)
    options.open = wordOf("--cif-environment", environmentArgument,
                          {"closed", "open"}) == 1;
  if (tokensArgument)
    if (std::string wrong = parseTokenLimits(tokensArgument, options.limits);
        !wrong.empty())
      fail(Twine("option '--cif-max-tokens' is '") + tokensArgument +
           "'; expected " + wrong);
  if (semanticsArgument)
    options.semantics = static_cast<SemanticsKind>(
        wordOf("--cif-semantics", semanticsArgument, semanticsWords()));
  if (networkArgument)
    options.network = static_cast<NetworkKind>(
        wordOf("--cif-network", networkArgument, networkWords()));
  StringRef bound = boundArgument ? boundArgument : "none";
  if (bound != "none" &&
      (bound.getAsInteger(10, options.bound) || !options.bound))
    fail("option '--cif-bound' is '" + bound +
         "'; expected a number of at least 1, or none");
  StringRef queues = queuesArgument ? queuesArgument : "slots";
  const StringRef ways[] = {"slots", "chunks"};
  options.plainQueues = wordOf("--cif-queues", queues, ways) == 0;
  return options;
}

void PinsModel::findAtoms() {
  const System &of = *system;
  const SemanticsOptions given = optionsGiven();
  const SemanticsKind kind = resolveSemantics(module, given);
  unsigned wanted = 0;
  if (goalArgument)
    wanted = wordOf("--cif-goal", goalArgument, goalWords());
  goal =
      std::make_unique<GoalWatch>(of, kind, given, static_cast<Goal>(wanted));
  if (!goal->hasMeaning())
    fail(Twine("option '--cif-goal' is '") + goalArgument +
         "', which has no meaning for what is explored");
  // The engines know this name: a state in which to stop is no deadlock.
  atoms.push_back({"valid_end_state",
                   [this](const uint32_t *s) { return goal->isEnd(s); },
                   {}});
  if (of.saysFinal())
    atoms.push_back(
        {"final", [&of](const uint32_t *s) { return of.isFinal(s); }, {}});
  atoms.push_back({"deadlock",
                   [&of](const uint32_t *s) {
                     State scratch(of.width());
                     bool stuck = !of.saysFinal() || !of.isFinal(s);
                     if (stuck)
                       of.successors(s, scratch.data(),
                                     [&](const Step &, const uint32_t *) {
                                       return stuck = false;
                                     });
                     return stuck;
                   },
                   {}});
  if (kind == SemanticsKind::Collaboration || kind == SemanticsKind::Detailed ||
      kind == SemanticsKind::Fbpmn) {
    const auto &processes = static_cast<const CollaborationSystem &>(of);
    atoms.push_back({"complete",
                     [&](const uint32_t *s) { return processes.isComplete(s); },
                     {}});
    atoms.push_back(
        {"quiet", [&](const uint32_t *s) { return processes.isQuiet(s); }, {}});
    Atom unsafe{"unsafe",
                [&](const uint32_t *s) {
                  return llvm::any_of(processes.flows(),
                                      [&](const CollaborationFlow &flow) {
                                        return flow.isDrawn && s[flow.slot] > 1;
                                      });
                },
                {}};
    for (const CollaborationFlow &flow : processes.flows())
      if (flow.isDrawn)
        unsafe.slots.push_back(flow.slot);
    atoms.push_back(std::move(unsafe));
  } else if (kind == SemanticsKind::Peers) {
    const auto &peers = static_cast<const PeerComposition &>(of);
    atoms.push_back({"orphan",
                     [&](const uint32_t *s) {
                       for (size_t i = 0; i < peers.view().peers.size(); ++i)
                         if (!peers.view().peers[i].isDone(s[i]))
                           return false;
                       return peers.weight(s) != 0;
                     },
                     {}});
  }
}

void PinsModel::declare() {
  lts_type_t type = lts_type_create();
  const int width = system->width();
  lts_type_set_state_length(type, width);
  const int plain = lts_type_put_type(type, "int", LTStypeDirect, nullptr),
            truth = lts_type_put_type(type, "bool", LTStypeBool, nullptr),
            action = lts_type_put_type(type, "action", LTStypeChunk, nullptr);
  for (int slot = 0; slot < width; ++slot) {
    std::string name = "s" + std::to_string(slot);
    typeOf.push_back(system->isInterned(slot)
                         ? lts_type_put_type(type, ("contents_" + name).c_str(),
                                             LTStypeChunk, nullptr)
                         : -1);
    lts_type_set_state_name(type, slot, name.c_str());
    lts_type_set_state_typeno(type, slot,
                              typeOf.back() < 0 ? plain : typeOf.back());
  }
  chunkOf.resize(width);
  valueOf.resize(width);
  lts_type_set_edge_label_count(type, 1);
  lts_type_set_edge_label_name(type, 0, "action");
  lts_type_set_edge_label_typeno(type, 0, action);
  lts_type_set_state_label_count(type, atoms.size());
  for (size_t i = 0; i < atoms.size(); ++i) {
    lts_type_set_state_label_name(type, i, atoms[i].name);
    lts_type_set_state_label_typeno(type, i, truth);
  }
  GBsetLTStype(pins, type);
  auto put = [&](std::string text) {
    chunk bytes;
    bytes.len = text.size();
    bytes.data = text.data();
    return pins_chunk_put(pins, action, bytes);
  };
  for (const Label &label : system->labels())
    labelChunks.push_back(put(labelText(label)));
  if (goal->numReached() == 0 && !goal->parts().empty())
    goalChunks.push_back(put("goal"));
  for (uint32_t i = 0; i < goal->numReached(); ++i)
    goalChunks.push_back(put("goal" + std::to_string(i)));
}

void PinsModel::setMatrices() {
  const StepGroups &groups = system->groups();
  const int width = system->width(), count = std::max<int>(1, numGroups());
  auto make = [&](int rows, int columns) {
    matrix_t *matrix = &matrices.emplace_back();
    dm_create(matrix, rows, columns);
    return matrix;
  };
  matrix_t *reads = make(count, width), *writes = make(count, width),
           *surely = make(count, width), *both = make(count, width);
  for (GroupIndex g = 0; g < groups.size(); ++g) {
    for (uint32_t slot : groups.reads(g)) {
      dm_set(reads, g, slot);
      dm_set(both, g, slot);
    }
    // What is written is read, too: writing a value again is no difference.
    for (uint32_t slot : groups.writes(g)) {
      dm_set(writes, g, slot);
      dm_set(surely, g, slot);
    }
  }
  for (size_t i = 0; i < goal->parts().size(); ++i)
    for (uint32_t slot : goal->parts()[i].slots) {
      dm_set(reads, groups.size() + i, slot);
      dm_set(both, groups.size() + i, slot);
    }
  GBsetDMInfo(pins, both);
  GBsetDMInfoRead(pins, reads);
  GBsetDMInfoMayWrite(pins, writes);
  GBsetDMInfoMustWrite(pins, surely);
  matrix_t *labels = make(atoms.size(), width);
  for (size_t i = 0; i < atoms.size(); ++i) {
    for (uint32_t slot : atoms[i].slots)
      dm_set(labels, i, slot);
    for (int slot = 0; atoms[i].slots.empty() && slot < width; ++slot)
      dm_set(labels, i, slot);
  }
  GBsetStateLabelInfo(pins, labels);
}

int PinsModel::encoded(uint32_t slot, uint32_t value) {
  if (typeOf[slot] < 0)
    return static_cast<int>(value);
  std::lock_guard<std::mutex> guard(lock);
  auto [at, isNew] = chunkOf[slot].try_emplace(value, 0);
  if (!isNew)
    return at->second;
  std::string contents;
  system->exportSlot(slot, value, contents);
  contents = "x" + llvm::toHex(contents, /*LowerCase=*/true); // never empty
  chunk bytes;
  bytes.len = contents.size();
  bytes.data = contents.data();
  at->second = pins_chunk_put(pins, typeOf[slot], bytes);
  valueOf[slot][at->second] = value;
  return at->second;
}

PinsModel::State PinsModel::decoded(const int *source) {
  State state(source, source + system->width());
  for (uint32_t slot = 0; slot < state.size(); ++slot) {
    if (typeOf[slot] < 0)
      continue;
    std::lock_guard<std::mutex> guard(lock);
    auto [at, isNew] = valueOf[slot].try_emplace(source[slot], 0);
    if (isNew) {
      chunk bytes = pins_chunk_get(pins, typeOf[slot], source[slot]);
      StringRef contents(bytes.data, bytes.len);
      std::optional<uint32_t> value;
      std::string plain;
      if (contents.consume_front("x") && llvm::tryGetFromHex(contents, plain))
        value = system->importSlot(slot, plain);
      if (!value)
        fail("slot " + Twine(slot) + " holds what no state has");
      at->second = *value;
      chunkOf[slot][*value] = source[slot];
    }
    state[slot] = at->second;
  }
  return state;
}

void PinsModel::tell(const Step &step, const uint32_t *next, const State &from,
                     Edges &edges) {
  std::vector<int> target(edges.source, edges.source + from.size());
  for (uint32_t slot = 0; slot < from.size(); ++slot)
    if (next[slot] != from[slot])
      target[slot] = encoded(slot, next[slot]);
  const int group = static_cast<int>(step.group);
  SmallVector<uint32_t, 4> reached;
  if (goal->numReached())
    goal->reached(from.data(), step, next, reached);
  if (reached.empty())
    edges.tell(labelChunks[step.label], group, target.data());
  for (uint32_t number : reached)
    edges.tell(goalChunks[number], group, target.data());
}

int PinsModel::steps(int group, const int *source, TransitionCB callback,
                     void *context) {
  State state = decoded(source), scratch(state.size());
  Edges edges{source, callback, context};
  auto sink = [&](const Step &step, const uint32_t *next) {
    tell(step, next, state, edges);
    return true;
  };
  const size_t own = system->groups().size();
  const auto number = static_cast<size_t>(group);
  bool isGoal = false;
  if (group == everyGroup) {
    system->successors(state.data(), scratch.data(), sink);
    isGoal = !goal->parts().empty() && goal->holds(state.data());
  } else if (number < own) {
    system->successorsOf(group, state.data(), scratch.data(), sink);
  } else if (number < numGroups()) {
    isGoal = goal->parts()[number - own].holds(state.data());
  }
  if (isGoal) {
    std::vector<int> target(source, source + state.size());
    edges.tell(goalChunks[0], group == everyGroup ? own : number,
               target.data());
  }
  checkTrouble();
  return edges.count;
}

static PinsModel &of(model_t model) {
  return *static_cast<PinsModel *>(GBgetContext(model));
}

void PinsModel::load(model_t model, const char *path) {
  pins = model;
  read(path);
  system = makeSystem(module, optionsGiven(), diags);
  if (!system)
    ltsmin_abort(2);
  if (!system->isBounded() && !boundArgument && !tokensArgument)
    fail("there may be infinitely many states; give '--cif-bound=K', or "
         "'--cif-bound=none' to try nevertheless");
  if (!system->width())
    fail("nothing is in a state");
  GBsetContext(model, this);
  findAtoms();
  declare();
  setMatrices();
  State start(system->width());
  system->initial(start.data());
  std::vector<int> first;
  for (uint32_t slot = 0; slot < start.size(); ++slot)
    first.push_back(encoded(slot, start[slot]));
  GBsetInitialState(model, first.data());
  GBsetNextStateLong(model, [](model_t self, int group, int *source,
                               TransitionCB callback, void *context) {
    return of(self).steps(group, source, callback, context);
  });
  GBsetNextStateAll(model, [](model_t self, int *source, TransitionCB callback,
                              void *context) {
    return of(self).steps(PinsModel::everyGroup, source, callback, context);
  });
  GBsetStateLabelLong(model, [](model_t self, int label, int *source) {
    return of(self).holds(label, source);
  });
  GBsetStateLabelsAll(model, [](model_t self, int *source, int *labels) {
    of(self).allHold(source, labels);
  });
}

/// The model lives as long as the engine.
static void loadModel(model_t model, const char *path) {
  (new PinsModel)->load(model, path);
}

extern "C" {
char pins_plugin_name[] = "CIF";

loader_record pins_loaders[] = {
    {"bpmn", loadModel}, {"bpmn2", loadModel}, {"ioc", loadModel},
    {"cp", loadModel},   {"fsa", loadModel},   {"kmc", loadModel},
    {"scm", loadModel},  {"cift", loadModel},  {nullptr, nullptr}};

#define CIF_OPTION(NAME, VALUE, HELP, ARGUMENT)                                \
  { NAME, 0, POPT_ARG_STRING, static_cast<void *>(&(VALUE)), 0, HELP, ARGUMENT }
poptOption pins_options[] = {
    CIF_OPTION("cif-network", networkArgument, "how messages travel",
               "<network>"),
    CIF_OPTION("cif-bound", boundArgument,
               "the capacity of each queue, or none", "<number>"),
    CIF_OPTION("cif-semantics", semanticsArgument, "what the model means",
               "<semantics>"),
    CIF_OPTION("cif-queues", queuesArgument,
               "bounded queues as a slot for each message, or as chunks",
               "<slots|chunks>"),
    CIF_OPTION("cif-observe", observeArgument, "which steps show their message",
               "<exchange|send|receive|both>"),
    CIF_OPTION("cif-only", onlyArgument, "the behaviours or peers to take",
               "<name,...>"),
    CIF_OPTION("cif-handshakes", handshakesArgument,
               "messages that are handed over at once", "<p->q:m,...>"),
    CIF_OPTION("cif-max-tokens", tokensArgument,
               "forbid steps beyond these counts", "<flow:N,message:N,node:N>"),
    CIF_OPTION(
        "cif-environment", environmentArgument,
        "open: what has no partner exchanges messages with the environment",
        "<closed|open>"),
    CIF_OPTION("cif-goal", goalArgument,
               "show as goal: unsafe, start, cut, unspecified-reception, "
               "left-message, left-within-bound",
               "<goal>"),
    POPT_TABLEEND};
}
