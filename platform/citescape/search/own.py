"""Vectors of one's own from a file: Parquet, or an array beside a list of ids."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from citescape.core.errors import SourceError
from citescape.search.vectors import Floats, Vectors


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
