// Prior or derivative works: both ranks, their difference, and a picture of it.
import { useRef } from "preact/hooks";
import { paperAddress } from "./api";
import { Badge } from "./badges";
import { Cut, MOST_ROWS } from "./cut";
import { formatCount, formatScore, shortName } from "./format";
import { SaveButtons } from "./picture";
import type { RelatedSide, RelatedWork } from "./references";
import { type Column, DataTable } from "./table";

const DRAWN = 20;
const ROW = 20;
const WIDTH = 460;
const [LEFT, RIGHT] = [110, 250];

interface Props {
  title: string;
  explanation: string;
  file: string;
  side: RelatedSide;
  seedNames: Map<string, string>;
  order: "importance" | "count";
  // loads all works
  onMore: (() => void) | undefined;
}

export function RelatedWorks({ title, explanation, file, side, seedNames, order, onMore }: Props) {
  const name = (id: string) => seedNames.get(id) ?? id;
  const several = side.table.some((work) => work.rank_count !== null);
  const columns: Column<RelatedWork>[] = [
    {
      name: "rank_importance", label: "by importance", isNumber: true, value: (work) => work.rank_importance,
      help: "Rank by the sum of importance; equal values share the mean rank",
    },
    ...(several
      ? [
          {
            name: "rank_count", label: "by count", isNumber: true, value: (work: RelatedWork) => work.rank_count,
            help: "Rank by the number of given papers; equal values share the mean rank",
          },
          {
            name: "difference", label: "difference", isNumber: true, value: (work: RelatedWork) => work.difference,
            show: (work: RelatedWork) => <Difference of={work.difference} />,
            help: "Rank by count minus rank by importance: up where importance lifts a work",
          },
        ]
      : []),
    { name: "importance", label: "importance", isNumber: true, value: (work) => work.importance, show: (work) => formatScore(work.importance) },
    ...(several
      ? [{
          name: "seeds", label: "given papers", isNumber: true, value: (work: RelatedWork) => work.seeds,
          show: (work: RelatedWork) => <span title={work.seed_ids.map(name).join(", ")}>{work.seeds}</span>,
        }]
      : []),
    { name: "id", label: "paper", value: (work) => work.id, show: (work) => <a href={paperAddress(work.id)}>{shortName(work)}</a> },
    {
      name: "title", label: "title", value: (work) => work.title,
      show: (work) => <>{work.title ?? "–"} <Badge work={work} /></>,
    },
    { name: "year", label: "year", isNumber: true, value: (work) => work.year },
    ...(several
      ? [{
          name: "seed_ids", label: "which", value: (work: RelatedWork) => work.seed_ids.join(" "),
          show: (work: RelatedWork) => <Seeds work={work} name={name} />,
        }]
      : []),
  ];
  const note = (
    <>
      {explanation}{" "}
      {side.table.length < side.works
        ? <Cut shown={side.table.length} all={side.works} one="work" label={side.works > MOST_ROWS ? "Show more" : "Show all"} onMore={onMore} />
        : `${formatCount(side.works, "work")}.`}
      {side.fewer > 0 && ` ${side.fewer.toLocaleString("en")} more with fewer of the given papers.`}
    </>
  );
  if (side.table.length === 0) {
    return (
      <section aria-label={title}>
        <h2>{title}</h2>
        <p class="note">{explanation} None. {side.fewer > 0 && `${side.fewer.toLocaleString("en")} with fewer of the given papers.`}</p>
      </section>
    );
  }
  return (
    <>
      <DataTable title={title} rows={side.table} columns={columns} file={file} note={note} />
      {several && order === "importance" && <Slopes works={side.table.slice(0, DRAWN)} file={file} />}
    </>
  );
}

function Seeds({ work, name }: { work: RelatedWork; name: (id: string) => string }) {
  const shown = work.seed_ids.slice(0, 3).map(name).join(", ");
  const more = work.seed_ids.length - 3;
  return <small>{shown}{more > 0 ? ` and ${more} more` : ""}</small>;
}

export function Difference({ of }: { of: number | null }) {
  if (of === null) return <>–</>;
  if (of === 0) return <span class="same">=</span>;
  return <span class={of > 0 ? "up" : "down"}>{of > 0 ? "▲" : "▼"} {Math.abs(of)}</span>;
}

// A line per work from its place by count to its place by importance; ties share a place.
function Slopes({ works, file }: { works: RelatedWork[]; file: string }) {
  const drawing = useRef<SVGSVGElement>(null);
  const ranks = [...new Set(works.map((work) => work.rank_count ?? 0))].sort((a, b) => a - b);
  const groups = ranks.map((rank) => works.filter((work) => work.rank_count === rank).length);
  const before = groups.map((_, k) => groups.slice(0, k).reduce((a, b) => a + b, 0));
  const left = (work: RelatedWork) => {
    const group = ranks.indexOf(work.rank_count ?? 0);
    return ROW * ((before[group] ?? 0) + ((groups[group] ?? 1) - 1) / 2 + 1.8);
  };
  const right = (place: number) => ROW * (place + 1.8);
  const height = ROW * (works.length + 1.6);
  return (
    <figure class="slopes">
      <div class="tools over">
        <SaveButtons drawing={drawing} file={`${file}-ranks`} />
      </div>
      <svg ref={drawing} viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label="Rank by count and by importance; the table has the same ranks">
        <text class="head" x={LEFT} y="14" text-anchor="end">by count</text>
        <text class="head" x={RIGHT} y="14">by importance</text>
        {works.map((work, place) => {
          const kind = !work.difference ? "same" : work.difference > 0 ? "up" : "down";
          return (
            <g key={work.id} class={kind}>
              <line x1={LEFT + 6} y1={left(work)} x2={RIGHT - 6} y2={right(place)}>
                <title>{work.title ?? work.id}</title>
              </line>
              <circle cx={RIGHT - 6} cy={right(place)} r="2.5" />
              <text x={RIGHT} y={right(place) + 4}>{`${work.rank_importance}  ${shortName(work)}`}</text>
            </g>
          );
        })}
        {ranks.map((rank, k) => (
          <text key={rank} x={LEFT} y={ROW * ((before[k] ?? 0) + ((groups[k] ?? 1) - 1) / 2 + 1.8) + 4} text-anchor="end">
            {(groups[k] ?? 1) > 1 ? `${groups[k]} works: ${rank}` : rank}
          </text>
        ))}
      </svg>
      <figcaption>
        Where the first {works.length} works stand by the number of given papers (left) and by importance (right).
        Teal lines are works that importance ranks higher than the count does, orange ones lower; works with equal
        counts share a place.
      </figcaption>
    </figure>
  );
}
