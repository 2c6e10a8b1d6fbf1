/*
 * pev2.js: what the plan viewer pev2 shows of plans, in a real browser.
 *
 *   npm install --ignore-scripts pev2 vue playwright-core
 *   NODE_PATH=node_modules node test/viewers/pev2.js PLAN.json...
 *
 * A plan is what EXPLAIN (FORMAT JSON) gives.  Chromium is /usr/bin/chromium,
 * or $CHROMIUM.  For each plan its nodes are printed as they are shown, and a
 * picture is made, PLAN.json.png.  The exit code is 1 if the page has an error,
 * or shows fewer nodes than the plan has.  No part of ./run check: it needs
 * packages of npm, and a browser.
 */
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { chromium } = require('playwright-core');

const modules = path.resolve(require.resolve('playwright-core'), '../..');

function countNodes(plan) {
  return 1 + (plan.Plans || []).reduce((sum, p) => sum + countNodes(p), 0);
}

function pageOf(plan) {
  const text = JSON.stringify(plan).replace(/</g, '\\u003c');
  const style = (name) => `<link rel="stylesheet" href="${modules}/${name}">`;
  const script = (name) => `<script src="${modules}/${name}"></script>`;

  return `<!doctype html><html><head><meta charset="utf-8">
${style('bootstrap/dist/css/bootstrap.min.css')}${style('pev2/dist/pev2.css')}
${script('vue/dist/vue.global.prod.js')}${script('pev2/dist/pev2.umd.js')}
</head><body><div id="app" class="d-flex flex-column vh-100">
<pev2 :plan-source="plan" plan-query=""></pev2></div><script>
const app = Vue.createApp({ data() { return { plan: ${text} }; } });
app.component('pev2', pev2.Plan);
app.mount('#app');
</script></body></html>`;
}

async function show(browser, file, place) {
  const plan = fs.readFileSync(file, 'utf8');
  const expected = countNodes(JSON.parse(plan)[0].Plan);
  const page = await browser.newPage({ viewport: { width: 1500, height: 1100 } });
  const errors = [];

  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  fs.writeFileSync(place, pageOf(plan));
  await page.goto(`file://${place}`);
  await page.waitForSelector('.plan-node');
  const nodes = await page.$$eval('.plan-node', (all) =>
    all.map((node) => node.innerText.replace(/\s+/g, ' ')));
  const custom = await page.$('.plan-node:has-text("Custom")');
  if (custom) {
    await custom.click();
    await custom.waitForSelector('.nav-link');
    for (const tab of await custom.$$('.nav-link'))
      if (/misc/i.test(await tab.innerText())) await tab.click();
  }
  await page.waitForTimeout(500);      // until it has stopped moving
  await page.screenshot({ path: `${file}.png` });
  await page.close();
  console.log(`${file}: ${nodes.length} of ${expected} nodes`);
  nodes.forEach((node) => console.log(`  ${node}`));
  errors.forEach((error) => console.log(`  ERROR: ${error}`));
  return errors.length === 0 && nodes.length === expected;
}

async function main() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--allow-file-access-from-files'],
  });
  const place = path.join(fs.mkdtempSync(`${os.tmpdir()}/pev2-`), 'page.html');
  let good = true;

  for (const file of process.argv.slice(2))
    good = await show(browser, file, place) && good;
  await browser.close();
  fs.rmSync(path.dirname(place), { recursive: true });
  return good;
}

main().then((good) => process.exit(good ? 0 : 1), (error) => {
  console.error(error);
  process.exit(1);
});
