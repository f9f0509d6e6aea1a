// Optimal stability polynomials.
import { address } from "./address.js";
import { drawing, Latest } from "./engine.js";
import { choice, number } from "./form.js";
import { at, complain, element, facts, table } from "./page.js";
import { millimeters, play } from "./picture.js";
import { figureButtons } from "./save.js";

const latest = new Latest(drawing);
const keys = ["stages", "order", "axis", "damping"];
const shapes = [
  ["imaginary", "imaginary axis: oscillations"], ["real", "negative real axis: decay"], ["disk", "disk |z + 1| ≤ 1"],
  ["wedge:60", "wedge |arg(−z)| ≤ 60°"], ["rays:0.02,0.3", "rays of damping 0.02 to 0.3"], ["dg:3", "discontinuous Galerkin, degree 3"],
  ["upwind:3", "upwind differences, order 3"],
];
let picture;

export const redrawPolynomial = () => picture && !at("polynomial").hidden && play(at("polynomial-canvas"), picture);

export function startPolynomial() {
  form();
  at("polynomial-form").onsubmit = (event) => event.preventDefault();
  figureButtons(at("polynomial-save"), name, async (format) => (await drawing.ask({ ...question(), format })).file,
    (message) => complain("polynomial-error", message));
  address.follow((changed) => changed(...keys, "view") && solve());
}

export function form() {
  at("polynomial-form").replaceChildren(
    number("stages", "Stages", 5, 1, 60), number("order", "Order", 2, 1, 20),
    choice("axis", "Stable on", shapes, "imaginary"), number("damping", "Damping η", 0, 0, 0.99, 0.01));
}

const question = () => ({
  ask: "polynomial", stages: address.number("stages", 5), order: address.number("order", 2), axis: address.get("axis", "imaginary"),
  damping: address.number("damping", 0),
});

const name = () => `polynomial-${address.number("stages", 5)}-${address.number("order", 2)}`;

export function solve() {
  if (at("polynomial").hidden) return;
  latest.ask({ ...question(), width: millimeters(at("polynomial-canvas")) }, ({ found }) => {
    complain("polynomial-error", "");
    picture = found.picture;
    play(at("polynomial-canvas"), picture);
    const list = element("dl", { class: "facts" });
    facts(list, found.facts);
    at("polynomial-found").replaceChildren(element("h2", { class: "plain", text: found.title }), list,
      table("R(z) = Σ βₖ zᵏ", [">k", "Coefficient of zᵏ", "Decimal"], found.coefficients));
  }, (message) => complain("polynomial-error", message));
}
