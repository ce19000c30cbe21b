// The combinations of processes for the roles of a choreography.

class Matrix {
  constructor(onPick) {
    this.onPick = onPick;
    this.root = el('div', { class: 'matrix' });
  }

  clear() { clear(this.root); }

  // \p table: that of check-matrix.
  show(table) {
    const words = { holds: 'yes', violated: 'no', inconclusive: '?' };
    const relations = ['tbc', 'bbc'].filter((r) => table.cases.some((c) => c[r]));
    const cell = (verdict) => el('td', { class: 'answer ' + (verdict || 'none') },
      verdict ? sign(verdict) : '', verdict ? ' ' + words[verdict] : '–');
    const rows = table.cases.map((each) => {
      const row = el('tr', { tabindex: '0', 'data-case': each.case, 'aria-selected': 'false' },
        el('th', { scope: 'row', text: String(each.case) }),
        table.roles.map((role) => el('td', { text: each.processes[role] })),
        cell(each.wellComposed ? 'holds' : 'violated'),
        relations.map((r) => cell(each[r] && each[r].verdict)));
      const pick = () => {
        for (const other of rows) other.setAttribute('aria-selected', String(other === row));
        this.onPick(each);
      };
      row.addEventListener('click', pick);
      row.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        pick();
      });
      return row;
    });
    clear(this.root).append(el('table', {},
      el('thead', {}, el('tr', {}, ['case', ...table.roles, 'fit together', ...relations].map(
        (text) => el('th', { scope: 'col', text })))),
      el('tbody', {}, rows)),
      el('p', { class: 'quiet', text: 'Choose a row to look at it.' }));
  }
}
