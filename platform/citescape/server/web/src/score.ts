// Importance with other weights: the same sum as Eq. 1 of `platform score`.
import type { Citation } from "./api";
import { SECTIONS } from "./sections";

export const COLUMNS: Record<string, keyof Citation> = {
  I: "f_I",
  M: "f_M",
  R: "f_R",
  D: "f_D",
  other: "f_other",
  S: "self",
  T: "title_similarity",
};

export const NAMES: Record<string, string> = {
  ...SECTIONS,
  S: "shared author",
  T: "similar titles",
};

export type Weights = Record<string, number>;

// Null for citations whose components are not computed yet.
export function score(citation: Citation, weights: Weights): number | null {
  let sum = 0;
  for (const [component, weight] of Object.entries(weights)) {
    const column = COLUMNS[component];
    const value = column === undefined ? null : citation[column];
    if (value === null && weight !== 0 && component !== "T") return null;
    sum += weight * Number(value ?? 0);
  }
  return sum;
}
