"""A walk through the pages on other graphs: real articles, and the generated corpus on Neo4j."""

from __future__ import annotations

import json
import tarfile
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from citescape.corpus import open_corpus
from citescape.server.graph import ServedGraph
from citescape.store.graph_store import open_store
from tests.conftest import empty_neo4j
from tests.copies import fill_store, read_tables
from tests.neo4j.server import Neo4jServer
from tests.server.pages.conftest import open_session, serve

EVERY = 40
"""One article in so many is read."""


@pytest.fixture(scope="module")
def crops(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `crops.lbug` and `runs`: real articles, scored and clustered."""
    folder = tmp_path_factory.mktemp("crops")
    with tarfile.open(data / "oa_crops.tar.xz") as archive:
        articles = [member for member in archive if member.name.endswith(".xml")][::EVERY]
        archive.extractall(folder / "papers", articles, filter="data")
    with open_corpus(folder / "crops.lbug", runs=folder / "runs", create=True) as corpus:
        corpus.ingest(folder / "papers", workers=1)
        corpus.score()
        corpus.network.build("bm25")
        corpus.cluster("bm25")
        corpus.topics()
    return folder


def walk(page: Page, origin: str) -> None:
    """Searches the most important citation's paper, reads its reasons, and looks at all pages."""
    page.goto(origin)
    page.locator("body[data-ready=home]").wait_for()
    first = page.locator("table.data tbody a").first
    title = first.inner_text()
    page.get_by_role("combobox").fill(title[:40])
    expect(page.get_by_role("option").first).to_contain_text(title[:20])
    page.get_by_role("combobox").press("Enter")
    page.locator("body[data-ready=network]").wait_for()
    rows = page.locator("table.edges tbody tr")
    rows.first.press("Enter")
    expect(page.locator(".card[data-ready] .sentences li").first).to_be_visible()
    page.goto(f"{origin}/communities")
    page.locator("table.data tbody a").first.click()
    expect(page.get_by_role("region", name="Works that it cites").locator("tr")).not_to_have_count(
        1
    )


def check_neighbours(page: Page, origin: str, graph: ServedGraph) -> None:
    """The page of a paper has the citations of the step."""
    found = json.loads(graph.call("find", {"limit": 1}))["papers"][0]["id"]
    around = json.loads(graph.call("neighbours", {"papers": [found]}))
    page.goto(f"{origin}/paper/{quote(found, safe='')}")
    expect(page.locator("table.edges tbody tr")).to_have_count(len(around["citations"]))


def test_real_articles_are_explored(crops: Path, browser: Browser) -> None:
    with (
        ServedGraph(str(crops / "crops.lbug"), crops / "runs") as graph,
        serve(graph) as address,
        open_session(browser, address) as context,
    ):
        page, origin = context.new_page(), address.split("/?")[0]
        walk(page, origin)
        check_neighbours(page, origin, graph)


def test_neo4j_is_explored(demo: Path, neo4j_server: Neo4jServer, browser: Browser) -> None:
    empty_neo4j(neo4j_server.uri)
    with closing(open_store(str(demo / "demo.lbug"), read_only=True)) as source:
        tables = read_tables(source)
    with closing(open_store(neo4j_server.uri)) as store:
        fill_store(store, tables)
    with (
        ServedGraph(neo4j_server.uri, demo / "runs") as graph,
        serve(graph) as address,
        open_session(browser, address) as context,
    ):
        page, origin = context.new_page(), address.split("/?")[0]
        walk(page, origin)
        check_neighbours(page, origin, graph)
        expect(page.get_by_role("button", name="New snapshot")).to_have_count(0)
