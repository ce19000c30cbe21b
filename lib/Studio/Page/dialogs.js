// Questions. Each returns a promise of the answer; Escape is no answer.

function openDialog(title, content, buttons, onOpen) {
  const dialog = document.getElementById('dialog');
  return new Promise((resolve) => {
    let answer = null;
    const form = el('form', { method: 'dialog' }, el('h2', { text: title }), content,
      el('div', { class: 'buttons' }, buttons.map(([text, value, isMain]) =>
        el('button', { type: isMain ? 'submit' : 'button', class: isMain ? 'main' : null,
          'data-answer': value ?? 'no', text,
          onclick(event) {
            if (isMain && !form.reportValidity()) return;
            event.preventDefault();
            answer = typeof value === 'function' ? value() : value;
            dialog.close();
          } }))));
    dialog.onclose = () => resolve(answer);
    clear(dialog).append(form);
    dialog.showModal();
    if (onOpen) onOpen(form);
  });
}

const question = (title, text, buttons) =>
  openDialog(title, el('p', { text }), buttons);

function tell(title, text) {
  return openDialog(title, el('p', { class: 'long', text }), [['OK', true, true]]);
}

// A path for a new model, with a look at what it will have.
function askForPath(title, path, text, taken) {
  const input = el('input', { type: 'text', value: path, required: true, size: 48,
    'aria-label': 'File', pattern: '.*\\.(bpmn|ioc|cp)',
    title: 'A path in the folder that ends in .bpmn, .ioc or .cp' });
  input.addEventListener('input', () => input.setCustomValidity(
    taken(input.value) ? 'There is a model of that name.' : ''));
  const content = el('div', {}, el('label', { class: 'line' }, 'File ', input),
    text && el('pre', { class: 'look', tabindex: '0', text: text.length > 20000
      ? text.slice(0, 20000) + '\n…' : text }));
  return openDialog(title, content, [['Cancel', null], ['Make the file', () => input.value, true]],
    () => { input.focus(); input.setSelectionRange(0, path.lastIndexOf('.'));
            input.dispatchEvent(new Event('input')); });
}

// A name like \p wish that nothing has.
function freeName(wish, taken) {
  const dot = wish.lastIndexOf('.');
  for (let i = 1; ; ++i) {
    const name = i === 1 ? wish : `${wish.slice(0, dot)}-${i}${wish.slice(dot)}`;
    if (!taken(name)) return name;
  }
}
