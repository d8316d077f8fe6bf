// Named queries and the schema of the graph: a click puts them into the editor.
import { useState } from "preact/hooks";
import type { ConsoleState, NamedQuery, Table } from "./console";

interface Props {
  state: ConsoleState;
  onQuery: (query: NamedQuery) => void;
  onInsert: (text: string) => void;
}

export function SideBar({ state, onQuery, onInsert }: Props) {
  const [text, setText] = useState("");
  const sought = text.toLowerCase();
  const shown = state.queries.filter(({ name, doc }) => `${name} ${doc}`.toLowerCase().includes(sought));
  return (
    <aside class="sidebar" aria-label="Queries and schema">
      <details open>
        <summary>Named queries ({state.queries.length})</summary>
        <input
          type="search" aria-label="Filter named queries" placeholder="Filter" value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <ul class="queries">
          {shown.map((query) => (
            <li key={query.name}>
              <button onClick={() => onQuery(query)}>{query.name.replace(/^explore\//, "")}</button>
              <small>
                {query.doc}
                {query.parameters.length > 0 && ` Parameters: ${query.parameters.map(({ name }) => name).join(", ")}.`}
              </small>
            </li>
          ))}
          {shown.length === 0 && <li><small>No named query matches.</small></li>}
        </ul>
      </details>
      <Tables title="Labels" tables={state.nodes} onInsert={onInsert} write={(table) => `(:${table.name})`} />
      <Tables
        title="Relationships" tables={state.relationships} onInsert={onInsert}
        write={(table) => `(:${table.source})-[:${table.name}]->(:${table.target})`}
      />
      <details>
        <summary>What a query may do</summary>
        <p class="note">
          One statement that only reads: MATCH, OPTIONAL MATCH, WHERE, WITH, UNWIND, RETURN, ORDER BY, SKIP, LIMIT,
          UNION, subqueries, and CALL of: {state.procedures.join(", ")}. It runs {state.limits.seconds} s at most, or up to {state.limits.most_seconds} s if you raise the limit.
          Values go in as $parameters.
        </p>
      </details>
    </aside>
  );
}

interface TablesProps {
  title: string;
  tables: Table[];
  write: (table: Table) => string;
  onInsert: (text: string) => void;
}

function Tables({ title, tables, write, onInsert }: TablesProps) {
  return (
    <details open={title === "Labels"}>
      <summary>{title} ({tables.length})</summary>
      <ul class="schema">
        {tables.map((table) => (
          <li key={table.name}>
            <button onClick={() => onInsert(write(table))} title={`Insert ${write(table)}`}>:{table.name}</button>
            {table.source && <small> {table.source} → {table.target}</small>}
            <details>
              <summary>{table.properties.length} properties</summary>
              <p class="note">{table.doc}</p>
              <p class="properties">
                {table.properties.map((name) => (
                  <button key={name} onClick={() => onInsert(`.${name}`)} title={`Insert .${name}`}>{name}</button>
                ))}
              </p>
            </details>
          </li>
        ))}
      </ul>
    </details>
  );
}
