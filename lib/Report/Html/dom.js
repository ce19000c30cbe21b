// Elements from data. Whatever comes from an input is text, never markup.

const SVG_NS = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'text') element.textContent = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child);
  return element;
}

function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children.flat());
}

function svgEl(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG_NS, tag), attributes, children.flat());
}

function clear(element) {
  element.replaceChildren();
  return element;
}

// Copies a text, also where the clipboard is not open to pages from a disk.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el('textarea', { class: 'away', 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

function copyButton(text) {
  const button = el('button', { class: 'copy', type: 'button', title: 'Copy' },
                    'copy');
  button.addEventListener('click', async () => {
    await copyText(text);
    button.textContent = 'copied';
    setTimeout(() => { button.textContent = 'copy'; }, 1200);
  });
  return el('span', { class: 'command' }, el('code', { text }), button);
}

function themeButton() {
  const names = { auto: '◐', light: '☀', dark: '☾' };
  const order = Object.keys(names);
  let now = 'auto';
  const button = el('button', { type: 'button', class: 'theme' });
  const set = (name) => {
    now = name;
    if (name === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    button.textContent = names[name];
    button.title = `Colours: ${name}`;
    button.setAttribute('aria-label', `Colours: ${name}`);
  };
  button.addEventListener('click', () =>
    set(order[(order.indexOf(now) + 1) % order.length]));
  set(document.documentElement.dataset.theme || 'auto');
  return button;
}

function placeText(place) {
  if (!place) return '';
  let text = place.file || '';
  if (place.line) text += ':' + place.line;
  if (place.id) text += (text ? ', ' : '') + place.id;
  return text;
}

// How a drawing finds a place: by the element's id, else by line and column.
function placeKey(place) {
  if (!place) return '';
  return place.id || (place.line ? `@${place.line}:${place.column || 0}` : '');
}
