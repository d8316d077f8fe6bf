// Colours, legend, years, and how the map was made.
import { useState } from "preact/hooks";
import { type Entry, type Legend, titleOf } from "./colors";
import type { Points } from "./data";
import type { Choice } from "./state";

const FIRST_ENTRIES = 14;

interface Props {
  points: Points;
  choice: Choice;
  legend: Legend;
  levels: string[];
  onChange: (choice: Choice) => void;
}

export function Panel({ points, choice, legend, levels, onChange }: Props) {
  return (
    <form class="map-panel" onSubmit={(event) => event.preventDefault()} aria-label="Colours and filters">
      <label>
        Colour
        <select name="color" value={choice.color} onChange={(event) => onChange({ ...choice, color: event.currentTarget.value, only: [] })}>
          <optgroup label="Community">
            {levels.map((name) => <option key={name} value={name}>{titleOf(points, name)}</option>)}
          </optgroup>
          {(["topics", "papers"] as const).map((of) => {
            const overlays = points.header.overlays.filter((overlay) => overlay.of === of);
            return overlays.length > 0 && (
              <optgroup key={of} label={of === "topics" ? "Of the community" : "Of the paper"}>
                {overlays.map(({ name, title }) => <option key={name} value={name}>{title}</option>)}
              </optgroup>
            );
          })}
        </select>
      </label>
      <Entries choice={choice} legend={legend} onChange={onChange} />
      <Years points={points} choice={choice} onChange={onChange} />
      {points.header.left_out.length > 0 && (
        <details>
          <summary>Colours left out</summary>
          <ul>
            {points.header.left_out.map(({ title, reason }) => <li key={title}><b>{title}</b>: {reason}.</li>)}
          </ul>
        </details>
      )}
      <details>
        <summary>How this map was made</summary>
        <ul>{points.header.how.map((line) => <li key={line}>{line}.</li>)}</ul>
        <p>
          A flat map cannot keep all neighbours, so distances between far regions mean little. Labels are
          at the middle of the papers of a community, moved where they would hide dots.
        </p>
      </details>
    </form>
  );
}

function Entries({ choice, legend, onChange }: { choice: Choice; legend: Legend; onChange: (choice: Choice) => void }) {
  const [isLong, setLong] = useState(false);
  const entries = isLong ? legend.entries : legend.entries.slice(0, FIRST_ENTRIES);
  const chosen = choice.selection && "community" in choice.selection ? choice.selection.community : "";
  const isPressed = ({ key, community }: Entry) => community ? community.name === chosen : choice.only.includes(key);
  const press = (entry: Entry) => {
    const { key, community } = entry;
    if (community) onChange({ ...choice, selection: isPressed(entry) ? null : { community: community.name } });
    else onChange({ ...choice, only: isPressed(entry) ? choice.only.filter((other) => other !== key) : [...choice.only, key] });
  };
  const isFiltered = legend.entries.some(isPressed);
  return (
    <section class="map-legend" aria-label="Legend">
      <p class="note">{legend.hint}</p>
      <ul class={isFiltered ? "filtered" : ""}>
        {entries.map((entry) => (
          <li key={entry.key}>
            <button type="button" aria-pressed={isPressed(entry)} onClick={() => press(entry)} title={entry.community?.terms?.join(", ")}>
              <svg width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="5.5" fill={entry.color} /></svg>
              <span class={entry.community && !entry.community.label ? "unnamed" : ""}>{entry.text}</span>
              <small>{entry.papers.toLocaleString("en")}</small>
            </button>
          </li>
        ))}
      </ul>
      {legend.entries.length > FIRST_ENTRIES && (
        <button type="button" class="quiet" onClick={() => setLong(!isLong)}>
          {isLong ? "Fewer" : `All ${legend.entries.length.toLocaleString("en")}`}
        </button>
      )}
      <p class="note">Click to show these papers alone; the number counts papers.</p>
    </section>
  );
}

function Years({ points, choice, onChange }: { points: Points; choice: Choice; onChange: (choice: Choice) => void }) {
  const [first, last] = points.years;
  if (!(last > first)) return null;
  const [from, to] = choice.years ?? [first, last];
  const set = (low: number, high: number) => {
    const isWhole = low <= first && high >= last;
    onChange({ ...choice, years: isWhole ? null : [low, high] });
  };
  return (
    <fieldset class="map-years">
      <legend>Years <output>{from === to ? from : `${from} to ${to}`}</output></legend>
      <label>
        from
        <input type="range" name="from" min={first} max={last} value={from} onInput={(event) => set(Math.min(Number(event.currentTarget.value), to), to)} />
      </label>
      <label>
        to
        <input type="range" name="to" min={first} max={last} value={to} onInput={(event) => set(from, Math.max(Number(event.currentTarget.value), from))} />
      </label>
    </fieldset>
  );
}
