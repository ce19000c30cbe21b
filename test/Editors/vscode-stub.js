// A module `vscode` with as much of the editor as its language client needs: one
// document, settings, and lists of what was registered and shown. Names that are
// not given here are classes that keep their arguments.
"use strict";

const { EventEmitter: NodeEmitter } = require("node:events");

class Disposable {
  constructor(dispose = () => {}) {
    this.dispose = dispose;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((each) => each.dispose()));
  }
}

class EventEmitter {
  constructor() {
    this.node = new NodeEmitter().setMaxListeners(0);
    this.event = (listener, self) => {
      const call = (value) => listener.call(self, value);
      this.node.on("event", call);
      return new Disposable(() => this.node.off("event", call));
    };
  }
  fire(value) {
    this.node.emit("event", value);
  }
  dispose() {
    this.node.removeAllListeners();
  }
}

class CancellationTokenSource {
  constructor() {
    this.emitter = new EventEmitter();
    this.token = {
      isCancellationRequested: false,
      onCancellationRequested: this.emitter.event,
    };
  }
  cancel() {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose() {}
}

class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.split(":")[0];
    this.fsPath = this.path = decodeURIComponent(text.replace(/^file:\/\//, ""));
  }
  static parse(text) {
    return new Uri(text);
  }
  static file(path) {
    return new Uri("file://" + path);
  }
  with() {
    return this;
  }
  toString() {
    return this.text;
  }
}

class Position {
  constructor(line, character) {
    this.line = line;
    this.character = character;
  }
}

class Range {
  constructor(...all) {
    const [start, end] =
      all.length === 4 ? [new Position(all[0], all[1]), new Position(all[2], all[3])] : all;
    Object.assign(this, { start, end });
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

class TextDocument {
  constructor(uri, languageId, text) {
    Object.assign(this, { uri, languageId, text, version: 1, isClosed: false });
    this.fileName = uri.fsPath;
  }
  getText() {
    return this.text;
  }
}

/** The stub, and what tests look at. */
function makeStub(settings, document) {
  const seen = { commands: new Map(), diagnostics: new Map(), panels: [], messages: [], providers: [] };
  const events = new Map();
  const event = (name) => {
    if (!events.has(name)) {
      events.set(name, new EventEmitter());
    }
    return events.get(name).event;
  };
  const nothing = () => new Disposable();
  const known = {
    Disposable,
    EventEmitter,
    CancellationTokenSource,
    Uri,
    Position,
    Range,
    Diagnostic,
    version: "1.90.0",
    env: { appName: "stub", appHost: "node", language: "en", sessionId: "1" },
    StatusBarAlignment: { Left: 1, Right: 2 },
    ViewColumn: { Active: -1, Beside: -2, One: 1 },
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
    CompletionItemKind: new Proxy({}, { get: () => 0 }),
    SymbolKind: new Proxy({}, { get: () => 0 }),
    CodeActionKind: new Proxy(
      { Empty: { value: "", append: (value) => ({ value }) } },
      { get: (own, key) => own[key] || { value: String(key), append: (value) => ({ value }) } },
    ),
    TextDocumentSaveReason: { Manual: 1, AfterDelay: 2, FocusOut: 3 },
    workspace: new Proxy(
      {
        textDocuments: [document],
        notebookDocuments: [],
        workspaceFolders: undefined,
        getConfiguration: (section) => ({
          get: (key, otherwise) => settings[`${section}.${key}`] ?? otherwise,
        }),
        createFileSystemWatcher: () => ({ dispose() {}, onDidCreate: nothing, onDidChange: nothing, onDidDelete: nothing }),
      },
      {
        get: (own, key) =>
          key in own ? own[key] : /^on/.test(String(key)) ? event(key) : () => new Disposable(),
      },
    ),
    window: new Proxy(
      {
        activeTextEditor: { document },
        visibleTextEditors: [],
        tabGroups: { all: [], onDidChangeTabs: nothing, onDidChangeTabGroups: nothing },
        createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, dispose() {}, info() {}, error() {} }),
        createStatusBarItem: () => ({ show() {}, hide() {}, dispose() {} }),
        createWebviewPanel: (type, title, column, options) => {
          const panel = { type, title, options, webview: {}, onDidDispose: nothing, reveal() {} };
          seen.panels.push(panel);
          return panel;
        },
        showErrorMessage: async (text) => void seen.messages.push(text),
        showInformationMessage: async (text) => void seen.messages.push(text),
      },
      { get: (own, key) => (key in own ? own[key] : /^on/.test(String(key)) ? event(key) : () => undefined) },
    ),
    commands: {
      registerCommand: (name, run) => {
        seen.commands.set(name, run);
        return new Disposable(() => seen.commands.delete(name));
      },
      executeCommand: (name, ...args) => seen.commands.get(name)(...args),
    },
    languages: new Proxy(
      {
        match: (selector, doc) =>
          [].concat(selector).some((each) => each.language === doc.languageId) ? 10 : 0,
        createDiagnosticCollection: () => ({
          set: (uri, list) => {
            seen.diagnostics.set(String(uri), list);
            seen.published && seen.published();
          },
          delete() {},
          clear() {},
          dispose() {},
        }),
      },
      {
        get: (own, key) =>
          key in own
            ? own[key]
            : (...args) => {
                seen.providers.push([String(key), args]);
                return new Disposable();
              },
      },
    ),
  };
  const others = {};
  const stub = new Proxy(known, {
    get: (own, key) => {
      if (key in own || typeof key === "symbol") {
        return own[key];
      }
      return (others[key] ||= class {
        constructor(...args) {
          this.args = args;
        }
      });
    },
    has: () => true,
  });
  return { stub, seen, fire: (name, value) => events.get(name).fire(value) };
}

module.exports = { makeStub, TextDocument, Uri, Position };
