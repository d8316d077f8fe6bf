// Places of papers around seeds: cited works on the right, citing papers on the left, the most
// important ones on the inner rings. Equal input gives equal places.
import type { Neighbourhood } from "./api";
import { shortName } from "./format";

export interface Place {
  x: number;
  y: number;
  // 1 for cited works, -1 for citing papers, 0 for seeds
  side: -1 | 0 | 1;
}

const FIRST_RING = 130;
const RING_STEP = 132;
const SPACING = 21;
// Half of the arc of one side, in radians: a gap at the top and at the bottom separates the sides.
const HALF_ARC = 1.32;
const SEED_CIRCLE = 40;
const SEED_SPACING = 30;

export function placePapers(found: Neighbourhood): Map<string, Place> {
  const places = new Map<string, Place>();
  const circle = Math.max(SEED_CIRCLE, (found.seeds.length * SEED_SPACING) / (2 * Math.PI));
  const seeds = new Set(found.seeds);
  found.seeds.forEach((id, place) => {
    const angle = (2 * Math.PI * place) / found.seeds.length;
    const radius = found.seeds.length > 1 ? circle : 0;
    places.set(id, { x: radius * Math.cos(angle), y: radius * Math.sin(angle), side: 0 });
  });
  const sides: Record<-1 | 1, string[]> = { [-1]: [], 1: [] };
  const known = new Set(found.seeds);
  for (const { citing, cited } of found.citations) {
    if (seeds.has(citing) && !known.has(cited)) sides[1].push(cited);
    else if (seeds.has(cited) && !known.has(citing)) sides[-1].push(citing);
    else continue;
    known.add(citing).add(cited);
  }
  for (const paper of found.papers) {
    if (!known.has(paper.id)) sides[1].push(paper.id); // further away than one citation
  }
  for (const side of [-1, 1] as const) {
    let radius = FIRST_RING + circle - SEED_CIRCLE;
    let left = sides[side];
    while (left.length > 0) {
      const room = Math.max(Math.floor((2 * HALF_ARC * radius) / SPACING), 1);
      const ring = left.slice(0, room);
      ring.forEach((id, rank) => {
        // the most important in the middle of the ring, then in turn above and below
        const steps = Math.ceil(rank / 2) * (rank % 2 ? -1 : 1);
        const angle = (2 * HALF_ARC * steps) / Math.max(room, ring.length);
        places.set(id, { x: side * radius * Math.cos(angle), y: radius * Math.sin(angle), side });
      });
      left = left.slice(room);
      radius += RING_STEP;
    }
  }
  return places;
}

export interface Label {
  id: string;
  text: string;
}

const LETTER = 5.6;
const LINE = 12;
const GAP = 9;

// Labels that do not overlap each other or a paper, the most important papers first.
export function chooseLabels(found: Neighbourhood, places: Map<string, Place>): Label[] {
  const taken: [number, number, number, number][] = [];
  for (const { x, y } of places.values()) taken.push([x - 5, y - 5, x + 5, y + 5]);
  const labels: Label[] = [];
  for (const paper of found.papers) {
    const place = places.get(paper.id);
    if (!place) continue;
    const text = shortName(paper);
    const width = LETTER * text.length;
    const left = place.side < 0 ? place.x - GAP - width : place.side ? place.x + GAP : place.x - width / 2;
    const top = place.side ? place.y - LINE / 2 : place.y + 16;
    const box: [number, number, number, number] = [left, top, left + width, top + LINE];
    if (taken.some((other) => overlaps(box, other))) continue;
    taken.push(box);
    labels.push({ id: paper.id, text });
  }
  return labels;
}

function overlaps(a: [number, number, number, number], b: [number, number, number, number]): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}
