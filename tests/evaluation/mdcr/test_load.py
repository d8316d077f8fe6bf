from __future__ import annotations

from pathlib import Path

import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.evaluation.export import make_pages
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.evaluation.mdcr.load import BenchmarkSource, make_benchmark, open_benchmark
from citescape.evaluation.mdcr.published import format_published
from citescape.metrics.evaluation_run import EvaluationRun
from citescape.networks.citations import Citations
from citescape.ranking.registry import Basis
from citescape.runs.directory import list_runs
from tests.evaluation.literatures import draw
from tests.evaluation.mdcr.test_evaluate import as_published
from tests.evaluation.mdcr.worlds import draw_scores, make, write

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


def measure_file(folder: Path, runs: Path) -> EvaluationRun:
    opened = open_benchmark(runs, BenchmarkSource(str(folder / "b.json")))
    named = {"own": folder / "scores.json"}
    basis = Basis(opened.corpus, runs)
    return opened.measure((), basis, scores=named, citations=read_none)


def test_scores_of_a_published_file_need_neither_texts_nor_a_store(tmp_path: Path) -> None:
    """What is printed is what the published evaluator prints, with texts and without."""
    told = make()
    scores = draw_scores(told)
    write(told, tmp_path)
    write(scores, tmp_path, "scores.json")
    made = measure_file(tmp_path, tmp_path / "runs")
    fields = made.counts["fields"]
    assert list(format_published(made.figures, "own", fields)) == as_published(told, scores)
    assert "without_text" not in made.counts
    assert make_pages(made)["report.md"].count("without a title or an abstract") == 0
    texts = "".join(f'{{"paper_id": "c_{n}", "title": "T"}}\n' for n in range(60))
    (tmp_path / "b_data.jsonl").write_text(texts)
    beside = measure_file(tmp_path, tmp_path / "runs")
    assert beside.figures.equals(made.figures)
    assert beside.counts["without_text"] == 50


@pytest.mark.parametrize("rankers", [("bm25",), ()])
def test_rankers_need_texts(tmp_path: Path, rankers: tuple[str, ...]) -> None:
    opened = open_benchmark(tmp_path, BenchmarkSource(str(write(make(), tmp_path))))
    with pytest.raises(ConfigError, match=r"needs titles and abstracts for .*b_data\.jsonl"):
        opened.measure(rankers, Basis(opened.corpus, tmp_path), citations=read_none)


def test_texts_that_are_named_are_there(tmp_path: Path) -> None:
    named = BenchmarkSource(str(write(make(), tmp_path)), texts=tmp_path / "absent.jsonl")
    with pytest.raises(SourceError, match=r"absent\.jsonl"):
        open_benchmark(tmp_path, named)


def test_encoding_is_part_of_the_time_that_is_told(tmp_path: Path) -> None:
    """Of each run its own part, though they share a basis."""
    basis = Basis(WORLD.corpus, tmp_path, max_tokens=16)
    config = MdcrConfig(year=2019, queries=12, validation=6, fewest=3, depth=40)
    made = make_benchmark(("minilm",), WORLD, config, basis=basis)
    opened = open_benchmark(tmp_path, BenchmarkSource(made.run))
    own = Basis(opened.corpus, tmp_path, max_tokens=16)
    measured = opened.measure(("minilm",), own, citations=read_none)
    encodings = [record for record, _ in list_runs(tmp_path, "encode")]
    for run, encoding in zip((made, measured), encodings, strict=True):
        told = run.record
        assert told.seconds >= told.timings["encoding"] >= encoding.timings["encode"] > 0
    other = make_benchmark(("minilm", "bm25"), WORLD, config, basis=basis)
    assert other.record.started > measured.record.started
