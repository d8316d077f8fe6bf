"""What a store holds, for people to look at."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from citescape.graph.queries import query
from citescape.graph.resolve import is_pending
from citescape.graph.schema import NODES, RELS
from citescape.graph.state import IMPORTANCE_RUN, read_meta
from citescape.graph.store import GraphStore

_INTERNAL = ("Meta",)


@dataclass(frozen=True)
class Overview:
    """Counts, runs and unfinished work of one store."""

    store: str
    engine: str
    schema_version: str
    labels: dict[str, int]
    relationships: dict[str, int]
    runs: list[dict[str, Any]]
    """`id`, `command`, `started`, `seconds`; the latest first."""
    pending: str
    """What is left to do and how; empty if nothing is."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def read_overview(store: GraphStore) -> Overview:
    """Counts every label and relationship type."""
    labels = {node.name: f"MATCH (n:{node.name}) RETURN count(n) AS n" for node in NODES}
    relations = {
        rel.name: f"MATCH (:{rel.source})-[x:{rel.name}]->(:{rel.target}) RETURN count(x) AS n"
        for rel in RELS
    }
    return Overview(
        store=store.location,
        engine=store.dialect,
        schema_version=read_meta(store, "schema_version") or "none",
        labels={
            name: _count(store, text) for name, text in labels.items() if name not in _INTERNAL
        },
        relationships={name: _count(store, text) for name, text in relations.items()},
        runs=store.read(query("explore/runs")).to_pylist(),
        pending=_pending(store),
    )


def _pending(store: GraphStore) -> str:
    """The next step that is open; scores wait for references, and are none of an ingest's."""
    if is_pending(store):
        return "run `platform ingest` again to match references and authors"
    if read_meta(store, IMPORTANCE_RUN) == "":
        return "run `platform score`: importance is out of date or missing on some citations"
    return ""


def _count(store: GraphStore, text: str) -> int:
    return int(store.read(text)["n"][0].as_py())
