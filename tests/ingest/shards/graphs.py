"""Graphs of shards for tests: their content, and where their tasks run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from citescape.core.types import Paper
from citescape.distributed.stages import Stages
from citescape.distributed.storage import Storage
from citescape.ingest.parse import REPORT, Parsed, report_row
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.ingest import build_graph
from citescape.ingest.shards.read import ShardWriter
from citescape.ingest.tables import paper_id, paper_tables
from citescape.store.graph_store import GraphStore
from citescape.store.schema import TABLE
from citescape.store.statements import read_text

Rows = dict[str, list[str]]
_OF_STORES = ("Meta", "Run")
"""Tables that a graph of shards does not have."""


def rows_of_graph(graph: ShardedGraph) -> Rows:
    """Sorted rows of every table."""
    return {
        name: _sorted(pa.concat_tables([TABLE[name].arrow.empty_table(), *graph.iterate(name)]))
        for name in TABLE
        if name not in _OF_STORES
    }


def rows_of_store(store: GraphStore) -> Rows:
    """The same of a store."""
    return {
        name: _sorted(store.read(read_text(table)).select(table.arrow.names))
        for name, table in TABLE.items()
        if name not in _OF_STORES
    }


def _sorted(rows: pa.Table) -> list[str]:
    return sorted(map(repr, rows.to_pylist()))


def differing(one: Rows, other: Rows) -> set[str]:
    """Names of the tables whose rows differ."""
    return {name for name in one if one[name] != other[name]}


class FailureError(Exception):
    """An error that a test causes."""


class HereOnly:
    """Runs tasks in this process, and fails before a task if it is told to."""

    def __init__(self, fail_at: int = -1) -> None:
        self.fail_at = fail_at
        self.done: list[str] = []
        """Functions of the tasks that ran."""

    def run(
        self,
        function: Callable[..., None],
        tasks: Iterable[tuple[Any, ...]],
        *,
        on_gpu: bool = False,
    ) -> Iterator[None]:
        """See `Cluster`."""
        for task in tasks:
            if len(self.done) == self.fail_at:
                raise FailureError
            function(*task)
            self.done.append(function.__name__)
            yield


def shards_of_papers(
    folder: Path, groups: Sequence[Sequence[Paper]], *, parts: int
) -> ShardedGraph:
    """A graph of papers, of which each group is read by one task."""
    storage = Storage(str(folder))
    shards: list[dict[str, Any]] = []
    for number, papers in enumerate(groups):
        writer = ShardWriter(storage, f"records/{number}")
        for paper in papers:
            report = pa.Table.from_pylist([report_row(paper, paper_id(paper))], REPORT)
            writer.add(Parsed(paper_tables([paper]), report, paper.source))
        writer.flush()
        shards += writer.shards
    stages = Stages(storage, HereOnly())
    return build_graph(stages, shards, parts=parts, account={}, id_="test")
