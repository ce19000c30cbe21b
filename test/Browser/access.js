// Uses a page of --report=html as somebody without a pointer does:
//
//   node access.js PAGE.html [--dark] [--spoil]
//
// Goes through everything with the Tab key and says what cannot be reached, or
// does not show that it has the focus; picks a verdict, a view, a step and an
// element by keys; and asks axe-core what else is wrong, once as the page opens and
// once in each view. --spoil: takes names and a place in the order of Tab away, which
// is to be noticed.
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');
const browser = require('./browser.js');

const options = browser.optionsOf(process.argv.slice(3));
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

// Runs in the page: what can be used.
function controls() {
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  return [...document.querySelectorAll('a[href], button, select, input, summary, [tabindex="0"]')]
    .filter((e) => !e.disabled && seen(e))
    .map((e, i) => { e.dataset.control = i; return e.outerHTML.slice(0, 90).replace(/\s+/g, ' '); });
}

// Runs in the page: what has the focus, and whether that can be seen.
function focused() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const drawn = element instanceof SVGElement && element.tagName !== 'svg'
    ? element.querySelector('.shape, .line, circle, .djs-visual > *') || element : element;
  const look = () => {
    const style = getComputedStyle(drawn);
    return [style.outlineStyle, style.outlineWidth, style.stroke, style.strokeWidth, style.left].join();
  };
  const now = look();
  element.blur();
  const isShown = look() !== now;
  element.focus({ preventScroll: true });
  return { control: element.dataset.control, isShown: isShown || /solid|auto/.test(now),
           text: element.outerHTML.slice(0, 90).replace(/\s+/g, ' ') };
}

class Visitor {
  constructor(page, faults) {
    this.page = page;
    this.faults = faults;
  }

  async walk(where) {
    const all = await this.page.evaluate(controls);
    await this.page.evaluate(() => document.activeElement.blur());
    const reached = new Set();
    for (let i = 0; i < all.length * 2 + 10; ++i) {
      await this.page.keyboard.press('Tab');
      const here = await this.page.evaluate(focused);
      if (!here) break; // behind the last one
      if (here.control !== undefined && reached.has(here.control)) break;
      if (!here.isShown) this.faults.push(`${where}: the focus is not seen on ${here.text}`);
      reached.add(here.control);
    }
    all.forEach((text, i) => {
      if (!reached.has(String(i))) this.faults.push(`${where}: not reached: ${text}`);
    });
    console.log(`${where}: ${all.length} controls`);
  }

  async inspect(where) {
    const found = await this.page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
    for (const { id, nodes } of found.violations)
      this.faults.push(`${where}: ${id}: ${nodes.length} times, first ${
        nodes[0].html.slice(0, 120).replace(/\s+/g, ' ')} ${
        (nodes[0].any[0] || nodes[0].all[0] || nodes[0].none[0] || {}).message || ''}`);
  }

  // Focuses an element and presses a key on it.
  async press(selector, key) {
    await this.page.focus(selector);
    await this.page.keyboard.press(key);
  }

  counter() { return this.page.textContent('.counter'); }
}

async function use(page, faults) {
  const visitor = new Visitor(page, faults);
  if (options.spoil)
    await page.evaluate(() => {
      for (const button of document.querySelectorAll('.controls button')) {
        button.removeAttribute('aria-label');
        button.removeAttribute('title');
      }
      document.querySelector('.controls select').tabIndex = -1;
    });
  await visitor.walk('page');
  await visitor.inspect('page');
  if (options.spoil) return;
  if (await page.isVisible('.player')) {
    await visitor.press('.rows', 'ArrowRight');
    await visitor.press('[aria-label^="One step ("]', 'Enter');
    await visitor.press('.controls input', 'ArrowRight');
    console.log('three steps: ' + await visitor.counter());
    await visitor.press('[aria-label^="Play"]', 'Enter');
    await page.waitForFunction(() => !document.querySelector('.counter').textContent.startsWith('3 '));
    await visitor.press('[aria-label^="Pause"]', 'Enter');
    await visitor.press('.controls input', 'Home');
    console.log('back: ' + await visitor.counter());
  }
  const last = page.locator('.verdict').last();
  await last.press('Enter');
  console.log('picked: ' + await last.getAttribute('aria-current'));
  await page.locator('.verdict').first().press('Enter');
  const views = await page.locator('.views button').allTextContents();
  for (const [i, name] of views.entries()) {
    await page.locator('.views button').nth(i).press('Enter');
    await page.waitForTimeout(200);
    await visitor.inspect(name);
  }
  await page.locator('.views button').first().press('Enter');
  await page.waitForTimeout(200);
  const marked = page.locator('.pane .has-findings').first();
  if (await marked.count()) {
    await marked.focus();
    console.log('told: ' + (await page.textContent('#tip')).slice(0, 60));
    await page.keyboard.press('Escape');
    console.log('put away: ' + await page.isHidden('#tip'));
  }
  const svg = page.locator('.pane > svg');
  const before = await svg.getAttribute('viewBox');
  await svg.press('+');
  const near = await svg.getAttribute('viewBox');
  await svg.press('Shift+ArrowRight');
  const moved = await svg.getAttribute('viewBox');
  await svg.press('0');
  console.log(`zoomed: ${near !== before}, moved: ${moved !== near}, all: ${
    moved !== await svg.getAttribute('viewBox')}`);
}

async function main() {
  const settings = { offline: true, colorScheme: options.dark ? 'dark' : 'light',
                     reducedMotion: 'reduce' };
  const address = pathToFileURL(path.resolve(process.argv[2])).href;
  const faults = [];
  await browser.withPage(settings, async (page) => {
    browser.watch(page, faults, address);
    await page.goto(address);
    await page.waitForSelector('.pane > svg > g > g', { state: 'attached' });
    await page.evaluate(axe);
    await use(page, faults);
  });
  browser.conclude(faults);
}

browser.run(main);
