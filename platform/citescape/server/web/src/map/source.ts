// Where a map comes from: the explorer, or the page itself.
import type { Points, Texts } from "./data";

export interface Found {
  // rows of papers on the map, the best first
  rows: number[];
  // matches in the whole graph; missing where there is none
  inGraph?: number;
  // why there is no answer
  error?: string;
}

export interface Source {
  run: string;
  readPoints(): Promise<ArrayBuffer>;
  readTexts(): Promise<ArrayBuffer>;
  search(text: string, points: Points, texts: Texts, signal: AbortSignal): Promise<Found>;
  // The page of a paper, if there is one.
  paperAddress?: (id: string) => string;
  communityAddress?: (name: string) => string;
  cypherAddress?: (query: string) => string;
  readAddress(): URLSearchParams;
  writeAddress(text: string): void;
}

// Titles with all words of a text, those with the most importance received first: papers are in
// ascending order.
export function searchTitles(text: string, points: Points, texts: Texts): Found {
  const words = fold(text).split(/\s+/).filter(Boolean);
  const rows: number[] = [];
  for (let row = points.count - 1; row >= 0; row--) {
    const title = fold(texts.title(row));
    if (words.every((word) => title.includes(word))) rows.push(row);
  }
  return { rows };
}

const fold = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
