// Light, dark, or as the system has it.
import { at } from "./page.js";

const choices = ["system", "light", "dark"];

export function theme(redraw) {
  const button = at("theme");
  const apply = (choice) => {
    if (choice === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
    button.textContent = `Theme: ${choice}`;
    redraw();
  };
  const stored = () => {
    const choice = localStorage.getItem("hemiola-theme");
    return choices.includes(choice) ? choice : "system";
  };
  button.onclick = () => {
    const next = choices[(choices.indexOf(stored()) + 1) % choices.length];
    localStorage.setItem("hemiola-theme", next);
    apply(next);
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  apply(stored());
}
