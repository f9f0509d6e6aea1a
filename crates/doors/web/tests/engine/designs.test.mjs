// The explorer's engine outside a browser: `hemiola design` on a saved design writes the bytes of the saved method and certificate.
//
// The environment names what to test: EXPLORER (the built folder) and HEMIOLA (the program).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

const { EXPLORER, HEMIOLA } = process.env;

const questions = [
  { slow: 2, fast: 5 },
  { slow: 1, fast: 3, order: 1, axis: "real", damping: 0.05 },
  { slow: 2, fast: 4, order: 2, axis: "real", starts: 24 },
  { slow: 2, fast: 6, shared_abscissae: true, starts: 24, seed: 7 },
  { slow: 3, fast: 5, starts: 12 },
  { slow: 3, fast: 6, shared_weights: true, non_negative_weights: true, starts: 24 },
  { slow: 4, fast: 6, starts: 12, seed: 3 },
];

let folder, engine;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "hemiola-engine-"));
  // A module by its name, wherever the folder is.
  const module = join(folder, "engine.mjs");
  copyFileSync(join(EXPLORER, "engine", "hemiola.js"), module);
  engine = await import(module);
  engine.initSync({ module: readFileSync(join(EXPLORER, "engine", "hemiola_bg.wasm")) });
});

after(() => rmSync(folder, { recursive: true, force: true }));

for (const question of questions) {
  test(`a saved design is the command line's: ${JSON.stringify(question)}`, () => {
    const { ok, error } = JSON.parse(engine.answer(JSON.stringify({ ask: "design", ...question })));
    assert.equal(error, undefined);
    const saved = join(folder, `${ok.id}.design.json`);
    writeFileSync(saved, ok.design);
    const output = join(folder, `${ok.id}.json`);
    const { status, stderr } = spawnSync(HEMIOLA, ["design", saved, "--output", output], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.equal(ok.json, readFileSync(output, "utf8"));
    assert.equal(ok.certificate, readFileSync(join(folder, `${ok.id}.certificate.json`), "utf8"));
    assert.equal(ok.design, readFileSync(saved, "utf8"));
  });
}
