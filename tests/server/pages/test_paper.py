"""The page of a paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from citescape.corpus import open_corpus


@pytest.fixture(scope="module")
def citing(demo: Path) -> str:
    """The paper with the most important reference."""
    with open_corpus(demo / "demo.lbug", read_only=True) as corpus:
        rows = corpus.cypher(
            "MATCH (p:Paper)-[c:CITES]->() RETURN p.id AS id ORDER BY c.importance DESC, id LIMIT 1"
        )
    return str(rows.arrow["id"][0])


def test_an_edge_shows_its_reasons(page: Page, origin: str, citing: str) -> None:
    page.goto(f"{origin}/paper/{citing}")
    page.locator("table.edges tbody tr").first.press("Enter")
    card = page.locator(".card[data-ready]")
    expect(card.locator(".terms tbody tr").first).to_be_visible()
    expect(card.locator(".sentences li").first).to_be_visible()
