// Which order conditions hold, and the trees of those that do not.
import { address } from "./address.js";
import { drawing, Latest, reckoning } from "./engine.js";
import { at, complain, element, facts, settled, table } from "./page.js";
import { play } from "./picture.js";
import { subject, subjectKeys } from "./subject.js";

const latest = new Latest(reckoning);
let trees;

export function startVerdicts() {
  const field = at("check-order");
  field.value = address.get("check", "");
  field.oninput = () => address.set({ check: field.value || undefined });
  address.follow((changed) => changed("check") && !changed(...subjectKeys) && check(() => {}));
}

export const redrawTrees = () => trees && play(trees.canvas, trees.picture);

const question = (ask) => ({ ask, subject: subject(), order: address.number("check", undefined) });

export function check(then) {
  latest.ask(question("verdicts"), (found) => {
    complain("order-error", "");
    show(found);
    then(found);
  }, (message) => complain("order-error", message));
}

const sure = { exact: "exact", fails: "fails", "fails together": "fails" };

function show(found) {
  const verdict = (text) => element("td", { class: sure[text], text });
  const rows = found.orders.map((row) => [String(row.order), String(row.conditions), String(row.failed), row.largest_residual, verdict(row.verdict)]);
  at("orders").replaceChildren(table("", [">Order", ">Conditions", ">Failed", ">Largest residual", "Verdict"], rows));
  facts(at("order-facts"), found.facts);
  failing(found);
}

// The trees are listed as text and drawn once somebody looks.
function failing({ failing, failures, claimed_order: claim }) {
  const place = at("failing");
  const wasOpen = place.querySelector("details")?.open;
  trees = undefined;
  if (failures === 0) return place.replaceChildren();
  const tree = (text) => element("td", { class: "tree", text });
  const rows = failing.map((one) => [String(one.order), tree(one.tree), one.value, one.expected, one.residual]);
  const list = table("", [">Order", "Tree", ">Value", ">Expected", ">Residual"], rows);
  const canvas = element("canvas", { role: "img", "aria-label": "The failing trees" });
  const below = claim !== null && failing[0]?.order <= claim;
  const title = `${failures} failing ${failures === 1 ? "condition" : "conditions"} of order ${failing[0]?.order}${below ? ", against the claim" : ""}`;
  const fold = element("details", {}, element("summary", { text: title }), element("div", { class: "trees" }, canvas), list);
  fold.ontoggle = () => fold.open && draw(canvas);
  place.replaceChildren(fold);
  if (wasOpen) fold.open = true;
}

const draw = settled(30, async (canvas) => {
  try {
    const picture = await drawing.ask(question("trees"));
    if (!picture || !canvas.isConnected) return;
    trees = { canvas, picture };
    play(canvas, picture);
  } catch {
    // The message stands with the verdicts.
  }
});
