// What a reader chose, in the address of the page; the citations that follow from it.
import type { Citation, Neighbourhood } from "./api";
import { type Weights, score } from "./score";
import { type SectionName, sectionNames } from "./sections";

// Intents of citations, and what a work is cited for.
export const INTENTS = { background: "background", method: "methods", result: "results" };

export type Intent = keyof typeof INTENTS;

export const intentNames = Object.keys(INTENTS) as Intent[];

export interface Choice {
  edge: string;
  min: number;
  facet: "" | Intent;
  section: "" | SectionName;
  self: "include" | "exclude" | "only";
  // all citations, the references of the papers in the middle, or the citations that they receive
  dir: "both" | "references" | "citing";
  // years of the papers around, as FIRST-LAST; either may be missing
  years: string;
  // type of the papers around, such as review-article
  type: string;
  // what width and colour of the arrows stand for
  by: "importance" | Intent;
  weights: Weights;
}

export interface Edge {
  key: string;
  citation: Citation;
  score: number | null;
  shown: boolean;
}

const SEPARATOR = "→";

export const edgeKey = (citation: Pick<Citation, "citing" | "cited">): string =>
  `${citation.citing}${SEPARATOR}${citation.cited}`;

export function readChoice(given: URLSearchParams, weights: Weights): Choice {
  const chosen = given.get("w")?.split(",").map((part) => part.split(":")) ?? [];
  const own = chosen.flatMap(([name, value]) =>
    name && name in weights && Number.isFinite(Number(value)) ? [[name, Number(value)] as const] : [],
  );
  return {
    edge: given.get("edge") ?? "",
    min: Math.max(Number(given.get("min")) || 0, 0),
    facet: pick(given.get("facet"), ["", ...intentNames]),
    section: pick(given.get("section"), ["", ...sectionNames]),
    self: pick(given.get("self"), ["include", "exclude", "only"]),
    dir: pick(given.get("dir"), ["both", "references", "citing"]),
    years: /^\d{0,4}-\d{0,4}$/.test(given.get("years") ?? "") ? (given.get("years") as string) : "",
    type: given.get("type") ?? "",
    by: pick(given.get("by"), ["importance", ...intentNames]),
    weights: { ...weights, ...Object.fromEntries(own) },
  };
}

function pick<Value extends string>(given: string | null, values: [Value, ...Value[]]): Value {
  return values.find((value) => value === given) ?? values[0];
}

export function writeChoice(choice: Choice, weights: Weights): string {
  const changed = Object.entries(choice.weights).filter(([name, value]) => value !== weights[name]);
  const values: Record<string, string> = {
    edge: choice.edge,
    min: choice.min ? String(choice.min) : "",
    facet: choice.facet,
    section: choice.section,
    self: choice.self === "include" ? "" : choice.self,
    dir: choice.dir === "both" ? "" : choice.dir,
    years: choice.years === "-" ? "" : choice.years,
    type: choice.type,
    by: choice.by === "importance" ? "" : choice.by,
    w: changed.map(([name, value]) => `${name}:${value}`).join(","),
  };
  const text = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
  return text ? `?${text}` : "";
}

// Citations with their score under the chosen weights, the most important first.
export function rankEdges(found: Neighbourhood, choice: Choice, changed: boolean): Edge[] {
  const hidden = findHidden(found, choice);
  const seeds = new Set(found.seeds);
  const isAside = ({ citing, cited }: Citation) =>
    (choice.dir === "references" && !seeds.has(citing)) || (choice.dir === "citing" && !seeds.has(cited));
  const edges = found.citations.map((citation) => {
    const value = changed ? score(citation, choice.weights) : citation.importance;
    const shown = !hidden.has(citation.citing) && !hidden.has(citation.cited) && !isAside(citation) && isShown(citation, value, choice);
    return { key: edgeKey(citation), citation, score: value, shown };
  });
  const order = (edge: Edge) => edge.score ?? -1;
  return edges.sort((a, b) => order(b) - order(a) || (a.key < b.key ? -1 : 1));
}

// What the width of an arrow stands for: importance, or the number of mentions with an intent.
export const strengthOf = (edge: Edge, by: Choice["by"]): number | null =>
  by === "importance" ? edge.score : edge.citation[`n_${by}`];

export const findHighest = (edges: Edge[], by: Choice["by"]): number =>
  edges.reduce((most, edge) => Math.max(most, strengthOf(edge, by) ?? 0), 0);

// Types of the papers around.
export const listTypes = (found: Neighbourhood): string[] =>
  [...new Set(found.papers.flatMap(({ hops, type }) => (hops && type ? [type] : [])))].sort();

// Papers around whose year or type is not chosen; the papers in the middle are always shown.
function findHidden(found: Neighbourhood, choice: Choice): Set<string> {
  const [first, last] = choice.years.split("-").map(Number);
  const hidden = found.papers.filter(
    ({ hops, year, type }) =>
      hops !== 0 &&
      ((first && (year ?? 0) < first) || (last && (year ?? Infinity) > last) || (choice.type && type !== choice.type)),
  );
  return new Set(hidden.map(({ id }) => id));
}

function isShown(citation: Citation, value: number | null, choice: Choice): boolean {
  if (choice.min > 0 && (value ?? 0) < choice.min) return false;
  if (choice.facet && !citation[`n_${choice.facet}`]) return false;
  if (choice.section && !citation[`f_${choice.section}`]) return false;
  if (choice.self === "exclude" && citation.self !== 0) return false; // or not known
  return choice.self !== "only" || Boolean(citation.self);
}
