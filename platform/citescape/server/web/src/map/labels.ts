// Labels of communities: they do not overlap, and lie where they hide few dots.
import type { Box, MapCanvas, Place } from "./canvas";
import type { Community } from "./data";
import type { Grid } from "./grid";

type Dots = Pick<Grid, "count">;

export interface Label {
  community: Community;
  lines: string[];
  // middle of the label, in pixels
  x: number;
  y: number;
  size: number;
  width: number;
  height: number;
}

export const LABEL_FONT = 'Inter, "Segoe UI", "Helvetica Neue", Arial, "Liberation Sans", "DejaVu Sans", sans-serif';
export const LINE = 1.14;
const LETTERS = 20;
const SMALLEST = 11;
const GROWTH = 4;
const GAP: Place = [8, 4];
const EDGE = 4;
// Pixels of the buttons in the upper right corner.
const TOOLS: Place = [330, 44];
// Labels in a window that shows the whole map, and for each doubling of the zoom.
const MOST = 18;
const MORE = 12;
// Papers of a community that is labelled on the whole map.
const FEWEST = 3;
const ACROSS = [0, -0.35, 0.35, -0.7, 0.7];
const ALONG = [0, -1, 1, -2, 2, -3, 3];
// A label moves this many times its height away to hide none of the dots below it.
const PATIENCE = 5;

const widths = new Map<string, number>();
let pen: CanvasRenderingContext2D | null = null;

function measure(line: string, size: number): number {
  const key = `${size} ${line}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  pen ??= document.createElement("canvas").getContext("2d");
  let width = 0.55 * size * line.length;
  if (pen) {
    pen.font = `600 ${size}px ${LABEL_FONT}`;
    width = pen.measureText(line).width;
  }
  widths.set(key, width);
  return width;
}

export function placeLabels(
  communities: Community[], canvas: MapCanvas, grid: Dots, least: number, first: string,
): Label[] {
  const { zoom } = canvas.camera;
  const most = MOST + MORE * Math.max(Math.log2(zoom), 0);
  const largest = Math.sqrt(communities[0]?.size || 1);
  const ordered = [...communities].sort((a, b) => Number(b.name === first) - Number(a.name === first) || b.size - a.size);
  const taken: Box[] = [[canvas.width - TOOLS[0], 0, canvas.width, TOOLS[1]]];
  const labels: Label[] = [];
  for (const community of ordered) {
    if (labels.length >= most) break;
    const { x, y, label } = community;
    if (label === null || x === null || y === null) continue;
    if (community.name !== first && community.size * zoom ** 2 < Math.max(least, FEWEST)) continue;
    const [px, py] = canvas.toScreen([x, y]);
    if (px < 0 || py < 0 || px > canvas.width || py > canvas.height) continue;
    const size = Math.round(SMALLEST + (GROWTH * Math.sqrt(community.size)) / largest);
    const lines = wrap(label);
    const width = Math.max(...lines.map((line) => measure(line, size)));
    const height = lines.length * size * LINE;
    const place = findRoom([px, py], width, height, { canvas, grid, taken });
    if (!place) continue;
    taken.push(boxAround(place, width + GAP[0], height + GAP[1]));
    labels.push({ community, lines, x: place[0], y: place[1], size, width, height });
  }
  return labels;
}

const boxAround = ([x, y]: Place, width: number, height: number): Box => [
  x - width / 2, y - height / 2, x + width / 2, y + height / 2,
];

interface Room {
  canvas: MapCanvas;
  grid: Dots;
  taken: Box[];
}

// The free place with the fewest dots below, near the middle of the community.
function findRoom([px, py]: Place, width: number, height: number, { canvas, grid, taken }: Room): Place | null {
  let [best, least]: [Place | null, number] = [null, Infinity];
  const dots = (box: Box) => grid.count(...canvas.toMap([box[0], box[1]]), ...canvas.toMap([box[2], box[3]]));
  const middle = dots(boxAround([px, py], width, height));
  for (const down of ALONG) {
    for (const right of ACROSS) {
      const place: Place = [within(px + right * width, width, canvas.width), within(py + down * height, height, canvas.height)];
      const wide = boxAround(place, width + GAP[0], height + GAP[1]);
      if (taken.some((other) => overlap(wide, other))) continue;
      const away = Math.hypot(place[0] - px, place[1] - py) / (PATIENCE * height);
      const cost = dots(boxAround(place, width, height)) / (middle + 1) + away;
      if (cost < least) [best, least] = [place, cost];
    }
  }
  return best;
}

const within = (middle: number, extent: number, window: number): number =>
  Math.max(extent / 2 + EDGE, Math.min(window - extent / 2 - EDGE, middle));

const overlap = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// At most two lines of some 20 letters.
function wrap(text: string): string[] {
  const words = text.split(/\s+/).filter(Boolean);
  let line = "";
  for (let k = 0; k < words.length; k++) {
    if (line && line.length + words[k]!.length >= LETTERS) return [line, shorten(words.slice(k).join(" "), 28)];
    line = line ? `${line} ${words[k]}` : words[k]!;
  }
  return [shorten(line, 36)];
}

export function shorten(text: string, most: number): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("").trimEnd()}…` : text;
}
