// The papers of the map, of a selection or of a search: the accessible twin of the canvas.
import { useEffect, useMemo, useState } from "preact/hooks";
import { download, formatCount, toCsv } from "../format";
import { nameOf, type Points, type Texts } from "./data";
import type { Found, Source } from "./source";
import { type Choice, orderLevels } from "./state";
import { formatReceived } from "./view";

const PAGE = 20;
// A longer list of ids makes an address that some programs cut.
const MOST_IDS = 200;

type Order = "received" | "year" | "title";

interface Props {
  points: Points;
  texts: Texts | null;
  rows: number[];
  whole: number;
  isSelected: boolean;
  found: Found | null;
  source: Source;
  choice: Choice;
  onClear: () => void;
  onPoint: (row: number) => void;
  onFly: (row: number) => void;
}

export function PaperTable({ points, texts, rows, whole, isSelected, found, source, choice, onClear, onPoint, onFly }: Props) {
  const [order, setOrder] = useState<Order>("received");
  const [isUp, setUp] = useState(false);
  const [page, setPage] = useState(0);
  useEffect(() => setPage(0), [rows.length, order, isUp]);
  const sorted = useMemo(() => sortRows(rows, points, texts, order, isUp), [rows, points, texts, order, isUp]);
  const pages = Math.max(Math.ceil(rows.length / PAGE), 1);
  const shown = sorted.slice(page * PAGE, (page + 1) * PAGE);
  const level = orderLevels(points)[0]!;
  const { weight } = points.header;

  const sortBy = (name: Order) => {
    setUp(name === order ? !isUp : name === "title");
    setOrder(name);
  };
  const head = (name: Order, text: string) => (
    <th aria-sort={order === name ? (isUp ? "ascending" : "descending") : undefined}>
      <button type="button" class="quiet" onClick={() => sortBy(name)}>
        {text}{order === name ? (isUp ? " ↑" : " ↓") : ""}
      </button>
    </th>
  );
  const save = () => {
    if (!texts) return;
    const header = ["id", "title", "year", "journal", "community", "label", ...(weight === "none" ? [] : [`${weight} received`, "cited by"])];
    const lines = sorted.map((row) => {
      const community = points.community(row, level);
      return [
        texts.get("id", row), texts.get("title", row), points.year[row] || null, texts.get("venue", row),
        community?.name ?? null, community?.label ?? null,
        ...(weight === "none" ? [] : [points.received[row]!, points.cited[row]!]),
      ];
    });
    download("papers.csv", new Blob([toCsv(header, lines)], { type: "text/csv" }));
  };
  return (
    <section class="map-table" aria-label={isSelected ? "Selected papers" : "Papers shown"}>
      <h2>
        <span data-count={rows.length} role="status">
          {rows.length.toLocaleString("en")} of {formatCount(whole, "paper")} {isSelected ? "selected" : found ? "found" : "shown"}
        </span>
      </h2>
      <p class="map-actions">
        {isSelected && <button type="button" onClick={onClear}>Clear selection</button>}
        <button type="button" onClick={save} disabled={!texts}>CSV</button>
        {source.communityAddress && choice.selection && "community" in choice.selection && (
          <a href={source.communityAddress(choice.selection.community)}>About this community</a>
        )}
        {source.cypherAddress && texts && <Cypher {...{ points, texts, rows, choice, isSelected, address: source.cypherAddress }} />}
      </p>
      {rows.length === 0 ? <p class="note">No paper: change the filters, or press Escape.</p> : (
        <table>
          <thead>
            <tr>
              {head("title", "title")}
              {head("year", "year")}
              {weight === "none" ? null : head("received", `${weight} received`)}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row} onPointerEnter={() => onPoint(row)} onPointerLeave={() => onPoint(-1)}>
                <td>
                  <Title row={row} texts={texts} source={source} onFly={onFly} onPoint={onPoint} />
                  <small>{[texts?.get("venue", row), named(points, row, level)].filter(Boolean).join(" · ")}</small>
                </td>
                <td>{points.year[row] || ""}</td>
                {weight === "none" ? null : <td class="number">{formatReceived(points, row)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {pages > 1 && (
        <nav class="map-pages" aria-label="Pages of the table">
          <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)} aria-label="Previous page">‹</button>
          <span>{(page * PAGE + 1).toLocaleString("en")} to {Math.min((page + 1) * PAGE, rows.length).toLocaleString("en")}</span>
          <button type="button" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)} aria-label="Next page">›</button>
        </nav>
      )}
    </section>
  );
}

const named = (points: Points, row: number, level: string): string => {
  const community = points.community(row, level);
  return community ? nameOf(community) : "";
};

interface TitleProps {
  row: number;
  texts: Texts | null;
  source: Source;
  onFly: (row: number) => void;
  onPoint: (row: number) => void;
}

function Title({ row, texts, source, onFly, onPoint }: TitleProps) {
  if (!texts) return <span>…</span>;
  const title = texts.title(row);
  return (
    <span class="map-title" dir="auto">
      {source.paperAddress
        ? <a href={source.paperAddress(texts.get("id", row))} onFocus={() => onPoint(row)}>{title}</a>
        : title}{" "}
      <button type="button" class="quiet" onClick={() => onFly(row)} aria-label={`Show ${title} on the map`}>show</button>
    </span>
  );
}

interface CypherProps {
  points: Points;
  texts: Texts;
  rows: number[];
  choice: Choice;
  isSelected: boolean;
  address: (query: string) => string;
}

function Cypher({ texts, rows, choice, isSelected, address }: CypherProps) {
  const { selection, only, years } = choice;
  if (!isSelected) return null;
  if (selection && "community" in selection && !only.length && !years) {
    const query = [
      `MATCH (p:Paper)-[:IN_COMMUNITY]->(c:Community {name: ${quote(selection.community)}})`,
      "RETURN p.id, p.title, p.year",
    ].join("\n");
    return <a href={address(query)}>Open as Cypher</a>;
  }
  if (rows.length > MOST_IDS) return <small>Open as Cypher: up to {MOST_IDS} papers, or a whole community</small>;
  const ids = rows.map((row) => quote(texts.get("id", row))).join(", ");
  return <a href={address(`MATCH (p:Paper)\nWHERE p.id IN [${ids}]\nRETURN p.id, p.title, p.year`)}>Open as Cypher</a>;
}

const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function sortRows(rows: number[], points: Points, texts: Texts | null, order: Order, isUp: boolean): number[] {
  const sign = isUp ? 1 : -1;
  if (order === "title" && texts) {
    const titles = new Map(rows.map((row) => [row, texts.title(row)]));
    const compare = new Intl.Collator("en").compare;
    return [...rows].sort((a, b) => sign * compare(titles.get(a)!, titles.get(b)!) || a - b);
  }
  if (order === "received" && !isUp) return rows; // as they are given
  const values: ArrayLike<number> = order === "year" ? points.year : points.received;
  return [...rows].sort((a, b) => sign * (values[a]! - values[b]!) || b - a);
}
