"""No page has serious faults of accessibility, in both themes."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

PAGES = (
    *("/", "/paper/{citing}", "/communities", "/communities/{community}", "/recommend", "/map"),
    *("/related", "/related?ids={citing}", "/check", "/check?ids={citing}", "/cypher"),
)
SERIOUS = ("serious", "critical")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious(
    page: Page, origin: str, citing: str, community: str, path: str, theme: Any
) -> None:
    page.emulate_media(color_scheme=theme)
    page.goto(origin + path.format(citing=citing, community=community))
    page.locator("body[data-ready]").wait_for()
    violations = Axe().run(page).response["violations"]
    serious = {
        item["id"]: [node["html"][:200] for node in item["nodes"]]
        for item in violations
        if item["impact"] in SERIOUS
    }
    assert serious == {}


@pytest.mark.parametrize("path", PAGES)
def test_the_tab_key_begins_with_name_and_search(
    page: Page, origin: str, citing: str, community: str, path: str
) -> None:
    page.goto(origin + path.format(citing=citing, community=community))
    page.locator("body[data-ready]").wait_for()
    focused = []
    for _ in range(3):
        page.keyboard.press("Tab")
        focused.append(page.locator(":focus").first.evaluate("node => node.outerHTML"))
    assert 'class="name"' in focused[0]
    assert 'type="search"' in focused[1]
    assert 'href="/"' in focused[2]
