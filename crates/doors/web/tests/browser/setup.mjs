// A server for the built page, a browser, and the command line to compare with.
//
// The environment names what to test: EXPLORER (the built folder), HEMIOLA (the program), CHROMIUM, and MODULES (where npm has put
// playwright-core and axe-core).
import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { mkdtempSync, rmSync } from "node:fs";

const { EXPLORER, HEMIOLA, CHROMIUM, MODULES } = process.env;
export const require = createRequire(join(MODULES, "node_modules", "x.js"));
const { chromium } = require("playwright-core");

const types = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm",
};

// Static files on a free port of this machine.
export function serve(folder = EXPLORER) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }),
  })));
}

// A browser with an empty profile that talks to this machine alone.
export async function browser(options = {}) {
  const profile = mkdtempSync(join(tmpdir(), "hemiola-browser-"));
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"];
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM, headless: true, args, viewport: { width: 1400, height: 1000 }, acceptDownloads: true, ...options,
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

// A page that keeps what goes wrong in it.
export async function open(context, url) {
  const page = await context.newPage();
  page.faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.faults.push(message.text()));
  page.on("pageerror", (problem) => page.faults.push(String(problem)));
  await page.goto(url);
  return page;
}

// Until the method's verdicts, limits and figure are there.
export async function ready(page) {
  await page.waitForFunction(() => document.querySelector("#orders tbody tr") && document.querySelector("#limits dd")
    && explorer.frames.count && document.querySelector("#region-note").textContent, null, { timeout: 30_000 });
}

// What the command line prints, its exit code ignored.
export function hemiola(args, input) {
  const { stdout, stderr } = spawnSync(HEMIOLA, args, { input, encoding: "utf8" });
  return { out: stdout, problem: stderr };
}

// Text with single blanks: tables and wrapped lines in one form.
export const plain = (text) => text.replace(/\s+/g, " ").trim();
