// A run and its states. Frames tell what changed; states are put together from
// there, with a whole one kept every so often, so that going anywhere in a long
// run is quick.

const KEEP_EVERY = 64;

class Run {
  constructor(data, run) {
    this.frames = run.frames;
    this.hasStates = run.hasStates;
    this.model = run.model;
    this.graph = run.graph; // its states are drawn there
    this.verdicts = run.verdicts;
    const verdict = data.verdicts[run.verdicts[0]];
    this.witness = verdict.witness;
    this.kept = [];
    this.participants = this.findParticipants(
      data.page.models[run.model] || { participants: [] });
  }

  get last() { return this.frames.length - 1; }

  // Where the cycle of a lasso begins, as a frame.
  get loopStart() {
    if (this.witness.loopStart === undefined) return -1;
    return this.frames.findIndex((f) => f.step === this.witness.loopStart);
  }

  // Who takes part, in the order of the model.
  findParticipants(model) {
    const names = new Set();
    for (const frame of this.frames)
      for (const name of [frame.who, frame.from, frame.to])
        if (name) names.add(name);
    const known = model.participants.filter((name) => names.has(name));
    return known.concat([...names].filter((name) => !known.includes(name)));
  }

  step(k) {
    const frame = this.frames[k];
    return frame && frame.step !== undefined
      ? this.witness.steps[frame.step] : null;
  }

  text(k) {
    if (k === 0) return 'The run begins.';
    const step = this.step(k);
    return step ? step.label : this.frames[k].text || 'an internal step';
  }

  place(k) {
    const step = this.step(k);
    return (step && step.at) || this.frames[k].at || null;
  }

  // Tokens as a map from elements to [moving, waiting, ended], queues as a map
  // from names to messages [from, to, message].
  state(k) {
    let start = Math.min(Math.floor(k / KEEP_EVERY), this.kept.length - 1);
    let tokens = new Map(), queues = new Map(), next = 0;
    if (start >= 0) {
      tokens = new Map(this.kept[start].tokens);
      queues = new Map(this.kept[start].queues);
      next = start * KEEP_EVERY + 1;
    }
    for (; next <= k; ++next) {
      const frame = this.frames[next];
      for (const [id, counts] of Object.entries(frame.tokens || {}))
        if (counts.some((n) => n)) tokens.set(id, counts);
        else tokens.delete(id);
      for (const [name, change] of Object.entries(frame.queues || {})) {
        const messages = (queues.get(name) || []).slice();
        messages.splice(...change);
        if (messages.length) queues.set(name, messages);
        else queues.delete(name);
      }
      if (next % KEEP_EVERY === 0 && this.kept.length === next / KEEP_EVERY)
        this.kept.push({ tokens: new Map(tokens), queues: new Map(queues) });
    }
    return { tokens, queues };
  }

  // Who has come how far, for drawings that show no tokens: the place of the
  // last step of each participant up to frame k.
  positions(k) {
    const found = new Map();
    for (let i = k; i > 0 && found.size < this.participants.length; --i) {
      const frame = this.frames[i];
      const key = placeKey(this.place(i));
      if (!key) continue;
      const who = frame.kind === 'exchange' ? [frame.from, frame.to]
        : frame.kind === 'receive' ? [frame.to]
        : [frame.who || frame.from];
      for (const name of who)
        if (name && !found.has(name)) found.set(name, key);
    }
    return found;
  }

  // Where the message was sent last, up to frame k.
  sentAt(k, [from, to, message]) {
    for (let i = k; i > 0; --i) {
      const frame = this.frames[i];
      if ((frame.kind === 'send' || frame.kind === 'exchange') &&
          frame.from === from && frame.to === to && frame.message === message)
        return placeKey(this.place(i));
    }
    return '';
  }
}
