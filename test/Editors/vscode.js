// Runs the extension under node, with a stub of the editor and the real server:
// vscode.js EXTENSION CIF-LSP MODEL. Prints what a user would see.
"use strict";

const Module = require("node:module");
const fs = require("node:fs");
const path = require("node:path");
const { makeStub, TextDocument, Uri, Position } = require("./vscode-stub");

const [extensionPath, server, model] = process.argv.slice(2);
const uri = Uri.file(path.resolve(model));
const document = new TextDocument(uri, "cp", fs.readFileSync(model, "utf8"));
const { stub, seen, fire } = makeStub(
  {
    "cif.server.path": server,
    "cif.checks": true,
    "cif.timeout": 10,
    "cif.debounce": 10,
    "cif.markdown": false,
  },
  document,
);
const load = Module._load;
Module._load = function (name, ...rest) {
  return name === "vscode" ? stub : load.call(this, name, ...rest);
};

/** Waits until a list of diagnostics has a code; fails after a while. */
function diagnosticsWith(test, what) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no ${what}`)), 60000);
    seen.published = () => {
      const list = seen.diagnostics.get(String(uri)) || [];
      if (test(list)) {
        clearTimeout(timer);
        resolve(list);
      }
    };
    seen.published();
  });
}

async function main() {
  const extension = require(path.resolve(extensionPath));
  const context = { subscriptions: [] };
  await extension.activate(context);
  console.log("messages:", seen.messages.join("; ") || "none");
  if (seen.messages.length) {
    return;
  }
  console.log("commands:", [...seen.commands.keys()].sort().join(" "));
  console.log("providers:", [...new Set(seen.providers.map(([name]) => name))].sort().join(" "));

  const isVerdict = (each) => /synchronizable/.test(each.message);
  const found = (await diagnosticsWith((list) => list.some(isVerdict), "verdict")).find(isVerdict);
  console.log(`verdict: ${found.range.start.line}:${found.range.start.character} ${found.message.split("\n")[0]}`);
  console.log("steps:", found.relatedInformation.length);

  // An edit: the first line is broken.
  document.text = "protocl" + document.text.slice(document.text.indexOf(" Store"));
  document.version = 2;
  const whole = { start: new Position(0, 0), end: new Position(99, 0) };
  fire("onDidChangeTextDocument", {
    document,
    contentChanges: [{ range: whole, rangeOffset: 0, rangeLength: 0, text: document.text }],
  });
  const errors = await diagnosticsWith((list) => list.some((each) => /protocl/.test(each.message)), "error");
  console.log("error:", errors[0].message.split("\n")[0]);

  await seen.commands.get("cif.showReport")();
  const [panel] = seen.panels;
  console.log("panel:", panel.title, JSON.stringify(panel.options));
  console.log("policy:", /http-equiv="Content-Security-Policy" content="default-src 'none';/.test(panel.webview.html));
  console.log("no policy:", /<script/.test(extension.withPolicy("<script>x</script>")));
  await extension.deactivate();
  console.log("stopped");
}

main().then(
  () => process.exit(0),
  (error) => {
    console.log("failed:", error.stack);
    process.exit(1);
  },
);
