"""Figures as rendered: labels, legends and files."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from lxml import etree

from citescape.core.errors import ConfigError
from citescape.mapping.maps.atlas import Atlas
from citescape.mapping.maps.config import Size
from citescape.mapping.maps.labels import wrap_label
from citescape.mapping.maps.overlays import OVERLAYS, paint
from citescape.mapping.maps.static import draw_map
from citescape.reports.drawing import darken, save
from tests.mapping.maps.points import PLACED, make_atlas

pytest.importorskip("matplotlib")
SMALL = Size(160, 120, 80)
LONG = ["genome-wide association study of yield", "rice", "phosphorus transport", None]
HOSTILE = [
    "$\\frac{1}$",
    "a\tb\nc\x00d",
    "</text>&amp;",
    "العربية",
    "水稻",
    "x" * 300,
    "",
    "😀 rice",
]


def draw(atlas: Atlas, name: str, size: Size = SMALL) -> Any:
    (painted,) = paint(atlas, [name])
    return draw_map(atlas, painted, size)


def labels(figure: Any) -> list[Any]:
    """Texts of the map, without headings and legends."""
    return list(figure.axes[0].texts)


@pytest.mark.parametrize(
    ("name", "topics"),
    [*((name, 60) for name in OVERLAYS), *product(("year", "papers-year"), (1, 12))],
)
def test_labels_do_not_overlap_and_are_inside(name: str, topics: int) -> None:
    atlas = make_atlas(600, topics, labels=(LONG * topics)[:topics])
    figure = draw(atlas, name)
    renderer = figure.canvas.get_renderer()
    boxes = [text.get_window_extent(renderer) for text in labels(figure)]
    assert boxes
    for first, second in combinations(boxes, 2):
        apart = (
            first.x1 <= second.x0
            or second.x1 <= first.x0
            or first.y1 <= second.y0
            or second.y1 <= first.y0
        )
        assert apart
    for box in boxes:
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height


@pytest.mark.parametrize("name", OVERLAYS)
def test_headings_and_legends_do_not_overlap(name: str) -> None:
    figure = draw(make_atlas(), name, Size(240, 170, 200))
    renderer = figure.canvas.get_renderer()
    legend = [text for axes in figure.axes[1:] for text in axes.get_xticklabels()]
    boxes = [text.get_window_extent(renderer) for text in [*figure.texts, *legend]]
    for box in boxes:
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y0 >= 0
        assert box.y1 <= figure.bbox.height
    for first, second in combinations(boxes, 2):
        assert not first.overlaps(second)


def test_the_largest_topics_are_labelled_first() -> None:
    atlas = make_atlas(2000, 80)
    shown = {text.get_text().replace("\n", " ") for text in labels(draw(atlas, "community"))}
    assert "topic 0" in shown
    assert len(shown) < 80


def test_every_point_is_drawn_in_its_colour() -> None:
    atlas = make_atlas()
    for name, count in (("year", len(atlas.topics)), ("papers-year", len(atlas.papers))):
        (painted,) = paint(atlas, [name])
        figure = draw(atlas, name)
        (points,) = figure.axes[0].collections
        assert len(points.get_offsets()) == count
        drawn = {tuple(colour) for colour in np.round(points.get_facecolors()[:, :3], 6)}
        assert drawn == {tuple(colour) for colour in np.round(painted.colours, 6)}


def test_areas_of_topics_are_proportional_to_papers() -> None:
    atlas = make_atlas(900, 6)
    (points,) = draw(atlas, "year").axes[0].collections
    sizes = np.sort(atlas.topics["size"].to_numpy())[::-1]
    areas = points.get_sizes()
    large = areas > 9
    np.testing.assert_allclose(areas[large] / areas[0], sizes[large] / sizes[0])


def test_topics_without_a_position_are_not_drawn() -> None:
    atlas = make_atlas(300, 6)
    gone = pa.array([np.nan, *atlas.topics["x"].to_pylist()[1:]])
    topics = atlas.topics.set_column(atlas.topics.column_names.index("x"), "x", gone)
    figure = draw(replace(atlas, topics=topics), "year")
    assert "topic 0" not in {text.get_text() for text in labels(figure)}
    assert figure.axes[0].texts


def test_the_legend_shows_values_and_names() -> None:
    atlas = make_atlas()
    strip = draw(atlas, "year").axes[1]
    texts = [tick.get_text() for tick in strip.get_xticklabels()]
    assert texts[1:-1] == ["2005", "2010", "2015"]
    assert [texts[0], texts[-1]] == ["2000", "2018"]
    texts = [text.get_text() for text in draw(atlas, "field").texts]
    for name in ("Soil", "Law", "unknown"):
        assert name in texts


def test_the_legend_shows_missing_values() -> None:
    """Missing values are hollow circles or grey dots."""
    atlas = make_atlas()
    (points,) = draw(atlas, "field").axes[0].collections
    (painted,) = paint(atlas, ["field"])
    white = (points.get_facecolors()[:, :3] == 1).all(axis=1)
    assert white.sum() == painted.missing.sum() > 0
    figure = draw(atlas, "papers-importance")
    assert "none received" in [text.get_text() for text in figure.texts]
    assert "●" in [text.get_text() for text in figure.texts]
    assert "○" in [text.get_text() for text in draw(atlas, "field").texts]


def test_the_heading_counts_papers_without_a_field() -> None:
    atlas = make_atlas()
    known = replace(atlas, facts=replace(atlas.facts, without_field=186))
    texts = [text.get_text() for text in draw(known, "field").texts]
    assert "12 topics (micro) of 300 papers; 186 papers (62%) have no field" in texts


@pytest.mark.parametrize("topics", [12, 60])
def test_labels_do_not_cover_centres_of_other_circles(topics: int) -> None:
    atlas = make_atlas(600, topics)
    figure = draw(atlas, "year", Size(240, 170, 200))
    axes, renderer = figure.axes[0], figure.canvas.get_renderer()
    (points,) = axes.collections
    order = np.argsort(-atlas.topics["size"].to_numpy(), kind="stable")
    middles = axes.transData.transform(points.get_offsets())
    radii = np.sqrt(points.get_sizes()) / 2 * figure.dpi / 72
    shown = {text.get_text(): text.get_window_extent(renderer) for text in labels(figure)}
    assert len(shown) > 8
    for label, box in shown.items():
        for row, (x, y), radius in zip(order, middles, radii, strict=True):
            if label != f"topic {row}":
                across = max(box.x0 - x, x - box.x1, 0)
                along = max(box.y0 - y, y - box.y1, 0)
                assert np.hypot(across, along) > 0.6 * radius


@pytest.mark.parametrize("name", ["year", "papers-year"])
def test_the_map_fills_its_frame(name: str) -> None:
    """The map fills its frame, stretched by at most a quarter."""
    figure = draw(make_atlas(), name, Size(240, 170, 200))
    axes = figure.axes[0]
    places = axes.transAxes.inverted().transform(
        axes.transData.transform(axes.collections[0].get_offsets())
    )
    extent = np.ptp(places, axis=0)
    box, limits = axes.get_window_extent(), np.ptp([axes.get_xlim(), axes.get_ylim()], axis=1)
    units = limits / [box.width, box.height]
    assert units.max() / units.min() <= 1.25 + 1e-6
    assert extent.max() > 0.85
    assert (extent > 0.85).all() or units.max() / units.min() == pytest.approx(1.25)


def test_labels_with_markup_are_plain_text(tmp_path: Path) -> None:
    atlas = make_atlas(300, len(HOSTILE), labels=HOSTILE)
    figure = draw(atlas, "community")
    save(figure, tmp_path / "map.svg")
    etree.parse(tmp_path / "map.svg")
    shown = {text.get_text() for text in labels(figure)}
    assert "$\\frac{1}$" in shown
    assert "a b cd" in shown
    assert not shown & {"", "micro-6"}  # a topic without a label stays without


def test_png_and_svg_files(tmp_path: Path) -> None:
    figure = draw(make_atlas(), "papers-year")
    for name in ("map.png", "map.svg"):
        save(figure, tmp_path / name)
    png = (tmp_path / "map.png").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    pixels = [int.from_bytes(png[k : k + 4], "big") for k in (16, 20)]
    assert pixels == pytest.approx([160 / 25.4 * 80, 120 / 25.4 * 80], abs=1)
    svg = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert "<text" not in svg  # letters are outlines
    assert len(re.findall("<image", svg)) >= 1  # the cloud of papers is
    assert len(svg) < 2_000_000


def test_the_same_map_gives_the_same_bytes(tmp_path: Path) -> None:
    atlas = make_atlas()
    for ending in ("png", "svg"):
        for name in ("one", "two"):
            save(draw(atlas, "field"), tmp_path / f"{name}.{ending}")
        first, second = (tmp_path / f"{name}.{ending}" for name in ("one", "two"))
        assert first.read_bytes() == second.read_bytes()


def test_the_heading_describes_the_layout() -> None:
    """The layouts of topics and of papers have their own descriptions."""
    atlas = make_atlas()
    for name, words in (("year", PLACED[1]), ("papers-year", PLACED[0])):
        texts = [text.get_text() for text in draw(atlas, name).texts]
        assert f"{words} · embed-1 · map-1" in texts


@pytest.mark.parametrize("name", OVERLAYS)
def test_a_map_without_positions_is_drawn(name: str) -> None:
    atlas = make_atlas()
    none = pa.array([np.nan] * len(atlas.topics))
    columns = dict.fromkeys(("x", "y"), none)
    table = atlas.topics.drop_columns(list(columns))
    for key, column in columns.items():
        table = table.append_column(key, column)
    assert draw(replace(atlas, topics=table), name).texts


def test_labels_have_the_colour_of_their_topic() -> None:
    atlas = make_atlas()
    (painted,) = paint(atlas, ["community"])
    shown = {text.get_text(): text.get_color() for text in labels(draw(atlas, "community"))}
    assert shown
    topics = atlas.papers["topic"].to_pylist()
    for label, colour in shown.items():
        first = topics.index(int(label.split()[1]))
        np.testing.assert_allclose(colour, darken(painted.colours[first]))


def test_long_labels_have_several_lines() -> None:
    assert wrap_label("genome-wide association study") == "genome-wide\nassociation study"
    assert wrap_label("  a \n b ") == "a b"
    assert wrap_label("x" * 30) == "x" * 30
    long = wrap_label("one two three four five six " * 9)
    assert len(long.splitlines()) == 3
    assert long.endswith("…")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((20, 100, 200), "size is 20 x 100 mm; expected sides of 60 to 2,000 mm"),
        ((100, 9000, 200), "expected sides of 60 to 2,000 mm"),
        ((100, 100, 10), "dpi is 10; expected 50 to 1,200"),
    ],
)
def test_invalid_sizes_are_refused(arguments: tuple[int, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Size(*arguments)
