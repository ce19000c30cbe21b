//===- Requests.cpp - Requests on documents -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Features.h"
#include "Session.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

/// Seconds that somebody looks at a place and waits.
constexpr unsigned hoverSeconds = 3;

Answer EditorSession::atPosition(const Document &document, const Object &params,
                                 AtPosition ask) {
  auto position = positionFrom(params.getObject("position"));
  if (!position)
    return Answer::failure(InvalidParams, "the request has no position");
  return {ask(document, *position)};
}

Answer EditorSession::definition(Document &document, const Object &params,
                                 const Value &) {
  return atPosition(document, params, definitionOf);
}

Answer EditorSession::references(Document &document, const Object &params,
                                 const Value &) {
  const Object *context = params.getObject("context");
  bool all =
      !context || context->getBoolean("includeDeclaration").value_or(true);
  return atPosition(document, params,
                    all ? AtPosition([](const Document &d, LspPosition p) {
                      return referencesOf(d, p, true);
                    })
                        : AtPosition([](const Document &d, LspPosition p) {
                            return referencesOf(d, p, false);
                          }));
}

Answer EditorSession::highlights(Document &document, const Object &params,
                                 const Value &) {
  return atPosition(document, params, highlightsOf);
}

Answer EditorSession::prepareRename(Document &document, const Object &params,
                                    const Value &) {
  return atPosition(document, params, renameRange);
}

Answer EditorSession::completion(Document &document, const Object &params,
                                 const Value &) {
  return atPosition(document, params, completionsAt);
}

Answer EditorSession::renameName(Document &document, const Object &params,
                                 const Value &) {
  auto position = positionFrom(params.getObject("position"));
  std::optional<StringRef> name = params.getString("newName");
  if (!position || !name)
    return Answer::failure(InvalidParams,
                           "the request has no position or name");
  std::vector<LspEdit> edits;
  std::string error;
  if (!rename(document, *position, *name, edits, error))
    return Answer::failure(RequestFailed, error);
  return renameEverywhere(document, *position, *name, std::move(edits));
}

Answer EditorSession::outline(Document &document, const Object &,
                              const Value &) {
  return {outlineOf(document)};
}

Answer EditorSession::tokens(Document &document, const Object &,
                             const Value &) {
  return {semanticTokensOf(document)};
}

Answer EditorSession::formatting(Document &document, const Object &,
                                 const Value &) {
  Array edits;
  if (std::optional<LspEdit> edit = formatEdit(document))
    edits.push_back(toJSON(*edit));
  return {std::move(edits)};
}

Answer EditorSession::lenses(Document &document, const Object &,
                             const Value &) {
  return {lensesOf(document)};
}

/// Whether a document says what is to be exchanged, and whether it says what
/// participants do.
static bool hasChoreography(const Document &document) {
  return llvm::any_of(document.symbols().all, [](const Symbol &symbol) {
    return symbol.kind == SymbolKind::Choreography ||
           symbol.kind == SymbolKind::Protocol ||
           (symbol.kind == SymbolKind::Element &&
            symbol.detail == "choreography");
  });
}
static bool hasProcesses(const Document &document) {
  return llvm::any_of(document.symbols().all, [](const Symbol &symbol) {
    return symbol.kind == SymbolKind::Element && symbol.detail == "process";
  });
}

/// The names of those who take part.
static llvm::StringSet<> participantsOf(const Document &document) {
  llvm::StringSet<> names;
  for (const Symbol &symbol : document.symbols().all)
    if (symbol.kind == SymbolKind::Participant)
      names.insert(symbol.name);
    else if (symbol.detail == "participant")
      names.insert(symbol.title);
  return names;
}

/// Whether the processes of \p document may be what the choreography of \p
/// other asks for.
static bool mayAdapt(const Document &document, const Document &other) {
  if (!hasProcesses(document) || hasChoreography(document) ||
      !hasChoreography(other) || document.name == other.name)
    return false;
  llvm::StringSet<> own = participantsOf(document);
  return llvm::all_of(participantsOf(other), [&](const auto &entry) {
    return own.contains(entry.getKey());
  });
}

Answer EditorSession::codeActions(Document &document, const Object &params,
                                  const Value &) {
  auto range = rangeFrom(params.getObject("range"));
  if (!range)
    return Answer::failure(InvalidParams, "the request has no range");
  look(document);
  Value actions = actionsAt(document, *range, withVersions);
  // Processes that are drawn can be adapted to what is open beside them.
  for (const auto &[uri, other] : documents)
    if (mayAdapt(document, *other)) {
      std::string title = "Adapt to the choreography of " + other->name;
      actions.getAsArray()->push_back(
          Object{{"title", title},
                 {"kind", "quickfix"},
                 {"command", Object{{"title", title},
                                    {"command", "cif.adapt"},
                                    {"arguments", Array{document.uri, uri}}}}});
    }
  return {std::move(actions)};
}

//===----------------------------------------------------------------------===//
// What takes a run of the compiler
//===----------------------------------------------------------------------===//

static Value hoverJSON(const HoverText &hover) {
  if (hover.text.empty())
    return nullptr;
  return Object{
      {"contents", Object{{"kind", "markdown"}, {"value", hover.text}}},
      {"range", toJSON(hover.range)}};
}

Answer EditorSession::hover(Document &document, const Object &params,
                            const Value &id) {
  auto position = positionFrom(params.getObject("position"));
  if (!position)
    return Answer::failure(InvalidParams, "the request has no position");
  look(document);
  HoverText hover = hoverAt(document, *position, options.explain);
  // Names in lists have no commas.
  if (hover.participant.empty() || StringRef(hover.participant).contains(',') ||
      !hasChoreography(document) || document.report.hasErrors())
    return {hoverJSON(hover)};
  std::string form = document.language == "cp" ? "cp" : "ioc";
  Job job = jobFor(document, "hover", hoverSeconds);
  job.arguments.insert(job.arguments.end(),
                       {"--project=" + hover.participant, "--emit=" + form,
                        "-o", "../out/role", "--", document.name});
  job.outputs = {"role"};
  runFor(id, std::move(job), [this, id, hover, form](JobResult result) {
    HoverText all = hover;
    // Without it the rest is worth showing, too.
    if (result.kind == JobResult::Ended && result.status == 0 &&
        !result.outputs["role"].empty())
      all.text += "\n\nIts part (`--project`):\n```" + form + "\n" +
                  result.outputs["role"] + "```";
    transport.reply(id, hoverJSON(all));
  });
  return Answer::later();
}

Answer EditorSession::executeCommand(const Object &params, const Value &id) {
  std::optional<StringRef> command = params.getString("command");
  const Array *arguments = params.getArray("arguments");
  std::vector<Document *> named;
  if (arguments)
    for (const Value &each : *arguments) {
      auto at = documents.find(each.getAsString().value_or("").str());
      if (at == documents.end())
        return Answer::failure(InvalidParams, "a document is not open");
      named.push_back(at->second.get());
    }
  if (command == "cif.report" && named.size() == 1)
    return report(*named[0], id);
  if (command == "cif.adapt" && named.size() == 2)
    return adapt(*named[0], *named[1], id);
  return Answer::failure(
      InvalidParams, "there is no command '" + command.value_or("") +
                         "' with so many documents; there are cif.report with "
                         "one and cif.adapt with two");
}

/// The page of --report=html, as a text.
Answer EditorSession::report(Document &document, const Value &id) {
  Job job = jobFor(document, "command " + std::to_string(++slots));
  job.arguments.insert(
      job.arguments.end(),
      {"--check", "--report=html:../out/page.html", "--", document.name});
  job.outputs = {"page.html"};
  runFor(id, std::move(job), [this, id](JobResult result) {
    std::string &page = result.outputs["page.html"];
    if (result.kind != JobResult::Ended || page.empty())
      return transport.fail(id, RequestFailed,
                            "there is no report: " + result.errors);
    transport.reply(id, Object{{"html", std::move(page)}});
  });
  return Answer::later();
}

/// The editor makes the change, and may undo it.
Answer EditorSession::adapt(Document &document, const Document &choreography,
                            const Value &id) {
  if (document.name == choreography.name)
    return Answer::failure(RequestFailed, "the two files have one name");
  Job job = jobFor(document, "command " + std::to_string(++slots));
  job.files[choreography.name] = choreography.text();
  job.arguments.insert(job.arguments.end(),
                       {"--adapt=" + choreography.name, "--emit=bpmn", "-o",
                        "../out/adapted.bpmn", "--", document.name});
  job.outputs = {"adapted.bpmn"};
  runFor(id, std::move(job),
         [this, id, uri = document.uri,
          version = document.version](JobResult result) {
           Document *same = current(uri, version);
           if (!same)
             return transport.fail(id, ContentModified,
                                   "the text was changed meanwhile");
           const std::string &text = result.outputs["adapted.bpmn"];
           if (text.empty() || text == same->text())
             return transport.fail(id, RequestFailed,
                                   "nothing was adapted: " + result.errors);
           transport.request(++nextId, "workspace/applyEdit",
                             Object{{"label", "Adapt"},
                                    {"edit", editOf(*same, editTo(*same, text),
                                                    withVersions)}});
           transport.reply(id, nullptr);
         });
  return Answer::later();
}
