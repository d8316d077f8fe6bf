"""Zoom and drag of the drawings."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.pages.test_console import GRAPH, open_page, run
from tests.server.pages.test_console import sandbox as sandbox


@pytest.fixture(params=["network", "drawing"])
def figure(request: pytest.FixtureRequest, page: Page, origin: str, citing: str) -> Locator:
    """The network of a paper, and the graph of an answer in the console."""
    if request.param == "network":
        page.goto(f"{origin}/paper/{quote(citing, safe='')}")
    else:
        open_page(page, origin, GRAPH, "&tab=graph")
        run(page)
    return page.locator(f".{request.param}")


def view(figure: Locator) -> list[float]:
    """Left, top, width and height of what is seen."""
    return [float(side) for side in figure.locator("> svg").get_attribute("viewBox").split()]


def test_buttons_and_the_wheel_zoom_around_the_middle(figure: Locator) -> None:
    whole = view(figure)
    figure.get_by_role("button", name="Zoom in").click()
    left, top, width, height = view(figure)
    assert (width, height) == pytest.approx((whole[2] / 1.25, whole[3] / 1.25))
    assert (left + width / 2, top + height / 2) == pytest.approx(
        (whole[0] + whole[2] / 2, whole[1] + whole[3] / 2)
    )
    figure.get_by_role("button", name="Zoom out").click()
    assert view(figure) == pytest.approx(whole)
    figure.locator("> svg").hover(position={"x": 5, "y": 5})
    figure.page.keyboard.down("Control")
    figure.page.mouse.wheel(0, -100)
    figure.page.keyboard.up("Control")
    expect(figure.locator("> svg")).not_to_have_attribute("viewBox", " ".join(map(str, whole)))
    assert view(figure)[2] == pytest.approx(whole[2] / 1.25)
    figure.get_by_role("button", name="Whole").click()
    assert view(figure) == whole


def test_a_drag_moves_the_drawing_with_the_pointer(figure: Locator) -> None:
    whole = view(figure)
    svg = figure.locator("> svg")
    svg.scroll_into_view_if_needed()
    box = svg.bounding_box()
    assert box
    mouse = figure.page.mouse
    mouse.move(box["x"] + 5, box["y"] + box["height"] - 5)
    mouse.down()
    mouse.move(box["x"] + 65, box["y"] + box["height"] - 35)
    mouse.up()
    scale = max(whole[2] / box["width"], whole[3] / box["height"])
    assert view(figure) == pytest.approx(
        [whole[0] - 60 * scale, whole[1] + 30 * scale, whole[2], whole[3]]
    )
    mouse.move(box["x"] + 5, box["y"] + 5)
    assert view(figure)[0] == pytest.approx(whole[0] - 60 * scale)
