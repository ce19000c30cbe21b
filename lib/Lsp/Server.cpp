//===- Server.cpp - The loop and the life of the server -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Lsp/Server.h"
#include "Features.h"
#include "Session.h"
#include "cif/Support/Limits.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <poll.h>
#include <unistd.h>

using namespace cif;

/// Documents that are open at once.
constexpr size_t maxDocuments = 1000;

int cif::serveLsp(const LspOptions &options, int input, raw_ostream &output) {
  return EditorSession(options, output).run(input);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Until the next document is due; at most half a second, to see a signal that
/// came while we did not wait.
int EditorSession::waitMilliseconds() const {
  using namespace std::chrono;
  milliseconds least(500);
  for (const auto &[uri, document] : documents)
    if (document->due != Document::Clock::time_point::max())
      least = std::min(
          least, ceil<milliseconds>(document->due - Document::Clock::now()));
  return static_cast<int>(std::max<int64_t>(least.count(), 0));
}

/// False: the editor has gone.
bool EditorSession::readInput(int input) {
  char bytes[1 << 16];
  ssize_t got = read(input, bytes, sizeof bytes);
  if (got < 0)
    return errno == EINTR;
  transport.feed(StringRef(bytes, static_cast<size_t>(got)));
  return got > 0;
}

int EditorSession::run(int input) {
  std::string error;
  // Ten seconds more than a run gives itself.
  if (!runner.start(options.cifc, options.timeout + 10, error)) {
    log("no checks: " + error);
    checks = false;
  }
  while (!isOver && !interrupted) {
    pollfd waits[] = {{input, POLLIN, 0}, {runner.fd(), POLLIN, 0}};
    int ready = poll(waits, 2, waitMilliseconds());
    if (ready < 0 && errno != EINTR)
      break;
    if (ready > 0 && waits[1].revents)
      runner.deliver();
    if (ready > 0 && waits[0].revents && !readInput(input))
      break;
    takeMessages();
    lookAtDue();
  }
  runner.stop();
  return isOver && isShutDown ? 0 : 1;
}

void EditorSession::takeMessages() {
  while (!isOver) {
    std::optional<Incoming> incoming = transport.next();
    if (!incoming)
      return;
    if (incoming->error.empty())
      take(incoming->message);
    else
      transport.fail(nullptr, incoming->code, incoming->error);
  }
}

void EditorSession::take(const Value &message) {
  const Object *object = message.getAsObject();
  if (!object) {
    transport.fail(nullptr, InvalidRequest, "a message is an object");
    return;
  }
  const Value *id = object->get("id");
  if (id && id->kind() != Value::Number && id->kind() != Value::String) {
    transport.fail(nullptr, InvalidRequest, "an id is a number or a string");
    return;
  }
  std::optional<StringRef> method = object->getString("method");
  if (!method) {
    // Answers to our own requests need no further thought.
    if (!id || !(object->get("result") || object->get("error")))
      transport.fail(id ? *id : Value(nullptr), InvalidRequest,
                     "the message has no method");
    return;
  }
  static const Object none;
  const Object *params = object->getObject("params");
  if (!params)
    params = &none;
  if (!id) {
    for (const NotificationEntry &entry : notifications())
      if (entry.method == *method && (isInitialized || *method == "exit"))
        return (this->*entry.handle)(*params);
    return; // what is not known may be left alone
  }
  for (const RequestEntry &entry : requests())
    if (entry.method == *method)
      return answer(entry, *params, *id);
  transport.fail(*id, MethodNotFound, "there is no method '" + *method + "'");
}

void EditorSession::answer(const RequestEntry &entry, const Object &params,
                           const Value &id) {
  bool begins = entry.method == "initialize";
  if (isShutDown)
    return transport.fail(id, InvalidRequest, "the server was shut down");
  if (!isInitialized && !begins)
    return transport.fail(id, ServerNotInitialized,
                          "the server is not initialized");
  if (isInitialized && begins)
    return transport.fail(id, InvalidRequest,
                          "the server is already initialized");
  Answer result = answerTo(entry, params, id);
  if (result.isLater)
    return;
  if (result.error.empty())
    transport.reply(id, std::move(result.result));
  else
    transport.fail(id, result.code, result.error);
}

Answer EditorSession::answerTo(const RequestEntry &entry, const Object &params,
                               const Value &id) {
  if (entry.handle)
    return (this->*entry.handle)(params, id);
  std::string error;
  Document *document = find(params, error);
  return document ? (this->*entry.onDocument)(*document, params, id)
                  : Answer::failure(InvalidParams, error);
}

ArrayRef<EditorSession::RequestEntry> EditorSession::requests() {
  using E = EditorSession;
  static const RequestEntry entries[] = {
      {"initialize", &E::initialize, nullptr},
      {"shutdown", &E::shutdown, nullptr},
      {"textDocument/definition", nullptr, &E::definition},
      {"textDocument/references", nullptr, &E::references},
      {"textDocument/documentHighlight", nullptr, &E::highlights},
      {"textDocument/prepareRename", nullptr, &E::prepareRename},
      {"textDocument/rename", nullptr, &E::renameName},
      {"textDocument/documentSymbol", nullptr, &E::outline},
      {"textDocument/semanticTokens/full", nullptr, &E::tokens},
      {"textDocument/completion", nullptr, &E::completion},
      {"textDocument/formatting", nullptr, &E::formatting},
      {"textDocument/codeAction", nullptr, &E::codeActions},
      {"textDocument/codeLens", nullptr, &E::lenses},
      {"textDocument/hover", nullptr, &E::hover},
      {"workspace/executeCommand", &E::executeCommand, nullptr},
  };
  return entries;
}

ArrayRef<EditorSession::NotificationEntry> EditorSession::notifications() {
  using E = EditorSession;
  static const NotificationEntry entries[] = {
      {"initialized", &E::initialized},
      {"exit", &E::leave},
      {"$/cancelRequest", &E::cancelRequest},
      {"textDocument/didOpen", &E::open},
      {"textDocument/didChange", &E::change},
      {"textDocument/didSave", &E::save},
      {"textDocument/didClose", &E::close},
      {"workspace/didRenameFiles", &E::renameFiles},
      {"workspace/didChangeConfiguration", &E::changeConfiguration},
  };
  return entries;
}

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

/// The boolean at the end of a path of objects.
static bool capability(const Object *object,
                       std::initializer_list<StringRef> path) {
  for (StringRef key : path) {
    if (!object)
      return false;
    if (key == *std::prev(path.end()))
      return object->getBoolean(key).value_or(false);
    object = object->getObject(key);
  }
  return false;
}

static Object capabilities() {
  return Object{
      {"positionEncoding", "utf-16"},
      {"textDocumentSync",
       Object{{"openClose", true}, {"change", 2}, {"save", true}}},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"renameProvider", Object{{"prepareProvider", true}}},
      {"documentSymbolProvider", true},
      {"documentFormattingProvider", true},
      {"completionProvider",
       Object{{"triggerCharacters", Array{">", ":", "!", "?", "\""}}}},
      {"codeActionProvider", Object{{"codeActionKinds", Array{"quickfix"}}}},
      {"codeLensProvider", Object{{"resolveProvider", false}}},
      {"semanticTokensProvider",
       Object{{"legend", Object{{"tokenTypes", semanticTokenTypes()},
                                {"tokenModifiers", Array{}}}},
              {"full", true}}},
      {"executeCommandProvider",
       Object{{"commands", Array{"cif.report", "cif.adapt"}}}},
      {"workspace",
       Object{{"fileOperations",
               Object{{"didRename",
                       Object{{"filters",
                               Array{Object{
                                   {"pattern", Object{{"glob", "**"}}}}}}}}}}}},
  };
}

Answer EditorSession::initialize(const Object &params, const Value &) {
  isInitialized = true;
  const Object *client = params.getObject("capabilities");
  withVersions =
      capability(client, {"workspace", "workspaceEdit", "documentChanges"});
  refreshesLenses =
      capability(client, {"workspace", "codeLens", "refreshSupport"});
  const Object *workspace = client ? client->getObject("workspace") : nullptr;
  const Object *edit =
      workspace ? workspace->getObject("workspaceEdit") : nullptr;
  asksBeforeEdits =
      withVersions && edit && edit->getObject("changeAnnotationSupport");
  if (const Array *all = params.getArray("workspaceFolders")) {
    for (const Value &each : *all)
      if (const Object *folder = each.getAsObject())
        if (std::optional<StringRef> uri = folder->getString("uri"))
          folders.push_back(pathOfUri(*uri));
  } else if (std::optional<StringRef> uri = params.getString("rootUri")) {
    folders.push_back(pathOfUri(*uri));
  }
  readSettings(params.getObject("initializationOptions"));
  return {Object{{"capabilities", capabilities()},
                 {"serverInfo",
                  Object{{"name", "cif-lsp"}, {"version", options.version}}}}};
}

/// What an editor may set; whatever is of no use is left as it is.
void EditorSession::readSettings(const Object *settings) {
  if (!settings)
    return;
  auto number = [&](StringRef key, int64_t least, int64_t most,
                    unsigned &into) {
    std::optional<int64_t> value = settings->getInteger(key);
    if (value && *value >= least && *value <= most)
      into = static_cast<unsigned>(*value);
  };
  unsigned asked = options.timeout;
  number("timeout", 1, 3600, asked);
  // A run that does not keep to it is ended by what was set in the beginning.
  options.timeout = std::min(asked, options.timeout);
  number("debounce", 0, 10000, options.debounce);
  checks = settings->getBoolean("checks").value_or(checks);
  wantsStatus = settings->getBoolean("status").value_or(wantsStatus);
}

void EditorSession::changeConfiguration(const Object &params) {
  if (const Object *settings = params.getObject("settings"))
    readSettings(settings->getObject("cif"));
}

/// No request stays without an answer.
Answer EditorSession::shutdown(const Object &, const Value &) {
  isShutDown = true;
  for (const auto &[key, each] : waiting) {
    transport.fail(each.id, RequestCancelled, "the server shuts down");
    runner.cancel(each.slot);
  }
  waiting.clear();
  return {};
}

void EditorSession::leave(const Object &) { isOver = true; }

static std::string textOfId(const Value &id) {
  std::string text;
  llvm::raw_string_ostream(text) << id;
  return text;
}

void EditorSession::cancelRequest(const Object &params) {
  const Value *id = params.get("id");
  auto at = id ? waiting.find(textOfId(*id)) : waiting.end();
  if (at == waiting.end())
    return; // it was answered
  at->second.isCancelled = true;
  runner.cancel(at->second.slot);
}

void EditorSession::runFor(const Value &id, Job job,
                           std::function<void(JobResult)> done) {
  std::string key = textOfId(id);
  waiting[key] = {job.slot, id};
  runner.run(std::move(job),
             [this, id, key, done = std::move(done)](JobResult result) {
               auto at = waiting.find(key);
               if (at == waiting.end())
                 return; // answered before the end
               bool isCancelled = at->second.isCancelled;
               waiting.erase(at);
               if (isCancelled)
                 transport.fail(id, RequestCancelled, "cancelled");
               else
                 done(std::move(result));
             });
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

Document *EditorSession::find(const Object &params, std::string &error) {
  const Object *named = params.getObject("textDocument");
  std::optional<StringRef> uri = named ? named->getString("uri") : std::nullopt;
  if (!uri) {
    error = "the request names no document";
    return nullptr;
  }
  auto at = documents.find(uri->str());
  if (at == documents.end()) {
    error = ("'" + *uri + "' is not open").str();
    return nullptr;
  }
  return at->second.get();
}

void EditorSession::findLanguage(Document &document) const {
  document.language = options.languageOf(pathOfUri(document.uri),
                                         document.text(), document.languageId);
}

void EditorSession::open(const Object &params) {
  const Object *opened = params.getObject("textDocument");
  std::optional<StringRef> uri, text;
  if (opened) {
    uri = opened->getString("uri");
    text = opened->getString("text");
  }
  if (!uri || !text)
    return log("didOpen without a document");
  if (documents.size() >= maxDocuments)
    return log("too many documents are open; '" + *uri + "' is not checked");
  auto document = std::make_unique<Document>(uri->str(), text->str());
  document->version = opened->getInteger("version").value_or(0);
  document->languageId = opened->getString("languageId").value_or("").str();
  document->due = Document::Clock::now();
  findLanguage(*document);
  documents[uri->str()] = std::move(document);
}

void EditorSession::change(const Object &params) {
  std::string error;
  Document *document = find(params, error);
  const Array *changes = params.getArray("contentChanges");
  if (!document || !changes)
    return log("didChange: " + (document ? "there are no changes" : error));
  for (const Value &each : *changes) {
    const Object *change = each.getAsObject();
    std::optional<StringRef> text =
        change ? change->getString("text") : std::nullopt;
    if (!text)
      continue;
    if (!change->get("range"))
      document->setText(text->str());
    else if (auto range = rangeFrom(change->getObject("range")))
      document->edit(*range, *text);
    else
      log("didChange: invalid range");
  }
  document->version = params.getObject("textDocument")
                          ->getInteger("version")
                          .value_or(document->version + 1);
  document->isSeen = document->isChecked = false;
  document->due =
      Document::Clock::now() + std::chrono::milliseconds(options.debounce);
  runner.cancel("check " + document->uri);
}

void EditorSession::save(const Object &params) {
  std::string error;
  Document *document = find(params, error);
  if (document && document->due != Document::Clock::time_point::max())
    document->due = Document::Clock::now();
}

void EditorSession::remove(const std::string &uri) {
  runner.cancel("check " + uri);
  transport.notify("textDocument/publishDiagnostics",
                   Object{{"uri", uri}, {"diagnostics", Array{}}});
}

void EditorSession::close(const Object &params) {
  std::string error;
  if (Document *document = find(params, error)) {
    remove(document->uri);
    documents.erase(document->uri);
  }
}

/// A file, or what is in a folder, has another address now.
void EditorSession::renameFiles(const Object &params) {
  const Array *files = params.getArray("files");
  if (!files)
    return;
  for (const Value &each : *files) {
    const Object *file = each.getAsObject();
    std::optional<StringRef> before, after;
    if (file) {
      before = file->getString("oldUri");
      after = file->getString("newUri");
    }
    if (!before || !after)
      continue;
    std::vector<std::string> moved;
    for (const auto &[uri, document] : documents)
      if (uri == *before || StringRef(uri).starts_with((*before + "/").str()))
        moved.push_back(uri);
    for (const std::string &uri : moved) {
      std::string now = (*after + StringRef(uri).substr(before->size())).str();
      remove(uri);
      auto made = std::make_unique<Document>(now, documents[uri]->text());
      made->version = documents[uri]->version;
      made->languageId = documents[uri]->languageId;
      made->due = Document::Clock::now();
      findLanguage(*made);
      documents.erase(uri);
      documents[now] = std::move(made);
    }
  }
}
