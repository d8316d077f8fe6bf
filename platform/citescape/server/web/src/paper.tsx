// The page of a paper: its citation network, with the reasons behind each citation.
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useAddress } from "./address";
import { call, MALFORMED, type Neighbourhood, type Paper, post, readPathName, ServerError } from "./api";
import { NoticeLine } from "./badges";
import { EdgeCard } from "./card";
import { MOST_ROWS, raise } from "./cut";
import { Edges } from "./edges";
import { Filters } from "./filters";
import { formatCount } from "./format";
import { Header } from "./header";
import { Legend, Network } from "./network";
import { readTab, RelatedTabs, type Tab } from "./related-tabs";
import type { Weights } from "./score";
import { type Choice, listTypes, rankEdges, readChoice, writeChoice } from "./state";
import "./site.css";

const FIRST_LIMIT = 300;

function PaperPage({ id }: { id: string }) {
  const [limit, setLimit] = useState(readLimit);
  const [found, setFound] = useState<Neighbourhood | null>(null);
  const [message, setMessage] = useState("");

  useEffect(() => {
    const now = new AbortController();
    setMessage("");
    call("neighbours", { papers: [id], limit }, now.signal)
      .then(setFound)
      .catch((error) => {
        if (!now.signal.aborted) setMessage(error instanceof ServerError ? error.message : "No answer.");
      });
    return () => now.abort();
  }, [id, limit]);

  return (
    <>
      <Header page="paper" />
      <main>
        {message && <Failure message={message} />}
        {!found && !message && <p>Reading the graph…</p>}
        {found && <Explored found={found} limit={limit} onMore={raise(limit, limit * 2, setLimit)} />}
      </main>
    </>
  );
}

function Failure({ message }: { message: string }) {
  useEffect(() => {
    document.body.dataset["ready"] = "error";
  }, []);
  return <><h1>Citation network</h1><p class="error" role="alert">{message}</p></>;
}

// Papers around that are loaded, from the address.
function readLimit(): number {
  const limit = Number(new URLSearchParams(location.search).get("limit"));
  return Number.isSafeInteger(limit) && limit > 0 ? Math.min(limit, MOST_ROWS) : FIRST_LIMIT;
}

interface State {
  choice: Choice;
  tab: Tab | "";
}

function Explored({ found, limit, onMore }: { found: Neighbourhood; limit: number; onMore: (() => void) | undefined }) {
  const [state, setState] = useAddress<State>(
    () => ({ choice: readChoice(new URLSearchParams(location.search), found.weights), tab: readTab() }),
    ({ choice, tab }) => {
      const chosen = writeChoice(choice, found.weights);
      const more = limit === FIRST_LIMIT ? "" : `${chosen ? "&" : "?"}limit=${limit}`;
      return `${location.pathname}${chosen}${more}${tab && `#${tab}`}`;
    },
    ({ choice, tab }) => `${choice.edge}#${tab}`,
  );
  const { choice, tab } = state;
  const [saved] = useState(readSaved);
  const setChoice = (choice: Choice) => setState({ ...state, choice });
  useEffect(() => {
    document.body.dataset["ready"] = "network";
  }, [found]);

  const changed = Object.keys(found.weights).some((name) => choice.weights[name] !== found.weights[name]);
  // The same list whichever citation is open, so that the table stays on its page.
  const filters = JSON.stringify({ ...choice, edge: "" });
  const edges = useMemo(() => rankEdges(found, choice, changed), [found, filters, changed]);
  const highest = edges[0]?.score ?? 0;
  const papers = useMemo(() => new Map(found.papers.map((paper) => [paper.id, paper])), [found]);
  const shown = useMemo(() => edges.filter((edge) => edge.shown), [edges]);
  const selected = edges.find((edge) => edge.key === choice.edge);
  const seed = papers.get(found.seeds[0] ?? "");
  const around = found.papers.length - found.seeds.length;
  const labelled = found.citations.some((citation) => citation.n_background !== null);

  return (
    <>
      {saved && <SavedNote {...saved} />}
      {seed && <Title paper={seed} />}
      <p class="count">
        {around < found.neighbours
          ? `${around.toLocaleString("en")} of ${formatCount(found.neighbours, "paper")} around it, the most important first. `
          : `${formatCount(around, "paper")} around it. `}
        {around < found.neighbours && (onMore ? <button onClick={onMore}>Show more</button> : "A page shows no more.")}{" "}
        {formatCount(shown.length, "citation")} shown of {edges.length.toLocaleString("en")}.
      </p>
      {edges.length === 0 && (
        <p class="note">
          The graph has no citation of this paper or by it: load papers that cite it, or its own full text, with{" "}
          <code>platform ingest FOLDER</code>.
        </p>
      )}
      {choice.edge && !selected && (
        <p class="note" role="status">
          The citation {choice.edge} of this address is not among those loaded.{" "}
          {around >= found.neighbours && "All are loaded: the graph has no such citation."}
          {around < found.neighbours && onMore && <button onClick={onMore}>Load more papers</button>}
        </p>
      )}
      <div class="explorer">
        <Filters
          choice={choice} weights={found.weights} scored={found.run !== null} highest={highest} labelled={labelled} types={listTypes(found)}
          onChange={setChoice} onSave={(weights) => saveWeights(weights, found)}
        />
        <figure>
          <Network
            found={found} edges={edges} by={choice.by} selected={choice.edge} onSelect={(edge) => setChoice({ ...choice, edge })}
          />
          <Legend found={found} edges={edges} by={choice.by} changed={changed} />
        </figure>
        {selected && (
          <EdgeCard
            citation={selected.citation} weights={changed ? choice.weights : undefined} onClose={() => {
              document.querySelector<HTMLElement>("table.edges tr[aria-selected=true]")?.focus();
              setChoice({ ...choice, edge: "" });
            }}
          />
        )}
      </div>
      <Edges
        edges={shown} papers={papers} selected={choice.edge}
        onSelect={(edge) => setChoice({ ...choice, edge })}
      />
      {seed && <RelatedTabs id={seed.id} tab={tab} onTab={(tab) => setState({ ...state, tab })} />}
    </>
  );
}

const SAVED = "citescape-saved";

// What was saved before the page was loaded again.
interface Saved {
  run: string;
  before: { run: string | null; weights: Weights };
}

function readSaved(): Saved | null {
  const text = sessionStorage.getItem(SAVED);
  sessionStorage.removeItem(SAVED);
  return text && JSON.parse(text);
}

function SavedNote({ run, before }: Saved) {
  const weights = Object.entries(before.weights).map(([name, value]) => `${name}:${value}`).join(",");
  return (
    <p class="note" role="status">
      Saved as {run}: all pages show its importance now.{" "}
      {before.run && <a href={`${location.pathname}?w=${weights}`}>Try the weights of {before.run} again</a>}
    </p>
  );
}

async function saveWeights(weights: Weights, found: Neighbourhood): Promise<string> {
  try {
    const { run } = await post<{ run: string }>("/api/score", { weights });
    sessionStorage.setItem(SAVED, JSON.stringify({ run, before: { run: found.run, weights: found.weights } }));
    location.assign(location.pathname);
    return `Saved as ${run}.`;
  } catch (error) {
    return error instanceof ServerError ? error.message : String(error);
  }
}

function Title({ paper }: { paper: Paper }) {
  return (
    <div class="title">
      <h1>{paper.title ?? paper.id}</h1>
      <p>{[paper.surnames?.join(", "), paper.venue, paper.year, paper.id].filter(Boolean).join(" · ")}</p>
      <NoticeLine work={paper} />
      {!paper.fulltext && <p class="note">Known from reference lists only: its own references are not in the graph.</p>}
    </div>
  );
}

const root = document.getElementById("page");
const id = readPathName();
if (root) {
  render(
    id === null
      ? <><Header page="paper" /><main><Failure message={MALFORMED} /></main></>
      : <PaperPage id={id} />,
    root,
  );
}
