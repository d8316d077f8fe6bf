"""The header of all pages: search, theme, snapshot, and a session that has ended."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from citescape.corpus import open_corpus
from citescape.server.graph import ServedGraph
from citescape.store.graph_store import open_store
from tests.ingest.papers import small_corpus, write_files
from tests.server.pages.conftest import open_session, serve
from tests.server.pages.test_map import READY, pixels
from tests.server.pages.test_map_page import NEXT_FRAME

PAPERS = 20
DRAWN_S = 30
"""Seconds within which the canvas follows a change of the theme."""
LARGEST_BODY = 1 << 20
SLOW_MS = 400
"""Milliseconds after which a search says that it is not done."""


@pytest.fixture
def home(page: Page) -> Page:
    page.goto("/")
    page.locator("body[data-ready=home]").wait_for()
    return page


def search(page: Page, text: str) -> Locator:
    """Types a text; the list below it."""
    page.get_by_role("combobox").fill(text)
    return page.get_by_role("listbox", name="Papers found")


def message(page: Page) -> Locator:
    """What the search says below its list."""
    return page.get_by_role("search").get_by_role("status")


def test_arrows_choose_a_paper_and_enter_opens_it(home: Page, demo: Path) -> None:
    with open_corpus(demo / "demo.lbug", read_only=True) as corpus:
        papers = corpus.find("the", limit=8).arrow.to_pylist()
    box, found = home.get_by_role("combobox"), search(home, "the")
    expect(found.get_by_role("option")).to_have_count(len(papers))
    expect(message(home)).to_contain_text("add words to see others")
    box.press("ArrowUp")
    expect(box).to_have_attribute("aria-activedescendant", f"found-{len(papers) - 1}")
    for place in (0, 1, 2):
        box.press("ArrowDown")
        expect(found.get_by_role("option", selected=True)).to_contain_text(papers[place]["title"])
    box.press("ArrowUp")
    box.press("Enter")
    home.wait_for_url(f"**/paper/{quote(papers[1]['id'], safe='')}")


def test_escape_closes_the_list(home: Page) -> None:
    box, found = home.get_by_role("combobox"), search(home, "the")
    expect(found).to_be_visible()
    expect(box).to_have_attribute("aria-expanded", "true")
    expect(found).to_have_id(box.get_attribute("aria-controls") or "")
    box.press("Escape")
    expect(found).to_have_count(0)
    expect(message(home)).to_be_empty()
    expect(box).to_have_attribute("aria-expanded", "false")
    assert box.get_attribute("aria-controls") is None


def test_a_slow_search_is_announced_unless_it_was_closed(page: Page) -> None:
    held: list[Route] = []
    page.route("**/api/find", lambda route: held.append(route))
    page.clock.install(time=0)
    page.goto("/")
    box = page.get_by_role("combobox")
    box.wait_for()
    page.clock.pause_at(3_600_000)
    box.fill("the")
    page.clock.run_for(SLOW_MS / 2)
    expect(message(page)).to_be_empty()
    page.clock.run_for(SLOW_MS)
    expect(message(page)).to_have_text("Searching…")
    expect(box).to_have_attribute("aria-expanded", "false")
    box.press("Escape")
    expect(message(page)).to_be_empty()
    box.fill("then")
    box.press("Escape")
    page.clock.run_for(2 * SLOW_MS)
    expect(message(page)).to_be_empty()
    for route in held:
        route.abort()


def test_a_click_elsewhere_closes_the_list_until_the_field_has_the_focus(home: Page) -> None:
    found = search(home, "the")
    expect(found).to_be_visible()
    home.locator("main").click(position={"x": 2, "y": 2})
    expect(found).to_have_count(0)
    home.get_by_role("combobox").click()
    expect(found).to_be_visible()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("zzzz", "No paper matches."),
        ("!!!", "nothing to search for in '!!!'; expected words of a title"),
        ("x" * LARGEST_BODY, "the request is too large; expected at most 1,024 KB"),
    ],
)
def test_what_finds_nothing_is_explained(home: Page, text: str, expected: str) -> None:
    search(home, text)
    expect(message(home)).to_contain_text(expected)
    home.get_by_role("combobox").press("Enter")
    expect(search(home, "the").get_by_role("option").first).to_be_visible()


def test_the_theme_is_kept_and_colours_the_canvas(page: Page) -> None:
    """The canvas reads its colours by script; the other parts of a page have those of its style."""

    def expect_ground(is_dark: bool) -> None:
        wanted = "rgb(20, 25, 29)" if is_dark else "rgb(253, 252, 249)"
        expect(page.locator("body")).to_have_css("background-color", wanted)
        page.wait_for_selector(READY)
        deadline = monotonic() + DRAWN_S  # a frame is drawn after the style has changed
        while (np.median(pixels(page)) < 0.5) != is_dark:
            page.evaluate(NEXT_FRAME)
            assert monotonic() < deadline, f"the canvas does not follow: {np.median(pixels(page))}"

    page.emulate_media(color_scheme="light")
    page.goto("/map")
    expect_ground(is_dark=False)
    first = page.locator(".map-legend circle").first
    light = first.get_attribute("fill")
    page.get_by_role("button", name="Theme: as the system").click()
    page.get_by_role("button", name="Theme: light").click()
    expect_ground(is_dark=True)
    page.reload()
    expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()
    expect_ground(is_dark=True)
    page.goto("/communities")
    expect(page.locator("html")).to_have_css("color-scheme", "dark")
    page.goto("/map")
    page.get_by_role("button", name="Theme: dark").click()
    expect_ground(is_dark=False)
    expect(first).to_have_attribute("fill", light or "")
    page.emulate_media(color_scheme="dark")
    expect_ground(is_dark=True)


def test_a_new_snapshot_has_what_was_written_since(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "growing.lbug"
    open_store(str(file)).close()
    write_files(tmp_path / "papers", small_corpus(PAPERS))
    with (
        ServedGraph(str(file)) as graph,
        serve(graph) as address,
        open_session(browser, address) as context,
    ):
        page = context.new_page()
        page.goto("/")
        state, button = page.locator(".state"), page.get_by_role("button", name="New snapshot")
        expect(page.get_by_text("The graph is empty: run platform ingest")).to_be_visible()
        expect(button).to_be_visible()
        expect(state).not_to_contain_text("has changed")
        with open_corpus(file, runs=tmp_path / "runs") as corpus:
            corpus.ingest(tmp_path / "papers", workers=1)
            papers = corpus.status().labels["Paper"]
            page.reload()
            expect(state).to_contain_text("The store has changed since.")
            expect(page.get_by_text("The graph is empty")).to_be_visible()
            button.click()
            expect(state).to_contain_text("close that store first")
        button.click()
        expect(page.get_by_text(f"The graph has {papers} papers")).to_be_visible()
        expect(state).not_to_contain_text("has changed")
        file.unlink()
        page.reload()
        expect(state).to_contain_text("The file is gone; this is its last snapshot.")
        expect(button).to_have_count(0)
        expect(page.get_by_text(f"The graph has {papers} papers")).to_be_visible()


def test_a_server_that_was_stopped_is_named(browser: Browser, demo: Path) -> None:
    with ServedGraph(str(demo / "demo.lbug"), demo / "runs") as graph:
        with serve(graph) as address:
            context = browser.new_context(base_url=address)
            page = context.new_page()
            page.goto(address)
            page.locator("body[data-ready=home]").wait_for()
        expected = "The explorer does not answer: start `platform serve` again."
        search(page, "the")
        expect(message(page)).to_contain_text(expected)
        page.get_by_role("button", name="New snapshot").click()
        expect(page.locator(".state")).to_contain_text(expected)
        context.close()


def test_a_session_without_its_cookie_has_ended(browser: Browser, address: str) -> None:
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto(address)
    page.locator("body[data-ready=home]").wait_for()
    context.clear_cookies()
    expected = "The session has ended: open the address that `platform serve` printed."
    search(page, "the")
    expect(message(page)).to_contain_text(expected)
    page.get_by_role("combobox").press("Escape")
    page.get_by_role("button", name="New snapshot").click()
    expect(page.locator(".state")).to_contain_text(expected)
    page.reload()
    expect(page.locator("body")).to_contain_text(
        "no session: open the address that `platform serve` printed"
    )
    page.goto(address)
    expect(search(page, "the").get_by_role("option").first).to_be_visible()
    context.close()
