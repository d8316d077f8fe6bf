"""Vectors of papers where they are kept: a run's directory, the graph, or a file of one's own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, SourceError, list_some
from citescape.runs.directory import describe_run, find_run, list_runs
from citescape.search.graph_vectors import read_embeddings
from citescape.search.vectors import VECTORS, Floats, Vectors, read_vectors
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

    A file of one's own (`read_own_vectors`) may stand in place of a run. Those of the run in the
    graph are read from its directory, or from the graph where that is
    not here.

    Raises:
        ConfigError: there is no such run, or none at all; the message says what to do.
    """
    path = Path(run)
    if run and path.suffix in (".parquet", ".npy") and path.is_file():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        return RunVectors(f"{path.name}-{digest}", read_own_vectors(path))
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


def read_own_vectors(path: Path) -> Vectors:
    """Vectors of papers from a file.

    Args:
        path: `NAME.parquet` with columns `id` and `vector` (lists of numbers of one length); or
            `NAME.npy`, an array (papers, dimensions), beside `NAME.txt` with an id per line.

    Raises:
        SourceError: it is no such file, an id occurs twice, or a vector is not of finite numbers.
    """
    try:
        ids, values = _read_parquet(path) if path.suffix == ".parquet" else _read_array(path)
    except (OSError, ValueError, KeyError, pa.ArrowException) as error:
        raise _bad(path, str(error)) from error
    if len(ids) != len(values) or values.ndim != 2 or not len(ids):
        raise _bad(path, f"{len(ids)} ids and an array of shape {values.shape}")
    if len(set(ids)) < len(ids):
        raise _bad(path, "an id that occurs twice")
    if not np.isfinite(values).all():
        raise _bad(path, "a number that is not finite")
    order = np.argsort(np.array(ids))
    return Vectors(pa.table({"id": [ids[row] for row in order]}), values[order])


def _read_parquet(path: Path) -> tuple[list[str], Floats]:
    table = pq.read_table(path, columns=["id", "vector"])
    ids = table["id"].cast(pa.string()).to_pylist()
    if None in ids:
        raise ValueError("a row without an id")
    return ids, np.array(table["vector"].to_pylist(), np.float32)


def _read_array(path: Path) -> tuple[list[str], Floats]:
    values = np.load(path, allow_pickle=False)
    lines = path.with_suffix(".txt").read_text(encoding="utf-8-sig").splitlines()
    return [line.strip() for line in lines if line.strip()], np.asarray(values, np.float32)


def _bad(path: Path, found: str) -> SourceError:
    return SourceError(
        str(path),
        "no-vectors",
        "expected a Parquet file with columns id and vector, or an array (.npy) beside a .txt file "
        f"with an id per line; found: {found}",
    )
