"""Comparison of the records of one paper."""

from __future__ import annotations

from typing import Any

import pytest

from citescape.ingest.quality.conflicts import COMPARED, Comparison

FIELDS = {item.name: item for item in COMPARED}
PAPER = {"id": "doi:10.1/x", "title": "Rice", "year": 2019, "surnames": ["Shull", "East"]}


def compare(**others: dict[str, Any]) -> Comparison:
    found = Comparison()
    found.add(PAPER, {"jats": PAPER, **{s: {**PAPER, **row} for s, row in others.items()}})
    return found


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"title": "RICE."},
        {"title": ""},
        {"year": None},
        {"surnames": ["Shüll", "East"]},
        {"surnames": []},
        {"abstract": "It grows."},
    ],
)
def test_sources_agree(row: dict[str, Any]) -> None:
    found = compare(tei=row)
    assert (found.papers, found.agreeing, found.values) == (1, 1, [])


@pytest.mark.parametrize(
    ("row", "name", "distance"),
    [
        ({"year": 2021}, "year", 2.0),
        ({"title": "Maize"}, "title", 1 - 2 * 2 / 9),
        ({"surnames": ["East", "Shull"]}, "first author", 1.0),
        ({"surnames": ["Shull"]}, "number of authors", 1.0),
    ],
)
def test_sources_disagree_in_one_field(row: dict[str, Any], name: str, distance: float) -> None:
    found = compare(tei=row)
    assert found.agreeing == 0
    assert found.disagreeing == {name: 1}
    assert [value["used"] for value in found.values] == [True, False]
    assert [value["distance"] for value in found.values] == pytest.approx([distance] * 2)


def test_the_largest_of_several_differences_counts() -> None:
    found = compare(tei={"year": 2018}, s2orc={"year": 2022})
    assert {value["distance"] for value in found.values} == {4.0}
    assert {(v["source"], v["value"]) for v in found.values} == {
        ("jats", "2019"), ("tei", "2018"), ("s2orc", "2022"),
    }  # fmt: skip
    assert found.table.num_rows == 3


def test_languages_are_compared_without_regions() -> None:
    item = FIELDS["language"]
    assert item.fold("en-GB") == item.fold("EN")
