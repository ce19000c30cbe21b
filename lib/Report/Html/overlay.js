// What lies on the diagram: tokens, messages in transit, who has come how far,
// and the marks of the current step.

const MARKS = ['now', 'done', 'ahead', 'blamed', 'noted', 'stuck'];

class Overlay {
  constructor(drawing) {
    this.drawing = drawing;
    this.fresh = []; // what goes onto the layer
    this.chips = []; // of these: texts on a coloured ground
  }

  // Puts everything onto the layer at once: places are looked up before, and
  // widths of texts after that, so that the page is laid out twice and not for
  // every token.
  flush() {
    this.drawing.layer.append(...this.fresh);
    const widths = this.chips.map(({ text }) => text.getComputedTextLength() + 16);
    const taken = new Map(); // by place: the width of the chips that are there
    this.chips.forEach(({ group, x, y, isCentred }, i) => {
      const key = `${x} ${y}`, left = taken.get(key) ?? 0;
      taken.set(key, left + widths[i] + 3);
      const middle = isCentred ? x : x + left + widths[i] / 2;
      group.setAttribute('transform', `translate(${middle} ${y})`);
      group.prepend(svgEl('rect', {
        x: -widths[i] / 2, y: -10, width: widths[i], height: 20, rx: 10 }));
    });
    this.fresh = [];
    this.chips = [];
  }

  clearMarks() {
    for (const group of this.drawing.content.querySelectorAll(
        MARKS.map((mark) => '.' + mark).join(', ')))
      group.classList.remove(...MARKS);
    this.drawing.content.classList.remove('with-run');
    clear(this.drawing.layer);
  }

  mark(key, mark) {
    const group = key && this.drawing.find(key);
    if (group) group.classList.add(mark);
    return group;
  }

  // Where a verdict points.
  blame(verdict) {
    this.mark(placeKey(verdict.at), verdict.verdict === 'holds' ? 'noted' : 'blamed');
    for (const note of verdict.notes || []) this.mark(placeKey(note.at), 'noted');
    if (verdict.witness && verdict.witness.kind === 'elements')
      for (const step of verdict.witness.steps)
        this.mark(placeKey(step.at), 'blamed');
  }

  // Frame k of a run; the verdict's blame shows at its end.
  show(run, k, verdict) {
    this.clearMarks();
    for (let i = Math.max(1, k - 400); i < k; ++i)
      this.mark(placeKey(run.place(i)), 'done');
    const now = k > 0 && this.mark(placeKey(run.place(k)), 'now');
    const { tokens, queues } = run.state(k);
    if (k === run.last) {
      this.blame(verdict);
      if (verdict.verdict === 'violated') this.markStuck(tokens);
    }
    let drawn = 0;
    for (const [id, counts] of tokens) drawn += this.token(id, counts);
    if (!drawn) this.positions(run.positions(k));
    this.messages(run, k, queues);
    this.flush();
    if (now) this.drawing.reveal(now);
  }

  // Frame k in the graph of all states: what was passed, and what is ahead.
  showState(run, k) {
    this.clearMarks();
    this.drawing.content.classList.add('with-run');
    const key = (i) => `state:graph ${run.graph}:${run.frames[i].state}`;
    const near = (i) => i >= 0 && i <= run.last && Math.abs(i - k) <= 400;
    for (let i = run.last; i > 0; --i) {
      if (!near(i)) continue;
      const { state } = run.frames[i];
      const arrow = `step:graph ${run.graph}:${run.frames[i - 1].state}:${state}`;
      const mark = i === k ? 'now' : i < k ? 'done' : 'ahead';
      this.mark(arrow, mark);
      if (i !== k) this.mark(key(i), mark);
    }
    const now = this.drawing.find(key(k));
    if (!now) return;
    now.classList.add('now');
    const box = this.drawing.boxOf(now);
    this.drawing.layer.append(svgEl('g', {
      class: 'token moving', 'data-token': key(k), 'data-count': 1,
      transform: `translate(${box.x + box.width - 3} ${box.y + 3})` },
      svgEl('circle', { r: 8 })));
    this.drawing.reveal(now, [k - 1, k + 1].filter(near).map((i) => this.drawing.find(key(i))));
  }

  // Pools in which a token is left.
  markStuck(tokens) {
    const left = [...tokens].filter(([, counts]) => counts[0])
      .map(([id]) => this.drawing.find(id)).filter(Boolean)
      .map((group) => this.drawing.boxOf(group));
    for (const pool of this.drawing.content.querySelectorAll('.pool')) {
      const p = this.drawing.boxOf(pool);
      if (left.some((b) => b.x >= p.x && b.y >= p.y && b.x <= p.x + p.width &&
                           b.y <= p.y + p.height))
        pool.classList.add('stuck');
    }
  }

  token(id, counts) {
    const group = this.drawing.find(id);
    if (!group) return 0;
    const at = this.tokenPoint(group);
    counts.forEach((count, kind) => {
      if (!count) return;
      const name = ['moving', 'waiting', 'ended'][kind];
      const token = svgEl('g', {
        class: 'token ' + name, 'data-token': id, 'data-count': count,
        transform: `translate(${at.x} ${at.y})` },
        svgEl('circle', { r: 9 }));
      if (count > 1)
        token.append(svgEl('text', { y: 4, text: String(count) }));
      this.fresh.push(token);
    });
    return 1;
  }

  // Half way along a flow, in the upper right corner of an activity, in the
  // middle of whatever is small.
  tokenPoint(group) {
    const lines = group.classList.contains('flow') ||
      group.classList.contains('message-flow') ||
      group.classList.contains('djs-connection');
    if (lines) return this.halfWay(group);
    const box = this.drawing.boxOf(group);
    if (box.width > 60)
      return { x: box.x + box.width - 12, y: box.y + 12 };
    return { x: box.x + box.width / 2, y: box.y + Math.min(box.width, box.height) / 2 };
  }

  halfWay(group) {
    const path = (group.querySelector('.djs-visual') || group)
      .querySelector(':scope > path, :scope > polyline');
    if (!path) {
      const box = this.drawing.boxOf(group);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }
    const at = path.getPointAtLength(path.getTotalLength() / 2);
    const m = this.drawing.svg.getScreenCTM().inverse()
      .multiply(path.getScreenCTM());
    return new DOMPoint(at.x, at.y).matrixTransform(m);
  }

  // On the lower border of the element, side by side from the left, so that what
  // stands in the middle can be read.
  positions(found) {
    for (const [name, key] of found) {
      const group = this.drawing.find(key);
      if (!group) continue;
      const box = this.drawing.boxOf(group);
      this.chip('position', name, { x: box.x - 4, y: box.y + box.height + 5 },
                { 'data-position': name });
    }
  }

  messages(run, k, queues) {
    const places = new Map(); // by point: messages
    for (const list of queues.values())
      for (const message of list) {
        const flow = this.drawing.messageFlows.get(message.join('\n'));
        const group = flow || this.drawing.find(run.sentAt(k, message));
        if (!group) continue;
        if (!places.has(group)) places.set(group, { flow: !!flow, list: [] });
        places.get(group).list.push(message);
      }
    for (const [group, { flow, list }] of places) {
      const count = list.length > 1 ? ` ×${list.length}` : '';
      this.chip('message', '✉ ' + list[0][2] + count,
                flow ? this.middleOf(group) : this.messagePoint(group),
                { 'data-transit': list[0][2], 'data-count': list.length });
    }
  }

  middleOf(flow) {
    const { x, y } = this.halfWay(flow);
    return { x, y, isCentred: true };
  }

  // Above an element; beside the envelope that chor-js draws there.
  messagePoint(group) {
    const box = this.drawing.boxOf(group);
    if (group.classList.contains('djs-element'))
      return { x: box.x + box.width / 2 + 19, y: box.y - 27 };
    return { x: box.x + box.width / 2, y: box.y - 14, isCentred: true };
  }

  chip(kind, label, at, attributes) {
    const text = svgEl('text', { y: 4, text: label });
    const group = svgEl('g', { class: 'chip ' + kind, ...attributes }, text);
    this.fresh.push(group);
    this.chips.push({ group, text, ...at });
  }
}
