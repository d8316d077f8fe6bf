// What a reader chose, in the address of the page; the citations that follow from it.
import type { Citation, Neighbourhood } from "./api";
import { type Weights, score } from "./score";

export interface Choice {
  edge: string;
  min: number;
  facet: "" | "background" | "method" | "result";
  section: "" | "I" | "M" | "R" | "D" | "other";
  self: "include" | "exclude" | "only";
  weights: Weights;
}

export interface Edge {
  key: string;
  citation: Citation;
  score: number | null;
  shown: boolean;
}

const SEPARATOR = "→";

export const edgeKey = (citation: Citation): string =>
  `${citation.citing}${SEPARATOR}${citation.cited}`;

export function readChoice(given: URLSearchParams, weights: Weights): Choice {
  const chosen = given.get("w")?.split(",").map((part) => part.split(":")) ?? [];
  const own = chosen.flatMap(([name, value]) =>
    name && name in weights && Number.isFinite(Number(value)) ? [[name, Number(value)] as const] : [],
  );
  return {
    edge: given.get("edge") ?? "",
    min: Math.max(Number(given.get("min")) || 0, 0),
    facet: pick(given.get("facet"), ["", "background", "method", "result"]),
    section: pick(given.get("section"), ["", "I", "M", "R", "D", "other"]),
    self: pick(given.get("self"), ["include", "exclude", "only"]),
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
    w: changed.map(([name, value]) => `${name}:${value}`).join(","),
  };
  const text = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
  return text ? `?${text}` : "";
}

// Citations with their score under the chosen weights, the most important first.
export function rankEdges(found: Neighbourhood, choice: Choice, changed: boolean): Edge[] {
  const edges = found.citations.map((citation) => {
    const value = changed ? score(citation, choice.weights) : citation.importance;
    return { key: edgeKey(citation), citation, score: value, shown: isShown(citation, value, choice) };
  });
  const order = (edge: Edge) => edge.score ?? -1;
  return edges.sort((a, b) => order(b) - order(a) || (a.key < b.key ? -1 : 1));
}

function isShown(citation: Citation, value: number | null, choice: Choice): boolean {
  if (choice.min > 0 && (value ?? 0) < choice.min) return false;
  if (choice.facet && !citation[`n_${choice.facet}`]) return false;
  if (choice.section && !citation[`f_${choice.section}`]) return false;
  if (choice.self === "exclude" && citation.self) return false;
  return choice.self !== "only" || Boolean(citation.self);
}
