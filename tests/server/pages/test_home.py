"""The first page: works with the most importance, and which citing papers count."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pyarrow as pa
from playwright.sync_api import Browser, Page, expect

from citescape.explore.find import Catalogue
from citescape.server.graph import ServedGraph
from citescape.store.graph_store import Change, open_store
from tests.server.pages.conftest import open_session, serve


def test_all_citations_count_where_all_papers_are_research(page: Page, origin: str) -> None:
    page.goto(origin)
    table = page.locator("table.data").first
    expect(table.locator("th", has_text="importance")).to_be_visible()
    expect(table.locator("th", has_text="others")).to_have_count(0)
    assert "added up apart" not in page.locator("main").inner_text()


def test_citations_by_reviews_are_apart(browser: Browser, demo: Path, tmp_path: Path) -> None:
    store = shutil.copy(demo / "demo.lbug", tmp_path)
    with closing(open_store(store)) as graph:
        citing = graph.read("MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id ORDER BY id")["id"]
        reviews = citing[::2]
        types = pa.table({"id": reviews, "type": ["review-article"] * len(reviews)})
        graph.apply([Change("update", "Paper", types)])
        found = Catalogue(graph).search("", 15)
    assert found.others
    with (
        ServedGraph(store, demo / "runs") as graph,
        serve(graph) as address,
        open_session(browser, address) as session,
    ):
        page = session.new_page()
        page.goto("/")
        table = page.locator("table.data").first
        rows = table.locator("tbody tr")
        expect(rows).to_have_count(15)
        for row, work in zip(rows.all(), found.arrow.to_pylist(), strict=True):
            expect(row).to_contain_text(f"{work['importance']:.4f}")
            expect(row).to_contain_text(f"{work['importance_of_others']:.4f}")
        note = (
            "Citations by research articles and papers of unknown type count "
            f"({found.counted:,}); those by reviews, editorials and other papers ({found.others:,})"
        )
        expect(page.locator("main")).to_contain_text(note)
