// Colours of papers and the legend that explains them.
import { type Community, nameOf, type Overlay, type Points, type Theme } from "./data";
import type { Choice } from "./state";

const MISSING = 255;
const OPACITY = 0.85;
const FAINT = 0.3;

export interface Entry {
  // what `only` holds; of a level of communities, its row
  key: number;
  text: string;
  color: string;
  papers: number;
  community?: Community;
}

export interface Legend {
  title: string;
  // "darker: more importance received"
  hint: string;
  entries: Entry[];
}

export const findOverlay = (points: Points, color: string): Overlay | undefined =>
  points.header.overlays.find((overlay) => overlay.name === color);

export function titleOf(points: Points, color: string): string {
  const overlay = findOverlay(points, color);
  if (!overlay) return points.header.levels.length > 1 ? `community (${color})` : "community";
  return overlay.of === "topics" ? `${overlay.title} of the community` : overlay.title;
}

export function makeLegend(points: Points, color: string, theme: Theme): Legend {
  const overlay = findOverlay(points, color);
  const title = titleOf(points, color);
  const nothing = points.header.nothing[theme];
  if (!overlay) {
    const { communities } = points.level(color);
    const papers = countRows(points.members(color), communities.length);
    const entries = communities.map((community, key) => ({
      key, text: nameOf(community), papers: papers[key] ?? 0, community,
      color: community.colour === null ? nothing : readable(points.header.palette[community.colour]!, theme),
    }));
    const hint = "A colour only separates a community from its neighbours; it is used again elsewhere.";
    return { title, hint, entries: entries.filter((entry) => entry.papers > 0) };
  }
  const codes = points.codes(color);
  const counts = countRows(codes, MISSING + 1);
  const sum = (from: number, to: number) => counts.slice(from, to + 1).reduce((a, b) => a + b, 0);
  const ramp = findRamp(points, overlay, theme);
  const entries: Entry[] = overlay.categories.length
    ? overlay.categories.map(([text, own], key) => ({ key, text, color: readable(own, theme), papers: counts[key] ?? 0 }))
    : overlay.classes.map(([from, to, text], key) => ({
        key, text, color: ramp[Math.round((from + to) / 2)]!, papers: sum(from, to),
      }));
  if (counts[MISSING]) entries.push({ key: MISSING, text: overlay.nothing, color: nothing, papers: counts[MISSING]! });
  const isDarker = theme === "light" ? "darker" : "lighter";
  const hint = overlay.categories.length ? "The colour of a paper is that of its community." : `${isDarker}: ${overlay.more}`;
  return { title, hint, entries: entries.filter((entry) => entry.papers > 0) };
}

function countRows(rows: ArrayLike<number>, size: number): number[] {
  const counts = new Array<number>(size).fill(0);
  for (let k = 0; k < rows.length; k++) if (rows[k]! >= 0) counts[rows[k]!]!++;
  return counts;
}

const findRamp = (points: Points, overlay: Overlay, theme: Theme): string[] =>
  points.header.ramps[overlay.kind === "density" ? "density" : "values"][theme];

// Whether each paper passes legend and years.
export function findShown(points: Points, { color, only, years }: Choice): Uint8Array {
  const shown = new Uint8Array(points.count).fill(1);
  const overlay = findOverlay(points, color);
  if (only.length && overlay) {
    const codes = points.codes(color);
    const allowed = new Uint8Array(MISSING + 1);
    for (const key of only) {
      const [from, to] = overlay.categories.length || key === MISSING ? [key, key] : (overlay.classes[key] ?? [1, 0]);
      allowed.fill(1, from, to + 1);
    }
    for (let k = 0; k < shown.length; k++) shown[k] = allowed[codes[k]!]!;
  }
  if (years) {
    for (let k = 0; k < shown.length; k++) if (points.year[k]! < years[0] || points.year[k]! > years[1]) shown[k] = 0;
  }
  return shown;
}

// (papers, 4) red, green, blue and opacity. If some are highlighted, the others are faint.
export function colorPoints(
  points: Points, color: string, theme: Theme, shown: Uint8Array, highlighted: Uint8Array | null,
): Float32Array {
  const overlay = findOverlay(points, color);
  const rows: ArrayLike<number> = overlay ? points.codes(color) : points.members(color);
  const nothing = toRgb(points.header.nothing[theme]);
  const named = overlay
    ? overlay.categories.length ? overlay.categories.map(([, own]) => readable(own, theme)) : findRamp(points, overlay, theme)
    : points.level(color).communities.map(({ colour }) => (colour === null ? "" : readable(points.header.palette[colour]!, theme)));
  const table = named.map((own) => (own ? toRgb(own) : nothing));
  const colors = new Float32Array(4 * points.count);
  for (let k = 0; k < points.count; k++) {
    const isFaint = highlighted !== null && !highlighted[k];
    const [red, green, blue] = isFaint ? nothing : (table[rows[k]!] ?? nothing);
    colors[4 * k] = red;
    colors[4 * k + 1] = green;
    colors[4 * k + 2] = blue;
    colors[4 * k + 3] = shown[k] ? (isFaint ? FAINT : OPACITY) : 0;
  }
  return colors;
}

const PALEST = 0.17;

// A dark color is lightened on a dark ground.
function readable(color: string, theme: Theme): string {
  if (theme === "light") return color;
  let rgb = toRgb(color);
  const luminance = () => 0.2126 * rgb[0] ** 2.2 + 0.7152 * rgb[1] ** 2.2 + 0.0722 * rgb[2] ** 2.2;
  while (luminance() < PALEST) rgb = rgb.map((part) => part + 0.08 * (1 - part)) as [number, number, number];
  return `#${rgb.map((part) => Math.round(255 * part).toString(16).padStart(2, "0")).join("")}`;
}

export function toRgb(color: string): [number, number, number] {
  const number = parseInt(color.slice(1, 7), 16);
  return [(number >> 16) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}
