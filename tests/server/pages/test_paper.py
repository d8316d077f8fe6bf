"""The page of a paper."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_an_edge_shows_its_reasons(page: Page, origin: str, citing: str) -> None:
    page.goto(f"{origin}/paper/{citing}")
    page.locator("table.edges tbody tr").first.press("Enter")
    card = page.locator(".card[data-ready]")
    expect(card.locator(".terms tbody tr").first).to_be_visible()
    expect(card.locator(".sentences li").first).to_be_visible()
