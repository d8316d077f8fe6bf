from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from citescape.core.errors import ConfigError
from citescape.evaluation.literature import Adjacency, Literature
from citescape.evaluation.mdcr.queries import TEST, VALIDATION
from citescape.evaluation.pool.basis import prepare_basis
from citescape.evaluation.pool.by_field import FieldQueries, choose_field_queries
from citescape.evaluation.pool.config import FieldPoolConfig, PoolConfig
from citescape.evaluation.pool.evaluate import PoolQueries, PoolRankers
from citescape.evaluation.pool.pools import draw_task, draw_validation_task
from citescape.evaluation.pool.tuning import tune_in_field_pools, tune_in_pool
from citescape.evaluation.prefilter import prefilter
from citescape.evaluation.tuning import Grid
from citescape.ranking.registry import Basis, open_ranker
from citescape.search.bm25 import Bm25
from tests.evaluation.literatures import draw

WORLD = draw()
CONFIG = PoolConfig(year=2018, queries=15, depth=50, min_abstract=30, min_citations=0)
ELIGIBLE = prefilter(WORLD, CONFIG).papers
TASK = draw_task(WORLD, ELIGIBLE, CONFIG)
WORDS = Bm25.from_documents(WORLD.corpus.documents)
GRID = Grid((0.4, 2.0), (0.0, 0.5, 1.0))


def tune(literature: Literature, config: PoolConfig = CONFIG) -> Bm25:
    eligible = prefilter(literature, config).papers
    task = draw_task(literature, eligible, config)
    return tune_in_pool(WORDS, task=task, eligible=eligible, config=config, grid=GRID)


def test_validation_queries_are_different_papers_of_the_same_year() -> None:
    validation = draw_validation_task(TASK, ELIGIBLE, CONFIG)
    ids = [set(WORLD.ids.take(task.queries).to_pylist()) for task in (TASK, validation)]
    assert ids[1]
    assert not ids[0] & ids[1]
    assert (WORLD.years[validation.queries] == TASK.year).all()
    assert (validation.candidates == TASK.candidates).all()
    assert set(validation.cited) == {
        paper
        for query in validation.queries
        for paper in WORLD.cites[query]
        if TASK.candidates[paper]
    }


def test_grid_values_equal_those_of_the_pool() -> None:
    validation = draw_validation_task(TASK, ELIGIBLE, CONFIG)
    pool = np.sort(validation.order_candidates(0, seed=0))
    question = PoolQueries(WORLD, validation.queries, TASK.candidates, 50)
    found = tune(WORLD)
    for k1, b, figure in found.trials:
        assert figure == question.measure(WORDS.tuned(k1, b), pool).values["map"].mean()
    assert len(found.trials) == 6


def test_citations_of_test_queries_do_not_affect_tuning() -> None:
    """Each query cites as many papers as before, but different ones."""
    ends, chance = WORLD.cites.ends.copy(), np.random.default_rng(0)
    old = np.flatnonzero(WORLD.years < 2018)
    for query in TASK.queries:
        own = slice(*WORLD.cites.indptr[query : query + 2])
        ends[own] = np.sort(chance.choice(old, own.stop - own.start, replace=False))
    other = replace(WORLD, cites=Adjacency(WORLD.cites.indptr, ends))
    assert not np.array_equal(ends, WORLD.cites.ends)
    assert tune(other).trials == tune(WORLD).trials


def test_tuning_uses_the_largest_requested_pool() -> None:
    most = int(TASK.candidates.sum())
    whole, smaller = tune(WORLD), tune(WORLD, replace(CONFIG, sizes=(most - 30, most - 20)))
    again = tune(WORLD, replace(CONFIG, sizes=(most,)))
    assert whole.trials == again.trials != smaller.trials


def test_rankers_of_a_pool_are_tuned(tmp_path: Path) -> None:
    basis = prepare_basis(Basis(WORLD.corpus, tmp_path), WORLD, CONFIG)
    assert basis.held_out.tolist() == TASK.queries.tolist()
    title, ranker = open_ranker("bm25-tuned", basis)
    assert title == ranker.name == "bm25-tuned"
    assert len(ranker.traits.trials) == 25
    k1, b, _ = max(ranker.traits.trials, key=lambda trial: trial[2])
    assert (ranker.describe()["k1"], ranker.describe()["b"]) == (k1, b)


def test_tuning_without_validation_papers_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"all 37 papers of 2018 .*--queries"):
        tune(WORLD, replace(CONFIG, queries=5000))


FIELDS = FieldPoolConfig(size=100, year=2019, queries=8, fewest=2)


def test_pools_of_fields_are_tuned_on_the_other_split(tmp_path: Path) -> None:
    queries = choose_field_queries(WORLD, FIELDS).by_field
    basis = prepare_basis(Basis(WORLD.corpus, tmp_path), WORLD, FIELDS)
    both = [
        paper for split in (TEST, VALIDATION) for own in queries[split].values() for paper in own
    ]
    assert sorted(basis.held_out.tolist()) == sorted(both)
    found = tune_in_field_pools(WORDS, literature=WORLD, config=FIELDS, grid=GRID)
    field_queries = FieldQueries.draw(
        PoolRankers(WORLD, {"b": WORDS.tuned(0.4, 0.5)}), replace(FIELDS, samples=1)
    )
    by_field = []
    for field, own in queries[VALIDATION].items():
        question = PoolQueries(WORLD, own, field_queries.queries.candidates, FIELDS.depth)
        measured = question.measure(
            WORDS.tuned(0.4, 0.5), field_queries.pools[field][0].astype(np.int64)
        )
        by_field.append(measured.values["map"].mean())
    figures = {(k1, b): figure for k1, b, figure in found.trials}
    assert figures[0.4, 0.5] == pytest.approx(np.mean(by_field))
