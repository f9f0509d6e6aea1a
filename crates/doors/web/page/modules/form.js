// Fields of a form that are keys of the address.
import { address } from "./address.js";
import { element } from "./page.js";

export function number(key, label, usual, low, high, step = 1) {
  const input = element("input", { type: "number", id: `field-${key}`, min: low, max: high, step, value: address.get(key, usual ?? ""), placeholder: usual === undefined ? "auto" : undefined });
  input.oninput = () => address.set({ [key]: input.value === "" ? undefined : input.value });
  return field(label, input);
}

export function choice(key, label, options, usual) {
  const value = address.get(key, usual);
  const select = element("select", { id: `field-${key}` }, ...options.map(([name, text]) => element("option", { value: name, text, selected: name === value })));
  select.onchange = () => address.set({ [key]: select.value === usual ? undefined : select.value });
  return field(label, select);
}

export function flag(key, label) {
  const input = element("input", { type: "checkbox", id: `field-${key}` });
  input.checked = address.get(key) === "yes";
  input.onchange = () => address.set({ [key]: input.checked ? "yes" : undefined });
  return element("p", { class: "whole" }, input, element("label", { for: `field-${key}`, text: label }));
}

const field = (label, input) => element("p", { class: "field" }, element("label", { for: input.id, text: label }), input);
