// Name, search, links to the pages and state of the graph; on every page.
import { useEffect, useRef, useState } from "preact/hooks";
import { call, type GraphState, type Paper, paperAddress, readState, refresh, type Search, ServerError } from "./api";
import { Badge } from "./badges";
import { formatCount, formatTime, shortName } from "./format";

const PAUSE_MS = 120;
const SLOW_MS = 400;
const SHORTEST = 2;
const LISTED = 8;

const LINKS: Record<string, [string, string]> = {
  home: ["/", "Search"],
  related: ["/related", "Related"],
  check: ["/check", "Check"],
  communities: ["/communities", "Communities"],
  map: ["/map", "Map"],
  recommend: ["/recommend", "Recommend"],
  cypher: ["/cypher", "Cypher"],
};

export function Header({ page }: { page: string }) {
  return (
    <header class="site">
      <a class="name" href="/">citescape</a>
      <SearchBox />
      <nav aria-label="Pages">
        {Object.entries(LINKS).map(([name, [address, text]]) => (
          <a key={name} href={address} aria-current={page === name ? "page" : undefined}>{text}</a>
        ))}
        <ThemeButton />
      </nav>
      <StateBar />
    </header>
  );
}

const THEMES: Record<string, string> = { "": "Theme: as the system", light: "Theme: light", dark: "Theme: dark" };

function ThemeButton() {
  const [theme, setTheme] = useState(localStorage.getItem("theme") ?? "");
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem("theme", theme);
  }, [theme]);
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(theme) + 1) % names.length] ?? "";
  return (
    <button class="theme" onClick={() => setTheme(next)} aria-label={THEMES[theme]} title={THEMES[theme]}>◐</button>
  );
}

// Which state of the graph the pages show; a new snapshot on request.
function StateBar() {
  const [state, setState] = useState<GraphState | null>(null);
  const [message, setMessage] = useState("");
  useEffect(() => {
    readState().then(setState).catch((error) => setMessage(error instanceof ServerError ? error.message : "No answer."));
  }, []);
  const renew = async () => {
    setMessage("Taking a new snapshot…");
    try {
      await refresh();
      location.reload();
    } catch (error) {
      setMessage(error instanceof ServerError ? error.message : "No answer.");
    }
  };
  if (!state && !message) return null;
  const taken = state?.taken ? new Date(state.taken) : null;
  return (
    <p class="state" role="status">
      {state?.store}
      {taken && <> as of <time dateTime={taken.toISOString()}>{formatTime(taken)}</time></>}
      {state?.gone && ". The file is gone; this is its last snapshot."}
      {state?.changed && !state.gone && ". The store has changed since."}{" "}
      {taken && !state?.gone && <button onClick={renew}>New snapshot</button>} {message}
    </p>
  );
}

// What is below the field of the search.
interface Listing {
  papers: Paper[];
  // place of the paper that Enter opens; -1 for the first
  chosen: number;
  message: string;
}

const CLOSED: Listing = { papers: [], chosen: -1, message: "" };
const SEARCHING: Listing = { ...CLOSED, message: "Searching…" };

function list({ matches, papers }: Search): Listing {
  if (!matches) return { ...CLOSED, message: "No paper matches." };
  const isCut = papers.length < matches;
  return {
    papers, chosen: -1,
    message: isCut ? `${papers.length} of ${formatCount(matches, "match", "matches")}: add words to see others.` : "",
  };
}

export function SearchBox({ text: given = "" }: { text?: string }) {
  const [text, setText] = useState(given);
  const [listing, setListing] = useState(CLOSED);
  const { papers, chosen, message } = listing;
  const [attempt, setAttempt] = useState(0);
  const last = useRef<AbortController | null>(null);
  // Enter was pressed before the answer came.
  const isWaiting = useRef(false);

  // The list is always that of the text: Enter never opens a paper of an earlier one.
  useEffect(() => {
    last.current?.abort();
    setListing(CLOSED);
    if (text.trim().length < SHORTEST) return;
    const now = new AbortController();
    last.current = now;
    const timer = setTimeout(async () => {
      try {
        const found = await call("find", { text, limit: LISTED }, now.signal);
        if (now.signal.aborted) return;
        const first = found.papers[0];
        if (isWaiting.current && first) location.href = paperAddress(first.id);
        isWaiting.current = false;
        setListing(list(found));
      } catch (error) {
        if (now.signal.aborted) return;
        setListing({ ...CLOSED, message: error instanceof ServerError ? error.message : "No answer." });
      } finally {
        clearTimeout(slow);
      }
    }, PAUSE_MS);
    const slow = setTimeout(() => !now.signal.aborted && setListing(SEARCHING), SLOW_MS);
    return () => [timer, slow].forEach(clearTimeout);
  }, [text, attempt]);

  const close = () => {
    last.current?.abort();
    isWaiting.current = false;
    setListing(CLOSED);
  };
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onPointer = (event: PointerEvent) => {
      if (!whole.current?.contains(event.target as Node)) close();
    };
    document.addEventListener("pointerdown", onPointer);
    return () => document.removeEventListener("pointerdown", onPointer);
  }, []);
  // The list of a text comes back after it was closed.
  const reopen = () => {
    if (last.current?.signal.aborted) setAttempt((now) => now + 1);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step && papers.length) {
      const from = chosen < 0 && step < 0 ? 0 : chosen; // up from the field is the last
      setListing({ ...listing, chosen: (from + step + papers.length) % papers.length });
      event.preventDefault();
    } else if (event.key === "Escape") {
      close();
    } else if (event.key === "Enter") {
      const paper = papers[Math.max(chosen, 0)];
      if (paper) {
        location.href = paperAddress(paper.id);
      } else if (listing === CLOSED || listing === SEARCHING) {
        isWaiting.current = true;
        reopen();
      }
    }
  };

  return (
    <div class="search" role="search" ref={whole}>
      <input
        type="search"
        role="combobox"
        aria-label="Search papers by title, author, year or DOI"
        aria-expanded={papers.length > 0}
        aria-controls={papers.length > 0 ? "found" : undefined}
        aria-activedescendant={chosen >= 0 ? `found-${chosen}` : undefined}
        placeholder="Title, author, year or DOI"
        value={text}
        onInput={(event) => {
          isWaiting.current = false;
          setListing(CLOSED); // now, not after the page is drawn: Enter may be the next key
          setText(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onFocus={reopen}
      />
      <div class="listing">
        {papers.length > 0 && (
          <ul id="found" role="listbox" aria-label="Papers found">
            {papers.map((paper, place) => (
              <li role="presentation" key={paper.id}>
                <a id={`found-${place}`} role="option" aria-selected={place === chosen} href={paperAddress(paper.id)} tabIndex={-1}>
                  <b>{paper.title ?? paper.id}</b> <Badge work={paper} />{" "}
                  <small>
                    {paper.authors || shortName(paper)} {paper.year} · cited by {(paper.cited_by ?? 0) + (paper.cited_by_others ?? 0)}
                    {paper.fulltext && " · full text"}
                  </small>
                </a>
              </li>
            ))}
          </ul>
        )}
        <p role="status">{message}</p>
      </div>
    </div>
  );
}
