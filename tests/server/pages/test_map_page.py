"""The page of `platform map` in a browser: one file that needs no server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from matplotlib.path import Path as Outline
from playwright.sync_api import Browser, Page, expect

from citescape.mapping.maps.atlas import Atlas
from citescape.mapping.maps.overlays import paint
from citescape.mapping.maps.packing import order_papers, pack_points, pack_texts
from citescape.mapping.maps.page import build_page
from tests.mapping.maps.packed import unpack
from tests.mapping.maps.points import HOSTILE, make_atlas
from tests.server.pages.conftest import NEXT_FRAME
from tests.server.pages.test_map import (
    DARK_DOT,
    READY,
    pixels,
    read_polygon,
    select_by_lasso,
    shown,
)

LABELS = [f"a long label of number {k}" for k in range(12)]
LEFT_OUT = {"mean year of topics": "the years are close together, 2017 to 2018"}


def pack(atlas: Atlas) -> tuple[bytes, bytes]:
    """Points and texts of a map."""
    order = order_papers(atlas)
    return pack_points(atlas, paint(atlas), LEFT_OUT, order), pack_texts(atlas, order)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of 300 papers with hostile titles."""
    path = tmp_path_factory.mktemp("page") / "map.html"
    packed = pack(make_atlas(titles=HOSTILE, labels=LABELS))
    path.write_text(build_page(*packed), encoding="utf-8")
    return path


@pytest.fixture
def open_file(browser: Browser, file: Path) -> Iterator[Callable[[str], Page]]:
    """Opens the page offline; fails on errors of the console and on any request."""
    context = browser.new_context(viewport={"width": 1400, "height": 900}, offline=True)
    messages: list[str] = []
    context.on(
        "console",
        lambda message: messages.append(message.text) if message.type == "error" else None,
    )
    context.on("weberror", lambda error: messages.append(str(error.error)))
    context.on(
        "request",
        lambda request: (
            None
            if request.url.startswith((file.parent.as_uri(), "data:", "blob:"))
            else messages.append(f"request: {request.url}")
        ),
    )

    def open_page(address: str = "", of: Path = file) -> Page:
        page = context.new_page()
        page.goto(f"{of.as_uri()}{address}")
        page.wait_for_selector(READY)
        return page

    yield open_page
    context.close()
    assert messages == []


def test_the_file_shows_its_map(open_file: Callable[..., Page]) -> None:
    page = open_file()
    expect(page.get_by_role("heading", level=1)).to_have_text("Map of papers")
    found = pixels(page)
    assert (np.abs(found - found[2, 2]).max(axis=2) > 0.25).sum() > 300
    assert shown(page) == 300
    assert page.locator(".map-legend li").count() == 12
    assert page.locator(".map-marks text").count() > 3
    page.get_by_text("Colours left out").click()
    expect(page.get_by_text("the years are close together, 2017 to 2018")).to_be_visible()
    titles = page.locator(".map-title").all_text_contents()
    assert {title.removesuffix(" show") for title in titles} <= {
        text.replace("\x00", "\ufffd") for text in HOSTILE
    } | set(HOSTILE)


def test_the_address_opens_a_selection(open_file: Callable[..., Page]) -> None:
    """The same words as in the explorer, behind #."""
    page = open_file("#sel=micro-2&color=papers-year")
    community = page.locator(".map-marks text[data-community=micro-2]")
    assert community.count() == 1
    assert 0 < shown(page) < 300
    expect(page.locator("select[name=color]")).to_have_value("papers-year")
    expect(page.locator(".map-legend .note").first).to_contain_text("published later")
    assert page.get_by_role("link", name="Open as Cypher").count() == 0


def test_a_paper_opens_beside_the_map(open_file: Callable[..., Page]) -> None:
    page = open_file()
    page.locator("input[name=q]").fill("right to left")
    expect(page.locator(".map-found button").first).to_be_visible()
    page.locator("input[name=q]").press("Enter")
    expect(page.locator(".map-card")).to_contain_text("right to left")
    page.wait_for_timeout(600)
    box = page.locator(".map-canvas").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    opened = page.locator(".map-opened")
    expect(opened.locator("h2")).to_contain_text("right to left")
    address = opened.get_by_role("link").get_attribute("href") or ""
    assert address.startswith("https://doi.org/10.1/")


def test_a_notice_is_in_the_table_and_on_the_card(open_file: Callable[..., Page]) -> None:
    """Of the papers with this title, the one with the least importance received is retracted."""
    page = open_file()
    page.locator("input[name=q]").fill("$title")
    expect(page.locator(".map-found button").first).to_be_visible()
    expect(page.locator(".map-table .badge")).to_have_count(0)
    for _ in range(2):
        page.get_by_role("button", name="importance received").click()
    first = page.locator(".map-table tbody tr").first
    expect(first.locator(".badge")).to_have_text("retracted 2017")
    first.get_by_role("button", name="on the map").click()
    expect(page.locator(".map-card .badge")).to_have_text("retracted 2017")


def test_120_000_papers_are_drawn_selected_and_restored(
    open_file: Callable[..., Page], file: Path
) -> None:
    points, texts = pack(make_atlas(papers=120_000, topics=60))
    large = file.with_name("large.html")
    large.write_text(build_page(points, texts), encoding="utf-8")
    page = open_file(of=large)
    assert shown(page) == 120_000
    before = pixels(page)
    assert (np.abs(before - before[2, 2]).max(axis=2) > DARK_DOT).mean() > 0.01
    page.locator("select[name=color]").select_option("density")
    expect(page.locator(".map-legend .note").first).to_contain_text("more papers nearby")
    page.evaluate(NEXT_FRAME)
    assert (np.abs(pixels(page) - before).max(axis=2) > 0.1).sum() > 1000
    select_by_lasso(page)
    page.wait_for_url(re.compile(r"sel="))
    places = unpack(points)[1]["places"].reshape(-1, 2)
    inside = Outline(read_polygon(page.url)).contains_points(places).sum()
    assert 0 < inside < 120_000
    assert shown(page) == inside
    page.reload()
    page.wait_for_selector(READY)
    assert shown(page) == inside
