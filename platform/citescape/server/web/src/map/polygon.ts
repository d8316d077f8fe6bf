// Polygons that a reader draws around papers, in coordinates of the map.
import type { Place } from "./canvas";

const DECIMALS = 4;
const MOST_CORNERS = 60;

// Even-odd rule: whether a ray to the right crosses the sides an odd number of times.
export function isInside(polygon: Place[], x: number, y: number): boolean {
  let inside = false;
  for (let k = 0, before = polygon.length - 1; k < polygon.length; before = k++) {
    const [ax, ay] = polygon[k]!;
    const [bx, by] = polygon[before]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

export function findInside(polygon: Place[], places: Float32Array, isShown: (row: number) => boolean): number[] {
  const xs = polygon.map(([x]) => x);
  const ys = polygon.map(([, y]) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const rows: number[] = [];
  for (let row = 0; row < places.length / 2; row++) {
    const [x, y] = [places[2 * row]!, places[2 * row + 1]!];
    if (x < left || x > right || y < top || y > bottom || !isShown(row)) continue;
    if (isInside(polygon, x, y)) rows.push(row);
  }
  return rows;
}

// The polygon as it is kept in the address: few corners, rounded. The selection follows from this
// polygon, so that a reload selects the same papers.
export function simplify(polygon: Place[]): Place[] {
  let tolerance = 0.0005;
  let corners = polygon;
  do {
    corners = thin(polygon, tolerance);
    tolerance *= 1.6;
  } while (corners.length > MOST_CORNERS);
  return corners.map(([x, y]) => [Number(x.toFixed(DECIMALS)), Number(y.toFixed(DECIMALS))]);
}

// Douglas and Peucker (1973): drops corners that are nearer than the tolerance to the line without.
function thin(line: Place[], tolerance: number): Place[] {
  if (line.length < 4) return line;
  const [first, last] = [line[0]!, line[line.length - 1]!];
  let [farthest, distance] = [0, 0];
  for (let k = 1; k < line.length - 1; k++) {
    const away = distanceTo(line[k]!, first, last);
    if (away > distance) [farthest, distance] = [k, away];
  }
  if (distance <= tolerance) return [first, last];
  const before = thin(line.slice(0, farthest + 1), tolerance);
  return [...before.slice(0, -1), ...thin(line.slice(farthest), tolerance)];
}

function distanceTo([x, y]: Place, [ax, ay]: Place, [bx, by]: Place): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = Math.hypot(dx, dy);
  if (!length) return Math.hypot(x - ax, y - ay);
  return Math.abs(dx * (ay - y) - (ax - x) * dy) / length;
}

export const writePolygon = (polygon: Place[]): string => polygon.map((corner) => corner.join(",")).join(";");

export function readPolygon(text: string): Place[] | null {
  const corners = text.split(";").map((corner) => corner.split(",").map(Number));
  const isRight = corners.length > 2 && corners.every((corner) => corner.length === 2 && corner.every(Number.isFinite));
  return isRight ? (corners as Place[]) : null;
}
