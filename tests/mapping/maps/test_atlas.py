"""Tables of positions and values; density compared with a sum of Gaussians."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from citescape.mapping.communities.clustering import order_labels
from citescape.mapping.maps.atlas import build_atlas, measure_density
from citescape.mapping.maps.layout import Layout
from tests.mapping.maps.points import FACTS, PLACED, describe, make_atlas, make_papers, name_papers


def test_columns_of_an_atlas() -> None:
    ids = name_papers(6)
    members = order_labels(ids, np.array([5, 5, 5, 2, 2, 9]))
    placed = ids.take(pa.array([0, 2, 3, 4]))
    places = np.array([[0, 1], [2, 5], [4, 4], [6, 8.0]])
    topics = Layout(pa.array(["micro-0", "micro-1"]), np.array([[1, 2], [3, 4.0]]), PLACED[1])
    known = make_papers(6)
    atlas = build_atlas(
        (Layout(placed, places, PLACED[0]), topics),
        members,
        replace(known, table=known.table.take([0, 2, 3, 4])),
        described=describe(members),
        facts=FACTS,
    )
    papers, table = atlas.papers.to_pydict(), atlas.topics.to_pydict()
    assert papers["id"] == placed.to_pylist()
    assert papers["topic"] == [0, 0, 1, 1]
    assert list(zip(papers["x"], papers["y"], strict=True)) == [tuple(row) for row in places]
    assert papers["title"] == ["Paper 0", "Paper 2", "Paper 3", "Paper 4"]
    assert papers["received"] == [0 / 4, 2 / 4, 3 / 4, 4 / 4]
    assert (papers["cites"], papers["cited"]) == ([0] * 4, [0, 1, 1, 1])
    assert np.isnan(papers["year"][0])
    assert papers["year"][1:] == [2002, 2003, 2004]
    assert table["placed"] == [2, 2, 0]
    own = np.stack([table["x"], table["y"]], axis=1)[:2]
    middles = np.stack([table["paper_x"], table["paper_y"]], axis=1)[:2]
    assert np.diff(own, axis=0) @ np.diff(own, axis=0).T == pytest.approx(8)  # turned, not scaled
    step, away = np.diff(own, axis=0)[0], np.diff(middles, axis=0)[0]
    assert step @ away == pytest.approx(np.linalg.norm(step) * np.linalg.norm(away))
    assert np.isnan(table["x"][2])
    assert np.isnan(table["paper_x"][2])
    assert table["paper_x"][:2] == [np.median([0, 2]), np.median([4, 6])]
    assert table["paper_y"][:2] == [np.median([1, 5]), np.median([4, 8])]


def test_density_is_a_sum_of_gaussians() -> None:
    places = np.random.default_rng(0).normal(size=(400, 2)) * [3, 1]
    density = measure_density(places)
    width = 0.25 * float(np.sqrt(places.var(axis=0).mean())) * 400 ** (-1 / 6)
    away = ((places[:, None] - places[None]) ** 2).sum(axis=2)
    expected = np.exp(-away / (2 * width**2)).sum(axis=1)
    found = density.at(places)
    assert np.corrcoef(found, expected)[0, 1] > 0.99
    assert density.grid.max() == 1
    assert found.max() <= 1


def test_density_of_few_papers() -> None:
    for places in (np.zeros((1, 2)), np.zeros((5, 2)), np.array([[0, 0], [4, 0.0]])):
        density = measure_density(places)
        assert density.at(places).max() == pytest.approx(1, abs=0.2)
        left, right, bottom, top = density.extent
        assert (left < places[:, 0]).all()
        assert (places[:, 0] < right).all()
        assert (bottom < places[:, 1]).all()
        assert (places[:, 1] < top).all()


def test_papers_are_sorted_by_id() -> None:
    ids = make_atlas().papers["id"].to_pylist()
    assert ids == sorted(ids)
