// Texts with line numbers; lines of which something is said are marked.

class TextEditor {
  constructor(place, onEdit) {
    this.area = el('textarea', { class: 'text', spellcheck: 'false', wrap: 'off',
      autocapitalize: 'off', autocomplete: 'off', 'aria-label': 'Text of the model' });
    this.gutter = el('div', { class: 'gutter', 'aria-hidden': 'true' });
    this.root = el('div', { class: 'text-editor' }, this.gutter, this.area);
    place.append(this.root);
    this.marks = new Map(); // by line: {verdict, text}
    this.area.addEventListener('input', () => {
      this.number();
      onEdit();
    });
    this.area.addEventListener('scroll', () => {
      this.gutter.scrollTop = this.area.scrollTop;
    }, { passive: true });
    this.area.addEventListener('keydown', (event) => this.indent(event));
  }

  open(text) {
    this.area.value = text;
    this.marks.clear();
    this.lines = -1;
    this.number();
    return Promise.resolve('');
  }

  text() { return Promise.resolve(this.area.value); }

  close() { this.root.remove(); }

  // Tab goes on through the page; Ctrl-] is for those who want to indent.
  indent(event) {
    if (event.key !== ']' || !event.ctrlKey) return;
    event.preventDefault();
    this.area.setRangeText('  ', this.area.selectionStart, this.area.selectionEnd, 'end');
    this.area.dispatchEvent(new Event('input'));
  }

  number() {
    const lines = this.area.value.split('\n').length;
    if (lines === this.lines) return;
    this.lines = lines;
    clear(this.gutter).append(...Array.from({ length: lines }, (_, i) => {
      const mark = this.marks.get(i + 1);
      return el('div', { class: mark ? 'line ' + mark.verdict : 'line',
                         title: mark && mark.text, text: String(i + 1) });
    }));
    this.gutter.scrollTop = this.area.scrollTop;
  }

  // \p found: [{key, place, verdict, text}]
  show(found) {
    this.marks.clear();
    for (const { place, verdict, text } of found) {
      if (!place.line) continue;
      const known = this.marks.get(place.line);
      if (known) known.text += '\n' + text;
      else this.marks.set(place.line, { verdict, text });
    }
    this.lines = -1;
    this.number();
  }

  point(place) {
    if (!place.line) return;
    const before = this.area.value.split('\n').slice(0, place.line - 1);
    const at = before.join('\n').length + (before.length ? 1 : 0) +
      Math.max(0, (place.column || 1) - 1);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    const height = parseFloat(getComputedStyle(this.area).lineHeight);
    this.area.scrollTop = Math.max(0, (place.line - 5) * height);
  }
}
