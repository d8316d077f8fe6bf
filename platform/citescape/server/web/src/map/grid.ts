// Cells over the map: the point nearest to a place, and the number of points in a box.
import type { Place } from "./canvas";

const CELLS = 256;
const FINE = 512;

export class Grid {
  private readonly starts = new Uint32Array(CELLS * CELLS + 1);
  private readonly order: Uint32Array;
  // Number of points left of and above each fine cell.
  private sums = new Uint32Array((FINE + 1) * (FINE + 1));

  constructor(private readonly places: Float32Array) {
    const count = places.length / 2;
    const at = new Uint32Array(count);
    for (let k = 0; k < count; k++) {
      at[k] = cell(places[2 * k]!, CELLS) + CELLS * cell(places[2 * k + 1]!, CELLS);
      this.starts[at[k]! + 1]!++;
    }
    for (let k = 0; k < CELLS * CELLS; k++) this.starts[k + 1]! += this.starts[k]!;
    const next = this.starts.slice();
    this.order = new Uint32Array(count);
    for (let k = 0; k < count; k++) this.order[next[at[k]!]!++] = k;
  }

  // Counts the visible points for `count`.
  setVisible(isVisible: (point: number) => boolean): void {
    const wide = FINE + 1;
    const sums = new Uint32Array(wide * wide);
    for (let k = 0; k < this.order.length; k++) {
      if (!isVisible(k)) continue;
      const [x, y] = [cell(this.places[2 * k]!, FINE), cell(this.places[2 * k + 1]!, FINE)];
      sums[(y + 1) * wide + x + 1]!++;
    }
    for (let y = 1; y < wide; y++) {
      let row = 0;
      for (let x = 1; x < wide; x++) {
        row += sums[y * wide + x]!;
        sums[y * wide + x] = row + sums[(y - 1) * wide + x]!;
      }
    }
    this.sums = sums;
  }

  // About how many visible points are in a box; exact to a cell.
  count(left: number, top: number, right: number, bottom: number): number {
    const wide = FINE + 1;
    const [l, r] = [cell(left, FINE), cell(right, FINE) + 1];
    const [t, b] = [cell(top, FINE) * wide, (cell(bottom, FINE) + 1) * wide];
    return this.sums[b + r]! - this.sums[b + l]! - this.sums[t + r]! + this.sums[t + l]!;
  }

  // The visible point nearest to a place within reach, -1 for none.
  nearest([x, y]: Place, reach: number, isVisible: (point: number) => boolean): number {
    let [best, least] = [-1, reach * reach];
    for (let row = cell(y - reach, CELLS); row <= cell(y + reach, CELLS); row++) {
      const line = row * CELLS;
      const last = this.starts[line + cell(x + reach, CELLS) + 1]!;
      for (let k = this.starts[line + cell(x - reach, CELLS)]!; k < last; k++) {
        const point = this.order[k]!;
        const away = (this.places[2 * point]! - x) ** 2 + (this.places[2 * point + 1]! - y) ** 2;
        if (away < least && isVisible(point)) [best, least] = [point, away];
      }
    }
    return best;
  }
}

const cell = (value: number, cells: number): number =>
  Math.max(0, Math.min(cells - 1, Math.floor(value * cells)));
