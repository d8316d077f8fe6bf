"""Published embeddings of papers: files of JSON lines, or folders of citescape."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import SourceError
from citescape.core.pairs import find_rows, sort_ids
from citescape.search.lines import open_lines
from citescape.search.vectors import PAPERS, VECTORS, Vectors, is_vector_file, read_vectors, slices

KEYS = ("paper_id", "doc_id")
"""Keys of the id in files of SciDocs and of SciRepEval."""
_BLOCK = 8_192
"""Number of vectors in a block."""
_FORMAT = '{"paper_id": "...", "embedding": [0.1, ...]}'
Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PaperEmbeddings:
    """Vectors of papers, and papers with an empty embedding, which were not encoded."""

    vectors: Vectors
    empty: pa.StringArray
    """Ids of papers with an empty embedding, ascending, each once; they have no vector."""
    source: str
    """The file or folder, for messages."""

    @property
    def dimensions(self) -> int:
        """Numbers per vector."""
        return self.vectors.dimensions

    def rows(self, ids: pa.Array | pa.ChunkedArray) -> Rows:
        """(k,) rows of papers in the vectors; -1 without a vector."""
        return self.vectors.rows(ids)

    def is_empty(self, ids: pa.Array | pa.ChunkedArray) -> Flags:
        """(k,) true if the embedding is an empty list."""
        return np.asarray(find_rows(ids, self.empty) >= 0)

    def select_rows(self, rows: Rows) -> npt.NDArray[np.float64]:
        """(k, d) vectors in double precision; zeros for rows of -1."""
        values = np.zeros((len(rows), self.dimensions))
        known = np.flatnonzero(rows >= 0)
        values[known] = self.vectors.values[rows[known]]
        return values


def read_paper_embeddings(path: Path) -> PaperEmbeddings:
    r"""Reads embeddings.

    Args:
        path: a file of lines `{"paper_id": "...", "embedding": [...]}` (SciDocs) or with `doc_id`
            in place of `paper_id` (SciRepEval), optionally compressed by gzip; or a folder or file
            of vectors, see `search.vectors.read_vectors`.

    Returns:
        Embeddings in single precision. Repeated lines of a paper with equal embeddings count once.

    Raises:
        SourceError: the file is missing or truncated, a line is invalid, or a paper has two
            embeddings; the message contains the line number.
    """
    if path.is_dir() or is_vector_file(path):
        vectors = read_vectors(path)
        for part in slices(len(vectors)):
            bad = np.flatnonzero(~np.isfinite(vectors.values[part]).all(axis=1))
            if len(bad):
                paper = vectors.ids[part.start + int(bad[0])].as_py()
                message = f"NaN or infinity in the vector of {paper!r}; expected finite numbers"
                raise SourceError(str(path / VECTORS), "not-finite", message)
        return PaperEmbeddings(vectors, pa.array([], pa.string()), str(path))
    reader = _LineReader(str(path))
    expected = f"a file of embeddings, or a folder with {VECTORS} and {PAPERS}"
    with open_lines(path, expected) as lines:
        for number, line in enumerate(lines, 1):
            if not line.isspace():
                reader.add(number, line)
    return reader.close()


@dataclass
class _LineReader:
    """Lines read so far: blocks of vectors, and the row of each paper, -1 if it is empty."""

    source: str
    rows: dict[str, int] = field(default_factory=dict)
    blocks: list[Floats] = field(default_factory=list)
    count: int = 0

    def add(self, number: int, line: bytes) -> None:
        """Parses and stores one line.

        Raises:
            SourceError: see `read_paper_embeddings`.
        """
        paper, vector = self._parse(number, line)
        if paper in self.rows:
            row = self.rows[paper]
            known = self.blocks[row // _BLOCK][row % _BLOCK] if row >= 0 else np.empty(0)
            if not np.array_equal(known, vector):
                message = f"a second embedding of {paper!r}; expected one per paper"
                raise self._error(number, "repeated", message)
            return
        if not len(vector):
            self.rows[paper] = -1
            return
        if self.blocks and len(vector) != self.blocks[0].shape[1]:
            first = self.blocks[0].shape[1]
            raise self._error(
                number,
                "dimension",
                f"an embedding of {len(vector)} numbers; expected {first}, as in the lines before",
            )
        if self.count == len(self.blocks) * _BLOCK:
            self.blocks.append(np.empty((_BLOCK, len(vector)), np.float32))
        self.blocks[-1][self.count % _BLOCK] = vector
        self.rows[paper], self.count = self.count, self.count + 1

    def close(self) -> PaperEmbeddings:
        """All embeddings in ascending order of ids. Frees each block after it is copied."""
        if not self.blocks:
            count = f"{len(self.rows)} empty ones" if self.rows else "none"
            raise SourceError(
                self.source, "no-embeddings", f"expected lines {_FORMAT}; found {count}"
            )
        placed = [paper for paper, row in self.rows.items() if row >= 0]
        empty = sort_ids(pa.array([p for p, row in self.rows.items() if row < 0], pa.string()))
        ids = pa.array(placed, pa.string())
        order = pc.sort_indices(ids)
        targets = np.empty(len(ids), np.int64)
        targets[order.to_numpy()] = np.arange(len(ids))
        values = np.empty((len(ids), self.blocks[0].shape[1]), np.float32)
        for part in slices(len(ids), _BLOCK):
            values[targets[part]] = self.blocks.pop(0)[: part.stop - part.start]
        return PaperEmbeddings(
            Vectors(pa.table({"id": ids.take(order)}), values), empty, self.source
        )

    def _parse(self, number: int, line: bytes) -> tuple[str, Floats]:
        """The paper and the vector (d,) of a line; d is 0 for an empty embedding."""
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self._error(
                number, "not-json", f"invalid JSON ({error}); expected {_FORMAT}"
            ) from error
        keys = [key for key in KEYS if isinstance(record, dict) and key in record]
        if not keys or "embedding" not in record:
            content = "not an object"
            if isinstance(record, dict):
                content = f"the keys {', '.join(record) or 'none'}"
            raise self._error(
                number, "no-key", f"{content}; expected `embedding` and one of {', '.join(KEYS)}"
            )
        paper, embedding = record[keys[0]], record["embedding"]
        if isinstance(paper, bool) or not isinstance(paper, str | int) or paper == "":
            raise self._error(number, "no-id", f"{paper!r} as {keys[0]}; expected an id")

        try:
            numbers = np.asarray(embedding if isinstance(embedding, list) else None)
        except ValueError:  # nested lists of different lengths
            numbers = np.asarray(None)
        if numbers.ndim != 1 or (len(numbers) and numbers.dtype.kind not in "fiu"):
            raise self._error(
                number, "no-vector", "an embedding that is not a list of numbers; expected one"
            )
        with np.errstate(over="ignore"):
            vector = numbers.astype(np.float32)
        if not np.isfinite(vector).all():
            raise self._error(
                number, "not-finite", "NaN or infinity in an embedding; expected finite numbers"
            )
        return str(paper), vector

    def _error(self, number: int, reason: str, message: str) -> SourceError:
        return SourceError(self.source, reason, f"line {number}: found {message}")
