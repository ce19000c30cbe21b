// The run as a sequence chart: a line of life for each participant, a row for
// each step. Only rows in view are in the page, however long the run is.

const ROW = 38, MORE_ROWS = 12;

class Chart {
  constructor(aside, onPick) {
    this.aside = aside;
    this.onPick = onPick;
    this.run = null;
    this.current = 0;
    this.scroller = el('div', { class: 'rows', tabindex: '0', role: 'list',
                                'aria-label': 'Steps of the run' });
    this.scroller.addEventListener('scroll', () => this.draw(), { passive: true });
    new ResizeObserver(() => this.layOut()).observe(this.scroller);
  }

  show(run) {
    this.run = run;
    clear(this.aside);
    this.aside.hidden = !run;
    if (!run) return;
    this.head = el('div', { class: 'lives' });
    this.aside.append(el('h2', { text: 'Run' }), this.head, this.scroller);
    this.body = el('div', { class: 'body' });
    clear(this.scroller).append(this.body);
    this.layOut();
  }

  layOut() {
    if (!this.run || !this.body) return;
    const names = this.run.participants;
    const room = this.scroller.clientWidth || 320;
    // Room for the numbers of the steps.
    this.left = 20 + 7 * Math.max(3, String(this.run.frames.length).length);
    this.column = Math.max(86, Math.floor((room - this.left) / Math.max(1, names.length)));
    this.width = this.left + this.column * names.length;
    clear(this.head).append(...names.map((name, i) =>
      el('span', { style: `left:${this.left + i * this.column}px;width:${this.column}px`,
                   title: name, text: name })));
    this.body.style.height = (this.run.frames.length - 1) * ROW + 'px';
    this.body.style.width = this.width + 'px';
    this.drawn = '';
    this.draw();
  }

  centre(name) {
    const i = this.run.participants.indexOf(name);
    return i < 0 ? -1 : this.left + (i + 0.5) * this.column;
  }

  goTo(k) {
    this.current = k;
    if (!this.run) return;
    const top = (k - 1) * ROW, view = this.scroller;
    if (top < view.scrollTop || top + ROW > view.scrollTop + view.clientHeight)
      view.scrollTop = Math.max(0, top - view.clientHeight / 2);
    this.drawn = '';
    this.draw();
  }

  draw() {
    if (!this.run || !this.body) return;
    const view = this.scroller;
    const first = Math.max(1, Math.floor(view.scrollTop / ROW) + 1 - MORE_ROWS);
    const last = Math.min(this.run.last, Math.ceil(
      (view.scrollTop + (view.clientHeight || 600)) / ROW) + MORE_ROWS);
    this.head.scrollLeft = view.scrollLeft;
    const drawn = `${first}-${last}`;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const rows = [];
    for (let k = first; k <= last; ++k) rows.push(this.row(k));
    clear(this.body).append(...rows);
  }

  row(k) {
    const frame = this.run.frames[k];
    const state = k === this.current ? ' now' : k > this.current ? ' later' : '';
    const loop = k === this.run.loopStart;
    const svg = svgEl('svg', { width: this.width, height: ROW, 'aria-hidden': 'true' });
    for (const name of this.run.participants) {
      const x = this.centre(name);
      svg.append(svgEl('line', { class: 'life', x1: x, y1: 0, x2: x, y2: ROW }));
    }
    svg.append(svgEl('text', { class: 'number', x: this.left - 10, y: 23, text: String(k) }));
    this.drawStep(svg, frame, k);
    const row = el('div', {
      class: 'row' + state + (loop ? ' loop' : ''), role: 'listitem',
      style: `top:${(k - 1) * ROW}px`, 'data-frame': k,
      title: this.run.text(k),
      'aria-label': `${k}: ${this.run.text(k)}`,
      'aria-current': k === this.current ? 'step' : null,
      onclick: () => this.onPick(k) }, svg);
    if (loop) row.append(el('span', { class: 'again', text: 'again and again' }));
    return row;
  }

  drawStep(svg, frame, k) {
    const from = this.centre(frame.from), to = this.centre(frame.to);
    const y = 25;
    if (from >= 0 && to >= 0 && (frame.kind === 'exchange' || frame.kind === 'send')) {
      const back = to < from ? -1 : 1;
      if (from === to) return this.box(svg, from, frame.message);
      svg.append(
        svgEl('line', { class: 'arrow ' + frame.kind, x1: from, y1: y,
                        x2: to - 7 * back, y2: y }),
        svgEl('path', { class: 'head ' + frame.kind,
                        d: `M${to - 9 * back} ${y - 4}L${to - back} ${y}L${to - 9 * back} ${y + 4}` }),
        this.label((from + to) / 2, y - 6, frame.message, Math.abs(to - from)));
      return undefined;
    }
    if (to >= 0 && frame.kind === 'receive') {
      svg.append(svgEl('circle', { class: 'taken', cx: to, cy: 20, r: 5 }),
                 this.label(to, 12, 'takes ' + frame.message, this.column));
      return undefined;
    }
    const x = this.centre(frame.who);
    const text = this.run.text(k);
    if (x >= 0) return this.box(svg, x, text);
    svg.append(svgEl('text', { class: 'alone', x: this.left, y: 23, text }));
    return undefined;
  }

  label(x, y, text, room) {
    const most = Math.max(6, Math.floor(room / 6.2));
    return svgEl('text', { class: 'label', x, y,
      text: text.length > most ? text.slice(0, most - 1) + '…' : text });
  }

  box(svg, x, text) {
    // "exclusive gateway 'ok?' of 'Shop' takes ...": the name will do.
    const quoted = /'([^']+)'/.exec(text);
    const short = quoted ? quoted[1] : text;
    const most = Math.floor((this.column - 14) / 6.2);
    const shown = short.length > most ? short.slice(0, most - 1) + '…' : short;
    const width = Math.min(this.column - 6, shown.length * 6.6 + 14);
    svg.append(svgEl('rect', { class: 'step', x: x - width / 2, y: 8, width,
                               height: 22, rx: 5 }),
               svgEl('text', { class: 'label', x, y: 23, text: shown }));
  }
}
