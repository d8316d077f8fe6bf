"""Back and Forward of the browser, and the address of a paper."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

ROWS = "table.edges tbody tr"


@pytest.fixture
def opened(page: Page, origin: str, citing: str) -> Page:
    page.goto(f"{origin}/paper/{quote(citing, safe='')}")
    page.locator("body[data-ready=network]").wait_for()
    return page


def select(page: Page, row: int) -> None:
    page.locator(ROWS).nth(row).press("Enter")
    expect(page.locator(ROWS).nth(row)).to_have_attribute("aria-selected", "true")


def test_back_undoes_citations_and_tabs(opened: Page) -> None:
    start = opened.url
    select(opened, 0)
    expect(opened).to_have_url(re.compile("edge="))
    select(opened, 1)
    tabs = opened.get_by_role("tablist", name="Related papers").get_by_role("tab")
    tabs.nth(1).click()
    expect(opened).to_have_url(re.compile("#prior$"))
    opened.go_back()
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "false")
    assert not opened.url.endswith("#prior")
    expect(opened.locator(ROWS).nth(1)).to_have_attribute("aria-selected", "true")
    opened.go_back()
    expect(opened.locator(ROWS).nth(0)).to_have_attribute("aria-selected", "true")
    opened.go_back()
    expect(opened.locator(".card")).to_have_count(0)
    assert opened.url == start
    opened.go_forward()
    expect(opened.locator(ROWS).nth(0)).to_have_attribute("aria-selected", "true")
    expect(opened.locator(".card[data-ready]")).to_be_visible()


def test_back_returns_from_another_paper(opened: Page) -> None:
    select(opened, 0)
    expect(opened).to_have_url(re.compile("edge="))
    start = opened.url
    name = opened.locator("h1").inner_text()
    other = opened.locator(f"{ROWS} a").filter(has_not_text="@").all()
    hrefs = {link.get_attribute("href") for link in other}
    away = next(href for href in sorted(filter(None, hrefs)) if href not in start)
    opened.locator(f"{ROWS} a[href='{away}']").first.click()
    expect(opened.locator("h1")).not_to_have_text(name)
    opened.go_back()
    expect(opened.locator("h1")).to_have_text(name)
    assert opened.url == start
    expect(opened.locator(".card[data-ready]")).to_be_visible()


def test_filters_and_sliders_leave_no_steps(opened: Page) -> None:
    select(opened, 0)
    expect(opened).to_have_url(re.compile("edge="))
    before = opened.evaluate("history.length")
    for least in ("0.01", "0.02", "0.03"):
        opened.locator("input[name=min]").fill(least)
        expect(opened).to_have_url(re.compile(f"min={least}"))
    opened.get_by_label("Self-citations").select_option("exclude")
    expect(opened).to_have_url(re.compile("self=exclude"))
    assert opened.evaluate("history.length") == before
    opened.go_back()
    expect(opened.locator(".card")).to_have_count(0)
    expect(opened.locator("input[name=min]")).to_have_value("0")


def test_an_edit_of_the_part_behind_the_hash_is_followed(opened: Page) -> None:
    opened.goto(f"{opened.url}#derivative")
    tabs = opened.get_by_role("tablist", name="Related papers").get_by_role("tab")
    expect(tabs.nth(2)).to_have_attribute("aria-selected", "true")
    opened.go_back()
    expect(tabs.nth(2)).to_have_attribute("aria-selected", "false")
