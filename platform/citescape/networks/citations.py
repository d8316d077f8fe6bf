"""Directed, weighted citations as arrays in CSR order."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import StoreError, invalid_choice
from citescape.core.pairs import Codes, build_pairs, encode, sort_ids
from citescape.core.types import FACETS
from citescape.ingest.overview import is_half_labelled
from citescape.papers.slices import read_sliced, read_slices
from citescape.store.graph_store import GraphStore
from citescape.store.state import read_importance_run

Weights = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
WEIGHTS = {"none": "", "importance": "importance", **{name: f"n_{name}" for name in FACETS}}
"""Weight -> property of CITES; for a facet, its number of contexts (FLeW, Eq. 3)."""
_COMMANDS = {"importance": "score", **dict.fromkeys(FACETS, "text intents label")}
"""Weight -> command that computes it."""
_SLICE = 1 << 16
"""Ids converted to Python strings at once."""


@dataclass(frozen=True)
class Citations:
    """Directed citations, each pair once, without citations of a paper by itself.

    They are ordered by citing id, then by cited id, so that results do not depend on the order of
    rows from a database.
    """

    ids: pa.StringArray
    """(papers,) ascending; the papers at either end of these citations."""
    indptr: npt.NDArray[np.int64]
    """(papers + 1,): paper i cites cited[indptr[i] : indptr[i + 1]]."""
    cited: Codes
    """(citations,) positions in `ids`."""
    weights: Weights
    """(citations,) importance, number of contexts of a facet, or 1."""

    def __len__(self) -> int:
        return len(self.cited)

    @property
    def citing(self) -> Codes:
        """(citations,) positions in `ids` of the citing papers."""
        papers = np.arange(len(self.ids), dtype=np.int32)
        return np.repeat(papers, np.diff(self.indptr))

    def reverse(self) -> Citations:
        """The citations with both ends exchanged."""
        return _build(self.ids, (self.cited, self.citing), self.weights)

    def reverse_codes(self) -> tuple[npt.NDArray[np.int64], Codes]:
        """CSR of the papers that cite each paper: indptr (papers + 1,), positions in `ids`."""
        order = np.lexsort((self.citing, self.cited))
        counts = np.bincount(self.cited, minlength=len(self.ids))
        return np.append(0, np.cumsum(counts)).astype(np.int64), self.citing[order]

    def without(self, excluded: Collection[str]) -> Citations:
        """The citations with neither end among `excluded` ids."""
        is_excluded = pc.is_in(self.ids, value_set=pa.array(sorted(excluded), pa.string()))
        kept = pc.invert(is_excluded).to_numpy(zero_copy_only=False)
        return self.where(kept[self.citing] & kept[self.cited])

    def where(self, keep: Mask) -> Citations:
        """The citations for which `keep` (citations,) is true, and their papers."""
        if keep.all():
            return self
        ends = (self.citing[keep], self.cited[keep])
        return _build(self.ids, ends, self.weights[keep])

    def fingerprint(self) -> str:
        """SHA-256 of papers, pairs and weights: 64 digits, recorded by runs."""
        digest = hashlib.sha256()
        for array in (self.indptr, self.cited, self.weights):
            digest.update(np.ascontiguousarray(array).tobytes())
        for first in range(0, len(self.ids), _SLICE):
            digest.update("\n".join(self.ids[first : first + _SLICE].to_pylist()).encode())
        return digest.hexdigest()


def read_citations(store: GraphStore, *, weight: str = "importance") -> Citations:
    """Reads all citations of a store that have a weight.

    Args:
        store: store to read.
        weight: `importance`; `background`, `method` or `result`, which exclude citations without a
            context of that intent (FLeW, Eq. 2); or `none`: all citations, with weight 1.

    Raises:
        ConfigError: no such weight.
        StoreError: the store holds no citations, or the weight was not computed since the last
            ingest.
    """
    if weight not in WEIGHTS:
        raise invalid_choice("weight", weight, WEIGHTS)
    slices = read_slices(store)
    if not slices:
        where = quote_command("ingest PATH", store.location)
        raise StoreError(f"{store.location} holds no citations; load papers with {where}")

    # Check that the weight is complete before reading all citations.
    if weight == "importance" and read_importance_run(store) is None:
        raise StoreError(
            f"{store.location} lacks importance for some or all citations: papers were loaded "
            "since the last scoring, or it was interrupted; run "
            f"{quote_command('score', store.location)}"
        )
    if weight in FACETS and is_half_labelled(store, "intents"):
        raise StoreError(
            f"some citations in {store.location} have no intent: papers were loaded since the last "
            "labelling, or it was interrupted; run "
            f"{quote_command('text intents label', store.location)}"
        )

    names = ["citing", "cited", *filter(None, [WEIGHTS[weight]])]
    tables = [rows.select(names) for rows in read_sliced(store, "networks/citations", slices)]
    rows = pa.concat_tables(tables, promote_options="permissive")
    pairs = rows.select(["citing", "cited"])
    if weight == "none":
        return build_citations(pairs.append_column("weight", pa.array(np.ones(len(pairs)))))
    values = rows[WEIGHTS[weight]]
    if values.null_count == len(values) or (weight == "importance" and values.null_count):
        command = quote_command(_COMMANDS[weight], store.location)
        raise StoreError(
            f"{values.null_count:,} of {len(values):,} citations in {store.location} have no "
            f"{WEIGHTS[weight]}; run {command} first"
        )
    pairs = pairs.append_column("weight", pc.fill_null(values.cast(pa.float64()), 0.0))
    if weight in FACETS:
        pairs = pairs.filter(pc.greater(pairs["weight"], 0))
    return build_citations(pairs)


def build_citations(rows: pa.Table) -> Citations:
    """Citations from rows `citing`, `cited`, `weight`, in any order, each pair once.

    Citations of a paper by itself are excluded.
    """
    ends = [chunk for end in ("citing", "cited") for chunk in rows[end].cast(pa.string()).chunks]
    ids = sort_ids(pc.unique(pa.chunked_array(ends, pa.string())))
    citing, cited = encode(rows["citing"], ids), encode(rows["cited"], ids)
    weights = rows["weight"].cast(pa.float64()).to_numpy()
    other = citing != cited
    return _build(ids, (citing[other], cited[other]), weights[other])


def _build(ids: pa.StringArray, ends: tuple[Codes, Codes], weights: Weights) -> Citations:
    citing, cited = ends
    pairs = build_pairs(ids, citing, cited)
    codes = encode(ids, pairs.ids)
    order = np.empty(len(pairs), np.int64)
    order[pairs.locate(codes[citing], codes[cited])] = np.arange(len(pairs))
    return Citations(pairs.ids, pairs.indptr, pairs.cited, weights[order])
