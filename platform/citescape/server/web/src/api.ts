// Calls of the server: each step of a corpus by its name and settings.
import { useEffect, useState } from "preact/hooks";

import type { CitedNotice, Noted, Timing } from "./notices";

export interface Paper extends Noted {
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
  // from papers of types that do not count, such as reviews
  cited_by_others?: number;
  importance_of_others?: number | null;
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
  timing?: Timing | null;
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
  // such as `method`; missing where no intents are known
  intents?: string[] | null;
  position: number | null;
  counts_in: string[];
}

export interface Term {
  component: string;
  doc: string;
  // null for the importance of an average citation, and for missing predictors
  value: number | null;
  // null for a learned score, in which product is what the predictor adds
  weight: number | null;
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
  question: string;
  notice?: CitedNotice | null;
}

export interface Search {
  matches: number;
  papers: Paper[];
  // types of citing papers that count, and the citations of the graph by these and by other papers
  types: string[];
  counted: number;
  others: number;
}

export interface Community {
  name: string;
  label: string | null;
  field: string | null;
  terms: string[] | null;
  papers: number;
  mean_year: number | null;
  diversity: number | null;
  part_of: string | null;
  references: number;
  cited_by: number;
  received: number;
  self_share: number | null;
  self_importance_share: number | null;
}

export interface CommunityTable {
  run: string;
  level: string;
  levels: string[];
  communities: Community[];
  whole: { self_share: number | null; self_importance_share: number | null };
  weights: Record<string, number>;
}

export interface CitedWork extends Paper {
  citations: number;
  self_importance: number;
  rank: number;
  rank_without_self: number;
}

export interface CommunityDetails extends Community {
  run: string;
  level: string;
  years: { year: number; papers: number }[];
  subjects: { subject: string; papers: number }[];
  // number of all works that it cites
  works_total?: number | null;
  works: CitedWork[];
  members: Paper[];
  parts: Community[];
}

export interface Status {
  labels: Record<string, number>;
  relationships: Record<string, number>;
  runs: { id: string; command: string; current: boolean }[];
  notices: { notice: string; works: number; citations: number; before: number; after: number }[];
}

export interface GraphState {
  store: string;
  // ISO time of the snapshot; null for a server
  taken: string | null;
  changed: boolean;
  gone: boolean;
  // latest line of the step that runs now
  progress: string;
}

interface Methods {
  find: { settings: { text: string; limit?: number; notice?: string }; result: Search };
  neighbours: {
    settings: { papers: string[]; limit?: number; direction?: string };
    result: Neighbourhood;
  };
  communities: { settings: { level?: string }; result: CommunityTable };
  community: { settings: { name: string; limit?: number }; result: CommunityDetails };
  recommend: { settings: Record<string, string | number>; result: any };
  status: { settings: Record<string, never>; result: Status };
  explain: { settings: { citing: string; cited: string }; result: Explanation };
}

// The error message of the server, a full sentence for the page, and what else its answer has.
export class ServerError extends Error {
  constructor(message: string, readonly details: Record<string, unknown> = {}) {
    super(message);
  }
}

export async function call<Name extends keyof Methods>(
  name: Name,
  settings: Methods[Name]["settings"],
  signal?: AbortSignal,
): Promise<Methods[Name]["result"]> {
  return post(`/api/${name}`, settings, signal);
}

export const readState = async (): Promise<GraphState> => readJson(await request("/api/state"));

export const refresh = (): Promise<GraphState> => post("/api/refresh", {});

const SILENT = "The explorer does not answer: start `platform serve` again.";

export async function post<Result>(address: string, body: unknown, signal?: AbortSignal): Promise<Result> {
  const response = await request(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Citescape": "1" },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  return readJson(response);
}

// A call of the server that succeeded; what went wrong is a `ServerError`, or an abort.
export async function request(address: string, options: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ServerError(SILENT);
  }
  if (response.status === 401) {
    throw new ServerError("The session has ended: open the address that `platform serve` printed.");
  }
  if (response.ok) return response;
  const { error, ...details } = await readJson<{ error?: string }>(response);
  throw new ServerError(error ?? `The explorer answered with status ${response.status} and no message.`, details);
}

export async function readJson<Result>(response: Response): Promise<Result> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new ServerError(
        `The explorer answered with status ${response.status} and text that is no JSON: the messages of \`platform serve\` say why.`,
      );
    }
    if (error instanceof DOMException) throw error; // aborted
    throw new ServerError(SILENT);
  }
}

// The answer of a step, asked again when the settings change.
export function useStep<Name extends keyof Methods>(
  name: Name,
  settings: Methods[Name]["settings"] | null,
): { found: Methods[Name]["result"] | null; message: string } {
  const [found, setFound] = useState<Methods[Name]["result"] | null>(null);
  const [message, setMessage] = useState("");
  const key = JSON.stringify(settings);
  useEffect(() => {
    setMessage("");
    if (settings === null) return setFound(null);
    const now = new AbortController();
    call(name, settings, now.signal)
      .then(setFound)
      .catch((error) => {
        if (!now.signal.aborted) setMessage(error instanceof ServerError ? error.message : String(error));
      });
    return () => now.abort();
  }, [name, key]);
  return { found, message };
}

export const paperAddress = (id: string): string => `/paper/${encodeURIComponent(id)}`;
export const communityAddress = (name: string): string => `/communities/${encodeURIComponent(name)}`;

// The name after the first part of the path of the page; null if its escapes are malformed.
export function readPathName(): string | null {
  try {
    return decodeURIComponent(location.pathname.replace(/^\/[^/]*\/?/, ""));
  } catch {
    return null;
  }
}

export const MALFORMED =
  "The address of this page is malformed: a % must be followed by two hexadecimal digits. Search above instead.";
