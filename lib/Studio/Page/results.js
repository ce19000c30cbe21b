// What the checks say of the model that is edited.

// Places of one file of which something is said; the worst first.
function foundIn(report, path) {
  const findings = new Findings(report);
  const found = [];
  for (const [key, list] of findings.of)
    for (const { place, verdict, text, by } of list)
      if (!place.file || place.file === path)
        found.push({ key, place, text: `${by}: ${text}`,
          verdict: verdict === 'error' || verdict === 'violated' ? 'violated'
            : verdict === 'inconclusive' ? 'inconclusive' : 'noted' });
  const order = ['violated', 'inconclusive', 'noted'];
  return found.sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
}

function hasRun(verdict) {
  return verdict.witness && verdict.witness.kind !== 'elements' &&
    verdict.witness.steps.length > 0;
}

class Results {
  // \p on: { point(place), run(page, verdict) }
  constructor(aside, on) {
    this.on = on;
    this.pill = el('div', { class: 'pill', role: 'status' });
    this.list = el('ul', { class: 'findings' });
    this.next = el('div', { class: 'next' });
    this.root = aside;
    clear(aside).append(el('h2', { text: 'Checks' }), this.pill, this.list, this.next);
    this.nothing();
  }

  state(state, verdict, text) {
    this.root.dataset.state = state;
    this.pill.className = 'pill ' + verdict;
    clear(this.pill).append(verdict === 'busy' ? el('span', { class: 'spin' }) : sign(verdict), text);
  }

  nothing() {
    delete this.root.dataset.revision;
    this.state('none', 'none', 'No model is open');
    clear(this.list);
  }

  // What was said is about another text.
  pending() {
    delete this.root.dataset.revision;
    this.state('checking', 'busy', 'Checking…');
    clear(this.list);
  }

  fail(text) {
    this.state('failed', 'inconclusive', text);
    clear(this.list);
  }

  show(answer, revision) {
    const trouble = troubleOf(answer);
    if (trouble) return this.fail(trouble);
    this.root.dataset.revision = revision;
    const { report } = answer;
    this.state('done', ...sentenceOf(report));
    const rank = { violated: 0, inconclusive: 1, holds: 2 };
    const verdicts = report.verdicts.map((verdict, index) => ({ verdict, index }))
      .sort((a, b) => rank[a.verdict.verdict] - rank[b.verdict.verdict]);
    clear(this.list).append(
      ...report.diagnostics.map((d) => this.line(
        d.severity === 'error' ? 'violated' : 'noted', d.code || d.severity, d.text, d.at)),
      ...verdicts.map(({ verdict: v, index }) => this.line(
        v.verdict, propertyText(v),
        v.verdict === 'holds' ? '' : v.message || '', v.verdict !== 'holds' && v.at,
        hasRun(v) && (() => this.on.run(answer.page, index)))));
    return undefined;
  }

  line(verdict, name, text, place, run) {
    return el('li', { class: verdict, 'data-check': name, 'data-verdict': verdict },
      sign(verdict),
      el('div', {}, el('b', { text: name }), ' ', text,
        place && (place.id || place.line) ? el('button', { type: 'button', class: 'link',
          onclick: () => this.on.point(place), text: place.id || `line ${place.line}` }) : '',
        run ? el('button', { type: 'button', class: 'run', onclick: run }, '▶ Show the run') : ''));
  }
}
