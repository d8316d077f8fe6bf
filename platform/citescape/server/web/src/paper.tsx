// The page of a paper: its citation network, with the reasons behind each citation.
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { call, type Neighbourhood, type Paper, post, ServerError } from "./api";
import { NoticeLine } from "./badges";
import { EdgeCard } from "./card";
import { Edges } from "./edges";
import { Filters } from "./filters";
import { formatCount } from "./format";
import { Header } from "./header";
import { Legend, Network } from "./network";
import { RelatedTabs } from "./related-tabs";
import { type Choice, listTypes, rankEdges, readChoice, writeChoice } from "./state";
import "./site.css";

const FIRST_LIMIT = 300;

function PaperPage({ id }: { id: string }) {
  const [limit, setLimit] = useState(FIRST_LIMIT);
  const [found, setFound] = useState<Neighbourhood | null>(null);
  const [message, setMessage] = useState("");

  useEffect(() => {
    const now = new AbortController();
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
        {message && <p class="error" role="alert">{message}</p>}
        {!found && !message && <p>Reading the graph…</p>}
        {found && <Explored found={found} onMore={() => setLimit(limit * 2)} />}
      </main>
    </>
  );
}

function Explored({ found, onMore }: { found: Neighbourhood; onMore: () => void }) {
  const [choice, setChoice] = useState<Choice>(() =>
    readChoice(new URLSearchParams(location.search), found.weights),
  );
  useEffect(() => {
    history.replaceState(null, "", location.pathname + writeChoice(choice, found.weights));
  }, [choice, found]);
  useEffect(() => {
    document.body.dataset["ready"] = "network";
  }, [found]);

  const changed = Object.keys(found.weights).some((name) => choice.weights[name] !== found.weights[name]);
  const edges = useMemo(() => rankEdges(found, choice, changed), [found, choice, changed]);
  const highest = edges[0]?.score ?? 0;
  const papers = new Map(found.papers.map((paper) => [paper.id, paper]));
  const shown = edges.filter((edge) => edge.shown);
  const selected = edges.find((edge) => edge.key === choice.edge);
  const seed = papers.get(found.seeds[0] ?? "");
  const around = found.papers.length - found.seeds.length;
  const labelled = found.citations.some((citation) => citation.n_background !== null);

  return (
    <>
      {seed && <Title paper={seed} />}
      <p class="count">
        {around < found.neighbours
          ? `${around.toLocaleString("en")} of ${formatCount(found.neighbours, "paper")} around it, the most important first. `
          : `${formatCount(around, "paper")} around it. `}
        {around < found.neighbours && <button onClick={onMore}>Show more</button>}{" "}
        {formatCount(shown.length, "citation")} shown of {edges.length.toLocaleString("en")}.
      </p>
      <div class="explorer">
        <Filters
          choice={choice} weights={found.weights} highest={highest} labelled={labelled} types={listTypes(found)}
          onChange={setChoice} onSave={saveWeights}
        />
        <figure>
          <Network
            found={found} edges={edges} highest={highest} selected={choice.edge} onSelect={(edge) => setChoice({ ...choice, edge })}
          />
          <Legend found={found} highest={highest} changed={changed} />
        </figure>
        {selected && (
          <EdgeCard citation={selected.citation} onClose={() => setChoice({ ...choice, edge: "" })} />
        )}
      </div>
      <Edges
        edges={shown} papers={papers} selected={choice.edge}
        onSelect={(edge) => setChoice({ ...choice, edge })}
      />
      {seed && <RelatedTabs id={seed.id} />}
    </>
  );
}

async function saveWeights(weights: Record<string, number>): Promise<string> {
  try {
    const { run } = await post<{ run: string }>("/api/score", { weights });
    location.search = "";
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
if (root) render(<PaperPage id={decodeURIComponent(location.pathname.replace(/^\/paper\//, ""))} />, root);
