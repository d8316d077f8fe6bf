// Filters and weights; changes follow at once in picture and table.
import { useState } from "preact/hooks";
import { NAMES, type Weights } from "./score";
import { SECTIONS } from "./sections";
import { type Choice, INTENTS } from "./state";

interface Props {
  choice: Choice;
  weights: Weights;
  // whether the citations have scores; learned ones have no weights
  scored: boolean;
  highest: number;
  labelled: boolean;
  // types of the papers around
  types: string[];
  onChange: (choice: Choice) => void;
  // scores the whole store with other weights; missing where that is not possible
  onSave?: (weights: Weights) => Promise<string>;
}

// In Chromium the drag of a slider ends when a child of its fieldset comes or goes, be it an empty text:
// the sliders' fieldsets therefore have the same children whatever is chosen.
export function Filters({ choice, weights, scored, highest, labelled, types, onChange, onSave }: Props) {
  const changed = Object.keys(weights).some((name) => choice.weights[name] !== weights[name]);
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <fieldset>
        <legend>Citations shown</legend>
        <label>
          Minimum importance <output>{choice.min.toFixed(2)}</output>
          <input
            type="range" name="min" min="0" max={highest || 1} step="0.01" value={choice.min}
            onInput={(event) => onChange({ ...choice, min: Number(event.currentTarget.value) })}
          />
        </label>
        <Options
          name="dir" label="Citations" value={choice.dir}
          values={{ both: "all", references: "its references", citing: "by papers that cite it" }}
          onChange={(dir) => onChange({ ...choice, dir })}
        />
        <Options
          name="section" label="Mentioned in" value={choice.section}
          values={{ "": "any section", ...SECTIONS }}
          onChange={(section) => onChange({ ...choice, section })}
        />
        {labelled ? (
          <Options
            name="facet" label="Cited for" value={choice.facet}
            values={{ "": "anything", ...INTENTS }}
            onChange={(facet) => onChange({ ...choice, facet })}
          />
        ) : (
          <p class="note">Intents are missing: run <code>platform text intents label</code>.</p>
        )}
        <Options
          name="self" label="Self-citations" value={choice.self}
          values={{ include: "shown", exclude: "hidden", only: "alone" }}
          onChange={(self) => onChange({ ...choice, self })}
        />
        {(labelled || choice.by !== "importance") && (
          <Options
            name="by" label="Width and colour by" value={choice.by}
            values={{ importance: "importance", background: "mentions for background", method: "mentions for methods", result: "mentions for results" }}
            onChange={(by) => onChange({ ...choice, by })}
          />
        )}
        <Years value={choice.years} onChange={(years) => onChange({ ...choice, years })} />
        {Boolean(types.length > 1 || choice.type) && (
          <Options
            name="type" label="Type of paper" value={choice.type}
            values={{
              "": "any type", ...Object.fromEntries(types.map((type) => [type, type])),
              ...(choice.type && !types.includes(choice.type) ? { [choice.type]: `${choice.type} (none here)` } : {}),
            }}
            onChange={(type) => onChange({ ...choice, type })}
          />
        )}
      </fieldset>
      <fieldset>
        <legend>Weights of importance</legend>
        {Object.keys(weights).length === 0 && (
          <p class="note">
            {scored ? "These scores are learned from labels: they have no weights to try." : (
              <>Nothing is scored: run <code>platform score</code>.</>
            )}
          </p>
        )}
        {Object.entries(choice.weights).map(([name, value]) => (
          <label key={name}>
            {name} <small>{NAMES[name]}</small> <output>{value.toFixed(3)}</output>
            <input
              type="range" name={`weight-${name}`} min="0" max="1" step="0.005" value={value}
              onInput={(event) => {
                const own = { ...choice.weights, [name]: Number(event.currentTarget.value) };
                onChange({ ...choice, weights: own });
              }}
            />
          </label>
        ))}
        <div>
          {changed && (
            <button type="button" onClick={() => onChange({ ...choice, weights })}>
              Weights of the run again
            </button>
          )}
          {changed && onSave && <SaveButton onSave={() => onSave(choice.weights)} />}
        </div>
      </fieldset>
    </form>
  );
}

function Years({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [first = "", last = ""] = value.split("-");
  const field = (label: string, year: string, write: (year: string) => string) => (
    <input
      type="number" min="1000" max="2999" aria-label={label} placeholder={label.slice(0, 5)} value={year}
      onChange={(event) => onChange(write(event.currentTarget.value))}
    />
  );
  return (
    <fieldset class="years">
      <legend>Years of the papers around</legend>
      {field("First year", first, (year) => `${year}-${last}`)} to {field("Last year", last, (year) => `${first}-${year}`)}
    </fieldset>
  );
}

// Asks once more, because the scores of the store are replaced.
function SaveButton({ onSave }: { onSave: () => Promise<string> }) {
  const [step, setStep] = useState<"" | "ask" | "work">("");
  const [message, setMessage] = useState("");
  const save = async () => {
    setStep("work");
    setMessage("Scoring all citations of the store…");
    setMessage(await onSave());
    setStep("");
  };
  return (
    <>
      {step === "" && <button type="button" onClick={() => setStep("ask")}>Save as run…</button>}
      {step === "ask" && (
        <p>
          All citations of the store get scores with these weights, in place of the present ones.{" "}
          <button type="button" onClick={save}>Score the store</button>{" "}
          <button type="button" onClick={() => setStep("")}>Cancel</button>
        </p>
      )}
      {message && <p role="status">{message}</p>}
    </>
  );
}

interface OptionsProps<Value extends string> {
  name: string;
  label: string;
  value: Value;
  values: Record<Value, string>;
  onChange: (value: Value) => void;
}

function Options<Value extends string>({ name, label, value, values, onChange }: OptionsProps<Value>) {
  return (
    <label>
      {label}{" "}
      <select name={name} value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {(Object.entries(values) as [Value, string][]).map(([key, text]) => (
          <option key={key} value={key}>{text}</option>
        ))}
      </select>
    </label>
  );
}
