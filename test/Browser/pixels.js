// Compares how two programs render a picture:
//
//   node pixels.js PICTURE.svg PICTURE.png ...
//
// The browser renders each SVG; the PNG beside it is another program's rendering.
// Both are shrunk to a quarter, where letters and edges are shades of grey, and
// compared point by point. Prints for each pair how far the points differ on
// average, and how many differ by more than a quarter of the scale, both in
// percent; fails where that is more than 1.5 or 1 percent. A picture that misses
// its colours, a shape or its texts is beyond that; one in another font is not.
const fs = require('fs');
const path = require('path');
const browser = require('./browser.js');

// Runs in the page.
async function compare([svg, png]) {
  const load = (url) => new Promise((done, fail) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => fail(new Error('cannot be shown'));
    image.src = url;
  });
  const pictures = [
    await load('data:image/svg+xml;base64,' + svg),
    await load('data:image/png;base64,' + png),
  ];
  const [one, other] = pictures;
  if (Math.abs(one.width - other.width) > 1 ||
      Math.abs(one.height - other.height) > 1)
    throw new Error(`${one.width}x${one.height} in the browser, ` +
                    `${other.width}x${other.height} elsewhere`);
  const width = Math.ceil(one.width / 4), height = Math.ceil(one.height / 4);
  const [a, b] = pictures.map((picture) => {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.fillStyle = 'white';
    context.fillRect(0, 0, width, height);
    context.drawImage(picture, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  });
  let sum = 0, far = 0, inked = 0;
  for (let i = 0; i < a.length; i += 4) {
    const d = Math.max(...[0, 1, 2].map((c) => Math.abs(a[i + c] - b[i + c])));
    sum += d;
    if (d > 64) ++far;
    if (a[i] < 250) ++inked;
  }
  const points = width * height;
  return { mean: 100 * sum / 255 / points, far: 100 * far / points,
           inked: 100 * inked / points };
}

async function main() {
  const files = process.argv.slice(2);
  let failed = files.length === 0;
  await browser.withPage({ colorScheme: 'light' }, async (page) => {
    for (let i = 0; i + 1 < files.length; i += 2) {
      const texts = files.slice(i, i + 2).map(
        (file) => fs.readFileSync(file).toString('base64'));
      const { mean, far, inked } = await page.evaluate(compare, texts);
      const differs = mean > 1.5 || far > 1 || inked < 0.5;
      console.log(`${path.basename(files[i])}: ${mean.toFixed(2)} on average, ` +
                  `${far.toFixed(2)} far: ${differs ? 'differ' : 'same'}`);
      failed = failed || differs;
    }
  });
  process.exitCode = failed ? 1 : 0;
}

browser.run(main);
