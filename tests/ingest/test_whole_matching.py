"""Matching everything part by part gives what matching it at once gives."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from citescape.ingest import contents, whole_matching
from citescape.ingest.index import works as works_module
from citescape.ingest.index.rows import IndexedRows
from citescape.ingest.index.works import ENTRIES, PAPERS, WorkIndex, as_entries
from citescape.ingest.whole_matching import Units
from tests.ingest.index.test_works import (
    NO_DECISIONS,
    make_decision,
    make_entries,
    make_paper,
    tables,
)
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
    papers = {paper["id"]: paper for paper in (make_paper(rng) for _ in range(60))}
    entries = {id_: make_entries(rng, id_) for id_ in papers}
    made = [make_decision(rng) for _ in range(seed % 4)]
    decisions = pa.Table.from_pylist(made, NO_DECISIONS.schema)
    loaded, references = tables(papers, entries)
    check(loaded, references, decisions)


@pytest.mark.parametrize("third", [False, True])
def test_misprinted_ids_of_one_work(monkeypatch: pytest.MonkeyPatch, third: bool) -> None:
    """Two entries of a work have the DOIs of other works; perhaps a third one has its own."""
    monkeypatch.setattr(whole_matching, "_ROWS", 1)
    other = {"title": "soil water content by neutron probes", "surnames": ["Wang"], "year": 2001}
    other |= {"source": "Soil Science", "volume": "3", "page": "14"}
    works = (
        {"title": "genome wide identification of kinases", "surnames": ["Li"], "doi": "10.1/1"},
        {"title": "drought tolerance of wheat landraces", "surnames": ["Zhao"], "doi": "10.1/2"},
    )
    rows = [row for work in works for row in (work, work, {**work, **other})]
    rows += [other] if third else []
    paper = {"id": "doi:10.1/9", "doi": "10.1/9", "sources": ["s"], "source_ids": ["doi:10.1/9"]}
    entries = [{"id": f"e{n}", "paper": paper["id"], **row} for n, row in enumerate(rows)]
    found = check(*tables({"p": paper}, {"p": entries}), NO_DECISIONS)["work"].to_pylist()
    assert found[:2] == ["doi:10.1/1"] * 2
    assert found[2::3] == (["ref:e6"] * 2 if third else ["doi:10.1/1", "doi:10.1/2"])
