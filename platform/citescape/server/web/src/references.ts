// Lists of references: what the server says of them, and how they travel between pages.
import { type Paper, post, ServerError } from "./api";
import type { Noted } from "./notices";

// Name of a file -> its content; an empty name for a list of identifiers.
export type Texts = Record<string, string>;

export interface Seed extends Paper {
  given: string;
}

export interface Unfound {
  key: string;
  title: string;
  year: number | null;
  near: string[];
}

export interface RelatedWork extends Noted {
  rank: number;
  id: string;
  title: string | null;
  year: number | null;
  surnames: string[] | null;
  seeds: number;
  importance: number;
  rank_importance: number | null;
  rank_count: number | null;
  difference: number | null;
  seed_ids: string[];
}

export interface RelatedSide {
  works: number;
  fewer: number;
  table: RelatedWork[];
}

export interface RelatedAnswer {
  seeds: Seed[];
  missing: Unfound[];
  min_seeds: number;
  order: "importance" | "count";
  unscored: number;
  notes: string[];
  prior: RelatedSide;
  derivative: RelatedSide;
}

export interface Sentence {
  citing: string;
  title: string | null;
  year: number | null;
  importance: number | null;
  type: string;
  section: string | null;
  intents: string[] | null;
  context: string;
}

export interface CheckedReference {
  key: string;
  file: string;
  line: number;
  title: string;
  year: number | null;
  paper: string | null;
  how: string | null;
  agreement: number | null;
  paper_title: string | null;
  paper_year: number | null;
  notice: string | null;
  notice_year: number | null;
  problems: string[];
  near: { id: string; title: string | null; year: number | null }[];
  cited_by: number | null;
  importance: number | null;
  self_share: number | null;
  I: number | null;
  M: number | null;
  R: number | null;
  D: number | null;
  other: number | null;
  background: number | null;
  method: number | null;
  result: number | null;
  cited: number | null;
  cited_I: number | null;
  cited_M: number | null;
  cited_R: number | null;
  cited_D: number | null;
  cited_other: number | null;
  use: string;
  sentences: Sentence[];
}

export interface MissingWork extends Noted {
  id: string;
  title: string | null;
  year: number | null;
  surnames: string[] | null;
  papers: number;
  share: number;
  cosine: number;
  importance: number;
  cited_by: number;
  beside: string[];
  why: string;
}

export interface CheckAnswer {
  counts: Record<string, number>;
  references: CheckedReference[];
  missing: MissingWork[];
  candidates: number;
  near_papers: number;
  overlap: number;
  support: number;
  sections: boolean;
  intents: boolean;
  notes: string[];
}

export interface SimilarAnswer {
  paper: { id: string; title: string };
  text: string;
  run: string;
  papers: (Noted & {
    id: string;
    title: string;
    year: number | null;
    similarity: number;
    cites: boolean;
    importance: number | null;
    cited_by: boolean;
    cited_by_importance: number | null;
    text: string;
  })[];
}

// A little less than the server takes with such a call, `LARGEST` in calls.py: line ends are escaped.
export const LARGEST_BYTES = 45 * 2 ** 20;

export async function ask<Answer>(step: string, settings: Record<string, unknown> & { texts?: Texts }, signal?: AbortSignal): Promise<Answer> {
  const size = new Blob(Object.values(settings.texts ?? {})).size;
  if (size > LARGEST_BYTES) {
    throw new ServerError(
      `The files have ${Math.ceil(size / 2 ** 20)} MB; a page sends at most ${LARGEST_BYTES / 2 ** 20} MB. ` +
        `Use the command line: platform ${step} FILE.`,
    );
  }
  return post<Answer>(`/api/${step}`, settings, signal);
}

const LONGEST_ADDRESS = 6000;
// Browsers keep about five million characters per tab.
const LONGEST_KEPT = 4_000_000;
const KEPT = "references";

// Opens a page with a list: in its address if it is a short list of identifiers, else through this tab.
export function openPage(path: string, texts: Texts): void {
  const address = addressOf(path, texts);
  if (address) {
    location.href = address;
    return;
  }
  const kept = JSON.stringify(texts);
  if (kept.length > LONGEST_KEPT) {
    throw new ServerError(`The files are too long to be carried to another page: open ${path} and drop them there.`);
  }
  sessionStorage.setItem(KEPT, kept);
  location.href = path;
}

export function addressOf(path: string, texts: Texts): string | null {
  const ids = texts[""];
  if (ids === undefined || Object.keys(texts).length > 1) return null;
  const address = `${path}?${new URLSearchParams({ ids: ids.trim() })}`;
  return address.length <= LONGEST_ADDRESS ? address : null;
}

// The list of the address, or the one that another page of this tab has left.
export function readTexts(): Texts | null {
  const ids = new URLSearchParams(location.search).get("ids");
  if (ids) return { "": ids };
  try {
    const kept = sessionStorage.getItem(KEPT);
    return kept ? JSON.parse(kept) : null;
  } catch {
    return null;
  }
}

export function keepTexts(texts: Texts): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(texts));
  } catch {
    sessionStorage.removeItem(KEPT); // too long: a reload begins anew
  }
}

export const describe = (error: unknown): string => (error instanceof Error ? error.message : "No answer.");
