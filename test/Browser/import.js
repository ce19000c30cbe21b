// Imports a BPMN file into a viewer in a browser and says what was drawn:
//
//   node import.js bpmn-js|chor-js FILE [PICTURE.png]
//
// Prints the viewer's warnings, how many elements of each type it drew, and what
// is wrong with the picture by the browser's own geometry: shapes or labels that
// overlap, and sequence flows that go through shapes. Fails when there is any
// warning, error or fault.
const fs = require('fs');
const browser = require('./browser.js');

const viewers = {
  'bpmn-js': ['bpmn-js/dist/bpmn-viewer.production.min.js', 'BpmnJS'],
  'chor-js': ['chor-js/dist/chor-js-viewer.min.js', 'ChorJS'],
};

// Runs in the page.
async function importAndLook([xml, viewerName]) {
  const viewer = new window[viewerName]({ container: '#canvas' });
  const { warnings } = await viewer.importXML(xml);
  const registry = viewer.get('elementRegistry');
  const elements = registry.getAll();
  const counts = {};
  const shapes = [];
  for (const element of elements) {
    if (!element.parent) continue; // the page itself
    const type = (element.labelTarget ? 'label of ' : '') + element.type;
    counts[type] = (counts[type] || 0) + 1;
    if (element.waypoints || element.hidden) continue;
    const visual = registry.getGraphics(element).querySelector('.djs-visual');
    const box = visual.getBoundingClientRect();
    shapes.push({ element, box });
  }
  const ancestors = (element) => {
    const all = [];
    for (let e = element; e; e = e.parent) all.push(e);
    return all;
  };
  const belong = (a, b) =>
    ancestors(a).includes(b) || ancestors(b).includes(a) ||
    a.host === b || b.host === a;
  const faults = [];
  const slack = 3; // strokes
  const meet = (a, b) =>
    a.left + slack < b.right && b.left + slack < a.right &&
    a.top + slack < b.bottom && b.top + slack < a.bottom;
  for (let i = 0; i < shapes.length; ++i)
    for (let j = 0; j < i; ++j) {
      const a = shapes[i], b = shapes[j];
      // A label belongs to no container; it may lie in any that holds its owner.
      const owner = (s) => s.element.labelTarget || s.element;
      if (belong(owner(a), owner(b)) && !(a.element.labelTarget &&
          owner(a) !== owner(b) && !ancestors(owner(a)).includes(owner(b))))
        continue;
      if (meet(a.box, b.box))
        faults.push(`${a.element.id} and ${b.element.id} overlap`);
    }
  const zero = viewer.get('canvas').getContainer().getBoundingClientRect();
  for (const flow of elements) {
    if (flow.type !== 'bpmn:SequenceFlow' || !flow.waypoints) continue;
    for (let i = 0; i + 1 < flow.waypoints.length; ++i) {
      const p = flow.waypoints[i], q = flow.waypoints[i + 1];
      const line = {
        left: Math.min(p.x, q.x) + zero.left - slack,
        right: Math.max(p.x, q.x) + zero.left + slack,
        top: Math.min(p.y, q.y) + zero.top - slack,
        bottom: Math.max(p.y, q.y) + zero.top + slack,
      };
      for (const shape of shapes) {
        const e = shape.element;
        if (e.labelTarget || e === flow.source || e === flow.target ||
            e.host === flow.source || flow.source.host === e ||
            ancestors(flow.source).includes(e) ||
            ancestors(e).includes(flow.source) ||
            ancestors(e).includes(flow.target))
          continue;
        if (meet(line, shape.box))
          faults.push(`${flow.id} goes through ${e.id}`);
      }
    }
  }
  viewer.get('canvas').zoom('fit-viewport');
  return { warnings: warnings.map((w) => w.message || String(w)), counts, faults };
}

async function main() {
  const [kind, file, picture] = process.argv.slice(2);
  const [script, name] = viewers[kind];
  let failed = false;
  await browser.withPage({ viewport: { width: 1800, height: 1000 } }, async (page) => {
    const errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.setContent(
      '<style>body{margin:0}</style>' +
      '<div id="canvas" style="width:1800px;height:1000px"></div>');
    await page.addScriptTag({ path: require.resolve(script) });
    const result = await page.evaluate(
      importAndLook, [fs.readFileSync(file, 'utf8'), name]);
    for (const type of Object.keys(result.counts).sort())
      console.log(`${type}: ${result.counts[type]}`);
    for (const [what, list] of [['warning', result.warnings],
                                ['fault', result.faults], ['error', errors]]) {
      console.log(`${what}s: ${list.length}`);
      for (const text of list) console.log(`  ${what}: ${text}`);
      failed = failed || list.length > 0;
    }
    if (picture) await page.screenshot({ path: picture });
  });
  process.exitCode = failed ? 1 : 0;
}

browser.run(main);
