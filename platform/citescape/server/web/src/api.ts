// Calls of the server: each step of a corpus by its name and settings.

export interface Paper {
  id: string;
  title: string | null;
  year: number | null;
  venue?: string | null;
  authors?: string;
  surnames?: string[] | null;
  type?: string | null;
  fulltext: boolean;
  hops?: number;
  cited_by?: number;
  importance?: number | null;
}

export interface Citation {
  citing: string;
  cited: string;
  importance: number | null;
  self: number | null;
  mentions: number | null;
  f_I: number | null;
  f_M: number | null;
  f_R: number | null;
  f_D: number | null;
  f_other: number | null;
  n_background: number | null;
  n_method: number | null;
  n_result: number | null;
  title_similarity: number | null;
}

export interface Neighbourhood {
  seeds: string[];
  neighbours: number;
  edges: number;
  weights: Record<string, number>;
  run: string | null;
  papers: Paper[];
  citations: Citation[];
}

export interface Mention {
  section: string;
  type: string;
  context: string;
  position: number | null;
  counts_in: string[];
}

export interface Term {
  component: string;
  doc: string;
  value: number;
  weight: number;
  product: number;
}

export interface Explanation {
  citing: { id: string; title: string };
  cited: { id: string; title: string };
  score: number | null;
  terms: Term[];
  occurrences: Mention[];
  shared_authors: string[];
  run: string | null;
  notes: string[];
}

export interface Search {
  matches: number;
  papers: Paper[];
}

interface Methods {
  find: { settings: { text: string; limit?: number }; result: Search };
  neighbours: {
    settings: { papers: string[]; limit?: number; direction?: string };
    result: Neighbourhood;
  };
  explain: { settings: { citing: string; cited: string }; result: Explanation };
}

// The error message of the server, a full sentence for the page.
export class ServerError extends Error {}

export async function call<Name extends keyof Methods>(
  name: Name,
  settings: Methods[Name]["settings"],
  signal?: AbortSignal,
): Promise<Methods[Name]["result"]> {
  const response = await fetch(`/api/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Citescape": "1" },
    body: JSON.stringify(settings),
    signal: signal ?? null,
  });
  const answer = await response.json();
  if (!response.ok) throw new ServerError(answer.error);
  return answer;
}

export const paperAddress = (id: string): string => `/paper/${encodeURIComponent(id)}`;
