//===- Session.h - One editor ---------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_LSP_SESSION_H
#define CIF_LIB_LSP_SESSION_H

#include "Document.h"
#include "Runner.h"
#include "Transport.h"
#include "cif/Lsp/Server.h"
#include <memory>

namespace cif {

/// What a request is answered with.
struct Answer {
  Value result = nullptr;
  std::string error; ///< empty: there is a result
  RpcError code = InvalidParams;
  bool isLater = false; ///< a job answers

  static Answer failure(RpcError code, const Twine &text) {
    return {nullptr, text.str(), code, false};
  }
  static Answer later() { return {nullptr, "", InvalidParams, true}; }
};

class EditorSession {
public:
  EditorSession(const LspOptions &options, raw_ostream &output)
      : options(options), transport(output) {}
  int run(int input);

private:
  struct RequestEntry {
    StringRef method;
    Answer (EditorSession::*handle)(const Object &params, const Value &id);
    /// The same on the document that the request names.
    Answer (EditorSession::*onDocument)(Document &document,
                                        const Object &params, const Value &id);
  };
  struct NotificationEntry {
    StringRef method;
    void (EditorSession::*handle)(const Object &params);
  };
  static ArrayRef<RequestEntry> requests();
  static ArrayRef<NotificationEntry> notifications();

  // The loop (Server.cpp).
  bool readInput(int input);
  int waitMilliseconds() const;
  void takeMessages();
  void take(const Value &message);
  void answer(const RequestEntry &entry, const Object &params, const Value &id);
  Answer answerTo(const RequestEntry &entry, const Object &params,
                  const Value &id);

  // Life.
  Answer initialize(const Object &params, const Value &id);
  Answer shutdown(const Object &params, const Value &id);
  void initialized(const Object &) {}
  void leave(const Object &params);
  void cancelRequest(const Object &params);
  void readSettings(const Object *settings);
  void changeConfiguration(const Object &params);

  // Documents.
  void open(const Object &params);
  void change(const Object &params);
  void save(const Object &params);
  void close(const Object &params);
  void renameFiles(const Object &params);
  void remove(const std::string &uri);
  Document *find(const Object &params, std::string &error);
  void findLanguage(Document &document) const;

  // Requests on documents (Requests.cpp).
  using AtPosition = Value (*)(const Document &, LspPosition);
  Answer atPosition(const Document &document, const Object &params,
                    AtPosition ask);
  Answer definition(Document &document, const Object &params, const Value &id);
  Answer references(Document &document, const Object &params, const Value &id);
  Answer highlights(Document &document, const Object &params, const Value &id);
  Answer prepareRename(Document &document, const Object &params,
                       const Value &id);
  Answer renameName(Document &document, const Object &params, const Value &id);
  /// The models that share the name at \p position with \p document: those that
  /// are open, and files in the editor's folders.
  std::vector<Document *> sharing(const Document &document,
                                  LspPosition position);
  Answer renameEverywhere(const Document &document, LspPosition position,
                          StringRef name, std::vector<LspEdit> edits);
  Answer outline(Document &document, const Object &params, const Value &id);
  Answer tokens(Document &document, const Object &params, const Value &id);
  Answer completion(Document &document, const Object &params, const Value &id);
  Answer formatting(Document &document, const Object &params, const Value &id);
  Answer codeActions(Document &document, const Object &params, const Value &id);
  Answer lenses(Document &document, const Object &params, const Value &id);
  Answer hover(Document &document, const Object &params, const Value &id);
  Answer executeCommand(const Object &params, const Value &id);
  Answer report(Document &document, const Value &id);
  Answer adapt(Document &document, const Document &choreography,
               const Value &id);

  // Checks (Checks.cpp).
  /// Looks at all documents that are due.
  void lookAtDue();
  /// Finds what can be said at once, unless that was done.
  void look(Document &document);
  void startCheck(Document &document);
  void checked(Document &document, JobResult result);
  void startRepair(Document &document);
  void finish(Document &document, StringRef state);
  void publish(const Document &document);
  void tellStatus(const Document &document, StringRef state);
  void log(const Twine &text);
  /// A run of the compiler on the document, which ends after \p seconds.
  Job jobFor(const Document &document, std::string slot,
             unsigned seconds) const;
  Job jobFor(const Document &document, std::string slot) const {
    return jobFor(document, std::move(slot), options.timeout);
  }
  /// The document that a job was for, if it has the same text still.
  Document *current(const std::string &uri, int64_t version);
  /// Runs a job that answers the request \p id.
  void runFor(const Value &id, Job job,
              std::function<void(JobResult result)> done);

  LspOptions options;
  Transport transport;
  Runner runner;
  std::map<std::string, std::unique_ptr<Document>> documents;
  std::vector<std::string> folders; ///< of the editor, as paths
  /// What was read from there for the last request that looked there.
  std::vector<std::unique_ptr<Document>> closed;
  /// Requests that jobs answer: their slots, and whether they were cancelled.
  struct Waiting {
    std::string slot;
    Value id = nullptr;
    bool isCancelled = false;
  };
  std::map<std::string, Waiting> waiting; ///< by the id as JSON
  bool isInitialized = false, isShutDown = false, isOver = false;
  bool withVersions = false, refreshesLenses = false, wantsStatus = false;
  bool asksBeforeEdits = false; ///< the editor can
  bool checks = true;
  int64_t nextId = 0;
  uint64_t slots = 0;
};

} // namespace cif

#endif
