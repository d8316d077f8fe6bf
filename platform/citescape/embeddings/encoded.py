"""Embeddings of papers as encoders publish them: one JSON object a line, or our own folders."""

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
"""Keys that hold the id: of SciDocs, of SciRepEval."""
_BLOCK = 8_192
"""Vectors of one block."""
_FORMAT = '{"paper_id": "...", "embedding": [0.1, ...]}'
Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Encoded:
    """Vectors of papers, and papers whose embedding is the empty list: they were not encoded."""

    vectors: Vectors
    empty: pa.StringArray
    """Ascending, each once; none of them is among the vectors."""
    source: str
    """The file or folder, for messages."""

    @property
    def dimensions(self) -> int:
        """Numbers a vector has."""
        return self.vectors.dimensions

    def rows(self, ids: pa.Array | pa.ChunkedArray) -> Rows:
        """(k,) rows of the papers with these ids, -1 for those without a vector."""
        return self.vectors.rows(ids)

    def is_empty(self, ids: pa.Array | pa.ChunkedArray) -> Flags:
        """(k,) true where the embedding is there, and empty."""
        return np.asarray(find_rows(ids, self.empty) >= 0)

    def take(self, rows: Rows) -> npt.NDArray[np.float64]:
        """(k, d) vectors in double precision; zeros for rows of -1."""
        found = np.zeros((len(rows), self.dimensions))
        there = np.flatnonzero(rows >= 0)
        found[there] = self.vectors.values[rows[there]]
        return found


def read_encoded(path: Path) -> Encoded:
    r"""Reads embeddings.

    Args:
        path: a file of lines `{"paper_id": "...", "embedding": [...]}` (SciDocs) or with `doc_id`
            in place of `paper_id` (SciRepEval), compressed by gzip or not; or what
            `search.vectors.read_vectors` reads: the folder of a run, or a file of one's own.

    Returns:
        In single precision, which encoders write: a number of theirs comes back as it was. A paper
        that is there twice with the same embedding counts once.

    Raises:
        SourceError: there is no such file, it is cut short, a line is not what it should be, or a
            paper has two embeddings; the message says which line.
    """
    if path.is_dir() or is_vector_file(path):
        vectors = read_vectors(path)
        _refuse_infinite(vectors, path)
        return Encoded(vectors, pa.array([], pa.string()), str(path))
    gathered = _Gathered(str(path))
    expected = f"a file of embeddings, or a folder with {VECTORS} and {PAPERS}"
    with open_lines(path, expected) as lines:
        for number, line in enumerate(lines, 1):
            if not line.isspace():
                gathered.add(number, line)
    return gathered.close()


@dataclass
class _Gathered:
    """Lines read so far: blocks of vectors, and the row of each paper, -1 for an empty one."""

    source: str
    rows: dict[str, int] = field(default_factory=dict)
    blocks: list[Floats] = field(default_factory=list)
    count: int = 0

    def add(self, number: int, line: bytes) -> None:
        """One line.

        Raises:
            SourceError: see `read_encoded`.
        """
        paper, vector = self._parse(number, line)
        known = self.rows.get(paper)
        if known is not None:
            self._refuse_another(number, paper, (self._vector(known), vector))
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

    def close(self) -> Encoded:
        """All of them, in ascending order of ids; the blocks are given up as they are copied."""
        if not self.blocks:
            told = f"{len(self.rows)} empty ones" if self.rows else "none"
            raise SourceError(
                self.source, "no-embeddings", f"expected lines {_FORMAT}; found {told}"
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
        return Encoded(Vectors(pa.table({"id": ids.take(order)}), values), empty, self.source)

    def _vector(self, row: int) -> Floats:
        if row < 0:
            return np.empty(0, np.float32)
        block: Floats = self.blocks[row // _BLOCK][row % _BLOCK]
        return block

    def _parse(self, number: int, line: bytes) -> tuple[str, Floats]:
        try:
            told = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self._error(
                number, "not-json", f"no JSON ({error}); expected {_FORMAT}"
            ) from error
        keys = [key for key in KEYS if isinstance(told, dict) and key in told]
        if not keys or "embedding" not in told:
            found = (
                f"the keys {', '.join(told) or 'none'}" if isinstance(told, dict) else "no object"
            )
            raise self._error(
                number, "no-key", f"{found}; expected `embedding` and one of {', '.join(KEYS)}"
            )
        paper = told[keys[0]]
        if isinstance(paper, bool) or not isinstance(paper, str | int) or paper == "":
            raise self._error(number, "no-id", f"{paper!r} as {keys[0]}; expected an id")
        return str(paper), self._to_vector(number, told["embedding"])

    def _to_vector(self, number: int, told: object) -> Floats:
        """(d,), or (0,) of an empty one."""
        try:
            numbers = np.asarray(told if isinstance(told, list) else None)
        except ValueError:  # lists of several lengths
            numbers = np.asarray(None)
        if numbers.ndim != 1 or (len(numbers) and numbers.dtype.kind not in "fiu"):
            raise self._error(number, "no-vector", "no list of numbers as embedding; expected one")
        with np.errstate(over="ignore"):
            vector = numbers.astype(np.float32)
        if not np.isfinite(vector).all():
            raise self._error(
                number, "not-finite", "NaN or infinity in an embedding; expected finite numbers"
            )
        return vector

    def _refuse_another(self, number: int, paper: str, both: tuple[Floats, Floats]) -> None:
        if not np.array_equal(*both):
            raise self._error(
                number, "repeated", f"{paper!r} again, with another embedding; expected one a paper"
            )

    def _error(self, number: int, reason: str, message: str) -> SourceError:
        return SourceError(self.source, reason, f"line {number}: found {message}")


def _refuse_infinite(vectors: Vectors, path: Path) -> None:
    for part in slices(len(vectors)):
        bad = np.flatnonzero(~np.isfinite(vectors.values[part]).all(axis=1))
        if len(bad):
            paper = vectors.ids[part.start + int(bad[0])].as_py()
            raise SourceError(
                str(path / VECTORS),
                "not-finite",
                f"NaN or infinity in the vector of {paper!r}; expected finite numbers",
            )
