// The graph of an answer as a picture, and the same nodes and relationships as tables.
import { useMemo, useState } from "preact/hooks";
import { paperAddress } from "../api";
import { formatCount } from "../format";
import { PanTools, usePan, type View } from "../pan";
import { SaveButtons } from "../picture";
import { DataTable } from "../table";
import { type Answer, cellText, csvCell, nodeName, type NodeValue, type RelationshipValue } from "./console";
import { findGraph, type Graph, placeNodes, type Point } from "./graph";

const FIRST_NODES = 300;
const COLOURS = 6;
const RADIUS = 9;
const MARGIN = 60;
const LONGEST_NAME = 28;

export function GraphView({ answer }: { answer: Answer }) {
  const [most, setMost] = useState(FIRST_NODES);
  const graph = useMemo(() => findGraph(answer, most), [answer, most]);
  const places = useMemo(() => placeNodes(graph), [graph]);
  const labels = [...new Set(graph.nodes.map(labelOf))].sort();
  if (graph.nodes.length === 0) {
    return (
      <p class="note">
        These rows hold no nodes and relationships. Return them whole to see a graph, as in{" "}
        <code>MATCH (p:Paper)-[c:CITES]-&gt;(q:Paper) RETURN p, c, q LIMIT 25</code>.
      </p>
    );
  }
  return (
    <>
      <p class="count">
        {graph.nodes.length < graph.allNodes
          ? `${graph.nodes.length.toLocaleString("en")} of ${formatCount(graph.allNodes, "node")}, those of the first rows; `
          : `${formatCount(graph.nodes.length, "node")}; `}
        {graph.relationships.length < graph.allRelationships
          ? `${graph.relationships.length.toLocaleString("en")} of ${formatCount(graph.allRelationships, "relationship")} between them. `
          : `${formatCount(graph.relationships.length, "relationship")}. `}
        {graph.nodes.length < graph.allNodes && <button onClick={() => setMost(most * 2)}>Show more</button>}
      </p>
      <figure>
        <Picture graph={graph} places={places} labels={labels} />
        <figcaption>
          An arrow is a relationship, from its source to its target; its type is in the table below. Colours are labels:{" "}
          {labels.map((label) => (
            <span class="key" key={label}>
              <svg viewBox="0 0 12 12" aria-hidden="true"><circle class={colourOf(label, labels)} cx="6" cy="6" r="5" /></svg>
              {label}
            </span>
          ))}
          {graph.nodes.some(({ labels }) => labels.length === 0) &&
            " An end whose node the rows do not hold is “not returned”."}
        </figcaption>
      </figure>
      <Nodes graph={graph} />
      <Relationships graph={graph} />
    </>
  );
}

const labelOf = (node: NodeValue): string => node.labels[0] ?? "not returned";

function colourOf(label: string, labels: string[]): string {
  if (label === "not returned") return "node unknown";
  return `node colour-${labels.filter((name) => name !== "not returned").indexOf(label) % COLOURS}`;
}

function Picture({ graph, places, labels }: { graph: Graph; places: Map<string, Point>; labels: string[] }) {
  const whole = useMemo(() => frame(places), [places]);
  const { drawing, pan, tools } = usePan(whole);
  const named = useMemo(() => chooseNames(graph, places), [graph, places]);
  return (
    <div class="drawing">
      <PanTools {...tools}><SaveButtons drawing={drawing} file="cypher" /></PanTools>
      <svg
        {...pan} role="img"
        aria-label="Graph of the rows; the tables below list the same nodes and relationships"
      >
        <defs>
          <marker id="arrow" class="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">
            <path d="M0 0 L8 4 L0 8 z" />
          </marker>
        </defs>
        {graph.relationships.map((each) => (
          <path key={each.id} class="relationship" d={arrow(places.get(each.source)!, places.get(each.target)!)} marker-end="url(#arrow)">
            <title>{describe(each)}</title>
          </path>
        ))}
        {graph.nodes.map((node) => {
          const { x, y } = places.get(node.id)!;
          return (
            <circle key={node.id} class={colourOf(labelOf(node), labels)} cx={x} cy={y} r={RADIUS}>
              <title>{`${labelOf(node)}: ${nodeName(node)}`}</title>
            </circle>
          );
        })}
        {named.map((node) => {
          const { x, y } = places.get(node.id)!;
          return <text key={node.id} x={x} y={y + RADIUS + 11} text-anchor="middle">{shorten(nodeName(node))}</text>;
        })}
      </svg>
    </div>
  );
}

function arrow(from: Point, to: Point): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (length < 1) return `M${from.x} ${from.y - RADIUS} c24 -30 -48 -30 -24 0`; // to itself
  const [ux, uy] = [dx / length, dy / length];
  const [x1, y1] = [from.x + ux * RADIUS, from.y + uy * RADIUS];
  const [x2, y2] = [to.x - ux * (RADIUS + 2), to.y - uy * (RADIUS + 2)];
  // bent, so that two relationships between the same nodes are both seen
  const [mx, my] = [(x1 + x2) / 2 - dy * 0.08, (y1 + y2) / 2 + dx * 0.08];
  return `M${x1.toFixed(1)} ${y1.toFixed(1)} Q${mx.toFixed(1)} ${my.toFixed(1)} ${x2.toFixed(1)} ${y2.toFixed(1)}`;
}

const shorten = (text: string): string => (text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text);

function describe({ type, properties }: RelationshipValue): string {
  const parts = Object.entries(properties).map(([name, value]) => `${name} ${cellText(value)}`);
  return [type, ...parts].join("\n");
}

// Nodes whose names overlap neither each other nor a node, those with most relationships first.
function chooseNames(graph: Graph, places: Map<string, Point>): NodeValue[] {
  const degree = new Map<string, number>();
  for (const { source, target } of graph.relationships) {
    for (const id of [source, target]) degree.set(id, (degree.get(id) ?? 0) + 1);
  }
  const order = [...graph.nodes].sort((a, b) => (degree.get(b.id) ?? 0) - (degree.get(a.id) ?? 0));
  const nodes = [...places.values()];
  const taken: [number, number, number][] = [];
  return order.filter((node) => {
    if (node.labels.length === 0) return false;
    const { x, y } = places.get(node.id)!;
    const middle = y + RADIUS + 8;
    const half = (shorten(nodeName(node)).length * 5.2) / 2;
    const free =
      taken.every(([ox, oy, other]) => Math.abs(ox - x) > half + other || Math.abs(oy - middle) > 12) &&
      nodes.every((each) => Math.abs(each.x - x) > half + RADIUS || Math.abs(each.y - middle) > RADIUS + 4);
    if (free) taken.push([x, middle, half]);
    return free;
  });
}

function frame(places: Map<string, Point>): View {
  const all = [...places.values()];
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  return [left, top, Math.max(...xs) + MARGIN - left, Math.max(...ys) + MARGIN - top];
}

function Nodes({ graph }: { graph: Graph }) {
  return (
    <details>
      <summary>Nodes ({graph.nodes.length})</summary>
      <DataTable
        title="Nodes" file="nodes" className="nodes" rows={graph.nodes}
        columns={[
          { name: "label", label: "label", value: labelOf },
          { name: "name", label: "name", value: nodeName, show: (node) => <NodeLink node={node} /> },
          { name: "id", label: "id", value: (node) => csvCell(node.properties["id"] ?? node.id) },
        ]}
      />
    </details>
  );
}

export function NodeLink({ node }: { node: NodeValue }) {
  const id = node.properties["id"];
  if (node.labels.includes("Paper") && typeof id === "string") return <a href={paperAddress(id)}>{nodeName(node)}</a>;
  return <>{nodeName(node)}</>;
}

function Relationships({ graph }: { graph: Graph }) {
  const names = new Map(graph.nodes.map((node) => [node.id, nodeName(node)]));
  return (
    <details>
      <summary>Relationships ({graph.relationships.length})</summary>
      <DataTable
        title="Relationships" file="relationships" className="relationships" rows={graph.relationships}
        columns={[
          { name: "source", label: "source", value: (each) => names.get(each.source) ?? "" },
          { name: "type", label: "type", value: (each) => each.type },
          { name: "target", label: "target", value: (each) => names.get(each.target) ?? "" },
          {
            name: "properties", label: "properties", value: (each) => JSON.stringify(each.properties),
            show: (each) => Object.entries(each.properties).map(([name, value]) => `${name} ${cellText(value)}`).join(", "),
          },
        ]}
      />
    </details>
  );
}
