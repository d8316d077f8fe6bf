"""String ids to integer codes, and pairs in CSR order.

Codes are positions in the ascending list of ids, so the order of pairs, and all that is computed
from it, does not depend on the order in which a database returns rows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core import csr
from citescape.core.errors import StoreError

Codes = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Pairs:
    """Every (citing, cited) pair once, ascending by citing, then by cited id."""

    ids: pa.StringArray
    """(papers,) ascending; exactly the papers that occur in a pair."""
    indptr: npt.NDArray[np.int64]
    """(papers + 1,): the pairs of paper i are indptr[i] .. indptr[i + 1]."""
    cited: Codes
    """(pairs,)"""

    def __len__(self) -> int:
        return len(self.cited)

    def locate(self, citing: Codes, cited: Codes) -> npt.NDArray[np.int64]:
        """Positions (k,) of the pairs, -1 for missing pairs."""
        return csr.locate(self.indptr, self.cited, citing, cited)

    def ends(self, positions: npt.NDArray[np.int64]) -> tuple[pa.Array, pa.Array]:
        """Citing and cited ids (k,) of the pairs at the given positions."""
        citing = np.searchsorted(self.indptr, positions, side="right") - 1
        return self.ids.take(pa.array(citing)), self.ids.take(pa.array(self.cited[positions]))


def build_pairs(ids: pa.StringArray, citing: Codes, cited: Codes) -> Pairs:
    """Pairs from codes; ids without a pair are dropped.

    Args:
        ids: (papers,) ids, ascending.
        citing: (pairs,) codes of the citing papers, in any order.
        cited: (pairs,) codes of the cited papers.

    Raises:
        StoreError: a pair is listed more than once.
    """
    used = np.zeros(len(ids), np.bool_)
    used[citing] = used[cited] = True
    if not used.all():
        recode = (np.cumsum(used) - 1).astype(np.int32)
        ids, citing, cited = ids.filter(pa.array(used)), recode[citing], recode[cited]
    indptr, grouped = csr.group(citing, cited, len(ids))
    repeats = csr.count_repeats(indptr, grouped)
    if repeats:
        raise StoreError(
            f"{repeats} of {len(cited)} CITES pairs are listed more than once; expected one for "
            "each citing and cited paper: ingest the papers again"
        )
    return Pairs(ids, indptr, grouped)


def sort_ids(ids: pa.ChunkedArray | pa.Array) -> pa.StringArray:
    """Ids ascending, as one array."""
    whole = ids.combine_chunks() if isinstance(ids, pa.ChunkedArray) else ids
    whole = whole.cast(pa.string())
    return whole.take(pc.sort_indices(whole))


def fingerprint_ids(ids: pa.StringArray) -> str:
    """SHA-256 of ids in their order, 64 digits."""
    return hashlib.sha256("\n".join(ids.to_pylist()).encode()).hexdigest()


def encode(column: pa.ChunkedArray | pa.Array, ids: pa.Array) -> Codes:
    """Codes (rows,) of a column of ids, -1 for missing ids.

    Each call hashes all `ids` anew: give it some hundred thousand rows, not a few.
    """
    texts = column.cast(pa.string())  # without rows, an engine may return a column without a type
    indices = pc.fill_null(pc.index_in(texts, value_set=ids), -1)
    codes: Codes = indices.to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
    return codes


def find_rows(ids: pa.ChunkedArray | pa.Array, among: pa.Array) -> npt.NDArray[np.int64]:
    """(ids,) position of each id in `among`, -1 for missing ids; as `encode`, in 64 bits."""
    return encode(ids, among).astype(np.int64)


def join(parts: Sequence[Codes]) -> Codes:
    """The parts as one array; empty if there are none."""
    return np.concatenate([np.empty(0, np.int32), *parts])
