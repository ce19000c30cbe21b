// Reports the violated verdicts of `cifc --check` at their elements.
"use strict";

const { check, idAt } = require("../run");

/** Where a verdict is to be shown: at its place, else where its run ends. */
function placeOf(verdict) {
  if (verdict.at && verdict.at.id) {
    return verdict.at;
  }
  const steps = (verdict.witness && verdict.witness.steps) || [];
  return steps.map((step) => step.at).findLast((at) => at && at.id);
}

/** One message for each run, however many checks say so. */
function violated(report) {
  const seen = new Set();
  return report.verdicts.filter((verdict) => {
    const { semantics, network } = verdict.parameters;
    const key =
      semantics && network ? verdict.property : JSON.stringify(verdict.witness || verdict.subject);
    const isNew = verdict.verdict === "violated" && !seen.has(key);
    if (isNew) {
      seen.add(key);
    }
    return isNew;
  });
}

function text(verdict) {
  const steps = (verdict.witness && verdict.witness.steps) || [];
  const run = steps.map((step) => step.label).join(", ");
  return (
    `${verdict.subject}: ${verdict.property}: ${verdict.message || "violated"}` +
    (run ? ` (${run})` : "")
  );
}

module.exports = function (options) {
  return {
    check(node, reporter) {
      if (!node.$instanceOf("bpmn:Definitions")) {
        return;
      }
      for (const verdict of violated(check(node, options))) {
        reporter.report(idAt(placeOf(verdict), node), text(verdict));
      }
    },
  };
};
