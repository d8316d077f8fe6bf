// Rows of an answer: as a table, as a graph, as JSON.
import { useMemo } from "preact/hooks";
import { download, formatCount, toCsv } from "../format";
import { type Column, DataTable, usePage } from "../table";
import { type Answer, cellText, csvCell, isNode, toObjects, type Value } from "./console";
import { GraphView, NodeLink } from "./graph-view";

export const TABS = ["table", "graph", "json"] as const;
export type Tab = (typeof TABS)[number];
const NAMES: Record<Tab, string> = { table: "Table", graph: "Graph", json: "JSON" };
const PAGE_ROWS = 200;

interface Props {
  answer: Answer;
  // limit of rows of this answer, and the highest one
  limit: number;
  most: number;
  tab: Tab;
  onTab: (tab: Tab) => void;
  onRaise: (rows: number) => void;
}

export function Results({ answer, limit, most, tab, onTab, onRaise }: Props) {
  const saveCsv = () =>
    download("rows.csv", new Blob([toCsv(answer.columns, answer.rows.map((row) => row.map(csvCell)))], { type: "text/csv" }));
  const saveJson = () =>
    download("rows.json", new Blob([JSON.stringify(toObjects(answer), null, 1)], { type: "application/json" }));
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? "table";
    onTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <section class="results" aria-label="Result" data-ready="answer">
      <p class="count" role="status">
        {answer.capped ? "First " : ""}{formatCount(answer.rows.length, "row")} in {formatSeconds(answer.seconds)}.
        {answer.capped === "rows" && <Cap limit={limit} most={most} onRaise={onRaise} />}
        {answer.capped === "bytes" && " The rows after them would make the answer larger than 32 MB: return fewer columns."}
      </p>
      {answer.warnings.map((warning) => <p class="note" key={warning}>{warning}</p>)}
      <div class="bar">
        <div role="tablist" aria-label="Form of the result" onKeyDown={move}>
          {TABS.map((name) => (
            <button
              key={name} id={`tab-${name}`} role="tab" aria-selected={name === tab} aria-controls="tab-panel"
              tabIndex={name === tab ? 0 : -1} onClick={() => onTab(name)}
            >
              {NAMES[name]}
            </button>
          ))}
        </div>
        <button onClick={saveCsv}>CSV</button>
        <button onClick={saveJson}>JSON file</button>
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === "table" && <Rows answer={answer} />}
        {tab === "graph" && <GraphView answer={answer} />}
        {tab === "json" && <Json answer={answer} />}
      </div>
    </section>
  );
}

const formatSeconds = (seconds: number): string =>
  seconds < 1 ? `${Math.max(Math.round(1000 * seconds), 1)} ms` : `${seconds.toFixed(1)} s`;

function Cap({ limit, most, onRaise }: { limit: number; most: number; onRaise: (rows: number) => void }) {
  const next = Math.min(limit * 10, most);
  if (next === limit) return <> There are more; {most.toLocaleString("en")} is the highest limit.</>;
  return (
    <>
      {" "}There are more. <button onClick={() => onRaise(next)}>Raise the limit to {next.toLocaleString("en")} rows</button>
    </>
  );
}

function Rows({ answer }: { answer: Answer }) {
  const columns = useMemo(
    () => answer.columns.map((label, place): Column<Value[]> => ({
      name: String(place), label, isNumber: answer.rows.some((row) => typeof row[place] === "number"),
      value: (row) => csvCell(row[place] ?? null), show: (row) => <Cell value={row[place] ?? null} />,
    })),
    [answer],
  );
  if (answer.rows.length === 0) return <p class="note">The query has no rows.</p>;
  return <DataTable title="Rows" heading={null} className="rows" size={PAGE_ROWS} rows={answer.rows} columns={columns} />;
}

function Cell({ value }: { value: Value }) {
  if (value === null) return <span class="missing">–</span>;
  if (typeof value === "number") return <>{value}</>;
  if (isNode(value)) return <div>({value.labels.join(":")} <NodeLink node={value} />)</div>;
  return <div>{cellText(value)}</div>;
}

function Json({ answer }: { answer: Answer }) {
  const { shown, pager } = usePage(answer.rows, PAGE_ROWS);
  return (
    <>
      {pager}
      <pre class="json" tabIndex={0}>{JSON.stringify(toObjects({ ...answer, rows: shown }), null, 2)}</pre>
    </>
  );
}
