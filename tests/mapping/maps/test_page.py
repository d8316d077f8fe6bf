"""The map page: contents, security, and display in a browser."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from lxml import html

from citescape.mapping.maps.atlas import Atlas
from citescape.mapping.maps.overlays import paint
from citescape.mapping.maps.page import build_page
from tests.mapping.maps.points import PLACED, make_atlas

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"quotes\" and 'more' & <b>",
    "\u202eright to left\u202c العربية",
    "😀 rice \u2028 line \x00 null",
    "$title ${data} $$",
    "-->]]>{{ }}",
]
TYPES = {"u1": "<u1", "u2": "<u2", "i4": "<i4", "u4": "<u4", "f4": "<f4"}


def build(atlas: Atlas) -> str:
    return build_page(atlas, paint(atlas))


def unpack(page: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and columns, read as the page's script reads them."""
    found = re.search(r'<script type="application/octet-stream" id="data">([^<]*)</script>', page)
    assert found
    whole = gzip.decompress(b64decode(found[1], validate=True))
    length = int.from_bytes(whole[:4], "little")
    assert length % 4 == 0
    header = json.loads(whole[4 : 4 + length])
    columns = {}
    for name, kind, offset, count in header["columns"]:
        assert (4 + length + offset) % np.dtype(TYPES[kind]).itemsize == 0
        columns[name] = np.frombuffer(whole, TYPES[kind], count, 4 + length + offset)
    return header, columns


def test_papers_are_sorted_by_importance_received() -> None:
    atlas = make_atlas()
    header, columns = unpack(build(atlas))
    papers = atlas.papers.to_pylist()
    order = sorted(range(len(papers)), key=lambda k: papers[k]["received"])
    assert header["ids"] == [papers[k]["id"] for k in order]
    assert header["titles"] == [papers[k]["title"] for k in order]
    for name in ("topic", "cites", "cited"):
        assert columns[name].tolist() == [papers[k][name] for k in order]
    np.testing.assert_allclose(columns["received"], [papers[k]["received"] for k in order])
    years = [papers[k]["year"] for k in order]
    assert columns["year"].tolist() == [0 if year != year else year for year in years]
    assert set(columns["size"]) <= {0, 1, 2, 3}
    assert (np.diff(columns["size"].astype(int)) >= 0).all()


def test_positions_are_those_of_the_atlas_in_screen_coordinates() -> None:
    atlas = make_atlas()
    _, columns = unpack(build(atlas))
    papers = atlas.papers.to_pandas().sort_values("received", kind="stable")
    side = max(np.ptp(papers["x"]), np.ptp(papers["y"]))
    for axis, sign in (("x", 1), ("y", -1)):
        found = columns[f"paper_{axis}"] / 65535
        middle = (papers[axis].min() + papers[axis].max()) / 2
        np.testing.assert_allclose(found, sign * (papers[axis] - middle) / side + 0.5, atol=2e-5)


def test_topics_and_overlays_of_the_page() -> None:
    atlas = make_atlas(labels=["rice", None, *(f"t{k}" for k in range(10))])
    header, columns = unpack(build(atlas))
    assert [topic["label"] for topic in header["topics"]][:2] == ["rice", "micro-1"]
    assert header["topics"][0]["terms"] == ["rice", "yield"]
    assert [overlay["name"] for overlay in header["overlays"]] == [
        overlay.name for overlay in paint(atlas)
    ]
    for overlay in paint(atlas):
        rows = columns[f"overlay_{overlay.name}"]
        missing = np.isnan(overlay.values)
        assert (rows == 255).sum() == missing.sum()
        if overlay.overlay.points == "topics":
            factor = 63 if overlay.scale else 1
            expected = np.round(overlay.values[~missing] * factor)
            assert rows[~missing].tolist() == expected.tolist()
    (year,) = (overlay for overlay in header["overlays"] if overlay["name"] == "year")
    scale = next(overlay.scale for overlay in paint(atlas) if overlay.name == "year")
    assert scale is not None
    assert [tuple(tick) for tick in year["ticks"]] == scale.marks
    assert all(0 <= share <= 1 for share, _ in year["ticks"])


def test_only_papers_with_the_most_importance_are_shown() -> None:
    atlas = make_atlas()
    page = build_page(atlas, paint(atlas), most=50)
    header, columns = unpack(page)
    received = atlas.papers["received"].to_numpy()
    np.testing.assert_allclose(columns["received"], np.sort(received)[-50:])
    assert {len(columns[name]) for name in ("paper_x", "year", "overlay_community")} == {50}
    assert len(header["titles"]) == 50
    assert "50 of 300 papers, those with the most importance received, 12 topics (micro)" in page


def test_topics_without_a_position_are_on_the_map_of_papers() -> None:
    atlas = make_atlas()
    names = atlas.topics.column_names
    gone = pa.array([np.nan, *atlas.topics["x"].to_pylist()[1:]])
    atlas = replace(atlas, topics=atlas.topics.set_column(names.index("x"), "x", gone))
    header, _ = unpack(build(atlas))
    first = header["topics"][0]
    assert (first["placed"], first["papers"]) == (False, atlas.topics["placed"][0].as_py())
    assert all(topic["placed"] for topic in header["topics"][1:])


def test_hostile_titles_are_escaped() -> None:
    atlas = make_atlas(titles=HOSTILE, labels=[HOSTILE[k % 7] for k in range(12)])
    page = build(atlas)
    header, _ = unpack(page)
    assert set(header["titles"]) == set(HOSTILE)
    for text in HOSTILE:
        assert text not in page
    assert page.count("<script") == page.count("</script>") == build(make_atlas()).count("<script")
    hostile = build_page(atlas, paint(atlas), title=HOSTILE[0])
    assert HOSTILE[0] not in hostile
    assert html.fromstring(hostile).findtext(".//h1") == HOSTILE[0]


def test_layout_and_labels_are_described() -> None:
    atlas = make_atlas()
    page = build(atlas)
    assert html.fromstring(page).xpath("//p[@class='facts']/text()")[1] == (
        f"Papers: {PLACED[0]}. Topics: {PLACED[1]}."
    )
    few = unpack(build_page(atlas, paint(atlas), most=50))[0]
    assert few["least"] == unpack(page)[0]["least"] == 0.002 * 300


def test_the_page_loads_nothing_from_the_network() -> None:
    page = build(make_atlas())
    document = html.fromstring(page)
    for name in ("src", "href", "srcset", "action", "poster", "data"):
        assert not document.xpath(f"//@{name}")
    style, script = document.findtext(".//style"), document.xpath("//script[not(@type)]/text()")[0]
    for text in (style, script):
        assert re.findall(r"https?://[^\s\"'`]*", text) in ([], ["https://doi.org/"])
        for call in (
            "fetch(",
            "XMLHttpRequest",
            "WebSocket",
            "import(",
            "url(",
            "@import",
            "eval(",
        ):
            assert call not in text
        assert "innerHTML" not in text
        assert "document.write" not in text


def test_the_policy_allows_only_the_own_style_and_script() -> None:
    page = build(make_atlas())
    document = html.fromstring(page)
    (policy,) = document.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
    assert style
    assert script
    for name, text in (("style-src", style[1]), ("script-src", script[1])):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert rules[name] == f"'sha256-{digest}'"
    assert not document.xpath("//@style|//@onclick|//@onload")


def test_the_page_is_accessible() -> None:
    document = html.fromstring(build(make_atlas()))
    assert document.get("lang") == "en"
    canvas = document.get_element_by_id("names")
    assert canvas.get("tabindex") == "0"
    assert canvas.get("aria-label")
    assert document.get_element_by_id(canvas.get("aria-describedby")).text_content()
    assert document.xpath("//*[@aria-live='polite']")
    for field in document.xpath("//input[@id]|//select"):
        assert document.xpath(f"//label[@for='{field.get('id')}']")
    for button in document.xpath("//button"):
        assert button.get("aria-label")


def test_the_same_atlas_gives_the_same_page() -> None:
    assert build(make_atlas()) == build(make_atlas())


def test_a_map_of_one_paper() -> None:
    header, columns = unpack(build(make_atlas(papers=1, topics=1)))
    assert len(header["ids"]) == len(columns["paper_x"]) == 1


def show(page: str, folder: Path, address: str = "") -> subprocess.CompletedProcess[str]:
    """Load a page in Chromium and return its document and messages."""
    file = folder / "map.html"
    file.write_text(page, encoding="utf-8")
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next(path for name in names if (path := shutil.which(name)))
    return subprocess.run(
        [
            browser,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            f"--user-data-dir={folder / 'profile'}",
            "--virtual-time-budget=5000",
            "--dump-dom",
            f"{file.as_uri()}{address}",
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """`show`, if Chromium can display an empty page."""
    try:
        done = show("<html><p>there</p></html>", tmp_path_factory.mktemp("empty"))
    except StopIteration:
        pytest.skip("no Chromium: the page is not shown to a browser")
    if done.returncode or "<p>there</p>" not in done.stdout:
        pytest.skip(f"Chromium does not run here: {done.stderr[-200:]}")
    return show


@pytest.mark.parametrize("address", ["", "#by=year", "#topic=micro-2", "#paper=doi:10.1/00002"])
def test_a_browser_displays_the_page(
    browser: Callable[..., Any], tmp_path: Path, address: str
) -> None:
    """The script fills the page without violating the content security policy."""
    done = browser(build(make_atlas(titles=HOSTILE)), tmp_path, address)
    assert done.returncode == 0, done.stderr[-500:]
    shown = html.fromstring(done.stdout)
    assert shown.findtext(".//h1") == f"Map of {'topics' if 'year' in address else 'papers'}"
    assert shown.get_element_by_id("wait").get("hidden") is not None
    assert len(shown.xpath("//ol[@id='topics']/li")) == 12
    assert shown.xpath("//select[@id='overlay']/option")
    assert "Content Security Policy" not in done.stderr
    assert "Uncaught" not in done.stderr
    card = shown.get_element_by_id("card")
    assert (card.get("hidden") is None) == bool(re.search("topic|paper", address))
    if "paper" in address:
        assert card.findtext(".//h2") == HOSTILE[2]
        assert card.xpath(".//a/@href") == ["https://doi.org/10.1/00002"]


WATCH = """
const texts = CanvasRenderingContext2D.prototype.fillText;
let outside = 0;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const half = this.measureText(text).width / 2;
  if (x - half < 0 || x + half > innerWidth || y < 0 || y > innerHeight) outside++;
  document.body.dataset.outside = outside;
  document.body.dataset.drawn = 1 + Number(document.body.dataset.drawn ?? 0);
  return texts.call(this, text, x, y);
};
"""


def test_labels_are_inside_the_browser_window(browser: Callable[..., Any], tmp_path: Path) -> None:
    """Labels as drawn on the canvas; the content security policy is removed for this test."""
    labels = [f"a very long label of number {k}" for k in range(12)]
    page = re.sub(
        '<meta http-equiv="Content-Security-Policy"[^>]*>', "", build(make_atlas(labels=labels))
    )
    page = page.replace("<canvas", f"<script>{WATCH}</script><canvas", 1)
    for address in ("", "#by=year"):
        body = html.fromstring(browser(page, tmp_path, address).stdout).find("body")
        assert int(body.get("data-drawn")) > 3
        assert body.get("data-outside") == "0"
