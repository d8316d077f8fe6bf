"""Vectors of papers on disk: `vectors.npy` (memory-mapped) beside `papers.parquet`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from citescape.errors import SourceError

VECTORS, PAPERS = "vectors.npy", "papers.parquet"
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Vectors:
    """One vector a paper, in ascending order of ids."""

    papers: pa.Table
    """(n rows) column `id`, ascending, each once; further columns say more of each paper."""
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
        """Numbers a vector has."""
        return int(self.values.shape[1])

    def rows(self, ids: pa.Array | pa.ChunkedArray) -> npt.NDArray[np.int64]:
        """(k,) rows of the papers with these ids, -1 for those without a vector."""
        found = pc.fill_null(pc.index_in(ids, value_set=self.ids), -1)
        rows: npt.NDArray[np.int64] = found.to_numpy(zero_copy_only=False).astype(np.int64)
        return rows


def write_vectors(folder: Path, vectors: Vectors) -> None:
    """Writes both files into a folder that exists, such as that of a run being written."""
    np.save(folder / VECTORS, np.ascontiguousarray(vectors.values, np.float32))
    pq.write_table(vectors.papers, folder / PAPERS, compression="zstd")


def read_vectors(folder: Path) -> Vectors:
    """Opens the vectors in a folder; the array stays on disk and is read as it is used.

    Raises:
        SourceError: a file is missing, cut short or not what it should be, or the ids are not
            ascending; the message says which.
    """
    path = folder / VECTORS
    try:
        values = np.load(path, mmap_mode="r", allow_pickle=False)
        papers = pq.read_table(folder / PAPERS)
    except (OSError, ValueError, EOFError, pa.ArrowException) as error:
        raise SourceError(
            str(folder), "no-vectors", f"expected {VECTORS} and {PAPERS}; {error}"
        ) from error
    if values.dtype != np.float32 or values.ndim != 2:
        raise SourceError(
            str(path),
            "no-vectors",
            f"expected float32 of shape (papers, dimensions); found {values.dtype} {values.shape}",
        )
    if "id" not in papers.column_names or not _ascending(papers["id"]):
        raise SourceError(
            str(folder / PAPERS), "no-ids", "expected a column `id`, ascending, each once"
        )
    return Vectors(papers, values)


def _ascending(ids: pa.ChunkedArray) -> bool:
    whole = ids.combine_chunks()
    return len(whole) < 2 or bool(pc.all(pc.less(whole[:-1], whole[1:])).as_py())
