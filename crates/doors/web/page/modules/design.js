// Small dual-rate pairs, designed in the page.
import { address } from "./address.js";
import { searching } from "./engine.js";
import { choice, flag, number } from "./form.js";
import { at, complain, element, facts, table } from "./page.js";
import { save } from "./save.js";

const keys = ["slow", "fast", "porder", "daxis", "ddamping", "seed", "starts", "abscissae", "weights", "positive"];
let running = false;
let done;

export function startDesign() {
  form();
  at("design-form").onsubmit = (event) => {
    event.preventDefault();
    if (running) searching.stop();
    else run();
  };
  address.follow((changed) => {
    if (changed(...keys)) address.set({ designed: undefined });
    if (changed("view", "designed")) again();
  });
}

export function form() {
  at("design-form").replaceChildren(
    number("slow", "Slow evaluations", 2, 1, 8), number("fast", "Fast evaluations", 5, 1, 12),
    number("porder", "Order", undefined, 1, 6), choice("daxis", "Fast part stable on", [["imaginary", "imaginary axis"], ["real", "negative real axis"]], "imaginary"),
    number("ddamping", "Damping η", 0, 0, 0.5, 0.01), number("seed", "Seed", 1, 0, undefined),
    number("starts", "Random starts", undefined, 1, 5000),
    flag("abscissae", "the same abscissae in both partitions"), flag("weights", "the same weights in both partitions"), flag("positive", "no negative weights"),
    element("p", { class: "buttons whole" }, element("button", { class: "primary", id: "design-run", text: "Design" })));
}

// A design with a seed is the same on every machine, so a link to it does it again.
export function again() {
  if (address.get("designed") === "yes" && !at("design").hidden && !running && done !== key()) run();
}

const key = () => JSON.stringify(keys.map((one) => address.get(one)));

function question() {
  const asked = (name) => address.number(name, undefined);
  const axis = address.get("daxis");
  return {
    ask: "design", slow: address.number("slow", 2), fast: address.number("fast", 5), order: asked("porder"), axis, damping: asked("ddamping"),
    seed: asked("seed"), starts: asked("starts"), shared_abscissae: address.get("abscissae") === "yes",
    shared_weights: address.get("weights") === "yes", non_negative_weights: address.get("positive") === "yes",
  };
}

async function run() {
  running = true;
  at("design-run").textContent = "Stop";
  complain("design-error", "");
  const bar = element("progress", { max: 1, value: 0, "aria-label": "Progress of the search" });
  const words = element("span");
  at("design-progress").replaceChildren(bar, words);
  const begin = performance.now();
  const report = ({ phase, done, all, best }) => {
    bar.value = done / all;
    words.textContent = `${done} of ${all} ${phase}${Number.isFinite(best) ? `, least error norm ${best.toPrecision(4)}` : ""}`;
  };
  try {
    const asked = key();
    const found = await searching.ask(question(), report);
    done = asked;
    const seconds = (performance.now() - begin) / 1000;
    at("design-progress").textContent = `Designed in ${seconds.toFixed(1)} s.`;
    show(found);
    address.set({ designed: "yes" });
  } catch (problem) {
    at("design-progress").textContent = "";
    complain("design-error", problem.message === "stopped" ? "Stopped." : problem.message);
  } finally {
    running = false;
    at("design-run").textContent = "Design";
  }
}

function show(found) {
  const list = element("dl", { class: "facts" });
  facts(list, found.facts);
  const open = () => address.set({ view: "method", paste: found.json, pick: undefined, set: undefined, slice: "coupled", x: undefined, y: undefined });
  const tree = (text) => element("td", { class: "tree", text });
  const rows = found.conditions.map(([order, name, kind, expected, residual]) => [order, tree(name), kind, expected, residual]);
  const file = (label, ending, text) => element("button", { type: "button", text: label, onclick: () => save(`${found.id}${ending}`, text, "application/json") });
  at("designed").replaceChildren(
    element("h1", { text: found.name }),
    list,
    element("p", { class: "buttons" }, element("button", { type: "button", class: "primary", id: "look", text: "Look at it", onclick: open }),
      file("Save method", ".json", found.json), file("Save design", ".design.json", found.design), file("Save certificate", ".certificate.json", found.certificate)),
    table("Every condition with its residual", [">Order", "Condition", "Kind", ">Expected", ">Residual"], rows));
}
