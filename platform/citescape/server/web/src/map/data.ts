// The files of a map: [length of the header][header, JSON][columns].

import type { Noted, NoticeState } from "../notices";
import type { Box } from "./canvas";

export interface Community {
  name: string;
  label: string | null;
  size: number;
  x: number | null;
  y: number | null;
  // row of the palette
  colour: number | null;
  field?: string | null;
  mean_year?: number | null;
  diversity?: number | null;
  importance?: number | null;
  terms?: string[];
}

export interface Level {
  name: string;
  communities: Community[];
}

export interface Overlay {
  name: string;
  of: "topics" | "papers";
  kind: "values" | "categories" | "density";
  title: string;
  unit: string;
  more: string;
  categories: [string, string][];
  // first and last code, and the values in words
  classes: [number, number, string][];
  nothing: string;
  missing: boolean;
}

export type Theme = "light" | "dark";

interface Header {
  run: string;
  papers: number;
  of: number;
  weight: string;
  how: string[];
  nothing: Record<Theme, string>;
  ramps: Record<"values" | "density", Record<Theme, string[]>>;
  palette: string[];
  level: string;
  least: number;
  levels: Level[];
  overlays: Overlay[];
  left_out: { title: string; reason: string }[];
}

type Column = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array;

const TYPES = { u1: Uint8Array, u2: Uint16Array, i4: Int32Array, u4: Uint32Array, f4: Float32Array };

function unpack(buffer: ArrayBuffer): { header: unknown; columns: Map<string, Column> } {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const listed = header.columns as [string, keyof typeof TYPES, number, number][];
  const columns = listed.map(([name, type, start, count]): [string, Column] => [
    name, new TYPES[type](buffer, 4 + length + start, count),
  ]);
  return { header, columns: new Map(columns) };
}

export class Points {
  readonly header: Header;
  readonly count: number;
  readonly places: Float32Array;
  readonly received: Float32Array;
  readonly cited: Uint32Array;
  readonly year: Uint16Array;
  readonly size: Uint8Array;
  // around all papers
  readonly box: Box;
  // first and last year that is known
  readonly years: [number, number];
  private readonly columns: Map<string, Column>;

  constructor(buffer: ArrayBuffer) {
    const { header, columns } = unpack(buffer);
    this.header = header as Header;
    this.columns = columns;
    this.count = this.header.papers;
    this.places = columns.get("places") as Float32Array;
    this.received = columns.get("received") as Float32Array;
    this.cited = columns.get("cited") as Uint32Array;
    this.year = columns.get("year") as Uint16Array;
    this.size = columns.get("size") as Uint8Array;
    let [first, last] = [Infinity, -Infinity];
    for (const year of this.year) {
      if (!year) continue;
      first = Math.min(first, year);
      last = Math.max(last, year);
    }
    this.years = [first, last];
    let [left, top, right, bottom] = [1, 1, 0, 0];
    for (let k = 0; k < this.places.length; k += 2) {
      const [x, y] = [this.places[k]!, this.places[k + 1]!];
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    this.box = [left, top, right, bottom];
  }

  codes(overlay: string): Uint8Array {
    return this.columns.get(`overlay_${overlay}`) as Uint8Array;
  }

  members(level: string): Int32Array {
    return this.columns.get(`level_${level}`) as Int32Array;
  }

  level(name: string): Level {
    return this.header.levels.find((level) => level.name === name) ?? this.header.levels[0]!;
  }

  // The community of a paper at a level.
  community(row: number, level = this.header.level): Community | undefined {
    return this.level(level).communities[this.members(level)[row] ?? -1];
  }
}

export const nameOf = (community: Community): string =>
  community.label ?? `unnamed, ${community.size.toLocaleString("en")} ${community.size === 1 ? "paper" : "papers"}`;

export class Texts {
  private readonly columns: Map<string, Column>;
  // row of a paper -> its notice
  private readonly notices: Map<number, Noted>;
  private readonly decoder = new TextDecoder();
  private rows: Map<string, number> | null = null;

  constructor(buffer: ArrayBuffer) {
    const { header, columns } = unpack(buffer);
    this.columns = columns;
    const { notices } = header as { notices: [number, NoticeState, number | null][] };
    this.notices = new Map(notices.map(([row, notice, year]) => [row, { notice, notice_year: year }]));
  }

  get count(): number {
    return this.columns.get("id_ends")!.length - 1;
  }

  get(name: "id" | "title" | "venue", row: number): string {
    const ends = this.columns.get(`${name}_ends`)!;
    return this.decoder.decode((this.columns.get(name) as Uint8Array).subarray(ends[row], ends[row + 1]));
  }

  title(row: number): string {
    return this.get("title", row) || this.get("id", row);
  }

  notice(row: number): Noted | undefined {
    return this.notices.get(row);
  }

  row(id: string): number {
    this.rows ??= new Map(Array.from({ length: this.count }, (_, row) => [this.get("id", row), row]));
    return this.rows.get(id) ?? -1;
  }
}
