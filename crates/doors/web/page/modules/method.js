// Which method: the library, a pasted text, and what is known of it.
import { address } from "./address.js";
import { reckoning, Latest } from "./engine.js";
import { at, complain, element, facts, settled } from "./page.js";
import { leaveOut, setName, subjectKeys, wholeSubject } from "./subject.js";
import { showTableau } from "./tableau.js";

const latest = new Latest(reckoning);
let library = [];

export const entry = (id) => library.find((method) => method.id === id || method.also.includes(id));

// What is seen at once in a list.
function label({ name, stages, partitions, order }) {
  const kind = partitions === 1 ? "" : partitions === 2 ? "pair, " : `${partitions} partitions, `;
  return `${name}: ${kind}${stages} stages${order ? `, order ${order}` : ""}`;
}

export async function startMethod(loaded) {
  const chosen = at("chosen");
  const paste = at("paste");
  const choose = () => {
    const id = chosen.value.trim();
    if (entry(id)) address.set({ method: id, paste: undefined, pick: undefined, set: undefined, x: undefined, y: undefined, slice: undefined, with: undefined });
    else if (id) complain("method-error", `The library has no method called ${id}`);
  };
  chosen.onchange = choose;
  // A choice from the list is an input whose text is an id.
  chosen.oninput = () => entry(chosen.value.trim()) && choose();
  chosen.onfocus = () => chosen.select();
  paste.oninput = settled(120, () =>
    address.set({ paste: paste.value.trim() ? paste.value : undefined, pick: undefined, set: undefined, x: undefined, y: undefined }));
  // The last letters may not have settled.
  const keep = () => {
    if (document.activeElement === paste && paste.value.trim()) address.set({ paste: paste.value });
    address.write();
  };
  addEventListener("beforeunload", keep);
  addEventListener("pagehide", keep);
  at("pick").onchange = () => address.set({ pick: at("pick").value, set: undefined });
  at("undo").onclick = () => address.set({ set: undefined });
  address.follow((changed) => changed(...subjectKeys) && refresh(loaded));
  library = await reckoning.ask({ ask: "library" });
  at("library").replaceChildren(...library.map((method) => element("option", { value: method.id, text: label(method) })));
  refresh(loaded);
}

function refresh(loaded) {
  const { method, paste } = wholeSubject();
  const fields = [at("chosen"), at("paste")];
  if (document.activeElement !== fields[0]) fields[0].value = method ?? "";
  if (document.activeElement !== fields[1]) fields[1].value = paste ?? "";
  if (paste !== undefined) at("paste-fold").open = true;
  at("undo").hidden = !address.get("set");
  const fail = (message) => {
    complain("method-error", message);
    at("paste").setAttribute("aria-invalid", paste !== undefined);
    at("reading").textContent = at("orders").textContent ? "Results are those of the last method that could be read." : "";
    loaded(undefined);
  };
  latest.ask({ ask: "method", subject: wholeSubject() }, (found) => show(found, loaded), fail);
}

function show(found, loaded) {
  complain("method-error", "");
  at("paste").removeAttribute("aria-invalid");
  setName(found.id);
  at("title").textContent = found.name;
  const { reading } = found;
  at("reading").textContent = reading ? [reading.note, ...reading.failures].join("\n") : "";
  at("pick-field").hidden = !(reading?.methods.length > 1);
  if (reading) at("pick").replaceChildren(...reading.methods.map(([id, name]) => element("option", { value: id, text: name, selected: id === found.id })));
  facts(at("about"), found.facts);
  const problems = new Map(found.problems);
  leaveOut(problems.keys());
  const left = problems.size ? ["Results leave this change out."] : [];
  complain("cell-error", [...problems.values(), ...left].join("\n"));
  showTableau(found.partitions, problems);
  loaded(found);
}

