from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Platform
from tests.evaluation.mdcr.worlds import draw_scores, make, write


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """A benchmark as published, its texts and the scores of a system, in one folder."""
    told = make(6)
    path = write(told, tmp_path, "mdcr_test.json")
    papers = {f"c_{n}" for n in range(90)} | {f"q_{n}" for n in range(6)}
    lines = [
        {"paper_id": paper, "title": f"words{int(paper[2:]) % 7} of it", "abstract": ""}
        for paper in sorted(papers)
    ]
    texts = "".join(json.dumps(line) + "\n" for line in lines)
    path.with_name("mdcr_test_data.jsonl").write_text(texts)
    write(draw_scores(told), tmp_path, "scores.json")
    return path


def test_systems_side_by_side(platform: Platform, published: Path) -> None:
    words = ("--benchmark", published, "--scores", f"own={published.with_name('scores.json')}")
    runs = ("--runs", published.parent / "runs")
    shown = platform("evaluate", "mdcr", "--compare", "bm25", "random", *words, *runs)
    assert shown.status == 0, shown.err
    assert "18 queries of 3 fields" in shown.out
    assert "less bm25, all candidates" in shown.out
    assert "Computer Science" in shown.out
    told = json.loads(platform("evaluate", "mdcr", "bm25", "random", *words, *runs, "--json").out)
    assert told["unchanged"]
    assert told["systems"] == ["bm25", "random", "own"]
    means = [row["mean"] for row in told["figures"]]
    assert np.isfinite(means).all()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("nobody",), "no ranker 'nobody'"),
        (("--scores", "scores.json"), "expected NAME=FILE"),
        (("--scores", "x=nowhere.json"), "and the file to be there"),
    ],
)
def test_systems_that_are_none(
    platform: Platform, published: Path, words: tuple[str, ...], expected: str
) -> None:
    runs = ("--runs", published.parent / "runs")
    failed = platform("evaluate", "mdcr", *words, "--benchmark", published, *runs)
    assert failed.status == 1
    assert expected in failed.err


def test_without_texts(platform: Platform, published: Path) -> None:
    published.with_name("mdcr_test_data.jsonl").unlink()
    failed = platform("evaluate", "mdcr", "bm25", "--benchmark", published)
    assert failed.status == 1
    assert "needs titles and abstracts" in failed.err


def test_without_a_benchmark(platform: Platform, tmp_path: Path) -> None:
    failed = platform("evaluate", "mdcr", "bm25", "--runs", tmp_path)
    assert failed.status == 1
    assert "no benchmarks in" in failed.err
    assert "platform benchmark mdcr" in failed.err
