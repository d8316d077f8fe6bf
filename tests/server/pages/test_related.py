"""The page of several papers, and the tabs of one."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from citescape.corpus import open_corpus
from citescape.explore.related import RelatedPapers


@pytest.fixture(scope="module")
def seeds(demo: Path) -> list[str]:
    """The two papers that share most references."""
    text = (
        "MATCH (a:Paper)-[:CITES]->(b:Paper)<-[:CITES]-(x:Paper) WHERE a.id < x.id "
        "RETURN a.id AS one, x.id AS other, count(*) AS works "
        "ORDER BY works DESC, one, other LIMIT 1"
    )
    with open_corpus(demo / "demo.lbug", read_only=True) as corpus:
        (row,) = corpus.cypher(text).to_dicts()
    return [row["one"], row["other"]]


@pytest.fixture(scope="module")
def expected(demo: Path, seeds: list[str]) -> RelatedPapers:
    """The answer of the step."""
    with open_corpus(demo / "demo.lbug", read_only=True) as corpus:
        return corpus.related([*seeds, "10.1038/none1"])


def section(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def test_pasted_identifiers_lead_to_one_view(
    page: Page, origin: str, seeds: list[str], expected: RelatedPapers
) -> None:
    """Any separators; tables, network and what is not found; the address has the list."""
    page.goto(origin)
    page.get_by_role("textbox", name="DOIs").fill(f"{seeds[0]} ; {seeds[1]}\n10.1038/none1")
    page.get_by_role("button", name="Find related papers").click()
    rows = section(page, "Prior works").locator("tbody tr")
    expect(rows).to_have_count(len(expected.prior.table))
    assert len(expected.prior.table) >= 2
    first = expected.prior.table.to_pylist()[0]
    expect(rows.first).to_contain_text(first["title"])
    expect(rows.first).to_contain_text(f"{first['importance']:.4f}")
    expect(section(page, "Given papers").get_by_role("link")).to_have_count(2)
    expect(section(page, "Not found")).to_contain_text("10.1038/none1")
    expect(page.locator(".network circle.seed")).to_have_count(2)
    assert "ids=" in page.url
    page.reload()
    expect(rows).to_have_count(len(expected.prior.table))
    expect(section(page, "Not found")).to_contain_text("10.1038/none1")


def test_the_difference_of_ranks_is_shown(
    page: Page, origin: str, seeds: list[str], expected: RelatedPapers
) -> None:
    """An arrow and a number in the table, a line per work in the picture."""
    page.goto(f"{origin}/related?ids={' '.join(seeds)}&least=1")
    prior = section(page, "Prior works")
    expect(page.locator(".slopes line").first).to_be_attached()
    shown = prior.locator("tbody tr").filter(has=page.locator(".up")).first
    expect(shown).to_contain_text("▲")
    picture = page.locator("figure.slopes").first
    works = picture.locator("svg g")
    with_tie = prior.locator("tbody tr").count()
    assert works.count() == min(with_tie, 20)


def test_the_minimum_number_of_papers_can_be_changed(
    page: Page, origin: str, seeds: list[str]
) -> None:
    page.goto(f"{origin}/related?ids={' '.join(seeds)}")
    rows = section(page, "Prior works").locator("tbody tr")
    expect(rows.first).to_be_visible()
    before = rows.count()
    page.get_by_role("spinbutton", name="Minimum number").fill("1")
    page.get_by_role("spinbutton", name="Minimum number").press("Enter")
    expect(section(page, "Prior works")).not_to_contain_text("more with fewer")
    assert rows.count() > before
    expect(page).to_have_url(re.compile("least=1"))


def test_the_table_is_saved(
    page: Page, origin: str, seeds: list[str], expected: RelatedPapers, tmp_path: Path
) -> None:
    page.goto(f"{origin}/related?ids={' '.join(seeds)}")
    with page.expect_download() as saved:
        section(page, "Prior works").get_by_role("button", name="CSV").click()
    saved.value.save_as(tmp_path / "prior.csv")
    with (tmp_path / "prior.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == expected.prior.table["id"].to_pylist()


def test_a_long_list_stays_in_the_tab(page: Page, origin: str, seeds: list[str]) -> None:
    """Too long for an address: it is said, and a reload still has it."""
    text = "\n".join([*seeds, *(f"10.1038/none{k}" for k in range(600))])
    page.goto(f"{origin}/related")
    page.get_by_role("textbox", name="DOIs").fill(text)
    page.get_by_role("button", name="Find related papers").click()
    expect(page.get_by_text("too long for the address")).to_be_visible()
    expect(page.get_by_role("heading", name="600 not found")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="600 not found")).to_be_visible()


def test_nothing_and_nobody(page: Page, origin: str) -> None:
    page.goto(f"{origin}/related")
    page.get_by_role("button", name="Find related papers").click()
    expect(page.get_by_role("alert")).to_contain_text("Paste DOIs")
    page.goto(f"{origin}/related?ids=10.1038/none1")
    expect(section(page, "Given papers")).to_contain_text("platform ingest")


def test_tabs_of_a_paper(page: Page, origin: str, citing: str, demo: Path) -> None:
    """The nearest papers say whether they are cited, or retracted; arrow keys change tabs."""
    page.goto(f"{origin}/paper/{citing}")
    page.get_by_role("tab", name="Nearest papers").click()
    rows = section(page, "Nearest papers").locator("tbody tr")
    expect(rows.first).to_be_visible()
    with open_corpus(demo / "demo.lbug", runs=demo / "runs", read_only=True) as corpus:
        near: list[Any] = corpus.similar(citing, k=50).papers
    cited = [paper.title for paper in near if paper.cites]
    assert rows.count() == len(near)
    marked = rows.filter(has=page.locator("td:nth-child(4) .cited"))
    assert marked.count() == len(cited)
    notices = [paper.notice for paper in near if paper.notice]
    assert "retracted" in notices
    assert rows.locator(".badge").count() == len(notices)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Prior works")).to_be_focused()
    expect(section(page, "Prior works")).to_be_visible()
    expect(page).to_have_url(re.compile("#prior$"))
    page.reload()
    expect(page.get_by_role("tab", name="Prior works")).to_have_attribute("aria-selected", "true")


def test_the_network_has_a_table(page: Page, origin: str, seeds: list[str]) -> None:
    """The table has the arrows of the picture; a chosen citation stays in the address."""
    page.goto(f"{origin}/related?ids={' '.join(seeds)}")
    table = page.get_by_text("of the network as a table")
    expect(table).to_be_visible()
    rows = page.locator("table.edges tbody tr")
    assert rows.count() == page.locator("path.line").count() > 0
    if not rows.first.is_visible():
        table.click()
    rows.nth(1).press("Enter")
    expect(page.locator(".card[data-ready]")).to_be_visible()
    expect(page).to_have_url(re.compile("edge="))
    page.reload()
    expect(page.locator(".card[data-ready]")).to_be_visible()
    expect(page.locator("figcaption").first).to_contain_text("The given papers are in the middle")
