// Filters and weights; changes follow at once in picture and table.
import { NAMES, type Weights } from "./score";
import type { Choice } from "./state";

interface Props {
  choice: Choice;
  weights: Weights;
  highest: number;
  labelled: boolean;
  onChange: (choice: Choice) => void;
}

export function Filters({ choice, weights, highest, labelled, onChange }: Props) {
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
          name="section" label="Mentioned in" value={choice.section}
          values={{ "": "any section", I: "introduction", M: "methods", R: "results", D: "discussion", other: "other sections" }}
          onChange={(section) => onChange({ ...choice, section })}
        />
        {labelled ? (
          <Options
            name="facet" label="Cited for" value={choice.facet}
            values={{ "": "anything", background: "background", method: "methods", result: "results" }}
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
      </fieldset>
      <fieldset>
        <legend>Weights of importance</legend>
        {Object.keys(weights).length === 0 && (
          <p class="note">Nothing is scored: run <code>platform score</code>.</p>
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
        {changed && (
          <button type="button" onClick={() => onChange({ ...choice, weights })}>
            Weights of the run again
          </button>
        )}
      </fieldset>
    </form>
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
