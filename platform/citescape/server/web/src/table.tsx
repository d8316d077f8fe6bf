// A table that can be sorted and saved as CSV.
import type { ComponentChildren } from "preact";
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
  // meaning of the column
  help?: string;
  // in the CSV only
  isHidden?: boolean;
}

interface Props<Row> {
  title: string;
  rows: Row[];
  columns: Column<Row>[];
  // file name without its ending
  file: string;
  note?: ComponentChildren;
}

export function DataTable<Row>({ title, rows, columns, file, note }: Props<Row>) {
  const [order, setOrder] = useState<{ name: string; down: boolean } | null>(null);
  const sorted = useMemo(() => {
    const column = columns.find(({ name }) => name === order?.name);
    if (!column || !order) return rows;
    const sign = order.down ? -1 : 1;
    return [...rows].sort((one, other) => sign * compare(column.value(one), column.value(other)));
  }, [rows, order]);

  const seen = columns.filter(({ isHidden }) => !isHidden);
  const save = () => {
    const cells = sorted.map((row) => columns.map((column) => column.value(row)));
    const text = toCsv(columns.map(({ name }) => name), cells);
    download(`${file}.csv`, new Blob([text], { type: "text/csv" }));
  };
  const turn = (name: string) =>
    setOrder((now) => ({ name, down: now?.name === name ? !now.down : isNumber(rows, columns, name) }));

  return (
    <section aria-label={title}>
      <h2>{title} {rows.length > 0 && <button onClick={save}>CSV</button>}</h2>
      {note && <p class="note">{note}</p>}
      <div class="scroll">
        <table class="data">
          <thead>
            <tr>
              {seen.map(({ name, label, help }) => (
                <th
                  key={name} title={help} scope="col"
                  aria-sort={order?.name === name ? (order.down ? "descending" : "ascending") : undefined}
                  class={isNumber(rows, columns, name) ? "number" : undefined}
                >
                  <button onClick={() => turn(name)}>{label}</button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map((row, place) => (
              <tr key={place}>
                {seen.map((column) => (
                  <td key={column.name} class={isNumber(rows, columns, column.name) ? "number" : undefined}>
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

function isNumber<Row>(rows: Row[], columns: Column<Row>[], name: string): boolean {
  const column = columns.find((item) => item.name === name);
  return rows.some((row) => typeof column?.value(row) === "number");
}

// Missing values are smaller than all others.
function compare(one: Value, other: Value): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  return one < other ? -1 : 1;
}
