"""Badges of retracted works: in the search, on the page of a paper, on its citations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from citescape.corpus import open_corpus
from citescape.papers.notices import compare_dates


def test_the_page_of_a_retracted_work(
    page: Page, origin: str, demo: Path, late: dict[str, Any]
) -> None:
    page.goto(f"{origin}/paper/{late['cited']}")
    expect(page.locator(".title .badge")).to_have_text(f"retracted {late['year']}")
    link = page.locator(".title .notice a")
    expect(link).to_have_text(late["doi"])
    expect(link).to_have_attribute("href", f"https://doi.org/{late['doi']}")
    expect(page.locator("figcaption")).to_contain_text("crossed out: retracted")
    with open_corpus(demo / "demo.lbug", read_only=True) as corpus:
        found = corpus.neighbours(late["cited"])
    dates = {row["id"]: row for row in found.papers.to_pylist()}
    retracted = sum(row["notice"] == "retracted" for row in dates.values())
    expect(page.locator("svg .mark-retracted")).to_have_count(retracted)
    number = sum(
        compare_dates(dates[a]["date"], dates[b]["notice_date"]) == "after"
        and dates[b]["notice"] == "retracted"
        for a, b in zip(
            *found.citations.select(["citing", "cited"]).to_pydict().values(), strict=True
        )
    )
    assert number > 0
    expect(page.locator("svg .mark-late")).to_have_count(number)
    expect(page.locator("table.edges .badge", has_text="cited after the retraction")).to_have_count(
        number
    )


def test_the_card_of_a_late_citation(page: Page, origin: str, late: dict[str, Any]) -> None:
    page.goto(f"{origin}/paper/{late['cited']}?edge={late['citing']}→{late['cited']}")
    card = page.locator(".card[data-ready] .notice-card")
    expect(card).to_contain_text(f"The cited work was retracted in {late['year']}")
    expect(card).to_contain_text(f"after the retraction ({late['year']}).")
    expect(card).to_contain_text("Cited as")


def test_search_results_show_the_badge(page: Page, origin: str, late: dict[str, Any]) -> None:
    page.goto(origin)
    page.get_by_role("combobox").fill(late["title"])
    found = page.locator("#found li", has_text=late["title"]).first
    expect(found.locator(".badge")).to_have_text(f"retracted {late['year']}")
