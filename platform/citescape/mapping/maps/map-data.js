// Data of the page: base64 of gzip of [length of the header][header, JSON][columns].

const TYPES = { u1: Uint8Array, u2: Uint16Array, i4: Int32Array, u4: Uint32Array, f4: Float32Array };

async function readData() {
  const text = atob(document.getElementById("data").textContent);
  const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(plain).arrayBuffer();
  const length = new DataView(buffer).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const first = 4 + length; // a multiple of 4
  data.columns = Object.fromEntries(
    data.columns.map(([name, type, offset, count]) => [
      name, new TYPES[type](buffer, first + offset, count),
    ]),
  );
  return data;
}

// Coordinates 0 to 1 from whole numbers, along the longer side; y points down as on screens.
function readPlaces(columns, name) {
  const [x, y] = [columns[name + "x"], columns[name + "y"]];
  const places = new Float32Array(2 * x.length);
  for (let k = 0; k < x.length; k++) {
    places[2 * k] = x[k] / 65535;
    places[2 * k + 1] = y[k] / 65535;
  }
  return places;
}

// Cells of a grid, so that the nearest point is found without a search of all points.
class Grid {
  constructor(places, cells = 256) {
    this.places = places;
    this.cells = cells;
    const count = places.length / 2;
    this.starts = new Uint32Array(cells * cells + 1);
    const at = new Uint32Array(count);
    for (let k = 0; k < count; k++) {
      at[k] = this.cell(places[2 * k]) + cells * this.cell(places[2 * k + 1]);
      this.starts[at[k] + 1]++;
    }
    for (let k = 0; k < cells * cells; k++) this.starts[k + 1] += this.starts[k];
    const next = this.starts.slice();
    this.order = new Uint32Array(count);
    for (let k = 0; k < count; k++) this.order[next[at[k]]++] = k;
  }

  cell(value) {
    return Math.max(0, Math.min(this.cells - 1, Math.floor(value * this.cells)));
  }

  // The point nearest to (x, y) within reach, -1 for none.
  nearest(x, y, reach) {
    let [best, least] = [-1, reach * reach];
    for (let row = this.cell(y - reach); row <= this.cell(y + reach); row++) {
      const line = row * this.cells;
      const last = this.starts[line + this.cell(x + reach) + 1];
      for (let k = this.starts[line + this.cell(x - reach)]; k < last; k++) {
        const point = this.order[k];
        const dx = this.places[2 * point] - x;
        const dy = this.places[2 * point + 1] - y;
        const away = dx * dx + dy * dy;
        if (away < least) [best, least] = [point, away];
      }
    }
    return best;
  }
}

// Letters without accents and case, for searching.
function fold(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
