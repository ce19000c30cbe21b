// BPMN drawn by the viewers of bpmn.io and chor-js, where the page has them. A
// viewer only makes the picture; everything else works on it as on ours. Its
// mark stays visible beside it, as its licence asks.

const VIEWERS = { bpmn: 'BpmnJS', choreography: 'ChorJS' };

// Names and kinds of elements are ours; a viewer knows their ids.
function copyNames(rendered, own) {
  const known = new Map();
  for (const group of own.querySelectorAll('[data-id]'))
    known.set(group.dataset.id, group);
  for (const group of rendered.querySelectorAll('[data-element-id]')) {
    const mine = known.get(group.dataset.elementId);
    if (!mine) continue;
    group.classList.add(mine.classList[0]);
    Object.assign(group.dataset, mine.dataset);
  }
  for (const hit of rendered.querySelectorAll('.djs-outline'))
    hit.remove();
}

// The picture of a drawing, and the mark of the viewer if one made it.
async function render(drawing) {
  const own = parseSvg(drawing.svg);
  own.dataset.by = 'own';
  const Viewer = drawing.bpmn && window[VIEWERS[drawing.viewer]];
  if (!Viewer) return { root: own, mark: null };
  const container = el('div', { class: 'away viewer' });
  document.body.append(container);
  try {
    // chor-js has colours of its own; the style sheet turns them in the dark.
    const colours = drawing.viewer === 'choreography' ? {} : {
      defaultFillColor: 'var(--fill)', defaultStrokeColor: 'var(--ink)',
      defaultLabelColor: 'var(--ink)' };
    const viewer = new Viewer({ container, bpmnRenderer: colours });
    await viewer.importXML(drawing.bpmn);
    const root = parseSvg((await viewer.saveSVG()).svg);
    root.dataset.by = drawing.viewer;
    copyNames(root, own);
    return { root, mark: container.querySelector('.bjs-powered-by') };
  } catch {
    return { root: own, mark: null }; // what it cannot draw, we can
  } finally {
    container.remove();
  }
}
