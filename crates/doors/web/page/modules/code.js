// The method in other languages.
import { address } from "./address.js";
import { Latest, reckoning } from "./engine.js";
import { at, complain, element } from "./page.js";
import { save } from "./save.js";
import { subject } from "./subject.js";

const languages = [
  ["python", "Python"], ["julia", "Julia"], ["c", "C"], ["fortran", "Fortran"], ["matlab", "MATLAB"], ["rust", "Rust"],
  ["sundials", "SUNDIALS"], ["petsc", "PETSc"], ["latex", "LaTeX"], ["csv", "CSV"], ["json", "method file (JSON)"],
];
const latest = new Latest(reckoning);
let found;

export function startCode() {
  const select = at("language");
  select.replaceChildren(...languages.map(([value, text]) => element("option", { value, text })));
  select.value = address.get("language", "python");
  select.onchange = () => address.set({ language: select.value });
  const copy = element("button", { type: "button", text: "Copy" });
  copy.onclick = async () => {
    await navigator.clipboard.writeText(found.text);
    copy.textContent = "Copied";
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  };
  const keep = element("button", { type: "button", id: "save-code", text: "Save", onclick: () => found && save(found.file, found.text) });
  at("code-save").replaceChildren(copy, keep);
  address.follow((changed) => changed("language") && code());
}

export function code() {
  const language = address.get("language", "python");
  at("language").value = language;
  latest.ask({ ask: "export", subject: subject(), language }, (answer) => {
    complain("code-error", "");
    found = answer;
    at("code").textContent = answer.text;
  }, (message) => {
    complain("code-error", message);
    at("code").textContent = "";
  });
}
