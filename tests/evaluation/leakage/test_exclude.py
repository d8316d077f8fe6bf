"""Queries of a benchmark are excluded from triplets, on both engines."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from citescape.evaluation.leakage.benchmarks import read_benchmark_list
from citescape.evaluation.leakage.exclude import find_held_out
from citescape.evaluation.leakage.names import identify
from citescape.evaluation.leakage.report import find_citations, report_leakage
from citescape.evaluation.leakage.trained import read_trained
from citescape.runs.directory import read_run
from citescape.sampling.config import SpecterConfig
from citescape.sampling.sample import sample_citations
from citescape.store.graph_store import GraphStore
from tests.cypher.test_explore import insert

PAPERS = 30
QUERIES = ("doi:10.1000/p20", "doi:10.1000/p21")
TWIN = "key:twin"
TITLE = "A title of paper number {} that is long enough"


def paper_id(paper: int) -> str:
    return f"doi:10.1000/p{paper:02d}"


@pytest.fixture
def planted(store: GraphStore, tmp_path: Path) -> GraphStore:
    """Papers that cite older papers, two versions of one paper, and a benchmark of two queries."""
    rows = [
        {"id": paper_id(k), "doi": f"10.1000/p{k:02d}", "title": TITLE.format(k)}
        for k in range(PAPERS)
    ]
    twin = {"id": TWIN, "title": TITLE.format(20).upper() + " ..."}
    insert(store, "Paper", [*rows, twin])
    chance = np.random.default_rng(3)
    cites = [
        {"from": paper_id(k), "to": paper_id(int(cited))}
        for k in range(8, PAPERS)
        for cited in chance.choice(k, 7, replace=False)
    ]
    copied = [{**edge, "from": TWIN} for edge in cites if edge["from"] == QUERIES[0]]
    insert(store, "CITES", [*cites, *copied])
    kinds_by_query = {
        query: {"true": list_cited(cites, query)[:5], "random": [paper_id(7)]} for query in QUERIES
    }
    (tmp_path / "mdcr_test.json").write_text(json.dumps({"Art": kinds_by_query}))
    return store


def list_cited(cites: list[dict[str, str]], query: str) -> list[str]:
    return [edge["to"] for edge in cites if edge["from"] == query]


def test_queries_and_their_versions_are_excluded(planted: GraphStore, tmp_path: Path) -> None:
    named = str(tmp_path / "mdcr_test.json")
    found = find_held_out(planted, tmp_path, named)
    assert found.ids == (*QUERIES, TWIN)
    assert (found.listed, found.missing, found.twins) == (2, 0, 1)
    every = find_held_out(planted, tmp_path, named, candidates=True)
    assert set(every.ids) == {TWIN, *read_benchmark_list(tmp_path, named).papers.to_pylist()}


def test_a_plain_list_matches_by_id_only(planted: GraphStore, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("10.1000/P20\n10.9999/absent\n")
    found = find_held_out(planted, tmp_path, str(tmp_path / "ids.txt"))
    assert (found.ids, found.listed, found.missing, found.twins) == (QUERIES[:1], 2, 1, 0)


def test_papers_with_other_ids_match_by_title(planted: GraphStore, tmp_path: Path) -> None:
    """Published benchmarks have ids that differ from those of the store."""
    (tmp_path / "ids.jsonl").write_text(json.dumps({"corpusid": 7, "title": TITLE.format(21)}))
    found = find_held_out(planted, tmp_path, str(tmp_path / "ids.jsonl"))
    assert (found.ids, found.listed, found.missing, found.twins) == (QUERIES[1:], 1, 1, 1)


def test_excluded_queries_are_in_no_triplet(planted: GraphStore, tmp_path: Path) -> None:
    named, runs, config = str(tmp_path / "mdcr_test.json"), tmp_path / "runs", SpecterConfig(3, 0)
    benchmark = read_benchmark_list(runs, named)
    leaky = sample_citations(planted, config, runs=runs)
    before = report_leakage(read_trained(runs, leaky.run), benchmark, planted, runs=runs)
    assert before.line.startswith("leakage: 2 of 2 queries (100.0%); ")
    assert before.counts["pairs"]["leaked"] > 0
    trained = identify(read_trained(runs, leaky.run), planted)
    rows = find_citations(trained, benchmark, planted).to_pylist()
    assert before.counts["citations"] == len(rows) > 0
    learned = set(trained.papers.to_pylist())
    assert {row["citing"] for row in rows} == set(QUERIES)
    assert {row["cited"] for row in rows} <= learned
    held = find_held_out(planted, runs, named)
    clean = sample_citations(planted, config, exclude=held.ids, runs=runs)
    kept = read_run(clean.path).counts["triplets.parquet"]["leakage"]
    assert kept == "leakage: none of 3 papers"
    after = report_leakage(read_trained(runs, clean.run), benchmark, planted, runs=runs)
    assert after.line.startswith("leakage: none of 2 queries; ")
    assert (after.counts["citations"], after.counts["pairs"]["leaked"]) == (0, 0)
    every = find_held_out(planted, runs, named, candidates=True).ids
    pure = sample_citations(planted, config, exclude=every, runs=runs)
    none = report_leakage(read_trained(runs, pure.run), benchmark, planted, runs=runs)
    assert none.line == f"leakage: none of 2 queries; none of {len(benchmark.papers)} papers"
    assert none.papers.num_rows == 0
    again = report_leakage(read_trained(runs, pure.run), benchmark, planted, runs=runs)
    assert again.unchanged
    assert (again.path / "papers.csv").read_text().startswith('"list","paper"')
