// The explorer in a browser: choose, edit, paste, drag, save, reload, design, offline.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { browser, hemiola, open, plain, ready, serve } from "./setup.mjs";

let site, chrome;

before(async () => {
  site = await serve();
  chrome = await browser();
});

after(async () => {
  await chrome.close();
  await site.close();
});

const start = async (hash = "") => {
  const page = await open(chrome.context, site.url + hash);
  await ready(page);
  return page;
};

const text = (page, selector) => page.locator(selector).innerText();

// The pixels of the figure, by which frames are told apart.
const pixels = (page) => page.evaluate(() => document.querySelector("#region").toDataURL().length
  + document.querySelector("#region").toDataURL());

const finished = async (page) => {
  assert.deepEqual(page.faults, []);
  await page.close();
};

test("a method is chosen and its numbers change", async () => {
  const page = await start();
  assert.match(await text(page, "#title"), /Kutta/);
  await page.fill("#chosen", "shome-haug-jay-2-5");
  await page.waitForFunction(() => document.querySelector("#headline").innerText.includes("fast, imaginary limit"));
  assert.match(plain(await text(page, "#headline")), /order 2 .* fast, imaginary limit 4/);
  assert.match(page.url(), /method=shome-haug-jay-2-5/);
  assert.equal(await page.locator("#slice").inputValue(), "coupled");
  await finished(page);
});

test("an edited coefficient changes orders, failing trees and limits as one types", async () => {
  const page = await start("#method=rk4");
  const cell = page.locator('[data-name="a[2][1]"]');
  await cell.fill("1/");
  await page.waitForFunction(() => document.querySelector('[data-name="a[2][1]"]').getAttribute("aria-invalid") === "true");
  await cell.fill("1/3");
  await page.waitForFunction(() => /^order 1 /.test(document.querySelector("#headline").innerText.replace(/\s+/g, " ")));
  assert.match(plain(await text(page, "#failing summary")), /failing conditions? of order 2/);
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("set=a[2][1]"));
  await page.click("#failing summary");
  await page.waitForFunction(() => document.querySelector("#failing canvas").getAttribute("aria-label").includes("violated"));
  await page.click("#undo");
  await page.waitForFunction(() => /^order 4/.test(document.querySelector("#headline").innerText.replace(/\s+/g, " ")));
  assert.equal(await cell.inputValue(), "1/2");
  await finished(page);
});

test("what is typed is there after a reload, also what cannot be read", async () => {
  const page = await start("#method=rk4");
  await page.click("#paste-fold summary");
  await page.locator("#paste").pressSequentially("0 | 0 0\n1 | 1 x", { delay: 2 });
  await page.reload();
  await page.waitForFunction(() => !document.querySelector("#method-error").hidden);
  assert.equal(await page.locator("#paste").inputValue(), "0 | 0 0\n1 | 1 x");
  await page.locator("#paste").fill("0 | 0 0\n1 | 1 0\n  | 1/2 1/2\n");
  await ready(page);
  await page.waitForFunction(() => document.querySelector("#reading").textContent.startsWith("read as"));
  await page.locator('[data-name="b[1]"]').fill("1/4");
  await page.reload();
  await ready(page);
  assert.equal(await page.locator('[data-name="b[1]"]').inputValue(), "1/4");
  assert.match(await page.locator("#paste").inputValue(), /1\/2 1\/2/);
  await finished(page);
});

test("bad pastes get the messages of the command line", async () => {
  const page = await start("#method=rk4");
  await page.click("#paste-fold summary");
  const pastes = [
    "0 | 0 0\n1 | 1 x\n  | 1/2 1/2\n", "hello world", '{"format":"hemiola-method/1"}', "A = [0 0; 1/2 0]", "0 | 0 0\n1 | 1 0 0 0\n  | 1/2 1/2",
    "0 | 0 0\n1/0 | 1 0\n  | 1/2 1/2\n", "A = np.array([[0, 0], [foo(2), 0]])\nb = np.array([0, 1])\n",
    '{"format":"hemiola-method/1","id":"a b","name":"x","partitions":[{"name":"all","a":[["0"]],"b":["1"]}]}',
    "\\begin{array}{c|cc} 0 & & \\\\ 1 & 1 \\\\ \\hline & 1/2 \\end{array}", "1,2,3\n4,5\n",
  ];
  for (const paste of pastes) {
    await page.locator("#paste").fill(paste);
    const { problem } = hemiola(["import", "-"], paste);
    const expected = plain(problem.split("help:")[0].replace("×", ""));
    assert.ok(expected.length > 5, paste);
    await page.waitForFunction((expected) => document.querySelector("#method-error").textContent.replace(/\s+/g, " ").trim() === expected, expected, { timeout: 5000 })
      .catch(async () => assert.equal(plain(await text(page, "#method-error")), expected, paste));
  }
  await finished(page);
});

test("all layouts that are exported are read again", async () => {
  const page = await start("#method=bogacki-shampine-3");
  for (const language of ["csv", "latex", "python", "julia", "matlab", "json"]) {
    await page.goto(`${site.url}#method=bogacki-shampine-3`);
    await page.selectOption("#language", language);
    await page.waitForFunction(() => document.querySelector("#code").textContent.length > 100);
    const code = await page.evaluate(() => document.querySelector("#code").textContent);
    if (!["csv", "latex", "json"].includes(language)) continue;
    await page.evaluate((code) => { document.querySelector("#paste-fold").open = true; document.querySelector("#paste").value = code; document.querySelector("#paste").dispatchEvent(new Event("input")); }, code);
    await page.waitForFunction(() => document.querySelector("#reading").textContent.startsWith("read as"));
    await page.waitForFunction(() => /^order 3/.test(document.querySelector("#headline").innerText.replace(/\s+/g, " ")));
  }
  await finished(page);
});

test("the region follows sliders, drags, the wheel and keys", async () => {
  const page = await start("#method=shome-haug-jay-2-5");
  const seen = new Set([await pixels(page)]);
  const changes = async (what) => {
    await page.waitForFunction((old) => {
      const canvas = document.querySelector("#region");
      return canvas.toDataURL().length + canvas.toDataURL() !== old;
    }, [...seen].at(-1), { timeout: 10_000 }).catch(() => assert.fail(`${what} changed nothing`));
    seen.add(await pixels(page));
  };
  await page.locator("#slider-kappa").fill("800");
  await changes("κ");
  assert.match(page.url() + await page.evaluate(() => location.hash), /method/);
  await page.locator("#slider-g").fill("700");
  await changes("g");
  const box = await page.locator("#region").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height, 600) / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 30, { steps: 6 });
  await page.mouse.up();
  await changes("a drag");
  await page.mouse.wheel(0, -240);
  await changes("the wheel");
  await page.locator("#region").focus();
  await page.keyboard.press("ArrowLeft");
  await changes("an arrow");
  await page.keyboard.press("+");
  await changes("plus");
  await page.waitForFunction(() => /x=.*&y=/.test(location.hash));
  const hash = await page.evaluate(() => location.hash);
  await page.keyboard.press("0");
  await changes("zero");
  await page.waitForFunction(() => !/x=/.test(location.hash));
  const other = await start(hash);
  assert.equal(await other.locator("#slider-kappa").inputValue(), "800");
  await finished(other);
  await page.selectOption("#slice", "kappa-gamma");
  await page.waitForSelector("#slider-omega");
  await changes("another plane");
  for (const show of ["modulus", "error"]) {
    await page.selectOption("#slice", "coupled");
    await page.selectOption("#show", show);
    await changes(show);
  }
  await finished(page);
});

async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return [download.suggestedFilename(), readFileSync(await download.path(), "utf8")];
}

// Double precision on this side rounds products and sums twice (ADR 010), which no figure shows.
const numbers = (text) => text.match(/-?\d+(\.\d+)?(e-?\d+)?/g).map(Number);

test("saved figures are those of the command line, byte by byte", async () => {
  const page = await start("#method=mprk-p3&slice=coupled&kappa=5&g=0.04&with=rk4");
  const folder = mkdtempSync(join(tmpdir(), "hemiola-figures-"));
  for (const format of ["svg", "tex", "json"]) {
    const [name, file] = await saved(page, page.locator(`#region-save [data-format=${format}]`));
    assert.equal(name, `mprk-p3-coupled.${format}`);
    hemiola(["map", "mprk-p3", "rk4", "--slice", "coupled:kappa=5,g=0.04", "--output", `${folder}/a.${format}`]);
    const expected = readFileSync(`${folder}/a.${format}`, "utf8");
    if (format !== "json") {
      assert.equal(file, expected, format);
      continue;
    }
    const [found, wanted] = [numbers(file), numbers(expected)];
    assert.equal(found.length, wanted.length);
    assert.ok(found.every((value, k) => Math.abs(value - wanted[k]) < 1e-11));
  }
  await finished(page);
});

test("code in every language is that of the command line", async () => {
  const page = await start("#method=shome-haug-jay-2-5");
  for (const language of ["python", "julia", "c", "fortran", "matlab", "rust", "sundials", "petsc", "latex", "csv"]) {
    await page.selectOption("#language", language);
    const expected = hemiola(["export", "shome-haug-jay-2-5", "--language", language]).out;
    await page.waitForFunction((expected) => document.querySelector("#code").textContent === expected, expected, { timeout: 5000 })
      .catch(async () => assert.equal(await page.evaluate(() => document.querySelector("#code").textContent), expected, language));
  }
  const [name, file] = await saved(page, page.locator("#save-code"));
  assert.equal(name, "shome-haug-jay-2-5.csv");
  assert.ok(file.length > 100);
  await finished(page);
});

test("a 2–5 pair is designed in the page, as the command line designs it", async () => {
  const page = await open(chrome.context, `${site.url}#view=design`);
  await page.click("#design-run");
  await page.waitForSelector("#look", { timeout: 60_000 });
  const facts = plain(await text(page, "#designed .facts"));
  const folder = mkdtempSync(join(tmpdir(), "hemiola-design-"));
  const { out } = hemiola(["design", "--slow", "2", "--fast", "5", "--output", `${folder}/dual-rate-2-5.json`]);
  for (const name of ["fast limit", "slow limit", "principal error norm", "largest coefficient"]) {
    const line = facts.match(new RegExp(`${name} (\\S+)`))[1];
    assert.ok(plain(out).includes(`${name} ${line}`), `${name} ${line}`);
  }
  const [, method] = await saved(page, page.getByText("Save method"));
  assert.equal(method, readFileSync(`${folder}/dual-rate-2-5.json`, "utf8"));
  await page.click("#look");
  await ready(page);
  assert.match(plain(await text(page, "#headline")), /order 2/);
  await finished(page);
});

test("polynomials are those of the command line", async () => {
  const page = await open(chrome.context, `${site.url}#view=polynomial&stages=8&order=4`);
  await page.waitForSelector("#polynomial-found table");
  const { out } = hemiola(["polynomial", "--stages", "8", "--order", "4", "--axis", "imaginary"]);
  const limit = plain(await text(page, "#polynomial-found dd >> nth=0"));
  assert.ok(plain(out).includes(`limit ${limit}`), limit);
  await page.locator("#field-stages").fill("2");
  await page.waitForFunction(() => !document.querySelector("#polynomial-error").hidden);
  const { problem } = hemiola(["polynomial", "--stages", "2", "--order", "4", "--axis", "imaginary"]);
  assert.ok(plain(problem).includes(plain(await text(page, "#polynomial-error"))));
  await finished(page);
});

test("it works without a network once it is loaded", async () => {
  const own = await serve();
  const page = await open(chrome.context, `${own.url}#method=rk4`);
  await ready(page);
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const { active } = registration;
    if (active.state !== "activated") await new Promise((done) => active.addEventListener("statechange", done));
  });
  await own.close();
  await page.reload();
  await ready(page);
  await page.fill("#chosen", "gauss-2");
  await page.waitForFunction(() => document.querySelector("#title").textContent.includes("Gauss"));
  await page.click('[data-view="polynomial"]');
  await page.waitForSelector("#polynomial-found table");
  await finished(page);
});
