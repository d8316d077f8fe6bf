from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from citescape.core.errors import SourceError
from citescape.evaluation.scidocs.paper_features import FEATURES, compute_features, read_papers

PAPERS = {
    "a": {
        "title": "Graphs, light",
        "authors": ["1", "2"],
        "references": ["b", "x"],
        "cited_by": ["y"],
        "year": 2010,
    },
    "b": {
        "title": "light graphs of light",
        "authors": ["2", "3", "4"],
        "references": ["x", "z"],
        "cited_by": ["y", "u", "y"],
        "year": "2015",
    },
    "c": {"title": None, "authors": [], "references": None, "year": None},
    "d": {"year": "n.d.", "cited_by": ["a"]},
    "e": {"year": 1950},
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "papers.json"
    path.write_text(json.dumps(PAPERS))
    return path


def features(path: Path, query: str, shown: str) -> dict[str, float]:
    papers = read_papers(path, {query, shown})
    found = compute_features(papers, ([query], [shown]), np.array([0.3]))
    return dict(zip(FEATURES, found[0], strict=True))


def test_features_of_two_papers_by_hand(path: Path) -> None:
    assert features(path, "a", "b") == pytest.approx(
        {
            "authors": 1 / 4,
            "title": 1 / 5,  # light, of: Graphs , light graphs of
            "cosine": 0.3,
            "cited by": 1 / 2,
            "references": 1 / 3,
            "cites": 0,
            "cited": 1,
            "age": (2020 - 2015) / 20,
            "relative age": (2010 - 2015) / 20,
            "citations": math.log(2 + 1) / 10,
        }
    )
    back = features(path, "b", "a")
    assert (back["cites"], back["cited"]) == (1, 0)


def test_citations_are_found_in_both_directions(path: Path) -> None:
    assert features(path, "a", "d")["cited"] == 1  # d is cited by a, which does not refer to it


def test_unknown_features_are_zero(path: Path) -> None:
    for query, shown in (("a", "c"), ("c", "c"), ("a", "none"), ("none", "none")):
        found = features(path, query, shown)
        assert {name: value for name, value in found.items() if value} == {"cosine": 0.3}
    assert features(path, "a", "d")["age"] == 0


def test_ages_are_limited(path: Path) -> None:
    found = features(path, "a", "e")
    assert (found["age"], found["relative age"]) == (1, 1)
    assert features(path, "e", "a")["relative age"] == -1


def test_only_requested_papers_are_kept(path: Path) -> None:
    assert set(read_papers(path, {"a", "none"})) == {"a"}


def test_invalid_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "papers.json"
    path.write_text("[]")
    with pytest.raises(SourceError, match="expected an object"):
        read_papers(path, {"a"})
    for paper in ("3", '{"authors": "A. B."}'):
        path.write_text('{"a": ' + paper + "}")
        with pytest.raises(SourceError, match="of 'a'"):
            read_papers(path, {"a"})
