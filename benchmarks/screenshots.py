"""Draws the pictures of the explorer that its guide shows.

    python benchmarks/screenshots.py demo-citescape/demo.lbug --encoder FOLDER

The store is that of `make demo`; a copy of it gets intents, communities, a map and profiles. Needs
Chromium. Look at the pictures before you commit them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from map_page import serve
from playwright.sync_api import Page, sync_playwright

from citescape.corpus import open_corpus
from citescape.server.app import make_app
from citescape.server.graph import ServedGraph

DOCS = Path(__file__).parents[1] / "docs"
TOKEN = "a-token"
ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
PAPERS = ("10.5555/demo.2013.00042", "10.5555/demo.2015.00127")
SENTENCE = "Micronutrient intake of children rises with provitamin A in staple crops [?]."
QUERY = """MATCH (p:Paper)-[c:CITES]->(q:Paper)
WHERE c.importance > 0.9 AND c.self = 0
RETURN p, c, q ORDER BY c.importance DESC LIMIT 25"""


def prepare(store: Path, encoder: str) -> None:
    """Runs what the pages show, but `make demo` does not need."""
    with open_corpus(store) as corpus:
        corpus.text.intents.label(model="rules")
        corpus.network.build("bm25")
        corpus.cluster("bm25")
        corpus.topics()
        corpus.map()
        corpus.prepare(encoder=encoder)


def show_home(page: Page, origin: str) -> None:
    page.goto(origin)
    page.locator("table.data tbody tr").first.wait_for()


def show_paper(page: Page, origin: str) -> None:
    page.goto(f"{origin}/paper/doi%3A{quote(PAPERS[0], safe='')}")
    page.locator("body[data-ready=network]").wait_for()
    page.locator("table.data tbody tr").first.press("Enter")
    page.locator(".card[data-ready]").wait_for()
    page.evaluate("scrollTo(0, 0)")


def show_related(page: Page, origin: str) -> None:
    page.goto(f"{origin}/related?ids={' '.join(PAPERS)}")
    page.locator("table.data tbody tr").first.wait_for()


def show_check(page: Page, origin: str) -> None:
    page.goto(f"{origin}/check")
    page.locator("textarea").fill("\n".join(PAPERS))
    page.get_by_role("button", name="Check").click()
    page.get_by_role("heading", name="Missing works").wait_for()


def show_communities(page: Page, origin: str) -> None:
    page.goto(f"{origin}/communities")
    page.locator("body[data-ready]").wait_for()


def show_map(page: Page, origin: str) -> None:
    page.goto(f"{origin}/map")
    page.get_by_role("button", name="Lasso").click()
    box = page.locator(".map-canvas").bounding_box()
    assert box
    corners = (0.25, 0.4), (0.8, 0.3), (0.75, 0.75), (0.25, 0.75)
    for number, (right, down) in enumerate(corners):
        page.mouse.move(box["x"] + right * box["width"], box["y"] + down * box["height"], steps=5)
        if not number:
            page.mouse.down()
    page.mouse.up()


def show_recommend(page: Page, origin: str) -> None:
    page.goto(f"{origin}/recommend")
    page.locator("textarea[name=context]").fill(SENTENCE)
    page.get_by_role("button", name="Recommend").click()
    page.locator("table.data tbody tr").first.wait_for(timeout=120_000)


def show_cypher(page: Page, origin: str) -> None:
    page.goto(f"{origin}/cypher")
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(QUERY)
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("tab", name="Graph").click()
    page.locator("svg circle").first.wait_for()


SHOW: dict[str, Callable[[Page, str], None]] = {
    "home": show_home,
    "paper": show_paper,
    "related": show_related,
    "check": show_check,
    "communities": show_communities,
    "map": show_map,
    "recommend": show_recommend,
    "cypher": show_cypher,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path, help="Store of make demo.")
    parser.add_argument("--encoder", required=True, help="Encoder of texts: a folder or hub id.")
    parser.add_argument("--only", nargs="*", choices=SHOW, default=SHOW, help="Pages to draw.")
    given = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(Path(shutil.copy(given.store, folder)).parent)  # pages show the name alone
        store = Path(given.store.name)
        prepare(store, given.encoder)
        with ServedGraph(str(store), Path("runs")) as graph:
            app = make_app(graph, token=TOKEN, hosts=("127.0.0.1",))
            with serve(app) as origin, sync_playwright() as play:
                arguments = [
                    "--no-sandbox",
                    "--use-angle=swiftshader",
                    "--enable-unsafe-swiftshader",
                ]
                browser = play.chromium.launch(executable_path=chromium, args=arguments)
                context = browser.new_context(viewport={"width": 1400, "height": 950})
                context.request.get(f"{origin}/?token={TOKEN}")
                for name in given.only:
                    page = context.new_page()
                    SHOW[name](page, origin)
                    page.wait_for_timeout(500)  # positions settle
                    page.screenshot(path=DOCS / f"explorer-{name}.png")
                    page.close()
                    print(f"explorer-{name}.png", flush=True)
                browser.close()


if __name__ == "__main__":
    main()
