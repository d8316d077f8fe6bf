"""Runs a command line that reports its writes, so that it can be killed at any of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from citescape.cli.main import main as run_command
from citescape.distributed import cluster
from citescape.store.graph_store import BatchSize
from citescape.store.ladybug.adapter import LadybugStore
from citescape.store.neo4j.adapter import Neo4jStore

BATCHES = {
    "mapping.communities.topics._SLICE": 3,
    "mapping.communities.write._SLICE": 40,
    "embeddings.embed._CHUNK": 64,
    "embeddings.shards._ROWS": 24,
    "ingest.shards.ingest._PART_BYTES": 80_000,
    "ingest.shards.read._FILES": 4,
    "papers.loading.load._ROWS": 200,
    "search.graph_vectors._DELETED": 60,
    "store.vector_index._NUMBERS": 2_000,
    "importance.write._BATCH_ROWS": 300,
    "store.ladybug.adapter._MANY": 200,
    "mapping.maps.write._SLICE": 20,
    "networks.write._SLICE": 200,
    "text.abstracts.label._BATCH": 4,
    "text.intents.label._PAPERS": 8,
    "text.sections.label._PAPERS": 4,
}
"""Rows or papers per transaction: few, so that a small corpus needs many transactions."""
FILE_EVENTS = {"open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.truncate"}
STORE_CALLS = (
    "ladybug.LadybugStore._execute",
    "ladybug.LadybugStore.close",
    "neo4j.Neo4jStore._run",
    "neo4j._run_batches",
)
"""Methods that write to a graph, and methods that move a file's log into it."""


def set_batches() -> None:
    """Reduces the size of transactions; tasks over shards run in this process, which is killed."""
    for path, size in BATCHES.items():
        name, _, constant = path.rpartition(".")
        module = import_module(f"citescape.{name}")
        assert hasattr(module, constant), path
        setattr(module, constant, size)
    for store in (LadybugStore, Neo4jStore):
        store.batch_size = BatchSize(full_texts=4, papers=40)  # type: ignore[misc, method-assign, assignment]
    cluster.usable_cores = lambda: 1


def report_writes(folder: Path, report: Callable[[], object]) -> None:
    """Calls `report` before each change to a file in the folder or to a graph."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in FILE_EVENTS or not isinstance(arguments[0], str | os.PathLike):
            return
        path = Path.cwd() / arguments[0]
        if event == "open" and not (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR):
            return
        if event in ("open", "os.mkdir") and path.is_dir():
            return  # a check that files can be written
        if path.is_relative_to(folder):
            report()

    def reporting(call: Callable[..., Any]) -> Callable[..., Any]:
        def reported(*arguments: Any, **named: Any) -> Any:
            report()
            return call(*arguments, **named)

        return reported

    sys.addaudithook(hook)
    for path in STORE_CALLS:
        module, *owners, name = path.split(".")
        owner: Any = import_module(f"citescape.store.{module}.adapter")
        for part in owners:
            owner = getattr(owner, part)
        setattr(owner, name, reporting(getattr(owner, name)))


def execute() -> None:
    """Runs a command line in this process, a group of its own; writes a dot before each change.

    Dots go to standard output; output of the command goes to standard error.
    """
    os.setsid()
    dots = os.dup(1)
    os.dup2(2, 1)
    report_writes(Path.cwd(), lambda: os.write(dots, b"."))
    run_command()
