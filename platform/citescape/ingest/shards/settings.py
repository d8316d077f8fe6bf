"""Bases of steps that read shards in place of a store, or work over them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeVar

from citescape.core.errors import ConfigError
from citescape.runs.context import Context
from citescape.runs.step import LOCAL, ClusterAddress, Setting, Step

if TYPE_CHECKING:
    from citescape.distributed.cluster import Cluster
    from citescape.ingest.shards.graph import ShardedGraph

R = TypeVar("R")


@dataclass(frozen=True, kw_only=True)
class ShardReader(Step[R]):
    """A step that reads a store or a graph of shards; its results are in run directories."""

    shards: Annotated[str, Setting(metavar="FOLDER")] = ""
    """Folder, or address such as s3://bucket/folder, of a graph of shards (`platform ingest
    --shards`), in place of a store."""

    @property
    def locks_store(self) -> bool:
        """A store is not locked where shards take its place."""
        return super().locks_store and not self.shards

    @contextmanager
    def read_from(self, context: Context) -> Iterator[None]:
        """In the block, the store of the context is the graph of shards, if one is named.

        Raises:
            ConfigError: a store is named too.
            StoreError: there is no complete graph in the folder.
        """
        if not self.shards:
            yield
            return
        from citescape.distributed.storage import Storage
        from citescape.ingest.shards.graph import ShardedGraph
        from citescape.ingest.shards.store import ShardStore

        context.refuse_store()
        with context.replaced(ShardStore(ShardedGraph.open(Storage(self.shards)))):
            yield


@dataclass(frozen=True, kw_only=True)
class ShardStep(ShardReader[R]):
    """A step on a store, or by tasks over a graph of shards, beside which its results are."""

    cluster: ClusterAddress = LOCAL
    """Where tasks over shards run: on this machine, or on a Ray cluster whose machines see the
    folder; auto finds the one that runs on this machine."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cluster != LOCAL and not self.shards:
            raise ConfigError(
                f"cluster is {self.cluster}, but work on a store is done by this process; expected "
                "it together with shards"
            )

    @contextmanager
    def open_shards(
        self, context: Context, *, workers: int | None = None
    ) -> Iterator[tuple[ShardedGraph, Cluster]]:
        """The graph, locked against other commands, and the place for tasks.

        Args:
            context: names no store, which the shards take the place of.
            workers: number of processes of this machine; one per core by default.

        Raises:
            ConfigError: a store is named, or another command works on the graph.
            StoreError: there is no complete graph in the folder.
        """
        from citescape.distributed.cluster import open_cluster
        from citescape.distributed.storage import Storage
        from citescape.ingest.shards.graph import ShardedGraph

        context.refuse_store()
        storage = Storage(self.shards)
        ShardedGraph.open(storage, labels=False)  # nothing is written into a folder of others
        with storage.alone(), open_cluster(self.cluster, workers=workers) as cluster:
            storage.remove_unfinished()
            yield ShardedGraph.open(storage), cluster
