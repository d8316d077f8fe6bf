"""Matching everything part by part gives what matching it at once gives."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.ingest import contents, whole_matching
from citescape.ingest.index import works as works_module
from citescape.ingest.index.rows import IndexedRows
from citescape.ingest.index.works import ENTRIES, PAPERS, WorkIndex, as_entries
from citescape.ingest.resolve import resolve
from citescape.ingest.whole_matching import Units
from citescape.store.graph_store import GraphStore
from tests.ingest.index.test_works import (
    NO_DECISIONS,
    OTHER,
    make_decision,
    make_world,
    misprinted_entries,
    tables,
)
from tests.ingest.papers import load, small_corpus, snapshot, write_files
from tests.ingest.plain_matching import match_entries


def check(loaded: pa.Table, references: pa.Table, decisions: pa.Table) -> pa.Table:
    """Matches part by part; the result is that of matching everything at once."""
    index = WorkIndex(
        IndexedRows.build(as_entries(references), ENTRIES), IndexedRows.build(loaded, PAPERS)
    )
    units = Units(index, decisions)
    units.join_similar()
    units.decide(decisions)
    found = units.matches(np.arange(references.num_rows), references)
    assert found.to_pylist() == match_entries(loaded, references, decisions).to_pylist()
    return found


@pytest.mark.parametrize("rows", [1, 7, 10_000])
@pytest.mark.parametrize("seed", range(6))
def test_parts_of_any_size(monkeypatch: pytest.MonkeyPatch, seed: int, rows: int) -> None:
    monkeypatch.setattr(contents, "LARGEST_BLOCK", 5 + seed % 3)
    monkeypatch.setattr(works_module, "LARGEST_BLOCK", 5 + seed % 3)
    monkeypatch.setattr(whole_matching, "_ROWS", rows)
    rng = random.Random(seed)
    papers, entries = make_world(rng, 60)
    made = [make_decision(rng) for _ in range(seed % 4)]
    decisions = pa.Table.from_pylist(made, NO_DECISIONS.schema)
    loaded, references = tables(papers, entries)
    check(loaded, references, decisions)


@pytest.mark.parametrize("third", [False, True])
def test_misprinted_ids_of_one_work(monkeypatch: pytest.MonkeyPatch, third: bool) -> None:
    """Two entries of a work have the DOIs of other works; perhaps a third one has its own."""
    monkeypatch.setattr(whole_matching, "_ROWS", 1)
    paper = {"id": "doi:10.1/9", "doi": "10.1/9", "sources": ["s"], "source_ids": ["doi:10.1/9"]}
    entries = misprinted_entries(paper["id"])
    if third:
        entries.append({**OTHER, "id": "e6", "paper": paper["id"]})
    found = check(*tables({"p": paper}, {"p": entries}), NO_DECISIONS)["work"].to_pylist()
    assert found[:2] == ["doi:10.1/1"] * 2
    assert found[2::3] == (["ref:e6"] * 2 if third else ["doi:10.1/1", "doi:10.1/2"])


def test_links_are_written_some_at_a_time(
    fresh_store: Callable[[], GraphStore], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write_files(tmp_path, small_corpus(8))
    load(store := fresh_store(), *files)
    expected = snapshot(store)
    for name, size in (("_PAPERS", 3), ("_ROWS", 4), ("_LINKS", 5)):
        monkeypatch.setattr(whole_matching, name, size)
    load(store := fresh_store(), *files)
    assert snapshot(store) == expected
    resolve(store)
    assert snapshot(store) == expected, "nothing is written twice"
