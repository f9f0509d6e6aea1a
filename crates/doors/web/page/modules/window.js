// The window of a figure under the hand: drag, scroll, pinch, keys.

const nearer = 0.8;

// `view` has picture(), isEqual(), move(x, y) and fit().
export function handle(canvas, view) {
  const pointers = new Map();
  let begun;

  const plot = () => view.picture()?.picture.plots[0];

  // How many units of a picture a pixel of the page is.
  const scale = () => view.picture().picture.size[0] / canvas.clientWidth;

  const ranges = () => {
    const { x, y } = view.picture();
    return { x, y };
  };

  // The point of the plane under a pointer.
  function point(event) {
    const [left, top, width, height] = plot();
    const box = canvas.getBoundingClientRect();
    const { x, y } = shownRanges();
    const across = ((event.clientX - box.left) * scale() - left) / width;
    const down = ((event.clientY - box.top) * scale() - top) / height;
    return [x[0] + across * (x[1] - x[0]), y[1] - down * (y[1] - y[0])];
  }

  // What the figure shows: more than the window where units are equal and it is flat or narrow.
  function shownRanges() {
    const [, , width, height] = plot();
    const { x, y } = ranges();
    if (!view.isEqual()) return { x, y };
    const unit = Math.max((x[1] - x[0]) / width, (y[1] - y[0]) / height);
    const wider = ([low, high], length) => {
      const middle = (low + high) / 2;
      return [middle - unit * length / 2, middle + unit * length / 2];
    };
    return { x: wider(x, width), y: wider(y, height) };
  }

  function zoom([x0, y0], factor) {
    const { x, y } = ranges();
    const about = (center) => (end) => center + (end - center) * factor;
    view.move(x.map(about(x0)), y.map(about(y0)));
  }

  canvas.addEventListener("wheel", (event) => {
    if (!plot()) return;
    event.preventDefault();
    zoom(point(event), Math.exp(Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 120) / 500));
  }, { passive: false });

  canvas.addEventListener("pointerdown", (event) => {
    if (!plot()) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
    begun = { ranges: ranges(), shown: shownRanges(), pointers: new Map(pointers) };
  });

  canvas.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId) || !begun) return;
    pointers.set(event.pointerId, event);
    const [, , width, height] = plot();
    const unit = [begun.shown.x, begun.shown.y].map(([low, high], k) => (high - low) / [width, height][k] * scale());
    const middle = (all) => ["clientX", "clientY"].map((key) => [...all.values()].reduce((sum, one) => sum + one[key], 0) / all.size);
    const [from, to] = [middle(begun.pointers), middle(pointers)];
    const moved = [-(to[0] - from[0]) * unit[0], (to[1] - from[1]) * unit[1]];
    let factor = 1;
    if (pointers.size === 2 && begun.pointers.size === 2) {
      const apart = (all) => {
        const [a, b] = [...all.values()];
        return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      };
      factor = apart(begun.pointers) / Math.max(apart(pointers), 1);
    }
    const next = ([low, high], by) => {
      const [center, half] = [(low + high) / 2 + by, (high - low) / 2 * factor];
      return [center - half, center + half];
    };
    view.move(next(begun.ranges.x, moved[0]), next(begun.ranges.y, moved[1]));
  });

  const ended = (event) => {
    pointers.delete(event.pointerId);
    begun = pointers.size ? { ranges: ranges(), shown: shownRanges(), pointers: new Map(pointers) } : undefined;
  };
  canvas.addEventListener("pointerup", ended);
  canvas.addEventListener("pointercancel", ended);
  canvas.addEventListener("dblclick", () => view.fit());

  canvas.addEventListener("keydown", (event) => {
    if (!plot() || event.ctrlKey || event.metaKey || event.altKey) return;
    const { x, y } = ranges();
    const [across, up] = [(x[1] - x[0]) / 10, (y[1] - y[0]) / 10];
    const by = (dx, dy) => view.move(x.map((end) => end + dx), y.map((end) => end + dy));
    const center = [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2];
    const actions = {
      ArrowLeft: () => by(-across, 0), ArrowRight: () => by(across, 0), ArrowUp: () => by(0, up), ArrowDown: () => by(0, -up),
      "+": () => zoom(center, nearer), "=": () => zoom(center, nearer), "-": () => zoom(center, 1 / nearer), 0: () => view.fit(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
