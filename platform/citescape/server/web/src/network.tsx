// The citation network as a picture: width and colour of an arrow are its importance, or what is chosen.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Neighbourhood } from "./api";
import { EdgeMark, MarkLegend, NodeMark } from "./badges";
import { Chooser } from "./chooser";
import { formatCount, formatScore, isAdding, shortName } from "./format";
import { chooseLabels, type Place, placePapers } from "./layout";
import type { Noted } from "./notices";
import { PanTools, usePan, type View } from "./pan";
import { SaveButtons } from "./picture";
import { useSource } from "./source";
import { type Choice, type Edge, findHighest, INTENTS, strengthOf } from "./state";

const WIDEST = 9;
const SHADES = 5;
const MARGIN = 150;
const SMALLEST = [700, 420] as const;
// Arrows that are drawn at first; a button draws all.
const FIRST_ARROWS = 1_000;

let drawings = 0;

interface Props {
  found: Neighbourhood;
  edges: Edge[];
  by: Choice["by"];
  selected: string;
  // further citations that are highlighted
  marked?: ReadonlySet<string>;
  // `add`: Ctrl, Shift or Command was held
  onSelect: (key: string, add: boolean) => void;
}

export function Network({ found, edges, by, selected, marked, onSelect }: Props) {
  const { link } = useSource();
  const head = useMemo(() => `head-${drawings++}`, []); // ids are those of the whole document
  const places = useMemo(() => placePapers(found), [found]);
  const labels = useMemo(() => chooseLabels(found, places), [found, places]);
  const whole = useMemo(() => frame(places), [places]);
  const { drawing, pan, tools } = usePan(whole);
  const [overlap, setOverlap] = useState<Overlap | null>(null);
  const [pointed, setPointed] = useState("");
  const close = () => {
    setOverlap(null);
    setPointed("");
  };
  useEffect(close, [edges, pan.viewBox]);
  const onClick = (event: MouseEvent) => {
    const keys = findKeys(event);
    const own = (event.target as Element).closest<SVGElement>(".edge")?.dataset["key"];
    if (keys.length < 2 && own) return onSelect(own, isAdding(event));
    const box = drawing.current!.getBoundingClientRect();
    const place = { x: event.clientX - box.left, y: event.clientY - box.top, width: box.width };
    setOverlap({ keys, place, isAdding: isAdding(event) });
  };

  const seeds = new Set(found.seeds);
  const works = useMemo(() => new Map(found.papers.map((paper) => [paper.id, paper])), [found]);
  const highest = findHighest(edges, by);
  const isHighlighted = ({ key }: Edge) => [selected, pointed].includes(key) || Boolean(marked?.has(key));
  // The strongest first; equal ones by importance.
  const visible = useMemo(() => {
    const strength = (edge: Edge) => strengthOf(edge, by) ?? -1;
    return edges.filter(({ shown }) => shown).sort((one, other) => strength(other) - strength(one));
  }, [edges, by]);
  const [most, setMost] = useState(FIRST_ARROWS);
  const cut = visible.filter((edge, rank) => rank < most || isHighlighted(edge));
  const drawn = [...cut].reverse(); // wide ones on top
  return (
    <div class="network">
      <PanTools {...tools}><SaveButtons drawing={drawing} file="citations" /></PanTools>
      <svg
        {...pan} role="group" tabindex={-1}
        aria-label="Citation network; the table below lists the same citations"
      >
        <defs>
          {Array.from({ length: SHADES }, (_, shade) => (
            <marker
              key={shade} id={`${head}-${shade}`} class={`head shade-${shade}`} viewBox="0 0 8 8"
              refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"
            >
              <path d="M0 0 L8 4 L0 8 z" />
            </marker>
          ))}
        </defs>
        <g class="lines" onClick={onClick}>
          {drawn.map((edge) => (
            <Line key={edge.key} edge={edge} places={places} cited={works.get(edge.citation.cited)} value={strengthOf(edge, by)} highest={highest}
              head={head} isSelected={isHighlighted(edge)} />
          ))}
        </g>
        <g class="papers">
          {found.papers.map((paper) => {
            const place = places.get(paper.id);
            if (!place) return null;
            return (
              <a key={paper.id} {...link(paper.id)} tabindex={-1}>
                <circle class={seeds.has(paper.id) ? "seed" : "paper"} cx={place.x} cy={place.y}
                  r={seeds.has(paper.id) ? 11 : 5}>
                  <title>{`${paper.title ?? paper.id} (${shortName(paper)})`}</title>
                </circle>
                <NodeMark work={paper} x={place.x} y={place.y} radius={seeds.has(paper.id) ? 11 : 5} />
              </a>
            );
          })}
        </g>
        <g class="labels">
          {labels.map(({ id, text }) => {
            const { x, y, side } = places.get(id) as Place;
            const anchor = side < 0 ? "end" : side ? "start" : "middle";
            return (
              <text key={id} x={x + 9 * side} y={side ? y + 4 : y + 26} text-anchor={anchor}>{text}</text>
            );
          })}
        </g>
      </svg>
      {cut.length < visible.length && (
        <p class="note">
          {cut.length.toLocaleString("en")} of {formatCount(visible.length, "citation")} are drawn,{" "}
          {by === "importance" ? "the most important first" : `those with the most mentions for ${INTENTS[by]} first`}.{" "}
          <button type="button" onClick={() => setMost(Infinity)}>Draw all</button>
        </p>
      )}
      {overlap && (
        <Chooser
          key={overlap.keys.join()} edges={edges.filter(({ key }) => overlap.keys.includes(key))} place={overlap.place}
          name={(id) => shortName(works.get(id) ?? { id, year: null })} onPoint={setPointed} onClose={close}
          onChoose={(key) => {
            close();
            onSelect(key, overlap.isAdding);
          }}
        />
      )}
    </div>
  );
}

interface Overlap {
  keys: string[];
  place: { x: number; y: number; width: number };
  isAdding: boolean;
}

// Citations whose arrows are at the pointer or a few pixels away: the width of `.reach`.
function findKeys(event: MouseEvent): string[] {
  const root = (event.currentTarget as Element).getRootNode() as Document | ShadowRoot;
  const edges = root.elementsFromPoint(event.clientX, event.clientY).map((each) => each.closest<SVGElement>(".edge"));
  return [...new Set(edges.flatMap((edge) => edge?.dataset["key"] ?? []))];
}

function describeWidth(by: Choice["by"], highest: number, changed: boolean): string {
  if (by === "importance") {
    return `Wider and darker means more important, up to ${formatScore(highest)}${changed ? " with your weights" : ""}`;
  }
  if (!highest) return `All are thin: no citation here has a mention for ${INTENTS[by]}`;
  return `Wider and darker means more mentions for ${INTENTS[by]}, up to ${formatCount(highest, "mention")}`;
}

interface LegendProps {
  found: Neighbourhood;
  edges: Edge[];
  by: Choice["by"];
  changed: boolean;
  // what is said before: such as how many papers are left out
  children?: ComponentChildren;
}

export function Legend({ found, edges, by, changed, children }: LegendProps) {
  const highest = findHighest(edges, by);
  return (
    <figcaption>
      {children}
      An arrow is a citation, from the citing to the cited paper. {describeWidth(by, highest, changed)}; dashed means that the papers share an author.
      Cited works are on the right, citing papers on the left, the most important ones inside.
      Drag to move, Ctrl and wheel to zoom.
      A click where arrows lie over each other lists them.
      <MarkLegend works={found.papers} timings={found.citations.map(({ timing }) => timing)} />
    </figcaption>
  );
}

interface LineProps {
  edge: Edge;
  places: Map<string, Place>;
  cited: Noted | undefined;
  // what its width stands for; null if not known
  value: number | null;
  highest: number;
  // beginning of the ids of arrow heads
  head: string;
  isSelected: boolean;
}

function Line({ edge, places, cited, value, highest, head, isSelected }: LineProps) {
  const from = places.get(edge.citation.citing);
  const to = places.get(edge.citation.cited);
  if (!from || !to) return null;
  const share = highest > 0 && value !== null ? Math.min(value / highest, 1) : 0;
  const shade = Math.min(Math.floor(share * SHADES), SHADES - 1);
  const path = arrow(from, to, to.side ? 6 : 13);
  const kind = `${isSelected ? "selected " : ""}${edge.citation.self ? "self " : ""}shade-${shade}`;
  return (
    <g class="edge" data-key={edge.key}>
      <path class="reach" d={path} />
      <path class={`line ${kind}`} d={path} stroke-width={1 + (WIDEST - 1) * share} marker-end={`url(#${head}-${shade})`} data-key={edge.key} />
      <EdgeMark work={cited} timing={edge.citation.timing} path={path} />
    </g>
  );
}

// A slightly bent line that ends before the circle of the cited paper.
function arrow(from: Place, to: Place, radius: number): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ex, ey] = [to.x - (dx / length) * radius, to.y - (dy / length) * radius];
  const bend = from.side === 0 || to.side === 0 ? 0 : 0.18;
  const [mx, my] = [(from.x + ex) / 2 - bend * dy, (from.y + ey) / 2 + bend * dx];
  return `M${n(from.x)} ${n(from.y)} Q${n(mx)} ${n(my)} ${n(ex)} ${n(ey)}`;
}

const n = (value: number): string => value.toFixed(1);

// The whole drawing, at least as large as `SMALLEST`: a network of three papers is not blown up.
function frame(places: Map<string, Place>): View {
  const all = [...places.values()];
  const [left, width] = span(all.map(({ x }) => x), MARGIN, SMALLEST[0]);
  const [top, height] = span(all.map(({ y }) => y), 40, SMALLEST[1]);
  return [left, top, width, height];
}

function span(values: number[], margin: number, smallest: number): [number, number] {
  const [least, most] = [Math.min(...values) - margin, Math.max(...values) + margin];
  const length = Math.max(most - least, smallest);
  return [(least + most - length) / 2, length];
}
