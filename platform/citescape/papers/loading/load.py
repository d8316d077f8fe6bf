"""Loads a graph of shards, or a slice of it, into a store or into files for Neo4j's importer.

A ladybug store is written under another name and renamed when it is complete. A server is marked in
Meta `loading` until it is complete; the same load again completes it.
"""

from __future__ import annotations

import glob
import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import is_address
from citescape.core.errors import StoreError
from citescape.core.files import sync
from citescape.core.outputs import forget_outputs, unwatched, watch_output
from citescape.core.progress import Progress
from citescape.distributed.storage import Storage
from citescape.ingest.index.files import remove_index
from citescape.ingest.neo4j_import import write_import_files
from citescape.ingest.overview import needs_scores
from citescape.ingest.pending import CURRENT, RESOLVED
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.origin import Origin, read_origin
from citescape.ingest.shards.scores import Scores
from citescape.ingest.shards.vectors import VectorFiles
from citescape.papers.loading.choose import Chosen, choose_papers
from citescape.papers.loading.conditions import parse_condition
from citescape.papers.loading.config import SliceConfig
from citescape.papers.loading.tables import LOADED, GraphSlice, LoadedRows, WholeGraph
from citescape.runs.context import Context
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.store.graph_store import Change, GraphStore, open_store
from citescape.store.queries import query
from citescape.store.schema import NODE, SCHEMA_VERSION, TABLE, NodeTable
from citescape.store.state import (
    EMBEDDING_RUN,
    IMPORTANCE_RUN,
    LOADING,
    SHARDS,
    read_meta,
    write_meta,
)
from citescape.store.vector_index import await_vector_index, prepare_vector_index

_ROWS, _BYTES = 1_000_000, 150 << 20
"""Rows and bytes that are written at a time."""
_SHOWN = ("Paper", "Author", "Section", "Occurrence", "Reference", "CITES", "Embedding")
"""Tables whose rows the summary counts."""


@dataclass(frozen=True)
class LoadResult(Result):
    """What a store has of a graph of shards."""

    place: str
    """Store, or folder of import files."""
    origin: Origin
    rows: dict[str, int]
    """Rows of each table."""
    papers: int
    """Loaded papers; others are cited works."""
    seconds: float
    unchanged: bool = False
    """Whether the store had the same before."""
    chosen: Chosen | None = None
    """The slice; None for a whole graph, and if unchanged."""
    import_command: str = ""
    """Command for Neo4j's offline importer; empty if a store was loaded."""
    next: str = ""
    """Command to run next."""

    @property
    def arrow(self) -> pa.Table:
        """A row for each table: its name and number of rows."""
        return pa.table({"table": [*self.rows], "rows": [*self.rows.values()]})

    def summarise(self) -> Summary:
        """Counts of rows, and what was not found."""
        cited = self.rows["Paper"] - self.papers
        kinds = f"{plural(self.papers, 'loaded paper')}, {plural(cited, 'cited work')}"
        text = f"{self.place} has this already, nothing was written:"
        if not self.unchanged:
            text = f"loaded in {self.seconds:.1f} s; {self.place} now holds:"
        shown = [
            (name, self.rows[name], kinds if name == "Paper" else "")
            for name in _SHOWN
            if name != "Embedding" or self.origin.vectors
        ]
        parts: list[Part] = [f"{self.origin}", text, "", Table(("", "count", ""), shown)]
        if self.import_command:
            parts += ["", "next, with the Neo4j server stopped and its database empty, run:"]
            parts.append(self.import_command)
        figures: dict[str, Any] = {
            "place": self.place,
            "papers": self.papers,
            "rows": self.rows,
            "unchanged": self.unchanged,
            "shards": self.origin.figures,
            "seconds": round(self.seconds, 2),
        }
        if self.import_command:
            figures["command"] = self.import_command
        remarks = []
        if self.chosen is not None and self.chosen.listed:
            figures |= {"entries": self.chosen.listed, "found": self.chosen.found}
            remarks = list(self.chosen.notes)
            if missing := self.chosen.listed - self.chosen.found:
                listed = plural(self.chosen.listed, "listed entry", "listed entries")
                remarks.append(f"{missing:,} of {listed} not found among the loaded papers")
        return Summary(parts, figures, [("next", self.next)] if self.next else [], remarks)


def load_shards(
    context: Context, address: str, config: SliceConfig, *, import_folder: Path | None = None
) -> LoadResult:
    """Fills a store, or files for Neo4j's importer, with a graph of shards.

    Args:
        context: the store to fill, which has no papers.
        address: folder of the graph, see `Storage`.
        config: which papers to load.
        import_folder: receives files in place of the store.

    Raises:
        StoreError: no complete graph, another schema version, damaged files, or a store that has
            other papers. Nothing is changed then.
        ConfigError: a setting has no meaning, or the slice is empty.
    """
    started = time.monotonic()
    if config.where.strip():
        parse_condition(config.where)
    graph = ShardedGraph.open(Storage(address))
    whole = WholeGraph(graph, Scores.find(graph), VectorFiles.find(graph))
    loading = _Loading(context.progress, config, whole, _origin_of(whole, config), started)
    if import_folder is not None:
        return loading.write_files(import_folder)
    if is_address(context.location):
        context.check_writable()
        context.release()
        with closing(open_store(context.location, unfinished=True)) as store:
            return loading.fill_server(store)
    return loading.fill_file(context)


def _origin_of(whole: WholeGraph, config: SliceConfig) -> Origin:
    storage = whole.graph.storage
    content = hashlib.blake2b(digest_size=16)
    for path in config.listed:
        with suppress(OSError):  # reported when it is read
            content.update(path.read_bytes())
    return Origin(
        storage.location,
        whole.graph.id,
        config.where.strip(),
        config.around.strip(),
        config.hops,
        tuple(path.name for path in config.listed),
        content.hexdigest() if config.listed else "",
        whole.scores.run if whole.scores else "",
        {kind: labels.key for kind, labels in whole.graph.labels.items()},
        whole.vectors.run if whole.vectors else "",
    )


@dataclass
class _Loading:
    """One load."""

    progress: Progress
    config: SliceConfig
    whole: WholeGraph
    origin: Origin
    started: float
    chosen: Chosen | None = None

    def write_files(self, folder: Path) -> LoadResult:
        """Writes files for the importer."""
        rows = self.choose()
        counts = {"Paper": 0}
        papers = 0

        def read(name: str) -> Iterator[pa.RecordBatch]:
            nonlocal papers
            if name == "Meta":
                meta = {"schema_version": str(SCHEMA_VERSION), **self.meta(counts)}
                yield from _meta_rows(meta).to_batches()
            elif name == "Run":
                yield from self.whole.read_runs().to_batches()
            elif name in LOADED:
                self.progress(f"writing {name}")
                counts[name] = 0
                for part in rows.read(name):
                    counts[name] += part.num_rows
                    papers += _count_loaded(name, part)
                    yield from part.to_batches()

        command = write_import_files(read, folder)
        return self.result(f"the files in {folder}", counts, papers, import_command=command)

    def fill_server(self, store: GraphStore) -> LoadResult:
        """Fills an empty database, or completes the same load."""
        interrupted = read_meta(store, LOADING)
        if interrupted and Origin.from_text(interrupted) != self.origin:
            raise StoreError(
                f"{store.location} has a part of {Origin.from_text(interrupted)}: a load was "
                "interrupted; run the same load again to complete it, with the scores, labels and "
                "vectors that the shards had then, or empty the database"
            )
        if not interrupted and self.is_filled(store):
            return self.unchanged(store)
        rows = self.choose()
        write_meta(store, LOADING, self.origin.as_text())
        counts, papers = self.fill(store, rows)
        write_meta(store, LOADING, "")
        return self.result(store.location, counts, papers, store)

    def fill_file(self, context: Context) -> LoadResult:
        """Writes a ladybug store, in place of none or of an empty one."""
        if context.exists and self.is_filled(context.store):
            return self.unchanged(context.store)
        rows = self.choose()
        place = Path(context.location)
        aside = place.with_name(f".{place.name}.loading")
        with _reserved(context):
            self.is_filled(context.store)  # by another process, meanwhile
            _remove_aside(aside)
            try:
                with unwatched(), closing(open_store(str(aside))) as store:
                    counts, papers = self.fill(store, rows)
                sync(aside)
                forget_outputs(place)
                aside.replace(place)
                sync(place.parent)
            finally:
                _remove_aside(aside)
            remove_index(context.location)
            watch_output(place)
        return self.result(context.location, counts, papers, context.store)

    def is_filled(self, store: GraphStore) -> bool:
        """Whether a store has the same content.

        Raises:
            StoreError: it has another one.
        """
        if not _has_nodes(store):
            return False
        present = read_origin(store)
        if present == self.origin:
            return True
        held = "papers"
        if present:
            held = f"{present}"
            if present.without_results == self.origin.without_results:
                held += ", with other scores, labels or vectors,"
        raise StoreError(
            f"{store.location} holds {held} already; expected a new or an empty store: name "
            "another with --store"
        )

    def choose(self) -> LoadedRows:
        """The rows to load."""
        if self.config.is_whole:
            return self.whole
        self.chosen = choose_papers(self.whole.graph, self.config, self.progress)
        return GraphSlice(self.whole, self.chosen.papers, self.progress)

    def fill(self, store: GraphStore, rows: LoadedRows) -> tuple[dict[str, int], int]:
        """Writes all rows; returns the number of rows of each table, and of loaded papers."""
        counts, papers = {}, 0
        for name in LOADED:
            counts[name] = 0
            self.progress(f"loading {name}")
            for part in _gather(rows.read(name)):
                store.apply([Change("insert", name, part)])
                counts[name] += part.num_rows
                papers += _count_loaded(name, part)
                self.progress(f"loading {name}: {counts[name]:,}")
        store.apply([Change("insert", "Run", self.whole.read_runs())])
        if counts["Embedding"] and self.whole.vectors:
            self.progress("indexing vectors")
            prepare_vector_index(store, self.whole.vectors.record().counts["dimensions"])
            await_vector_index(store)
        for name, value in self.meta(counts).items():
            write_meta(store, name, value)
        return counts, papers

    def meta(self, counts: Mapping[str, int]) -> dict[str, str]:
        """Rows of Meta of a store with these numbers of rows."""
        vectors = self.origin.vectors if counts["Embedding"] else ""
        runs = {IMPORTANCE_RUN: self.origin.scores, EMBEDDING_RUN: vectors}
        return {
            RESOLVED: CURRENT,
            SHARDS: self.origin.as_text(),
            **{name: run for name, run in runs.items() if run},
        }

    def unchanged(self, store: GraphStore) -> LoadResult:
        """The result of a load that has been done before."""
        counts = {name: _count(store, name) for name in LOADED}
        papers = store.read(query("ingest/count_full_texts"))["n"][0].as_py()
        return self.result(store.location, counts, papers, store, unchanged=True)

    def result(
        self,
        place: str,
        counts: dict[str, int],
        papers: int,
        store: GraphStore | None = None,
        *,
        unchanged: bool = False,
        import_command: str = "",
    ) -> LoadResult:
        """The result, with the next step."""
        return LoadResult(
            place,
            self.origin,
            counts,
            papers,
            time.monotonic() - self.started,
            unchanged,
            self.chosen,
            import_command,
            "score" if store is not None and needs_scores(store) else "",
        )


@contextmanager
def _reserved(context: Context) -> Iterator[None]:
    """Keeps other processes from writing to the store, and from creating it, until it is replaced.

    A new store is removed after an error.
    """
    is_new = not context.exists
    context.lock()
    try:
        yield
    except BaseException:
        if is_new:
            context.release()
            forget_outputs(Path(context.location))
            Path(context.location).unlink(missing_ok=True)
        raise
    else:
        context.unlock()  # opens the new file


def _remove_aside(aside: Path) -> None:
    """Removes the file of a load that ended early, and what the engine keeps beside it."""
    for path in aside.parent.glob(f"{glob.escape(aside.name)}*"):
        path.unlink()


def _has_nodes(store: GraphStore) -> bool:
    """Whether a store has any node but those of Meta and Run."""
    texts = (f"MATCH (n:{name}) RETURN n.id AS id LIMIT 1" for name in NODE)
    labels = zip(NODE, texts, strict=True)
    return any(store.read(text).num_rows for name, text in labels if name not in ("Meta", "Run"))


def _count(store: GraphStore, name: str) -> int:
    table = TABLE[name]
    pattern = f"(x:{name})"
    if not isinstance(table, NodeTable):
        pattern = f"(:{table.source})-[x:{name}]->(:{table.target})"
    return int(store.read(f"MATCH {pattern} RETURN count(x) AS n")["n"][0].as_py())


def _count_loaded(name: str, rows: pa.Table) -> int:
    return int(pc.sum(rows["fulltext"]).as_py() or 0) if name == "Paper" else 0


def _meta_rows(values: dict[str, str]) -> pa.Table:
    return pa.table({"id": [*values], "value": [*values.values()]}, TABLE["Meta"].arrow)


def _gather(parts: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The rows in larger tables."""
    waiting: list[pa.Table] = []
    for part in parts:
        waiting.append(part)
        if sum(p.num_rows for p in waiting) >= _ROWS or sum(p.nbytes for p in waiting) >= _BYTES:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)
