"""Colours of maps by values."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import get_args

import numpy as np
import pyarrow as pa
import pytest

pytest.importorskip("matplotlib")

from matplotlib.colors import to_hex

from citescape.core.errors import ConfigError
from citescape.mapping.maps.atlas import Atlas
from citescape.mapping.maps.config import MapConfig, OverlayName
from citescape.mapping.maps.overlays import (
    OTHERS,
    OVERLAYS,
    OverlayColours,
    choose_colours,
    find_missing,
    find_shallow,
    paint,
)
from citescape.reports.drawing import CATEGORIES, NOTHING, OTHER
from tests.mapping.maps.points import make_atlas


def paint_overlay(atlas: Atlas, name: str) -> OverlayColours:
    (painted,) = paint(atlas, [name])
    return painted


def with_topics(atlas: Atlas, **columns: object) -> Atlas:
    table = atlas.topics
    for name, values in columns.items():
        table = table.set_column(table.column_names.index(name), name, values)
    return replace(atlas, topics=table)


def test_overlays_are_in_order() -> None:
    atlas = make_atlas()
    assert [painted.name for painted in paint(atlas)] == list(OVERLAYS)
    for painted in paint(atlas):
        points = len(atlas.topics if painted.overlay.points == "topics" else atlas.papers)
        assert painted.values.shape == (points,)
        assert painted.colours.shape == (points, 3)


def test_main_fields_are_ordered_by_papers() -> None:
    atlas = make_atlas(topics=4)
    painted = paint_overlay(atlas, "field")
    size = atlas.topics["size"].to_pylist()
    totals = {"Soil": size[0] + size[2], "Law": size[1]}
    assert [name for name, _ in painted.categories] == sorted(totals, key=lambda f: -totals[f])
    assert painted.values[:3].tolist() == [0, 1, 0]
    assert painted.missing.tolist() == [False, False, False, True]
    own = dict(painted.categories)
    drawn = [to_hex(colour) for colour in painted.colours]
    assert drawn == [own["Soil"], own["Law"], own["Soil"], NOTHING]


def test_a_field_keeps_its_colour() -> None:
    """The largest field keeps its colour; others keep it unless a larger field has it."""
    alone = {name: choose_colours([name])[name] for name in ("Soil", "Law", "Food", "Birds")}
    for names in itertools.permutations(alone):
        chosen = choose_colours(names)
        assert list(chosen) == list(names)
        assert len(set(chosen.values())) == len(names)
        for k, name in enumerate(names):
            taken = [chosen[other] for other in names[:k]]
            assert (chosen[name] == alone[name]) == (alone[name] not in taken)
    many = choose_colours([f"field {k}" for k in range(len(CATEGORIES))])
    assert sorted(many.values()) == sorted(CATEGORIES)


def test_fields_beyond_the_palette_share_a_colour() -> None:
    names = [f"field {k:02d}" for k in range(12)]
    atlas = make_atlas(topics=12)
    equal = pa.array([10] * 12, pa.int64())
    painted = paint_overlay(with_topics(atlas, field=pa.array(names), size=equal), "field")
    assert [name for name, _ in painted.categories] == [*names[: len(CATEGORIES)], OTHERS]
    assert painted.values.tolist() == [min(k, len(CATEGORIES)) for k in range(12)]
    assert to_hex(painted.colours[11]) == OTHER


def test_neighbouring_topics_have_different_colours() -> None:
    atlas = make_atlas()
    painted = paint_overlay(atlas, "community")
    topic = atlas.papers["topic"].to_numpy()
    for k in range(len(atlas.topics)):
        assert len(set(painted.values[topic == k])) == 1
    unplaced = with_papers(atlas, "topic", np.full(300, -1, np.int32))
    assert np.isnan(paint_overlay(unplaced, "community").values).all()


def test_values_are_scaled() -> None:
    atlas = make_atlas()
    year = paint_overlay(atlas, "year")
    assert year.scale is not None
    np.testing.assert_array_equal(year.values, year.scale(atlas.topics["mean_year"].to_numpy()))
    received = paint_overlay(atlas, "papers-importance")
    assert (received.title, received.unit) == ("importance received", "importance")
    values, scale = atlas.papers["received"].to_numpy(), received.scale
    assert scale is not None
    assert (scale.low, scale.high) == (0.25, 75)
    assert received.missing.tolist() == (values == 0).tolist()
    some = values[values > 0]
    shares = np.log(some / scale.low) / np.log(scale.high / scale.low)
    np.testing.assert_allclose(received.values[values > 0], shares.clip(0, 1), atol=1e-12)
    years = paint_overlay(atlas, "papers-year").values
    assert np.isnan(years[::7]).all()


def test_citations_are_used_without_scores() -> None:
    atlas = make_atlas()
    plain = replace(atlas, facts=replace(atlas.facts, weight="citations"))
    assert paint_overlay(plain, "importance").title == "citations received"


def test_overlays_without_values_are_left_out() -> None:
    atlas = make_atlas()
    count = len(atlas.topics)
    texts, numbers = pa.nulls(count, pa.string()), pa.nulls(count, pa.float64())
    bare = with_topics(atlas, field=texts, diversity=numbers, mean_year=numbers, importance=numbers)
    of_papers = ["community", "density", "papers-year", "papers-importance"]
    assert [painted.name for painted in paint(bare)] == of_papers
    assert find_missing(bare.topics, bare.papers) == ["field", "diversity", "year", "importance"]
    assert find_missing(atlas.topics, atlas.papers) == []


NOTHINGS = [np.zeros(12), np.full(12, np.nan), np.full(12, np.inf), [None] * 12]


@pytest.mark.parametrize("values", NOTHINGS, ids=["0", "NaN", "infinite", "null"])
@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("diversity", "diversity"),
        ("importance", "importance"),
        ("papers-year", "year"),
        ("papers-importance", "received"),
    ],
)
def test_missing_overlays_are_reported(
    name: str, column: str, values: np.ndarray | list[None]
) -> None:
    """Zeros are values, but not on a logarithmic scale."""
    atlas = make_atlas(papers=12)
    of = "papers" if name.startswith("papers") else "topics"
    table = getattr(atlas, of)
    place = table.column_names.index(column)
    given = table.set_column(place, column, pa.array(values, pa.float64()))
    atlas = replace(atlas, **{of: given})
    there = not OVERLAYS[name].log and not np.isnan(atlas_values(given, column)).all()
    assert bool(paint(atlas, [name])) is there
    assert (name not in find_missing(atlas.topics, atlas.papers)) is there


def atlas_values(table: pa.Table, column: str) -> np.ndarray:
    values = table[column].to_pandas().to_numpy(np.float64)
    return np.where(np.isinf(values), np.nan, values)


def test_an_unknown_overlay_is_refused() -> None:
    with pytest.raises(ConfigError, match="overlays is 'age'; expected one of: community, density"):
        MapConfig(overlays=("year", "age"))  # type: ignore[arg-type]


def test_each_overlay_can_be_selected() -> None:
    assert get_args(OverlayName) == tuple(OVERLAYS)


def find_reasons(atlas: Atlas) -> dict[str, str]:
    return find_shallow(atlas, paint(atlas))


def with_papers(atlas: Atlas, name: str, values: np.ndarray) -> Atlas:
    place = atlas.papers.column_names.index(name)
    return replace(atlas, papers=atlas.papers.set_column(place, name, pa.array(values)))


def test_overlays_that_say_something_are_kept() -> None:
    assert find_reasons(make_atlas()) == {}


@pytest.mark.parametrize(("without", "kept"), [(150, True), (151, False)])
def test_an_overlay_without_most_papers_is_left_out(without: int, kept: bool) -> None:
    values = np.arange(300.0) + 1
    values[:without] = 0
    reasons = find_reasons(with_papers(make_atlas(), "received", values))
    expected = {} if kept else {"papers-importance": "151 of 300 papers are without a value"}
    assert reasons == expected


@pytest.mark.parametrize(("last", "kept"), [(2018, False), (2019, False), (2020, True)])
def test_years_that_are_close_are_left_out(last: int, kept: bool) -> None:
    values = np.where(np.arange(300) % 2, 2017.0, last)
    reasons = find_reasons(with_papers(make_atlas(), "year", values))
    text = f"the years are close together, 2017 to {last}"
    assert reasons == ({} if kept else {"papers-year": text})


def test_topics_without_values_count_by_their_papers() -> None:
    atlas = make_atlas()
    placed = atlas.topics["placed"].to_numpy()
    fields = pa.array([None, *["Soil"] * 11], pa.string())
    sizes = replace(atlas, topics=with_topics(atlas, field=fields).topics)
    few = 2 * placed[0] <= placed.sum()
    assert ("field" in find_reasons(sizes)) is not few
    without = replace(atlas, facts=replace(atlas.facts, without_field=200))
    assert find_reasons(without) == {"field": "200 of 300 papers are without a field"}


def test_a_constant_is_left_out() -> None:
    atlas = with_topics(make_atlas(), diversity=pa.array([0.125] * 12))
    assert find_reasons(atlas) == {"diversity": "all values are 0.125"}
