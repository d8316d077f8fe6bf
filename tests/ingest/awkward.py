"""Rows for every table of the schema, with values that loaders and engines often damage."""

from __future__ import annotations

import pyarrow as pa

from citescape.store.schema import NODE, REL, TABLE, RelTable

TEXTS = [
    None,
    "",
    "say \"citation\", 'please'; 1,5 ; x",
    "line\nbreak, return\r\nand\ttab",
    "Søren Žižek 水稻 🌾 e\u0301 \u00a0",
    "\\ back\\slash \\n {curly} $dollar `tick`",
    "null",
    "   spaces   ",
    "=1+1",
    "2005",
]
LISTS = [None, [], [""], ["", ""], ["a"], ["", "b"], TEXTS[2:], [";", ",", '"', "\n"]]
INTS = [None, 0, -1, 2**53 + 1, 2**63 - 1, -(2**63)]
FLOATS = [None, 0.0, -1.5, 1e300, 5e-324, 0.1 + 0.2, -0.0]
INT_LISTS = [None, [], [0], [-1, 2**63 - 1, -(2**63)], [7, 7]]
FLOAT_LISTS = [None, [], [0.5], [-1.5, 2.0**-149, 2.0**127], [0.0, -0.0, 1 + 2.0**-23]]
BOOLS = [None, True, False]
_VALUES = {
    pa.string(): TEXTS,
    pa.int64(): INTS,
    pa.float64(): FLOATS,
    pa.bool_(): BOOLS,
    pa.list_(pa.string()): LISTS,
    pa.list_(pa.int64()): INT_LISTS,
    pa.list_(pa.float32()): FLOAT_LISTS,
}
ROWS = len(TEXTS)


def awkward_tables() -> dict[str, pa.Table]:
    """Ten rows of every table except `Meta`; each column cycles through its values, from null."""
    return {name: _rows(name) for name in TABLE if name != "Meta"}


def _rows(name: str) -> pa.Table:
    table = TABLE[name]
    columns = {
        column: [_VALUES[kind][i % len(_VALUES[kind])] for i in range(ROWS)]
        for column, kind in table.columns.items()
    }
    return pa.table({**_keys(name), **columns}, table.arrow)


def _keys(name: str) -> dict[str, list[str]]:
    if name in NODE:
        return {"id": [_id(name, i) for i in range(ROWS)]}
    table = REL[name]
    return {
        "from": [_id(table.source, i) for i in range(ROWS)],
        "to": [_id(table.target, (i + 1) % ROWS) for i in range(ROWS)],
    }


def _id(label: str, i: int) -> str:
    return f"{label}:{i} \"quoted\", 'so' \\ 水;{i}"


def by_key(rows: pa.Table, name: str) -> list[dict[str, object]]:
    """Rows in the order of their keys, with columns in the order of the schema."""
    table = TABLE[name]
    keys = ["from", "to"] if isinstance(table, RelTable) else ["id"]
    ordered = rows.select(table.arrow.names).sort_by([(key, "ascending") for key in keys])
    rows_: list[dict[str, object]] = ordered.to_pylist()
    return rows_
