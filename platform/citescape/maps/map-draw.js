// Drawing: dots of papers pixel by pixel, circles of topics, labels that do not cover each other.

// A disc with a soft edge: offsets from its middle and how much of each pixel it covers, 0 to 256.
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

function mixColours(one, other, share) {
  return one.map((part, k) => part + (other[k] - part) * share);
}

// Papers as dots. `rows` gives each the row of its colour, `sizes` of its stamp.
class Dots {
  constructor(canvas, places, sizes) {
    Object.assign(this, { canvas, places, sizes, context: canvas.getContext("2d", { alpha: false }) });
  }

  // `view` turns places into pixels of the device: x * scale + left, y * scale + top.
  // With `lit`, papers for which it is false are drawn first, in the colours of `faint`.
  draw(view, { rows, table, stamps, ground, opacity, lit, faint }) {
    const [width, height] = [this.canvas.width, this.canvas.height];
    if (!this.image || this.image.width !== width || this.image.height !== height) {
      this.image = this.context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.pixels.fill(packed(ground));
    if (lit) this.stampAll(view, rows, faint, stamps, 0.6, (k) => !lit(k));
    this.stampAll(view, rows, table, stamps, opacity, lit);
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

// Labels, the most important first, each where it covers none before it, or not at all.
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

  // True if there was room. The text is in the middle of (x, y), or beside it.
  draw(text, x, y, { font, size, colour, ground, beside = 0, force = false }) {
    const lines = this.lines(text);
    const width = Math.max(...lines.map((line) => this.width(line, font)));
    const height = lines.length * size * 1.12;
    for (const [mx, my] of beside ? besides(x, y, width, height, beside) : [[x, y]]) {
      const box = [mx - width / 2 - 4, my - height / 2 - 2, mx + width / 2 + 4, my + height / 2 + 2];
      if (!force && this.boxes.some((other) => meet(box, other))) continue;
      this.boxes.push(box);
      this.write(lines, mx, my, { font, size, colour, ground });
      return true;
    }
    return false;
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

  // Two lines at most, of some 22 letters.
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

function besides(x, y, width, height, away) {
  return [
    [x, y - away - height / 2], [x, y + away + height / 2],
    [x + away + width / 2, y], [x - away - width / 2, y],
  ];
}

function meet(one, other) {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}

function shorten(text, most) {
  const letters = [...text];
  return letters.length > most ? letters.slice(0, most - 1).join("").trimEnd() + "\u2026" : text;
}
