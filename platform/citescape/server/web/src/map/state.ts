// What a reader chose, in the address of the page.
import type { Camera, Place } from "./canvas";
import type { Points } from "./data";
import { readPolygon, writePolygon } from "./polygon";

export type Selection = { polygon: Place[] } | { community: string } | null;

export interface Choice {
  // a level of communities, or an overlay
  color: string;
  // entries of the legend that are shown; empty for all
  only: number[];
  selection: Selection;
  q: string;
  years: [number, number] | null;
}

export const FIRST_LEVEL = "meso";

// The order in which a reader is offered the levels: the first is the default.
export function orderLevels(points: Points): string[] {
  const names = points.header.levels.map((level) => level.name);
  const first = names.includes(FIRST_LEVEL) ? FIRST_LEVEL : points.header.level;
  return [first, ...names.filter((name) => name !== first)];
}

export function readChoice(given: URLSearchParams, points: Points): Choice {
  const levels = orderLevels(points);
  const known = [...levels, ...points.header.overlays.map((overlay) => overlay.name)];
  const color = known.find((name) => name === given.get("color")) ?? levels[0]!;
  return {
    color,
    only: (given.get("only") ?? "").split(",").filter(Boolean).map(Number).filter(Number.isInteger),
    selection: readSelection(given.get("sel") ?? "", points),
    q: given.get("q") ?? "",
    years: readYears(given.get("year") ?? "", points),
  };
}

function readSelection(text: string, points: Points): Selection {
  const polygon = readPolygon(text);
  if (polygon) return { polygon };
  const isKnown = points.header.levels.some((level) => level.communities.some(({ name }) => name === text));
  return isKnown ? { community: text } : null;
}

function readYears(text: string, points: Points): [number, number] | null {
  const [from, to] = text.split("-").map(Number);
  const [first, last] = points.years;
  if (!from || !to || from > to || (from <= first && to >= last)) return null;
  return [Math.max(from, first), Math.min(to, last)];
}

export function readCamera(given: URLSearchParams): Camera | null {
  const [x, y, zoom] = (given.get("cam") ?? "").split(",").map(Number);
  return x !== undefined && y !== undefined && zoom && [x, y, zoom].every(Number.isFinite) ? { x, y, zoom } : null;
}

export function writeAddress(choice: Choice, camera: Camera | null, run: string, first: string): string {
  const { selection } = choice;
  const values: Record<string, string> = {
    run,
    color: choice.color === first ? "" : choice.color,
    cam: camera ? `${camera.x.toFixed(4)},${camera.y.toFixed(4)},${camera.zoom.toFixed(3)}` : "",
    sel: selection ? ("polygon" in selection ? writePolygon(selection.polygon) : selection.community) : "",
    q: choice.q,
    year: choice.years ? choice.years.join("-") : "",
    only: choice.only.join(","),
  };
  const text = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
  return text.replaceAll("%2C", ",").replaceAll("%3B", ";");
}
