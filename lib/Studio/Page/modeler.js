// In the frame of a diagram: the modeler, and what the checks say on its
// elements.

const KIND = location.search === '?choreography' ? 'choreography' : 'bpmn';
const MARKS = ['cif-violated', 'cif-inconclusive', 'cif-noted'];

function load(tag, attributes) {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.onload = resolve;
    element.onerror = () => reject(new Error('the modeler could not be loaded'));
    document.head.append(element);
  });
}

class Modeler {
  constructor() {
    this.onEdit = () => {};
    this.found = new Map(); // by element
    this.marked = [];
    this.ready = this.start();
  }

  async start() {
    // The colours of the page around.
    const { theme } = parent.document.documentElement.dataset;
    if (theme) document.documentElement.dataset.theme = theme;
    await load('link', { rel: 'stylesheet', href: KIND + '.css' });
    await load('link', { rel: 'stylesheet', href: 'modeler.css' });
    await load('script', { src: KIND + '.js' });
    const Own = KIND === 'bpmn' ? window.BpmnJS : window.ChorJS;
    if (!Own) throw new Error('this build has no modeler');
    this.modeler = new Own({ container: '#canvas',
      ...(KIND === 'bpmn' ? {} : { keyboard: { bindTo: document } }) });
    this.modeler.on('commandStack.changed', () => this.onEdit());
    this.modeler.on('element.hover', ({ element, gfx }) => this.tip(element, gfx));
    this.modeler.on('element.out', () => this.tip(null));
  }

  get(name) { return this.modeler.get(name); }

  async open(xml) {
    const { warnings } = await this.modeler.importXML(xml) || {};
    this.marked = [];
    this.found.clear();
    this.fit();
    return (warnings || []).map((w) => w.message).join('\n');
  }

  // Everything, beside the palette.
  fit() {
    const canvas = this.get('canvas'), { inner, outer } = canvas.viewbox();
    if (!inner.width || !outer.width) return;
    const left = 96, edge = 24;
    const scale = Math.min(1, (outer.width - left - edge) / inner.width,
                           (outer.height - 2 * edge) / inner.height);
    const width = outer.width / scale, height = outer.height / scale;
    canvas.viewbox({ x: inner.x - left / scale, y: inner.y - (height - inner.height) / 2,
                     width, height });
  }

  async text() {
    return (await this.modeler.saveXML({ format: true })).xml;
  }

  // \p found: [{place, verdict, text}]
  show(found) {
    if (!this.modeler) return;
    const registry = this.get('elementRegistry'), canvas = this.get('canvas');
    const overlays = this.get('overlays', false);
    for (const { id, mark } of this.marked)
      if (registry.get(id)) canvas.removeMarker(id, mark);
    if (overlays) overlays.remove({ type: 'cif' });
    this.marked = [];
    this.found.clear();
    for (const each of found) {
      const { id } = each.place;
      if (!id || !registry.get(id)) continue;
      if (!this.found.has(id)) this.found.set(id, []);
      this.found.get(id).push(each);
    }
    for (const [id, list] of this.found) {
      const mark = MARKS.find((m) => list.some((f) => m === 'cif-' + f.verdict)) || 'cif-noted';
      canvas.addMarker(id, mark);
      this.marked.push({ id, mark });
      const element = registry.get(id);
      if (!overlays || element.waypoints) continue;
      const badge = document.createElement('div');
      badge.className = 'cif-badge ' + mark;
      badge.textContent = mark === 'cif-violated' ? '✗' : mark === 'cif-noted' ? 'i' : '?';
      badge.title = list.map((f) => f.text).join('\n');
      overlays.add(id, 'cif', { position: { top: -9, right: 9 }, html: badge });
    }
  }

  tip(element, gfx) {
    const tip = document.getElementById('tip');
    const list = element && this.found.get(element.id);
    tip.hidden = !list;
    if (!list) return;
    tip.replaceChildren(...list.slice(0, 8).map((f) => {
      const line = document.createElement('p');
      line.textContent = f.text;
      return line;
    }));
    const box = gfx.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(box.left, innerWidth - tip.offsetWidth - 8)) + 'px';
    tip.style.top = (box.bottom + 8 + tip.offsetHeight > innerHeight
      ? Math.max(4, box.top - tip.offsetHeight - 8) : box.bottom + 8) + 'px';
  }

  point(id) {
    const element = id && this.get('elementRegistry').get(id);
    if (!element) return;
    this.get('selection').select(element);
    const canvas = this.get('canvas');
    if (canvas.scrollToElement) canvas.scrollToElement(element);
  }
}

window.modeler = new Modeler();
