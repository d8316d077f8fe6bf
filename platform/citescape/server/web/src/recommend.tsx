// What to cite: a sentence with its place for a citation, and the papers that fit.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, type Paper, paperAddress, readState, ServerError } from "./api";
import { Badge } from "./badges";
import { Header } from "./header";
import { type Column, DataTable } from "./table";
import "./site.css";
import "./recommend.css";

interface Work extends Paper {
  doi?: string | null;
  date?: string | null;
}

interface Recommendation {
  rank: number;
  score: number;
  cited_by: number;
  work: Work;
  sentences: { text: string; citing: Work }[];
}

interface Answer {
  profiles: string | null;
  encoder: string | null;
  system: string;
  contexts: { context: string; part: string; papers: Recommendation[]; notes: string[] }[];
  notes: string[];
}

const SYSTEMS = {
  fused: "words and vectors",
  calibrated: "vectors of citing sentences",
  dense: "vectors of title and abstract",
  bm25: "words of title and abstract",
  "bm25-profile": "words of citing sentences",
};
const COUNTS = [10, 20, 50, 100];

function RecommendPage() {
  const [found, setFound] = useState<Answer | null>(null);
  const [message, setMessage] = useState("");
  const [progress, setProgress] = useState<string | null>(null);
  useEffect(() => {
    document.body.dataset["ready"] = "recommend";
  }, []);

  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    setMessage("");
    setFound(null);
    if (!text("context")) return setMessage("The sentence is empty: write what you want to support with a citation.");
    setProgress("Searching…");
    let isDone = false;
    const timer = setInterval(async () => {
      try {
        const { progress: line } = await readState();
        if (line && !isDone) setProgress(line);
      } catch {
        // the call itself says what is wrong
      }
    }, 1000);
    try {
      setFound(
        await call("recommend", {
          context: text("context"), title: text("title"), abstract: text("abstract"),
          before: text("before"), k: Number(text("k")), system: text("system"),
        }),
      );
    } catch (error) {
      setMessage(error instanceof ServerError ? error.message : String(error));
    } finally {
      isDone = true;
      clearInterval(timer);
      setProgress(null);
      document.body.dataset["answer"] = String(Number(document.body.dataset["answer"] ?? 0) + 1);
    }
  };

  return (
    <>
      <Header page="recommend" />
      <main>
        <h1>What to cite</h1>
        <form class="ask" onSubmit={send}>
          <label class="wide">
            Your sentence, with [?] where each citation goes
            <textarea name="context" rows={3} placeholder="Root depth limits the uptake of nitrogen [?]." />
          </label>
          <label>Title of your paper <input name="title" /></label>
          <label>Published before <input name="before" placeholder="2019, 2019-03 or 2019-03-04" size={18} /></label>
          <label>
            Search by{" "}
            <select name="system">
              {Object.entries(SYSTEMS).map(([name, words]) => <option key={name} value={name}>{words}</option>)}
            </select>
          </label>
          <label>Papers <select name="k">{COUNTS.map((count) => <option key={count}>{count}</option>)}</select></label>
          <label class="wide">Abstract of your paper <textarea name="abstract" rows={3} /></label>
          <button type="submit" disabled={progress !== null}>Recommend</button>
        </form>
        {progress && <p role="status">{progress}</p>}
        {message && <p class="error" role="alert">{message}</p>}
        {found && <Answers found={found} />}
      </main>
    </>
  );
}

function Answers({ found }: { found: Answer }) {
  return (
    <>
      {found.notes.map((note) => <p class="note" key={note}>Note: {note}</p>)}
      {found.contexts.map((context, place) => (
        <section key={place}>
          {context.part && <p>Citation wanted for “{context.part}”</p>}
          {context.notes.map((note) => <p class="note" key={note}>Note: {note}</p>)}
          {context.papers.length === 0 && <p>No paper fits: try other words, or a later date.</p>}
          <DataTable title="Papers to cite" rows={context.papers} columns={COLUMNS} file="recommended" />
        </section>
      ))}
      <details>
        <summary>How these were found</summary>
        System {found.system}{found.profiles && ` on ${found.profiles}, encoder ${found.encoder}`}. The score compares papers of one sentence only.
      </details>
    </>
  );
}

const COLUMNS: Column<Recommendation>[] = [
  { name: "rank", label: "rank", isNumber: true, value: (row) => row.rank },
  { name: "score", label: "score", isNumber: true, value: (row) => row.score, show: (row) => row.score.toFixed(3) },
  {
    name: "title", label: "paper, and the citing sentence nearest to yours", value: (row) => row.work.title,
    show: (row) => (
      <>
        <a href={paperAddress(row.work.id)}>{row.work.title ?? row.work.id}</a> <Badge work={row.work} />
        <br /><small>{[row.work.authors, row.work.venue, row.work.year].filter(Boolean).join(" · ")}</small>
        {row.sentences.map((sentence, place) => (
          <blockquote key={place}>
            {sentence.text}{" "}
            <small>
              <a href={`${paperAddress(sentence.citing.id)}?edge=${encodeURIComponent(`${sentence.citing.id}→${row.work.id}`)}`}>
                {sentence.citing.authors || sentence.citing.id} {sentence.citing.year}
              </a>
            </small>
          </blockquote>
        ))}
      </>
    ),
  },
  { name: "cited_by", label: "cited by", isNumber: true, value: (row) => row.cited_by, help: "Papers with full text that cite it" },
  { name: "id", label: "id", value: (row) => row.work.id },
  { name: "authors", label: "authors", value: (row) => row.work.authors ?? null, isHidden: true },
  { name: "year", label: "year", value: (row) => row.work.year, isHidden: true },
  { name: "sentence", label: "sentence", value: (row) => row.sentences[0]?.text ?? null, isHidden: true },
];

const root = document.getElementById("page");
if (root) render(<RecommendPage />, root);
