// The life of a choreography: processes for its roles, all combinations, and
// for one of them conformance, the counterexample and the repair.

const RELATIONS = [
  ['bbc', 'same decisions (BBC)'], ['tbc', 'same traces (TBC)'], ['failures', 'same failures'],
  ['all', 'BBC, TBC and failures'], ['weak-trace-inclusion', 'trace inclusion'],
  ['weak-simulation', 'simulation'], ['dp-branching', 'branching, with divergence']];

class Roles {
  constructor(documents, root, onOpen) {
    this.documents = documents;
    this.root = root;
    this.onOpen = onOpen;
    this.chosen = new Map();   // by role: a set of paths
    this.asker = new Asker('roles');
    this.choreography = el('select', { 'aria-label': 'Choreography', class: 'choreography',
      onchange: () => this.pickChoreography() });
    this.network = this.select('Network', NETWORKS.map((n) => [n, n]));
    this.network.value = 'bag';
    this.relation = this.select('Relation', RELATIONS);
    this.asDrawn = el('input', { type: 'checkbox', onchange: () => this.stale() });
    this.fields = el('div', { class: 'fields' });
    this.compare = el('button', { type: 'button', class: 'main compare',
      onclick: () => this.showMatrix(), text: 'Compare all combinations' });
    this.matrix = new Matrix((each) => this.pickCase(each));
    this.one = el('div', { class: 'one', hidden: true });
    this.status = el('div', { class: 'pill none', role: 'status', hidden: true });
    this.said = el('p', { class: 'said' });
    this.frame = el('iframe', { class: 'run', title: 'Run', sandbox: 'allow-scripts', hidden: true });
    clear(root).append(
      el('div', { class: 'form' },
        el('h2', { text: 'Choreography' }), this.choreography,
        el('button', { type: 'button', 'data-action': 'project', onclick: () => this.project(),
                       text: 'Make its projection…' }),
        el('h2', { text: 'Processes' }), this.fields,
        el('h2', { text: 'Question' }),
        el('label', { class: 'line' }, 'Network ', this.network),
        el('label', { class: 'line' }, 'Relation ', this.relation),
        el('label', { class: 'line' }, this.asDrawn, ' messages go as the files draw them'),
        this.compare),
      el('div', { class: 'out' }, this.matrix.root, this.one, this.status, this.said, this.frame));
  }

  select(label, options) {
    return el('select', { 'aria-label': label, class: label.toLowerCase(),
                          onchange: () => this.stale() },
      options.map(([value, text]) => el('option', { value, text })));
  }

  // ---- What there is to choose from ------------------------------------

  async open() {
    const turn = this.turn = (this.turn || 0) + 1;
    const kinds = [], waiting = this.documents.listed.map((m) => m.path);
    const all = waiting.length;
    const work = async () => {
      while (waiting.length && turn === this.turn) {
        const path = waiting.shift();
        if (this.answered !== this.key()) this.say('busy', `Reading ${all - waiting.length} of ${all} models…`);
        try {
          kinds.push({ path, ...await describe(this.documents, path) });
        } catch {
          // What cannot be read is nothing to choose.
        }
      }
    };
    await Promise.all([work(), work()]);
    if (turn !== this.turn) return undefined;
    kinds.sort((a, b) => (a.path < b.path ? -1 : 1));
    if (this.answered !== this.key()) this.say('', '');
    this.candidates = kinds.filter((k) => k.isCollaboration).map((k) => k.path);
    const choreographies = kinds.filter((k) => k.isChoreography).map((k) => k.path);
    const before = this.choreography.value;
    clear(this.choreography).append(...choreographies.map((path) =>
      el('option', { value: path, text: path, selected: path === before })));
    this.compare.disabled = !choreographies.length;
    if (!choreographies.length)
      return this.say('none', 'The folder has no choreography.');
    return this.pickChoreography();
  }

  async pickChoreography() {
    const path = this.choreography.value;
    const { participants } = await describe(this.documents, path);
    if (path !== this.choreography.value) return;
    const before = this.chosen;
    this.chosen = new Map(participants.map((role) => [role, before.get(role) || new Set()]));
    clear(this.fields).append(...participants.map((role) => el('fieldset', { 'data-role': role },
      el('legend', { text: role }),
      this.candidates.map((file) => el('label', { class: 'line' },
        el('input', { type: 'checkbox', value: file, checked: this.chosen.get(role).has(file),
          onchange: (event) => {
            this.chosen.get(role)[event.target.checked ? 'add' : 'delete'](file);
            this.stale();
          } }), ' ' + file)))));
    if (this.answered !== this.key()) this.stale();
  }

  // What an answer is about: who plays what, and the texts of all.
  key() {
    const paths = [this.choreography.value, ...[...this.chosen.values()].flatMap((s) => [...s])];
    return JSON.stringify([paths, [...this.chosen].map(([role, files]) => [role, files.size]),
      paths.map((path) => this.documents.listed.find((m) => m.path === path)),
      this.documents.edited(paths)]);
  }

  // What was answered is about another question.
  stale() {
    this.answered = '';
    this.asker.forget();
    this.matrix.clear();
    this.one.hidden = true;
    this.hideRun();
    this.say('', '');
  }

  say(verdict, text, more) {
    this.status.hidden = !text;
    this.status.className = 'pill ' + verdict;
    if (text) clear(this.status).append(verdict === 'busy' ? el('span', { class: 'spin' }) : sign(verdict), text);
    this.said.textContent = more || '';
  }

  hideRun() {
    this.frame.hidden = true;
    this.frame.removeAttribute('src');
  }

  // ---- Questions --------------------------------------------------------

  async ask(request) {
    this.hideRun();
    this.say('busy', 'Running…');
    try {
      const answer = await this.asker.ask(request);
      if (!answer) return null;
      const trouble = troubleOf(answer);
      if (!trouble) return answer;
      this.say('inconclusive', trouble);
    } catch (error) {
      this.say('inconclusive', error.message);
    }
    return null;
  }

  async showMatrix() {
    const processes = [...this.chosen].flatMap(([role, files]) =>
      [...files].sort().map((file) => ({ role, file })));
    this.matrix.clear();
    this.one.hidden = true;
    const choreography = this.choreography.value;
    const answer = await this.ask({ action: 'matrix', choreography, processes,
      network: this.network.value, edited: this.edited(processes) });
    if (!answer) return;
    if (!answer.table) return this.showTrouble(answer);
    this.say('', '');
    this.answered = this.key();
    return this.matrix.show(answer.table);
  }

  edited(processes) {
    return this.documents.edited([this.choreography.value, ...processes.map((p) => p.file)]);
  }

  showTrouble(answer) {
    const [verdict, text] = sentenceOf(answer.report);
    this.say(verdict, text, answer.report.diagnostics.map((d) => d.text).slice(1).join('\n'));
  }

  pickCase(each) {
    this.hideRun();
    this.say('', '');
    this.asker.forget();
    this.one.hidden = false;
    const button = (action, text, run) => el('button', { type: 'button', 'data-action': action,
                                                         text, onclick: run });
    clear(this.one).append(
      el('h2', { text: `Case ${each.case}` }),
      button('conforms', 'Check conformance', () => this.conforms(each)),
      button('compose', 'Make the collaboration…', () => this.make(each, 'compose', 'collaboration.bpmn')),
      button('adapt', 'Make the repair…', () => this.make(each, 'adapt', 'repaired.bpmn')));
  }

  requestOf(each) {
    const processes = Object.entries(each.processes).map(([role, file]) => ({ role, file }));
    return { choreography: this.choreography.value, processes, network: this.network.value,
             relation: this.relation.value, asDrawn: this.asDrawn.checked,
             edited: this.edited(processes) };
  }

  async conforms(each) {
    const answer = await this.ask({ action: 'conforms', ...this.requestOf(each) });
    if (!answer) return;
    const { verdicts } = answer.report;
    const worst = worstOf(verdicts);
    if (worst < 0) return this.showTrouble(answer);
    const verdict = verdicts[worst];
    this.say(verdict.verdict, verdict.verdict === 'holds' ? 'The collaboration conforms'
      : verdict.message || verdict.verdict);
    this.frame.src = runAddress(answer.page, worst);
    this.frame.hidden = false;
    return undefined;
  }

  make(each, action, name) {
    const folder = this.choreography.value.replace(/[^/]*$/, '');
    return makeFile(this.documents, { action, ...this.requestOf(each) }, folder + name, this.onOpen);
  }

  project() {
    const file = this.choreography.value;
    if (!file) return undefined;
    return makeFile(this.documents, { action: 'project', file, edited: this.documents.edited([file]) },
      file.replace(/\.[^.]*$/, '-projection.bpmn'), this.onOpen);
  }
}
