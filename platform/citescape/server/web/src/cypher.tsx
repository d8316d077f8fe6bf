// The Cypher console. The address fills the editor and never runs anything.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ServerError } from "./api";
import {
  type Answer, type ConsoleState, type NamedQuery, QueryError, readConsole, type Request, runQuery,
} from "./cypher/console";
import { Editor, type Handle, type Place } from "./cypher/editor";
import { findParameters, givenValues, Parameters } from "./cypher/parameters";
import { Results, type Tab, TABS } from "./cypher/results";
import { SideBar } from "./cypher/sidebar";
import { Header } from "./header";
import "./site.css";
import "./cypher/cypher.css";

const LONGEST_ADDRESS = 8_000;
const GIVEN = new URLSearchParams(location.search);

interface Shown {
  answer: Answer;
  // the request that it answers
  request: Request;
}

interface Failure {
  message: string;
  place: Place | null;
}

function CypherPage() {
  const [state, setState] = useState<ConsoleState | null>(null);
  const [message, setMessage] = useState("");
  useEffect(() => {
    readConsole()
      .then(setState)
      .catch((error) => setMessage(error instanceof ServerError ? error.message : "No answer."));
  }, []);
  useEffect(() => {
    if (state) document.body.dataset["ready"] = "cypher";
  }, [state]);
  return (
    <>
      <Header page="cypher" />
      <main>
        <h1>Cypher console</h1>
        {message && <p class="error" role="alert">{message}</p>}
        {!state && !message && <p>Preparing the sandbox…</p>}
        {state && <Console state={state} />}
      </main>
    </>
  );
}

function Console({ state }: { state: ConsoleState }) {
  const [text, setText] = useState(GIVEN.get("q") ?? "");
  const [values, setValues] = useState<Record<string, string>>(() => readValues(GIVEN));
  const [tab, setTab] = useState<Tab>(TABS.find((name) => name === GIVEN.get("tab")) ?? "table");
  const [shown, setShown] = useState<Shown | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [note, setNote] = useState("");
  const [seconds, setSeconds] = useState(state.limits.seconds);
  const [running, setRunning] = useState<AbortController | null>(null);
  const editor = useRef<Handle | null>(null);

  const run = async (request: Request) => {
    if (running || state.off) return;
    const now = new AbortController();
    setRunning(now);
    setFailure(null);
    setNote("");
    editor.current?.mark(null);
    try {
      const answer = await runQuery(request, now.signal);
      setShown({ answer, request });
      setNote(writeAddress(request.text, values, tab) ? "" : "This query is too long for the address of the page.");
    } catch (error) {
      setShown(null);
      if (now.signal.aborted) {
        setNote("Cancelled.");
      } else {
        const place = error instanceof QueryError && error.line ? { line: error.line, column: error.column ?? 1 } : null;
        const own = error instanceof ServerError;
        setFailure({ message: own ? error.message : "No answer: is `platform serve` still running?", place });
        editor.current?.mark(place);
      }
    }
    setRunning(null);
  };
  const runFirst = () => {
    const query = editor.current?.read() ?? text;
    void run({ text: query, params: givenValues(query, values), rows: state.limits.rows, seconds });
  };

  const choose = (query: NamedQuery) => {
    editor.current?.replace(query.text);
    setValues({});
    setFailure(null);
  };
  const turn = (next: Tab) => {
    setTab(next);
    if (shown) writeAddress(shown.request.text, values, next);
  };

  return (
    <div class="console">
      <SideBar state={state} onQuery={choose} onInsert={(part) => editor.current?.insert(part)} />
      <div class="work">
        {state.off && <p class="error off" role="alert">The console is off: {state.off}.</p>}
        <Editor state={state} first={text} onRun={runFirst} onChange={setText} onReady={(handle) => (editor.current = handle)} />
        <Parameters text={text} values={values} onChange={setValues} />
        <div class="bar">
          <button class="run" disabled={Boolean(running || state.off)} onClick={runFirst}>Run</button>
          <button disabled={!running} onClick={() => running?.abort()}>Cancel</button>
          <label>
            Time limit{" "}
            <select name="seconds" value={seconds} onChange={(event) => setSeconds(Number(event.currentTarget.value))}>
              {[state.limits.seconds, 120, state.limits.most_seconds].map((value) => (
                <option key={value} value={value}>{value} s</option>
              ))}
            </select>
          </label>
          <small>Ctrl+Enter runs the query; it only reads the graph.</small>
          {running && <span role="status" class="running">Running…</span>}
        </div>
        {note && <p class="note" role="status">{note}</p>}
        {failure && (
          <p class="error failure" role="alert">
            {failure.message}{" "}
            {failure.place && (
              <button onClick={() => failure.place && editor.current?.goTo(failure.place)}>
                Go to line {failure.place.line}, column {failure.place.column}
              </button>
            )}
          </p>
        )}
        {shown && (
          <Results
            answer={shown.answer} limit={shown.request.rows} most={state.limits.most_rows} tab={tab} onTab={turn}
            onRaise={(rows) => void run({ ...shown.request, rows })}
          />
        )}
        {!shown && !failure && !running && !note && (
          <p class="note empty">
            Write a query, or choose a named one on the left. A query in the address of this page waits here until you run it.
          </p>
        )}
      </div>
    </div>
  );
}

// Values of parameters in the address: `p.limit=5`.
function readValues(given: URLSearchParams): Record<string, string> {
  const own = [...given].filter(([name]) => name.startsWith("p."));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(2), value]));
}

// Puts the query into the address; false if it is too long for one.
function writeAddress(query: string, values: Record<string, string>, tab: Tab): boolean {
  const parts = new URLSearchParams({ q: query });
  for (const name of findParameters(query)) if (values[name]) parts.set(`p.${name}`, values[name]);
  if (tab !== "table") parts.set("tab", tab);
  const address = `${location.pathname}?${parts}`;
  const fits = address.length <= LONGEST_ADDRESS;
  history.replaceState(null, "", fits ? address : location.pathname);
  return fits;
}

const root = document.getElementById("page");
if (root) render(<CypherPage />, root);
