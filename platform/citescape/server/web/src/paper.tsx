// The page of a paper: its citation network, with the reasons behind each citation.
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { call, type Neighbourhood, type Paper, paperAddress, post, ServerError } from "./api";
import { Badge, MarkLegend, NoticeLine } from "./badges";
import { EdgeCard } from "./card";
import { Filters } from "./filters";
import { download, formatCount, formatScore, shortName, toCsv } from "./format";
import { Header } from "./header";
import { Network } from "./network";
import { RelatedTabs } from "./related-tabs";
import { type Choice, type Edge, rankEdges, readChoice, writeChoice } from "./state";
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

  const changed = Object.keys(found.weights).some((name) => choice.weights[name] !== found.weights[name]);
  const edges = useMemo(() => rankEdges(found, choice, changed), [found, choice, changed]);
  const highest = edges[0]?.score ?? 0;
  const papers = new Map(found.papers.map((paper) => [paper.id, paper]));
  const shown = edges.filter((edge) => edge.shown);
  const selected = edges.find((edge) => edge.key === choice.edge);
  const seed = papers.get(found.seeds[0] ?? "");
  const around = found.papers.length - found.seeds.length;
  const types = [...new Set(found.papers.flatMap(({ hops, type }) => (hops && type ? [type] : [])))].sort();
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
          choice={choice} weights={found.weights} highest={highest} labelled={labelled} types={types}
          onChange={setChoice} onSave={saveWeights}
        />
        <figure>
          <Network
            found={found} edges={edges} highest={highest} selected={choice.edge} onSelect={(edge) => setChoice({ ...choice, edge })}
          />
          <figcaption>
            An arrow is a citation, from the citing to the cited paper. Wider and darker means more
            important, up to {formatScore(highest)}
            {changed ? " with your weights" : ""}; dashed means that the papers share an author.
            Cited works are on the right, citing papers on the left, the most important ones inside.
            <MarkLegend works={found.papers} timings={found.citations.map(({ timing }) => timing)} />
          </figcaption>
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

interface EdgesProps {
  edges: Edge[];
  papers: Map<string, Paper>;
  selected: string;
  onSelect: (key: string) => void;
}

function Edges({ edges, papers, selected, onSelect }: EdgesProps) {
  const name = (id: string) => {
    const paper = papers.get(id);
    return paper ? shortName(paper) : id;
  };
  const save = () => {
    const header = ["citing", "cited", "importance", "self", "mentions", "f_I", "f_M", "f_R", "f_D", "f_other", "notice", "timing"];
    const rows = edges.map(({ citation, score }) => [
      citation.citing, citation.cited, score, citation.self, citation.mentions,
      citation.f_I, citation.f_M, citation.f_R, citation.f_D, citation.f_other,
      papers.get(citation.cited)?.notice ?? null, citation.timing ?? null,
    ]);
    download("citations.csv", new Blob([toCsv(header, rows)], { type: "text/csv" }));
  };
  return (
    <section aria-label="Citations">
      <h2>Citations <button onClick={save}>CSV</button></h2>
      <table class="edges">
        <thead>
          <tr>
            <th>importance</th><th>citing</th><th>cited</th><th>title of the cited work</th>
            <th title="introduction, methods, results, discussion, other">I·M·R·D·other</th><th>self</th>
          </tr>
        </thead>
        <tbody>
          {edges.map(({ key, citation, score }) => (
            <tr
              key={key} tabIndex={0} aria-selected={key === selected}
              onClick={() => onSelect(key)}
              onKeyDown={(event) => event.key === "Enter" && onSelect(key)}
            >
              <td>{formatScore(score)}</td>
              <td>{name(citation.citing)}</td>
              <td><a href={paperAddress(citation.cited)}>{name(citation.cited)}</a></td>
              <td>
                {papers.get(citation.cited)?.title} <Badge work={papers.get(citation.cited)} timing={citation.timing} />
              </td>
              <td>{[citation.f_I, citation.f_M, citation.f_R, citation.f_D, citation.f_other].map((n) => n ?? "-").join("·")}</td>
              <td>{citation.self ? "yes" : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const root = document.getElementById("page");
if (root) render(<PaperPage id={decodeURIComponent(location.pathname.replace(/^\/paper\//, ""))} />, root);
