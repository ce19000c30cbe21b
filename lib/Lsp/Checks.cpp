//===- Checks.cpp - Diagnostics and verdicts as one types -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A text is checked when nobody has typed for a moment: first what the front
/// end says and what takes no search, in this process; then, where it could be
/// read, `cifc --check` as a process; then, where that finds that a
/// choreography is not realizable, `cifc --amend`. Each step is for the text as
/// it was when it began: an edit ends it, and what comes late is dropped.
///
//===----------------------------------------------------------------------===//

#include "Session.h"

using namespace cif;

void EditorSession::log(const Twine &text) {
  transport.notify("window/logMessage",
                   Object{{"type", 2}, {"message", text.str()}});
}

void EditorSession::publish(const Document &document) {
  Array list;
  for (const Finding &finding : document.report.findings)
    list.push_back(toJSON(finding, document.uri));
  transport.notify("textDocument/publishDiagnostics",
                   Object{{"uri", document.uri},
                          {"version", document.version},
                          {"diagnostics", std::move(list)}});
}

void EditorSession::tellStatus(const Document &document, StringRef state) {
  if (wantsStatus)
    transport.notify("cif/status", Object{{"uri", document.uri},
                                          {"version", document.version},
                                          {"state", state}});
}

void EditorSession::finish(Document &document, StringRef state) {
  tellStatus(document, state);
  if (refreshesLenses)
    transport.request(++nextId, "workspace/codeLens/refresh", Object());
}

void EditorSession::lookAtDue() {
  for (const auto &[uri, document] : documents) {
    if (document->due > Document::Clock::now())
      continue;
    document->due = Document::Clock::time_point::max();
    look(*document);
    if (checks && !document->language.empty() && !document->report.hasErrors())
      startCheck(*document);
    else
      finish(*document, "checked");
  }
}

void EditorSession::look(Document &document) {
  if (document.isSeen)
    return;
  document.isSeen = true;
  if (document.language.empty())
    findLanguage(document);
  document.report = {};
  if (!document.language.empty() &&
      document.text().size() <= Document::maxAtOnce)
    document.report =
        readReport(options.checkAtOnce(document.name, document.text(),
                                       document.language),
                   document)
            .value_or(Report());
  publish(document);
}

Job EditorSession::jobFor(const Document &document, std::string slot,
                          unsigned seconds) const {
  Job job{.slot = std::move(slot)};
  job.files[document.name] = document.text();
  job.arguments = {"--timeout=" + std::to_string(seconds),
                   "--max-memory=" + options.memory, "--max-errors=100",
                   "--color=never", "--quiet"};
  job.arguments.push_back("--input-format=" + document.language);
  return job;
}

Document *EditorSession::current(const std::string &uri, int64_t version) {
  auto at = documents.find(uri);
  if (at == documents.end() || at->second->version != version ||
      at->second->due != Document::Clock::time_point::max())
    return nullptr;
  return at->second.get();
}

void EditorSession::startCheck(Document &document) {
  tellStatus(document, "checking");
  Job job = jobFor(document, "check " + document.uri);
  job.arguments.insert(
      job.arguments.end(),
      {"--check", "--report=json:../out/report.json", "--", document.name});
  job.outputs = {"report.json"};
  runner.run(std::move(job), [this, uri = document.uri,
                              version = document.version](JobResult result) {
    Document *same = current(uri, version);
    if (same && result.kind != JobResult::Cancelled)
      checked(*same, std::move(result));
  });
}

void EditorSession::checked(Document &document, JobResult result) {
  std::optional<Report> report =
      readReport(result.outputs["report.json"], document);
  if (result.kind != JobResult::Ended || !report) {
    log("the check of '" + document.uri + "' did not end as it should: " +
        (result.kind == JobResult::TimedOut ? "it took too long"
         : result.kind == JobResult::Busy   ? "too many others run"
                                            : result.errors));
    return finish(document, "failed");
  }
  document.report = std::move(*report);
  document.isChecked = true;
  publish(document);
  if (document.report.isViolated("realizable") &&
      (document.language == "ioc" || document.language == "cp" ||
       document.language == "bpmn"))
    startRepair(document);
  else
    finish(document, "checked");
}

void EditorSession::startRepair(Document &document) {
  Job job = jobFor(document, "check " + document.uri);
  job.arguments.insert(job.arguments.end(),
                       {"--amend", "--report=sarif:../out/fixes.sarif", "-o",
                        "/dev/null", "--", document.name});
  job.outputs = {"fixes.sarif"};
  runner.run(std::move(job), [this, uri = document.uri,
                              version = document.version](JobResult result) {
    Document *same = current(uri, version);
    if (!same || result.kind == JobResult::Cancelled)
      return;
    if (result.kind == JobResult::Ended)
      same->report.repairs = readFixes(
          result.outputs["fixes.sarif"], *same,
          "Add the fewest interactions that make it realizable (amend)");
    finish(*same, "checked");
  });
}
