"""Generates docs/schema.md from the schema: `python -m citescape.store.schema_doc`."""

from __future__ import annotations

import pyarrow as pa

from citescape.store.schema import NODES, RELS, SCHEMA_VERSION, NodeTable, RelTable
from citescape.store.schema_words import MEANINGS

_TYPES = {
    pa.string(): "text",
    pa.int64(): "integer",
    pa.float64(): "float",
    pa.bool_(): "boolean",
    pa.list_(pa.string()): "list of text",
    pa.list_(pa.int64()): "list of integers",
    pa.list_(pa.float32()): "list of floats (single precision)",
}


def schema_page() -> str:
    """The page as Markdown."""
    lines = [
        "# The graph",
        "",
        f"Schema version {SCHEMA_VERSION}, the same on ladybug and Neo4j. Every node has a text "
        "property `id`, unique within its label. This page is generated from "
        "`citescape/store/schema.py`; a test compares the two.",
        "",
        "```mermaid",
        "graph LR",
        *(f"    {rel.source} -- {rel.name} --> {rel.target}" for rel in RELS),
        "```",
        "",
        "## Nodes",
    ]
    for node in NODES:
        lines += _section(f"### {node.name}", node)
    lines.append("## Relationships")
    for rel in RELS:
        lines += _section(f"### ({rel.source})-[:{rel.name}]->({rel.target})", rel)
    return "\n".join(lines) + "\n"


def _section(heading: str, table: NodeTable | RelTable) -> list[str]:
    lines = ["", heading, ""]
    if table.doc:
        lines += [table.doc, ""]
    if table.columns:
        meanings = MEANINGS[table.name]
        lines += ["| property | type | meaning |", "|---|---|---|"]
        for name, kind in table.columns.items():
            lines.append(f"| `{name}` | {_TYPES[kind]} | {meanings[name]} |")
        lines.append("")
    return lines


if __name__ == "__main__":
    print(schema_page(), end="")
