"""Finds vectors of papers: in the directory of a run, in the graph, or in a file."""

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
    """Vectors and their run."""

    run: str
    """Id of the run, or name and hash of a vector file."""
    vectors: Vectors
    is_file: bool = False


def find_vectors(store: GraphStore, runs: Path, run: str = "") -> RunVectors:
    """The vectors of a run; by default of the run in the graph, or of the last one in `runs`.

    Vectors of the run in the graph are read from its directory, or from the graph if the directory
    is missing.

    Args:
        store: the graph.
        runs: folder of run directories.
        run: id of a run, or a vector file, see `read_vectors`; empty for the default.

    Raises:
        ConfigError: there is no such run or file, or no run with vectors.
    """
    path = Path(run)
    if run and is_vector_file(path):
        if not path.is_file():
            raise ConfigError(f"no such file: {path}")
        return RunVectors(hash_vector_file(path), read_vectors(path), is_file=True)
    if run:
        folder = find_run(runs, run)
        if folder and (folder / VECTORS).is_file():
            return RunVectors(run, read_vectors(folder))
        named = [record.id for kind in (COMMAND, GRAPH) for record, _ in list_runs(runs, kind)]
        known = f"expected one with vectors: {list_some(named)}" if named else "no run has vectors"
        raise ConfigError(
            f"{describe_run(runs, run)}; {known} (`platform embed` and `platform train graph` "
            "compute vectors)"
        )
    current = read_meta(store, EMBEDDING_RUN) or ""
    kept = find_run(runs, current) if current else None
    if kept:
        return RunVectors(current, read_vectors(kept))
    if current and (held := read_embeddings(store)):
        return RunVectors(current, held)
    runs_of_vectors = list_runs(runs, COMMAND)
    if not runs_of_vectors:
        raise ConfigError(
            f"no vectors of papers in {runs} or in {store.location}; compute them with "
            f"{quote_command('embed', store.location)}"
        )
    record, path = runs_of_vectors[-1]
    return RunVectors(record.id, read_vectors(path))
