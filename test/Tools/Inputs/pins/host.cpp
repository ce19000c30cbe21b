//===- host.cpp - Explores with cif-pins as an engine of LTSmin does ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   host cif-pins.so model [--cif-bound=2 ...] [--by=all|long|short]
///        [--find=LABEL|deadlock] [--trace=FILE]
///
/// Counts states, transitions and the states that each state label holds in.
/// With `all` the steps of a state are asked for at once, with `long` group by
/// group. With `short` a group only gets the slots that it reads, and only the
/// slots that it writes are taken from what it answers, as symbolic engines do:
/// a matrix that is not true gives other numbers. A second copy of the model
/// with chunk numbers of its own, as in another process, expands every other
/// state; states travel as chunks. Edges with labels that begin with `goal` are
/// listed. With --find the search ends at the first edge with this label, or
/// state without edges that is no valid end, and the states on the way to it
/// are written as ltsmin-printtrace does.
///
//===----------------------------------------------------------------------===//

extern "C" {
#include "ltsmin/dlopen-api.h"
#include "ltsmin/pins-util.h"
}
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <map>
#include <set>
#include <string>
#include <vector>

using State = std::vector<int>;
using Portable = std::vector<std::string>; ///< a number or a chunk, by slot

struct lts_type_s {
  std::vector<data_format_t> formats;
  std::vector<std::string> names, stateNames, labels;
  std::vector<int> slots;
};

struct grey_box_model {
  void *context = nullptr;
  lts_type_t type = nullptr;
  matrix_t *reads = nullptr, *writes = nullptr, *surely = nullptr,
           *labels = nullptr;
  State initial;
  next_method_grey_t next = nullptr;
  next_method_black_t all = nullptr;
  get_label_method_t label = nullptr;
  get_label_all_method_t allLabels = nullptr;
  std::vector<std::vector<std::string>> chunks;    ///< by type
  std::vector<std::map<std::string, int>> numbers; ///< of chunks, by type
};

[[noreturn]] static void die(const std::string &text) {
  std::fprintf(stderr, "host: %s\n", text.c_str());
  std::exit(3);
}

extern "C" {
void ltsmin_abort(int code) { std::exit(code); }
void dm_create(matrix_t *m, int rows, int columns) {
  m->rows = rows;
  m->cols = columns;
  m->bits =
      static_cast<unsigned char *>(std::calloc(size_t(rows) * columns + 1, 1));
}
void dm_set(matrix_t *m, int row, int column) {
  if (row < 0 || row >= m->rows || column < 0 || column >= m->cols)
    die("an entry outside of a matrix");
  m->bits[size_t(row) * m->cols + column] = 1;
}
lts_type_t lts_type_create() { return new lts_type_s; }
int lts_type_put_type(lts_type_t t, const char *name, data_format_t format,
                      int *) {
  t->formats.push_back(format);
  t->names.push_back(name);
  return int(t->formats.size()) - 1;
}
void lts_type_set_state_length(lts_type_t t, int n) {
  t->slots.resize(n);
  t->stateNames.resize(n);
}
void lts_type_set_state_name(lts_type_t t, int slot, const char *name) {
  t->stateNames.at(slot) = name;
}
void lts_type_set_state_typeno(lts_type_t t, int slot, int number) {
  t->slots.at(slot) = number;
}
void lts_type_set_edge_label_count(lts_type_t, int) {}
void lts_type_set_edge_label_name(lts_type_t, int, const char *) {}
void lts_type_set_edge_label_typeno(lts_type_t, int, int) {}
void lts_type_set_state_label_count(lts_type_t t, int n) {
  t->labels.resize(n);
}
void lts_type_set_state_label_name(lts_type_t t, int i, const char *name) {
  t->labels.at(i) = name;
}
void lts_type_set_state_label_typeno(lts_type_t, int, int) {}
void GBsetContext(model_t m, void *context) { m->context = context; }
void *GBgetContext(model_t m) { return m->context; }
void GBsetLTStype(model_t m, lts_type_t t) {
  m->type = t;
  m->chunks.resize(t->formats.size());
  m->numbers.resize(t->formats.size());
}
void GBsetDMInfo(model_t, matrix_t *) {}
void GBsetDMInfoRead(model_t m, matrix_t *x) { m->reads = x; }
void GBsetDMInfoMayWrite(model_t m, matrix_t *x) { m->writes = x; }
void GBsetDMInfoMustWrite(model_t m, matrix_t *x) { m->surely = x; }
void GBsetStateLabelInfo(model_t m, matrix_t *x) { m->labels = x; }
void GBsetInitialState(model_t m, int *s) {
  m->initial.assign(s, s + m->type->slots.size());
}
void GBsetNextStateLong(model_t m, next_method_grey_t f) { m->next = f; }
void GBsetNextStateAll(model_t m, next_method_black_t f) { m->all = f; }
void GBsetStateLabelLong(model_t m, get_label_method_t f) { m->label = f; }
void GBsetStateLabelsAll(model_t m, get_label_all_method_t f) {
  m->allLabels = f;
}
int pins_chunk_put(model_t m, int type, const chunk bytes) {
  std::string text(bytes.data, bytes.len);
  auto [at, isNew] =
      m->numbers.at(type).try_emplace(text, int(m->chunks[type].size()));
  if (isNew)
    m->chunks[type].push_back(text);
  return at->second;
}
chunk pins_chunk_get(model_t m, int type, int index) {
  std::string &text = m->chunks.at(type).at(index);
  return {uint32_t(text.size()), text.data()};
}
}

static bool has(const matrix_t *m, int row, int column) {
  return m->bits[size_t(row) * m->cols + column];
}

static Portable portable(model_t m, const int *state) {
  Portable all;
  for (size_t i = 0; i < m->type->slots.size(); ++i) {
    int type = m->type->slots[i];
    all.push_back(m->type->formats[type] == LTStypeChunk
                      ? m->chunks[type].at(state[i])
                      : std::to_string(state[i]));
  }
  return all;
}

static State local(model_t m, Portable all) {
  State state;
  for (size_t i = 0; i < all.size(); ++i) {
    int type = m->type->slots[i];
    state.push_back(
        m->type->formats[type] == LTStypeChunk
            ? pins_chunk_put(m, type, {uint32_t(all[i].size()), all[i].data()})
            : std::atoi(all[i].c_str()));
  }
  return state;
}

namespace {
struct Search {
  std::set<Portable> seen;
  std::deque<Portable> work;
  size_t transitions = 0;
  std::vector<size_t> holding;
  std::map<Portable, Portable> before; ///< the state that each was found from
  std::set<std::string> goals;         ///< labels of edges
  std::string wanted;
  bool isFound = false;
  Portable current, last;
  // The call under way.
  model_t model = nullptr;
  State state, asked;
  int group = -1; ///< short: take only what it writes

  void found(Portable to) {
    if (!seen.insert(to).second)
      return;
    before[to] = current;
    work.push_back(std::move(to));
  }
  void look(const std::string &label) {
    if (label.rfind("goal", 0) != 0)
      return;
    goals.insert(label);
    if (label == wanted && !isFound) {
      isFound = true;
      last = current;
    }
  }
  void writeTrace(const std::string &path) {
    std::FILE *file = std::fopen(path.c_str(), "w");
    if (!file)
      die("cannot write " + path);
    for (size_t i = 0; i < last.size(); ++i)
      std::fprintf(file, ",%s:%s", model->type->stateNames[i].c_str(),
                   model->type->names[model->type->slots[i]].c_str());
    std::fprintf(file, ",action:action\n");
    // As distributed engines do: in no useful order.
    for (Portable at = last; !at.empty(); at = before[at]) {
      for (size_t i = 0; i < at.size(); ++i) {
        bool isChunk =
            model->type->formats[model->type->slots[i]] == LTStypeChunk;
        std::fprintf(file, isChunk ? ",\"%s\"" : ",%s", at[i].c_str());
      }
      std::fprintf(file, ",\"tau\"\n");
    }
    std::fclose(file);
  }
  static void step(void *context, transition_info_t *info, int *to, int *) {
    Search &self = *static_cast<Search *>(context);
    ++self.transitions;
    if (!info->labels || info->labels[0] < 0)
      die("a step without a label");
    for (size_t t = 0; t < self.model->type->names.size(); ++t)
      if (self.model->type->names[t] == "action")
        self.look(self.model->chunks[t].at(info->labels[0]));
    if (self.group >= 0) {
      State whole = self.state;
      for (size_t i = 0; i < whole.size(); ++i)
        if (has(self.model->writes, self.group, int(i)))
          whole[i] = to[i];
        else if (to[i] != self.asked[i])
          die("a slot was changed that is not written");
      return self.found(portable(self.model, whole.data()));
    }
    self.found(portable(self.model, to));
  }
  void expand(const std::string &by) {
    const int groups = model->reads->rows;
    int count = 0;
    const size_t before = transitions;
    group = -1;
    asked = state;
    if (by == "all")
      count = model->all(model, asked.data(), step, this);
    for (int g = 0; by != "all" && g < groups; ++g) {
      asked = state;
      if (by == "short") {
        group = g;
        for (size_t i = 0; i < state.size(); ++i)
          if (!has(model->reads, g, int(i)))
            asked[i] = model->initial[i];
      }
      count += model->next(model, g, asked.data(), step, this);
    }
    if (transitions - before != size_t(count))
      die("the number of steps is not what was told");
  }
};
} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    die("usage: host cif-pins.so model [options]");
  void *plugin = dlopen(argv[1], RTLD_NOW);
  if (!plugin)
    die(dlerror());
  auto *options = static_cast<poptOption *>(dlsym(plugin, "pins_options"));
  auto *loaders = static_cast<loader_record *>(dlsym(plugin, "pins_loaders"));
  if (!options || !loaders)
    die("no language module");
  std::string by = "all", path = argv[2], wanted, trace;
  for (int i = 3; i < argc; ++i) {
    std::string given = argv[i];
    size_t end = given.find('=');
    bool known = given.rfind("--by=", 0) == 0;
    if (known)
      by = given.substr(5);
    for (auto [name, value] :
         {std::pair("--find=", &wanted), std::pair("--trace=", &trace)})
      if (given.rfind(name, 0) == 0) {
        *value = given.substr(end + 1);
        known = true;
      }
    for (poptOption *o = options; o->longName && !known; ++o)
      if (given.substr(0, end) == std::string("--") + o->longName) {
        *static_cast<char **>(o->arg) = argv[i] + end + 1;
        known = true;
      }
    if (!known)
      die("unknown option " + given);
  }
  pins_loader_t load = nullptr;
  for (loader_record *l = loaders; l->extension; ++l)
    if (path.ends_with(std::string(".") + l->extension))
      load = l->loader;
  if (!load)
    die("no loader for " + path);
  grey_box_model models[2];
  for (grey_box_model &m : models)
    load(&m, path.c_str());

  Search search;
  search.holding.resize(models[0].type->labels.size());
  search.wanted = wanted;
  search.found(portable(&models[0], models[0].initial.data()));
  for (size_t turn = 0; !search.work.empty() && !search.isFound; ++turn) {
    search.model = &models[turn % 2];
    search.current = search.work.front();
    search.state = local(search.model, search.work.front());
    search.work.pop_front();
    std::vector<int> labels(search.holding.size());
    search.model->allLabels(search.model, search.state.data(), labels.data());
    for (size_t i = 0; i < labels.size(); ++i) {
      search.holding[i] += labels[i];
      State looked = models[turn % 2].initial;
      for (size_t slot = 0; slot < looked.size(); ++slot)
        if (has(search.model->labels, int(i), int(slot)))
          looked[slot] = search.state[slot];
      if (search.model->label(search.model, int(i), looked.data()) != labels[i])
        die("a label looks at slots that its row does not have");
    }
    const size_t before = search.transitions;
    search.expand(by);
    if (wanted == "deadlock" && search.transitions == before && !labels[0]) {
      search.isFound = true;
      search.last = search.current;
    }
  }
  for (const std::string &goal : search.goals)
    std::printf("%s%s", goal.c_str(),
                goal == *search.goals.rbegin() ? "\n" : " ");
  if (search.isFound) {
    std::printf("found %s\n", wanted.c_str());
    if (!trace.empty())
      search.writeTrace(trace);
  }
  std::printf("%zu states, %zu transitions", search.seen.size(),
              search.transitions);
  for (size_t i = 0; i < search.holding.size(); ++i)
    std::printf(", %zu %s", search.holding[i],
                models[0].type->labels[i].c_str());
  std::printf("\n");
  return 0;
}
