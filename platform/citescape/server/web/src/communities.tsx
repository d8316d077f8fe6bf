// Communities of one level, and the page of one community.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useAddress } from "./address";
import {
  type Community, type CommunityDetails, type CommunityTable, type CitedWork, communityAddress, MALFORMED,
  paperAddress, readPathName, useStep,
} from "./api";
import { Badge } from "./badges";
import { Cut, raise } from "./cut";
import { download, formatCount, formatScore, formatShare, shortName, toCsv } from "./format";
import { Header } from "./header";
import { SaveButtons } from "./picture";
import { type Column, DataTable } from "./table";
import "./site.css";
import "./communities.css";

const titleOf = (community: { label: string | null; name: string }): string => community.label || community.name;

function CommunitiesPage() {
  const [level, setLevel] = useAddress(
    () => new URLSearchParams(location.search).get("level") ?? "",
    (level) => location.pathname + (level && `?level=${encodeURIComponent(level)}`),
    (level) => level,
  );
  const { found, message } = useStep("communities", { level });
  useReady(found, message);
  return (
    <main>
      <h1>Communities</h1>
      {message && <Message text={message} />}
      {!found && !message && <p>Reading the graph…</p>}
      {found && (
        <>
          <p class="count">
            {formatCount(found.communities.length, "community", "communities")} of related papers at the level{" "}
            <select
              aria-label="Level" value={found.level}
              onChange={(event) => setLevel(event.currentTarget.value)}
            >
              {found.levels.map((name) => <option key={name} value={name}>{name}</option>)}
            </select>{" "}
            <details><summary>How they were found</summary>Run {found.run}; settings: <code>platform runs {found.run}</code></details>
          </p>
          <SelfPlot table={found} />
          <DataTable title="All communities" rows={found.communities} columns={COLUMNS} file={`communities-${found.level}`} />
        </>
      )}
    </main>
  );
}

const COLUMNS: Column<Community>[] = [
  {
    name: "label", label: "topic", value: titleOf,
    show: (row) => <a href={communityAddress(row.name)}>{titleOf(row)}</a>,
  },
  { name: "name", label: "name", value: (row) => row.name },
  { name: "papers", label: "papers", isNumber: true, value: (row) => row.papers },
  { name: "field", label: "field", value: (row) => row.field, help: "Most frequent subject heading of its papers" },
  { name: "mean_year", label: "mean year", isNumber: true, value: (row) => row.mean_year, show: (row) => row.mean_year?.toFixed(1) ?? "–" },
  {
    name: "diversity", label: "interdisciplinarity", isNumber: true, value: (row) => row.diversity,
    show: (row) => row.diversity?.toFixed(3) ?? "–", help: "DIV: how different the cited fields are, 0 to 1",
  },
  { name: "references", label: "references", isNumber: true, value: (row) => row.references, help: "Citations by its papers" },
  {
    name: "self_share", label: "self-citations", isNumber: true, value: (row) => row.self_share,
    show: (row) => formatShare(row.self_share), help: "Share of self-citations in the references",
  },
  {
    name: "self_importance_share", label: "of the importance", isNumber: true, value: (row) => row.self_importance_share,
    show: (row) => formatShare(row.self_importance_share), help: "Share of self-citations in the importance of the references",
  },
  { name: "cited_by", label: "cited by", isNumber: true, value: (row) => row.cited_by, help: "Citations that its papers receive" },
];

const [LEFT, ROW, WIDTH, END] = [210, 20, 520, 60];
const SHOWN = 25;
// Papers of the smallest community in the plot: shares of fewer say little.
const MIN_PAPERS = 10;
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2];

// Self-citations in number and in importance: the longer the line, the more they inflate.
function SelfPlot({ table }: { table: CommunityTable }) {
  const drawing = useRef<SVGSVGElement>(null);
  const known = table.communities.filter((row) => row.self_share !== null && row.self_importance_share !== null);
  const large = known.filter(({ papers }) => papers >= MIN_PAPERS);
  const rows = (large.length > 0 ? large : known)
    .sort((one, other) => gap(other) - gap(one))
    .slice(0, SHOWN);
  if (rows.length === 0) {
    return <p class="note">Self-citations are not known yet: run <code>platform score</code>.</p>;
  }
  const highest = Math.max(...rows.flatMap((row) => [row.self_share ?? 0, row.self_importance_share ?? 0]));
  const step = STEPS.find((size) => highest / size <= 6) ?? 0.2;
  const most = step * Math.max(Math.ceil(highest / step), 1);
  const x = (share: number) => LEFT + (WIDTH * share) / most;
  const height = ROW * rows.length + 26;
  const ticks = Array.from({ length: Math.round(most / step) + 1 }, (_, place) => place * step);
  return (
    <figure class="plot">
      <div class="tools">
        <SaveButtons drawing={drawing} file="self-citations" />
      </div>
      <svg ref={drawing} viewBox={`0 0 ${LEFT + WIDTH + END} ${height}`} role="img" aria-label="Self-citations by community; the table below has the same figures">
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="grid" x1={x(tick)} x2={x(tick)} y1={4} y2={height - 20} />
            <text class="tick" x={x(tick)} y={height - 6} text-anchor="middle">{`${Math.round(100 * tick)}%`}</text>
          </g>
        ))}
        {rows.map((row, place) => {
          const y = ROW * place + 14;
          const [share, part] = [row.self_share ?? 0, row.self_importance_share ?? 0];
          return (
            <g key={row.name}>
              <text class="name" x={LEFT - 10} y={y + 4} text-anchor="end">{cut(titleOf(row), 30)}</text>
              <line class={part >= share ? "more" : "less"} x1={x(share)} x2={x(part)} y1={y} y2={y} />
              <circle class="share" cx={x(share)} cy={y} r="4.5"><title>{`${titleOf(row)}: ${formatShare(share)} of the references`}</title></circle>
              <rect class="part" x={x(part) - 4} y={y - 4} width="8" height="8"><title>{`${titleOf(row)}: ${formatShare(part)} of the importance`}</title></rect>
            </g>
          );
        })}
      </svg>
      <figcaption>
        Where self-citation inflates: the circle is the share of self-citations in the references of a
        community, the square their share of the importance. All communities together:{" "}
        {formatShare(table.whole.self_share)} of the references, {formatShare(table.whole.self_importance_share)} of
        the importance. {table.weights["S"]
          ? `The score adds ${table.weights["S"].toFixed(2)} for a self-citation, whatever the paper does with the work. ` : ""}
        {rows.length < table.communities.length
          && `The ${rows.length} with the widest gap${large.length > 0 ? ` among those of at least ${MIN_PAPERS} papers` : ""}; the table has all ${table.communities.length}.`}
      </figcaption>
    </figure>
  );
}

const gap = (row: Community): number => (row.self_importance_share ?? 0) - (row.self_share ?? 0);
const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function CommunityPage({ name }: { name: string }) {
  const [limit, setLimit] = useState(20);
  const { found, message } = useStep("community", { name, limit });
  useReady(found, message);
  useEffect(() => {
    if (found) document.title = `${titleOf(found)} · citescape`;
  }, [found]);
  if (message) return <main><h1>Community</h1><Message text={message} /></main>;
  if (!found) return <main><p>Reading the graph…</p></main>;
  const onMore = raise(limit, limit * 5, setLimit);
  return (
    <main>
      <p><a href={`/communities?level=${found.level}`}>Communities</a>{found.part_of && <> › <a href={communityAddress(found.part_of)}>{found.part_of}</a></>} · <a href={`/map?color=${found.level}&sel=${found.name}`}>on the map</a></p>
      <h1>{titleOf(found)}</h1>
      <p class="count">
        {found.name}, {formatCount(found.papers, "paper")}
        {found.field && <>; field: {found.field}</>}
        {found.diversity !== null && <>; interdisciplinarity {found.diversity.toFixed(3)}</>}.{" "}
        Self-citations are {formatShare(found.self_share)} of its {found.references.toLocaleString("en")} references and{" "}
        {formatShare(found.self_importance_share)} of their importance.
      </p>
      {found.terms && found.terms.length > 0 && <p>Terms: {found.terms.join(", ")}</p>}
      <div class="pair">
        <Bars title="Papers by year" of="year" file={`${found.name}-years`} rows={found.years.map(({ year, papers }) => [String(year), papers])} />
        <Bars
          title="Subject headings" of="subject" file={`${found.name}-subjects`} most={SUBJECTS} wide
          rows={found.subjects.map(({ subject, papers }) => [subject, papers])}
        />
      </div>
      {found.parts.length > 0 && (
        <DataTable title="Parts" rows={found.parts} columns={COLUMNS.slice(0, 9)} file={`${found.name}-parts`} />
      )}
      <DataTable
        title="Works that it cites" rows={found.works} columns={WORKS} file={`${found.name}-works`}
        note={<>By the importance of its citations; “without self” is the rank if self-citations are left out. <Cut shown={found.works.length} all={found.works_total} limit={limit} one="work" onMore={onMore} /></>}
      />
      <DataTable
        title="Papers" rows={found.members} columns={MEMBERS} file={`${found.name}-papers`}
        note={<>By importance received. <Cut shown={found.members.length} all={found.papers} one="paper" onMore={onMore} /></>}
      />
    </main>
  );
}

const WORKS: Column<CitedWork>[] = [
  { name: "rank", label: "rank", isNumber: true, value: (row) => row.rank },
  {
    name: "rank_without_self", label: "without self", isNumber: true, value: (row) => row.rank_without_self,
    show: (row) => (row.rank_without_self - row.rank > row.rank ? <b class="warm">{row.rank_without_self}</b> : row.rank_without_self),
  },
  { name: "importance", label: "importance", isNumber: true, value: (row) => row.importance ?? null, show: (row) => formatScore(row.importance ?? null) },
  { name: "citations", label: "citing papers", isNumber: true, value: (row) => row.citations },
  { name: "work", label: "work", value: (row) => row.id, show: (row) => <a href={paperAddress(row.id)}>{shortName(row)}</a> },
  { name: "title", label: "title", value: (row) => row.title, show: (row) => <>{row.title ?? "–"} <Badge work={row} /></> },
];

const MEMBERS: Column<CommunityDetails["members"][number]>[] = [
  { name: "importance", label: "importance received", isNumber: true, value: (row) => row.importance ?? null, show: (row) => formatScore(row.importance ?? null) },
  { name: "cited_by", label: "cited by", isNumber: true, value: (row) => row.cited_by ?? 0 },
  { name: "paper", label: "paper", value: (row) => row.id, show: (row) => <a href={paperAddress(row.id)}>{shortName(row)}</a> },
  { name: "title", label: "title", value: (row) => row.title, show: (row) => <>{row.title ?? "–"} <Badge work={row} /></> },
];

const SUBJECTS = 12;

interface BarsProps {
  title: string;
  // name of what is counted, and of the files
  of: string;
  file: string;
  rows: [string, number][];
  // bars at most; the CSV has all rows
  most?: number;
  wide?: boolean;
}

function Bars({ title, of, file, rows: all, most: shown = Infinity, wide = false }: BarsProps) {
  const drawing = useRef<SVGSVGElement>(null);
  if (all.length === 0) return null;
  const rows = all.slice(0, shown);
  const most = Math.max(...rows.map(([, count]) => count));
  const left = wide ? 190 : 44;
  return (
    <figure>
      <figcaption>
        {title}{rows.length < all.length && `: the first ${rows.length} of ${all.length.toLocaleString("en")}; the CSV has all`}
      </figcaption>
      <div class="tools">
        <SaveButtons drawing={drawing} file={file} />
        <button onClick={() => download(`${file}.csv`, new Blob([toCsv([of, "papers"], all)], { type: "text/csv" }))}>CSV</button>
      </div>
      <svg ref={drawing} class="bar" viewBox={`0 0 400 ${rows.length * 16 + 4}`} role="img" aria-label={`${title}: ${rows.map(([name, count]) => `${name} ${count}`).join(", ")}`}>
        {rows.map(([name, count], place) => (
          <g key={name}>
            <text x={left - 6} y={place * 16 + 12} text-anchor="end">{cut(name, wide ? 36 : 8)}</text>
            <rect x={left} y={place * 16 + 3} width={Math.max(((360 - left) * count) / most, 1)} height="11" />
            <text x={left + ((360 - left) * count) / most + 4} y={place * 16 + 12}>{count}</text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

const Message = ({ text }: { text: string }) => <p class="error" role="alert">{text}</p>;

function useReady(found: unknown, message: string) {
  useEffect(() => {
    if (found || message) document.body.dataset["ready"] = "communities";
  }, [found, message]);
}

const name = readPathName();
const root = document.getElementById("page");
if (root) {
  const page = name === null ? <main><h1>Community</h1><Message text={MALFORMED} /></main> : name ? <CommunityPage name={name} /> : <CommunitiesPage />;
  render(<><Header page="communities" />{page}</>, root);
}
