// Runs cifc on a diagram.
"use strict";

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { Writer } = require("moddle-xml");

// Both rules ask about one diagram.
let last = { key: "", report: undefined };

/**
 * The report of `cifc --check` (schema/report.schema.json) on a diagram as the
 * modeler has it. Options: cifc, the program; timeout, in seconds.
 */
function check(definitions, { cifc = "cifc", timeout = 20 } = {}) {
  const xml = new Writer({ format: true, preamble: true }).toXML(definitions);
  const key = JSON.stringify([cifc, timeout, xml]);
  if (last.key === key) {
    return last.report;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bpmnlint-cif-"));
  try {
    fs.writeFileSync(path.join(folder, "model.bpmn"), xml);
    const run = spawnSync(
      cifc,
      [
        "--check",
        "--quiet",
        "--color=never",
        `--timeout=${Number(timeout)}`,
        "--report=json:report.json",
        "model.bpmn",
      ],
      { cwd: folder, timeout: (Number(timeout) + 10) * 1000, encoding: "utf8" },
    );
    if (run.error) {
      throw new Error(`'${cifc}' could not be run (${run.error.message}); set its path as cifc`);
    }
    const file = path.join(folder, "report.json");
    if (!fs.existsSync(file)) {
      throw new Error(`'${cifc}' gave no report: ${run.stderr}`);
    }
    last = { key, report: JSON.parse(fs.readFileSync(file, "utf8")) };
    return last.report;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The id of the element at a place, or that of the whole. */
function idAt(at, definitions) {
  return (at && at.id) || definitions.id || "";
}

module.exports = { check, idAt };
