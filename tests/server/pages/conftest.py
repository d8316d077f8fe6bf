"""The explorer of a generated corpus, in a real Chromium."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from citescape.corpus import open_corpus
from citescape.demo.jats_writer import write_corpus
from citescape.demo.notices import write_notices
from citescape.demo.world import generate_world
from citescape.server.app import make_app
from citescape.server.graph import ServedGraph
from tests.required import skip_outside_ci
from tests.small_encoder import write_small_encoder

expect.set_options(timeout=30_000)  # milliseconds; other tests run meanwhile
TOKEN = "a-token"
PAPERS = 60
NEXT_FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
LATE = (
    "MATCH (a:Paper)-[:CITES]->(b:Paper {notice: 'retracted'}) WHERE a.date > b.notice_date "
    "AND NOT a.date STARTS WITH b.notice_date RETURN a.id AS citing, b.id AS cited, "
    "b.title AS title, b.notice_year AS year, b.notice_doi AS doi ORDER BY citing, cited LIMIT 1"
)
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))),
    None,
)
ARGUMENTS = (
    "--no-sandbox",  # tests may run as the superuser
    "--disable-gpu-compositing",  # by software GL it takes more processor time
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `demo.lbug` and `runs`: scored, clustered and mapped papers.

    One for all workers, which only read it: tests that write take a copy.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / "demo"
    with (shared / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "finished").exists():
            shutil.rmtree(folder, ignore_errors=True)  # of a worker that failed
            _build_demo(folder)
            (folder / "finished").touch()
    return folder


def _build_demo(folder: Path) -> None:
    world = generate_world(papers=PAPERS, seed=3)
    write_corpus(world, folder / "papers")
    notices = write_notices(world, folder / "notices.csv")
    with open_corpus(folder / "demo.lbug", runs=folder / "runs", create=True) as corpus:
        corpus.ingest([folder / "papers", notices], workers=1)
        corpus.score()
        corpus.text.intents.label(model="rules")
        corpus.embed(write_small_encoder(folder / "encoder"))
        corpus.network.build("bm25")
        corpus.cluster("bm25")
        corpus.topics()
        corpus.map()
        corpus.prepare(encoder=folder / "encoder")


@pytest.fixture(scope="session")
def citing(demo: Path) -> str:
    """The paper with the most important reference."""
    text = "MATCH (p:Paper)-[c:CITES]->() RETURN p.id AS id ORDER BY c.importance DESC, id LIMIT 1"
    with open_corpus(demo / "demo.lbug", read_only=True) as corpus:
        return str(corpus.cypher(text).arrow["id"][0])


@pytest.fixture(scope="session")
def community(demo: Path) -> str:
    """The largest community."""
    with open_corpus(demo / "demo.lbug", read_only=True) as corpus:
        return str(corpus.communities().arrow["name"][0])


@pytest.fixture(scope="session")
def late(demo: Path) -> dict[str, Any]:
    """A citation of a retracted work after the notice."""
    with open_corpus(demo / "demo.lbug", read_only=True) as corpus:
        (row,) = corpus.cypher(LATE).arrow.to_pylist()
    return dict(row)


@contextmanager
def serve(graph: ServedGraph) -> Iterator[str]:
    """Serves the explorer of a graph in a thread; gives its address with the token."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    app = make_app(graph, token=TOKEN, hosts=("127.0.0.1",))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}/?token={TOKEN}"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="module")
def address(demo: Path) -> Iterator[str]:
    """Printed address of an explorer of the generated corpus."""
    with ServedGraph(str(demo / "demo.lbug"), demo / "runs") as graph, serve(graph) as printed:
        yield printed


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Chromium of the system, for pytest-playwright."""
    if CHROMIUM is None:
        skip_outside_ci("no Chromium: apt-get install chromium-headless-shell")
    return {"executable_path": CHROMIUM, "args": list(ARGUMENTS)}


@contextmanager
def open_session(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A session of the explorer; fails on errors of the console and on foreign requests."""
    origin = address.split("/?")[0]
    context = browser.new_context(viewport={"width": 1400, "height": 1000}, base_url=origin)
    messages: list[str] = []

    def keep(message: ConsoleMessage) -> None:
        refused = "/api/" in message.location["url"]  # the page shows why
        if message.type == "error" and not refused:
            messages.append(message.text)

    context.on("console", keep)
    context.on("weberror", lambda error: messages.append(str(error.error)))
    context.on(
        "request",
        lambda request: (
            None
            if request.url.startswith((origin, "data:", "blob:"))
            else messages.append(f"foreign request: {request.url}")
        ),
    )
    context.new_page().goto(address)
    context.pages[0].close()
    yield context
    context.close()
    assert messages == []


@pytest.fixture
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A session with the explorer of the generated corpus."""
    with open_session(browser, address) as context:
        yield context


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    """A page with a session; `page.goto("/map")` works."""
    return context.new_page()


@pytest.fixture
def origin(address: str) -> str:
    """`http://host:port` of the explorer."""
    return address.split("/?")[0]
