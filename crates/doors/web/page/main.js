// The explorer: views, and what happens when the method changes.
import { address } from "./modules/address.js";
import { code, startCode } from "./modules/code.js";
import { again, form as designForm, startDesign } from "./modules/design.js";
import { limits, startLimits } from "./modules/limits.js";
import { startMethod } from "./modules/method.js";
import { at, element } from "./modules/page.js";
import { form as polynomialForm, redrawPolynomial, solve, startPolynomial } from "./modules/polynomial.js";
import { frames, redraw, showRegion, startRegion } from "./modules/region.js";
import { theme } from "./modules/theme.js";
import { check, redrawTrees, startVerdicts } from "./modules/verdicts.js";

const views = ["method", "design", "polynomial"];

function view() {
  const asked = address.get("view");
  const now = views.includes(asked) ? asked : "method";
  for (const name of views) at(name).hidden = name !== now;
  for (const button of document.querySelectorAll("nav button")) {
    if (button.dataset.view === now) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
}

// The numbers that are asked for first.
const headline = { verdicts: undefined, limits: undefined };

function showHeadline() {
  const { verdicts, limits: found } = headline;
  const lines = [];
  if (verdicts) {
    const { order, order_as_stated: stated, exact_order: exact, checked_to: checked, facts } = verdicts;
    const withTime = facts.find(([name]) => name === "non-autonomous order")?.[1];
    lines.push(["order", order === checked ? `≥ ${order}` : String(order)]);
    if (withTime) lines.push(["non-autonomous order", withTime]);
    lines.push(["verdict", exact === order ? "exact" : stated === order ? "to precision" : "numerically"]);
  }
  const value = (facts, name) => facts.find(([one]) => one === name)?.[1];
  for (const { name, facts } of found?.partitions ?? []) {
    const owner = found.partitions.length > 1 ? `${name}, ` : "";
    lines.push([`${owner}imaginary limit`, value(facts, "imaginary limit")], [`${owner}real limit`, value(facts, "real limit")]);
  }
  at("headline").replaceChildren(...lines.slice(0, 8).map(([name, text]) =>
    element("div", {}, element("dt", { text: name }), element("dd", { text }))));
}

function loaded(method) {
  at("status").textContent = "";
  showRegion(method);
  if (!method) return;
  check((verdicts) => { headline.verdicts = verdicts; showHeadline(); });
  limits((found) => { headline.limits = found; showHeadline(); });
  code();
}

view();
// Before all others: they draw only what is seen.
address.follow((changed) => {
  if (changed("view")) view();
});
for (const button of document.querySelectorAll("nav button")) button.onclick = () => address.set({ view: button.dataset.view });
startVerdicts();
startLimits();
startCode();
startPolynomial();
startDesign();
startRegion();
// Another address: forms show its values.
addEventListener("hashchange", () => { polynomialForm(); designForm(); });
theme(() => { redraw(); redrawPolynomial(); redrawTrees(); });

startMethod(loaded).then(solve).then(again).catch((problem) => {
  at("status").textContent = `The explorer could not be started: ${problem.message}`;
});

if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});

// What measures of speed ask.
globalThis.explorer = { frames };
