"""Which loaded records are of one work though their ids differ.

A record with a DOI is of that work. Any other record is resolved as a reference with its ids and
title would be: it may lead to a DOI through records and references that have both, or have the
title, year and first author of one other work. So the works do not depend on the order of loading.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.decisions import decide, names_of
from citescape.ingest.identity import ID_BREAK, ID_KINDS, NAMED, match_works

_SCHEMA = pa.schema([(name, pa.string()) for name in ("paper", "source", "id", *ID_KINDS, "key")])


def list_records(papers: pa.Table) -> pa.Table:
    """One row for each record of loaded papers.

    Args:
        papers: `id`, `sources`, `source_ids`.

    Returns:
        `paper` (its present node), `source`, `id` (unique), its ids, and `key` (title key;
        `id-...` if the source names the node).
    """
    rows = []
    columns = (papers[name].to_pylist() for name in ("id", "sources", "source_ids"))
    for paper, sources, ids in zip(*columns, strict=True):
        for source, text in zip(sources, ids, strict=True):
            *known, own = text.split(ID_BREAK)
            row = dict(id_.split(":", 1) for id_ in known)
            if own not in known:  # a row of a table, or a document with nothing but its bytes
                row["key"] = f"{NAMED}{own}"
            rows.append({"paper": paper, "source": source, "id": f"{paper}@{source}", **row})
    return pa.Table.from_pylist(rows, _SCHEMA)


def find_moves(records: pa.Table, references: pa.Table, decisions: pa.Table) -> pa.Table:
    """The records that belong to another node than their present one.

    Args:
        records: result of `list_records`.
        references: all references, with `id`, `key` and their ids.
        decisions: decisions of users, see `ingest.decisions`.

    Returns:
        `paper`, `source`, `work` (the node that the record belongs to). A record that was joined to
        another paper, and whose source has a later one under its own id, moves there, alone.
    """
    replaced = _replaced(records)
    if replaced.num_rows:
        return replaced
    with_doi = pc.is_valid(records["doi"])
    fixed = records.filter(with_doi)
    work = pc.binary_join_element_wise(pa.scalar("doi:"), records["doi"], "")
    if fixed.num_rows < records.num_rows:
        # A paper with a DOI stands for itself; all others are mentions of works.
        columns = ["id", *ID_KINDS, "key"]
        place = fixed.schema.get_field_index("id")
        anchors = fixed.set_column(place, "id", work.filter(with_doi)).select(columns)
        loose = records.filter(pc.invert(with_doi)).select(columns)
        mentions = pa.concat_tables([loose, _near(references.select(columns), records)])
        found = match_works(_first_anchors(anchors), mentions)["work"].slice(0, loose.num_rows)
        row = pc.index_in(records["id"], value_set=loose["id"])
        work = pc.coalesce(work, found.combine_chunks().take(row))
    names = names_of(records)
    work = decide(names, work, decisions, sources=records["source"])
    work = _one_of_each_source(records["source"], names, work)
    moved = pc.not_equal(work, records["paper"])
    moves = records.select(["paper", "source"]).append_column("work", work)
    return moves.filter(moved)


def _replaced(records: pa.Table) -> pa.Table:
    """Moves of the records that have a later one at the node of their own id."""
    at = pc.binary_join_element_wise(records["paper"], records["source"], "\x1f")
    own = pc.binary_join_element_wise(names_of(records), records["source"], "\x1f")
    later = pc.and_(pc.not_equal(at, own), pc.is_in(own, value_set=at.filter(pc.equal(at, own))))
    moves = records.select(["paper", "source"]).append_column("work", names_of(records))
    return moves.filter(later)


def _one_of_each_source(
    sources: pa.ChunkedArray, names: pa.ChunkedArray, works: pa.ChunkedArray
) -> pa.ChunkedArray:
    """The works, but of several records of one source only the first belongs to a work.

    First is the one with the name of the work, then the smallest name; others stay alone.
    """
    pair = pc.binary_join_element_wise(works, sources, "\x1f")
    table = pa.table({"pair": pair, "other": pc.not_equal(names, works), "name": names})
    order = pc.sort_indices(table, [(name, "ascending") for name in table.column_names])
    ordered = pair.take(order).to_numpy()
    first = np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]
    alone = np.zeros(len(works), bool)
    alone[order.to_numpy()[~first]] = True
    return pc.if_else(pa.array(alone), names, works)


def _near(references: pa.Table, records: pa.Table) -> pa.Table:
    """The references that share an id or key with a record, directly or through others."""
    near = _sharing(references, records)
    while (more := _sharing(references, near)).num_rows > near.num_rows:
        near = more
    return near


def _sharing(references: pa.Table, others: pa.Table) -> pa.Table:
    """The references that share an id or key with one of the others."""
    mask = pa.chunked_array([pa.array([False] * references.num_rows, pa.bool_())])
    for name in (*ID_KINDS, "key"):
        known = others[name].drop_null().unique()
        shared = pc.is_in(references[name], value_set=known, skip_nulls=True)
        mask = pc.or_(mask, shared)
    return references.filter(mask)


def _first_anchors(anchors: pa.Table) -> pa.Table:
    """Anchors with each id once: several sources may have one paper."""
    return anchors.group_by(anchors.column_names).aggregate([])
