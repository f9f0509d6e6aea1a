// A slider with a field for the number.
import { address } from "./address.js";
import { element } from "./page.js";

const steps = 1000;

// `gently` does what a hand does that has not come to rest.
export function slider({ key, label, low, high, usual, log }, gently) {
  const [from, to] = log ? [Math.log(low), Math.log(high)] : [low, high];
  const place = (value) => Math.round((Math.min(to, Math.max(from, log ? Math.log(value) : value)) - from) / (to - from) * steps);
  const value = (place) => {
    const found = from + (to - from) * place / steps;
    return Number((log ? Math.exp(found) : found).toPrecision(3));
  };
  const now = address.number(key, usual);
  const id = `slider-${key}`;
  const range = element("input", { type: "range", id, min: 0, max: steps, value: place(now), "aria-valuetext": String(now) });
  const number = element("input", { type: "number", step: "any", value: now, "aria-label": `${label}, as a number` });
  const set = (next) => {
    range.setAttribute("aria-valuetext", String(next));
    address.set({ [key]: next });
  };
  range.oninput = () => {
    number.value = value(range.valueAsNumber);
    gently(() => set(number.valueAsNumber));
  };
  number.oninput = () => {
    if (!Number.isFinite(number.valueAsNumber)) return;
    range.value = place(number.valueAsNumber);
    gently(() => set(number.valueAsNumber));
  };
  return element("div", { class: "slider" }, element("label", { for: id, text: label }), range, number);
}
