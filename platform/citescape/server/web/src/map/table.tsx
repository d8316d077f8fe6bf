// The papers of the map, of a selection or of a search: the accessible twin of the canvas.
import { useMemo } from "preact/hooks";
import { Badge } from "../badges";
import { formatCount } from "../format";
import { nameNotice } from "../notices";
import { type Column, DataTable } from "../table";
import { type Community, nameOf, type Points, type Texts } from "./data";
import type { Found, Source } from "./source";
import { type Choice, orderLevels } from "./state";
import { formatReceived } from "./view";

const PAGE = 20;
// A longer list of ids makes an address that some programs cut.
const MOST_IDS = 200;

interface Props {
  points: Points;
  texts: Texts | null;
  rows: number[];
  whole: number;
  isSelected: boolean;
  found: Found | null;
  source: Source;
  choice: Choice;
  onCommunity: (name: string) => void;
  onClear: () => void;
  onPoint: (row: number) => void;
  onFly: (row: number) => void;
}

export function PaperTable({ points, texts, rows, whole, isSelected, found, source, choice, onCommunity, onClear, onPoint, onFly }: Props) {
  const columns = useMemo((): Column<number>[] => {
    const level = orderLevels(points)[0]!;
    const { weight } = points.header;
    const text = (name: "id" | "title" | "venue") => (row: number) => texts?.get(name, row) || null;
    const hidden = (name: string, value: Column<number>["value"]) => ({ name, label: name, value, isHidden: true });
    return [
      {
        name: "title", label: "title", value: text("title"),
        show: (row) => (
          <>
            <Title row={row} texts={texts} source={source} onFly={onFly} onPoint={onPoint} /> <Badge work={texts?.notice(row)} />
            <small>{texts?.get("venue", row)} <CommunityButton community={points.community(row, level)} onCommunity={onCommunity} /></small>
          </>
        ),
      },
      { name: "year", label: "year", isNumber: true, value: (row) => points.year[row] || null, show: (row) => points.year[row] || "" },
      ...(weight === "none" ? [] : [
        {
          name: `${weight} received`, label: `${weight} received`, isNumber: true,
          value: (row: number) => points.received[row]!, show: (row: number) => formatReceived(points, row),
        },
        hidden("cited by", (row) => points.cited[row]!),
      ]),
      hidden("id", text("id")),
      hidden("journal", text("venue")),
      hidden("notice", (row) => nameNotice(texts?.notice(row)) || null),
      hidden("community", (row) => points.community(row, level)?.name ?? null),
      hidden("label", (row) => points.community(row, level)?.label ?? null),
    ];
  }, [points, texts, source, onCommunity, onPoint, onFly]);
  const chosen = isSelected ? "selected" : found ? "found" : "shown";
  return (
    <div class="map-table">
      <DataTable
        title={isSelected ? "Selected papers" : "Papers shown"} file={texts ? "papers" : ""} size={PAGE} rows={rows} columns={columns}
        heading={<span data-count={rows.length} role="status">{rows.length.toLocaleString("en")} of {formatCount(whole, "paper")} {chosen}</span>}
        note={
          <>
            {isSelected && <button type="button" onClick={onClear}>Clear selection</button>}{" "}
            {source.communityAddress && choice.selection && "community" in choice.selection && (
              <a href={source.communityAddress(choice.selection.community)}>About this community</a>
            )}{" "}
            {source.cypherAddress && texts && <Cypher {...{ texts, rows, choice, isSelected, address: source.cypherAddress }} />}
            {rows.length === 0 && "No paper: change the filters, or press Escape."}
          </>
        }
        keyOf={(row) => row} rowProps={(row) => ({ onPointerEnter: () => onPoint(row), onPointerLeave: () => onPoint(-1) })}
      />
    </div>
  );
}

interface CommunityProps {
  community: Community | undefined;
  onCommunity: (name: string) => void;
}

function CommunityButton({ community, onCommunity }: CommunityProps) {
  if (!community) return null;
  return (
    <button type="button" class="quiet" title="Select the papers of this community" onClick={() => onCommunity(community.name)}>
      {nameOf(community)}
    </button>
  );
}

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
