"""Vectors of papers where they are kept: in the directory of a run, or in the graph."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, list_some
from citescape.runs.directory import describe_run, find_run, list_runs
from citescape.search.graph_vectors import read_embeddings
from citescape.search.vectors import (
    VECTORS,
    Vectors,
    hash_vector_file,
    is_vector_file,
    read_vectors,
)
from citescape.store.graph_store import GraphStore
from citescape.store.state import EMBEDDING_RUN, read_meta

COMMAND, GRAPH = "embed", "graph-embed"
"""The commands whose runs hold vectors."""


@dataclass(frozen=True)
class RunVectors:
    """Vectors and the run they are from."""

    run: str
    vectors: Vectors


def find_vectors(store: GraphStore, runs: Path, run: str = "") -> RunVectors:
    """The vectors of a run; else of the one in the graph, else of the last one in `runs`.

    A file of one's own (see `read_vectors`) may stand in place of a run. Those of the run in the
    graph are read from its directory, or from the graph where that is not here.

    Raises:
        ConfigError: there is no such run, or none at all; the message says what to do.
    """
    path = Path(run)
    if run and is_vector_file(path) and path.is_file():
        return RunVectors(hash_vector_file(path), read_vectors(path))
    if run:
        return RunVectors(run, read_vectors(_find_named(runs, run)))
    current = read_meta(store, EMBEDDING_RUN) or ""
    kept = find_run(runs, current) if current else None
    if kept:
        return RunVectors(current, read_vectors(kept))
    if current and (held := read_embeddings(store)):
        return RunVectors(current, held)
    made = list_runs(runs, COMMAND)
    if not made:
        raise ConfigError(
            f"no vectors of papers in {runs} or in {store.location}; make them with "
            f"{quote_command('embed', store.location)}"
        )
    record, path = made[-1]
    return RunVectors(record.id, read_vectors(path))


def _find_named(runs: Path, run: str) -> Path:
    path = find_run(runs, run)
    if path and (path / VECTORS).is_file():
        return path
    made = [record.id for command in (COMMAND, GRAPH) for record, _ in list_runs(runs, command)]
    there = f"expected one with vectors: {list_some(made)}" if made else "there are no vectors"
    raise ConfigError(
        f"{describe_run(runs, run)}; {there} (`platform embed` and `platform train graph` make "
        "some)"
    )
