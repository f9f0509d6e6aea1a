// The state of the page, which is its address: #method=rk4&slice=coupled:…

const several = new Set(["set"]);
const readable = /%(?:5B|5D|3D|2C|3A|2F|3B|40|28|29|2A|21|27)/g;

function read(text) {
  const state = {};
  for (const [key, value] of new URLSearchParams(text.replace(/^#/, ""))) {
    const name = key === "pair" ? "method" : key;
    if (several.has(name)) (state[name] ??= []).push(value);
    else state[name] = value;
  }
  return state;
}

// Only what would end a value is hidden, so that people can read addresses.
const shown = (text) => encodeURIComponent(text).replace(readable, decodeURIComponent).replace(/%20/g, "+");

function written(state) {
  const pairs = Object.entries(state).flatMap(([key, value]) => [value].flat().map((one) => [key, one]));
  return pairs.map(([key, value]) => `${shown(key).replace(/=/g, "%3D")}=${shown(value)}`).join("&");
}

// Browsers decide where a reload leads before they tell the page of it; what was typed last is also kept beside the address.
const storage = "hemiola-address";

function kept() {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation?.type === "reload" ? sessionStorage.getItem(storage) : null;
}

class Address extends EventTarget {
  #state = read(kept() ?? location.hash);
  #timer;

  constructor() {
    super();
    addEventListener("hashchange", () => {
      if (location.hash.replace(/^#/, "") === written(this.#state)) return;
      this.#state = read(location.hash);
      this.dispatchEvent(new CustomEvent("change", { detail: null }));
    });
  }

  get(key, otherwise) {
    return this.#state[key] ?? otherwise;
  }

  number(key, otherwise) {
    const value = Number(this.#state[key]);
    return this.#state[key] !== undefined && Number.isFinite(value) ? value : otherwise;
  }

  // Sets some keys, undefined removes one; listeners learn which.
  set(changes) {
    const changed = Object.keys(changes).filter((key) => String(this.#state[key]) !== String(changes[key]));
    if (changed.length === 0) return;
    for (const key of changed) {
      const value = changes[key];
      if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) delete this.#state[key];
      else this.#state[key] = Array.isArray(value) ? value : String(value);
    }
    // Browsers refuse hundreds of changes in a few seconds, as a drag would make.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write(), 200);
    this.dispatchEvent(new CustomEvent("change", { detail: new Set(changed) }));
  }

  write() {
    clearTimeout(this.#timer);
    const text = written(this.#state);
    sessionStorage.setItem(storage, text);
    history.replaceState(null, "", `#${text}`);
  }

  // Calls a listener with a test whether any of some keys has changed; all have when another address is entered.
  follow(listener) {
    this.addEventListener("change", ({ detail }) => listener((...keys) => detail === null || keys.some((key) => detail.has(key))));
  }
}

export const address = new Address();
