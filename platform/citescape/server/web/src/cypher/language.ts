// Cypher for the editor: colours of its words, and suggestions from the schema of the graph.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { HighlightStyle, StreamLanguage, type StreamParser } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import type { ConsoleState } from "./console";

const CLAUSES = "MATCH OPTIONAL WHERE WITH UNWIND RETURN ORDER BY SKIP LIMIT UNION ALL CALL YIELD DISTINCT AS ASC DESC".split(" ");
const OPERATORS = "AND OR XOR NOT IN IS NULL STARTS ENDS CONTAINS EXISTS COUNT CASE WHEN THEN ELSE END TRUE FALSE".split(" ");
const WORDS = new Set([...CLAUSES, ...OPERATORS]);
const SUGGESTED = [
  "MATCH", "OPTIONAL MATCH", "WHERE", "WITH", "UNWIND", "RETURN", "RETURN DISTINCT", "ORDER BY", "SKIP", "LIMIT",
  "UNION ALL", "CALL", "YIELD", "AS", "DESC", "AND", "OR", "NOT", "IN", "IS NULL", "IS NOT NULL", "STARTS WITH",
  "CONTAINS", "EXISTS", "CASE WHEN", "THEN", "ELSE", "END",
];
const FUNCTIONS = ["count", "sum", "avg", "min", "max", "collect", "size", "toLower", "coalesce", "labels", "length", "round"];

interface State {
  inComment: boolean;
}

const parser: StreamParser<State> = {
  name: "cypher",
  startState: () => ({ inComment: false }),
  token(stream, state) {
    if (state.inComment || stream.match("/*")) {
      state.inComment = !stream.match(/^.*?\*\//);
      if (state.inComment) stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\/.*/)) return "comment";
    if (stream.match(/^'(?:[^'\\]|\\.)*'?|^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^`(?:[^`]|``)*`?/)) return "variableName";
    if (stream.match(/^\$\w+/)) return "atom";
    if (stream.match(/^\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return "number";
    if (stream.match(/^:\s*[A-Za-z_]\w*/)) return "typeName";
    if (stream.match(/^\.[A-Za-z_]\w*/)) return "propertyName";
    const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u) as RegExpMatchArray | null;
    if (word) return WORDS.has(word[0].toUpperCase()) ? "keyword" : "variableName";
    stream.next();
    return "operator";
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["(", "[", "{", "'", '"', "`"] } },
};

export const cypher = StreamLanguage.define(parser);

export const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.string, color: "var(--cypher-string)" },
  { tag: tags.number, color: "var(--cypher-number)" },
  { tag: tags.atom, color: "var(--cypher-number)" },
  { tag: tags.typeName, color: "var(--cypher-label)" },
  { tag: tags.propertyName, color: "var(--cypher-property)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
]);

// Labels after `:`, properties after `.`, procedures after CALL, else words and named queries.
export function suggest(state: ConsoleState) {
  const labels: Completion[] = [
    ...state.nodes.map(({ name, doc }) => ({ label: name, type: "class", info: doc })),
    ...state.relationships.map(({ name, doc, source, target }) => ({
      label: name, type: "interface", detail: `${source} → ${target}`, info: doc,
    })),
  ];
  const owners = new Map<string, string[]>();
  for (const table of [...state.nodes, ...state.relationships]) {
    for (const name of table.properties) owners.set(name, [...(owners.get(name) ?? []), table.name]);
  }
  const properties: Completion[] = [...owners].map(([name, tables]) => ({
    label: name, type: "property", detail: tables.join(", "),
  }));
  const procedures = state.procedures.map((name) => ({ label: name, type: "function" }));
  const words: Completion[] = [
    ...SUGGESTED.map((label) => ({ label, type: "keyword" })),
    ...FUNCTIONS.map((label) => ({ label, type: "function", apply: `${label}(` })),
    ...state.queries.map(({ name, doc, text }) => ({
      label: name, type: "text", info: doc, boost: -1,
      apply: (view: import("@codemirror/view").EditorView) =>
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    })),
  ];

  return (context: CompletionContext): CompletionResult | null => {
    const lists: [RegExp, Completion[]][] = [
      [/:\s*\w*$/, labels],
      [/[\p{L}\p{N}_)\]]\.\w*$/u, properties],
      [/\bCALL\s+[\w.]*$/i, procedures],
    ];
    const before = context.state.sliceDoc(Math.max(0, context.pos - 200), context.pos);
    for (const [pattern, options] of lists) {
      if (!pattern.test(before)) continue;
      const typed = /[\w]*$/.exec(before)?.[0] ?? "";
      const whole = options === procedures ? /[\w.]*$/.exec(before)?.[0] ?? "" : typed;
      return { from: context.pos - whole.length, options, validFor: /^[\w.]*$/ };
    }
    const typed = context.matchBefore(/[\w/]+/);
    if (!typed && !context.explicit) return null;
    return { from: typed?.from ?? context.pos, options: words, validFor: /^[\w/]*$/ };
  };
}
