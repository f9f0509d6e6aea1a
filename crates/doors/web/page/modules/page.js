// Small things about elements.

export const at = (id) => document.getElementById(id);

// element("p", { class: "note", text: "…" }, …children): properties that begin with "on" are listeners.
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === false || value === null) continue;
    if (key === "text") made.textContent = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// The lines of facts as a list of definitions.
export function facts(list, lines) {
  list.replaceChildren(...lines.flatMap(([name, text]) => [element("dt", { text: name }), element("dd", { text })]));
}

// A table: columns are names, those that hold numbers begin with ">".
export function table(caption, columns, rows) {
  const numeric = columns.map((column) => column.startsWith(">"));
  const name = (column) => column.replace(/^>/, "");
  const head = columns.map((column, k) => element("th", { scope: "col", class: numeric[k] && "number", text: name(column) }));
  const cell = (content, k) => content instanceof Node
    ? content
    : element("td", { class: numeric[k] && "number", text: content });
  const body = rows.map((row) => element("tr", {}, ...row.map(cell)));
  const made = element("table", { class: "list" }, caption && element("caption", { text: caption }),
    element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
  // Wide tables scroll, also by keyboard.
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption || columns.slice(0, 2).map(name).join(", ") }, made);
}

// Shows or clears the message of an error.
export function complain(id, message) {
  const place = at(id);
  if (place.textContent !== (message ?? "")) place.textContent = message ?? "";
  place.hidden = !message;
}

// Calls a function when nothing has happened for a while.
export function settled(milliseconds, action) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}
