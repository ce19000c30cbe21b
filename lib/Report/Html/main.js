// Puts the page together.

function showHeader(data) {
  const [verdict, sentence] = sentenceOf(data);
  const name = data.inputs.length === 1 ? data.inputs[0] : `${data.inputs.length} files`;
  document.title = `${SIGNS[verdict] || ''} ${name} – CIF`;
  const top = document.getElementById('top');
  top.append(
    el('span', { class: 'brand', text: 'CIF' }),
    el('span', { class: 'file', title: data.inputs.join('\n'), text: name }),
    el('span', { class: 'pill ' + verdict, role: 'status' }, sign(verdict), sentence),
    el('span', { class: 'spacer' }),
    el('span', { class: 'quiet', text: `${data.seconds < 10
      ? data.seconds.toFixed(2) : Math.round(data.seconds)} s` }),
    data.page.command ? copyButton(data.page.command) : '',
    themeButton());
}

// An address may end in #verdict=3&theme=dark&embedded=1: what is shown first, in
// which colours, and whether a page around says the rest.
const asked = new URLSearchParams(location.hash.slice(1));

class Page {
  constructor(data) {
    this.data = data;
    this.findings = new Findings(data);
    this.runs = new Map(); // by verdict, made when looked at
    this.model = -1;
    showHeader(data);
    const stage = document.getElementById('stage');
    this.card = el('div', { class: 'cards' });
    this.views = el('div', { class: 'views', role: 'group', 'aria-label': 'View' });
    this.pane = el('div', { class: 'pane' });
    this.panes = el('div', { class: 'panes' }, this.pane);
    this.undrawn = el('p', { class: 'undrawn', hidden: true,
      text: 'An automaton of the model has more than 300 states, which no picture shows well. ' +
            'cifc --emit=dot writes it for Graphviz.' });
    this.player = new Player((k) => this.goTo(k));
    stage.append(this.card, this.panes, this.undrawn, this.player.bar);
    this.drawing = new Drawing(this.pane, this.findings);
    this.overlay = new Overlay(this.drawing);
    this.panes.append(this.tools());
    this.chart = new Chart(document.getElementById('chart'), (k) => {
      this.player.stop();
      this.player.goTo(k);
    });
    this.list = new VerdictList(document.getElementById('side'), data,
                                (i) => this.pick(i));
    const first = asked.has('verdict') ? Number(asked.get('verdict')) : worstOf(data.verdicts);
    if (data.verdicts[first]) this.pick(first);
    else this.nothing();
  }

  tools() {
    const button = (text, label, action) => el('button', {
      type: 'button', 'aria-label': label, title: label, onclick: action }, text);
    return el('div', { class: 'tools' }, this.views,
      button('+', 'Zoom in', () => this.drawing.zoom(0.8)),
      button('−', 'Zoom out', () => this.drawing.zoom(1.25)),
      button('⤢', 'Show everything', () => this.drawing.fit(true)));
  }

  modelOf(index) {
    const { models } = this.data.page;
    return models.length === 1 ? 0 : models.findIndex((m) =>
      index >= m.firstVerdict && index < m.firstVerdict + m.verdicts);
  }

  nothing() {
    const [verdict, sentence] = sentenceOf(this.data);
    this.card.append(el('div', { class: 'card ' + verdict },
      el('h1', {}, sign(verdict), el('span', { text: sentence }))));
    this.chart.show(null);
    this.showModel(this.data.page.models.length ? 0 : -1);
  }

  showModel(index) {
    if (index === this.model && index >= 0) return undefined;
    this.model = index;
    this.isGraph = this.isOther = false;
    clear(this.views);
    this.diff?.remove();
    this.graphButton = null;
    const model = this.data.page.models[index];
    this.panes.hidden = !model || !(model.drawings.length || model.graphs.length);
    this.undrawn.hidden = !model || !this.panes.hidden;
    if (this.panes.hidden) return undefined;
    const views = [];
    const add = (text, show) => views.push(el('button', {
      type: 'button', 'aria-pressed': 'false', text, onclick: (event) => {
        for (const b of views) b.setAttribute('aria-pressed', String(b === event.target));
        show();
      } }));
    const { drawings, after, changed } = model;
    const [one, other] = !after.length ? ['Diagram'] : model.isProposal ? ['As it is', 'Repaired']
      : ['Before', 'After'];
    if (drawings.length)
      add(one, () => this.showDrawings(drawings, after.length ? after : null, 'removed', changed));
    if (after.length) add(other, () => this.showDrawings(after, drawings, 'added', changed));
    if (model.graphs.length) {
      add('States', () => this.showGraph());
      this.graphButton = views.at(-1);
    } else if (this.data.page.runs.some((r) => r.model === index && r.hasStates)) {
      add('States', () => {});
      views.at(-1).disabled = true;
    }
    if (views.length && views.at(-1).textContent === 'States')
      views.at(-1).title = model.graphs.length ? 'All states, as a graph'
        : 'More than 300 states or 1000 steps: too many for a graph';
    if (views.length > 1) this.views.append(...views);
    if (model.diff.length) this.panes.after(this.diff = this.makeDiff(model));
    // What was asked for is shown; what is only proposed waits for a click, and
    // until then nothing is marked for it.
    if (!after.length || !drawings.length || !model.isProposal)
      return views[after.length && drawings.length ? 1 : 0].click();
    views[0].setAttribute('aria-pressed', 'true');
    return this.showDrawings(drawings, null);
  }

  makeDiff(model) {
    return el('div', { class: 'diff', role: 'note', 'aria-label': 'The change', hidden: true },
      ...model.diff.map((line) => el('p', {
        class: line.startsWith('+') ? 'plus' : line.startsWith('-') ? 'minus' : '',
        // The diagram shows where it is; ids are enough.
        text: line.replace(/, [^,()]*:\d+\)/g, ')') })));
  }

  // Which graph of states belongs to the verdict that is looked at; -1: none.
  graphOf() {
    if (this.run) return this.run.graph ?? -1;
    return 0;
  }

  async showGraph() {
    this.isGraph = true;
    this.isOther = false;
    if (this.diff) this.diff.hidden = true;
    const graph = this.shownGraph = this.graphOf();
    const { graphs } = this.data.page.models[this.model];
    if (!await this.drawing.show([graphs[graph]], 0.7)) return;
    this.overlay.clearMarks();
    if (this.run) this.overlay.showState(this.run, this.player.at);
  }

  // The button of the graph where there is one to this verdict.
  updateGraph() {
    if (!this.graphButton) return;
    this.graphButton.disabled = this.graphOf() < 0;
    if (!this.isGraph) return;
    if (this.graphOf() < 0) this.views.querySelector('button').click();
    else if (this.graphOf() !== this.shownGraph) this.showGraph();
  }

  // With \p others, what they have not is marked.
  async showDrawings(drawings, others, mark, changed) {
    // A run is one of the model as it is, not of its repair.
    this.isOther = mark === 'added' && this.data.page.models[this.model].isProposal;
    this.isGraph = false;
    if (this.diff) this.diff.hidden = mark !== 'added';
    if (!await this.drawing.show(drawings)) return;
    if (this.isOther) this.overlay.clearMarks();
    else if (this.run) this.goTo(this.player.at);
    else if (this.index !== undefined) this.overlay.blame(this.data.verdicts[this.index]);
    if (!others) return;
    const roots = others.map((other) => parseSvg(other.svg));
    // A text's elements have ids that say nothing; there, one is what it shows.
    const named = ![...roots, this.drawing.content].some((r) => r.querySelector('[data-ref]'));
    const keyOf = (group) => named ? group.dataset.id
      : group.classList.contains('flow') ? ''
      : `${group.classList[0]} ${group.textContent.replace(/\s+/g, ' ')}`;
    const known = new Map();
    for (const root of roots)
      for (const group of root.querySelectorAll('[data-id]'))
        known.set(keyOf(group), (known.get(keyOf(group)) || 0) + 1);
    for (const group of this.drawing.content.querySelectorAll('[data-id]')) {
      const key = keyOf(group);
      if (!key) continue;
      if (known.get(key) && !changed.includes(group.dataset.id))
        known.set(key, known.get(key) - 1);
      else group.classList.add(mark);
    }
    const first = this.drawing.content.querySelector('.' + mark);
    if (first) this.drawing.reveal(first);
  }

  // A witness of which only the steps are known.
  toldRun(index) {
    const { witness } = this.data.verdicts[index];
    if (!witness || witness.kind === 'elements' || !witness.steps.length) return null;
    return { verdicts: [index], model: Math.max(0, this.modelOf(index)), hasStates: false,
             frames: [{}, ...witness.steps.map((_, step) => ({ step, kind: 'plain' }))] };
  }

  runOf(index) {
    if (!this.runs.has(index)) {
      const run = this.data.page.runs.find((r) => r.verdicts.includes(index)) ||
        this.toldRun(index);
      this.runs.set(index, run ? new Run(this.data, run) : null);
    }
    return this.runs.get(index);
  }

  pick(index) {
    this.index = index;
    this.run = null;
    this.list.pick(index);
    clear(this.card).append(describeVerdict(this.data, index, (place) => this.point(place)));
    this.showModel(this.modelOf(index));
    this.overlay.clearMarks();
    this.run = this.runOf(index);
    this.chart.show(this.run);
    document.getElementById('main').classList.toggle('has-run', !!this.run);
    this.updateGraph();
    this.player.show(this.run);
    if (!this.run && !this.isOther && !this.isGraph) this.overlay.blame(this.data.verdicts[index]);
  }

  goTo(k) {
    if (!this.run) return;
    this.chart.goTo(k);
    if (this.isGraph) this.overlay.showState(this.run, k);
    else if (this.isOther) this.views.querySelector('button').click();
    else this.overlay.show(this.run, k, this.data.verdicts[this.index]);
  }

  point(place) {
    const group = this.drawing.find(placeKey(place));
    if (!group) return;
    this.drawing.reveal(group);
    group.classList.add('pointed');
    setTimeout(() => group.classList.remove('pointed'), 1600);
  }
}

if (/^(light|dark)$/.test(asked.get('theme')))
  document.documentElement.dataset.theme = asked.get('theme');
document.documentElement.classList.toggle('embedded', asked.has('embedded'));
new Page(JSON.parse(document.getElementById('data').textContent));
