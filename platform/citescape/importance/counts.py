"""Features of every pair: mentions by section type, self-citation, title similarity.

The bulk counterpart of `cypher/features/location.cypher` and `self_citation.cypher`; property
tests compare both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core import csr
from citescape.core.pairs import Codes, Pairs
from citescape.core.types import SECTION_TYPES
from citescape.importance import kernel
from citescape.importance.components import unit
from citescape.importance.weights import ComponentCounts

Counts = npt.NDArray[np.unsignedinteger]
Mentions = tuple[Codes, Codes, npt.NDArray[np.uint8]]
"""Citing codes, cited codes and kinds (columns of the counts) of k in-text citations."""
_HASHED_IDS = 1 << 16
NO_TITLES = np.zeros(0, np.uint16)


@dataclass(frozen=True)
class PairFeatures:
    """Features of pairs in CSR order, 11 bytes per pair: 4 cited, 6 counts, 1 self."""

    pairs: Pairs
    counts: Counts
    """(pairs, 6) columns I, M, R, D, other, combined (those of R counted half in D by `both`)."""
    selfs: npt.NDArray[np.uint8]
    """(pairs,) 1 if the papers share an author, else 0."""
    titles: npt.NDArray[np.uint16]
    """(pairs,) similarity in steps of 2**-15, 65535 if a title is missing; empty without T."""
    strays: int
    """In-text citations without a pair."""
    relabelled: int = 0
    """Pairs whose counts by section types of a model differ from those by rules alone."""

    @property
    def mentions(self) -> npt.NDArray[np.int64]:
        """(pairs,) in-text citations of each pair."""
        total: npt.NDArray[np.int64] = self.counts[:, : kernel.COMBINED].sum(axis=1, dtype=np.int64)
        return total

    @property
    def mentions_by_type(self) -> dict[str, int]:
        """In-text citations of all pairs, by type of their section."""
        totals = self.counts[:, : kernel.COMBINED].sum(axis=0, dtype=np.int64)
        return dict(zip(SECTION_TYPES, totals.tolist(), strict=True))

    @property
    def unmentioned(self) -> int:
        """Pairs without a mention in the text: all counts are 0."""
        return int(np.count_nonzero(self.mentions == 0))

    @property
    def untitled(self) -> int:
        """Pairs without a title similarity."""
        return int(np.count_nonzero(self.titles == kernel.MISSING))

    def fingerprint(self) -> str:
        """Hash of pairs and features, 64 hex digits: independent of the order of pairs."""
        digest = hashlib.blake2b(digest_size=32)
        for start in range(0, len(self.pairs.ids), _HASHED_IDS):
            ids = self.pairs.ids.slice(start, _HASHED_IDS).to_pylist()
            digest.update("".join(f"{id_}\n" for id_ in ids).encode())
        for array in (self.pairs.indptr, self.pairs.cited, self.counts, self.selfs, self.titles):
            digest.update(f"{array.dtype} {array.shape}\n".encode())
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()


def count_mentions(pairs: Pairs, chunks: Iterable[Mentions]) -> tuple[Counts, int]:
    """Counts (pairs, 6) and the number of mentions without a pair.

    One byte per count; as soon as one would wrap at 256, all are widened to two bytes, then four.
    """
    counts: Counts = np.zeros((len(pairs), 6), np.uint8)
    strays = 0
    for mentions in chunks:
        done = 0
        while True:
            done, missed = kernel.count_mentions(pairs.indptr, pairs.cited, counts, mentions, done)
            strays += missed
            if done == len(mentions[0]):
                break
            counts = counts.astype(f"u{2 * counts.itemsize}")
    return counts, strays


def mark_self_citations(pairs: Pairs, papers: Codes, authors: Codes) -> npt.NDArray[np.uint8]:
    """S (pairs,): 1 if citing and cited paper share an author.

    Args:
        pairs: pairs in CSR order.
        papers: (k,) code of a paper.
        authors: (k,) code of an author of this paper.
    """
    author_ptr, grouped = csr.group(papers, authors, len(pairs.ids))
    return kernel.mark_shared(pairs.indptr, pairs.cited, author_ptr, grouped).astype(
        np.uint8, copy=False
    )


def section_kinds(types: pa.ChunkedArray, combined: pa.ChunkedArray) -> npt.NDArray[np.uint8]:
    """Columns (k,) of the counts for section types: unknown ones are `other`."""
    names = pa.array(["I", "M", "R", "D"])
    kinds = pc.fill_null(pc.index_in(types.cast(pa.string()), value_set=names), kernel.OTHER)
    flags = pc.fill_null(combined.cast(pa.bool_()), False)
    joins = pc.and_(pc.equal(kinds, kernel.RESULT), flags)
    columns: npt.NDArray[np.uint8] = (
        pc.if_else(joins, kernel.COMBINED, kinds).to_numpy().astype(np.uint8)
    )
    return columns


def tally(
    features: PairFeatures, combined: str, chosen: npt.NDArray[np.bool_] | None = None
) -> dict[str, ComponentCounts]:
    """The histogram of each component; T only where titles were compared.

    Args:
        features: features of all pairs.
        combined: where mentions in combined sections count.
        chosen: (pairs,) pairs to count; all by default.
    """
    counts, selfs, titles = features.counts, features.selfs, features.titles
    if chosen is not None and not chosen.all():
        counts, selfs = counts[chosen], selfs[chosen]
        titles = titles[chosen] if len(titles) else titles
    halves = combined == "both"
    size = 3 * max(1, int(counts.max(initial=0))) + 1  # the maximum is 2 D + COMBINED
    bins = kernel.tally(counts, selfs, halves, size)
    rows = dict(zip(("I", "M", "R", "D", "other", "S"), bins, strict=True))
    if len(titles):
        rows["T"] = kernel.tally_titles(titles)
    return {
        name: ComponentCounts.from_histogram(name, row, unit=unit(name, combined))
        for name, row in rows.items()
    }
