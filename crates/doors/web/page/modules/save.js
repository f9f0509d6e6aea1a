// Files for the reader.
import { element } from "./page.js";

export function save(name, text, type = "text/plain") {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const kinds = [["SVG", "svg", "image/svg+xml"], ["TikZ", "tex", "application/x-tex"], ["JSON", "json", "application/json"]];

// Buttons that save a figure: `file(format)` promises its text.
export function figureButtons(place, name, file, complain) {
  const button = ([label, format, type]) => {
    const onclick = async () => {
      try {
        save(`${name()}.${format}`, await file(format), type);
        complain("");
      } catch (problem) {
        complain(problem.message);
      }
    };
    return element("button", { type: "button", text: `Save ${label}`, "data-format": format, onclick });
  };
  place.replaceChildren(...kinds.map(button));
}
