"""Any value of any column is read back unchanged from both engines."""

from __future__ import annotations

import pyarrow as pa

from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE
from citescape.store.statements import read_text
from tests.ingest.awkward import awkward_tables, by_key


def test_any_value_is_read_back_and_can_be_updated(store: GraphStore) -> None:
    """In the update each row gets the values of the next; a value that becomes null is removed."""
    tables = awkward_tables()
    store.apply([Change("insert", name, rows) for name, rows in tables.items()], atomic=True)
    for name, rows in tables.items():
        result = store.read(read_text(TABLE[name]))
        assert by_key(result, name) == by_key(rows, name), name
    for name, rows in tables.items():
        keys = [c for c in ("id", "from", "to") if c in rows.column_names]
        others = [c for c in rows.column_names if c not in keys]
        turned = [(i + 1) % rows.num_rows for i in range(rows.num_rows)]
        moved = pa.table(
            {c: rows[c] if c in keys else rows[c].take(turned) for c in rows.column_names}
        )
        if others:
            store.apply([Change("update", name, moved)])
            assert by_key(store.read(read_text(TABLE[name])), name) == by_key(moved, name), name
