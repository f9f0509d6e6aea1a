// Butcher tableaus whose coefficients can be changed.
import { address } from "./address.js";
import { at, element } from "./page.js";

// Larger tableaus are too many fields for a page; their text can be pasted.
const most = 24;

let shape = "";

// Changes a coefficient: the address holds what differs from the original.
function change(name, text, original) {
  const others = address.get("set", []).filter((one) => !one.startsWith(`${name}=`));
  address.set({ set: text === original ? others : [...others, `${name}=${text}`] });
}

// The coefficients without changes by name, so that a change can be taken back by typing what was there.
const originals = new Map();

function field(name, text) {
  const input = element("input", { "aria-label": name, "data-name": name, value: text, spellcheck: "false", autocomplete: "off" });
  input.oninput = () => change(name, input.value, originals.get(name));
  input.onkeydown = (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step) return;
    const cell = input.closest("td");
    const row = cell.parentElement;
    const next = step[0] < 0 ? row.previousElementSibling : row.nextElementSibling;
    next?.children[cell.cellIndex]?.querySelector("input")?.focus();
    event.preventDefault();
  };
  return input;
}

function tableau({ name, a, b, c, b_hat }, prefix) {
  const cell = (kind, place, text) => element("td", { class: kind }, field(`${prefix}${place}`, text));
  const rows = a.map((row, i) => element("tr", {}, cell("c", `c[${i + 1}]`, c[i]),
    ...row.map((text, j) => cell("a", `a[${i + 1}][${j + 1}]`, text))));
  const weights = (sign, place, texts) => element("tr", { class: "weights" }, element("td", { text: sign }),
    ...texts.map((text, j) => cell("b", `${place}[${j + 1}]`, text)));
  rows.push(weights("b", "b", b));
  if (b_hat) rows.push(weights("b\u0302", "b_hat", b_hat));
  return element("div", { class: "butcher" }, prefix ? element("h3", { text: name }) : null,
    element("div", { class: "scroll" }, element("table", { "aria-label": `Butcher tableau${prefix ? `, ${name}` : ""}` }, element("tbody", {}, ...rows))));
}

export function showTableau(partitions, problems) {
  const place = at("tableau");
  const stages = partitions[0].b.length;
  if (stages > most) {
    shape = "";
    place.replaceChildren(element("p", { class: "note", text: `A tableau of ${stages} stages has too many coefficients to edit here. Save the method as JSON below, change it, and paste it.` }));
    return;
  }
  const next = JSON.stringify([address.get("method"), address.get("paste"), address.get("pick"), partitions.map((one) => [one.name, one.b.length])]);
  const changes = new Map(address.get("set", []).map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]));
  const made = partitions.map((one) => tableau(one, partitions.length > 1 ? `${one.name}.` : ""));
  if (next !== shape) {
    shape = next;
    originals.clear();
    place.replaceChildren(...made);
    for (const input of place.querySelectorAll("input")) {
      const { name } = input.dataset;
      if (!changes.has(name)) originals.set(name, input.value);
    }
  }
  // Fields keep their places while somebody types; only what differs is written, and never where the cursor is.
  const fresh = made.flatMap((one) => [...one.querySelectorAll("input")]);
  const values = next === shape ? new Map(fresh.map((input) => [input.dataset.name, input.value])) : new Map();
  for (const input of place.querySelectorAll("input")) {
    const { name } = input.dataset;
    const text = changes.get(name) ?? values.get(name) ?? input.value;
    if (input !== document.activeElement && input.value !== text) input.value = text;
    input.title = input.value;
    input.classList.toggle("changed", changes.has(name));
    input.classList.toggle("zero", input.value.trim() === "0");
    if (problems.has(name)) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
}
