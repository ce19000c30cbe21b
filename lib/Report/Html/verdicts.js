// The verdicts: a table of properties and networks where there are several
// networks, else a list; and what is said about the one that is looked at.

function networkOf(verdict) { return verdict.parameters.network || ''; }

// The subject without what the table's columns say.
function subjectOf(verdict) {
  const network = networkOf(verdict);
  return network && verdict.subject.endsWith(' under ' + network)
    ? verdict.subject.slice(0, -(' under ' + network).length) : verdict.subject;
}

// As lib/IR/FactTitle.cpp: what the subject adds to who it is about comes after
// the property.
function titleOf({ property, subject }) {
  const [, who, which, spec] =
    subject.match(/^(.*?)(?:: ([A-Za-z ]+)|( to choreography '.*))?$/s);
  const no = which && !which.startsWith('safe ') ? 'no ' : '';
  return `${who ? who + ': ' : ''}${property}${which ? ': ' + no + which : ''}${spec || ''}`;
}

class VerdictList {
  constructor(nav, data, onPick) {
    this.nav = nav;
    this.data = data;
    this.onPick = onPick;
    this.buttons = new Map(); // by index
    this.build();
  }

  build() {
    const { models } = this.data.page;
    const indices = this.data.verdicts.map((_, i) => i);
    const told = new Set();
    for (const model of models) {
      const own = indices.slice(model.firstVerdict, model.firstVerdict + model.verdicts);
      own.forEach((i) => told.add(i));
      this.section(models.length > 1 ? model.file || 'model' : 'Verdicts', own);
    }
    const rest = indices.filter((i) => !told.has(i));
    if (rest.length) this.section('Verdicts', rest);
    this.diagnostics();
  }

  section(title, indices) {
    if (!indices.length) return;
    const section = el('section', { class: 'group' }, el('h2', { class: title === 'Verdicts' ? null : 'path', text: title }));
    // What was asked under several networks goes into the table.
    const asked = new Map();
    const question = (i) => {
      const v = this.data.verdicts[i];
      return networkOf(v) ? v.property + '\n' + subjectOf(v) : '';
    };
    for (const i of indices) asked.set(question(i), (asked.get(question(i)) || 0) + 1);
    const inTable = indices.filter((i) => question(i) && asked.get(question(i)) > 1);
    if (inTable.length)
      section.append(this.table(
        [...new Set(inTable.map((i) => networkOf(this.data.verdicts[i])))], inTable));
    const listed = indices.filter((i) => !inTable.includes(i));
    const several = new Set();
    const seen = new Set();
    for (const i of listed) {
      const { property } = this.data.verdicts[i];
      if (seen.has(property)) several.add(property);
      seen.add(property);
    }
    if (listed.length)
      section.append(el('ul', { class: 'list' }, listed.map((i) => {
        const v = this.data.verdicts[i];
        const text = propertyText(v);
        const button = this.button(i, sign(v.verdict),
          el('span', { class: 'property', text }),
          several.has(v.property) && text === v.property &&
            el('span', { class: 'subject', text: v.subject }));
        return el('li', {}, button);
      })));
    this.nav.append(section);
  }

  table(networks, indices) {
    const rows = new Map();
    for (const i of indices) {
      const v = this.data.verdicts[i];
      const key = v.property + '\n' + subjectOf(v);
      if (!rows.has(key)) rows.set(key, new Map());
      rows.get(key).set(networkOf(v), i);
    }
    const subjects = new Set([...rows.keys()].map((key) => key.split('\n')[1]));
    return el('div', { class: 'matrix' }, el('table', {},
      el('caption', { class: 'away', text: 'Properties under each network' }),
      el('thead', {}, el('tr', {}, el('td'), networks.map((name) =>
        el('th', { scope: 'col' }, el('span', { text: name }))))),
      el('tbody', {}, [...rows].map(([key, cells]) => {
        const [property, subject] = key.split('\n');
        return el('tr', {},
          el('th', { scope: 'row', title: subject,
                     text: subjects.size > 1 ? titleOf({ property, subject }) : property }),
          networks.map((name) => {
            const i = cells.get(name);
            return el('td', {}, i === undefined ? '' : this.button(
              i, sign(this.data.verdicts[i].verdict)));
          }));
      }))));
  }

  // It is called what it shows, and more.
  button(index, ...children) {
    const v = this.data.verdicts[index];
    const button = el('button', {
      type: 'button', class: 'verdict ' + v.verdict, 'data-verdict': index,
      'aria-label': `${titleOf(v)}: ${v.verdict}`,
      title: v.message || `${v.property}: ${v.verdict}`,
      onclick: () => this.onPick(index) }, children);
    this.buttons.set(index, button);
    return button;
  }

  diagnostics() {
    const list = this.data.diagnostics;
    if (!list.length) return;
    this.nav.append(el('section', { class: 'group' },
      el('h2', { text: 'Diagnostics' }),
      el('ul', { class: 'diagnostics' }, list.map((d) => el('li', { class: d.severity },
        el('span', { class: 'code', text: d.code }), ' ', d.text,
        d.at && el('span', { class: 'place', text: placeText(d.at) }))))));
  }

  pick(index) {
    for (const [i, button] of this.buttons)
      if (i === index) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
  }
}

// The card above the diagram.
function describeVerdict(data, index, onPlace) {
  const v = data.verdicts[index];
  const message = v.message || `${titleOf(v)}: ${v.verdict}`;
  const card = el('div', { class: 'card ' + v.verdict },
    el('h1', {}, sign(v.verdict), el('span', { text: message })));
  const line = el('p', { class: 'where' },
    el('span', { text: titleOf(v) }));
  if (v.at) line.append(placeButton(v.at, onPlace));
  card.append(line);
  if (v.notes && v.notes.length)
    card.append(el('ul', { class: 'notes' }, v.notes.slice(0, 12).map((note) =>
      el('li', {}, el('span', { text: note.text }),
         note.at && placeButton(note.at, onPlace)))));
  const facts = [v.exact ? 'exact' : 'not exact', v.method];
  if (v.states) facts.push(`${v.states} states, ${v.transitions} transitions`);
  for (const [name, value] of Object.entries(v.parameters))
    if (name !== 'problem') facts.push(`${name}: ${value}`);
  card.append(el('details', {}, el('summary', { text: 'How it was decided' }),
    el('p', { text: facts.filter(Boolean).join('; ') }),
    copyButton(`${data.tool} --explain=check-${v.property}`),
    v.witness && v.witness.formula && el('p', {}, el('code', { text: v.witness.formula }))));
  return card;
}

function placeButton(place, onPlace) {
  return el('button', { type: 'button', class: 'place', text: placeText(place),
                        title: 'Show it in the diagram',
                        onclick: () => onPlace(place) });
}
