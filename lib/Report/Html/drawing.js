// The diagram: all drawings of a model on one canvas that can be moved and
// zoomed. Elements are found by the names that runs and findings have for them.

const GAP = 48, TITLE = 30;

// Parses a picture of ours; scripts in it would not run, and it has none.
function parseSvg(text) {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  const root = document.importNode(parsed.documentElement, true);
  for (const style of root.querySelectorAll('style, script, .paper'))
    style.remove();
  return root;
}

class Drawing {
  constructor(pane, findings) {
    this.pane = pane;
    this.findings = findings;
    this.byKey = new Map();
    this.messageFlows = new Map();
    this.content = svgEl('g');
    this.layer = svgEl('g', { class: 'layer' });
    this.svg = svgEl('svg', {
      class: 'cif', role: 'group', tabindex: '0',
      'aria-label': 'Diagram; plus and minus zoom, 0 shows everything, shift and arrows move it' },
                     this.content, this.layer);
    pane.append(this.svg);
    this.box = { x: 0, y: 0, width: 100, height: 100 };
    this.listen();
  }

  // Drawings side by side, in rows about as wide as the widest; at first not
  // smaller than \p least.
  async show(drawings, least = 0.25) {
    const turn = this.turn = (this.turn || 0) + 1;
    const rendered = await Promise.all(drawings.map(
      (drawing) => drawing.rendered ||= render(drawing)));
    if (turn !== this.turn) return false; // another drawing was asked for since
    clear(this.content);
    this.byKey.clear();
    this.messageFlows.clear();
    for (const mark of this.pane.querySelectorAll('.bjs-powered-by')) mark.remove();
    const marked = rendered.find((each) => each.mark);
    if (marked) this.pane.append(marked.mark);
    const roots = rendered.map((each) => each.root.cloneNode(true));
    const sizes = roots.map((root) => {
      const [, , width, height] = root.getAttribute('viewBox').split(/[\s,]+/).map(Number);
      return { width, height };
    });
    const limit = Math.max(1200, ...sizes.map((s) => s.width));
    const title = drawings.length > 1 ? TITLE : 0;
    let x = 0, y = 0, rowHeight = 0;
    roots.forEach((root, i) => {
      if (x && x + sizes[i].width > limit) {
        x = 0;
        y += rowHeight + GAP;
        rowHeight = 0;
      }
      const [left, top] = root.getAttribute('viewBox').split(/[\s,]+/).map(Number);
      const group = svgEl('g', { class: root.dataset.by,
        transform: `translate(${x - left} ${y + title - top})` });
      if (title)
        this.content.append(svgEl('text', {
          class: 'title', x: x + 16, y: y + 20, text: drawings[i].title }));
      group.append(...root.childNodes);
      this.content.append(group);
      x += sizes[i].width + GAP;
      rowHeight = Math.max(rowHeight, sizes[i].height + title);
    });
    this.least = least;
    this.index();
    const bounds = this.content.getBBox();
    this.bounds = { x: bounds.x - 16, y: bounds.y - 16,
                    width: bounds.width + 32, height: bounds.height + 32 };
    this.fit();
    return true;
  }

  index() {
    for (const group of this.content.querySelectorAll('[data-id], [data-element-id]')) {
      const keys = [group.dataset.id || group.dataset.elementId,
                    group.dataset.ref].filter(Boolean);
      for (const key of keys)
        if (!this.byKey.has(key)) this.byKey.set(key, group);
      if (group.classList.contains('message-flow'))
        this.messageFlows.set(
          [group.dataset.from, group.dataset.to, group.dataset.name].join('\n'),
          group);
      const found = this.findings.at(keys);
      if (!found.length) continue;
      group.classList.add('has-findings');
      group.setAttribute('tabindex', '0');
      group.setAttribute('role', 'img');
      group.setAttribute('aria-label', this.labelOf(group) + '. ' +
                         found.map((f) => f.text).join('. '));
    }
  }

  labelOf(group) {
    const kind = ([...group.classList].find((name) => !name.startsWith('djs-')) ||
                  'element').replaceAll('-', ' ');
    const name = group.dataset.name || group.dataset.id || group.dataset.elementId;
    const state = /^state:.*:(\d+)$/.exec(name);
    if (state) return `state ${state[1]}`;
    if (/^step:/.test(name)) return 'step';
    return name ? `${kind} '${name}'` : kind;
  }

  find(key) { return this.byKey.get(key); }

  // ---- Moving and zooming ----------------------------------------------

  setBox(box) {
    this.box = box;
    this.svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
  }

  // All of the drawing; of a large one, unless all is asked for, its begin in
  // a size that can be read.
  fit(all) {
    const { width, height } = this.pane.getBoundingClientRect();
    const b = this.bounds;
    const buttons = 40; // they stand above the drawing
    if (!b || !width || height <= buttons) return;
    const whole = Math.min(width / b.width, (height - buttons) / b.height);
    // Small drawings are not blown up.
    const scale = Math.min(all === true ? whole : Math.max(whole, this.least), 1.4);
    const w = width / scale, h = height / scale, above = buttons / scale;
    this.setBox({ x: b.x + Math.min((b.width - w) / 2, 0),
                  y: b.y - above + Math.min((b.height + above - h) / 2, 0),
                  width: w, height: h });
  }

  zoom(factor, at) {
    const { x, y, width, height } = this.box;
    const cx = at ? at.x : x + width / 2, cy = at ? at.y : y + height / 2;
    const w = Math.min(Math.max(width * factor, 60), 100000);
    const f = w / width;
    this.setBox({ x: cx - (cx - x) * f, y: cy - (cy - y) * f,
                  width: w, height: height * f });
  }

  pan(dx, dy) {
    this.setBox({ ...this.box, x: this.box.x + dx, y: this.box.y + dy });
  }

  toDrawing(event) {
    const point = new DOMPoint(event.clientX, event.clientY);
    return point.matrixTransform(this.svg.getScreenCTM().inverse());
  }

  // The box of an element in the drawing's coordinates.
  boxOf(element) {
    const group = element.querySelector(':scope > .djs-visual') || element;
    const box = group.getBBox();
    const m = this.svg.getScreenCTM().inverse().multiply(group.getScreenCTM());
    const at = new DOMPoint(box.x, box.y).matrixTransform(m);
    return { x: at.x, y: at.y, width: box.width * m.a, height: box.height * m.d };
  }

  // Moves the view where an element is out of it; where others are to be seen
  // with it and are not too far away, from as far as that takes.
  reveal(group, others = []) {
    const v = this.box, own = this.boxOf(group);
    const all = [own, ...others.filter(Boolean).map((other) => this.boxOf(other))];
    const left = Math.min(...all.map((b) => b.x)), top = Math.min(...all.map((b) => b.y));
    const right = Math.max(...all.map((b) => b.x + b.width));
    const bottom = Math.max(...all.map((b) => b.y + b.height));
    if (left >= v.x && top >= v.y && right <= v.x + v.width && bottom <= v.y + v.height) return;
    const { width, height } = this.pane.getBoundingClientRect();
    const wanted = Math.min(width / (right - left + 80), height / (bottom - top + 80));
    const least = 0.3; // texts are no longer read below that
    const scale = Math.min(v.width ? width / v.width : 1, Math.max(wanted, least));
    const middle = wanted < least ? { x: own.x + own.width / 2, y: own.y + own.height / 2 }
      : { x: (left + right) / 2, y: (top + bottom) / 2 };
    const w = width / scale, h = height / scale;
    this.setBox({ x: middle.x - w / 2, y: middle.y - h / 2, width: w, height: h });
  }

  listen() {
    this.svg.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY * 0.0015), this.toDrawing(event));
    }, { passive: false });
    let from = null;
    this.svg.addEventListener('pointerdown', (event) => {
      if (event.button) return;
      from = { x: event.clientX, y: event.clientY };
    });
    this.svg.addEventListener('pointermove', (event) => {
      if (!from) return;
      const dx = event.clientX - from.x, dy = event.clientY - from.y;
      if (!this.svg.classList.contains('moving')) {
        if (Math.abs(dx) + Math.abs(dy) < 4) return;
        this.svg.classList.add('moving');
        this.svg.setPointerCapture(event.pointerId);
      }
      const scale = this.box.width / this.svg.getBoundingClientRect().width;
      this.pan(-dx * scale, -dy * scale);
      from = { x: event.clientX, y: event.clientY };
    });
    for (const end of ['pointerup', 'pointercancel'])
      this.svg.addEventListener(end, () => {
        from = null;
        this.svg.classList.remove('moving');
      });
    this.svg.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.fit()).observe(this.pane);
    this.listenForTips();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = this.box.width / 8;
    const actions = {
      '+': () => this.zoom(0.8), '=': () => this.zoom(0.8), '-': () => this.zoom(1.25),
      0: () => this.fit(true), Escape: () => this.hideTip(),
    };
    if (event.shiftKey)
      Object.assign(actions, {
        ArrowLeft: () => this.pan(-far, 0), ArrowRight: () => this.pan(far, 0),
        ArrowUp: () => this.pan(0, -far), ArrowDown: () => this.pan(0, far) });
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }

  // ---- What the checks say of an element -------------------------------

  listenForTips() {
    const tip = document.getElementById('tip');
    const groupOf = (target) =>
      target.closest && target.closest('[data-id], [data-element-id]');
    const show = (group, x, y) => {
      if (!group || !this.svg.contains(group)) return this.hideTip();
      this.fillTip(tip, group);
      tip.hidden = false;
      const { width, height } = tip.getBoundingClientRect();
      tip.style.left = Math.max(8, Math.min(x + 14, innerWidth - width - 8)) + 'px';
      tip.style.top = (y + 18 + height > innerHeight ? y - height - 10 : y + 18) + 'px';
    };
    this.hideTip = () => { tip.hidden = true; };
    this.svg.addEventListener('pointermove', (event) => {
      if (this.svg.classList.contains('moving')) return this.hideTip();
      show(groupOf(event.target), event.clientX, event.clientY);
    });
    this.svg.addEventListener('pointerleave', () => this.hideTip());
    this.svg.addEventListener('focusin', (event) => {
      const group = groupOf(event.target);
      if (!group) return;
      const box = group.getBoundingClientRect();
      show(group, box.right, box.top);
    });
    this.svg.addEventListener('focusout', () => this.hideTip());
  }

  fillTip(tip, group) {
    const keys = [group.dataset.id || group.dataset.elementId,
                  group.dataset.ref].filter(Boolean);
    const found = this.findings.at(keys);
    const { text } = group.dataset; // of a graph
    clear(tip).append(
      el('strong', { text: this.labelOf(group) }),
      el('span', { class: 'id', text: group.dataset.ref || text ? '' : keys[0] || '' }));
    if (text)
      tip.append(el('ul', {}, text.split('; ').map((each) => el('li', { text: each }))));
    else if (!found.length)
      tip.append(el('p', { class: 'quiet', text: 'No check complains about it.' }));
    const list = el('ul');
    for (const each of found.slice(0, 8))
      list.append(el('li', {}, sign(each.verdict), ' ', each.text));
    if (found.length > 8)
      list.append(el('li', { class: 'quiet', text: `and ${found.length - 8} more` }));
    if (found.length) tip.append(list);
  }
}
