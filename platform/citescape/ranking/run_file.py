"""Rankings of external systems: run files of trec_eval, or Parquet."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from citescape.core import csr
from citescape.core.errors import SourceError, list_some
from citescape.core.pairs import find_rows
from citescape.search.lines import open_lines
from citescape.search.listed import Codes, Floats, Rankings, Rows
from citescape.search.ranker import NONE, SearchResult, find_own, locate
from citescape.search.traits import Traits

_EXPECTED = "a run file: lines `query Q0 document rank score tag`"
_COLUMNS = ("query", "document", "score")


def read_rankings(path: Path) -> Rankings:
    """Reads a run file of trec_eval, or Parquet with `query`, `document`, `score`.

    Documents are ordered by score, as in trec_eval; ranks and the order of lines are ignored.

    Args:
        path: `.parquet`; else lines of six fields separated by white space, optionally compressed
            by gzip.

    Raises:
        SourceError: the file is missing, empty or has another format, a score is not a number, or
            a document is listed twice for a query.
    """
    table = read_scored(path, _COLUMNS) if path.suffix == ".parquet" else _read_lines(path)
    if not table.num_rows:
        raise SourceError(str(path), "empty", f"expected {_EXPECTED}; found none")
    return Rankings.from_rows(table, source=str(path))


def read_scored(path: Path, columns: Sequence[str]) -> pa.Table:
    """Reads Parquet with columns of ids (strings or integers), and scores in the last column.

    Returns:
        The columns: ids as strings, scores as float64, null where the score is missing.

    Raises:
        SourceError: the file is not Parquet, lacks a column or an id, or a score is not a number.
    """
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise SourceError(str(path), "not-parquet", f"expected Parquet; found: {error}") from error
    missing = [name for name in columns if name not in table.column_names]
    if missing:
        raise SourceError(
            str(path),
            "not-a-run",
            f"expected columns {', '.join(columns)}; found {list_some(table.column_names)}",
        )
    ids = [_read_ids(table[name], name, path) for name in columns[:-1]]
    try:
        numbers = table[columns[-1]].cast(pa.float64())
    except pa.ArrowException as error:
        raise SourceError(
            str(path), "no-number", f"expected numbers as score; found: {error}"
        ) from error
    return pa.table([*ids, numbers], list(columns))


def _read_ids(ids: pa.ChunkedArray, name: str, path: Path) -> pa.ChunkedArray:
    reason = f"{ids.null_count:,} without"
    try:
        if pa.types.is_floating(ids.type):  # pandas turns integers with gaps into floats
            ids = ids.cast(pa.int64())
        texts = ids.cast(pa.string())
    except pa.ArrowException as error:
        reason, texts = str(error), None
    if texts is None or texts.null_count or pa.types.is_boolean(ids.type):
        raise SourceError(
            str(path), "no-id", f"expected an id as {name} in each row; found {reason}"
        )
    return texts


def _read_lines(path: Path) -> pa.Table:
    queries, documents, scores = list[str](), list[str](), list[float]()
    with open_lines(path, _EXPECTED) as lines:
        for number, line in enumerate(lines, 1):
            parts = line.decode("utf-8", "replace").split()
            if not parts:
                continue
            try:
                query, _, document, _, score, _ = parts
                scores.append(float(score))
            except ValueError as error:
                shown = " ".join(parts)[:60]
                raise SourceError(
                    str(path), "not-a-run", f"line {number}: expected {_EXPECTED}; found {shown!r}"
                ) from error
            queries.append(query)
            documents.append(document)
    columns = (pa.array(queries, pa.string()), pa.array(documents, pa.string()), pa.array(scores))
    return pa.table(list(columns), list(_COLUMNS))


@dataclass(frozen=True)
class RunFile:
    """Rankings of an external system; it retrieves only papers that its file lists."""

    name: str
    indptr: Rows
    """(papers + 1,) the ranking of paper i is at indptr[i] .. indptr[i + 1]."""
    listed: Codes
    """(pairs,) rows of the corpus, ascending within a query."""
    scores: Floats
    """(pairs,) scores; higher is better."""
    unknown: tuple[int, int] = (0, 0)
    """Number of queries and of documents of the file that are not in the corpus."""

    @classmethod
    def from_rankings(cls, name: str, rankings: Rankings, ids: pa.StringArray) -> RunFile:
        """Selects the rankings of papers of a corpus; other pairs are skipped and counted.

        Args:
            name: name of the system.
            rankings: rankings by id.
            ids: (papers,) ids of the corpus, ascending.


        Raises:
            SourceError: no pair has both papers in the corpus.
        """
        places = find_rows(rankings.queries, ids), find_rows(rankings.documents, ids)
        ends = places[0][rankings.rows], places[1][rankings.codes]
        kept = np.flatnonzero((ends[0] >= 0) & (ends[1] >= 0))
        if not len(kept):
            raise SourceError(
                name,
                "other-papers",
                f"none of {len(rankings):,} pairs has both papers in the corpus; expected some: "
                "check that the ids are the same",
            )
        counts = np.bincount(ends[0][kept], minlength=len(ids))
        indptr = np.append(0, np.cumsum(counts)).astype(np.int64)
        unknown = (int((places[0] < 0).sum()), int((places[1] < 0).sum()))
        listed = ends[1][kept].astype(np.int32)  # ids ascend in both tables: the order is kept
        return cls(name, indptr, listed, rankings.values[kept], unknown)

    @property
    def traits(self) -> Traits:
        """All unknown."""
        names = (
            "queries that this evaluation does not use",
            "documents that this evaluation does not use",
        )
        return Traits(0, None, None, None, unknown=dict(zip(names, self.unknown, strict=True)))

    def describe(self) -> dict[str, str | float]:
        """Hash of the rankings."""
        digest = hashlib.sha256()
        for part in (self.indptr, self.listed, self.scores):
            digest.update(np.ascontiguousarray(part).tobytes())
        return {"ranker": "run file", "listed": digest.hexdigest()}

    @cached_property
    def _known(self) -> npt.NDArray[np.bool_]:
        """(papers,) true for queries and documents of the file."""
        known = np.diff(self.indptr) > 0
        known[self.listed] = True
        return known

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(rows,) true for papers that are neither a query nor a document of the file."""
        lacking: npt.NDArray[np.bool_] = ~self._known[rows]
        return lacking

    def among(self, pool: Rows) -> RunFilePool:
        """The ranker on a pool of papers: rows, ascending, each once."""
        return RunFilePool(self, np.asarray(pool, np.int64))


@dataclass(frozen=True)
class RunFilePool:
    """A run file on a pool of papers."""

    ranker: RunFile
    pool: Rows

    def search(self, queries: Rows, k: int) -> SearchResult:
        """The first k papers of each ranking that are in the pool."""
        ranker = self.ranker
        papers = np.full((len(queries), k), NONE, np.int32)
        scores = np.full(papers.shape, -np.inf, np.float32)
        for row, query in enumerate(queries.tolist()):
            own = slice(ranker.indptr[query], ranker.indptr[query + 1])
            listed, values = ranker.listed[own], ranker.scores[own].astype(np.float32)
            kept = (find_own(self.pool, listed.astype(np.int64)) != NONE) & (listed != query)
            listed, values = listed[kept], values[kept]
            order = np.argsort(-values, kind="stable")[:k]  # ties: the lower row first
            papers[row, : len(order)], scores[row, : len(order)] = listed[order], values[order]
        return SearchResult(queries, papers, scores)

    def score(self, queries: Rows, papers: Rows) -> Floats:
        """(pairs,) scores; -infinity for pairs that are not listed.

        Raises:
            ConfigError: a paper is not in the pool.
        """
        locate(self.pool, papers)
        ranker = self.ranker
        pairs = queries.astype(np.int32), papers.astype(np.int32)
        places = csr.locate(ranker.indptr, ranker.listed, *pairs)
        scores: Floats = np.where(places >= 0, ranker.scores[places], -np.inf)
        return scores
