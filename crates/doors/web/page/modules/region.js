// The region on its canvas: what is mapped, how it moves under the hand, and its files.
import { address } from "./address.js";
import { alongside, drawing, Latest } from "./engine.js";
import { entry } from "./method.js";
import { at, complain, element, settled } from "./page.js";
import { millimeters, play } from "./picture.js";
import { figureButtons } from "./save.js";
import { shows, slices } from "./slices.js";
import { slider } from "./slider.js";
import { fileName, subject } from "./subject.js";
import { handle } from "./window.js";

const latest = new Latest(drawing, alongside);
const parameterKeys = ["kappa", "g", "gamma", "zeta", "omega", "least", "largest"];

// What measures of speed need.
export const frames = { count: 0, milliseconds: 0, hold: false };

let method;
// The picture that is seen, and what it is of.
let shown;
let drawn;
// Fewer cells while something moves and the machine is slow, all of them at rest.
const finest = 400;
let cells = finest;

export const redraw = () => shown && play(at("region"), shown.picture);

export function startRegion() {
  const canvas = at("region");
  handle(canvas, {
    picture: () => shown,
    isEqual: () => slices[kind()].complex,
    move: (x, y) => gently(() => address.set({ x: text(x), y: text(y) })),
    fit: () => address.set({ x: undefined, y: undefined }),
  });
  address.follow((changed) => {
    if (changed("slice", "show", "with")) controls();
    if (changed(...parameterKeys, "slice", "show", "with", "x", "y", "view")) draw();
  });
  let width;
  new ResizeObserver(settled(60, () => {
    if (canvas.clientWidth !== width) draw();
    width = canvas.clientWidth;
  })).observe(canvas);
  figureButtons(at("region-save"), () => `${fileName()}-${kind()}`, file, (message) => complain("region-error", message));
}

export function showRegion(found) {
  const isNew = method?.partitions.length !== found?.partitions.length;
  method = found;
  if (isNew) controls();
  draw();
}

const kind = () => {
  const asked = address.get("slice");
  return asked in slices ? asked : method?.partitions.length === 2 ? "coupled" : "partitions";
};

const text = ([low, high]) => `${Number(low.toPrecision(8))}..${Number(high.toPrecision(8))}`;

// The same for people.
const words = (ends) => ends.map((end) => String(Number(end.toPrecision(4))).replace("-", "−")).join(" … ");

function range(key) {
  const ends = (address.get(key) ?? "").split("..").map(Number);
  return ends.length === 2 && ends.every(Number.isFinite) && ends[0] < ends[1] ? ends : undefined;
}

const others = () => (address.get("with") ?? "").split(",").filter(Boolean);

function question() {
  const slice = slices[kind()];
  const values = Object.fromEntries(slice.parameters.map(({ key, usual }) => [key, address.number(key, usual)]));
  return {
    ask: "map", subject: subject(), with: others(), slice: slice.text(values), show: address.get("show", "region"),
    x: range("x"), y: range("y"),
  };
}

// The same file as `hemiola map` writes.
const file = async (format) => (await drawing.ask({ ...question(), format })).file;

// Frames while a hand moves something, and one with everything when it rests.
let moving = false;
const rest = settled(180, () => draw());

function gently(action) {
  moving = true;
  action();
  moving = false;
  rest();
}

function draw() {
  if (!method || at("method").hidden) return;
  const begin = performance.now();
  const isFrame = moving;
  const asking = kind();
  const asked = { ...question(), cells: isFrame ? cells : undefined, width: millimeters(at("region")), square: true };
  // A window that nobody has chosen stays while something else moves, and is fitted anew at rest.
  if (isFrame && shown && !asked.x && !asked.y && drawn === kind()) [asked.x, asked.y] = [shown.x, shown.y];
  // Colors need all values of the plane, boundaries only those nearby; a profile is a search at each point.
  if (slices[kind()].slow) asked.cells = isFrame ? 16 : 48;
  latest.ask(asked, ({ picture: found }) => {
    const taken = performance.now() - begin;
    if (isFrame && !frames.hold) adapt(taken);
    frames.count += 1;
    frames.milliseconds = taken;
    drawn = asking;
    show(found);
  }, (message) => complain("region-error", message));
}

function adapt(milliseconds) {
  if (milliseconds > 45 && cells > 120) cells = Math.round(cells * 0.8);
  else if (milliseconds < 20 && cells < finest) cells = Math.min(finest, Math.round(cells * 1.2));
}

function show(found) {
  complain("region-error", "");
  shown = found;
  play(at("region"), found.picture);
  const { areas, names, x, y } = found;
  if (areas.length) {
    const area = (value) => Number(value.toPrecision(4));
    const within = slices[kind()].complex ? `in the window Re ${words(x)}, Im ${words(y)}` : "in the window";
    at("region-note").textContent = `Area ${names.map((name, k) => `${names.length > 1 ? `${name}: ` : ""}${area(areas[k])}`).join(", ")} ${within}. Drag to move, scroll or pinch to zoom; with the keyboard: arrows, + and −, 0 to fit.`;
  } else if (!at("region-note").textContent) {
    at("region-note").textContent = "Drag to move, scroll or pinch to zoom; with the keyboard: arrows, + and −, 0 to fit.";
  }
}

function controls() {
  const choice = (label, id, options, value, chosen) => {
    const select = element("select", { id }, ...options.map(([key, name]) => element("option", { value: key, text: name, selected: key === value })));
    select.onchange = () => chosen(select.value);
    return element("p", { class: "field" }, element("label", { for: id, text: label }), select);
  };
  const now = kind();
  const slice = choice("Plane", "slice", Object.entries(slices).map(([key, { name }]) => [key, name]), now,
    (value) => address.set({ slice: value, x: undefined, y: undefined }));
  const show = choice("Shown", "show", shows, address.get("show", "region"), (value) => address.set({ show: value }));
  const sliders = slices[now].parameters.map((parameter) => slider(parameter, gently));
  at("region-controls").replaceChildren(slice, show, overlay(), ...sliders);
}

// Further methods over the same plane.
function overlay() {
  const input = element("input", { id: "with", list: "library", autocomplete: "off", spellcheck: "false", placeholder: "id of a method" });
  const add = () => {
    const id = input.value.trim();
    if (entry(id) && !others().includes(id)) address.set({ with: [...others(), id].join(",") });
  };
  input.onchange = add;
  const chip = (id) => element("button", {
    type: "button", text: `${id} ×`, "aria-label": `Remove ${id}`,
    onclick: () => address.set({ with: others().filter((other) => other !== id).join(",") }),
  });
  return element("div", { class: "field" }, element("label", { for: "with", text: "Draw over it" }), input,
    others().length ? element("div", { class: "chips" }, ...others().map(chip)) : null);
}
