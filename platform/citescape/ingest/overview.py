"""Overview of a store: counts, runs, and pending work."""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from citescape.core.config import is_address, quote_command
from citescape.core.errors import list_some
from citescape.core.paper_types import UNKNOWN
from citescape.ingest.pending import is_pending
from citescape.ingest.shards.origin import read_origin
from citescape.ingest.summary import report_figures
from citescape.runs.result import Part, Result, Summary, Table, Text, minute
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODES, RELS
from citescape.store.state import (
    CLUSTER_RUN,
    EMBEDDING_RUN,
    IMPORTANCE_RUN,
    MAP_RUN,
    NETWORK_RUN,
    read_meta,
)

if TYPE_CHECKING:
    from citescape.ingest.quality.quality import Quality

_INTERNAL = ("Meta", "Record", "File", "DESCRIBES")
_CURRENT = (IMPORTANCE_RUN, EMBEDDING_RUN, NETWORK_RUN, CLUSTER_RUN, MAP_RUN)
_LABELLED = {
    "sections": (
        "(x:Section)",
        "x.type_run IS NOT NULL",
        "x.kind = 'body' AND x.type_source = 'none'",
    ),
    "intents": (
        "(x:Occurrence)",
        "x.intent_run IS NOT NULL",
        "x.intents IS NULL AND x.intent_run IS NULL",
    ),
    "abstracts": (
        "(x:Paper)",
        "x.split_run IS NOT NULL",
        "x.abstract <> '' AND x.split_run IS NULL",
    ),
}
"""Group of `platform text` -> pattern of texts, condition of labelled ones, and of pending ones."""
_WRITTEN = {
    "vectors": ("embed", EMBEDDING_RUN, "(x:Embedding) WHERE x.run <> $run"),
    "edges": ("network build", NETWORK_RUN, "(:Paper)-[x:RELATED]->(:Paper) WHERE $run = ''"),
    "communities": ("cluster", CLUSTER_RUN, "(x:Community) WHERE x.run <> $run"),
    "places": ("map", MAP_RUN, "(x:Community) WHERE x.x IS NOT NULL AND $run = ''"),
}
"""Result in the graph -> command, Meta row of its run, and pattern of incomplete results.

Edges are complete while their Meta row names a run: it is emptied before the first edge changes."""


_SHOWN_AS = {
    "score": "scores",
    "embed": "vectors",
    "graph-embed": "vectors",
    "network": "edges",
    "cluster": "communities",
    "map": "places",
}
"""Command of a run -> its results in the graph."""


@dataclass(frozen=True)
class Overview(Result):
    """Counts, runs and unfinished work of one store."""

    store: str
    engine: str
    schema_version: str
    labels: dict[str, int]
    relationships: dict[str, int]
    runs: list[dict[str, Any]]
    """`id`, `command`, `started`, `seconds`, `current`: whether scores, vectors, edges or
    communities in the graph are of this run. Current runs come first, then the latest."""
    pending: str
    """Pending work and its command; empty if nothing is pending."""

    notices: tuple[dict[str, Any], ...] = ()
    """For each state of works with a notice (`retracted`, `corrected`, ...): `notice`, `works`,
    `citations` to them, of these `before`, `same`, `after` the notice and `unknown`."""
    types: dict[str, int] = field(default_factory=dict)
    """Type of loaded papers -> their number, the most frequent first; empty text: unknown."""
    sources: tuple[dict[str, Any], ...] = ()
    """For each source of loaded papers `source`, `papers`, and `with_text`: papers whose text is
    of the source. For each table of notices its file as `source`, and `notices`."""
    show_sources: bool = False
    """Whether the summary lists a single source too."""
    unfinished: tuple[tuple[str, Path, int], ...] = ()
    """Interrupted or running work: run id, folder, bytes in it."""
    low_disk: str = ""
    """A warning that the disk is nearly full; empty if it is not."""
    shards: dict[str, Any] | None = None
    """The graph of shards that the store was loaded from: `address`, `slice` in words (empty for
    all papers), `id`, and the run of its `scores`."""
    quality: Quality | None = None
    """Completeness, references, losses and conflicts; None without `report`."""
    page: Path | None = None
    """The quality report; None without `report`."""

    @property
    def arrow(self) -> pa.Table:
        """A row per label and relationship type: kind, name, count."""
        kinds = {"node": self.labels, "relationship": self.relationships}
        rows = [(kind, name, n) for kind, counts in kinds.items() for name, n in counts.items()]
        names = ("kind", "name", "count")
        return pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))

    def tables(self) -> dict[str, pa.Table]:
        """The counts, and the tables of the quality report if there is one."""
        more = {} if self.quality is None else self.quality.tables()
        return {**super().tables(), **more}

    def summarise(self) -> Summary:
        """Counts of nodes and relationships, runs in the graph, and pending work."""
        widths = (max(map(len, self.relationships)), len(f"{max(self.labels.values()):,}"))
        relationships = Table(
            ("relationships", "count"), [*self.relationships.items()], widths=widths
        )
        parts: list[Part] = [
            f"{self.store} ({self.engine}, schema {self.schema_version})",
            *self._describe_shards(),
            "",
            Table(("nodes", "count"), [*self.labels.items()], widths=widths),
            "",
            relationships,
        ]
        if self.show_sources or len(self.sources) > 1:
            columns = ["source", "papers", "with_text"]
            if any("notices" in row for row in self.sources):
                columns.append("notices")
            sources = [[row.get(name, "") for name in columns] for row in self.sources]
            parts += ["", Table([name.replace("_", " ") for name in columns], sources)]
        if any(self.types):
            named = [f"{count:,} {name or UNKNOWN}" for name, count in self.types.items()]
            parts += ["", Text(f"types of loaded papers: {list_some(named, 8)}", rest="    ")]
        if self.notices:
            parts += ["", Table(("works with a notice", *_COUNTS), self._list_notices())]
        if self.runs:
            rows = [
                (
                    run["id"],
                    minute(run["started"]),
                    f"{run['seconds']:,.1f}",
                    f"its {_SHOWN_AS[run['command']]} are in the graph" if run["current"] else "",
                )
                for run in self.runs
            ]
            parts += ["", Table(("run", "first started (UTC)", "seconds", ""), rows)]
        if self.pending:
            parts += ["", f"to do: {self.pending}"]
        if self.unfinished:
            parts += [
                "",
                "interrupted or running (run the same command to continue, or delete the folder):",
            ]
            parts += [f"  {path}  {size / 1e6:,.1f} MB" for _, path, size in self.unfinished]
        if self.low_disk:
            parts += ["", self.low_disk]
        unfinished = [
            {"run": id_, "folder": str(path), "bytes": size} for id_, path, size in self.unfinished
        ]
        if self.page is not None:
            parts += ["", f"quality report: {self.page}"]
        figures = asdict(replace(self, quality=None))
        del figures["quality"], figures["page"]
        more = report_figures(self.page, self.quality)
        return Summary(parts, {**figures, "unfinished": unfinished, **more})

    def _describe_shards(self) -> list[str]:
        if self.shards is None:
            return []
        return [f"loaded from {self.shards['address']}, {self.shards['slice'] or 'all papers'}"]

    def _list_notices(self) -> list[tuple[object, ...]]:
        return [(row["notice"], *(row[name] for name in _COUNTS)) for row in self.notices]


_COUNTS = ("works", "citations", "before", "same", "after", "unknown")
"""Counts of `Overview.notices`."""


def read_overview(store: GraphStore) -> Overview:
    """Counts every label and relationship type."""
    labels = {
        node.name: _count(store, f"MATCH (n:{node.name}) RETURN count(n) AS n")
        for node in NODES
        if node.name not in _INTERNAL
    }
    relationships = {}
    for rel in RELS:
        if rel.name in _INTERNAL:
            continue
        pattern = f"(:{rel.source})-[x:{rel.name}]->(:{rel.target})"
        relationships[rel.name] = _count(store, f"MATCH {pattern} RETURN count(x) AS n")
    current = {read_meta(store, name) for name in _CURRENT}
    origin = read_origin(store)
    rows = store.read(query("explore/runs")).to_pylist()
    runs = [{**row, "current": row["id"] in current} for row in rows]
    return Overview(
        store=store.location,
        engine=store.dialect,
        schema_version=read_meta(store, "schema_version") or "none",
        labels=labels,
        relationships=relationships,
        runs=sorted(runs, key=lambda run: not run["current"]),
        pending=read_pending(store),
        types=_count_types(store),
        notices=tuple(store.read(query("explore/notices")).to_pylist()),
        sources=(
            *store.read(query("ingest/sources")).to_pylist(),
            *store.read(query("ingest/notice_tables")).to_pylist(),
        ),
        shards=None if origin is None else origin.figures,
    )


def _count_types(store: GraphStore) -> dict[str, int]:
    rows = store.read(query("ingest/paper_types"))
    return dict(zip(rows["type"].to_pylist(), rows["papers"].to_pylist(), strict=True))


def read_pending(store: GraphStore) -> str:
    """The next pending step, as a sentence; scores come after matching of references."""
    if is_pending(store):
        again = quote_command("ingest PATH", store.location)
        return (
            f"run {again} again with the same PATH: an ingest was interrupted, or is running; it "
            "loads what is missing and matches references and authors"
        )
    if not store.read("MATCH (p:Paper) RETURN p.id AS id LIMIT 1").num_rows:
        load = quote_command("ingest PATH", store.location)
        return f"run {load}: there are no papers yet (a running ingest shows some after a while)"
    if half := next((name for name in _LABELLED if is_half_labelled(store, name)), ""):
        again = quote_command(f"text {half} label", store.location)
        return f"run {again}: it was interrupted, or papers were loaded since"
    if partial := next((part for part in _WRITTEN if is_partly_written(store, part)), ""):
        return (
            f"run `platform {_WRITTEN[partial][0]}` again with the same options: it was "
            f"interrupted while it wrote {partial} (or is running)"
        )
    if needs_scores(store):
        score = quote_command("score", store.location)
        return f"run {score}: importance is out of date or missing on some citations"
    return ""


def is_half_labelled(store: GraphStore, part: str) -> bool:
    """Whether a model has labelled some texts of the store, but not all.

    Args:
        store: the graph.
        part: `sections`, `intents` or `abstracts`.
    """
    if store.dialect == "shards":  # their labels are complete or absent
        return False
    text, *states = _LABELLED[part]
    return all(
        store.read(f"MATCH {text} WHERE {state} RETURN 1 AS n LIMIT 1").num_rows for state in states
    )


def is_partly_written(store: GraphStore, part: str) -> bool:
    """Whether the graph has results of another run than the current one.

    Args:
        store: the graph.
        part: `vectors`, `edges` of a network, `communities`, or `places` on a map.
    """
    _, meta, written = _WRITTEN[part]
    run = read_meta(store, meta) or ""
    return bool(store.read(f"MATCH {written} RETURN 1 AS found LIMIT 1", run=run).num_rows)


def needs_scores(store: GraphStore) -> bool:
    """Whether there are in-text citations, but not the importance of one complete run."""
    if read_meta(store, IMPORTANCE_RUN):
        return False
    text = "MATCH (:Occurrence)-[:REFERS_TO]->(:Paper) RETURN 1 AS found LIMIT 1"
    return bool(store.read(text).num_rows)


def _count(store: GraphStore, text: str) -> int:
    return int(store.read(text)["n"][0].as_py())


def describe_disk(location: str) -> str:
    """A warning if the disk has less free space than the size of a store file.

    Empty for a server, and for a file that is gone, of which the explorer still reads a snapshot.
    """
    if is_address(location):
        return ""
    try:
        size, free = Path(location).stat().st_size, shutil.disk_usage(Path(location).parent).free
    except FileNotFoundError:
        return ""
    found = f"{free / 1e6:,.1f} MB free beside a store of {size / 1e6:,.1f} MB"
    return (
        f"low on disk: {found}; free some space before you write to the store"
        if free < size
        else ""
    )
