// The method that is looked at: of the library or pasted, with coefficients changed by hand.
import { address } from "./address.js";

export const subjectKeys = ["method", "paste", "pick", "set"];
export const usual = "rk4";

// Changes that cannot be read, while somebody types them.
let unreadable = new Set();
export const leaveOut = (names) => { unreadable = new Set(names); };

const isReadable = (change) => !unreadable.has(change.slice(0, change.indexOf("=")));

// What results are about.
export function subject() {
  const whole = wholeSubject();
  return { ...whole, set: whole.set.filter(isReadable) };
}

// The same with changes that may not be readable.
export function wholeSubject() {
  const paste = address.get("paste");
  return {
    method: paste === undefined ? address.get("method", usual) : undefined,
    paste,
    pick: address.get("pick"),
    set: address.get("set", []),
  };
}

// What files of the method are called.
let id = usual;
export const setName = (name) => { id = name; };
export const fileName = () => id;
