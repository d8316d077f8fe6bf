// The citation network in a notebook: an ESM module for anywidget, linked to the traits of
// `EdgeExplorer` (`explore/notebook/widget.py`). What it needs is in the traits, so that it works in a saved
// notebook too; only the sentences of further citations come from the kernel.
import { render as draw } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Citation, type Explanation, type Neighbourhood, ServerError } from "./api";
import { EdgeCard } from "./card";
import { Edges } from "./edges";
import { Filters } from "./filters";
import { formatCount } from "./format";
import { Legend, Network } from "./network";
import { COLUMNS, NAMES, type Weights } from "./score";
import { type Source, SourceContext } from "./source";
import { type Choice, edgeKey, listTypes, rankEdges } from "./state";
import { linkWork } from "./works";
import "./site.css";
import "./widget.css";

type Pair = [citing: string, cited: string];

interface Traits {
  network: Neighbourhood;
  explanations: Explanation[];
  selected: Pair[];
  weights: Weights;
  min_importance: number;
  facet: Choice["facet"];
  section: Choice["section"];
  self_citations: Choice["self"];
  direction: Choice["dir"];
  years: string;
  type: string;
  saved_as: string;
}

// Part of anywidget's model that is used.
interface Model {
  get<Name extends keyof Traits>(name: Name): Traits[Name];
  set<Name extends keyof Traits>(name: Name, value: Traits[Name]): void;
  save_changes(): void;
  send(content: unknown): void;
  on(event: string, callback: (content: Answer) => void): void;
  off(event: string, callback: (content: Answer) => void): void;
}

// Said of a pair: its reasons are in the traits now, or an error.
interface Answer {
  citing: string;
  cited: string;
  error?: string;
}

const WAIT_MS = 2500;
const NO_KERNEL =
  "The sentences of this citation are not stored in the notebook, and the kernel does not answer: it is busy, or the cell must run again.";

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const root = document.createElement("div");
  root.className = "citescape-widget";
  root.dataset["lmSuppressShortcuts"] = "true"; // keys are not commands of JupyterLab
  el.append(root);
  draw(
    <SourceContext.Provider value={connect(model)}>
      <Explorer model={model} />
    </SourceContext.Provider>,
    root,
  );
  return () => {
    draw(null, root);
    root.remove();
  };
}

export default { render };

function connect(model: Model): Source {
  return { explain: (citing, cited, signal) => explain(model, citing, cited, signal), link: linkWork };
}

function explain(model: Model, citing: string, cited: string, signal: AbortSignal): Promise<Explanation> {
  const stored = () =>
    model.get("explanations").find((found) => found.citing.id === citing && found.cited.id === cited);
  const known = stored();
  if (known) return Promise.resolve(known);
  return new Promise((resolve, reject) => {
    const onAnswer = (answer: Answer) => {
      if (answer.citing !== citing || answer.cited !== cited) return;
      stop();
      const found = stored();
      if (found) resolve(found);
      else reject(new ServerError(answer.error ?? "No answer."));
    };
    const stop = () => {
      clearTimeout(timer);
      model.off("msg:custom", onAnswer);
    };
    const timer = setTimeout(() => {
      stop();
      resolve(computeTerms(model.get("network"), citing, cited));
    }, WAIT_MS);
    signal.addEventListener("abort", stop);
    model.on("msg:custom", onAnswer);
    model.send({ citing, cited });
  });
}

// The reasons of a citation as far as the network has them: the terms of its score.
function computeTerms(network: Neighbourhood, citing: string, cited: string): Explanation {
  const titles = new Map(network.papers.map((paper) => [paper.id, paper.title ?? ""]));
  const citation = network.citations.find((one) => one.citing === citing && one.cited === cited);
  const terms = Object.entries(network.weights).map(([component, weight]) => {
    const value = Number(citation?.[COLUMNS[component] as keyof Citation] ?? 0);
    return { component, doc: NAMES[component] ?? "", value, weight, product: weight * value };
  });
  const score = citation?.importance ?? null;
  return {
    citing: { id: citing, title: titles.get(citing) ?? "" },
    cited: { id: cited, title: titles.get(cited) ?? "" },
    score,
    terms: score === null ? [] : terms,
    occurrences: [],
    shared_authors: [],
    question: "",
    run: network.run,
    notes: [NO_KERNEL],
  };
}

// Draws again whenever a trait changes, in the picture or in Python.
function useTraits(model: Model): void {
  const [, redraw] = useState({});
  useEffect(() => {
    const onChange = () => redraw({});
    model.on("change", onChange);
    return () => model.off("change", onChange);
  }, [model]);
}

function Explorer({ model }: { model: Model }) {
  useTraits(model);
  const [closed, setClosed] = useState("");
  const [by, setBy] = useState<Choice["by"]>("importance");
  const found = model.get("network");
  const weights = model.get("weights");
  const selected = model.get("selected");
  const keys = selected.map(([citing, cited]) => edgeKey({ citing, cited }));
  const last = keys.at(-1) ?? "";
  const shownBy = {
    min: model.get("min_importance"), facet: model.get("facet"), section: model.get("section"),
    self: model.get("self_citations"), dir: model.get("direction"), years: model.get("years"), type: model.get("type"),
  };
  const choice: Choice = { edge: last === closed ? "" : last, ...shownBy, by, weights };
  const changed = Object.keys(found.weights).some((name) => weights[name] !== found.weights[name]);
  const edges = useMemo(() => rankEdges(found, choice, changed), [found, weights, ...Object.values(shownBy)]);
  const papers = useMemo(() => new Map(found.papers.map((paper) => [paper.id, paper])), [found]);
  const pairs = useMemo(
    () => new Map(found.citations.map(({ citing, cited }): [string, Pair] => [edgeKey({ citing, cited }), [citing, cited]])),
    [found],
  );
  const shown = useMemo(() => edges.filter((edge) => edge.shown), [edges]);
  const highest = edges[0]?.score ?? 0;
  const around = found.papers.length - found.seeds.length;
  const card = edges.find((edge) => edge.key === choice.edge);

  const save = (traits: Partial<Traits>) => {
    for (const [name, value] of Object.entries(traits)) model.set(name as keyof Traits, value as Traits[keyof Traits]);
    model.save_changes();
  };
  const select = (chosen: string[]) => {
    setClosed("");
    save({ selected: chosen.flatMap((key) => (pairs.has(key) ? [pairs.get(key) as Pair] : [])) });
  };
  const onSelect = (key: string, add: boolean) => {
    if (!add) select([key]);
    else select(keys.includes(key) ? keys.filter((own) => own !== key) : [...keys, key]);
  };
  const onChange = (next: Choice) => {
    setBy(next.by);
    save({
      min_importance: next.min, facet: next.facet, section: next.section, self_citations: next.self, direction: next.dir,
      years: next.years === "-" ? "" : next.years, type: next.type, weights: next.weights,
    });
  };

  return (
    <>
      <style>{`.${model.get("saved_as")} { display: none }`}</style>
      <p class="count">
        {found.seeds.map((id) => papers.get(id)?.title ?? id).join("; ")}:{" "}
        {around < found.neighbours
          ? `${around.toLocaleString("en")} of ${formatCount(found.neighbours, "paper")} around, the most important first. `
          : `${formatCount(around, "paper")} around. `}
        {formatCount(shown.length, "citation")} shown of {edges.length.toLocaleString("en")}, {keys.length.toLocaleString("en")} selected.{" "}
        <button onClick={() => select(shown.map(({ key }) => key).reverse())} disabled={shown.length === 0}>
          Select those shown
        </button>{" "}
        <button onClick={() => select([])} disabled={keys.length === 0}>Select none</button>
      </p>
      <div class="explorer">
        <Filters
          choice={choice} weights={found.weights} scored={found.run !== null} highest={highest}
          types={listTypes(found)} onChange={onChange}
          labelled={found.citations.some((citation) => citation.n_background !== null)}
        />
        <figure>
          <Network
            found={found} edges={edges} by={by} selected={choice.edge} marked={new Set(keys)} onSelect={onSelect}
          />
          <Legend found={found} edges={edges} by={by} changed={changed} />
        </figure>
        {card && <EdgeCard citation={card.citation} onClose={() => setClosed(last)} />}
      </div>
      <div class="rows">
        <Edges edges={shown} papers={papers} selected={choice.edge} marked={new Set(keys)} onSelect={onSelect} />
      </div>
    </>
  );
}
