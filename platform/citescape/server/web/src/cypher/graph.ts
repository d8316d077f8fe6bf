// The graph in an answer: its nodes and relationships, and places for them. Equal answers give
// equal places.
import { type Answer, isNode, isPath, isRelationship, type NodeValue, type RelationshipValue, type Value } from "./console";

export interface Graph {
  nodes: NodeValue[];
  relationships: RelationshipValue[];
  // counts of all nodes and relationships, before the cut
  allNodes: number;
  allRelationships: number;
}

// Nodes and relationships of an answer in the order of its rows, each once, up to `most` nodes.
// An end that the answer does not hold is a node without label and properties.
export function findGraph(answer: Answer, most: number): Graph {
  const nodes = new Map<string, NodeValue>();
  const relationships = new Map<string, RelationshipValue>();
  const visit = (value: Value): void => {
    if (value === null || typeof value !== "object") return;
    if (Array.isArray(value)) value.forEach(visit);
    else if (isNode(value)) nodes.set(value.id, value);
    else if (isRelationship(value)) relationships.set(value.id, value);
    else if (isPath(value)) [...value.nodes, ...value.relationships].forEach(visit);
    else Object.values(value).forEach(visit);
  };
  answer.rows.forEach((row) => row.forEach(visit));
  for (const { source, target } of relationships.values()) {
    for (const id of [source, target]) {
      if (!nodes.has(id)) nodes.set(id, { kind: "node", id, labels: [], properties: {} });
    }
  }
  const shown = [...nodes.values()].slice(0, most);
  const ids = new Set(shown.map(({ id }) => id));
  return {
    nodes: shown,
    relationships: [...relationships.values()].filter(({ source, target }) => ids.has(source) && ids.has(target)),
    allNodes: nodes.size,
    allRelationships: relationships.size,
  };
}

export interface Point {
  x: number;
  y: number;
}

const DISTANCE = 60;
// Pairs further apart do not repel each other: parts without relationships between them stay close.
const REACH = 2.5 * DISTANCE;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

// Places by attraction along relationships and repulsion of all pairs (Fruchterman and Reingold,
// 1991), from a spiral; the step shrinks to zero.
export function placeNodes(graph: Graph): Map<string, Point> {
  const count = graph.nodes.length;
  const points = graph.nodes.map((_, place) => {
    const radius = DISTANCE * Math.sqrt(place + 0.5) * 0.7;
    return { x: radius * Math.cos(place * GOLDEN), y: radius * Math.sin(place * GOLDEN) };
  });
  const places = new Map(graph.nodes.map(({ id }, place) => [id, place]));
  const lines = graph.relationships.map(({ source, target }) => [places.get(source) ?? 0, places.get(target) ?? 0] as const);
  const rounds = count > 400 ? 60 : 200;
  for (let round = 0; round < rounds; round++) {
    const step = DISTANCE * (1 - round / rounds);
    const moves = points.map(() => ({ x: 0, y: 0 }));
    for (let one = 0; one < count; one++) {
      const a = points[one]!;
      // towards the middle, so that parts without relationships stay together
      moves[one]!.x -= a.x * 0.05;
      moves[one]!.y -= a.y * 0.09; // more, because the picture is wide
      for (let other = one + 1; other < count; other++) {
        const b = points[other]!;
        const [dx, dy] = [a.x - b.x, a.y - b.y];
        const squared = dx * dx + dy * dy || 1e-6;
        if (squared > REACH * REACH) continue;
        const force = (DISTANCE * DISTANCE) / squared;
        moves[one]!.x += dx * force;
        moves[one]!.y += dy * force;
        moves[other]!.x -= dx * force;
        moves[other]!.y -= dy * force;
      }
    }
    for (const [one, other] of lines) {
      const [a, b] = [points[one]!, points[other]!];
      const [dx, dy] = [a.x - b.x, a.y - b.y];
      const force = Math.hypot(dx, dy) / DISTANCE;
      moves[one]!.x -= dx * force;
      moves[one]!.y -= dy * force;
      moves[other]!.x += dx * force;
      moves[other]!.y += dy * force;
    }
    points.forEach((point, place) => {
      const { x, y } = moves[place]!;
      const length = Math.hypot(x, y) || 1;
      point.x += (x / length) * Math.min(length, step);
      point.y += (y / length) * Math.min(length, step);
    });
  }
  return new Map(graph.nodes.map(({ id }, place) => [id, points[place]!]));
}
