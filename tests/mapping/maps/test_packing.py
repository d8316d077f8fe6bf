"""Packed maps: places, colours, communities and texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

pytest.importorskip("matplotlib")

from citescape.mapping.maps.atlas import Atlas, MapLevel
from citescape.mapping.maps.overlays import paint
from citescape.mapping.maps.packing import order_papers, pack_points, pack_texts
from tests.mapping.maps.packed import read_texts, unpack
from tests.mapping.maps.points import make_atlas


def pack(atlas: Atlas, most: int = 1000) -> tuple[dict, dict[str, np.ndarray]]:  # type: ignore[type-arg]
    return unpack(pack_points(atlas, paint(atlas), {"year": "few"}, order_papers(atlas, most)))


def test_papers_are_sorted_by_importance_received() -> None:
    atlas = make_atlas()
    header, columns = pack(atlas)
    papers = atlas.papers.to_pylist()
    order = sorted(range(len(papers)), key=lambda k: papers[k]["received"])
    assert (header["papers"], header["of"]) == (300, 300)
    for name in ("cites", "cited"):
        assert columns[name].tolist() == [papers[k][name] for k in order]
    assert columns["level_micro"].tolist() == [papers[k]["topic"] for k in order]
    np.testing.assert_allclose(columns["received"], [papers[k]["received"] for k in order])
    years = [papers[k]["year"] for k in order]
    assert columns["year"].tolist() == [0 if year != year else year for year in years]
    assert set(columns["size"]) <= {0, 1, 2, 3}
    assert (np.diff(columns["size"].astype(int)) >= 0).all()
    texts = pack_texts(atlas, order_papers(atlas))
    for name in ("id", "title", "venue"):
        assert read_texts(texts, name) == [papers[k][name] for k in order]
    header, _ = unpack(texts)
    rows = [row for row, k in enumerate(order) if papers[k]["notice"]]
    assert len(rows) == 3
    assert header["notices"] == [[row, "retracted", 2017] for row in rows]


def test_places_are_in_a_square_with_y_downwards() -> None:
    atlas = make_atlas()
    _, columns = pack(atlas)
    papers = atlas.papers.to_pandas().sort_values("received", kind="stable")
    side = max(np.ptp(papers["x"]), np.ptp(papers["y"]))
    found = columns["places"].reshape(-1, 2)
    for axis, sign in enumerate((1, -1)):
        own = papers["xy"[axis]]
        middle = (own.min() + own.max()) / 2
        np.testing.assert_allclose(found[:, axis], sign * (own - middle) / side + 0.5, atol=1e-6)


def test_codes_of_topics_are_given_to_their_papers() -> None:
    atlas = make_atlas()
    header, columns = pack(atlas)
    order = order_papers(atlas)
    topics = atlas.papers["topic"].to_numpy()[order]
    names = [overlay.name for overlay in paint(atlas) if overlay.name != "community"]
    assert [overlay["name"] for overlay in header["overlays"]] == names
    for overlay in paint(atlas):
        if overlay.name == "community":
            continue
        values = overlay.values
        own = values[topics] if overlay.overlay.points == "topics" else values[order]
        codes = columns[f"overlay_{overlay.name}"]
        assert ((codes == 255) == np.isnan(own)).all()
        factor = 63 if overlay.scale else 1
        assert codes[~np.isnan(own)].tolist() == np.round(own[~np.isnan(own)] * factor).tolist()


def test_classes_of_a_legend_cover_all_codes() -> None:
    header, _ = pack(make_atlas())
    for overlay in header["overlays"]:
        codes = [code for low, high, _ in overlay["classes"] for code in range(low, high + 1)]
        assert codes == (list(range(64)) if overlay["classes"] else [])
        assert bool(overlay["more"]) is (overlay["kind"] != "categories")


def test_papers_are_in_the_class_of_their_year() -> None:
    header, columns = pack(make_atlas())
    (years,) = (overlay for overlay in header["overlays"] if overlay["name"] == "papers-year")
    for low, high, text in years["classes"][1:-1]:
        codes = columns["overlay_papers-year"]
        own = columns["year"][(codes >= low) & (codes <= high)]
        first, last = (int(part) for part in (text.split(" to ") * 2)[:2])
        assert (own.min(), own.max()) == (first, last)


def test_topics_without_a_label_have_none() -> None:
    atlas = make_atlas(labels=["rice  blast", None, *(f"t{k}" for k in range(10))])
    header, _ = pack(atlas)
    (level,) = header["levels"]
    assert [entry["label"] for entry in level["communities"]][:2] == ["rice blast", None]
    assert level["communities"][0]["terms"] == ["rice", "yield"]
    assert all(0 <= entry["colour"] < len(header["palette"]) for entry in level["communities"])


def test_other_levels_have_their_own_colours() -> None:
    atlas = make_atlas()
    communities = pa.table(
        {
            "name": ["macro-1", "macro-2"],
            "label": pa.array(["crops", None], pa.string()),
            "size": [200, 100],
            "paper_x": [0.0, np.nan],
            "paper_y": [0.0, np.nan],
        }
    )
    members = np.where(np.arange(300) % 3, 0, -1).astype(np.int32)
    atlas = replace(atlas, levels=(MapLevel("macro", members, communities),))
    header, columns = pack(atlas)
    assert [level["name"] for level in header["levels"]] == ["micro", "macro"]
    crops, other = header["levels"][1]["communities"]
    assert (crops["label"], crops["size"], crops["colour"]) == ("crops", 200, 0)
    assert (other["label"], other["x"], other["colour"]) == (None, None, None)
    assert columns["level_macro"].tolist() == members[order_papers(atlas)].tolist()


def test_only_papers_with_the_most_importance_are_kept() -> None:
    atlas = make_atlas()
    header, columns = pack(atlas, most=50)
    received = atlas.papers["received"].to_numpy()
    np.testing.assert_allclose(columns["received"], np.sort(received)[-50:])
    assert {len(columns[name]) for name in ("year", "level_micro", "overlay_density")} == {50}
    assert header["how"][0] == ("50 of 300 papers, those with the most importance received")


def test_reasons_and_methods_are_told() -> None:
    header, _ = pack(make_atlas())
    assert header["left_out"] == [{"title": "year", "reason": "few"}]
    text = " ".join(header["how"])
    for part in ("300 papers", "embed-1", "UMAP of 15 neighbours", "micro", "map-1"):
        assert part in text


def test_a_map_of_one_paper() -> None:
    header, columns = pack(make_atlas(papers=1, topics=1))
    assert header["papers"] == 1
    assert columns["places"].tolist() == [0.5, 0.5]


def test_the_same_atlas_gives_the_same_bytes() -> None:
    one, other = make_atlas(), make_atlas()
    order = order_papers(one)
    assert pack_points(one, paint(one), {}, order) == pack_points(other, paint(other), {}, order)
    assert pack_texts(one, order) == pack_texts(other, order)
