// The page of several papers: their network, what they build on, and what builds on them.
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { call, type Neighbourhood, paperAddress } from "./api";
import { Badge } from "./badges";
import { EdgeCard } from "./card";
import { raise } from "./cut";
import { Edges } from "./edges";
import { formatCount, shortName } from "./format";
import { Header } from "./header";
import { Legend, Network } from "./network";
import { ReferenceBox } from "./reference-box";
import { addressOf, ask, describe, keepTexts, openPage, readTexts, type RelatedAnswer, type Texts } from "./references";
import { RelatedWorks } from "./related-works";
import { rankEdges, readChoice } from "./state";
import "./site.css";
import "./references.css";

const DRAWN_SEEDS = 40;
const DRAWN_PAPERS = 80;
const LISTED = 12;
// A longer table of citations is folded.
const OPEN = 50;

function RelatedPage() {
  const [texts, setTexts] = useState<Texts | null>(readTexts);
  const [least, setLeast] = useState(() => Number(new URLSearchParams(location.search).get("least")) || 0);
  const [limit, setLimit] = useState(50);
  const [edge, setEdge] = useState(() => new URLSearchParams(location.search).get("edge") ?? "");
  const [found, setFound] = useState<RelatedAnswer | null>(null);
  const [message, setMessage] = useState("");

  useEffect(() => {
    delete document.body.dataset["ready"];
    if (!texts) {
      document.body.dataset["ready"] = "empty";
      return;
    }
    const now = new AbortController();
    setMessage("");
    ask<RelatedAnswer>("related", { texts, min_seeds: least, limit }, now.signal)
      .then((answer) => {
        setFound(answer);
        document.body.dataset["ready"] = "related";
      })
      .catch((error) => {
        if (now.signal.aborted) return;
        setFound(null);
        setMessage(describe(error));
        document.body.dataset["ready"] = "error";
      });
    return () => now.abort();
  }, [texts, least, limit]);

  const short = useMemo(() => (found ? shorten(found, least) : null), [found, least]);
  useEffect(() => {
    if (texts) keepTexts(texts);
    if (!found) return;
    const chosen = edge ? `${short?.includes("?") ? "&" : "?"}${new URLSearchParams({ edge })}` : "";
    history.replaceState(null, "", (short ?? location.pathname) + chosen);
  }, [found, short, edge]);

  return (
    <>
      <Header page="related" />
      <main>
        <h1>Related papers</h1>
        <details class="change" open={!texts || Boolean(message)}>
          <summary>{texts ? "Other papers" : "Give several papers"}</summary>
          <ReferenceBox
            text={texts?.[""] ?? ""}
            actions={[
              { label: "Find related papers", run: (given) => { setFound(null); setLeast(0); setEdge(""); setTexts(given); } },
              { label: "Check the references", run: (given) => openPage("/check", given) },
            ]}
          />
        </details>
        {message && <p class="error" role="alert">{message}</p>}
        {texts && !found && !message && <p>Reading the graph…</p>}
        {found && (
          <Answer
            found={found} isShort={short !== null} onLeast={setLeast} edge={edge} onEdge={setEdge}
            onMore={raise(limit, Math.max(found.prior.works, found.derivative.works), setLimit)}
          />
        )}
      </main>
    </>
  );
}

// The address of the same answer; null if it is too long.
function shorten(found: RelatedAnswer, least: number): string | null {
  const ids = [...found.seeds.map(({ id }) => id), ...found.missing.map(({ key, title }) => title || key)].join("\n");
  const address = addressOf(location.pathname, { "": ids });
  return address && least ? `${address}&least=${least}` : address;
}

interface AnswerProps {
  found: RelatedAnswer;
  isShort: boolean;
  // key of the citation on the card
  edge: string;
  onEdge: (edge: string) => void;
  onLeast: (least: number) => void;
  onMore: (() => void) | undefined;
}

function Answer({ found, isShort, edge, onEdge, onLeast, onMore }: AnswerProps) {
  const names = useMemo(() => new Map(found.seeds.map((seed) => [seed.id, shortName(seed)])), [found]);
  const several = found.min_seeds > 1 ? `at least ${found.min_seeds} of the given papers` : "the given papers";
  return (
    <>
      {!isShort && (
        <p class="note">This list is too long for the address of the page: it is kept in this tab until you close it.</p>
      )}
      {found.notes.map((note) => <p class="note" key={note}>{note}</p>)}
      <Seeds found={found} />
      {found.seeds.length > 0 && (
        <>
          <SeedNetwork ids={found.seeds.map(({ id }) => id)} edge={edge} onEdge={onEdge} />
          <p>
            {found.seeds.length > 1 && (
              <label>
                Minimum number of given papers{" "}
                <input
                  type="number" name="least" min="1" max={found.seeds.length} value={found.min_seeds}
                  onChange={(event) => onLeast(Math.max(Number(event.currentTarget.value) || 1, 1))}
                />
              </label>
            )}
          </p>
          {found.order === "count" && (
            <p class="note">No citation has a score, so that works are ranked by count: run <code>platform score</code>.</p>
          )}
          {found.order === "importance" && found.unscored > 0 && (
            <p class="note">{formatCount(found.unscored, "citation")} without a score: they add 0.</p>
          )}
          <RelatedWorks
            title="Prior works" file="prior-works" side={found.prior} seedNames={names} order={found.order} onMore={onMore}
            explanation={`Works that ${several} cite, by the sum of the importance of these citations.`}
          />
          <RelatedWorks
            title="Derivative works" file="derivative-works" side={found.derivative} seedNames={names} order={found.order} onMore={onMore}
            explanation={`Papers that cite ${several}, by the sum of the importance of these citations.`}
          />
        </>
      )}
    </>
  );
}

function Seeds({ found }: { found: RelatedAnswer }) {
  const seeds = found.seeds.map((seed) => (
    <li key={seed.id}>
      <a href={paperAddress(seed.id)}>{seed.title ?? seed.id}</a> <Badge work={seed} />{" "}
      <small>{shortName(seed)}{seed.fulltext ? "" : ", from reference lists only"}</small>
    </li>
  ));
  return (
    <div class="seeds">
      <section aria-label="Given papers">
        <h2>{formatCount(found.seeds.length, "paper")} found</h2>
        {found.seeds.length === 0 && <p class="note">None of these is in the graph. Load more papers with <code>platform ingest</code>.</p>}
        <ul>{seeds.slice(0, LISTED)}</ul>
        {seeds.length > LISTED && <details><summary>{seeds.length - LISTED} more</summary><ul>{seeds.slice(LISTED)}</ul></details>}
      </section>
      {found.missing.length > 0 && (
        <section aria-label="Not found">
          <h2>{found.missing.length.toLocaleString("en")} not found</h2>
          <details open={found.missing.length <= LISTED}>
            <summary>which</summary>
            <ul>
              {found.missing.slice(0, 500).map((entry, place) => (
                <li key={place}>
                  {entry.title || entry.key} {entry.year}
                  {entry.near.length > 0 && (
                    <small> similar: {entry.near.map((id) => <a key={id} href={paperAddress(id)}>{id} </a>)}</small>
                  )}
                </li>
              ))}
            </ul>
            {found.missing.length > 500 && <p class="note">The first 500 of {found.missing.length.toLocaleString("en")}.</p>}
          </details>
        </section>
      )}
    </div>
  );
}

interface SeedNetworkProps {
  ids: string[];
  edge: string;
  onEdge: (edge: string) => void;
}

function SeedNetwork({ ids, edge, onEdge }: SeedNetworkProps) {
  const [found, setFound] = useState<Neighbourhood | null>(null);
  const [message, setMessage] = useState("");
  const drawn = ids.slice(0, DRAWN_SEEDS);
  const key = drawn.join("\n");
  useEffect(() => {
    const now = new AbortController();
    setMessage("");
    call("neighbours", { papers: drawn, limit: DRAWN_PAPERS }, now.signal)
      .then(setFound)
      .catch((error) => !now.signal.aborted && setMessage(describe(error)));
    return () => now.abort();
  }, [key]);
  const edges = useMemo(
    () => (found ? rankEdges(found, readChoice(new URLSearchParams(), found.weights), false) : []),
    [found],
  );
  const papers = useMemo(() => new Map(found?.papers.map((paper) => [paper.id, paper])), [found]);
  if (message) return <p class="error" role="alert">{message}</p>;
  if (!found) return <p>Drawing the network…</p>;
  const citation = edges.find(({ key }) => key === edge)?.citation;
  const around = found.papers.length - found.seeds.length;
  return (
    <>
      <div class={citation ? "seed-network with-card" : "seed-network"}>
        <figure>
          <Network found={found} edges={edges} by="importance" selected={edge} onSelect={onEdge} />
          <Legend found={found} edges={edges} by="importance" changed={false}>
            {drawn.length < ids.length && `The first ${drawn.length} of ${ids.length.toLocaleString("en")} papers. `}
            {around < found.neighbours && `${around} of ${formatCount(found.neighbours, "paper")} around them, the most important first. `}
            The given papers are in the middle.{" "}
          </Legend>
        </figure>
        {citation && <EdgeCard citation={citation} onClose={() => onEdge("")} />}
      </div>
      {edge && !citation && <p class="note" role="status">The citation {edge} of this address is not in this network.</p>}
      <details class="change" open={edges.length <= OPEN}>
        <summary>{formatCount(edges.length, "citation")} of the network as a table</summary>
        <Edges edges={edges} papers={papers} selected={edge} onSelect={onEdge} />
      </details>
    </>
  );
}

const root = document.getElementById("page");
if (root) render(<RelatedPage />, root);
