"""No page has faults of accessibility, in both themes."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

PAGES = (
    *("/", "/paper/{citing}", "/communities", "/communities/{community}", "/recommend", "/map"),
    *("/related", "/related?ids={citing}", "/check", "/check?ids={citing}", "/cypher"),
)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(
    page: Page, origin: str, citing: str, community: str, path: str, theme: Any
) -> None:
    page.emulate_media(color_scheme=theme)
    page.goto(origin + path.format(citing=citing, community=community))
    page.locator("body[data-ready]").wait_for()
    assert find_violations(page) == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_beside_notices(
    page: Page, origin: str, late: dict[str, Any], theme: Any
) -> None:
    """An open card of a late citation and results of a search, in the theme of the button."""
    page.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    page.emulate_media(color_scheme="light" if theme == "dark" else "dark")
    page.goto(f"{origin}/paper/{late['cited']}?edge={late['citing']}→{late['cited']}")
    expect(page.locator(".card[data-ready] .notice-card")).to_be_visible()
    expect(page.locator("html")).to_have_css("color-scheme", theme)
    box = page.get_by_role("combobox", name="Search papers")
    box.fill(late["title"])
    expect(page.locator("#found .badge").first).to_be_visible()
    box.press("ArrowDown")
    assert find_violations(page) == {}


def find_violations(page: Page) -> dict[str, list[str]]:
    """Rule of axe -> elements that violate it."""
    return {
        item["id"]: [node["html"][:200] for node in item["nodes"]]
        for item in Axe().run(page).response["violations"]
    }


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
