// Parses sequence diagrams with mermaid itself:
//
//   node mermaid.js FILE...
//
// A file is a diagram (.mmd), or a Markdown file whose blocks of mermaid are
// diagrams. Prints for each the participants and messages that mermaid sees, in
// its order; fails where mermaid finds an error.
const fs = require('fs');
const path = require('path');
const browser = require('./browser.js');

const diagramsOf = (file) => {
  const text = fs.readFileSync(file, 'utf8');
  return file.endsWith('.md')
    ? [...text.matchAll(/^```mermaid\n(.*?)^```/gms)].map((m) => m[1]) : [text];
};

// Runs in the page.
async function parse(text) {
  try {
    window.mermaid.initialize({ startOnLoad: false });
    const { diagramType } = await window.mermaid.parse(text);
    if (diagramType !== 'sequence') return { lines: [] };
    const { db } = await window.mermaid.mermaidAPI.getDiagramFromText(text);
    const names = new Map([...db.getActors()].map(([id, actor]) => [id, actor.description || id]));
    const kinds = Object.fromEntries(Object.entries(db.LINETYPE).map(([name, n]) => [n, name]));
    // Mermaid keeps characters by number as they are written until it draws.
    const area = document.createElement('textarea');
    const decoded = (coded) => {
      area.innerHTML = coded.replace(/ﬂ°°/g, '&#').replace(/ﬂ°/g, '&').replace(/¶ß/g, ';');
      return area.value;
    };
    return { lines: db.getMessages()
      .filter((m) => names.has(m.from) && names.has(m.to) && !/NOTE|ACTIVE|CENTRAL/.test(kinds[m.type]))
      .map((m) => decoded(`${names.get(m.from)} -> ${names.get(m.to)} : ${m.message}`)) };
  } catch (error) {
    return { error: error.message || String(error) };
  }
}

async function main() {
  const faults = [];
  await browser.withPage({ offline: true }, async (page) => {
    await page.setContent('<div></div>');
    await page.addScriptTag({ path: require.resolve('mermaid/dist/mermaid.min.js') });
    for (const file of process.argv.slice(2))
      for (const [i, text] of diagramsOf(file).entries()) {
        const { lines, error } = await page.evaluate(parse, text);
        const name = `${path.basename(file)} ${i + 1}`;
        if (error) faults.push(`${name}: ${error}`);
        else console.log([`${name}: ${lines.length} messages`, ...lines].join('\n  '));
      }
  });
  browser.conclude(faults);
}

browser.run(main);
