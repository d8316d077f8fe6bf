// A citation: the terms of its score, a bar of its sections, and the sentences behind it.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Citation, type Explanation, ServerError } from "./api";
import { NoticeCard } from "./badges";
import { formatCount, formatScore } from "./format";
import { NAMES, score, type Weights } from "./score";
import { SectionBar } from "./sections";
import { useSource } from "./source";

interface Props {
  citation: Citation;
  // weights that are tried in place of those of the run
  weights?: Weights | undefined;
  onClose: () => void;
}

export function EdgeCard({ citation, weights, onClose }: Props) {
  const [found, setFound] = useState<Explanation | null>(null);
  const [message, setMessage] = useState("");
  const { explain } = useSource();
  const card = useRef<HTMLElement>(null);
  // A citation far down in the table opens a card above it.
  useEffect(() => card.current?.scrollIntoView({ block: "nearest" }), [found]);

  useEffect(() => {
    const now = new AbortController();
    setFound(null);
    setMessage("");
    explain(citation.citing, citation.cited, now.signal)
      .then(setFound)
      .catch((error) => {
        if (!now.signal.aborted) setMessage(error instanceof ServerError ? error.message : "No answer.");
      });
    return () => now.abort();
  }, [citation]);

  return (
    <section class="card" aria-label="Citation" ref={card} data-ready={found ? "card" : undefined}>
      <button class="close" onClick={onClose} aria-label="Close the citation">×</button>
      {message && <p class="error" role="alert">{message}</p>}
      {!found && !message && <p>Reading…</p>}
      {found && <Explained found={found} citation={citation} weights={weights} />}
    </section>
  );
}

function Terms({ found, weights }: { found: Explanation; weights: Weights | undefined }) {
  const learned = found.terms[0]?.weight === null;
  return (
    <table class="terms">
      <caption>Terms of the score ({weights ? "your weights" : found.run})</caption>
      <thead>
        <tr><th>term</th><th>value</th>{!learned && <th>weight</th>}<th>{learned ? "adds" : "product"}</th></tr>
      </thead>
      <tbody>
        {found.terms.map((term) => {
          const weight = weights?.[term.component] ?? term.weight;
          return (
            <tr key={term.component} title={term.doc}>
              <td>{term.component.replaceAll("_", " ")} <small>{NAMES[term.component] ?? term.doc}</small></td>
              <td>{term.value === null ? "" : Number(term.value.toFixed(2))}</td>
              {!learned && <td>{(weight ?? 0).toFixed(4)}</td>}
              <td>{(weight === null || term.value === null ? term.product : term.value * weight).toFixed(4)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Explained({ found, citation, weights }: { found: Explanation; citation: Citation; weights: Weights | undefined }) {
  const { link } = useSource();
  const own = weights && score(citation, weights);
  return (
    <>
      <h2>Importance {formatScore(weights ? own ?? null : found.score)}</h2>
      {weights && <p class="note">With your weights; {formatScore(found.score)} with those of the run.</p>}
      <p>
        <a {...link(found.citing.id)}>{found.citing.title || found.citing.id}</a> cites{" "}
        <a {...link(found.cited.id)}>{found.cited.title || found.cited.id}</a>
      </p>
      <NoticeCard notice={found.notice} />
      <SectionBar label="Mentions" count={(section) => citation[`f_${section}`]} />
      {found.terms.length > 0 && <Terms found={found} weights={weights} />}
      {found.question && !weights && <p class="note">Question: {found.question}</p>}
      {found.shared_authors.length > 0 && <p>Shared authors: {found.shared_authors.join(", ")}</p>}
      {found.notes.map((note) => <p class="note" key={note}>{note}</p>)}
      <h3>{formatCount(found.occurrences.length, "sentence")}</h3>
      <ol class="sentences">
        {found.occurrences.map((mention, place) => (
          <li key={place}>
            <small>
              <b>{mention.type}</b> {mention.section || "untitled section"}
              {mention.position === null ? "" : `, at ${Math.round(100 * mention.position)}% of the text`}
              {mention.intents?.length ? `, intent: ${mention.intents.join(" and ")}` : ""}
              {found.terms.length > 0 && mention.counts_in.length === 0 ? ", not counted" : ""}
            </small>
            <blockquote>{mention.context}</blockquote>
          </li>
        ))}
      </ol>
    </>
  );
}
