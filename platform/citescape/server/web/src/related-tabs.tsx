// Below the network of a paper: the nearest papers, and what they build on together.
import { useEffect, useState } from "preact/hooks";
import { paperAddress } from "./api";
import { Badge } from "./badges";
import { raise } from "./cut";
import { formatScore } from "./format";
import { ask, describe, type RelatedAnswer, type SimilarAnswer } from "./references";
import { RelatedWorks } from "./related-works";
import { DataTable } from "./table";
import "./references.css";

const NEAREST = 50;
const LIMIT = 50;
const TABS = { nearest: "Nearest papers", prior: "Prior works", derivative: "Derivative works" } as const;
export type Tab = keyof typeof TABS;
const NAMES = Object.keys(TABS) as Tab[];

// The tab of the address; at first none is open.
export const readTab = (): Tab | "" => NAMES.find((name) => location.hash === `#${name}`) ?? "";

interface Props {
  id: string;
  tab: Tab | "";
  onTab: (tab: Tab) => void;
}

export function RelatedTabs({ id, tab, onTab }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const next = NAMES[(NAMES.indexOf(tab || "nearest") + step + NAMES.length) % NAMES.length] as Tab;
    onTab(next);
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <section class="related-tabs" aria-label="Related papers">
      <div role="tablist" aria-label="Related papers" onKeyDown={onKeyDown}>
        {NAMES.map((name) => (
          <button
            key={name} id={`tab-${name}`} role="tab" aria-selected={tab === name} aria-controls="related-panel"
            tabIndex={tab === name || (!tab && name === "nearest") ? 0 : -1} onClick={() => onTab(name)}
          >{TABS[name]}</button>
        ))}
      </div>
      <div id="related-panel" role="tabpanel" aria-labelledby={`tab-${tab || "nearest"}`}>
        {tab && <Panel key={id} id={id} tab={tab} />}
      </div>
    </section>
  );
}

interface Related {
  basis: { cited: string; citing: string };
  found: RelatedAnswer;
}

function Panel({ id, tab }: { id: string; tab: Tab }) {
  const [nearest, setNearest] = useState<SimilarAnswer | null>(null);
  const [related, setRelated] = useState<Related | null>(null);
  const [message, setMessage] = useState("");
  const [isReady, setReady] = useState(false); // the nearest papers are read, or there are none
  const [limit, setLimit] = useState(LIMIT);
  useEffect(() => {
    const now = new AbortController();
    ask<SimilarAnswer>("similar", { paper: id, k: NEAREST }, now.signal)
      .then(setNearest)
      .catch((error) => !now.signal.aborted && setMessage(describe(error)))
      .finally(() => !now.signal.aborted && setReady(true));
    return () => now.abort();
  }, [id]);
  useEffect(() => {
    if (!isReady) return;
    const now = new AbortController();
    findRelated(id, nearest, limit, now.signal)
      .then(setRelated)
      .catch((error) => !now.signal.aborted && setMessage(describe(error)));
    return () => now.abort();
  }, [id, isReady, limit]);

  if (tab === "nearest") {
    if (message && !nearest) return <p class="note">{message}</p>;
    return nearest ? <Nearest found={nearest} /> : <p>Reading vectors…</p>;
  }
  if (!related) return message ? <p class="error" role="alert">{message}</p> : <p>Reading the graph…</p>;
  const onMore = raise(limit, Math.max(related.found.prior.works, related.found.derivative.works), setLimit);
  const names = new Map(related.found.seeds.map((seed) => [seed.id, seed.title ?? seed.id]));
  return tab === "prior" ? (
    <RelatedWorks
      title="Prior works" file="prior-works" side={related.found.prior} seedNames={names} order={related.found.order}
      explanation={related.basis.cited} onMore={onMore}
    />
  ) : (
    <RelatedWorks
      title="Derivative works" file="derivative-works" side={related.found.derivative} seedNames={names} order={related.found.order}
      explanation={related.basis.citing} onMore={onMore}
    />
  );
}

// Together with the nearest papers; without vectors, of the paper alone.
async function findRelated(
  id: string, near: SimilarAnswer | null, limit: number, signal: AbortSignal,
): Promise<Related> {
  const ids = [id, ...(near?.papers.map((paper) => paper.id) ?? [])];
  const basis = near
    ? { cited: `Works that at least two of these papers cite: this one and the ${ids.length - 1} nearest.`,
        citing: `Papers that cite at least two of these papers: this one and the ${ids.length - 1} nearest.` }
    : { cited: "Without vectors of the papers (`platform embed`): works that this paper cites.",
        citing: "Without vectors of the papers (`platform embed`): papers that cite this one." };
  const found = await ask<RelatedAnswer>("related", { texts: { "": ids.join("\n") }, limit }, signal);
  return { basis, found };
}

function Nearest({ found }: { found: SimilarAnswer }) {
  const mark = (exists: boolean, importance: number | null) =>
    exists ? <span class="cited">cited{importance === null ? "" : ` ${formatScore(importance)}`}</span> : "";
  return (
    <DataTable
      title="Nearest papers" file="nearest-papers" rows={found.papers}
      note={`By the cosine of their vectors (${found.run}). "cites it" has the importance of a citation by this paper.`}
      columns={[
        { name: "similarity", label: "similarity", isNumber: true, value: (paper) => paper.similarity, show: (paper) => paper.similarity.toFixed(3) },
        {
          name: "title", label: "title", value: (paper) => paper.title,
          show: (paper) => <><a href={paperAddress(paper.id)}>{paper.title || paper.id}</a> <Badge work={paper} /></>,
        },
        { name: "year", label: "year", isNumber: true, value: (paper) => paper.year },
        { name: "cites", label: "this paper cites it", isNumber: true, value: (paper) => Number(paper.cites), show: (paper) => mark(paper.cites, paper.importance) },
        { name: "cited_by", label: "it cites this paper", isNumber: true, value: (paper) => Number(paper.cited_by), show: (paper) => mark(paper.cited_by, paper.cited_by_importance) },
        { name: "id", label: "id", value: (paper) => paper.id },
      ]}
    />
  );
}
