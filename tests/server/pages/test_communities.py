"""The pages of communities."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from citescape.corpus import open_corpus
from citescape.explore.communities import CommunityTable


@pytest.fixture(scope="module")
def table(demo: Path) -> CommunityTable:
    with open_corpus(demo / "demo.lbug", runs=demo / "runs", read_only=True) as corpus:
        return corpus.communities()


def test_the_table_has_the_communities_of_the_step(
    page: Page, origin: str, table: CommunityTable
) -> None:
    page.goto(f"{origin}/communities")
    rows = page.locator("table.data tbody tr")
    expect(rows).to_have_count(len(table.arrow))
    first = table.arrow.to_pylist()[0]
    expect(rows.first).to_contain_text(first["label"] or first["name"])
    expect(rows.first).to_contain_text(f"{100 * first['self_share']:.1f}%")


def test_a_level_is_kept_in_the_address(page: Page, origin: str, table: CommunityTable) -> None:
    page.goto(f"{origin}/communities")
    page.get_by_label("Level").select_option(table.levels[0])
    expect(page).to_have_url(f"{origin}/communities?level={table.levels[0]}")
    page.reload()
    expect(page.get_by_label("Level")).to_have_value(table.levels[0])


def test_back_undoes_a_choice_of_the_level(page: Page, origin: str, table: CommunityTable) -> None:
    page.goto(f"{origin}/communities")
    level = page.get_by_label("Level")
    first = level.input_value()
    other = next(name for name in table.levels if name != first)
    level.select_option(other)
    expect(page.locator("table.data tbody tr").first).to_contain_text(f"{other}-")
    page.go_back()
    expect(level).to_have_value(first)
    expect(page.locator("table.data tbody tr").first).to_contain_text(f"{first}-")
    assert page.url == f"{origin}/communities"
    page.go_forward()
    expect(level).to_have_value(other)
    assert page.url == f"{origin}/communities?level={other}"


def test_a_column_sorts_the_table(page: Page, origin: str, table: CommunityTable) -> None:
    page.goto(f"{origin}/communities")
    page.locator("table.data th button", has_text="references").click()
    expect(page.locator("th[aria-sort]")).to_have_attribute("aria-sort", "descending")
    shown = page.locator("table.data tbody tr td:nth-child(7)").all_inner_texts()
    assert [int(text) for text in shown] == sorted(table.arrow["references"].to_pylist())[::-1]


def test_a_community_shows_works_with_and_without_self_citations(
    page: Page, origin: str, demo: Path, table: CommunityTable
) -> None:
    name = table.arrow["name"][0].as_py()
    with open_corpus(demo / "demo.lbug", runs=demo / "runs", read_only=True) as corpus:
        works = corpus.community(name).works.to_pylist()
    page.goto(f"{origin}/communities/{name}")
    section = page.get_by_role("region", name="Works that it cites")
    expect(section.locator("tbody tr")).to_have_count(len(works))
    ranks = section.locator("tbody tr td:nth-child(2)").all_inner_texts()
    assert [int(text) for text in ranks] == [row["rank_without_self"] for row in works]


def test_an_unknown_community_is_an_error_on_the_page(page: Page, origin: str) -> None:
    with page.expect_response("**/api/community"):
        page.goto(f"{origin}/communities/nothing")
    expect(page.get_by_role("alert")).to_contain_text("no community 'nothing'")
