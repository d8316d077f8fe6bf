"""Vectors of papers on disk: `vectors.npy` (memory-mapped) beside `papers.parquet`, or a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from citescape.core.errors import SourceError
from citescape.core.pairs import find_rows

VECTORS, PAPERS = "vectors.npy", "papers.parquet"
Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
_SLICE = 65_536


@dataclass(frozen=True)
class Vectors:
    """One vector a paper, in ascending order of ids."""

    papers: pa.Table
    """(n rows) column `id`, ascending, each once; further columns describe the papers."""
    values: Floats
    """(n, d) float32; may be memory-mapped, then read-only."""

    def __post_init__(self) -> None:
        if self.papers.num_rows != len(self.values) or self.values.ndim != 2:
            raise SourceError(
                VECTORS,
                "shape",
                f"expected a vector for each of {self.papers.num_rows} papers; "
                f"found an array of shape {self.values.shape}",
            )

    def __len__(self) -> int:
        return len(self.values)

    @property
    def ids(self) -> pa.StringArray:
        """(n,) ascending."""
        return self.papers["id"].cast(pa.string()).combine_chunks()

    @property
    def dimensions(self) -> int:
        """Numbers per vector."""
        return int(self.values.shape[1])

    @property
    def placed(self) -> npt.NDArray[np.bool_]:
        """(n,) whether the vector is not zero, as graph embeddings leave papers without edges."""
        placed = np.empty(len(self), np.bool_)
        for part in slices(len(self)):
            placed[part] = np.any(self.values[part], axis=1)
        return placed

    def rows(self, ids: pa.Array | pa.ChunkedArray) -> Rows:
        """(k,) rows of the papers with these ids, -1 for those without a vector."""
        return find_rows(ids, self.ids)

    def select_rows(self, rows: Rows) -> Vectors:
        """The vectors in some rows, ascending and each once; all of them are not copied."""
        if len(rows) == len(self):
            return self
        return Vectors(self.papers.take(pa.array(rows)), np.asarray(self.values)[rows])


def slices(count: int, size: int = _SLICE) -> Iterator[slice]:
    """Splits `count` rows into parts of `size`, so that arrays on disk are read part by part."""
    for first in range(0, count, size):
        yield slice(first, min(first + size, count))


def compute_row_cosines(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """(n,) cosine of each row of `first` (n, d) and the same row of `second`; 0 for zeros."""
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    products = np.einsum("nd,nd->n", first, second)
    cosines: npt.NDArray[Any] = np.zeros_like(products)
    np.divide(products, lengths, out=cosines, where=lengths > 0)
    return cosines


def scale_to_units(values: Floats) -> Floats:
    """(n, d) each row divided by its Euclidean length; makes one copy."""
    units = np.empty(values.shape, np.float32)
    for part in slices(len(values)):
        lengths = np.linalg.norm(values[part], axis=1, keepdims=True)
        np.divide(values[part], lengths, out=units[part])
    return units


def write_rows(
    folder: Path, papers: pa.Table, blocks: Iterable[Floats], *, dimensions: int
) -> None:
    """Writes both files like `write_vectors`, from vectors that come block by block.

    Args:
        folder: exists, such as that of a run being written.
        papers: one or more, with a column `id`, ascending.
        blocks: (b, dimensions) each, one row per paper in their order.
        dimensions: numbers per vector.

    Raises:
        SourceError: the blocks have more rows or fewer than there are papers.
    """
    shape, first = (papers.num_rows, dimensions), 0
    path = folder / VECTORS
    written = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=shape)
    for block in blocks:
        end = first + len(block)
        if end <= len(written):
            written[first:end] = block
        first = end
    if first != len(written):
        raise SourceError(
            str(path), "shape", f"expected {len(written)} rows, a paper each; found {first}"
        )
    written.flush()
    pq.write_table(papers, folder / PAPERS, compression="zstd")


def write_vectors(folder: Path, vectors: Vectors) -> None:
    """Writes both files into a folder that exists, such as that of a run being written."""
    np.save(folder / VECTORS, np.ascontiguousarray(vectors.values, np.float32))
    pq.write_table(vectors.papers, folder / PAPERS, compression="zstd")


def is_vector_file(path: Path) -> bool:
    """Whether a path has the ending of a vector file of the user."""
    return path.suffix in (".parquet", ".npy") and not path.is_dir()


def hash_vector_file(path: Path) -> str:
    """Name of a file for the record of a run, with 12 digits of the hash of its content."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    ids = path.with_suffix(".txt")
    if path.suffix == ".npy" and ids.is_file():
        digest.update(ids.read_bytes())
    return f"{path.name}-{digest.hexdigest()[:12]}"


def read_vectors(folder: Path) -> Vectors:
    """Opens the vectors in a folder; the array stays on disk and is read as it is used.

    Args:
        folder: folder of a run; or a file: `NAME.parquet` with columns `id` and `vector` (lists of
            numbers of one length), or `NAME.npy`, an array (papers, dimensions), with `NAME.txt`,
            an id per line.

    Raises:
        SourceError: a file is missing, truncated or has another format, or the ids of a folder are
            not ascending; the message names the file.
    """
    if is_vector_file(folder):
        return _read_vector_file(folder)
    path = folder / VECTORS
    try:
        values = np.load(path, mmap_mode="r", allow_pickle=False)
        papers = pq.read_table(folder / PAPERS)
    except (OSError, ValueError, EOFError, pa.ArrowException):
        exist = all((folder / name).is_file() for name in (VECTORS, PAPERS))
        found = "one is cut short or damaged" if exist else "one is missing"
        raise SourceError(
            str(folder),
            "no-vectors",
            f"expected {VECTORS} and {PAPERS}; {found}: move the folder away and run the command "
            "again",
        ) from None
    if values.dtype != np.float32 or values.ndim != 2:
        raise SourceError(
            str(path),
            "no-vectors",
            f"expected float32 of shape (papers, dimensions); found {values.dtype} {values.shape}",
        )
    ids = papers["id"].combine_chunks() if "id" in papers.column_names else None
    ascending = ids is not None and (len(ids) < 2 or pc.all(pc.less(ids[:-1], ids[1:])).as_py())
    if not ascending:
        raise SourceError(
            str(folder / PAPERS), "no-ids", "expected a column `id`, ascending, each once"
        )
    return Vectors(papers, values)


def vectors_of_rows(rows: pa.Table) -> Vectors:
    """Rows of `id`, `text`, `vector` as vectors, in ascending order of ids."""
    rows = rows.sort_by("id").combine_chunks()
    values = rows["vector"].combine_chunks().flatten().to_numpy()
    return Vectors(rows.select(["id", "text"]), values.reshape(rows.num_rows, -1))


def _read_vector_file(path: Path) -> Vectors:
    """Vectors of a user's file, in any order, with finite numbers only."""
    try:
        if path.suffix == ".parquet":
            table = pq.read_table(path, columns=["id", "vector"])
            ids = table["id"].cast(pa.string()).to_pylist()
            values = np.array(table["vector"].to_pylist(), np.float32)
        else:
            values = np.asarray(np.load(path, allow_pickle=False), np.float32)
            lines = path.with_suffix(".txt").read_text(encoding="utf-8-sig").splitlines()
            ids = [line.strip() for line in lines if line.strip()]
        if None in ids:
            raise ValueError("a row without an id")
        if len(ids) != len(values) or values.ndim != 2 or not len(ids):
            raise ValueError(f"{len(ids)} ids and an array of shape {values.shape}")
        if len(set(ids)) < len(ids):
            raise ValueError("an id that occurs twice")
        if not np.isfinite(values).all():
            raise ValueError("a number that is not finite")
    except (OSError, ValueError, KeyError, pa.ArrowException) as error:
        raise SourceError(
            str(path),
            "no-vectors",
            "expected a Parquet file with columns id and vector, or an array (.npy) with a .txt "
            f"file with an id per line; found: {error}",
        ) from error
    order = np.argsort(np.array(ids))
    return Vectors(pa.table({"id": [ids[row] for row in order]}), values[order])
