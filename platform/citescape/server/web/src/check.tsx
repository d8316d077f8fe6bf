// The page of a reference list: what the graph knows of each reference, and what is missing.
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { paperAddress } from "./api";
import { Badge } from "./badges";
import { Cut, raise } from "./cut";
import { download, formatCount, formatScore, toCsv } from "./format";
import { Header } from "./header";
import { ReferenceBox } from "./reference-box";
import {
  addressOf, ask, type CheckAnswer, type CheckedReference, describe, keepTexts, type MissingWork, openPage,
  readTexts, type Texts,
} from "./references";
import { SectionBar, type SectionName, sectionNames, SECTIONS } from "./sections";
import { intentNames } from "./state";
import { DataTable } from "./table";
import "./site.css";
import "./references.css";
import "./check.css";

const PAGE = 100;
const MISSING = 20;

const KINDS: Record<string, { label: string; fits: (row: CheckedReference) => boolean }> = {
  all: { label: "All", fits: () => true },
  problems: { label: "To look at", fits: (row) => row.problems.some((problem) => problem !== "never cited") },
  found: { label: "Found", fits: (row) => row.paper !== null },
  "not-found": { label: "Not found", fits: (row) => row.paper === null },
  notice: { label: "Retracted or corrected", fits: (row) => row.notice !== null },
  title: { label: "Other title", fits: (row) => row.problems.includes("other title") },
  duplicate: { label: "Duplicate", fits: (row) => row.problems.some((problem) => problem.startsWith("duplicate")) },
  uncited: { label: "Never cited", fits: (row) => row.problems.includes("never cited") },
  unlisted: { label: "Not in the list", fits: (row) => row.problems.includes("not in the list") },
};

function CheckPage() {
  const [texts, setTexts] = useState<Texts | null>(readTexts);
  const [found, setFound] = useState<CheckAnswer | null>(null);
  const [message, setMessage] = useState("");
  // missing works at most
  const [limit, setLimit] = useState(MISSING);

  useEffect(() => {
    delete document.body.dataset["ready"];
    if (!texts) {
      document.body.dataset["ready"] = "empty";
      return;
    }
    const now = new AbortController();
    setMessage("");
    ask<CheckAnswer>("check", { texts, limit }, now.signal)
      .then((answer) => {
        setFound(answer);
        keepTexts(texts);
        document.body.dataset["ready"] = "check";
      })
      .catch((error) => {
        if (now.signal.aborted) return;
        setMessage(describe(error));
        document.body.dataset["ready"] = "error";
      });
    return () => now.abort();
  }, [texts, limit]);
  // Another list begins without the filter and the words of the last one.
  const open = (given: Texts) => {
    history.replaceState(null, "", addressOf(location.pathname, given) ?? location.pathname);
    setFound(null);
    setLimit(MISSING);
    setTexts(given);
  };

  const names = Object.keys(texts ?? {}).filter(Boolean);
  return (
    <>
      <Header page="check" />
      <main class="check">
        <h1>Check references{names.length > 0 && <>: {names.join(", ")}</>}</h1>
        <details class="change" open={!texts || Boolean(message)}>
          <summary>{texts ? "Another list" : "Give a reference list"}</summary>
          <ReferenceBox
            text={texts?.[""] ?? ""}
            actions={[
              { label: "Check the references", run: open },
              { label: "Find related papers", run: (given) => openPage("/related", given) },
            ]}
          />
        </details>
        {message && <p class="error" role="alert">{message}</p>}
        {texts && !found && !message && <p>Reading the graph…</p>}
        {found && texts && <Answer found={found} texts={texts} onMore={raise(limit, limit * 5, setLimit)} />}
      </main>
    </>
  );
}

interface AnswerProps {
  found: CheckAnswer;
  texts: Texts;
  // loads more missing works
  onMore: (() => void) | undefined;
}

function Answer({ found, texts, onMore }: AnswerProps) {
  const given = new URLSearchParams(location.search);
  const [kind, setKind] = useState(() => (given.get("show") ?? "") in KINDS ? String(given.get("show")) : "all");
  const [words, setWords] = useState(given.get("q") ?? "");
  const [shown, setShown] = useState(PAGE);
  useEffect(() => {
    const address = addressOf(location.pathname, texts) ?? location.pathname;
    const own = new URLSearchParams({ ...(kind === "all" ? {} : { show: kind }), ...(words ? { q: words } : {}) }).toString();
    history.replaceState(null, "", own ? `${address}${address.includes("?") ? "&" : "?"}${own}` : address);
  }, [kind, words, texts]);
  useEffect(() => {
    const open = () => document.querySelectorAll(".checked details").forEach((one) => one.setAttribute("open", ""));
    window.addEventListener("beforeprint", open);
    return () => window.removeEventListener("beforeprint", open);
  }, []);

  const rows = useMemo(() => {
    const fits = KINDS[kind]?.fits ?? (() => true);
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    return found.references.filter((row) => {
      const text = `${row.key} ${row.title} ${row.paper_title ?? ""} ${row.paper ?? ""}`.toLowerCase();
      return fits(row) && wanted.every((word) => text.includes(word));
    });
  }, [found, kind, words]);
  const withDraft = found.references.some((row) => row.cited !== null);

  return (
    <>
      <p class="count">
        {formatCount(found.references.length, "reference")}, {(found.counts["found"] ?? 0).toLocaleString("en")} found in the graph.
      </p>
      {!found.counts["found"] && <p class="note">None of these is in the graph. Load more papers with <code>platform ingest</code>.</p>}
      {found.notes.length > 0 && (
        <details class="notes" open={found.notes.length < 4}>
          <summary>{formatCount(found.notes.length, "note")} on the files</summary>
          <ul>{found.notes.map((note) => <li key={note}>{note}</li>)}</ul>
        </details>
      )}
      {!found.sections && <p class="note">Nothing is scored: run <code>platform score</code> for importance and sections.</p>}
      {!found.intents && <p class="note">Intents are missing: run <code>platform text intents label</code>.</p>}
      <div class="kinds" role="group" aria-label="References shown">
        {Object.entries(KINDS).map(([name, { label, fits }]) => {
          const count = found.references.filter(fits).length;
          if (!count && name !== "all") return null;
          return (
            <button key={name} aria-pressed={kind === name} onClick={() => { setKind(name); setShown(PAGE); }}>
              {label} <small>{count.toLocaleString("en")}</small>
            </button>
          );
        })}
        <input
          type="search" name="q" aria-label="Words of title or key" placeholder="Words of title or key" value={words}
          onInput={(event) => { setWords(event.currentTarget.value); setShown(PAGE); }}
        />
        <span class="save">
          <button onClick={() => saveCsv(rows)}>CSV</button>
          <button onClick={() => saveJson(found)}>JSON</button>
          <button onClick={() => window.print()}>Print</button>
        </span>
      </div>
      <section aria-label="References">
        <h2>References</h2>
        <p class="note">
          <Legend /> Importance is the sum over the citations that a work receives; mentions are those of all papers of the graph.
        </p>
        {rows.length === 0 && <p>No reference fits.</p>}
        <ol class="checked">
          {rows.slice(0, shown).map((row, place) => <Reference key={place} row={row} withDraft={withDraft} />)}
        </ol>
        {rows.length > shown && (
          <p><Cut shown={shown} all={rows.length} one="reference" onMore={() => setShown(shown + 5 * PAGE)} /></p>
        )}
      </section>
      <Missing found={found} onMore={onMore} />
    </>
  );
}

function Reference({ row, withDraft }: { row: CheckedReference; withDraft: boolean }) {
  return (
    <li>
      <div class="head">
        <b>{row.key || "(no key)"}</b>{" "}
        {row.paper
          ? <a href={paperAddress(row.paper)}>{row.paper_title || row.title || row.paper}</a>
          : <span>{row.title}</span>}{" "}
        <small>{row.paper_year ?? row.year ?? ""} {row.how && `found by ${row.how === "title" ? "title" : row.how.toUpperCase()}`}</small>
      </div>
      {row.problems.map((problem) => <Problem key={problem} row={row} problem={problem} />)}
      {row.paper && (
        <div class="facts">
          <span>cited by {(row.cited_by ?? 0).toLocaleString("en")}</span>
          <span>importance {formatScore(row.importance)}</span>
          {row.self_share !== null && row.self_share > 0 && <span>{Math.round(100 * row.self_share)}% self-citations</span>}
          <Bar row={row} prefix="" label="others" />
          {withDraft && <Bar row={row} prefix="cited_" label="you" />}
          <Intents row={row} />
        </div>
      )}
      {row.use && <p class="use">{row.use[0]?.toUpperCase()}{row.use.slice(1)}.</p>}
      {row.sentences.length > 0 && (
        <details>
          <summary>{formatCount(row.sentences.length, "sentence")} of others</summary>
          {row.sentences.map((sentence, place) => (
            <div key={place}>
              <blockquote>{sentence.context}</blockquote>
              <small>
                <a href={paperAddress(sentence.citing)}>{sentence.title || sentence.citing}</a> {sentence.year};{" "}
                {sentence.section || SECTIONS[sentence.type as SectionName]}
                {sentence.intents?.length ? `; ${sentence.intents.join(" and ")}` : ""}; importance {formatScore(sentence.importance)}
              </small>
            </div>
          ))}
        </details>
      )}
    </li>
  );
}

function Problem({ row, problem }: { row: CheckedReference; problem: string }) {
  if (problem === "not found") {
    return (
      <p class="problem">
        Not found in the graph.
        {row.near.length > 0 && (
          <> Similar: {row.near.map((one) => (
            <span key={one.id}><a href={paperAddress(one.id)}>{one.title || one.id}</a> ({one.year ?? one.id}) </span>
          ))}</>
        )}
      </p>
    );
  }
  if (problem === row.notice) {
    const named = problem === "concern" ? "expression of concern" : problem;
    return <p class="problem notice">{named[0]?.toUpperCase()}{named.slice(1)}{row.notice_year ? ` in ${row.notice_year}` : ""}.</p>;
  }
  if (problem === "other title") {
    return <p class="problem">The {row.how?.toUpperCase()} is of another title. Given: “{row.title}”.</p>;
  }
  const words: Record<string, string> = {
    "never cited": "In the list, and never cited.",
    "not in the list": "Cited, and in no reference list.",
  };
  const text = words[problem] ?? problem.replace(/^duplicate: /, "Is ") + ".";
  return <p class="problem">{text}</p>;
}

function Bar({ row, prefix, label }: { row: CheckedReference; prefix: "" | "cited_"; label: string }) {
  const sum = sectionNames.reduce((total, section) => total + (row[`${prefix}${section}`] ?? 0), 0);
  if (!sum) return <span class="mentions">{label}: none</span>;
  return (
    <span class="mentions">
      {label} <SectionBar label={label} count={(section) => row[`${prefix}${section}`]} /> {sum}
    </span>
  );
}

function Intents({ row }: { row: CheckedReference }) {
  const said = intentNames.flatMap((name) => (row[name] ? [`${name} ${row[name]}`] : []));
  return said.length > 0 ? <span>{said.join(", ")}</span> : null;
}

function Legend() {
  return (
    <span class="legend">
      Mentions by section:{" "}
      {sectionNames.map((name) => (
        <span key={name}>
          <svg viewBox="0 0 10 10" aria-hidden="true"><rect class={`section-${name}`} width="10" height="10" /></svg> {SECTIONS[name]}{" "}
        </span>
      ))}
    </span>
  );
}

function Missing({ found, onMore }: { found: CheckAnswer; onMore: (() => void) | undefined }) {
  const basis = `${formatCount(found.near_papers, "paper cites", "papers cite")} ${found.overlap} or more of these references`;
  if (found.missing.length === 0) {
    return (
      <section aria-label="Missing works">
        <h2>Missing works</h2>
        <p class="note">None: {basis}, and no other work {found.support} times or more.</p>
      </section>
    );
  }
  return (
    <DataTable<MissingWork>
      title="Missing works" file="missing-works" rows={found.missing}
      note={
        <>
          Works that papers near this list cite beside these references, by the sum of the importance of those
          citations: {basis}. <Cut shown={found.missing.length} all={found.candidates} one="work" onMore={onMore} />
        </>
      }
      columns={[
        { name: "importance", label: "importance", isNumber: true, value: (work) => work.importance, show: (work) => formatScore(work.importance) },
        { name: "papers", label: "papers", isNumber: true, value: (work) => work.papers, help: "Papers near the list that cite it" },
        { name: "share", label: "share", isNumber: true, value: (work) => work.share, show: (work) => `${Math.round(100 * work.share)}%`, help: "Share of the papers near the list" },
        {
          name: "cosine", label: "co-citation", isNumber: true, value: (work) => work.cosine, show: (work) => work.cosine.toFixed(2),
          help: "Papers / square root of (papers near the list x papers that cite the work)",
        },
        {
          name: "title", label: "title", value: (work) => work.title,
          show: (work) => <><a href={paperAddress(work.id)}>{work.title || work.id}</a> <Badge work={work} /></>,
        },
        { name: "year", label: "year", isNumber: true, value: (work) => work.year },
        { name: "beside", label: "beside", value: (work) => work.beside.join(" "), show: (work) => <span title={work.why}>{work.beside.join(", ")}</span> },
        { name: "id", label: "id", value: (work) => work.id },
      ]}
    />
  );
}

const CSV: (keyof CheckedReference)[] = [
  "key", "file", "line", "title", "year", "paper", "how", "agreement", "paper_title", "paper_year", "notice", "notice_year",
  "cited_by", "importance", "self_share", "I", "M", "R", "D", "other", "background", "method", "result", "cited", "cited_I",
  "cited_M", "cited_R", "cited_D", "cited_other", "use",
];

function saveCsv(rows: CheckedReference[]): void {
  const cells = rows.map((row) => [...CSV.map((name) => row[name] as string | number | null), row.problems.join("; ")]);
  download("references.csv", new Blob([toCsv([...CSV, "problems"], cells)], { type: "text/csv" }));
}

function saveJson(found: CheckAnswer): void {
  download("references.json", new Blob([JSON.stringify(found, null, 1)], { type: "application/json" }));
}

const root = document.getElementById("page");
if (root) render(<CheckPage />, root);
