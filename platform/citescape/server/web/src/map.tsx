// The map: of the explorer, or in one file with its data, as `platform map` writes it.
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useAddress } from "./address";
import { call, communityAddress, paperAddress, readJson, request, ServerError } from "./api";
import { Header } from "./header";
import { embedded } from "./map/embedded";
import { searchTitles, type Source } from "./map/source";
import { MapView } from "./map/view";
import "./site.css";

// Matches of the graph that are looked for on the map, besides the titles of the map itself.
const SEEN = 500;

interface Run {
  run: string;
  level: string;
  papers: number;
  topics: number;
  started: string;
  drawn: boolean;
}

function makeSource(run: string): Source {
  const file = async (name: string) => (await request(`/api/map/${name}${run && `?run=${encodeURIComponent(run)}`}`)).arrayBuffer();
  return {
    run,
    readPoints: () => file("points"),
    readTexts: () => file("texts"),
    // Words of titles, and words of authors, journals and years among the first matches of the graph.
    search: async (text, points, texts, signal) => {
      const found = await call("find", { text, limit: SEEN }, signal);
      const rows = found.papers.map(({ id }) => texts.row(id)).filter((row) => row >= 0);
      return { rows: [...new Set([...rows, ...searchTitles(text, points, texts).rows])], inGraph: found.matches };
    },
    paperAddress,
    communityAddress,
    cypherAddress: (query) => `/cypher?q=${encodeURIComponent(query)}`,
    readAddress: () => new URLSearchParams(location.search),
    writeAddress: (text) => history.replaceState(null, "", `${location.pathname}${text ? `?${text}` : ""}`),
  };
}

const readRun = (): string => new URLSearchParams(location.search).get("run") ?? "";

function MapPage() {
  const [runs, setRuns] = useState<Run[]>([]);
  // empty for the latest
  const [chosen, setChosen] = useAddress(
    readRun,
    // The map writes the other parts of its address; another map begins without them.
    (run) => run === readRun() ? location.pathname + location.search : `${location.pathname}?run=${encodeURIComponent(run)}`,
    (run) => run,
  );
  const [isEmpty, setEmpty] = useState(false);
  const [message, setMessage] = useState("");
  const source = useMemo(() => makeSource(chosen), [chosen]);
  const drawn = runs.filter((run) => run.drawn);
  useEffect(() => {
    if (isEmpty) document.body.dataset["ready"] = "empty";
  }, [isEmpty]);
  const listRuns = async () => {
    try {
      setRuns(await readJson<Run[]>(await request("/api/map/runs")));
    } catch (error) {
      setMessage(error instanceof ServerError ? error.message : "No answer.");
    }
  };

  return (
    <>
      <Header page="map" />
      <main>
        <h1 class="unseen">Map of papers</h1>
        {message && <p class="error" role="alert">{message}</p>}
        {drawn.length > 1 && (
          <label class="map-runs">
            Map
            <select name="run" value={chosen || drawn[0]!.run} onChange={(event) => setChosen(event.currentTarget.value)}>
              {drawn.map((run) => <option key={run.run} value={run.run}>{describe(run)}</option>)}
            </select>
          </label>
        )}
        {isEmpty
          ? <Empty isOld={runs.length > 0} />
          : <MapView key={chosen} source={source} onReady={listRuns} onEmpty={() => listRuns().then(() => setEmpty(true))} />}
      </main>
    </>
  );
}

const describe = ({ level, papers, topics, started }: Run): string =>
  `${papers.toLocaleString("en")} papers, ${topics.toLocaleString("en")} topics (${level}), ${new Date(started).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}`;

function Empty({ isOld }: { isOld: boolean }) {
  if (isOld) {
    return <p>The maps of this graph are of an earlier version: draw one with <code>platform map</code>.</p>;
  }
  return (
    <>
      <p>This graph has no map yet. Three commands draw one:</p>
      <ol>
        <li><code>platform cluster</code> finds communities of related papers.</li>
        <li><code>platform topics</code> names them.</li>
        <li><code>platform map</code> places the papers.</li>
      </ol>
    </>
  );
}

const root = document.getElementById("page");
if (root) {
  render(embedded ? <main><h1>{document.title}</h1><MapView source={embedded} /></main> : <MapPage />, root);
}
