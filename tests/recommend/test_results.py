"""How a recommended paper is shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from citescape.recommend.profiles import ProfileRun
from citescape.recommend.reasons import CitingSentence, ReceivedCitations, WorkDescription
from citescape.recommend.recommendations import ContextRecommendations, Rank, Recommendation
from citescape.recommend.results import Recommendations
from citescape.recommend.steps import Recommend
from citescape.runs.directory import RunRecord
from citescape.runs.result import Text

RETRIEVED = Rank(14, 1.91, {"vectors": 1.28, "words": 0.63})


def show(paper: Recommendation) -> str:
    """The text shown for one paper."""
    record = RunRecord.create("profile", {"encoder": ""}, {"encoder": ""})
    profiles = ProfileRun(Path("p"), replace(record, counts={"computed": 0}))
    recommendations = Recommendations(
        Recommend("Roots."),
        (ContextRecommendations("Roots.", (paper,)),),
        (),
        profiles=profiles,
        timings={},
        notes=(),
        files=(),
        keys={},
    )
    parts = recommendations.summarise().parts
    return "\n".join(f"{part.first}{part.text}" for part in parts if isinstance(part, Text))


def recommend(score: float, retrieved: Rank) -> Recommendation:
    sentence = CitingSentence("Roots grow.", -0.001, WorkDescription("b"), "")
    return Recommendation(
        1, WorkDescription("a", "Roots"), score, retrieved, 1, (sentence,), ReceivedCitations()
    )


def test_components_of_a_score_are_shown() -> None:
    assert "; found by vectors 1.28, words 0.63" in show(recommend(1.91, RETRIEVED))
    reranked = show(recommend(0.97, RETRIEVED))
    assert "; retrieved at rank 14: vectors 1.28, words 0.63" in reranked
    assert "found by" not in reranked
    assert "; retrieved at rank 3: 0.50" in show(recommend(0.97, Rank(3, 0.5, {})))
    assert "found" not in show(recommend(0.5, Rank(3, 0.5, {})))


def test_zero_is_shown_without_a_sign() -> None:
    retrieved = Rank(1, -0.0001, {"vectors": -0.001, "words": 0.0009})
    shown = show(recommend(-0.0001, retrieved))
    assert " 1   0.000 " in shown
    assert "similarity 0.00" in shown
    assert "found by vectors 0.00, words 0.00" in shown
    assert " 1  -0.001 " in show(recommend(-0.001, retrieved))


@pytest.mark.parametrize(("lists", "expected"), [(2, "2 reference lists"), (0, "not cited here")])
def test_papers_without_citing_sentences_are_explained(lists: int, expected: str) -> None:
    paper = Recommendation(1, WorkDescription("a"), 1.0, RETRIEVED, 0, (), ReceivedCitations(lists))
    assert expected in show(paper)


def test_a_retracted_work_is_marked() -> None:
    paper = recommend(0.5, RETRIEVED)
    marked = replace(paper, work=replace(paper.work, notice="retracted", notice_year=2017))
    assert "[RETRACTED 2017] Roots" in show(marked)
    assert "RETRACTED" not in show(paper)
    for one, notice in ((paper, None), (marked, "retracted 2017")):
        assert ContextRecommendations("Roots.", (one,)).table["notice"].to_pylist() == [notice]
