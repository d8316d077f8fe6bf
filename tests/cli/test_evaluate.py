from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Platform
from tests.evaluation.mdcr.test_evaluate import as_published
from tests.evaluation.mdcr.worlds import draw_scores, make, write


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """A benchmark as published, its texts and the scores of a system, in one folder."""
    benchmark = make(6)
    path = write(benchmark, tmp_path, "mdcr_test.json")
    papers = {f"c_{n}" for n in range(90)} | {f"q_{n}" for n in range(6)}
    lines = [
        {"paper_id": paper, "title": f"words{int(paper[2:]) % 7} of it", "abstract": ""}
        for paper in sorted(papers)
    ]
    texts = "".join(json.dumps(line) + "\n" for line in lines)
    path.with_name("mdcr_test_data.jsonl").write_text(texts)
    write(draw_scores(benchmark), tmp_path, "scores.json")
    return path


def test_systems_side_by_side(platform: Platform, published: Path) -> None:
    words = ("--benchmark", published, "--scores", f"own={published.with_name('scores.json')}")
    runs = ("--runs", published.parent / "runs")
    shown = platform("evaluate", "mdcr", "bm25", "random", *words, *runs)
    assert shown.status == 0, shown.err
    assert "18 queries of 3 fields" in shown.out
    assert "difference from bm25, all candidates" in shown.out
    assert "Computer Science" in shown.out
    result = json.loads(platform("evaluate", "mdcr", "bm25", "random", *words, *runs, "--json").out)
    assert result["unchanged"]
    assert result["systems"] == ["bm25", "random", "own"]
    means = [row["mean"] for row in result["figures"]]
    assert np.isfinite(means).all()


def test_paths_of_scores_may_contain_an_equals_sign(platform: Platform, published: Path) -> None:
    scores = published.parent / "year=2019" / "scores.json"
    scores.parent.mkdir()
    published.with_name("scores.json").rename(scores)
    words = ("--benchmark", published, "--scores", f"own={scores}", "--json")
    shown = platform("evaluate", "mdcr", *words, "--runs", published.parent / "runs")
    assert json.loads(shown.out)["systems"] == ["own"]


def test_scores_of_external_systems(platform: Platform, published: Path) -> None:
    """Papers of the files that are not in the corpus are reported."""
    folder = published.parent
    lines = [f"q_{q} Q0 c_{c} 1 {1 / (c + 1)} tag\n" for q in range(6) for c in range(40)]
    (folder / "own.run").write_text("".join(lines) + "stranger Q0 c_1 1 2 tag\n")
    (folder / "own.vec").write_text("2 3\nwords0 1 2 3\nwords1 3 2 1\n")
    papers = [*(f"c_{n}" for n in range(95)), *(f"q_{n}" for n in range(5))]
    vectors = [{"paper_id": paper, "embedding": [int(paper[2:]), 1]} for paper in papers]
    (folder / "own.jsonl").write_text("".join(json.dumps(line) + "\n" for line in vectors))
    named = [f"{kind}={folder / 'own'}.{kind}" for kind in ("run", "vec", "jsonl")]
    words = ("--benchmark", published, "--runs", folder / "runs")
    shown = platform("evaluate", "mdcr", *named, *words)
    assert shown.status == 0, shown.err
    assert " papers with a title only\n" in shown.out
    assert "run: 1 queries that this evaluation does not use" in shown.out
    assert "vec: 5 words without a vector, of 7" in shown.out
    assert "jsonl: 5 papers of the file that this evaluation does not use" in shown.out
    assert "jsonl: 1 papers of the corpus without a vector" in shown.out
    assert "without a score, ranked last" in shown.out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("sgc:lsa",), "needs citations"),
        (("bm25-tuned",), "needs validation queries"),
        (("x=nowhere.vec",), "expected word vectors as text"),
        (("x=nowhere.run",), "expected a run file"),
        (("nobody",), "no ranker 'nobody'"),
        (("random", "--store", "absent.lbug"), "no store at absent.lbug"),
    ],
)
def test_invalid_systems_are_refused(
    platform: Platform, published: Path, words: tuple[str, ...], expected: str
) -> None:
    runs = ("--runs", published.parent / "runs")
    failed = platform("evaluate", "mdcr", *words, "--benchmark", published, *runs)
    assert failed.status == 1
    assert expected in failed.err


@pytest.mark.parametrize("scores", ["scores.json", "x=nowhere.json"])
def test_invalid_scores_are_refused(platform: Platform, published: Path, scores: str) -> None:
    failed = platform("evaluate", "mdcr", "--scores", scores, "--benchmark", published)
    assert (failed.status, failed.out) == (2, "")
    assert scores.rpartition("=")[2] in failed.err


def test_figures_as_the_published_evaluator_prints_them(
    platform: Platform, published: Path
) -> None:
    words = ("--benchmark", published, "--runs", published.parent / "runs")
    shown = platform("evaluate", "mdcr", "random", "--published", *words)
    figures = platform("evaluate", "mdcr", "random", "--json", *words).json["figures"]
    means = [
        round(100 * row["mean"], 4)
        for row in figures
        if row["condition"] == "all" and row["group"] and row["metric"] == "map"
    ]
    shown_means = [float(value) for value in re.findall(r"map: ([\d.]+)", shown.out)]
    assert shown_means[:-1] == means  # the last row is the average


def test_evaluation_needs_texts(platform: Platform, published: Path) -> None:
    published.with_name("mdcr_test_data.jsonl").unlink()
    failed = platform("evaluate", "mdcr", "bm25", "--benchmark", published)
    assert failed.status == 1
    assert "needs titles and abstracts" in failed.err


def test_scores_need_neither_texts_nor_a_store(
    platform: Platform, published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Published figures are printed if both test sets are present."""
    words = ("--benchmark", published, "--scores", f"own={published.with_name('scores.json')}")
    runs = ("--runs", published.parent / "runs", "--published")
    beside = platform("evaluate", "mdcr", *words, *runs)
    published.with_name("mdcr_test_data.jsonl").unlink()
    monkeypatch.setenv("CITESCAPE_STORE", "absent.lbug")
    shown = platform("evaluate", "mdcr", *words, "--runs", published.parent / "own", "--published")
    assert shown.status == 0, shown.err
    assert shown.out == beside.out
    benchmark, scores = (json.loads(published.with_name(name).read_text()) for name in
                    ("mdcr_test.json", "scores.json"))  # fmt: skip
    assert shown.out.splitlines() == as_published(benchmark, scores)
    tables = platform("evaluate", "mdcr", *words, "--runs", published.parent / "own")
    assert tables.status == 0, tables.err
    assert "without a title" not in tables.out


def test_evaluation_needs_a_benchmark(platform: Platform, tmp_path: Path) -> None:
    failed = platform("evaluate", "mdcr", "bm25", "--runs", tmp_path)
    assert failed.status == 1
    assert "no benchmarks in" in failed.err
    assert "platform benchmark mdcr" in failed.err


def test_a_missing_file_of_vectors_is_refused_before_papers_are_read(
    run_on_store: Platform,
) -> None:
    refused = run_on_store("evaluate", "pool", "bm25", "mine=absent.npy")
    assert (refused.status, refused.out) == (2, "")
    assert "no such file: absent.npy" in refused.err
