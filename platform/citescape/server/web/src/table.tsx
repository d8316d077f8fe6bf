// A table that can be sorted, paged and saved as CSV.
import type { ComponentChildren, JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { download, toCsv } from "./format";

type Value = string | number | null;

export interface Column<Row> {
  name: string;
  label: string;
  // value for sorting and for CSV
  value: (row: Row) => Value;
  // content of the cell; the value by default
  show?: (row: Row) => ComponentChildren;
  // numbers are on the right; a first click on the column puts the highest first
  isNumber?: boolean;
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
  // a table in pages needs the same list at each render: another one may sort the rows anew
  columns: Column<Row>[];
  // name of the CSV file without its ending; no button without it
  file?: string;
  note?: ComponentChildren;
  // further class of the table
  className?: string;
  // rows of a page; all without it
  size?: number;
  keyOf?: (row: Row) => string | number;
  // properties of the row's element
  rowProps?: (row: Row) => JSX.HTMLAttributes<HTMLTableRowElement>;
}

export function DataTable<Row>({ title, heading = title, rows, columns, file, note, className = "", size, keyOf, rowProps }: Props<Row>) {
  const [order, setOrder] = useState<{ name: string; down: boolean } | null>(null);
  const sorted = useMemo(() => {
    const column = columns.find(({ name }) => name === order?.name);
    if (!column || !order) return rows;
    const sign = order.down ? -1 : 1;
    const valued = rows.map((row) => ({ row, value: column.value(row) }));
    return valued.sort((one, other) => sign * compare(one.value, other.value)).map(({ row }) => row);
  }, [rows, columns, order]);
  const { shown, pager } = usePage(sorted, size);

  const visible = columns.filter(({ isHidden }) => !isHidden);
  const classOf = ({ isNumber }: Column<Row>) => (isNumber ? "number" : undefined);
  const save = () => {
    const cells = sorted.map((row) => columns.map((column) => column.value(row)));
    const text = toCsv(columns.map(({ name }) => name), cells);
    download(`${file}.csv`, new Blob([text], { type: "text/csv" }));
  };
  const sortBy = ({ name, isNumber = false }: Column<Row>) =>
    setOrder((now) => ({ name, down: now?.name === name ? !now.down : isNumber }));

  return (
    <section aria-label={title}>
      {heading !== null && (
        <h2>{heading} {file && rows.length > 0 && <button type="button" onClick={save}>CSV</button>}</h2>
      )}
      {note && <p class="note">{note}</p>}
      {pager}
      <div class="scroll">
        <table class={`data ${className}`}>
          <thead>
            <tr>
              {visible.map((column) => (
                <th
                  key={column.name} title={column.help} scope="col" class={classOf(column)}
                  aria-sort={order?.name === column.name ? (order.down ? "descending" : "ascending") : undefined}
                >
                  <button type="button" onClick={() => sortBy(column)}>{column.label}</button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, place) => (
              <tr key={keyOf ? keyOf(row) : place} {...rowProps?.(row)}>
                {visible.map((column) => (
                  <td key={column.name} class={classOf(column)}>
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
  const [turned, setTurned] = useState({ rows, page: 0 });
  const page = turned.rows === rows ? turned.page : 0;
  const turnTo = (page: number) => setTurned({ rows, page });
  if (rows.length <= size) return { shown: rows, pager: null };
  const first = page * size;
  const last = Math.min(first + size, rows.length);
  const [from, to, all] = [first + 1, last, rows.length].map((count) => count.toLocaleString("en"));
  const pager = (
    <p class="pager">
      <button type="button" disabled={page === 0} onClick={() => turnTo(page - 1)}>Previous</button>{" "}
      rows {from} to {to} of {all}{" "}
      <button type="button" disabled={last === rows.length} onClick={() => turnTo(page + 1)}>Next</button>
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
