"""docs/schema.md, made from the schema: `python -m citescape.store.schema_doc`."""

from __future__ import annotations

from collections.abc import Iterator

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
    return "\n".join([*_head(), *_diagram(), *_nodes(), *_relationships()]) + "\n"


def _head() -> Iterator[str]:
    yield "# The graph"
    yield ""
    yield (
        f"Schema version {SCHEMA_VERSION}, the same on ladybug and Neo4j. Every node has a text "
        "property `id`, unique within its label. This page is generated from "
        "`citescape/store/schema.py`; a test compares the two."
    )
    yield ""


def _diagram() -> Iterator[str]:
    yield "```mermaid"
    yield "graph LR"
    for rel in RELS:
        yield f"    {rel.source} -- {rel.name} --> {rel.target}"
    yield "```"
    yield ""


def _nodes() -> Iterator[str]:
    yield "## Nodes"
    for node in NODES:
        yield from _table(f"### {node.name}", node)


def _relationships() -> Iterator[str]:
    yield "## Relationships"
    for rel in RELS:
        yield from _table(f"### ({rel.source})-[:{rel.name}]->({rel.target})", rel)


def _table(heading: str, table: NodeTable | RelTable) -> Iterator[str]:
    yield ""
    yield heading
    yield ""
    if table.doc:
        yield table.doc
        yield ""
    if table.columns:
        meanings = MEANINGS[table.name]
        yield "| property | type | meaning |"
        yield "|---|---|---|"
        for name, kind in table.columns.items():
            yield f"| `{name}` | {_TYPES[kind]} | {meanings[name]} |"
        yield ""


if __name__ == "__main__":
    print(schema_page(), end="")
