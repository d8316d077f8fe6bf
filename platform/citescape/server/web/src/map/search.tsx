// Search: matches are highlighted on the map, the first ones listed.
import type { Ref } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatCount } from "../format";
import { type Points, Texts } from "./data";
import type { Found } from "./source";
import type { Choice } from "./state";

const LISTED = 6;
const SHORTEST = 2;

interface Props {
  field: Ref<HTMLInputElement>;
  choice: Choice;
  found: Found | null;
  points: Points;
  texts: Texts | null;
  shown: Uint8Array;
  onChange: (choice: Choice) => void;
  onFly: (row: number) => void;
}

export function SearchField({ field, choice, found, points, texts, shown, onChange, onFly }: Props) {
  const rows = found ? found.rows.filter((row) => shown[row]) : [];
  // Enter was pressed before the answer came.
  const isWaiting = useRef(false);
  useEffect(() => {
    if (isWaiting.current && rows[0] !== undefined) onFly(rows[0]);
    isWaiting.current = false;
  }, [found]);
  return (
    <div class="map-search" role="search" aria-label="Map">
      <input
        ref={field} type="search" name="q" aria-label="Search papers on the map" placeholder="Search papers on the map"
        value={choice.q} autocomplete="off" spellcheck={false}
        onInput={(event) => {
          isWaiting.current = false;
          onChange({ ...choice, q: event.currentTarget.value });
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          if (found && rows[0] !== undefined) onFly(rows[0]);
          else isWaiting.current = true;
        }}
      />
      {choice.q.trim().length >= SHORTEST && (
        <p class="note" role="status">{found ? describe(found, rows.length) : "Searching…"}</p>
      )}
      {texts && rows.length > 0 && (
        <ul class="map-found" aria-label="Papers found">
          {rows.slice(0, LISTED).map((row) => (
            <li key={row}>
              <button type="button" onClick={() => onFly(row)} dir="auto">
                {texts.title(row)} <small>{points.year[row] || ""}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function describe(found: Found, shown: number): string {
  if (found.error) return found.error;
  if (!found.rows.length && !found.inGraph) return "No paper matches.";
  const others = found.inGraph ? `; ${found.inGraph.toLocaleString("en")} in the whole graph` : "";
  return `${formatCount(shown, "paper")} on the map${others}.`;
}
