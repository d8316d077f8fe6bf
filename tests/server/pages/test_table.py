"""The table of all pages: sorting, pages, CSV."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from citescape.corpus import open_corpus
from tests.server.pages.conftest import PAPERS
from tests.server.pages.test_console import open_page, run
from tests.server.pages.test_console import sandbox as sandbox


def sort_by(table: Locator, label: str) -> None:
    table.locator("thead").get_by_role("button", name=label, exact=True).click()


def cells(table: Locator, column: int) -> list[str]:
    return table.locator(f"tbody td:nth-child({column})").all_inner_texts()


def test_citations_are_sorted_selected_and_saved(
    page: Page, origin: str, demo: Path, citing: str
) -> None:
    with open_corpus(demo / "demo.lbug", runs=demo / "runs", read_only=True) as corpus:
        rows = corpus.neighbours(citing).citations.to_pylist()
    page.goto(f"{origin}/paper/{quote(citing, safe='')}")
    table = page.locator("table.edges")
    scores = [f"{row['importance']:.4f}" for row in rows]
    expect(table.locator("tbody tr")).to_have_count(len(rows))
    assert cells(table, 1) == scores
    sort_by(table, "importance")
    expect(table.locator("th").first).to_have_attribute("aria-sort", "descending")
    sort_by(table, "importance")
    expect(table.locator("th").first).to_have_attribute("aria-sort", "ascending")
    assert cells(table, 1) == sorted(scores)
    last = table.locator("tbody tr").last
    last.press("Enter")
    expect(last).to_have_attribute("aria-selected", "true")
    expect(page.locator(".card[data-ready] h2")).to_contain_text(scores[0])
    with page.expect_download() as saved:
        page.get_by_role("region", name="Citations").get_by_role("button", name="CSV").click()
    lines = list(csv.DictReader(StringIO(saved.value.path().read_text("utf-8"))))
    assert {(line["citing"], line["cited"]): line["f_I"] for line in lines} == {
        (row["citing"], row["cited"]): str(row["f_I"]) for row in rows
    }


def test_papers_of_the_map_are_sorted_over_all_pages(page: Page, origin: str) -> None:
    page.goto(f"{origin}/map")
    page.wait_for_selector("body[data-texts=read]")
    table = page.locator(".map-table")
    years: list[int] = []
    sort_by(table, "year")
    while True:
        years += map(int, cells(table, 2))
        expect(table.locator(".pager")).to_contain_text(f"to {len(years)} of {PAPERS}")
        if len(years) == PAPERS:
            break
        assert len(years) % 20 == 0
        table.get_by_role("button", name="Next").click()
    assert years == sorted(years, reverse=True)
    sort_by(table, "title")
    expect(table.locator(".pager")).to_contain_text("rows 1 to 20")
    titles = cells(table, 1)
    assert titles == sorted(titles, key=str.casefold)


def test_rows_of_an_answer_are_sorted_as_numbers(page: Page, origin: str) -> None:
    open_page(page, origin, "UNWIND range(1, 300) AS x RETURN x % 300 AS n, 'a' AS a")
    table = run(page)
    sort_by(table, "n")
    assert cells(table, 1)[:2] == ["299", "298"]
    table.get_by_role("button", name="Next").click()
    assert cells(table, 1)[-1] == "0"
