"""A walk through all pages, on both engines: generated papers, real articles, what lacks much."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from citescape.corpus import open_corpus
from citescape.server.graph import ServedGraph
from citescape.store.graph_store import open_store
from tests.conftest import empty_neo4j
from tests.copies import fill_store, ingest_file, read_tables
from tests.ingest.papers import small_corpus, write_files
from tests.neo4j.server import Neo4jServer
from tests.server.pages.conftest import open_session, serve
from tests.server.pages.test_accessible import find_violations

EVERY = 40
"""One article in so many is read."""


@pytest.fixture(scope="module")
def crops(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `crops.lbug` and `runs`: real articles, scored and clustered."""
    folder = tmp_path_factory.mktemp("crops")
    with tarfile.open(data / "oa_crops.tar.xz") as archive:
        articles = [member for member in archive if member.name.endswith(".xml")][::EVERY]
        archive.extractall(folder / "papers", articles)
    with open_corpus(folder / "crops.lbug", runs=folder / "runs", create=True) as corpus:
        corpus.ingest(folder / "papers", workers=1)
        corpus.score()
        corpus.network.build("bm25")
        corpus.cluster("bm25")
        corpus.topics()
    return folder


def walk(page: Page) -> None:
    """Searches the most important citation's paper, and reads its reasons."""
    page.goto("/")
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
    page.goto("/communities")
    page.locator("table.data tbody a").first.click()
    expect(page.get_by_role("region", name="Works that it cites").locator("tr")).not_to_have_count(
        1
    )


CONTENT: Mapping[str, str] = {
    "/": "table.data tbody tr",
    "/paper/{paper}#nearest": "#related-panel tbody tr",
    "/related": "form.references",
    "/related?ids={paper}+{other}": ".network circle.seed",
    "/check?ids={paper}+{other}": ".checked > li",
    "/communities": "table.data tbody tr",
    "/communities/{community}": "table.data tbody tr",
    "/map": ".map-table tbody tr",
    "/recommend": "table.data tbody tr",
    "/cypher?q=MATCH (p:Paper) RETURN count(p) AS papers": ".results tbody tr, .error.off",
}
"""Address of a page -> what it shows of a graph that has everything."""
WITHOUT_VECTORS = {
    "/paper/{paper}#nearest": "platform embed",
    "/map": "platform map",
    "/recommend": "platform prepare",
}
"""Address of a page -> command that it names, in place of its content or beside it."""
WITHOUT_COMMUNITIES = {
    **WITHOUT_VECTORS,
    "/communities": "platform cluster",
    "/communities/{community}": "platform cluster",
}
WITHOUT_PAPERS = {
    **WITHOUT_COMMUNITIES,
    "/recommend": "platform ingest",
    "/": "platform ingest",
    "/paper/{paper}#nearest": "no paper",
    "/related?ids={paper}+{other}": "platform ingest",
    "/check?ids={paper}+{other}": "platform ingest",
}


def keep_failures(page: Page) -> list[tuple[int, str]]:
    """Requests of a page that fail from now on, not those that it cancels.

    Returns:
        Status, 0 without an answer, and address of each.
    """
    failures: list[tuple[int, str]] = []

    def keep(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":
            failures.append((0, request.url))

    page.on("requestfailed", keep)
    page.on(
        "response",
        lambda answer: None if answer.ok else failures.append((answer.status, answer.url)),
    )
    return failures


def see_all_pages(context: BrowserContext, graph: ServedGraph, missing: Mapping[str, str]) -> None:
    """Each page has its content, or names the command that would add it, and no faults.

    Faults are violations of axe, requests that fail and, see `open_session`, errors of the console,
    which names violations of the Content-Security-Policy.

    Args:
        context: a session.
        graph: what it shows.
        missing: address of a page -> words in place of its content.
    """
    papers = json.loads(graph.call("find", {"limit": 2}))["papers"]
    paper, other = [quote(found["id"], safe="") for found in papers] or ("pmid:1", "pmid:2")
    page = context.new_page()
    faults = keep_failures(page)
    for path, content in CONTENT.items():
        page.goto(path.format(paper=paper, other=other, community="meso-1"))
        page.locator("body[data-ready]").wait_for()
        if path == "/recommend":
            page.locator("textarea[name=context]").fill("Yield depends on roots [?].")
            page.get_by_role("button", name="Recommend").click()
        run = page.get_by_role("button", name="Run", exact=True)
        if path.startswith("/cypher") and run.is_enabled():
            run.click()
        if path in missing:
            expect(page.locator("main")).to_contain_text(missing[path])
            # The page says why the server refused.
            faults[:] = [
                (status, address)
                for status, address in faults
                if not ("/api/" in address and 400 <= status < 500)
            ]
        else:
            expect(page.locator(content).first).to_be_visible()
        assert (path, faults, find_violations(page)) == (path, [], {})


@contextmanager
def explore(graph: ServedGraph, browser: Browser) -> Iterator[BrowserContext]:
    """A session with a graph."""
    with graph, serve(graph) as address, open_session(browser, address) as context:
        yield context


def check_neighbours(page: Page, graph: ServedGraph) -> None:
    """The page of a paper has the citations of the step."""
    found = json.loads(graph.call("find", {"limit": 1}))["papers"][0]["id"]
    around = json.loads(graph.call("neighbours", {"papers": [found]}))
    page.goto(f"/paper/{quote(found, safe='')}")
    expect(page.locator("table.edges tbody tr")).to_have_count(len(around["citations"]))


def test_the_generated_corpus_is_explored(demo: Path, browser: Browser) -> None:
    graph = ServedGraph(str(demo / "demo.lbug"), demo / "runs")
    with explore(graph, browser) as context:
        see_all_pages(context, graph, {})


def test_real_articles_are_explored(crops: Path, browser: Browser) -> None:
    graph = ServedGraph(str(crops / "crops.lbug"), crops / "runs")
    with explore(graph, browser) as context:
        page = context.new_page()
        walk(page)
        check_neighbours(page, graph)
        see_all_pages(context, graph, WITHOUT_VECTORS)


def test_papers_alone_are_explored(browser: Browser, tmp_path: Path) -> None:
    write_files(tmp_path / "papers", small_corpus(20))
    graph = ServedGraph(str(ingest_file(tmp_path / "papers", tmp_path / "papers.lbug")))
    with explore(graph, browser) as context:
        see_all_pages(context, graph, WITHOUT_COMMUNITIES)


def test_an_empty_graph_is_explored(browser: Browser, tmp_path: Path) -> None:
    open_store(str(tmp_path / "empty.lbug")).close()
    graph = ServedGraph(str(tmp_path / "empty.lbug"))
    with explore(graph, browser) as context:
        see_all_pages(context, graph, WITHOUT_PAPERS)


def test_neo4j_is_explored(demo: Path, neo4j_server: Neo4jServer, browser: Browser) -> None:
    empty_neo4j(neo4j_server.uri)
    with closing(open_store(str(demo / "demo.lbug"), read_only=True)) as source:
        tables = read_tables(source)
    with closing(open_store(neo4j_server.uri)) as store:
        fill_store(store, tables)
    graph = ServedGraph(neo4j_server.uri, demo / "runs")
    with explore(graph, browser) as context:
        page = context.new_page()
        walk(page)
        check_neighbours(page, graph)
        expect(page.get_by_role("button", name="New snapshot")).to_have_count(0)
        see_all_pages(context, graph, {})
