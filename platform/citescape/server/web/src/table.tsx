// A table that can be sorted, paged and saved as CSV.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { download, toCsv } from "./format";

type Value = string | number | null;

// Rows that say whether a column has numbers.
const LOOKED_AT = 100;

export interface Column<Row> {
  name: string;
  label: string;
  // value for sorting and for CSV
  value: (row: Row) => Value;
  // content of the cell; the value by default
  show?: (row: Row) => ComponentChildren;
  // meaning of the column
  help?: string;
  // in the CSV only
  isHidden?: boolean;
}

interface Props<Row> {
  title: string;
  // in place of the title; null for none
  heading?: ComponentChildren;
  rows: Row[];
  columns: Column<Row>[];
  // name of the CSV file without its ending; no button without it
  file?: string;
  note?: ComponentChildren;
  // class of the table
  kind?: string;
  // rows of a page; all without it
  size?: number;
  keyOf?: (row: Row) => string | number;
  // properties of the row's element
  present?: (row: Row) => JSX.HTMLAttributes<HTMLTableRowElement>;
}

export function DataTable<Row>({ title, heading = title, rows, columns, file, note, kind = "", size, keyOf, present }: Props<Row>) {
  const [order, setOrder] = useState<{ name: string; down: boolean } | null>(null);
  const sorted = useMemo(() => {
    const column = columns.find(({ name }) => name === order?.name);
    if (!column || !order) return rows;
    const sign = order.down ? -1 : 1;
    const valued = rows.map((row) => ({ row, value: column.value(row) }));
    return valued.sort((one, other) => sign * compare(one.value, other.value)).map(({ row }) => row);
  }, [rows, order]);
  const { shown, pager } = usePage(sorted, size);

  const seen = columns.filter(({ isHidden }) => !isHidden);
  const first = rows.slice(0, LOOKED_AT);
  const numbers = new Set(
    seen.filter(({ value }) => first.some((row) => typeof value(row) === "number")).map(({ name }) => name),
  );
  const kindOf = (name: string) => (numbers.has(name) ? "number" : undefined);
  const save = () => {
    const cells = sorted.map((row) => columns.map((column) => column.value(row)));
    const text = toCsv(columns.map(({ name }) => name), cells);
    download(`${file}.csv`, new Blob([text], { type: "text/csv" }));
  };
  const turn = (name: string) =>
    setOrder((now) => ({ name, down: now?.name === name ? !now.down : numbers.has(name) }));

  return (
    <section aria-label={title}>
      {heading !== null && (
        <h2>{heading} {file && rows.length > 0 && <button type="button" onClick={save}>CSV</button>}</h2>
      )}
      {note && <p class="note">{note}</p>}
      {pager}
      <div class="scroll">
        <table class={`data ${kind}`}>
          <thead>
            <tr>
              {seen.map(({ name, label, help }) => (
                <th
                  key={name} title={help} scope="col" class={kindOf(name)}
                  aria-sort={order?.name === name ? (order.down ? "descending" : "ascending") : undefined}
                >
                  <button type="button" onClick={() => turn(name)}>{label}</button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, place) => (
              <tr key={keyOf ? keyOf(row) : place} {...present?.(row)}>
                {seen.map((column) => (
                  <td key={column.name} class={kindOf(column.name)}>
                    {column.show ? column.show(row) : column.value(row) ?? "–"}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

// One page of rows, and the buttons to turn to another; other rows begin with the first page.
export function usePage<Row>(rows: Row[], size = Infinity): { shown: Row[]; pager: ComponentChildren } {
  const [page, setPage] = useState(0);
  useEffect(() => setPage(0), [rows]);
  if (rows.length <= size) return { shown: rows, pager: null };
  const first = page * size;
  const last = Math.min(first + size, rows.length);
  const [from, to, all] = [first + 1, last, rows.length].map((count) => count.toLocaleString("en"));
  const pager = (
    <p class="pager">
      <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>Previous</button>{" "}
      rows {from} to {to} of {all}{" "}
      <button type="button" disabled={last === rows.length} onClick={() => setPage(page + 1)}>Next</button>
    </p>
  );
  return { shown: rows.slice(first, last), pager };
}

const collator = new Intl.Collator("en");

// Missing values are smaller than all others.
function compare(one: Value, other: Value): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  if (typeof one === "string" && typeof other === "string") return collator.compare(one, other);
  return one < other ? -1 : 1;
}
