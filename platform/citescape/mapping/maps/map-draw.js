// Drawing: dots of papers pixel by pixel, circles of topics, labels that do not cover each other.

// A disc with a soft edge: offsets from its centre and coverage of each pixel, 0 to 256.
function makeStamp(radius) {
  const reach = Math.ceil(radius + 0.5);
  const [dx, dy, cover] = [[], [], []];
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const share = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(x, y)));
      if (share > 0.02) {
        dx.push(x);
        dy.push(y);
        cover.push(Math.round(256 * share));
      }
    }
  }
  return { reach, dx: Int32Array.from(dx), dy: Int32Array.from(dy), cover: Int32Array.from(cover) };
}

function toRgb(colour) {
  const number = parseInt(colour.slice(1, 7), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function toHex(colour) {
  return "#" + colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("");
}

// Papers as dots. `rows` are the rows of their colours, `sizes` of their stamps.
class Dots {
  constructor(canvas, places, sizes) {
    Object.assign(this, { canvas, places, sizes, context: canvas.getContext("2d", { alpha: false }) });
  }

  // `view` converts positions to pixels of the device: x * scale + left, y * scale + top.
  // If `highlighted` is given, papers for which it is false are drawn first, in the colours of `faint`.
  draw(view, { rows, table, stamps, ground, opacity, highlighted, faint }) {
    const [width, height] = [this.canvas.width, this.canvas.height];
    if (!this.image || this.image.width !== width || this.image.height !== height) {
      this.image = this.context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.pixels.fill(packed(ground));
    if (highlighted) this.stampAll(view, rows, faint, stamps, 0.6, (k) => !highlighted(k));
    this.stampAll(view, rows, table, stamps, opacity, highlighted);
    this.context.putImageData(this.image, 0, 0);
  }

  stampAll(view, rows, table, stamps, opacity, wanted) {
    const [width, height] = [this.canvas.width, this.canvas.height];
    const { places, sizes, pixels } = this;
    const parts = Math.round(256 * opacity);
    for (let k = 0; k < rows.length; k++) {
      if (wanted && !wanted(k)) continue;
      const x = Math.round(places[2 * k] * view.scale + view.left);
      const y = Math.round(places[2 * k + 1] * view.scale + view.top);
      const stamp = stamps[sizes[k]];
      const { reach, dx, dy, cover } = stamp;
      if (x < -reach || y < -reach || x >= width + reach || y >= height + reach) continue;
      const at = 3 * rows[k];
      const [red, green, blue] = [table[at], table[at + 1], table[at + 2]];
      const inside = x >= reach && y >= reach && x < width - reach && y < height - reach;
      for (let p = 0; p < dx.length; p++) {
        const [px, py] = [x + dx[p], y + dy[p]];
        if (!inside && (px < 0 || py < 0 || px >= width || py >= height)) continue;
        const place = py * width + px;
        const under = pixels[place];
        const share = (cover[p] * parts) >> 8;
        const r = under & 255;
        const g = (under >> 8) & 255;
        const b = (under >> 16) & 255;
        pixels[place] = 0xff000000 | ((b + (((blue - b) * share) >> 8)) << 16)
          | ((g + (((green - g) * share) >> 8)) << 8) | (r + (((red - r) * share) >> 8));
      }
    }
  }
}

function packed([red, green, blue]) {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

const EDGE = 4; // margin of the window without labels

// Labels, the most important first; a label that would cover an earlier one is not drawn.
class Labels {
  constructor(context) {
    this.context = context;
    this.widths = new Map();
    this.clear();
  }

  clear() {
    this.boxes = [];
  }

  keepOff(left, top, right, bottom) {
    this.boxes.push([left, top, right, bottom]);
  }

  // Draws a label and returns true, or returns false without space in the window. The text is centred
  // at (x, y), or at the distance `away` from it; with `beside` it is never centred. It does not cover
  // the centre of another disc.
  draw(text, x, y, { font, size, colour, ground, beside = 0, away = 0, discs = [], force = false }) {
    const lines = this.lines(text);
    const width = Math.max(...lines.map((line) => this.width(line, font)));
    const height = lines.length * size * 1.12;
    const positions = beside ? placeBeside(x, y, width, height, beside) : [];
    if (!beside && !(away && away < 0.45 * height)) positions.push([x, y]); // a smaller circle is hidden
    if (away) positions.push(...placeBeside(x, y, width, height, away), ...placeApart(x, y, width, height, away));
    const reach = [width + away + 3 * height, 4 * height + away];
    const near = discs.filter(([, dx, dy, radius]) =>
      Math.abs(dx - x) < reach[0] + radius && Math.abs(dy - y) < reach[1] + radius);
    const apart = near.filter(([, dx, dy, radius]) => Math.hypot(dx - x, dy - y) > radius * 0.6);
    for (const [tx, ty, hasLine] of positions) {
      const [mx, my] = [within(tx, width, innerWidth), within(ty, height, innerHeight)];
      const box = [mx - width / 2, my - height / 2, mx + width / 2, my + height / 2];
      const wide = [box[0] - 6, box[1] - 2, box[2] + 6, box[3] + 2];
      const line = hasLine ? between([x, y], box) : [];
      if (!force && [wide, ...line].some((own) => this.boxes.some((other) => overlap(own, other)))) continue;
      const allowed = hasLine || (tx === x && ty === y); // otherwise only beside its own disc
      const off = (radius) => (allowed ? radius * 0.6 : radius + 3);
      if (!force && near.some(([, dx, dy, radius]) => reaches(box, dx, dy, off(radius)))) continue;
      if (line.some((at) => apart.some(([, dx, dy, radius]) => reaches(at, dx, dy, radius * 0.6)))) continue;
      this.boxes.push(wide, ...line);
      if (hasLine) this.lead([x, y], line.at(-1), colour);
      this.write(lines, mx, my, { font, size, colour, ground });
      return true;
    }
    return false;
  }

  lead([x, y], end, colour) {
    const context = this.context;
    Object.assign(context, { strokeStyle: colour, fillStyle: colour, lineWidth: 1 });
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(end[0], end[1]);
    context.stroke();
    context.beginPath();
    context.arc(x, y, 2, 0, 7);
    context.fill();
  }

  write(lines, x, y, { font, size, colour, ground }) {
    const context = this.context;
    Object.assign(context, {
      font, textAlign: "center", textBaseline: "middle", lineJoin: "round",
      lineWidth: size * 0.28, strokeStyle: ground, fillStyle: colour,
    });
    const first = y - ((lines.length - 1) * size * 1.12) / 2;
    lines.forEach((line, k) => context.strokeText(line, x, first + k * size * 1.12));
    lines.forEach((line, k) => context.fillText(line, x, first + k * size * 1.12));
  }

  width(line, font) {
    const key = font + "\n" + line;
    if (!this.widths.has(key)) {
      this.context.font = font;
      this.widths.set(key, this.context.measureText(line).width);
    }
    return this.widths.get(key);
  }

  // At most two lines, of some 22 letters.
  lines(text) {
    const words = text.split(/\s+/).filter(Boolean);
    let line = "";
    for (let k = 0; k < words.length; k++) {
      if (line && line.length + words[k].length > 21) {
        return [line, shorten(words.slice(k).join(" "), 30)];
      }
      line = line ? line + " " + words[k] : words[k];
    }
    return [shorten(line, 40)];
  }
}

function placeBeside(x, y, width, height, away) {
  return [
    [x, y - away - height / 2], [x, y + away + height / 2],
    [x + away + width / 2, y], [x - away - width / 2, y],
  ];
}

// Positions with a line, none at the height of (x, y).
function placeApart(x, y, width, height, away) {
  const positions = [];
  for (const ring of [0.6, 1.5, 2.6]) {
    for (const turn of [0.5, 1.5, 0.3, 0.7, 1.3, 1.7, 0.2, 0.8, 1.2, 1.8]) {
      const [dx, dy] = [Math.cos(turn * Math.PI), Math.sin(turn * Math.PI)];
      const out = away + ring * height;
      positions.push([x + dx * (width / 2 + out), y + dy * (height / 2 + out), true]);
    }
  }
  return positions;
}

function within(middle, extent, window) {
  return Math.max(extent / 2 + EDGE, Math.min(window - extent / 2 - EDGE, middle));
}

// A line from a point to a box, as boxes of size 0.
function between([x, y], [left, top, right, bottom]) {
  const [ex, ey] = [Math.max(left, Math.min(right, x)), Math.max(top, Math.min(bottom, y))];
  return Array.from({ length: 9 }, (_, k) => {
    const [px, py] = [x + ((ex - x) * k) / 8, y + ((ey - y) * k) / 8];
    return [px, py, px, py];
  });
}

// Whether a box is within a distance of (x, y).
function reaches([left, top, right, bottom], x, y, distance) {
  const [dx, dy] = [Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0)];
  return dx * dx + dy * dy < distance * distance;
}

function overlap(box, other) {
  return box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3];
}

function shorten(text, most) {
  const letters = [...text];
  return letters.length > most ? letters.slice(0, most - 1).join("").trimEnd() + "\u2026" : text;
}
