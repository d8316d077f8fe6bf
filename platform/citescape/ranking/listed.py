"""Documents that stand beside queries, each with a number: scores of a ranking, or judgements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.errors import SourceError
from citescape.features.pairs import encode

Rows = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Own = TypeVar("Own", bound="Listed")
_SHOWN = 3


@dataclass(frozen=True)
class Listed:
    """For each query some documents, each once, with a number; in CSR order."""

    what: ClassVar[str]
    """The number as messages call it."""

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
        """Pairs of a query and a document."""
        return len(self.codes)

    @classmethod
    def of(cls: type[Own], table: pa.Table, *, source: str = "") -> Own:
        """From rows in any order.

        Args:
            table: (m rows) `query` and `document`, ids; and `score` or `relevance`, the number.
            source: where they are from, for messages.

        Raises:
            SourceError: a document stands twice beside a query, or a number is none (NaN).
        """
        queries, documents = table["query"], table["document"]
        known, listed = (sort_unique(column) for column in (queries, documents))
        rows, codes = encode(queries, known), encode(documents, listed)
        numbers = table[cls.what].cast(pa.float64()).fill_null(np.nan).to_numpy()
        order = np.lexsort((codes, rows))
        rows, codes, numbers = rows[order], codes[order], numbers[order]
        own = cls(known, listed, _starts(rows, len(known)), codes, numbers)
        none, same = np.isnan(numbers), (rows[1:] == rows[:-1]) & (codes[1:] == codes[:-1])
        own._refuse(none, source, reason="no-number", message=f"have no number as {cls.what}")
        again = np.append(False, same)
        own._refuse(again, source, reason="repeated", message="stand there more than once")
        return own

    @property
    def rows(self) -> Rows:
        """(m,) the query of each pair."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.indptr))

    def _refuse(
        self, bad: npt.NDArray[np.bool_], source: str, *, reason: str, message: str
    ) -> None:
        found = np.flatnonzero(bad)
        if not len(found):
            return
        some = ", ".join(
            f"{self.documents[self.codes[at]].as_py()!r} of query "
            f"{self.queries[self.rows[at]].as_py()!r}"
            for at in found[:_SHOWN]
        )
        more = ", ..." if len(found) > _SHOWN else ""
        raise SourceError(
            source or self.what,
            reason,
            f"{len(found)} of {len(self)} documents of queries {message}: {some}{more}; expected "
            "each document once for a query, with a number",
        )


class Rankings(Listed):
    """What a ranker found for queries: documents with scores, of which higher ones are better."""

    what = "score"


def sort_unique(ids: pa.Array | pa.ChunkedArray) -> pa.StringArray:
    """Ids ascending (by their bytes), each once."""
    distinct = pc.unique(ids.cast(pa.string()))
    return distinct.take(pc.sort_indices(distinct))


def _starts(rows: Codes, count: int) -> Rows:
    return np.append(0, np.cumsum(np.bincount(rows, minlength=count))).astype(np.int64)
