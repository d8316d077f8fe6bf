from __future__ import annotations

from pathlib import Path

import numpy as np

from citescape.evaluation.pool.basis import find_earlier, prepare_basis, search_pools
from citescape.evaluation.pool.config import FieldPoolConfig, PoolConfig
from citescape.evaluation.pool.pools import draw_task
from citescape.evaluation.prefilter import prefilter
from citescape.ranking.registry import Basis
from citescape.runs.directory import list_runs
from tests.evaluation.literatures import build, draw

WORLD = draw(600, seed=5)


def test_later_papers_are_ignored() -> None:
    world = build({3: [0, 1], 4: [0, 2], 5: [1, 3]}, 6, years={3: 2018, 4: 2020, 5: 0})
    citing, cited = find_earlier(world, 2020)
    assert list(zip(citing.tolist(), cited.tolist(), strict=True)) == [(3, 0), (3, 1)]


def test_queries_are_held_out(tmp_path: Path) -> None:
    basis = Basis(WORLD.corpus, tmp_path)
    config = PoolConfig(year=2018, queries=15)
    prepared = prepare_basis(basis, WORLD, config)
    task = draw_task(WORLD, prefilter(WORLD).papers, config)
    assert prepared.held_out.tolist() == task.queries.tolist()
    assert prepared.citations is not None
    assert (WORLD.years[prepared.citations()[0]] < 2018).all()
    fields = FieldPoolConfig(year=2018, queries=9, fewest=2, min_abstract=0, min_citations=0)
    parts = prepare_basis(basis, WORLD, fields).held_out
    assert len(np.unique(parts)) == len(parts) > 9
    assert (WORLD.years[parts] == 2018).all()


def test_reported_time_includes_encoding(tmp_path: Path) -> None:
    """Each run counts its own part, although runs share a basis."""
    basis = Basis(WORLD.corpus, tmp_path, max_tokens=16)
    sizes = PoolConfig(year=2018, queries=15, samples=1)
    fields = FieldPoolConfig(year=2018, queries=9, fewest=2, samples=1)
    first, second = (
        search_pools(("minilm",), WORLD, config, basis=basis).record for config in (sizes, fields)
    )
    ((encoding, _),) = list_runs(tmp_path, "encode")
    assert first.seconds >= first.timings["encoding"] >= encoding.timings["encode"] > 0
    assert second.started > first.started
