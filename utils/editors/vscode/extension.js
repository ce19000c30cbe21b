// The client of cif-lsp in VS Code.
"use strict";

const vscode = require("vscode");
const { LanguageClient, State } = require("vscode-languageclient/node");

let client;
let status;
const panels = new Map(); // by the address of the document

const languages = ["ioc", "cp", "cift", "bpmn", "mermaid", "plantuml"];

function settings() {
  const all = vscode.workspace.getConfiguration("cif");
  return {
    checks: all.get("checks"),
    timeout: all.get("timeout"),
    debounce: all.get("debounce"),
    status: true,
  };
}

function clientOptions() {
  const markdown = vscode.workspace.getConfiguration("cif").get("markdown");
  return {
    documentSelector: (markdown ? [...languages, "markdown"] : languages).map((language) => ({
      language,
    })),
    initializationOptions: settings(),
    middleware: {
      // The lens of a verdict asks for the report: it is shown, not returned.
      executeCommand: (command, args, next) =>
        command === "cif.report" ? showReport(args[0]) : next(command, args),
    },
  };
}

/** The report on the document at this address, in a panel beside it. */
async function showReport(uri) {
  const editor = vscode.window.activeTextEditor;
  const address = uri ? String(uri) : editor && editor.document.uri.toString();
  if (!address || !client) {
    vscode.window.showInformationMessage("Open a choreography to see its report.");
    return;
  }
  let page;
  try {
    page = await client.sendRequest("workspace/executeCommand", {
      command: "cif.report",
      arguments: [address],
    });
  } catch (error) {
    vscode.window.showErrorMessage(`There is no report: ${error.message}`);
    return;
  }
  let panel = panels.get(address);
  if (!panel) {
    // The page brings its own policy, which names its scripts by their hashes;
    // it may reach no file and no network.
    panel = vscode.window.createWebviewPanel(
      "cif.report",
      `Report: ${decodeURIComponent(address.split("/").pop())}`,
      vscode.ViewColumn.Beside,
      { enableScripts: true, enableForms: false, localResourceRoots: [], enableFindWidget: true },
    );
    panel.onDidDispose(() => panels.delete(address));
    panels.set(address, panel);
  }
  panel.webview.html = withPolicy(page.html);
  panel.reveal(vscode.ViewColumn.Beside, true);
}

/** The page, or a note in its place: a page without a policy is not shown. */
function withPolicy(html) {
  if (/<meta http-equiv="Content-Security-Policy" content="default-src 'none';/.test(html)) {
    return html;
  }
  return `<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<p>The report has no content security policy, so it is not shown.</p>`;
}

function showStatus({ uri, state }) {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.uri.toString() !== uri) {
    return;
  }
  status.text = { checking: "$(sync~spin) CIF", failed: "$(warning) CIF" }[state] || "CIF";
  status.tooltip = `CIF: ${state}`;
  status.show();
}

async function start() {
  const command = vscode.workspace.getConfiguration("cif").get("server.path") || "cif-lsp";
  client = new LanguageClient("cif", "CIF", { command, args: [] }, clientOptions());
  client.onNotification("cif/status", showStatus);
  try {
    await client.start();
  } catch {
    vscode.window.showErrorMessage(
      `'${command}' could not be started. Install CIF, or set cif.server.path.`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running && running.state === State.Running) {
    await running.stop();
  }
}

async function activate(context) {
  status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  status.command = "cif.showReport";
  context.subscriptions.push(
    status,
    vscode.commands.registerCommand("cif.showReport", showReport),
    vscode.commands.registerCommand("cif.restartServer", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("cif.server") || change.affectsConfiguration("cif.markdown")) {
        await stop();
        await start();
      } else if (change.affectsConfiguration("cif") && client) {
        client.sendNotification("workspace/didChangeConfiguration", {
          settings: { cif: settings() },
        });
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop, withPolicy };
