"""Sections as sequences: types by rules, parents, on both engines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from citescape.store.graph_store import GraphStore, open_store
from citescape.text.sections.sequences import (
    OTHER,
    TYPES,
    SectionSequences,
    join_sections,
    read_sections,
)
from citescape.text.write_back import full_texts
from tests.copies import fill_store, read_tables

PAPER = (("Introduction", 1), ("Rice", 1), ("Methods", 1), ("Seedlings", 2), ("Growth", 3),
         ("Funding", 1))  # fmt: skip


def names(types: object) -> list[str]:
    return [TYPES[k] for k in types]  # type: ignore[attr-defined]


def test_types_by_rules(build: Callable[..., SectionSequences]) -> None:
    sections = build(PAPER, (("Results", 1),))
    assert sections.offsets.tolist() == [0, 6, 7]
    assert sections.papers == 2
    assert sections.parents.tolist() == [-1, -1, -1, 2, 3, -1, -1]
    assert sections.heads.tolist() == [0, 1, 2, 2, 2, 5, 6]
    assert names(sections.rule_types) == ["I", "other", "M", "M", "M", "other", "R"]
    assert sections.ruled.tolist() == [True, False, True, True, True, True, True]
    assert sections.own_rule.tolist() == [True, False, True, False, False, True, True]
    assert sections.known() == {"I": 1, "M": 3, "R": 1, "D": 0, "other": 1}


def test_types_from_a_model_are_ignored_by_rules(build: Callable[..., SectionSequences]) -> None:
    table = build(PAPER).table
    sources, runs = ["title", "model", "title", "parent", "parent", "title"], [None] * 6
    runs[1] = "sections-1"
    changed = {
        "type": ["I", "R", "M", "M", "M", "other"], "type_source": sources, "type_run": runs
    }  # fmt: skip
    for name, values in changed.items():
        where = table.schema.get_field_index(name)
        table = table.set_column(where, table.schema.field(name), pa.array(values, pa.string()))
    sections = SectionSequences(table)
    assert sections.relabelled.tolist() == [False, True, False, False, False, False]
    assert sections.rule_types[1] == OTHER
    assert not sections.ruled[1]
    assert sections.fingerprint() == build(PAPER).fingerprint()


def test_a_selection_of_papers(build: Callable[..., SectionSequences]) -> None:
    sections = build((("Results", 1),), PAPER, (("Discussion", 1), ("Limits", 2)))
    some = sections.select_papers([2, 0])
    assert some.texts("title") == ["Discussion", "Limits", "Results"]
    assert some.parents.tolist() == [-1, 0, -1]
    assert some.heads.tolist() == [0, 0, 2]
    assert sections.select_papers([]).offsets.tolist() == [0]
    assert len(sections.select_papers([])) == 0


def test_both_engines_read_the_same_in_any_order(store: GraphStore, corpus: Path) -> None:
    reference = open_store(str(corpus), read_only=True)
    try:
        fill_store(store, read_tables(reference))
        expected = read_sections(reference, full_texts(reference))
    finally:
        reference.close()
    result = read_sections(store, full_texts(store)[::-1])
    assert result.table.to_pylist() == expected.table.to_pylist()
    assert result.fingerprint() == expected.fingerprint()
    half = full_texts(store)[:15], full_texts(store)[15:]
    parts = join_sections([read_sections(store, ids) for ids in half])
    assert parts.fingerprint() == expected.fingerprint()


def test_papers_without_sections_do_not_appear(store: GraphStore) -> None:
    sections = read_sections(store, ["doi:10.1/nothing"])
    assert (len(sections), sections.papers) == (0, 0)
