"""Documents of queries, each with a number: scores of a ranking, or relevance judgements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.compiled import compiled
from citescape.core.errors import SourceError

Rows = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Coded = tuple[pa.StringArray, Codes]
_SHOWN = 3


@dataclass(frozen=True)
class QueryDocuments:
    """Documents of queries, each once per query, with a number; in CSR order."""

    column: ClassVar[str]
    """Column of the number, and its name in messages."""

    queries: pa.StringArray
    """(q,) ascending, each once."""
    documents: pa.StringArray
    """(n,) ascending, each once."""
    indptr: Rows
    """(q + 1,) the documents of query i are indptr[i] .. indptr[i + 1]."""
    codes: Codes
    """(m,) positions in `documents`, ascending within a query."""
    values: Floats
    """(m,)"""

    def __len__(self) -> int:
        """Number of pairs of a query and a document."""
        return len(self.codes)

    @classmethod
    def from_rows(cls, table: pa.Table, *, source: str = "") -> Self:
        """From rows in any order.

        Args:
            table: (m rows) `query` and `document`, ids; and `score` or `relevance`, the number.
            source: source of the rows, for messages.

        Raises:
            SourceError: a document occurs twice for a query, or a number is missing (NaN).
        """
        numbers = table[cls.column].cast(pa.float64()).fill_null(np.nan).to_numpy()
        return cls.from_codes(
            _code(table["query"]), _code(table["document"]), numbers, source=source
        )

    @classmethod
    def from_codes(
        cls, queries: Coded, documents: Coded, values: Floats, *, source: str = ""
    ) -> Self:
        """From rows in any order whose ids are positions in ascending ids, each of them used.

        Args:
            queries: ids, and (m,) the query of each row.
            documents: ids, and (m,) the document of each row.
            values: (m,) the number of each row.
            source: source of the rows, for messages.

        Raises:
            SourceError: see `from_rows`.
        """
        (known, rows), (listed, codes) = queries, documents
        order, indptr = _arrange(rows, codes, len(known), len(listed))
        rows, codes, values = rows[order], codes[order], values[order]
        own = cls(known, listed, indptr, codes, values)
        own._refuse(
            np.isnan(values), source, reason="no-number", message=f"have no number as {cls.column}"
        )
        same = np.append(False, (rows[1:] == rows[:-1]) & (codes[1:] == codes[:-1]))
        own._refuse(same, source, reason="repeated", message="occur more than once")
        return own

    @property
    def rows(self) -> Rows:
        """(m,) the query of each pair."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.indptr))

    def _refuse(
        self, bad: npt.NDArray[np.bool_], source: str, *, reason: str, message: str
    ) -> None:
        rows = np.flatnonzero(bad)
        if not len(rows):
            return
        some = ", ".join(
            f"{self.documents[self.codes[at]].as_py()!r} of query "
            f"{self.queries[self.rows[at]].as_py()!r}"
            for at in rows[:_SHOWN]
        )
        more = ", ..." if len(rows) > _SHOWN else ""
        raise SourceError(
            source or self.column,
            reason,
            f"{len(rows)} of {len(self)} documents of queries {message}: {some}{more}; expected "
            "each document once for a query, with a number",
        )


class Rankings(QueryDocuments):
    """Documents that a ranker returned for queries, with scores; higher is better."""

    column = "score"


def sort_unique(ids: pa.Array | pa.ChunkedArray) -> pa.StringArray:
    """Ids ascending (by their bytes), each once."""
    distinct = pc.unique(ids.cast(pa.string()))
    return distinct.take(pc.sort_indices(distinct))


def _code(column: pa.ChunkedArray) -> Coded:
    """Ids ascending, each once, and the position of each row in them."""
    coded = column.cast(pa.string()).combine_chunks().dictionary_encode(null_encoding="encode")
    order = pc.sort_indices(coded.dictionary)
    place = np.empty(len(order), np.int32)
    place[order.to_numpy()] = np.arange(len(order), dtype=np.int32)
    return coded.dictionary.take(order), place[coded.indices.to_numpy()]


@compiled
def _arrange(rows: Codes, codes: Codes, queries: int, documents: int) -> tuple[Rows, Rows]:
    """Order (m,) by query and document, ties by position; (q + 1,) where each query begins.

    A counting sort by documents, then by queries.
    """
    by_document, _ = _counting_sort(codes, np.arange(len(codes)), documents)
    return _counting_sort(rows, by_document, queries)


@compiled
def _counting_sort(keys: Codes, order: Rows, size: int) -> tuple[Rows, Rows]:
    """Stable order by key, 0 to size - 1; (size + 1,) where each key begins."""
    ends = np.zeros(size + 1, np.int64)
    for key in keys:
        ends[key + 1] += 1
    ends = np.cumsum(ends)
    free, arranged = ends[:-1].copy(), np.empty(len(order), np.int64)
    for row in order:
        arranged[free[keys[row]]] = row
        free[keys[row]] += 1
    return arranged, ends
