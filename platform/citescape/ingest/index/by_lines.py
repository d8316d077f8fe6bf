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


def _hash_by_lines(rows: pa.Table) -> dict[str, Hashed]:
    flat = flatten(rows)
    names, row = spell_names(flat), flat["row"].to_numpy()
    known = pc.is_valid(flat["orcid"])
    found = {
        PAPER: hash_column(rows["id"]),
        BLOCK: Hashed(row, hash_blocks(names)),
        ORCID: Hashed(row[known.to_numpy()], hash_texts(flat["orcid"].filter(known))),
    }
    named = name_capitals(flat)
    capitals = pc.fill_null(pc.not_equal(flat["given"], named["given"]), False)
    spelled = ((names, row), (spell_names(named.filter(capitals)), row[capitals.to_numpy()]))
    for kind in (FULL, FIRST):
        parts = []
        for part, rows_of in spelled:
            used = pc.and_(pc.not_equal(part[kind], ""), pc.invert(part["group"]))
            hashes = hash_names(kind, part[kind].filter(used))
            parts.append(Hashed(rows_of[used.to_numpy()], hashes))
        found[kind] = Hashed.join(parts)
    return found


BY_LINES = Hasher((PAPER, BLOCK, ORCID, FULL, FIRST), _hash_by_lines)


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
