"""Updates a derived table of the store, writing only the rows that differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.store.graph_store import Change
from citescape.store.schema import TABLE, NodeTable, RelTable
from citescape.store.statements import key_columns

_JOINT = "\x1f"


def row_keys(table: NodeTable | RelTable, rows: pa.Table) -> pa.ChunkedArray:
    """One string per row that identifies it: the id, or both ends."""
    names = key_columns(table)
    if len(names) == 1:
        return rows[names[0]]
    return pc.binary_join_element_wise(*(rows[name] for name in names), _JOINT)


def unique_rows(name: str, rows: pa.Table) -> pa.Table:
    """The first row of each key, without null keys, with the columns of the schema."""
    table = TABLE[name]
    rows = rows.select(table.arrow.names).cast(table.arrow)
    codes = row_keys(table, rows).combine_chunks().dictionary_encode().indices.fill_null(-1)
    # Codes count up from 0 as their keys appear.
    highest = np.maximum.accumulate(np.append(np.int32(-1), codes))
    first = np.flatnonzero(highest[1:] > highest[:-1])
    return rows.take(pa.array(first)) if len(first) < rows.num_rows else rows


def differences(name: str, present: pa.Table, expected: pa.Table) -> list[Change]:
    """Deletions, insertions and updates that turn `present` into `expected`.

    Args:
        name: name of the table.
        present: rows in the store: key columns and columns to compare.
        expected: rows that the table should have, with all columns and unique keys. Columns that
            `present` does not have are written on insertion only.
    """
    table = TABLE[name]
    old, new = row_keys(table, present), row_keys(table, expected)
    removed = pc.invert(pc.is_in(old, value_set=new))
    where = pc.index_in(new, value_set=old)
    added = pc.is_null(where)
    changes = [
        Change("delete", name, present.select(key_columns(table)).filter(removed)),
        Change("insert", name, expected.filter(added)),
    ]
    compared = [c for c in present.column_names if c not in key_columns(table)]
    if compared:
        kept = expected.filter(pc.is_valid(where))
        before = present.take(where.drop_null())
        update = kept.select([*key_columns(table), *compared])
        changes.append(Change("update", name, update.filter(_differ(before, kept, compared))))
    return [change for change in changes if change.rows.num_rows]


def _differ(before: pa.Table, after: pa.Table, columns: Sequence[str]) -> pa.ChunkedArray:
    """Whether any of the columns differs; null equals null and the empty list."""
    differ = pa.chunked_array([pa.array([False] * after.num_rows, pa.bool_())])
    for column in columns:
        a, b = _comparable(before[column]), _comparable(after[column])
        same = pc.fill_null(pc.equal(a, b), False)
        both_null = pc.and_(pc.is_null(a), pc.is_null(b))
        differ = pc.or_(differ, pc.invert(pc.or_(same, both_null)))
    return differ


def _comparable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if not pa.types.is_list(column.type):
        return column
    texts = column.cast(pa.list_(pa.string()))
    return pc.fill_null(pc.binary_join(texts, _JOINT), "")
