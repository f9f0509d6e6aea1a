// Numbers in the page equal the command line's to the last printed digit.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browser, hemiola, open, plain, ready, serve } from "./setup.mjs";

const methods = [
  "rk4", "explicit-euler", "heun-2", "kutta-3", "bogacki-shampine-3", "dormand-prince-5", "gauss-2", "radau-iia-2", "lobatto-iiic-3", "sdirk-2",
  "shome-haug-jay-2-5", "mprk-p2", "mprk-p3", "hemiola-4-8", "hemiola-3-7", "ars-2-3-3", "ars-4-4-3", "merson-4", "cash-karp-5", "verner-efficient-6",
];

let site, chrome, known;

before(async () => {
  site = await serve();
  chrome = await browser();
  known = new Set(JSON.parse(hemiola(["list", "--json"]).out).map(({ id }) => id));
});

after(async () => {
  await chrome.close();
  await site.close();
});

test("twenty methods", async () => {
  // Ids that the library does not have are replaced by others of it, so that there are always twenty.
  const wanted = [...methods.filter((id) => known.has(id)), ...[...known].filter((id) => !methods.includes(id) && !id.includes("family"))].slice(0, 20);
  const page = await open(chrome.context, site.url);
  let compared = 0;
  for (const id of wanted) {
    await page.goto("about:blank");
    await page.goto(`${site.url}#method=${id}`);
    await ready(page);
    const check = plain(hemiola(["check", id]).out);
    const stability = plain(hemiola(["stability", id]).out);
    const [facts, orders, limits, rows] = await page.evaluate(() => {
      const pairs = (selector) => [...document.querySelectorAll(`${selector} dt`)].map((name) => `${name.textContent} ${name.nextElementSibling.textContent}`);
      const rows = (selector) => [...document.querySelectorAll(`${selector} tbody tr`)].map((row) => [...row.children].map((cell) => cell.textContent).join(" "));
      return [pairs("#order-facts"), rows("#orders"), pairs("#limits"), rows("#limits")];
    });
    assert.ok(facts.length > 5 && limits.length >= 6 && orders.length > 1, id);
    for (const line of [...facts, ...orders]) {
      // Which digits are off is told by the command line alone.
      const found = plain(line);
      assert.ok(check.includes(found), `${id}: check does not print «${found}»\n${check}`);
    }
    for (const line of [...limits, ...rows]) assert.ok(stability.includes(plain(line)), `${id}: stability does not print «${plain(line)}»\n${stability}`);
    compared += facts.length + orders.length + limits.length + rows.length;
  }
  assert.ok(wanted.length === 20 && compared > 300, `${compared} lines`);
  assert.deepEqual(page.faults, []);
});
