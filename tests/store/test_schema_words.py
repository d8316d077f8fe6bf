"""Every property of the graph has a description, and no other property has one."""

from __future__ import annotations

from citescape.store.schema import TABLE
from citescape.store.schema_words import MEANINGS


def test_every_property_has_a_description() -> None:
    columns = {name: set(table.columns) for name, table in TABLE.items() if table.columns}
    assert {name: set(words) for name, words in MEANINGS.items()} == columns
    assert all(text.strip() for words in MEANINGS.values() for text in words.values())
