// What is mapped: slices of the space of Z, with the parameters that each has.

// A slider: its key in the address, its sign, range, usual value, and whether it is logarithmic.
const kappa = { key: "kappa", label: "κ = z_ff / z_ss", low: 0.1, high: 100, usual: 5, log: true };
const g = { key: "g", label: "g = z_sf z_fs / (z_ss z_ff)", low: -1, high: 1, usual: 0.04 };
const gamma = { key: "gamma", label: "γ, the largest √|g|", low: 0, high: 0.95, usual: 0.2 };
const zeta = { key: "zeta", label: "ζ, the damping ratio", low: 0, high: 0.95, usual: 0.05 };
const omega = { key: "omega", label: "ω = |z_ss|", low: 0.05, high: 20, usual: 1, log: true };
const least = { key: "least", label: "κ from", low: 0.1, high: 100, usual: 0.5, log: true };
const largest = { key: "largest", label: "κ to", low: 0.1, high: 100, usual: 3, log: true };

// z = ω(−ζ + i√(1 − ζ²)) as text.
function oscillation({ omega, zeta }) {
  const [x, y] = [-omega * zeta, omega * Math.sqrt(1 - zeta * zeta)].map((part) => Number(part.toPrecision(12)));
  return `${x}+${y}i`;
}

export const slices = {
  partitions: { name: "each partition alone", parameters: [], text: () => "partitions", complex: true },
  coupled: { name: "coupled, plane of z_ss", parameters: [kappa, g], text: (at) => `coupled:kappa=${at.kappa},g=${at.g}`, complex: true },
  robust: {
    name: "all couplings, plane of z_ss",
    parameters: [least, largest, gamma],
    text: (at) => `robust:kappa=${Math.min(at.least, at.largest)}..${Math.max(at.least, at.largest)},gamma=${at.gamma}`,
    complex: true,
  },
  "kappa-gamma": { name: "κ against γ", parameters: [zeta, omega], text: (at) => `kappa-gamma:z=${oscillation(at)}` },
  "damping-frequency": { name: "ζ against ω", parameters: [kappa, g], text: (at) => `damping-frequency:kappa=${at.kappa},g=${at.g}` },
  profile: { name: "coupled profile", parameters: [zeta], text: (at) => `profile:zeta=${at.zeta}`, slow: true },
};

export const shows = [
  ["region", "where it is stable"], ["modulus", "|R| or ρ(S)"], ["eigenvalues", "both eigenvalues"], ["order-star", "order star"],
  ["growth", "growth against eᶻ"], ["error", "error"], ["internal", "stages"], ["embedded", "embedded method"],
];
