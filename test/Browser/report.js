// Opens a page of --report=html from the disk, without a network, and steps
// through the run that it shows first:
//
//   node report.js PAGE.html [--verdict=N] [--picture=FILE.png] [--dark]
//                  [--size=WIDTHxHEIGHT] [--steps=N] [--hover=ELEMENT]
//                  [--after=ELEMENT,...] [--states]
//
// --after: then looks at the other view, of what was repaired, and tells these
// elements from left to right. --states: then steps through the graph of all
// states.
//
// Prints what is drawn at every step, and fails where the page says something
// else than its data: tokens, messages in transit, queues, errors on the
// console, requests.
const path = require('path');
const { pathToFileURL } = require('url');
const browser = require('./browser.js');

const options = browser.optionsOf(process.argv.slice(3));

// Runs in the page: what the data says of each frame, put together in the
// plainest way.
function framesOf(verdict) {
  const data = JSON.parse(document.getElementById('data').textContent);
  const run = data.page.runs.find((r) => r.verdicts.includes(verdict));
  if (!run) return [];
  const tokens = {}, queues = {};
  return run.frames.map((frame) => {
    Object.assign(tokens, frame.tokens);
    for (const [name, [at, removed, ...added]] of Object.entries(frame.queues || {})) {
      const before = queues[name] || [];
      queues[name] = [...before.slice(0, at), ...added, ...before.slice(at + removed)];
    }
    return {
      tokens: Object.entries(tokens).flatMap(([id, counts]) =>
        counts.map((n, kind) => n && `${id} ${['moving', 'waiting', 'ended'][kind]} ${n}`)
          .filter(Boolean)).sort(),
      queues: Object.entries(queues).filter(([, list]) => list.length).map(
        ([name, list]) => `${name || 'in transit'}: ${list.map((m) => m[2]).join(' ')}`).sort(),
    };
  });
}

// Runs in the page: what is on the screen.
function shown() {
  const text = (element) => element.textContent.trim();
  return {
    tokens: [...document.querySelectorAll('.layer .token')].map((t) =>
      `${t.dataset.token} ${t.classList[1]} ${t.dataset.count}`).sort(),
    transit: [...document.querySelectorAll('.layer .message')].map(text).sort(),
    positions: [...document.querySelectorAll('.layer .position')].map(text).sort(),
    queues: [...document.querySelectorAll('.queue')].map((q) =>
      `${q.dataset.queue}: ${[...q.querySelectorAll('.letter')].map(text).join(' ')}`).sort(),
    counter: text(document.querySelector('.counter')),
    what: document.querySelector('.what b') ? text(document.querySelector('.what b')) : '',
    drawable: [...document.querySelectorAll('.pane [data-id], .pane [data-element-id]')]
      .flatMap((g) => [g.dataset.id || g.dataset.elementId, g.dataset.ref]).filter(Boolean),
  };
}

async function stepThrough(page, verdict, faults) {
  const frames = await page.evaluate(framesOf, verdict);
  const most = Math.min(frames.length, Number(options.steps || 60));
  for (let k = 0; k < most; ++k) {
    if (k) await page.keyboard.press('ArrowRight');
    const now = await page.evaluate(shown);
    const known = new Set(now.drawable);
    const wanted = frames[k].tokens.filter((t) => known.has(t.replace(/ \w+ \d+$/, '')));
    if (String(wanted) !== String(now.tokens))
      faults.push(`frame ${k}: tokens ${now.tokens}, expected ${wanted}`);
    if (String(frames[k].queues) !== String(now.queues))
      faults.push(`frame ${k}: queues ${now.queues}, expected ${frames[k].queues}`);
    if (now.counter !== `${k} / ${frames.length - 1}`)
      faults.push(`frame ${k}: counter says ${now.counter}`);
    console.log([`${k}: ${now.what}`, ...now.tokens.map((t) => 'token ' + t),
                 ...now.positions.map((p) => 'at ' + p), ...now.transit,
                 ...now.queues].join(' | '));
  }
  if (most < frames.length) {
    const begin = Date.now();
    await page.keyboard.press('End');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    const rows = await page.evaluate(() => document.querySelectorAll('.row').length);
    console.log(`last of ${frames.length - 1}: ${Date.now() - begin < 1000 ? 'soon' : 'late'}, ${
      rows < 200 ? 'few' : 'all'} rows`);
  }
  return frames.length - 1;
}

// The same in the graph of states.
async function stepThroughStates(page, verdict, faults) {
  await page.click('.views button:last-child');
  await page.waitForSelector('.pane .state');
  await page.evaluate(() => document.activeElement.blur());
  const states = await page.evaluate((index) => {
    const { page: { runs } } = JSON.parse(document.getElementById('data').textContent);
    const run = runs.find((r) => r.verdicts.includes(index));
    return run ? run.frames.map((f) => `state:graph ${run.graph}:${f.state}`) : [];
  }, verdict);
  await page.keyboard.press('Home');
  for (let k = 0; k < states.length; ++k) {
    if (k) await page.keyboard.press('ArrowRight');
    const now = await page.evaluate(() => ({
      token: [...document.querySelectorAll('.layer .token')].map((t) => t.dataset.token),
      done: document.querySelectorAll('.transition.done, .transition.now').length,
      ahead: document.querySelectorAll('.transition.ahead').length,
    }));
    if (String(now.token) !== states[k] || now.done !== k || now.done + now.ahead !== states.length - 1)
      faults.push(`state ${k}: ${JSON.stringify(now)}, expected ${states[k]}`);
  }
  const told = await page.evaluate(() => ({
    states: document.querySelectorAll('.pane .state').length,
    steps: document.querySelectorAll('.pane .transition').length,
    dead: [...document.querySelectorAll('.pane .dead')].map((s) => s.dataset.text),
    labels: [...document.querySelectorAll('.pane .transition.now text')].map((t) => t.textContent.trim()),
  }));
  console.log(`graph: ${told.states} states, ${told.steps} steps, path of ${states.length}, last '${told.labels}'`);
  for (const text of told.dead) console.log('dead: ' + text);
}

async function main() {
  const address = pathToFileURL(path.resolve(process.argv[2])).href;
  const [width, height] = (options.size || '1500x900').split('x').map(Number);
  const settings = { offline: true, viewport: { width, height },
                     colorScheme: options.dark ? 'dark' : 'light' };
  const faults = [];
  await browser.withPage(settings, async (page) => {
    browser.watch(page, faults, address);
    page.on('dialog', (dialog) => { faults.push('dialog'); dialog.dismiss(); });
    await page.goto(address);
    await page.waitForSelector('.pane > svg > g > g, .panes[hidden]',
                               { state: 'attached' });
    let verdict = await page.evaluate(() => {
      const button = document.querySelector('.verdict[aria-current]');
      return button ? Number(button.dataset.verdict) : -1;
    });
    if (options.verdict !== undefined) {
      verdict = Number(options.verdict);
      await page.click(`.verdict[data-verdict="${verdict}"]`);
      await page.evaluate(() => document.activeElement.blur());
    }
    console.log('title: ' + await page.title());
    console.log('answer: ' + await page.textContent('.pill'));
    console.log('card: ' + await page.textContent('.card h1'));
    console.log('elements: ' + await page.evaluate(
      () => document.querySelectorAll('.pane [data-id], .pane [data-element-id]').length));
    // A change that is only proposed is marked when it is looked at.
    if (await page.locator('.views button[aria-pressed=true]:first-child').count() &&
        await page.locator('.pane .removed').count())
      faults.push('elements are marked as removed');
    console.log('steps: ' + await stepThrough(page, verdict, faults));
    if (options.hover) {
      const box = await page.locator(`[data-id="${options.hover}"] > *`).first().boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      console.log('tip: ' + await page.evaluate(() =>
        [...document.querySelectorAll('#tip strong, #tip li, #tip p')]
          .map((e) => e.textContent).join(' | ')));
    }
    if (options.after) {
      await page.click('.views button:nth-child(2)');
      // A straight line has no height: no browser calls it visible.
      await page.waitForSelector('.pane .added', { state: 'attached' });
      console.log('after: ' + await page.evaluate(() =>
        [...new Set([...document.querySelectorAll('.pane .added')].map((g) => g.dataset.id))]
          .sort().join(' ')));
      // What was moved is drawn where it is now.
      console.log('from left: ' + await page.evaluate((ids) => ids
        .map((id) => ({ id, box: [...document.querySelectorAll(`.pane [data-id="${id}"]`)]
          .map((g) => g.getBoundingClientRect()).find((box) => box.width) }))
        .sort((a, b) => a.box.x - b.box.x).map((e) => e.id).join(' '), options.after.split(',')));
      for (const line of await page.locator('.diff:not([hidden]) p').allTextContents())
        console.log('diff: ' + line);
    }
    if (options.states) await stepThroughStates(page, verdict, faults);
    if (options.picture) await page.screenshot({ path: options.picture });
  });
  browser.conclude(faults);
}

browser.run(main);
