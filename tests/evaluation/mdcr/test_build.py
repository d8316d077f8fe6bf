from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError
from citescape.core.pairs import find_rows
from citescape.evaluation.literature import Literature
from citescape.evaluation.mdcr.benchmark import ALL, TRUE
from citescape.evaluation.mdcr.build import MdcrRun, build_mdcr
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.evaluation.mdcr.evaluate import measure_kinds, score
from citescape.evaluation.mdcr.files import read_texts
from citescape.evaluation.prefilter import prefilter
from citescape.mapping.communities.fields import Fields
from citescape.ranking.random import Random
from citescape.search.bm25 import Bm25
from citescape.search.dense import Dense
from citescape.search.vectors import Vectors
from tests.evaluation.literatures import draw

CONFIG = MdcrConfig(year=2019, queries=12, validation=6, fewest=3, depth=40)
WORLD = draw()


def make(world: Literature, runs: Path, config: MdcrConfig = CONFIG) -> MdcrRun:
    rankers = {"bm25": Bm25.from_documents(world.corpus.documents), "chance": Random(3)}
    return build_mdcr(world, rankers, config, runs=runs)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> MdcrRun:
    return make(WORLD, tmp_path_factory.mktemp("runs"))


def test_a_query_has_cited_papers_and_ten_of_each_kind(run: MdcrRun) -> None:
    for split in ("test", "val"):
        pairs = (
            run.read(split)
            .table.group_by(["field", "query", "kind"])
            .aggregate([([], "count_all")])
        )
        for row in pairs.to_pylist():
            assert row["count_all"] == (5 if row["kind"] == TRUE else 10), row
    counts = run.counts["test"]
    assert counts["pairs"] == counts["queries"] * (5 + 10 * 5)
    assert counts["short_lists"] == {}


def test_exactly_the_cited_candidates_are_cited(run: MdcrRun) -> None:
    table = run.read().table
    queries, papers = (find_rows(table[name], WORLD.ids) for name in ("query", "candidate"))
    cited = np.array([p in WORLD.cites[q] for q, p in zip(queries, papers, strict=True)])
    assert cited.tolist() == pc.equal(table["kind"], TRUE).to_pylist()


def test_the_pool_of_most_cited_papers_is_counted(run: MdcrRun) -> None:
    found = run.counts["most_cited"]
    assert list(found) == run.counts["fields"]
    candidates = (WORLD.years <= run.counts["year"]) & prefilter(WORLD).papers
    for code, field in enumerate(found):
        received = WORLD.cited_by.counts[np.flatnonzero(WORLD.in_field(code) & candidates)]
        best = np.sort(received)[::-1][: CONFIG.depth]
        assert found[field] == {"papers": len(best), "least": best[-1]}


def test_candidates_are_not_newer_than_the_query(run: MdcrRun) -> None:
    table = run.read().table
    queries, papers = (find_rows(table[name], WORLD.ids) for name in ("query", "candidate"))
    assert set(WORLD.years[queries]) == {run.counts["year"]}
    assert (WORLD.years[papers] <= WORLD.years[queries]).all()
    assert run.counts["test"]["newer_candidates"] == 0


def test_no_query_is_in_two_splits(run: MdcrRun) -> None:
    test, validation = (
        set(run.read(split).table["query"].to_pylist()) for split in ("test", "val")
    )
    assert test
    assert validation
    assert not test & validation


def test_texts_of_all_papers_are_written(run: MdcrRun) -> None:
    corpus = read_texts(run.path / "mdcr_test_data.jsonl")
    assert corpus.papers["id"].to_pylist() == run.read().papers.to_pylist()


def test_the_published_evaluator_can_read_it(run: MdcrRun) -> None:
    contents = json.loads((run.path / "mdcr_test.json").read_text())
    kinds = {tuple(kinds) for queries in contents.values() for kinds in queries.values()}
    assert kinds == {(TRUE, "bm25", "chance", "graph", "most_cited", "random")}


def test_the_same_graph_gives_the_same_benchmark(run: MdcrRun, tmp_path: Path) -> None:
    again = make(WORLD, tmp_path)
    assert again.run == run.run
    for name in ("mdcr_test.json", "mdcr_val.json", "mdcr_test_data.jsonl"):
        assert (again.path / name).read_bytes() == (run.path / name).read_bytes()
    assert make(WORLD, tmp_path).unchanged


def test_a_ranker_of_words_beats_chance_on_random_candidates(run: MdcrRun) -> None:
    benchmark, corpus = run.read(), WORLD.corpus
    scored = score(Bm25.from_documents(corpus.documents), WORLD.ids, benchmark.pairs())
    found = measure_kinds(benchmark, scored)
    assert found["random"].values["map"].mean() > 0.55  # .44 by chance
    assert found["bm25"].values["map"].mean() < found["random"].values["map"].mean()
    assert set(found) == {ALL, "bm25", "chance", "graph", "most_cited", "random"}


def test_fields_with_few_queries_are_reported(tmp_path: Path) -> None:
    config = MdcrConfig(queries=12, validation=0, fewest=13, min_abstract=0, min_citations=0)
    with pytest.raises(
        ConfigError, match=r"papers of 20\d\d can be queries; of 3 fields .* has the"
    ):
        make(WORLD, tmp_path, config)
    few = MdcrConfig(
        queries=12, validation=6, fewest=3, most_fields=1, min_abstract=0, min_citations=0
    )
    assert len(make(WORLD, tmp_path, few).counts["fields"]) == 1


def test_queries_are_research_articles_unless_types_are_given(tmp_path: Path) -> None:
    """Candidates have any type."""
    types = {paper: ("review-article", "research-article", "")[paper % 3] for paper in range(400)}
    world = draw(types=types)
    named = dict(zip(world.ids.to_pylist(), world.types.to_pylist(), strict=True))
    every = make(world, tmp_path, replace(CONFIG, types=("all",), queries=100, validation=0))
    for chosen, expected in (
        (("research", "unknown"), {"research-article", ""}),
        (
            ("review",),
            {"review-article"},
        ),
    ):
        config = replace(CONFIG, types=chosen, queries=100, validation=0, fewest=1)
        built = make(world, tmp_path, config)
        table = built.read().table
        assert {named[id_] for id_ in table["query"].to_pylist()} == expected
        assert {named[id_] for id_ in table["candidate"].to_pylist()} == set(types.values())
        left_out = built.counts["other_types"]
        assert left_out + built.counts["test"]["queries"] == every.counts["test"]["queries"]
        assert f"{left_out:,} of other types left out" in str(built.summarise().parts)
    assert every.counts["other_types"] == 0
    with pytest.raises(ConfigError, match=r"none of .* papers that can be queries has one of"):
        make(draw(), tmp_path, replace(CONFIG, types=("review",)))
    with pytest.raises(ConfigError, match="no paper has the type 'novel'"):
        make(world, tmp_path, replace(CONFIG, types=("novel",)))


def test_papers_with_too_few_citations_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="none of 400 papers cites 50 of the 400 papers"):
        make(WORLD, tmp_path, MdcrConfig(positives=50))


def test_a_benchmark_without_models_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no rankers; expected at least one"):
        build_mdcr(WORLD, {}, runs=tmp_path)


@pytest.mark.parametrize(
    "settings", [{"queries": 0}, {"negatives": 0}, {"depth": 5}, {"fewest": -1}]
)
def test_invalid_numbers_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="expected"):
        MdcrConfig(**settings)


def test_a_paper_is_a_query_of_one_field(tmp_path: Path) -> None:
    """The field `all` has every paper, but uses no query of a smaller field."""
    fields = csr_array(np.hstack([WORLD.fields.shares.toarray(), np.ones((len(WORLD), 1))]))
    names = (*WORLD.fields.names, "field all")
    world = replace(WORLD, fields=Fields(names, fields))
    run = make(world, tmp_path, replace(CONFIG, queries=4, validation=2, fewest=1))
    table = run.read().table.group_by(["field", "query"]).aggregate([])
    assert len(set(table["field"].to_pylist())) == 4
    assert len(set(table["query"].to_pylist())) == len(table)


def test_a_model_that_finds_nothing_is_refused(tmp_path: Path) -> None:
    empty = Dense("no", WORLD.ids, Vectors(pa.table({"id": WORLD.ids}), np.zeros((400, 1), "f4")))
    with pytest.raises(ConfigError, match="no finds nothing for"):
        build_mdcr(WORLD, {"no": empty, "chance": Random(3)}, CONFIG, runs=tmp_path)
    assert not list(tmp_path.glob("benchmark*"))


def test_lists_without_candidates_are_short(tmp_path: Path) -> None:
    """A model with four of five papers has no lists for the fifth; other lists are full."""
    values = np.random.default_rng(0).normal(size=(400, 4)).astype(np.float32)
    values[(np.arange(400) % 5 == 0)] = 0
    few = Dense("few", WORLD.ids, Vectors(pa.table({"id": WORLD.ids}), values))
    run = build_mdcr(WORLD, {"few": few}, CONFIG, runs=tmp_path)
    rows = find_rows(run.read().table.group_by("query").aggregate([])["query"], WORLD.ids)
    assert run.counts["test"]["short_lists"] == {"few": int((rows % 5 == 0).sum())}
    assert run.counts["test"]["short_lists"]["few"] > 0
