// Calls of the console, and the values of its answers.
import { post as send, ServerError } from "../api";

export interface NodeValue {
  kind: "node";
  id: string;
  labels: string[];
  properties: Record<string, Value>;
}

export interface RelationshipValue {
  kind: "relationship";
  id: string;
  source: string;
  target: string;
  type: string;
  properties: Record<string, Value>;
}

export interface PathValue {
  kind: "path";
  nodes: NodeValue[];
  relationships: RelationshipValue[];
}

export type Value =
  | string | number | boolean | null | Value[] | NodeValue | RelationshipValue | PathValue
  | { [key: string]: Value };

export interface Answer {
  columns: string[];
  rows: Value[][];
  // which limit left out rows
  capped: "" | "rows" | "bytes";
  seconds: number;
  warnings: string[];
}

export interface Table {
  name: string;
  doc: string;
  properties: string[];
  source?: string;
  target?: string;
}

export interface Parameter {
  name: string;
  kind: string;
  default: string;
  example: string;
  meaning: string;
}

export interface NamedQuery {
  name: string;
  doc: string;
  text: string;
  parameters: Parameter[];
}

export interface ConsoleState {
  // why the console is off
  off: string;
  dialect: string;
  limits: { rows: number; most_rows: number; seconds: number; most_seconds: number };
  nodes: Table[];
  relationships: Table[];
  procedures: string[];
  queries: NamedQuery[];
}

// An error of a query, with its place in the text, from 1.
export class QueryError extends ServerError {
  constructor(message: string, readonly line?: number, readonly column?: number) {
    super(message);
  }
}

async function post(address: string, body: unknown, signal?: AbortSignal): Promise<any> {
  try {
    return await send(address, body, signal);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    const { line, column } = error.details as { line?: number; column?: number };
    throw new QueryError(error.message, line, column);
  }
}

export const readConsole = (signal?: AbortSignal): Promise<ConsoleState> =>
  post("/api/console/state", {}, signal);

export interface Request {
  text: string;
  params: Record<string, unknown>;
  rows: number;
  seconds: number;
}

// Runs a query; aborting the signal ends it on the server too.
export const runQuery = (request: Request, signal: AbortSignal): Promise<Answer> =>
  post("/api/console", request, signal);

export const isNode = (value: Value): value is NodeValue => hasKind(value, "node");
export const isRelationship = (value: Value): value is RelationshipValue => hasKind(value, "relationship");
export const isPath = (value: Value): value is PathValue => hasKind(value, "path");

function hasKind(value: Value, kind: string): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && value["kind"] === kind;
}

const TITLES = ["title", "name", "text", "label", "id"];

// What a reader calls a node: its title or name, else its id.
export function nodeName(node: NodeValue): string {
  for (const key of TITLES) {
    const value = node.properties[key];
    if (typeof value === "string" && value) return value;
  }
  return node.labels[0] ?? node.id;
}

export function cellText(value: Value): string {
  if (value === null) return "";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(cellText).join(", ");
  if (isNode(value)) return `(${value.labels.join(":")} ${nodeName(value)})`;
  if (isRelationship(value)) return `[${value.type}]`;
  if (isPath(value)) {
    return value.nodes
      .map((node, place) => cellText(node) + (value.relationships[place] ? `–${cellText(value.relationships[place]!)}–` : ""))
      .join("");
  }
  return JSON.stringify(value);
}

// A cell of CSV: numbers as they are, everything with parts as JSON.
export function csvCell(value: Value): string | number | null {
  if (value === null || typeof value === "number" || typeof value === "string") return value;
  return typeof value === "boolean" ? String(value) : JSON.stringify(value);
}

export const toObjects = (answer: Answer): Record<string, Value>[] =>
  answer.rows.map((row) => Object.fromEntries(answer.columns.map((name, place) => [name, row[place] ?? null])));
