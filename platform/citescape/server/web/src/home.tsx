// The first page: search, what the graph holds, and what is missing.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Paper, type Search, paperAddress, useStep } from "./api";
import { Badge } from "./badges";
import { Cut, raise } from "./cut";
import { formatScore } from "./format";
import { Header } from "./header";
import { ReferenceBox } from "./reference-box";
import { openPage } from "./references";
import { type Column, DataTable } from "./table";
import "./site.css";
import "./references.css";

const FIRST_ROWS = 15;

interface Addition {
  command: string;
  // what it adds
  adds: string;
  // command that it needs
  first?: string;
  // commands of its runs; shown if the graph has none of them
  runs: string[];
}

const ADDITIONS: Addition[] = [
  { command: "platform score", adds: "how important every citation is", runs: ["score"] },
  {
    command: "platform text intents label", adds: "what citations are for: background, method, result",
    runs: ["intents-rules", "intents train", "intents"],
  },
  { command: "platform embed", adds: "the nearest papers of each paper", runs: ["embed", "graph-embed"] },
  { command: "platform cluster", adds: "communities of related papers", first: "platform network build", runs: ["cluster"] },
  { command: "platform topics", adds: "names for the communities", runs: ["topics"] },
  { command: "platform map", adds: "a map of the field", runs: ["map"] },
];

function HomePage() {
  return (
    <>
      <Header page="home" />
      <main class="home">
        <h1>Which citations matter, and why?</h1>
        <p>
          Search a paper above. Its page shows what it cites, who cites it, how important each citation is, and the
          sentences behind it.
        </p>
        <h2>Several papers, or a reference list</h2>
        <ReferenceBox
          actions={[
            { label: "Find related papers", run: (texts) => openPage("/related", texts) },
            { label: "Check the references", run: (texts) => openPage("/check", texts) },
          ]}
        />
        <p class="note">
          <a href="/related">Related papers</a> shows what several papers build on and what builds on them, by importance.{" "}
          <a href="/check">Check references</a> shows which references of a manuscript are known, how others cite them, and
          which works are missing.
        </p>
        <Content />
      </main>
    </>
  );
}

function Content() {
  const { found, message } = useStep("status", {});
  useEffect(() => {
    if (found || message) document.body.dataset["ready"] = "home";
  }, [found, message]);
  if (message) return <p class="error" role="alert">{message}</p>;
  if (!found) return <p>Reading the graph…</p>;
  const count = (name: string) => (found.labels[name] ?? found.relationships[name] ?? 0).toLocaleString("en");
  const commands = new Set(found.runs.map((run) => run.command));
  const missing = ADDITIONS.filter(({ runs }) => !runs.some((name) => commands.has(name)));
  if (!found.labels["Paper"]) {
    return <p>The graph is empty: run <code>platform ingest FOLDER</code>, then take a new snapshot above.</p>;
  }
  return (
    <>
      <p>
        The graph has {count("Paper")} papers, {count("CITES")} citations between them, {count("Occurrence")} mentions in
        the text, and {count("Author")} authors.
      </p>
      <MostImportant />
      {found.notices.length > 0 && <Withdrawn />}
      {missing.length > 0 && (
        <>
          <h2>Not there yet</h2>
          <ul>
            {missing.map(({ command, adds, first }) => (
              <li key={command}>
                <code>{command}</code> adds {adds}{first && <>; it needs <code>{first}</code></>}.
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function MostImportant() {
  const [limit, setLimit] = useState(FIRST_ROWS);
  const { found } = useStep("find", { text: "", limit });
  if (!found) return null;
  const scored = found.papers.some((paper) => paper.importance !== null);
  return (
    <DataTable
      title={scored ? "Works with the most importance received" : "Most cited works"} rows={found.papers}
      file="most-important" columns={chooseColumns(found)}
      note={
        <>
          {scored && "The sum over the papers that cite a work: one paper that discusses it on every page can be enough. "}
          <Counted found={found} />
          <Cut shown={found.papers.length} all={found.matches} one="work" onMore={raise(limit, limit * 4, setLimit)} />
        </>
      }
    />
  );
}

// Which citing papers count; nothing if all do.
function Counted({ found }: { found: Search }) {
  if (!found.others) return null;
  return (
    <>
      Citations by {found.types.map((type) => PAPERS[type] ?? type).join(" and ")} count
      ({found.counted.toLocaleString("en")}); those by reviews, editorials and other papers
      ({found.others.toLocaleString("en")}) are added up apart.{" "}
    </>
  );
}

const PAPERS: Record<string, string> = { research: "research articles", unknown: "papers of unknown type" };

// Works with a notice, the most important first; the page of a work shows who cites it before and after.
function Withdrawn() {
  const [limit, setLimit] = useState(FIRST_ROWS);
  const { found } = useStep("find", { text: "", limit, notice: "any" });
  if (!found || found.papers.length === 0) return null;
  return (
    <DataTable
      title="Retracted and corrected works" rows={found.papers} file="retracted-and-corrected"
      columns={[...NOTED, ...chooseColumns(found)]}
      note={
        <>
          The page of a work shows who cites it, before the notice and after it. <Counted found={found} />
          <Cut shown={found.papers.length} all={found.matches} one="work" onMore={raise(limit, limit * 4, setLimit)} />
        </>
      }
    />
  );
}

// The columns of works, with those of papers that do not count if there are any.
const chooseColumns = (found: Search): Column<Paper>[] => [...COUNTED, ...WORKS, ...(found.others ? OTHERS : [])];

const COUNTED: Column<Paper>[] = [
  {
    name: "importance", label: "importance", isNumber: true, value: (row) => row.importance ?? null,
    show: (row) => formatScore(row.importance ?? null), help: "Sum over the citations that count",
  },
  { name: "cited_by", label: "cited by", isNumber: true, value: (row) => row.cited_by ?? 0 },
];

const OTHERS: Column<Paper>[] = [
  {
    name: "importance_of_others", label: "from others", isNumber: true,
    value: (row) => row.importance_of_others ?? null, show: (row) => formatScore(row.importance_of_others ?? null),
    help: "Sum over the citations by reviews, editorials and other papers, which do not count",
  },
  {
    name: "cited_by_others", label: "cited by others", isNumber: true, value: (row) => row.cited_by_others ?? 0,
    help: "Reviews, editorials and other papers that cite the work",
  },
];

const WORKS: Column<Paper>[] = [
  {
    name: "title", label: "work", value: (row) => row.title,
    show: (row) => <><a href={paperAddress(row.id)}>{row.title ?? row.id}</a> <small>{row.authors} {row.year}</small></>,
  },
  { name: "authors", label: "authors", value: (row) => row.authors ?? null, isHidden: true },
  { name: "year", label: "year", value: (row) => row.year, isHidden: true },
  { name: "id", label: "id", value: (row) => row.id, isHidden: true },
];

const NOTED: Column<Paper>[] = [
  { name: "notice", label: "notice", value: (row) => row.notice ?? null, show: (row) => <Badge work={row} /> },
  { name: "year_of_notice", label: "year", isNumber: true, value: (row) => row.notice_year ?? null },
];

const root = document.getElementById("page");
if (root) render(<HomePage />, root);
