"""The table of all pages: sorting, pages, CSV."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Locator, Page, Route, expect

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


def test_the_map_is_sorted_by_title_once_the_texts_are_read(page: Page, origin: str) -> None:
    held: list[Route] = []
    page.route("**/api/map/texts", lambda route: held.append(route))
    page.goto(f"{origin}/map")
    page.locator("body[data-ready=map]").wait_for()
    table = page.locator(".map-table")
    expect(table.locator("tbody tr")).to_have_count(20)
    sort_by(table, "title")
    expect(table.locator("th").first).to_have_attribute("aria-sort", "ascending")
    assert page.locator("body[data-texts=read]").count() == 0
    held[0].continue_()
    page.locator("body[data-texts=read]").wait_for()
    expect(table.locator("th").first).to_have_attribute("aria-sort", "ascending")
    titles = table.locator(".map-title a").all_inner_texts()
    assert len(titles) == 20
    assert titles == sorted(titles, key=str.casefold)


def test_fewer_rows_begin_with_their_first_page(
    page: Page, origin: str, demo: Path, citing: str
) -> None:
    """No frame shows a page that the fewer rows do not have."""
    with open_corpus(demo / "demo.lbug", runs=demo / "runs", read_only=True) as corpus:
        around = corpus.neighbours(citing)
    figures = dict(around.summarise().figures)
    figures["citations"] = [
        {**figures["citations"][0], "cited": f"work-{k:04}", "importance": 2 - k / 1200}
        for k in range(1200)
    ]
    page.route("**/api/neighbours", lambda route: route.fulfill(json=figures))
    page.goto(f"{origin}/paper/{quote(citing, safe='')}")
    pager = page.locator(".pager")
    for rows in ("501 to 1,000", "1,001 to 1,200"):
        page.get_by_role("button", name="Next").click()
        expect(pager).to_contain_text(f"rows {rows} of 1,200")
    page.evaluate(
        "() => { window.shown = []; new MutationObserver(() => window.shown.push("
        "document.querySelector('.pager').textContent)).observe("
        "document.querySelector('.pager'), { characterData: true, childList: true, subtree: true })"
        "; }"
    )
    page.locator("input[name=min]").fill("1.5")  # two decimals: 601 citations are at least that
    expect(pager).to_contain_text("rows 1 to 500 of 601")
    shown = set(page.evaluate("() => window.shown"))
    assert {text.split("rows")[1].split("Next")[0].strip() for text in shown} == {"1 to 500 of 601"}


def test_rows_of_an_answer_are_sorted_as_numbers(page: Page, origin: str) -> None:
    open_page(page, origin, "UNWIND range(1, 300) AS x RETURN x % 300 AS n, 'a' AS a")
    table = run(page)
    sort_by(table, "n")
    assert cells(table, 1)[:2] == ["299", "298"]
    table.get_by_role("button", name="Next").click()
    assert cells(table, 1)[-1] == "0"


def test_a_column_whose_numbers_come_late_is_one_of_numbers(page: Page, origin: str) -> None:
    text = "UNWIND range(1, 300) AS x RETURN CASE WHEN x > 250 THEN x END AS n, 'a' AS a"
    open_page(page, origin, text)
    table = run(page)
    expect(table.locator("th.number")).to_have_text(["n"])
    sort_by(table, "n")
    assert cells(table, 1)[:2] == ["300", "299"]
