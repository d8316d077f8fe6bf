from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from citescape.core.errors import ConfigError
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.evaluation.mdcr.queries import TEST, choose_queries
from citescape.evaluation.pool.by_field import FIELDS, evaluate_field_pools
from citescape.evaluation.pool.config import FieldPoolConfig
from citescape.evaluation.pool.evaluate import PoolQueries, PoolRankers
from citescape.evaluation.prefilter import prefilter
from citescape.ranking.random import Random
from citescape.search.bm25 import Bm25
from tests.evaluation.literatures import draw

WORLD = draw(900, seed=2)
CONFIG = FieldPoolConfig(year=2018, queries=12, fewest=3, samples=2, depth=50)
SEARCH = PoolRankers(
    WORLD, {"bm25": Bm25.from_documents(WORLD.corpus.documents), "random": Random()}
)


def test_each_field_has_its_own_pool(tmp_path: Path) -> None:
    run = evaluate_field_pools(SEARCH, CONFIG, runs=tmp_path)
    assert evaluate_field_pools(SEARCH, CONFIG, runs=tmp_path).unchanged
    counts = run.counts
    assert counts["fields"] == ["field 0", "field 1", "field 2"]
    assert all(len(sizes) == 1 for sizes in counts["pools"].values())  # the whole pool
    rows = {(r["system"], r["group"], r["metric"]): r["mean"] for r in run.figures.to_pylist()}
    means = [rows["bm25", field, "map"] for field in counts["fields"]]
    assert rows["bm25", "", "map"] == pytest.approx(np.mean(means))
    assert rows["bm25", "", "map"] > rows["random", "", "map"]
    assert counts["covered"] == {"bm25": 1, "random": 1}


def test_a_single_field_gives_the_same_metrics(tmp_path: Path) -> None:
    """Computed separately: queries among papers cited in the field up to the query year."""
    run = evaluate_field_pools(SEARCH, CONFIG, runs=tmp_path)
    drawing = MdcrConfig(year=2018, queries=12, validation=12, fewest=3, positives=1)
    queries = choose_queries(WORLD, prefilter(WORLD).papers, drawing)
    field = np.flatnonzero(WORLD.in_field(1))
    cited = np.unique(np.concatenate([WORLD.cites[int(paper)] for paper in field]))
    query_rows = queries.by_field[TEST]["field 1"]
    own = np.concatenate([WORLD.cites[int(paper)] for paper in query_rows])
    assert set(own.tolist()) <= set(cited.tolist())
    pool = cited[queries.candidates[cited]].astype(np.int64)
    assert run.counts["pools"]["field 1"] == [len(pool)]
    question = PoolQueries(WORLD, query_rows, queries.candidates, 50)
    expected = question.measure(SEARCH.rankers["bm25"], pool)
    table = run.read_table("queries.parquet").to_pylist()
    found = {
        row["query"]: row["value"]
        for row in table
        if (row["system"], row["group"], row["metric"]) == ("bm25", "field 1", "ndcg_ret")
    }
    assert list(found) == expected.queries.to_pylist()
    assert list(found.values()) == pytest.approx(expected.values["ndcg_ret"].tolist())
    assert {row["condition"] for row in table} == {FIELDS}


def test_pools_smaller_than_the_field_are_sampled(tmp_path: Path) -> None:
    small = FieldPoolConfig(size=250, year=2018, queries=12, fewest=3, samples=3, depth=50)
    run = evaluate_field_pools(SEARCH, small, runs=tmp_path)
    assert run.counts["pools"] == {name: [250] * 3 for name in run.counts["fields"]}
    single_sample = FieldPoolConfig(size=250, year=2018, queries=12, fewest=3, samples=1, depth=50)
    other = evaluate_field_pools(SEARCH, single_sample, runs=tmp_path)
    means = [
        [r["mean"] for r in found.figures.to_pylist() if r["metric"] == "map"]
        for found in (run, other)
    ]
    assert means[0] != means[1]
    assert means[0] == pytest.approx(means[1], abs=0.2)


def test_invalid_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="set --fewest 16"):
        evaluate_field_pools(SEARCH, FieldPoolConfig(fewest=900), runs=tmp_path)
    with pytest.raises(ConfigError, match="1 or more"):
        FieldPoolConfig(size=0)
    with pytest.raises(ConfigError, match="30 or more"):
        FieldPoolConfig(depth=29)
    assert not list(tmp_path.glob("evaluate*"))
