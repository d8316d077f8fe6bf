"""By-lines of all papers and the author of each name on them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.hashing import hash_texts
from citescape.ingest.index.hashes import hash_column
from citescape.ingest.index.rows import Hashed, Hasher
from citescape.ingest.names import FIRST, FULL, hash_names
from citescape.ingest.signatures import flatten, hash_blocks, name_capitals, spell_names

PAPER, BLOCK, ORCID = "paper", "block", "orcid"
"""Kinds of hashes, besides `names.FULL` and `names.FIRST`."""


def _hash_papers(rows: pa.Table) -> Hashed:
    return hash_column(rows["id"])


def _hash_signature_blocks(rows: pa.Table) -> Hashed:
    flat = flatten(rows)
    return Hashed(flat["row"].to_numpy(), hash_blocks(spell_names(flat)))


def _hash_orcids(rows: pa.Table) -> Hashed:
    flat = flatten(rows)
    known = pc.is_valid(flat["orcid"])
    return Hashed(flat["row"].filter(known).to_numpy(), hash_texts(flat["orcid"].filter(known)))


def _hash_given(kind: str) -> Hasher:
    def make(rows: pa.Table) -> Hashed:
        flat = flatten(rows)
        named = name_capitals(flat)
        capitals = pc.fill_null(pc.not_equal(flat["given"], named["given"]), False)
        parts = []
        for part in (flat, named.filter(capitals)):
            names = spell_names(part)
            known = pc.and_(pc.not_equal(names[kind], ""), pc.invert(names["group"]))
            of_row = part["row"].filter(known).to_numpy()
            parts.append(Hashed(of_row, hash_names(kind, names[kind].filter(known))))
        return Hashed.join(parts)

    return make


BY_LINE_HASHERS = {
    PAPER: _hash_papers,
    BLOCK: _hash_signature_blocks,
    ORCID: _hash_orcids,
    FULL: _hash_given(FULL),
    FIRST: _hash_given(FIRST),
}


def add_authors(papers: pa.Table, authors: pa.Table) -> pa.Table:
    """By-lines with lists of the authors and of their evidence, in the order of names.

    Args:
        papers: by-lines, see `authors.neighbourhood_authors`.
        authors: its result for all names of these papers.
    """
    row = pc.index_in(authors["paper"], value_set=papers["id"])
    place = pa.table({"row": row, "position": authors["position"]})
    order = pc.sort_indices(place, [("row", "ascending"), ("position", "ascending")])
    counts = np.bincount(row.to_numpy(), minlength=papers.num_rows)
    offsets = pa.array(np.append(0, np.cumsum(counts)), pa.int32())
    for name in ("author", "evidence"):
        values = authors[name].take(order).combine_chunks()
        papers = papers.append_column(name, pa.ListArray.from_arrays(offsets, values))
    return papers


def without_authors(papers: pa.Table) -> pa.Table:
    """New by-lines: their lists of authors are null, but empty without any name."""
    lengths = pc.fill_null(pc.list_value_length(papers["surnames"]), 0).to_pylist()
    lists = pa.array([None if length else [] for length in lengths], pa.list_(pa.string()))
    return papers.append_column("author", lists).append_column("evidence", lists)
