from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import pytrec_eval

from citescape.core.errors import ConfigError
from citescape.evaluation.pool.config import PoolConfig
from citescape.evaluation.pool.evaluate import PoolQueries, PoolRankers, evaluate_pool
from citescape.evaluation.pool.pools import choose_sizes, draw_task, draw_validation_task
from citescape.evaluation.prefilter import prefilter
from citescape.evaluation.results import PoolEvaluation
from citescape.ranking.random import Random
from citescape.search.bm25 import Bm25
from citescape.search.listed import Rows
from tests.evaluation.literatures import draw

WORLD = draw()
CONFIG = PoolConfig(year=2018, queries=15, samples=2, depth=50)
TASK = draw_task(WORLD, prefilter(WORLD).papers, CONFIG)
WORDS = Bm25.from_documents(WORLD.corpus.documents)


def test_pools_hold_cited_papers_and_no_newer_papers() -> None:
    most = int(TASK.candidates.sum())
    assert len(TASK.queries) == 15
    for size in (len(TASK.cited), most - 20, most):
        pool = TASK.order_candidates(0, seed=0)[:size]
        assert len(pool) == len(set(pool)) == size
        assert set(TASK.cited) <= set(pool)
        assert (WORLD.years[pool] <= 2018).all()


def test_samples_differ_except_for_cited_papers() -> None:
    first, second = (TASK.order_candidates(sample, seed=0) for sample in (0, 1))
    assert len(first) == int(TASK.candidates.sum())
    assert set(first) == set(second)
    cited = len(TASK.cited)
    assert first[:cited].tolist() == second[:cited].tolist() == TASK.cited.tolist()
    assert first.tolist() != second.tolist()


def test_metrics_equal_those_of_trec_eval() -> None:
    pool = np.sort(TASK.order_candidates(0, seed=0))
    own = PoolQueries(WORLD, TASK.queries, TASK.candidates, 50).measure(WORDS, pool)
    found = WORDS.among(pool).search(TASK.queries.astype(np.int64), 50)
    names = WORLD.ids.to_pylist()
    run = {
        names[q]: {names[p]: float(s) for p, s in zip(papers, scores, strict=True) if p >= 0}
        for q, papers, scores in zip(found.queries, found.papers, found.scores, strict=True)
    }
    qrels = {
        names[q]: {names[p]: 1 for p in WORLD.cites[q] if TASK.candidates[p]} for q in TASK.queries
    }
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg", "recall.30"}).evaluate(run)
    for name, their in (("map", "map"), ("ndcg", "ndcg"), ("recall@30", "recall_30")):
        expected = [theirs[query][their] for query in own.queries.to_pylist()]
        assert own.values[name] == pytest.approx(expected, abs=1e-12)
    assert (own.values["map_ret"] >= own.values["map"]).all()


def test_larger_pools_are_harder(tmp_path: Path) -> None:
    search = PoolRankers(WORLD, {"bm25": WORDS, "random": Random()})
    run = evaluate_pool(search, CONFIG, runs=tmp_path)
    assert evaluate_pool(search, CONFIG, runs=tmp_path).unchanged
    rows = [r for r in run.figures.to_pylist() if r["metric"] == "recall@30"]
    means = {name: [r["mean"] for r in rows if r["system"] == name] for name in ("bm25", "random")}
    assert len(means["bm25"]) == len(run.counts["sizes"]) >= 1
    assert means["bm25"][-1] > means["random"][-1]
    assert run.counts["sizes"][-1] == int(TASK.candidates.sum())


@dataclass(frozen=True)
class PartialRanker(Random):
    """Ranker that has the first half of the papers."""

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        return np.asarray(rows >= len(WORLD) // 2, np.bool_)


def test_coverage_is_of_queries_and_candidates(tmp_path: Path) -> None:
    search = PoolRankers(WORLD, {"bm25": WORDS, "forgetful": PartialRanker()})
    run = evaluate_pool(search, CONFIG, runs=tmp_path)
    papers = {*np.flatnonzero(TASK.candidates).tolist(), *TASK.queries.tolist()}
    known = sum(paper < len(WORLD) // 2 for paper in papers)
    assert run.counts["covered"] == {
        "bm25": 1,
        "forgetful": pytest.approx(known / len(papers), abs=1e-4),
    }


def test_default_sizes_have_equal_ratios() -> None:
    least, most = len(TASK.cited), int(TASK.candidates.sum())
    sizes = choose_sizes(TASK, ())
    assert len(sizes) == 4
    assert (sizes[0], sizes[-1]) == (max(least, most // 8), most)
    ratios = np.array(sizes[1:]) / sizes[:-1]
    assert ratios == pytest.approx(ratios.mean(), abs=0.02)


def test_invalid_sizes_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"a pool of 3 papers; expected .* to "):
        choose_sizes(TASK, (3,))
    with pytest.raises(ConfigError, match="a pool of 5,000 papers"):
        choose_sizes(TASK, (5000,))
    with pytest.raises(ConfigError, match="ascending"):
        PoolConfig(sizes=(5, 5))
    with pytest.raises(ConfigError, match="1 or more"):
        PoolConfig(samples=0)
    with pytest.raises(ConfigError, match="30 or more"):
        PoolConfig(depth=29)


def test_a_year_without_queries_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no paper of 1999 cites"):
        evaluate_pool(PoolRankers(WORLD, {"bm25": WORDS}), PoolConfig(year=1999), runs=tmp_path)
    with pytest.raises(ConfigError, match="at least one ranker"):
        evaluate_pool(PoolRankers(WORLD, {}), runs=tmp_path)


def test_queries_have_the_chosen_types(tmp_path: Path) -> None:
    types = dict.fromkeys(range(0, 400, 2), "review-article")
    world = draw(types=types)
    eligible = prefilter(world).papers
    few = replace(CONFIG, queries=400)
    tasks = {
        chosen: draw_task(world, eligible, replace(few, types=(chosen,)))
        for chosen in ("unknown", "review", "all")
    }
    assert {world.types[int(row)].as_py() for row in tasks["review"].queries} == {"review-article"}
    assert {world.types[int(row)].as_py() for row in tasks["unknown"].queries} == {""}
    assert {world.types[int(row)].as_py() for row in tasks["unknown"].cited} == {
        "",
        "review-article",
    }
    sizes = {name: len(task.queries) for name, task in tasks.items()}
    assert sizes["all"] == sizes["unknown"] + sizes["review"]
    assert tasks["unknown"].other_types == sizes["review"]
    validation = draw_validation_task(
        draw_task(world, eligible, replace(CONFIG, queries=3)), eligible, CONFIG
    )
    assert {world.types[int(row)].as_py() for row in validation.queries} == {""}
    found = evaluate_pool(PoolRankers(world, {"bm25": WORDS}), few, runs=tmp_path)
    assert found.record.counts["other_types"] == sizes["review"]
    shown = str(PoolEvaluation.from_run(found).summarise().parts)
    assert f"{sizes['review']} of other types left out" in shown
    with pytest.raises(ConfigError, match=r"none of .* papers that can be queries has one of"):
        draw_task(WORLD, prefilter(WORLD).papers, replace(CONFIG, types=("review",)))


def test_systems_are_compared_with_the_first(tmp_path: Path) -> None:
    chance = Random()
    first = evaluate_pool(
        PoolRankers(WORLD, {"bm25": WORDS, "random": chance}), CONFIG, runs=tmp_path
    )
    other = evaluate_pool(
        PoolRankers(WORLD, {"random": chance, "bm25": WORDS}), CONFIG, runs=tmp_path
    )
    assert not other.unchanged
    assert first.differences is not None
    assert other.differences is not None
    assert set(first.differences["against"].to_pylist()) == {"bm25"}
    assert set(other.differences["against"].to_pylist()) == {"random"}


def test_rankings_are_no_longer_than_the_pool() -> None:
    pool = np.flatnonzero(TASK.candidates).astype(np.int64)
    first, second = (
        PoolQueries(WORLD, TASK.queries, TASK.candidates, depth).measure(WORDS, pool)
        for depth in (len(pool), 10**11)
    )
    for metric, values in first.values.items():
        assert np.array_equal(values, second.values[metric])
