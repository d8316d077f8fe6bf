"""What is printed of a paper."""

from __future__ import annotations

import pytest

from citescape.cli.recommend_output import print_answers
from citescape.recommend.reasons import Received, Sentence, Work
from citescape.recommend.recommendations import Recommendation, Recommended, Standing

RETRIEVED = Standing(14, 1.91, {"vectors": 1.28, "words": 0.63})


@pytest.fixture(autouse=True, params=["40", "80", "200"])
def columns(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Terminals of several widths: what is told does not depend on where lines break."""
    monkeypatch.setenv("COLUMNS", request.param)


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    """What was printed, as one line."""
    return " ".join(capsys.readouterr().out.split())


def show(score: float, retrieved: Standing, capsys: pytest.CaptureFixture[str]) -> str:
    said = Sentence("Roots grow.", -0.001, Work("b"), "")
    paper = Recommendation(1, Work("a", "Roots"), score, retrieved, 1, (said,), Received())
    print_answers([], [Recommended("Roots.", (paper,))], None, keys={}, brief=False)
    return printed(capsys)


def test_a_score_is_told_by_what_it_is_made_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert "; found by vectors 1.28, words 0.63" in show(1.91, RETRIEVED, capsys)
    reranked = show(0.97, RETRIEVED, capsys)
    assert "; retrieved at rank 14: vectors 1.28, words 0.63" in reranked
    assert "found by" not in reranked
    assert "; retrieved at rank 3: 0.50" in show(0.97, Standing(3, 0.5, {}), capsys)
    assert "found" not in show(0.5, Standing(3, 0.5, {}), capsys)


def test_no_zero_is_negative(capsys: pytest.CaptureFixture[str]) -> None:
    retrieved = Standing(1, -0.0001, {"vectors": -0.001, "words": 0.0009})
    shown = show(-0.0001, retrieved, capsys)
    assert " 1 0.000 " in shown
    assert "similarity 0.00" in shown
    assert "found by vectors 0.00, words 0.00" in shown
    assert " 1 -0.001 " in show(-0.001, retrieved, capsys)


def test_a_work_that_no_sentence_cites_may_stand_in_reference_lists(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A list may name what its text never mentions, or mentions where no sentence was read."""
    for lists, told in (
        (2, "cited in no sentence, though in 2 reference lists"),
        (0, "not cited here"),
    ):
        paper = Recommendation(1, Work("a"), 1.0, RETRIEVED, 0, (), Received(lists))
        print_answers([], [Recommended("Roots.", (paper,))], None, keys={}, brief=False)
        assert f"{told}: found by its own text" in printed(capsys)
