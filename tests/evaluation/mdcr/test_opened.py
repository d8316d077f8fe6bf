from __future__ import annotations

from pathlib import Path

import pytest

from citescape.core.errors import ConfigError
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.evaluation.mdcr.opened import Named, make_benchmark, open_benchmark
from citescape.networks.citations import Citations
from citescape.ranking.registry import Basis
from citescape.runs.directory import list_runs
from tests.evaluation.literatures import draw

WORLD = draw()


@pytest.mark.parametrize(
    ("named", "config", "expected"),
    [
        (("minilm", "graph=bm25"), MdcrConfig(fewest=3), "cannot be called 'graph'"),
        (("minilm", "bm25", "bm25"), MdcrConfig(fewest=3), "two systems are called 'bm25'"),
        (("minilm", "bm25"), MdcrConfig(positives=50), "cites 50 papers"),
    ],
)
def test_what_cannot_be_shows_before_rankers_are_opened(
    tmp_path: Path, named: tuple[str, ...], config: MdcrConfig, expected: str
) -> None:
    told: list[str] = []
    basis = Basis(WORLD.corpus, tmp_path / "runs", progress=told.append)
    with pytest.raises(ConfigError, match=expected):
        make_benchmark(named, WORLD, config, basis=basis)
    assert told == []


def test_opened_in_their_order(tmp_path: Path) -> None:
    basis = Basis(WORLD.corpus, tmp_path / "runs")
    config = MdcrConfig(year=2019, queries=12, validation=6, fewest=3, depth=40)
    made = make_benchmark(("chance=random", "bm25"), WORLD, config, basis=basis)
    assert made.counts["models"] == ["chance", "bm25"]


def read_none() -> Citations:
    raise AssertionError("no ranker here reads citations")


def test_encoding_is_part_of_the_time_that_is_told(tmp_path: Path) -> None:
    """Of each run its own part, though they share a basis."""
    basis = Basis(WORLD.corpus, tmp_path, max_tokens=16)
    config = MdcrConfig(year=2019, queries=12, validation=6, fewest=3, depth=40)
    made = make_benchmark(("minilm",), WORLD, config, basis=basis)
    opened = open_benchmark(tmp_path, Named(made.run))
    own = Basis(opened.corpus, tmp_path, max_tokens=16)
    measured = opened.measure(("minilm",), own, citations=read_none)
    encodings = [record for record, _ in list_runs(tmp_path, "encode")]
    for run, encoding in zip((made, measured), encodings, strict=True):
        told = run.record
        assert told.seconds >= told.timings["encoding"] >= encoding.timings["encode"] > 0
    other = make_benchmark(("minilm", "bm25"), WORLD, config, basis=basis)
    assert other.record.started > measured.record.started
