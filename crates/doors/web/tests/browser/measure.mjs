// Measures the explorer in the browser: frames a second, time to load, time of a design, sizes. Prints a page in Markdown.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { browser, open, ready, serve } from "./setup.mjs";

const folder = process.env.EXPLORER;
const site = await serve();
const chrome = await browser();

const files = (place) => readdirSync(place).flatMap((name) => {
  const path = join(place, name);
  return statSync(path).isDirectory() ? files(path) : [path];
});

const contents = files(folder).map((path) => readFileSync(path));
const sum = (pack) => contents.reduce((total, content) => total + pack(content).length, 0) / 1e6;
const sizes = [["as files", sum((content) => content)], ["gzip", sum((content) => gzipSync(content, { level: 9 }))], ["Brotli", sum((content) => brotliCompressSync(content))]];

// κ swings for four seconds; what is counted are finished figures, each on the grid of 400 × 400 cells.
async function frames(hash) {
  const page = await open(chrome.context, site.url + hash);
  await ready(page);
  const found = await page.evaluate(async () => {
    const slider = document.querySelector("#slider-kappa");
    const [begin, first] = [performance.now(), explorer.frames.count];
    // No coarser grids, which slow machines would get.
    explorer.frames.hold = true;
    let last = first;
    const times = [];
    for (let k = 0; performance.now() - begin < 4000; k += 1) {
      slider.value = 500 + 150 * Math.sin(k / 20);
      slider.dispatchEvent(new Event("input"));
      await new Promise(requestAnimationFrame);
      if (explorer.frames.count !== last) times.push(explorer.frames.milliseconds);
      last = explorer.frames.count;
    }
    times.sort((a, b) => a - b);
    return [(last - first) / 4, times[times.length >> 1]];
  });
  await page.close();
  return found;
}

async function load(cached) {
  const page = await open(chrome.context, cached ? site.url : "about:blank");
  const begin = performance.now();
  if (cached) await page.reload();
  else await page.goto(site.url);
  await ready(page);
  const taken = performance.now() - begin;
  await page.close();
  return taken;
}

async function design() {
  const page = await open(chrome.context, `${site.url}#view=design`);
  await page.click("#design-run");
  await page.waitForSelector("#look", { timeout: 120_000 });
  const words = await page.locator("#design-progress").innerText();
  await page.close();
  return words.match(/[\d.]+ s/)[0];
}

const line = (...cells) => `| ${cells.join(" | ")} |`;
const begun = loadavg()[0].toFixed(1);
const first = await load(false);
const again = await load(true);
const swings = [];
for (const [name, hash] of [
  ["rk4", "#method=rk4&slice=coupled"], ["shome-haug-jay-2-5", "#method=shome-haug-jay-2-5"], ["mprk-p3", "#method=mprk-p3"],
  ["hemiola-4-8", "#method=hemiola-4-8"], ["hemiola-4-8, bands of ρ(S)", "#method=hemiola-4-8&show=modulus"],
]) swings.push([name, ...await frames(hash)]);
const designed = await design();

console.log(`# The explorer, measured

Printed by \`scripts/measure-explorer\`: Chromium without a graphics card, a window of 1400 × 1000 pixels, ${availableParallelism()} processors,
load ${begun} before.

## Frames

κ is dragged for four seconds; every frame is a whole figure on the grid of 400 × 400 cells, traced anew by a worker and drawn on the canvas.
(The page itself takes a coarser grid while a hand moves, where the machine would make fewer than 22 figures a second of this one.)

${line("coupled region of", "figures a second", "median of one, ms")}
|---|---:|---:|
${swings.map(([name, rate, median]) => line(name, rate.toFixed(1), median.toFixed(0))).join("\n")}

## Loading

${line("", "seconds until all numbers are there")}
|---|---:|
${line("first time", (first / 1000).toFixed(2))}
${line("again, from the service worker", (again / 1000).toFixed(2))}

A 2–5 pair is designed in ${designed}.

## Size

${line("", "megabytes")}
|---|---:|
${sizes.map(([name, size]) => line(name, size.toFixed(2))).join("\n")}`);

await chrome.close();
await site.close();
