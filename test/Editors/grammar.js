// Prints what a TextMate grammar makes of a text, as VS Code would:
// grammar.js SYNTAXES-FOLDER LANGUAGE FILE. A line for each token with a scope.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const [folder, language, file] = process.argv.slice(2);

async function main() {
  const wasm = fs.readFileSync(
    path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm"),
  );
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const name = scope.replace("source.", "") + ".tmLanguage.json";
      const grammar = path.join(folder, name);
      return fs.existsSync(grammar)
        ? textmate.parseRawGrammar(fs.readFileSync(grammar, "utf8"), grammar)
        : null;
    },
  });
  const grammar = await registry.loadGrammar("source." + language);
  let state = textmate.INITIAL;
  for (const line of fs.readFileSync(file, "utf8").split("\n")) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const token of result.tokens) {
      const text = line.slice(token.startIndex, token.endIndex).trim();
      const scope = token.scopes[token.scopes.length - 1];
      if (text && token.scopes.length > 1) {
        console.log(`${text}  ${scope.replace("." + language, "")}`);
      }
    }
  }
}

main();
