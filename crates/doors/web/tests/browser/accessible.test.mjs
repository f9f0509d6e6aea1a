// Nothing that axe-core finds, in every view, theme and width; and everything can be reached with the keyboard.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { browser, open, ready, require, serve } from "./setup.mjs";

let site, chrome;
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

before(async () => {
  site = await serve();
  chrome = await browser();
});

after(async () => {
  await chrome.close();
  await site.close();
});

const views = {
  method: ["#method=shome-haug-jay-2-5", ready],
  edited: ["#method=rk4&set=a%5B2%5D%5B1%5D=1/", (page) => page.waitForFunction(() => !document.querySelector("#cell-error").hidden)],
  pasted: ["#paste=hello", (page) => page.waitForFunction(() => !document.querySelector("#method-error").hidden)],
  design: ["#view=design&slow=1&fast=3&designed=yes", (page) => page.waitForSelector("#look", { timeout: 60_000 })],
  polynomial: ["#view=polynomial", (page) => page.waitForSelector("#polynomial-found table")],
};

for (const [name, [hash, until]] of Object.entries(views)) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1400, 390]) {
      test(`${name}, ${colorScheme}, ${width} pixels wide`, async () => {
        const page = await open(chrome.context, "about:blank");
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.goto(site.url + hash);
        await until(page);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).slice(0, 3).join("; ")}`);
        assert.deepEqual(found, []);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `the page is ${overflow} pixels wider than the window`);
        assert.deepEqual(page.faults, []);
        await page.close();
      });
    }
  }
}

test("the keyboard alone reaches the method, the region and the views", async () => {
  const page = await open(chrome.context, `${site.url}#method=rk4`);
  await ready(page);
  const reached = new Set();
  for (let k = 0; k < 80; k += 1) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.dataset.name || document.activeElement.dataset.view));
  }
  for (const wanted of ["chosen", "a[2][1]", "region", "slice", "language", "polynomial"]) assert.ok(reached.has(wanted), `${wanted}: ${[...reached]}`);
  await page.close();
});
