// Sorts tables, filters the index and copies code. Without it all pages read as they are.
"use strict";

for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
const filters = document.getElementById("filters");
if (filters) makeFilters(filters);
if (navigator.clipboard) for (const code of document.querySelectorAll(".code pre")) addCopyButton(code);

function makeSortable(table) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const descends = head.getAttribute("aria-sort") === "ascending";
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", descends ? "descending" : "ascending");
      const key = row => sortKey(row, column, head.dataset.key);
      const rows = [...body.rows].map(row => [key(row), row]).sort(([a], [b]) => compare(a, b, descends));
      body.append(...rows.map(([, row]) => row));
    });
  });
}

/** A number where there is one, else a text; undefined for what a method does not have. */
function sortKey(row, column, name) {
  const text = name ? row.dataset[name] : (row.cells[column].querySelector("data:last-of-type")?.value ?? row.cells[column].textContent.trim());
  if (text === undefined || text === "" || text === "–") return undefined;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

/** Missing values stay last in both directions. */
function compare(a, b, descends) {
  if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
  const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  return (Number.isNaN(order) ? 0 : order) * (descends ? -1 : 1);
}

function makeFilters(form) {
  const rows = [...document.querySelectorAll("#methods tbody tr")];
  const shown = document.getElementById("shown");
  const fields = ["words", "kind", "order", "stages", "imaginary", "real", "norm"];
  const value = name => form.elements[name].value.trim();
  const matches = ({ dataset: of }) => {
    const words = value("words").toLowerCase().split(/\s+/);
    const text = `${of.id} ${of.name}`.toLowerCase();
    const least = (name, limit = value(name)) => limit === "" || Number(of[name]) >= Number(limit);
    const most = (name, limit = value(name)) => limit === "" || Number(of[name]) <= Number(limit);
    return words.every(word => text.includes(word))
      && (value("kind") === "" || of.kinds.split(" ").includes(value("kind")))
      && least("order") && most("stages") && least("imaginary") && least("real") && most("norm");
  };
  const update = () => {
    let count = 0;
    for (const row of rows) {
      row.hidden = !matches(row);
      count += !row.hidden;
    }
    shown.textContent = `${count} of ${rows.length} methods`;
    const state = new URLSearchParams(fields.map(name => [name, value(name)]).filter(([, text]) => text !== ""));
    history.replaceState(null, "", state.size ? `?${state}` : location.pathname);
  };
  for (const [name, text] of new URLSearchParams(location.search)) {
    if (fields.includes(name)) form.elements[name].value = text;
  }
  // Not every way to choose from a list is an input.
  for (const event of ["input", "change"]) form.addEventListener(event, update);
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(update));
  form.hidden = false;
  update();
}

function addCopyButton(code) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${code.getAttribute("aria-label")}`);
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  code.before(button);
}
