"""Pictures of networks: places, labels, arrows, and text that is not trusted."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from citescape.explore.notebook.picture import choose_labels, name_paper, place_papers
from tests.explore.notebook.networks import FIVE, HOSTILE, make_network, scored

SVG = "{http://www.w3.org/2000/svg}"


def draw(*citations: dict[str, Any], **given: Any) -> etree._Element:
    return etree.fromstring(make_network(citations, **given).to_svg())


def lines(drawing: etree._Element) -> list[etree._Element]:
    return [path for path in drawing.iter(f"{SVG}path") if "line" in path.get("class", "")]


def test_width_follows_importance_and_self_citations_are_dashed() -> None:
    drawn = lines(draw(*FIVE))
    widths = [float(line.attrib["stroke-width"]) for line in drawn]
    expected = [1 + 8 * row["importance"] / FIVE[0]["importance"] for row in reversed(FIVE)]
    assert widths == pytest.approx(expected, abs=0.005)
    assert [line for line in drawn if "self" in line.attrib["class"]] == [drawn[-1]]
    assert "shade-4" in drawn[-1].attrib["class"]


def test_cited_works_are_right_and_citing_papers_left_of_the_seed() -> None:
    places = place_papers(["a"], "abcdef", FIVE)
    assert {paper: place.side for paper, place in places.items()} == {
        "a": 0,
        "b": 1,
        "c": -1,
        "d": 1,
        "e": 1,
        "f": 1,  # in no citation of the seed
    }
    assert (places["a"].x, places["a"].y) == (0, 0)
    assert all(place.x * place.side > 0 for place in places.values() if place.side)
    assert places["b"].y == 0  # the most important one is in the middle


@given(st.integers(1, 4), st.integers(0, 150), st.integers(0, 150))
def test_no_two_papers_have_one_place(seeds: int, cited: int, citing: int) -> None:
    middle = [f"s{k}" for k in range(seeds)]
    rows = [{"citing": "s0", "cited": f"r{k}"} for k in range(cited)]
    rows += [{"citing": f"c{k}", "cited": "s0"} for k in range(citing)]
    papers = [*middle, *(f"r{k}" for k in range(cited)), *(f"c{k}" for k in range(citing))]
    places = place_papers(middle, papers, rows)
    assert places.keys() == set(papers)
    spots = {(round(place.x, 1), round(place.y, 1)) for place in places.values()}
    assert len(spots) == len(papers)


def test_labels_do_not_overlap_and_important_papers_come_first() -> None:
    rows = [scored("a", f"paper {k}", f_I=1) for k in range(80)]
    network = make_network(rows)
    papers = network.papers.to_pylist()
    places = place_papers(network.seeds, [paper["id"] for paper in papers], rows)
    labels = choose_labels(papers, places)
    assert [text for _, text in labels][:2] == ["a", "paper 0"]
    starts = [(place.x + 9 * place.side, place.y, place.side, text) for place, text in labels]
    for (x, y, side, text), (other_x, other_y, other_side, other) in combinations(starts, 2):
        if side == other_side == 1 and abs(y - other_y) < 12:
            assert x + 5.6 * len(text) <= other_x or other_x + 5.6 * len(other) <= x


@pytest.mark.parametrize(
    ("surnames", "year", "name"),
    [
        (["Li"], 2017, "Li 2017"),
        (["Li", "Olsen"], 2017, "Li & Olsen 2017"),
        (["Li", "Olsen", "Jia"], None, "Li et al."),
        (None, 2017, "doi:10.1/x 2017"),
        ([], None, "doi:10.1/x"),
    ],
)
def test_papers_have_short_names(surnames: list[str] | None, year: int | None, name: str) -> None:
    assert name_paper({"id": "doi:10.1/x", "surnames": surnames, "year": year}) == name


def test_hostile_names_are_text() -> None:
    papers = {"b": {"surnames": [HOSTILE], "title": HOSTILE}}
    drawing = draw(scored("a", "b", f_I=1), papers=papers)
    assert {element.tag for element in drawing.iter()} == {
        SVG + tag
        for tag in ("svg", "title", "style", "defs", "marker", "path", "rect", "circle", "text")
    }
    assert any("<script>" in (text.text or "") for text in drawing.iter(f"{SVG}text"))


def test_networks_without_citations_or_scores_are_drawn() -> None:
    assert len(list(draw().iter(f"{SVG}circle"))) == 1
    unscored = draw({"citing": "a", "cited": "b", "self": None}, weights={})
    (line,) = lines(unscored)
    assert line.attrib["stroke-width"] == "1.00"
    assert list(make_network((), seeds=()).to_svg())
