// Stability functions, limits and the coupled profile.
import { address } from "./address.js";
import { Engine, Latest } from "./engine.js";
import { at, complain, element, facts, table } from "./page.js";
import { subject, subjectKeys } from "./subject.js";

// A profile is a search that takes a moment: verdicts do not wait for it.
const latest = new Latest(new Engine());

export function startLimits() {
  address.follow((changed) => changed("zeta") && !changed(...subjectKeys) && limits(() => {}));
}

export function limits(then) {
  const question = { ask: "limits", subject: subject(), zeta: address.number("zeta", 0.05) };
  latest.ask(question, (found) => {
    complain("limits-error", "");
    show(found);
    then(found);
  }, (message) => complain("limits-error", message));
}

function show({ partitions, profile }) {
  const place = at("limits");
  const parts = partitions.flatMap(({ name, facts: lines, rays }) => {
    const list = element("dl", { class: "facts" });
    facts(list, lines);
    return [
      partitions.length > 1 ? element("h3", { text: name }) : null,
      list,
      rays.length ? table("Along rays z = t(−ζ + i√(1−ζ²))", [">ζ", ">Limit L", ">|R| at L/2", ">at 0.9 L", ">d|R|/dt at L"], rays) : null,
    ];
  });
  if (profile) {
    parts.push(element("h3", { text: "Coupled profile" }),
      table(`Least t*/t₀ at damping ζ = ${profile.zeta}; limits: slow ${profile.slow_limit}, fast ${profile.fast_limit}`,
        [">γ", ">Practical", ">Strict", ">Skew", ">κ", ">g"], profile.rows));
  } else if (partitions.length === 2) {
    parts.push(element("p", { class: "note", text: `No coupled profile at damping ζ = ${address.number("zeta", 0.05)}, where a limit is zero or infinite.` }));
  }
  place.replaceChildren(...parts.filter(Boolean));
}
