// Reports what cifc says when it reads a diagram: errors, and what it abstracts.
"use strict";

const { check, idAt } = require("../run");

module.exports = function (options) {
  return {
    check(node, reporter) {
      if (!node.$instanceOf("bpmn:Definitions")) {
        return;
      }
      for (const { at, text, code, notes = [] } of check(node, options).diagnostics) {
        const more = notes.map((note) => `; ${note.text}`).join("");
        reporter.report(idAt(at, node), `${text}${more} [${code}]`);
      }
    },
  };
};
