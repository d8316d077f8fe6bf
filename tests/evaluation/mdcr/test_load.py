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
        (("minilm", "bm25"), MdcrConfig(positives=50), "cites 50 of the 400 papers"),
    ],
)
def test_invalid_settings_are_refused_before_rankers_are_opened(
    tmp_path: Path, named: tuple[str, ...], config: MdcrConfig, expected: str
) -> None:
    messages: list[str] = []
    basis = Basis(WORLD.corpus, tmp_path / "runs", progress=messages.append)
    with pytest.raises(ConfigError, match=expected):
        make_benchmark(named, WORLD, config, basis=basis)
    assert messages == []


def test_rankers_keep_their_order(tmp_path: Path) -> None:
    basis = Basis(WORLD.corpus, tmp_path / "runs")
    config = MdcrConfig(year=2019, queries=12, validation=6, fewest=3, depth=40)
    run = make_benchmark(("chance=random", "bm25"), WORLD, config, basis=basis)
    assert run.counts["models"] == ["chance", "bm25"]


def read_no_citations() -> Citations:
    raise AssertionError("no ranker here reads citations")


def measure_file(folder: Path, runs: Path) -> EvaluationRun:
    opened = open_benchmark(runs, BenchmarkSource(str(folder / "b.json")))
    named = {"own": folder / "scores.json"}
    basis = Basis(opened.corpus, runs)
    return opened.measure((), basis, scores=named, citations=read_no_citations)


def test_scores_of_a_published_file_need_neither_texts_nor_a_store(tmp_path: Path) -> None:
    """The output equals that of the published evaluator, with and without texts."""
    contents = make()
    scores = draw_scores(contents)
    write(contents, tmp_path)
    write(scores, tmp_path, "scores.json")
    evaluation = measure_file(tmp_path, tmp_path / "runs")
    fields = evaluation.counts["fields"]
    assert list(format_published(evaluation.figures, "own", fields)) == as_published(
        contents, scores
    )
    assert "without_text" not in evaluation.counts
    assert make_pages(evaluation)["report.md"].count("without a title or an abstract") == 0
    texts = "".join(f'{{"paper_id": "c_{n}", "title": "T"}}\n' for n in range(60))
    (tmp_path / "b_data.jsonl").write_text(texts)
    beside = measure_file(tmp_path, tmp_path / "runs")
    assert beside.figures.equals(evaluation.figures)
    assert beside.counts["without_text"] == 50


@pytest.mark.parametrize("rankers", [("bm25",), ()])
def test_rankers_need_texts(tmp_path: Path, rankers: tuple[str, ...]) -> None:
    opened = open_benchmark(tmp_path, BenchmarkSource(str(write(make(), tmp_path))))
    with pytest.raises(ConfigError, match=r"needs titles and abstracts for .*b_data\.jsonl"):
        opened.measure(rankers, Basis(opened.corpus, tmp_path), citations=read_no_citations)


def test_missing_texts_are_refused(tmp_path: Path) -> None:
    named = BenchmarkSource(str(write(make(), tmp_path)), texts=tmp_path / "absent.jsonl")
    with pytest.raises(SourceError, match=r"absent\.jsonl"):
        open_benchmark(tmp_path, named)


def test_reported_time_includes_encoding(tmp_path: Path) -> None:
    """Each run counts its own part, although runs share a basis."""
    basis = Basis(WORLD.corpus, tmp_path, max_tokens=16)
    config = MdcrConfig(year=2019, queries=12, validation=6, fewest=3, depth=40)
    benchmark = make_benchmark(("minilm",), WORLD, config, basis=basis)
    opened = open_benchmark(tmp_path, BenchmarkSource(benchmark.run))
    own = Basis(opened.corpus, tmp_path, max_tokens=16)
    measured = opened.measure(("minilm",), own, citations=read_no_citations)
    encodings = [record for record, _ in list_runs(tmp_path, "encode")]
    for run, encoding in zip((benchmark, measured), encodings, strict=True):
        run_record = run.record
        assert (
            run_record.seconds >= run_record.timings["encoding"] >= encoding.timings["encode"] > 0
        )
    other = make_benchmark(("minilm", "bm25"), WORLD, config, basis=basis)
    assert other.record.started > measured.record.started
