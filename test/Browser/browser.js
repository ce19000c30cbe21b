// What the scripts of this folder share: words of the command line, a browser
// with a profile of its own, and faults.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { chromium } = require('playwright-core');

// `--name=value` and `--name` as an object.
exports.optionsOf = (words) => Object.fromEntries(words.map((word) => {
  const [name, value] = word.replace(/^--/, '').split('=');
  return [name, value === undefined ? true : value];
}));

// Opens a browser, gives `use` its page, and leaves nothing behind.
exports.withPage = async (settings, use) => {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'cif-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    headless: true, viewport: { width: 1500, height: 900 },
    ...settings,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
           '--disable-background-networking', '--disable-component-update',
           '--disable-sync'],
  });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
};

// Errors of the page, what it writes on the console unless `expects` says so, and
// requests to anywhere but `address` become faults.
exports.watch = (page, faults, address, expects = () => false) => {
  page.on('pageerror', (error) => faults.push('error: ' + error.message));
  page.on('console', (message) => {
    if (!expects(message.text())) faults.push('console: ' + message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('data:'))
      faults.push('request: ' + request.url());
  });
};

// Says what is wrong; the script fails when anything is.
exports.conclude = (faults) => {
  console.log(`faults: ${faults.length}`);
  for (const fault of faults) console.log('  ' + fault);
  process.exitCode = faults.length ? 1 : 0;
};

exports.run = (main) => main().catch((error) => {
  console.error(error.stack || error);
  process.exitCode = 1;
});
