"""What connects entries of reference lists and loaded papers: ids, keys, and blocks of contents."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.hashing import hash_texts
from citescape.ingest.contents import name_blocks
from citescape.ingest.entries import FIELDS, is_comparable
from citescape.ingest.identity import ID_BREAK, ID_KINDS, NAMED
from citescape.ingest.index.rows import Hashed


def hash_column(texts: pa.ChunkedArray) -> Hashed:
    """One hash for each row with a text."""
    valid = pc.is_valid(texts).combine_chunks()
    rows = np.flatnonzero(valid.to_numpy(zero_copy_only=False))
    return Hashed(rows, hash_texts(texts.filter(valid)))


def hash_ids(rows: pa.Table) -> Hashed:
    """Hashes of the ids and the key of entries or papers: equal ones may be of one work."""
    texts = [pc.binary_join_element_wise(f"{kind}:", rows[kind], "") for kind in ID_KINDS]
    is_name = pc.starts_with(rows["key"], NAMED)
    names = pc.utf8_slice_codeunits(rows["key"], len(NAMED))
    texts.append(pc.if_else(is_name, names, pc.binary_join_element_wise("key:", rows["key"], "")))
    own = pc.binary_join_element_wise("ref:", rows["id"], "")
    texts.append(pc.if_else(pc.is_null(pc.coalesce(*texts)), own, None))
    return Hashed.join([hash_column(column) for column in texts])


def hash_paper_ids(papers: pa.Table) -> Hashed:
    """The same for loaded papers, with the ids of all their records and of their node."""
    parts = pc.split_pattern(pc.list_flatten(papers["source_ids"]), ID_BREAK)
    lengths = pc.list_value_length(papers["source_ids"]).to_numpy()
    rows = np.repeat(np.repeat(np.arange(papers.num_rows), lengths), pc.list_value_length(parts))
    of_records = Hashed(rows, hash_texts(pc.list_flatten(parts)))
    return Hashed.join([hash_ids(papers), hash_column(papers["id"]), of_records])


def hash_contents(entries: pa.Table) -> tuple[Hashed, Hashed]:
    """Hashes of contents: of their blocks, and of all fields that are compared.

    Entries or papers with an equal block may be compared.

    Args:
        entries: result of `read_entries` or `read_titles`.
    """
    comparable = pc.fill_null(is_comparable(entries), False).combine_chunks()
    places = np.flatnonzero(comparable.to_numpy(zero_copy_only=False))
    contents = entries.filter(comparable)
    fields = [pc.fill_null(contents[name].cast(pa.string()), "") for name in FIELDS]
    whole = hash_texts(pc.binary_join_element_wise(*fields, "\x1f"))
    parts = []
    for block in name_blocks(contents):
        used = pc.not_equal(block.names, "")
        named = block._replace(rows=block.rows[used.to_numpy()], names=block.names.filter(used))
        parts.append(Hashed(places[named.rows], named.hashes()))
    return Hashed.join(parts), Hashed(places, whole)
