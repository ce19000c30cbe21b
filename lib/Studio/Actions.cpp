//===- Actions.cpp - What the page may ask for ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Actions.h"
#include "cif/Studio/Studio.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

namespace {
/// Puts a job together; the first thing that is wrong is the error.
class JobMaker {
public:
  JobMaker(const llvm::json::Object &request, const Folder &folder, Job &job,
           std::string &error)
      : request(request), folder(folder), job(job), error(error) {}

  bool make(const StudioOptions &options);

private:
  using Action = void (JobMaker::*)();
  struct Named {
    StringRef name;
    Action action;
  };

  void fail(const Twine &text) {
    if (error.empty())
      error = text.str();
  }
  void add(const Twine &word) { job.arguments.push_back(word.str()); }

  /// The text \p key of the request.
  std::string text(StringRef key) {
    std::optional<StringRef> value = request.getString(key);
    if (!value)
      fail("the request has no " + key);
    return value.value_or("").str();
  }

  /// A value of an option that is a list, of which one part may not be two.
  std::string part(StringRef value, StringRef separators) {
    size_t at = value.find_first_of(separators);
    if (at != StringRef::npos)
      fail("'" + value + "' has the character '" + Twine(value[at]) +
           "', which separates names of options; rename it");
    return value.str();
  }

  /// A word such as bbc or fifo-pair; which ones there are the compiler knows.
  std::string word(StringRef key) {
    std::string value = text(key);
    if (value.empty() || !llvm::all_of(value, [](char c) {
          return llvm::isAlnum(c) || c == '-';
        }))
      fail("'" + value + "' is not a valid " + key);
    return value;
  }

  std::string file(StringRef path);
  std::string fileOf(StringRef key) { return file(text(key)); }
  /// The processes, each with its role.
  std::vector<std::pair<std::string, std::string>> processes();
  void addInputs(ArrayRef<std::string> files);
  void make(StringRef ending);
  void compose(std::vector<std::string> &files);
  void conformance();

  void check();
  void describe();
  void matrix();
  void composeAll();
  void conforms();
  void adapt();
  void project();
  void amend();
  void repair();

  const llvm::json::Object &request;
  const Folder &folder;
  Job &job;
  std::string &error;
};
} // namespace

/// Puts the model \p path into the job's folder, as the page has it or as the
/// disk has it.
std::string JobMaker::file(StringRef path) {
  if (!error.empty() || job.files.count(path.str()))
    return path.str();
  if (!Folder::isModel(path)) {
    fail("'" + path + "' is not the path of a model in the folder");
    return "";
  }
  std::string &content = job.files[path.str()];
  if (const llvm::json::Object *edited = request.getObject("edited"))
    if (std::optional<StringRef> now = edited->getString(path)) {
      content = now->str();
      return path.str();
    }
  std::string version, why;
  if (folder.read(path, content, version, why) != Folder::Done)
    fail(why);
  return path.str();
}

std::vector<std::pair<std::string, std::string>> JobMaker::processes() {
  std::vector<std::pair<std::string, std::string>> found;
  const llvm::json::Array *list = request.getArray("processes");
  if (!list || list->empty() || list->size() > 100)
    fail("no process was chosen");
  if (list && error.empty())
    for (const llvm::json::Value &each : *list) {
      const llvm::json::Object *process = each.getAsObject();
      std::optional<StringRef> role, path;
      if (process) {
        role = process->getString("role");
        path = process->getString("file");
      }
      if (!role || !path) {
        fail("a process needs a role and a file");
        break;
      }
      found.push_back({part(*role, ",:="), file(part(*path, ","))});
    }
  return found;
}

void JobMaker::addInputs(ArrayRef<std::string> files) {
  add("--"); // a name may begin with a dash
  for (const std::string &each : files)
    add(each);
}

/// The run writes a file.
void JobMaker::make(StringRef ending) {
  std::string name = std::string(fileOutput) + "." + ending.str();
  job.outputs.push_back(name);
  add("-o");
  add("../out/" + name);
}

static StringRef endingOf(StringRef path) { return path.rsplit('.').second; }

/// The processes under the names of their roles; composed by the names of their
/// messages unless the request says that they are to be taken as drawn.
void JobMaker::compose(std::vector<std::string> &files) {
  std::string names;
  for (auto &[role, path] : processes()) {
    names += (names.empty() ? "" : ",") + role;
    files.push_back(path);
  }
  if (request.getBoolean("asDrawn").value_or(false))
    return;
  add("--compose");
  add("--as=" + names);
}

void JobMaker::conformance() {
  add("--relation=" + word("relation"));
  add("--network=" + word("network"));
}

void JobMaker::check() {
  add("--check");
  addInputs({fileOf("file")});
}

void JobMaker::describe() {
  add("-o");
  add("/dev/null");
  addInputs({fileOf("file")});
}

void JobMaker::matrix() {
  add("--check-matrix");
  add("--choreography=" + fileOf("choreography"));
  // One argument for a role, in the order in which roles come first.
  std::vector<std::pair<std::string, std::string>> roles;
  for (auto &[role, path] : processes()) {
    auto at =
        llvm::find_if(roles, [&](const auto &r) { return r.first == role; });
    if (at == roles.end())
      roles.push_back({role, path});
    else
      at->second += "," + path;
  }
  for (auto &[role, paths] : roles)
    add("--role=" + role + ":" + paths);
  add("--relation=tbc,bbc");
  add("--network=" + word("network"));
  add("--format=json");
  add(Twine("--table=../out/") + tableOutput);
  job.outputs.push_back(tableOutput);
}

void JobMaker::composeAll() {
  std::vector<std::string> files;
  compose(files);
  add("--emit=bpmn");
  make("bpmn");
  addInputs(files);
}

void JobMaker::conforms() {
  std::vector<std::string> files;
  compose(files);
  add("--check-conforms=" + fileOf("choreography"));
  conformance();
  add("-o");
  add("/dev/null");
  addInputs(files);
}

void JobMaker::adapt() {
  std::vector<std::string> files;
  compose(files);
  add("--adapt=" + fileOf("choreography"));
  conformance();
  add("--emit=bpmn");
  make("bpmn");
  addInputs(files);
}

void JobMaker::project() {
  add("--project");
  add("--emit=bpmn");
  make("bpmn");
  addInputs({fileOf("file")});
}

/// In the language of its file.
void JobMaker::amend() {
  std::string path = fileOf("file");
  add("--amend");
  add("--emit=" + endingOf(path));
  make(endingOf(path));
  addInputs({path});
}

void JobMaker::repair() {
  add("--repair");
  add("--emit=bpmn");
  make("bpmn");
  addInputs({fileOf("file")});
}

bool JobMaker::make(const StudioOptions &options) {
  static const Named actions[] = {
      {"check", &JobMaker::check},       {"describe", &JobMaker::describe},
      {"matrix", &JobMaker::matrix},     {"compose", &JobMaker::composeAll},
      {"conforms", &JobMaker::conforms}, {"adapt", &JobMaker::adapt},
      {"project", &JobMaker::project},   {"amend", &JobMaker::amend},
      {"repair", &JobMaker::repair},
  };
  job.slot = text("slot");
  job.revision = request.getInteger("revision").value_or(0);
  std::string name = text("action");
  const Named *found = llvm::find_if(
      actions, [&](const Named &each) { return each.name == name; });
  if (found == std::end(actions)) {
    fail("there is no action '" + name + "'");
    return false;
  }
  job.arguments = {"--timeout=" + options.timeout,
                   "--max-memory=" + options.memory,
                   "--max-errors=100",
                   "--color=never",
                   "--report=json:../out/" + std::string(reportOutput),
                   "--report=html:../out/" + std::string(pageOutput)};
  job.outputs = {reportOutput, pageOutput};
  (this->*found->action)();
  return error.empty();
}

bool cif::makeJob(const llvm::json::Object &request, const Folder &folder,
                  const StudioOptions &options, Job &job, std::string &error) {
  return JobMaker(request, folder, job, error).make(options);
}
