// Drives the studio in a browser:
//
//   node studio.js SCENARIO CIFC FOLDER [--picture=PREFIX] [--dark]
//
// Starts `cifc --serve FOLDER`, opens the page that it names, and does what the
// scenario says. Errors on the console, and requests to anybody else, are faults.
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const browser = require('./browser.js');

const [scenario, cifc, folder] = process.argv.slice(2);
const options = browser.optionsOf(process.argv.slice(5));
const read = (name) => fs.readFileSync(path.join(folder, name), 'utf8');
// Where the studio puts what it needs for a while.
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'cif-studio-test-'));
const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });

// Starts the studio; resolves with its process and address.
function serve() {
  const child = spawn(cifc, ['-q', '--serve', folder], { stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: temporary } });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
      if (text.includes('\n')) resolve({ child, address: text.trim() });
    });
    child.on('exit', (code) => reject(new Error(`cifc --serve ends with ${code}`)));
  });
}

class Driver {
  constructor(page) { this.page = page; }

  // Runs in the frame of the diagram; the modeler is window.modeler there.
  inModeler(run, argument) {
    return this.page.frames().find((f) => f.url().includes('modeler.html'))
      .evaluate(run, argument);
  }

  async open(name) {
    await this.page.click(`[data-path="${name}"]`);
    await this.page.waitForSelector(`[data-path="${name}"][aria-current]`);
    return this.answer();
  }

  // What the checks say when they have said it.
  async answer() {
    await this.page.waitForSelector('#results[data-state=done]', { timeout: 60000 });
    return this.page.textContent('#results .pill');
  }

  verdictOf(check) {
    return this.page.getAttribute(`.findings [data-check="${check}"]`, 'data-verdict');
  }

  // Elements of the diagram that are marked as violated.
  marked() {
    return this.inModeler(() => window.modeler.marked.filter((m) => m.mark === 'cif-violated')
      .map((m) => m.id).sort());
  }

  async picture(name) {
    if (options.picture) await this.page.screenshot({ path: `${options.picture}-${name}.png` });
  }

  // What the frame of a run shows at each of its first steps.
  async stepThrough(frame) {
    const run = this.page.frameLocator(frame);
    await run.locator('.player .counter').waitFor();
    const lines = [];
    for (let k = 0; k < 100; ++k) {
      const counter = (await run.locator('.counter').textContent()).trim();
      const tokens = await run.locator('.layer .token').count();
      lines.push(`${counter}: ${await run.locator('.what b').textContent()} | ${tokens} tokens`);
      const [at, last] = counter.split(' / ');
      if (at === last) break;
      await run.locator('#stage').press('ArrowRight');
    }
    return lines;
  }
}

const scenarios = {};

async function main() {
  const { child, address } = await serve();
  const settings = { colorScheme: options.dark ? 'dark' : 'light' };
  const faults = [];
  try {
    await browser.withPage(settings, async (page) => {
      page.setDefaultTimeout(120000); // machines have other things to do
      // A refusal to write over a file is one of the answers.
      browser.watch(page, faults, address, (text) => text.includes('409 (Conflict)'));
      await page.goto(address);
      await page.waitForSelector('[data-path]');
      await scenarios[scenario](new Driver(page), { child, address, faults });
    });
  } finally {
    child.removeAllListeners('exit');
    const ended = new Promise((done) => { child.on('exit', done); });
    child.kill('SIGINT');
    console.log(`ends with ${await ended}, ${fs.readdirSync(temporary).length} temporary files`);
    fs.rmSync(temporary, { recursive: true, force: true });
  }
  browser.conclude(faults);
}

// ---- Scenarios ------------------------------------------------------------

const tokensOf = (line) => Number(/(\d+) tokens/.exec(line)[1]);

// A deadlock appears by an edit and goes away by taking it back; files change
// when they are saved, and not before; what others wrote is not written over
// without a question.
scenarios.edit = async (driver) => {
  const { page } = driver;
  const before = read('order-fixed.bpmn');
  console.log('fixed: ' + await driver.open('order-fixed.bpmn'));
  const frame = page.frameLocator('iframe.modeler');
  const erase = async (id) => {
    await frame.locator(`.djs-element[data-element-id="${id}"]`).first().click();
    await frame.locator('body').press('Delete');
    await page.waitForSelector('#results[data-state=checking]');
    return driver.answer();
  };
  console.log('without Reject: ' + await erase('Reject'));
  console.log('deadlock-free: ' + await driver.verdictOf('deadlock-free'));
  console.log('marked: ' + await driver.marked());
  await driver.picture('deadlock');
  await frame.locator('body').press('Control+z');
  await page.waitForSelector('#results[data-state=checking]');
  console.log('taken back: ' + await driver.answer());
  console.log('marked again: ' + await driver.marked());
  await erase('Reject');
  console.log('untouched: ' + (read('order-fixed.bpmn') === before));
  await page.click('.save');
  await page.waitForSelector('.save:not(.main)');
  console.log('saved: ' + !/id="Reject"/.test(read('order-fixed.bpmn')));

  // Somebody else writes the file.
  fs.writeFileSync(path.join(folder, 'order-fixed.bpmn'), before);
  await page.waitForSelector('.notice:not([hidden])');
  console.log('noticed: ' + await page.textContent('.notice'));
  console.log('read again: ' + await driver.answer());
  await erase('Reject');
  fs.writeFileSync(path.join(folder, 'order-fixed.bpmn'), before + '<!-- mine -->\n');
  await page.click('.save');
  await page.waitForSelector('dialog[open]');
  console.log('asked: ' + await page.textContent('dialog p'));
  await page.click('dialog [data-answer=no]');
  console.log('kept: ' + read('order-fixed.bpmn').endsWith('<!-- mine -->\n'));
  await page.click('.save');
  await page.click('dialog [data-answer=over]');
  await page.waitForSelector('.save:not(.main)');
  console.log('written over: ' + !/mine|id="Reject"/.test(read('order-fixed.bpmn')));

  // The counterexample of another one.
  console.log('order: ' + await driver.open('order.bpmn'));
  await page.click('.findings [data-check=deadlock-free] .run');
  const lines = await driver.stepThrough('.run-view iframe');
  console.log(`run: ${lines.length} frames, ${tokensOf(lines[0])} tokens, then ${
    tokensOf(lines.at(-1))}; ${lines.at(-1)}`);
  await driver.picture('run');
  await page.click('.back');
};

// Texts: places of errors, and what is typed is checked.
scenarios.text = async (driver) => {
  const { page } = driver;
  console.log('store: ' + await driver.open('store.cp'));
  const area = page.locator('textarea.text');
  const text = await area.inputValue();
  await area.fill(text.replace('s1 -> s2', 's1 => s2'));
  console.log('broken: ' + await driver.answer());
  console.log('lines: ' + await page.$$eval('.gutter .violated', (l) => l.map((e) => e.textContent)));
  await driver.picture('text');
  await area.fill(read('store-fixed.cp'));
  console.log('mended: ' + await driver.answer());
  console.log('lines: ' + await page.$$eval('.gutter .violated', (l) => l.length));
  await area.fill(text);
  await driver.answer();
  await page.click('#results [data-action=amend]');
  await page.waitForSelector('dialog[open]');
  console.log('not yet: ' + !fs.existsSync(path.join(folder, 'store-repaired.cp')));
  await page.click('dialog button.main');
  await page.waitForSelector('[data-path="store-repaired.cp"][aria-current]');
  console.log('repaired: ' + await driver.answer());
  await page.click('#results [data-action=project]');
  await page.click('dialog button.main');
  await page.waitForSelector('[data-path="store-repaired-projection.bpmn"][aria-current]');
  console.log('projection: ' + await driver.answer());
  await driver.picture('projection');
};

// Table 1 of [c4] by clicks, and the life of case 6.
scenarios.roles = async (driver) => {
  const { page } = driver;
  await page.click('[data-tab=roles]');
  await page.waitForSelector('fieldset');
  await page.selectOption('.choreography', 'choreography.bpmn');
  for (const [role, files] of [['Bank', ['bank-a']], ['Customer', ['customer-b', 'customer-c']],
                               ['BookingSystem', ['booking-d', 'booking-e', 'booking-f']]])
    for (const file of files)
      await page.check(`[data-role="${role}"] input[value="${file}.bpmn"]`);
  await page.click('.compare');
  await page.waitForSelector('.matrix tbody tr');
  for (const row of await page.$$eval('.matrix tr', (list) => list.map((r) =>
    [...r.children].map((c) => c.textContent.replace(/^[✓✗?] /, '').trim()).join(' | '))))
    console.log(row);
  await page.click('.matrix [data-case="6"]');
  const conforms = async (relation, network) => {
    await page.selectOption('.relation', relation);
    await page.selectOption('.network', network);
    await page.click('.compare');
    await page.click('.matrix [data-case="6"]');
    await page.click('[data-action=conforms]');
    await page.waitForSelector('.out .run:not([hidden])');
    console.log(`${relation} under ${network}: ${await page.textContent('.out .pill')}`);
  };
  await conforms('tbc', 'bag');
  await conforms('bbc', 'fifo-pair');
  await conforms('bbc', 'bag');
  const lines = await driver.stepThrough('.out iframe.run');
  console.log(`run: ${lines.length} frames; ${lines.at(-1)}`);
  await driver.picture('roles');
  for (const [action, name] of [['compose', 'collaboration'], ['adapt', 'repaired']]) {
    await page.click('[data-tab=roles]');
    await page.click(`[data-action=${action}]`);
    await page.click('dialog button.main');
    await page.waitForSelector(`[data-path="${name}.bpmn"][aria-current]`);
    console.log(`${name}: ` + await driver.answer());
  }
  await driver.picture('repaired');
};

// A thousand edits as quick as they can be made: what is said in the end is
// about the last text, and nothing is left behind.
scenarios.flood = async (driver, { child }) => {
  const { page } = driver;
  const session = await page.context().newCDPSession(page);
  const inPage = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return session.send('Memory.getDOMCounters');
  };
  const count = async () => ({
    page: await inPage(),
    files: fs.readdirSync(`/proc/${child.pid}/fd`).length,
    children: fs.readdirSync(`/proc/${child.pid}/task`).map((task) =>
      fs.readFileSync(`/proc/${child.pid}/task/${task}/children`, 'utf8').trim()).join(''),
    left: fs.readdirSync(temporary).flatMap((d) => fs.readdirSync(path.join(temporary, d))).length,
    memory: Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]),
  });
  await driver.open('order-fixed.bpmn');
  const before = await count();
  // In the page: every answer that is shown, with the number of edits before it.
  await page.evaluate(() => {
    window.shown = [];
    new MutationObserver(() => {
      const { state, revision } = document.getElementById('results').dataset;
      if (state === 'done') window.shown.push(Number(revision));
    }).observe(document.getElementById('results'), { attributes: true });
  });
  const name = (text) => driver.inModeler((value) => {
    const pay = window.modeler.get('elementRegistry').get('Pay');
    window.modeler.get('modeling').updateLabel(pay, value);
  }, text);
  for (let i = 0; i < 1000; ++i) {
    await name('Pay ' + i);
    if (i % 100 === 50) await sleep(350); // a check begins
    if (i % 250 === 125) await driver.answer(); // and is waited for
  }
  await driver.inModeler(() => {
    const { elementRegistry, modeling } = { elementRegistry: window.modeler.get('elementRegistry'),
                                            modeling: window.modeler.get('modeling') };
    modeling.removeElements([elementRegistry.get('Pay')]);
  });
  await page.waitForSelector('#results[data-state=checking]');
  console.log('in the end: ' + await driver.answer());
  const shown = await page.evaluate(() => [window.shown, window.studio.editing.asker.revision]);
  console.log('last shown is the last edit: ' + (shown[0].at(-1) === shown[1]));
  console.log('in order: ' + shown[0].every((r, i) => !i || r >= shown[0][i - 1]));
  await sleep(3000); // connections that nobody uses are closed
  const after = await count();
  console.log(`left: ${after.children || 'no'} children, ${after.left} folders`);
  console.log('files: ' + (after.files <= before.files + 8 ? 'as before' : `${before.files} -> ${after.files}`));
  console.log('memory: ' + (after.memory < before.memory + 40000 ? 'as before' : `${before.memory} -> ${after.memory} kB`));
  // The editor keeps what can be taken back, but no elements of pages for it.
  for (const [name, slack] of [['documents', 0], ['nodes', 300], ['jsEventListeners', 100]]) {
    const [was, is] = [before.page[name], after.page[name]];
    console.log(`${name}: ${is <= was + slack ? 'as before' : `${was} -> ${is}`}`);
  }
  console.error(JSON.stringify({ before, after, shown: shown[0].length }));
};

browser.run(main);
