// node xstate.js MACHINES.json MODULE.json: XState itself runs the machines that
// --emit=xstate wrote. In every state it takes just the events of the transitions that
// --emit=json gives for the peer, goes where they go, and sends what they send.
const fs = require("fs");
const { createMachine, initialTransition, transition } = require("xstate");
const [machines, model] = process.argv.slice(2).map(
  (path) => JSON.parse(fs.readFileSync(path, "utf8")));
const name = '("(?:[^"\\\\]|\\\\.)*"|[^"!?:]+)';
const label = new RegExp(`^${name}([!?])${name}:${name}$`, "s");

function plain(text) {
  if (text[0] !== '"') return text;
  const bytes = Buffer.from(text.slice(1, -1)).toString("latin1")
    .replace(/\\(x(..)|.)/gs, (_, c, hex) => hex
      ? String.fromCharCode(parseInt(hex, 16))
      : ({ n: "\n", t: "\t", r: "\r" })[c] ?? c);
  return Buffer.from(bytes, "latin1").toString();
}

// The transitions of a peer: from "state event" to what comes of it.
function stepsOf(system) {
  const steps = new Map();
  for (const [from, text, to] of system.transitions) {
    const [, , way, partner, message] = label.exec(text) ?? [];
    const event = way ? partner + way + message : text;
    const sent = way === "!" ? [[plain(partner), plain(message)]] : [];
    steps.set(`s${from} ${event}`, { event, to: `s${to}`, sent });
  }
  for (const s of system.final ?? [])
    steps.set(`s${s} end`, { event: "end", to: "end", sent: [] });
  return steps;
}

let taken = 0;
function run(config, steps) {
  const events = new Set(["tau", "x", "*"]);
  for (const step of steps.values()) events.add(step.event);
  const machine = createMachine(config);
  const work = [initialTransition(machine)[0]], seen = new Set([work[0].value]);
  while (work.length) {
    const state = work.pop();
    for (const type of events) {
      const step = steps.get(`${state.value} ${type}`);
      const [next, actions] = transition(machine, state, { type });
      const sent = actions.map((a) => [a.params.to, a.params.message]);
      const same = state.can({ type }) === (step !== undefined) &&
        next.value === (step?.to ?? state.value) &&
        (next.status === "done") === (next.value === "end") &&
        JSON.stringify(sent) === JSON.stringify(step?.sent ?? []);
      if (!same) throw Error(`${config.id}: ${state.value} ${type}`);
      taken += step ? 1 : 0;
      if (!seen.has(next.value)) {
        seen.add(next.value);
        work.push(next);
      }
    }
  }
}

const peers = model.systems.filter((s) => s.role === "peer");
for (const peer of peers) run(machines[peer.name], stepsOf(peer));
console.log(`${peers.length} machines, ${taken} transitions`);
