// Plays a recorded figure on a canvas, in the colors of the theme.

const family = "'DejaVu Sans', Verdana, 'Bitstream Vera Sans', sans-serif";

const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

// Dark paper.
const night = [27, 31, 35];

// On dark paper grays change places and colors become lighter, as lines must be seen; areas keep the colors of their scale.
function ink([red, green, blue, opacity], dark, isArea) {
  if (dark) {
    const gray = Math.max(red, green, blue) - Math.min(red, green, blue) < 12;
    const dimmed = (value, k) => Math.round(230 - value * (230 - night[k]) / 255);
    const lighter = (value) => Math.round(value + (255 - value) * 0.42);
    const changed = gray ? dimmed : isArea ? (value) => value : lighter;
    [red, green, blue] = [red, green, blue].map(changed);
  }
  return `rgb(${red} ${green} ${blue} / ${opacity})`;
}

function trace(context, points, closed) {
  context.beginPath();
  for (let k = 0; k < points.length; k += 2) context.lineTo(points[k], points[k + 1]);
  if (closed) context.closePath();
}

// Draws the picture as wide as the canvas is on the page, sharp on any screen.
export function play(canvas, picture) {
  const [width, height] = picture.size;
  const across = canvas.clientWidth || 600;
  const fine = Math.min(devicePixelRatio || 1, 3);
  const [columns, rows] = [Math.round(across * fine), Math.round(across * fine * height / width)];
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  canvas.style.aspectRatio = `${width} / ${height}`;
  const context = canvas.getContext("2d");
  const dark = isDark();
  const scale = columns / width;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = dark ? `rgb(${night.join(" ")})` : "white";
  context.fillRect(0, 0, columns, rows);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.lineJoin = "round";
  for (const stroke of picture.strokes) {
    if (stroke.Line) {
      const { color, width, points } = stroke.Line;
      trace(context, points, false);
      context.strokeStyle = ink(color, dark, false);
      context.lineWidth = width;
      context.stroke();
    } else if (stroke.Area) {
      const { color, points } = stroke.Area;
      trace(context, points, true);
      context.fillStyle = ink(color, dark, true);
      context.fill("evenodd");
    } else {
      const { text, size, italic, upright, at } = stroke.Text;
      context.save();
      context.translate(...at);
      if (upright) context.rotate(-Math.PI / 2);
      context.font = `${italic ? "italic " : ""}${size}px ${family}`;
      context.fillStyle = ink([0, 0, 0, 1], dark, false);
      context.fillText(text, 0, 0);
      context.restore();
    }
  }
  canvas.setAttribute("aria-label", picture.description);
}

// The width in millimeters at which letters of a figure are as large as those of the page.
export function millimeters(canvas) {
  const pixelsToPoint = 1.52;
  return Math.max(70, (canvas.clientWidth || 600) / pixelsToPoint * 25.4 / 72);
}
