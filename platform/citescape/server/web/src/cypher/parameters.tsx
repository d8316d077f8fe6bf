// The `$parameters` of a query, with a field for each.
import type { Parameter } from "./console";

const SKIPPED = /\/\/.*|\/\*[^]*?(?:\*\/|$)|'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|`(?:[^`]|``)*`|\$(\w+)/g;
const DECLARED = /^\/\/ ?param (\w+)(?: \((papers?)\))?(?: = (.+?)| such as (.+?))?: (.*)$/gm;

// Names of the parameters in a query, not those in texts and comments.
export function findParameters(text: string): string[] {
  const names = [...text.matchAll(SKIPPED)].flatMap((found) => (found[1] ? [found[1]] : []));
  return [...new Set(names)];
}

// The declarations in the header of a query.
export function readHeader(text: string): Map<string, Parameter> {
  const declared = new Map<string, Parameter>();
  for (const [, name = "", kind = "", first = "", example = "", meaning = ""] of text.matchAll(DECLARED)) {
    declared.set(name, { name, kind, default: first, example, meaning });
  }
  return declared;
}

// JSON, or a text without quotes, as `platform cypher --param` reads it.
export function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Props {
  text: string;
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}

export function Parameters({ text, values, onChange }: Props) {
  const names = findParameters(text);
  const declared = readHeader(text);
  if (names.length === 0) return null;
  return (
    <fieldset class="parameters">
      <legend>Parameters</legend>
      {names.map((name) => {
        const known = declared.get(name);
        const hint = known?.default || (known?.kind ? "DOI, PMID or id" : known?.example) || "JSON or text";
        return (
          <label key={name}>
            <code>${name}</code> <small>{known?.meaning ?? ""}{known?.default ? `, ${known.default} by default` : ""}</small>
            <input
              name={`param-${name}`} value={values[name] ?? ""} placeholder={hint}
              onInput={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
            />
          </label>
        );
      })}
    </fieldset>
  );
}

// Values to send: those of the present parameters that are given.
export function givenValues(text: string, values: Record<string, string>): Record<string, unknown> {
  const given = findParameters(text).filter((name) => (values[name] ?? "").trim() !== "");
  return Object.fromEntries(given.map((name) => [name, parseValue((values[name] ?? "").trim())]));
}
