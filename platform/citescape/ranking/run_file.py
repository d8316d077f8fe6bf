"""Rankings that ran elsewhere: run files of trec_eval, or Parquet."""

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
    """Reads a run file as trec_eval takes it, or Parquet with `query`, `document`, `score`.

    The order is that of scores, as for trec_eval, which reads neither ranks nor the order of lines.

    Args:
        path: `.parquet`; else lines of six fields with white space between, compressed by gzip or
            not.

    Raises:
        SourceError: it is no such file or is empty, a score is no number, or a document stands
            twice beside a query.
    """
    table = read_scored(path, _COLUMNS) if path.suffix == ".parquet" else _read_lines(path)
    if not table.num_rows:
        raise SourceError(str(path), "empty", f"expected {_EXPECTED}; found none")
    return Rankings.from_rows(table, source=str(path))


def read_scored(path: Path, columns: Sequence[str]) -> pa.Table:
    """Reads Parquet with columns of ids (texts or whole numbers) and a last one of scores.

    Returns:
        These columns: ids as texts, scores as float64, null where the score is missing.

    Raises:
        SourceError: the file is not Parquet, lacks a column or an id, or a score is no number.
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
    found = f"{ids.null_count:,} without"
    try:
        if pa.types.is_floating(ids.type):  # as pandas makes of integers beside gaps
            ids = ids.cast(pa.int64())
        texts = ids.cast(pa.string())
    except pa.ArrowException as error:
        found, texts = str(error), None
    if texts is None or texts.null_count or pa.types.is_boolean(ids.type):
        raise SourceError(str(path), "no-id", f"expected an id as {name} everywhere; found {found}")
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
    """The rankings of another system: only papers that its file lists can be found."""

    name: str
    indptr: Rows
    """(papers + 1,) what is listed for paper i stands at indptr[i] .. indptr[i + 1]."""
    listed: Codes
    """(pairs,) rows of the corpus, ascending within a query."""
    scores: Floats
    """(pairs,)"""
    unknown: tuple[int, int] = (0, 0)
    """Queries and documents of the file that the corpus has not."""

    @classmethod
    def of(cls, name: str, rankings: Rankings, ids: pa.StringArray) -> RunFile:
        """Rankings of the papers of a corpus, ids ascending; other pairs are skipped and counted.

        Raises:
            SourceError: no pair is of papers of the corpus.
        """
        places = find_rows(rankings.queries, ids), find_rows(rankings.documents, ids)
        ends = places[0][rankings.rows], places[1][rankings.codes]
        kept = np.flatnonzero((ends[0] >= 0) & (ends[1] >= 0))
        if not len(kept):
            raise SourceError(
                name,
                "other-papers",
                f"none of {len(rankings):,} pairs is of papers of the corpus; expected some: are "
                "the ids the same?",
            )
        counts = np.bincount(ends[0][kept], minlength=len(ids))
        indptr = np.append(0, np.cumsum(counts)).astype(np.int64)
        unknown = (int((places[0] < 0).sum()), int((places[1] < 0).sum()))
        listed = ends[1][kept].astype(np.int32)  # ids ascend on both sides, so their order stays
        return cls(name, indptr, listed, rankings.values[kept], unknown)

    @property
    def traits(self) -> Traits:
        """All unknown."""
        names = ("queries that are not there", "documents that are not among those measured")
        return Traits(0, None, None, None, unknown=dict(zip(names, self.unknown, strict=True)))

    def describe(self) -> dict[str, str | float]:
        """Hash of what is listed."""
        digest = hashlib.sha256()
        for part in (self.indptr, self.listed, self.scores):
            digest.update(np.ascontiguousarray(part).tobytes())
        return {"ranker": "run file", "listed": digest.hexdigest()}

    @cached_property
    def _there(self) -> npt.NDArray[np.bool_]:
        there = np.diff(self.indptr) > 0
        there[self.listed] = True
        return there

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(rows,) true for papers that are neither a query nor a document of the file."""
        found: npt.NDArray[np.bool_] = ~self._there[rows]
        return found

    def among(self, pool: Rows) -> RunFilePool:
        """Some papers, ascending and each once."""
        return RunFilePool(self, np.asarray(pool, np.int64))


@dataclass(frozen=True)
class RunFilePool:
    """Papers to be found."""

    ranker: RunFile
    pool: Rows

    def search(self, queries: Rows, k: int) -> SearchResult:
        """The first k that are listed for each query and are in the pool."""
        ranker = self.ranker
        papers = np.full((len(queries), k), NONE, np.int32)
        scores = np.full(papers.shape, -np.inf, np.float32)
        for row, query in enumerate(queries.tolist()):
            own = slice(ranker.indptr[query], ranker.indptr[query + 1])
            listed, values = ranker.listed[own], ranker.scores[own].astype(np.float32)
            kept = (find_own(self.pool, listed.astype(np.int64)) != NONE) & (listed != query)
            listed, values = listed[kept], values[kept]
            order = np.argsort(-values, kind="stable")[:k]  # of equal ones the lower row first
            papers[row, : len(order)], scores[row, : len(order)] = listed[order], values[order]
        return SearchResult(queries, papers, scores)

    def score(self, queries: Rows, papers: Rows) -> Floats:
        """(pairs,) -infinity for those that are not listed.

        Raises:
            ConfigError: a paper is not in the pool.
        """
        locate(self.pool, papers)
        ranker = self.ranker
        sought = queries.astype(np.int32), papers.astype(np.int32)
        places = csr.locate(ranker.indptr, ranker.listed, *sought)
        found: Floats = np.where(places >= 0, ranker.scores[places], -np.inf)
        return found
