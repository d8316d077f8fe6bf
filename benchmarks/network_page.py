"""The citation network of a paper in the browser: the explorer's page and a page of Cytoscape.js.

    python benchmarks/network_page.py            120,000 papers, three minutes
    python benchmarks/network_page.py --quick    12,000 papers, results not kept

Needs Chromium, and npm for the peer.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

import measure
from explorer import write_store
from map_page import load, serve, show_range

PAPERS, LOADS, LIMIT = 120_000, 7, 300
HUB = "doi:10.5555/7"
"""The work that is cited most."""
NOTES = (
    "The network of the work that is cited most: 300 of its citing papers, the most important "
    "first, and the citations between them. `ready`: milliseconds from the request of the page to "
    "the frame after the one with the picture; `answer`: to the last byte of the network, "
    "which the explorer reads from the graph for each load and the peer from a file; `drawn`: "
    "the difference. Median of loads in turn, each with an empty cache, in headless Chromium. "
    "`layout` is the time of the peer's force-directed layout (`cose`, the default settings, "
    "without animation) in the same page. The explorer places papers by rank on arcs, without "
    "iterations; its table, filters, legend and section bars are in the page when it is ready. "
    "CPU seconds are those of the browser until then."
)
COLUMNS = {
    "peer": "page",
    "papers": "papers",
    "citations": "citations",
    "answer_ms": "answer, ms",
    "drawn_ms": "drawn, ms",
    "layout_ms": "layout, ms",
    "ready_ms": "ready, ms",
    "range": "range",
    "cpu_seconds": "CPU s",
}
PEER = "cytoscape@3.35.0"
PEER_HTML = """<!doctype html><meta charset="utf-8"><title>peer</title>
<div id="network" style="width: 720px; height: 780px"></div>
<script type="module" src="/peer.js"></script>"""
PEER_JS = """import cytoscape from "/cytoscape.js";
const found = await (await fetch("/network.json")).json();
const graph = cytoscape({
  container: document.getElementById("network"),
  elements: [
    ...found.papers.map(({ id, title }) => ({ data: { id, title } })),
    ...found.citations.map(({ citing, cited, importance }) =>
      ({ data: { source: citing, target: cited, importance } })),
  ],
  style: [{ selector: "edge", style: { width: "mapData(importance, 0, 1, 1, 6)" } }],
});
const begun = performance.now();
graph.layout({ name: "cose", animate: false }).run();
window.layoutMs = performance.now() - begun;
requestAnimationFrame(() => requestAnimationFrame(() => (document.body.dataset.ready = "peer")));
"""
ANSWER = """Math.max(...performance.getEntriesByType("resource")
  .filter(({ name }) => /network.json|neighbours/.test(name)).map((entry) => entry.responseEnd))"""
FIGURES = {"answer_ms": ANSWER, "layout_ms": "window.layoutMs ?? 0"}


def fetch_peer(folder: Path) -> str:
    """Puts Cytoscape.js into a folder that is served; gives its version."""
    command = ["npm", "install", "--no-save", "--silent", "--prefix", str(folder), PEER]
    subprocess.run(command, check=True)
    package = folder / "node_modules" / "cytoscape"
    shutil.copy(package / "dist" / "cytoscape.esm.min.mjs", folder / "cytoscape.js")
    (folder / "peer.html").write_text(PEER_HTML)
    (folder / "peer.js").write_text(PEER_JS)
    return str(json.loads((package / "package.json").read_text())["version"])


def measure_pages(folder: Path, store: Path, loads: int) -> list[measure.Row]:
    """Loads both pages in turn."""
    from playwright.sync_api import sync_playwright
    from starlette.applications import Starlette
    from starlette.routing import Mount
    from starlette.staticfiles import StaticFiles

    from citescape.server.app import make_app
    from citescape.server.graph import ServedGraph

    peer_app = Starlette(routes=[Mount("/", StaticFiles(directory=folder))])
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))))
    times: dict[str, list[dict[str, float]]] = {"Cytoscape.js": [], "explorer": []}
    with ServedGraph(str(store)) as graph:
        network = graph.call("neighbours", {"papers": [HUB], "limit": LIMIT})
        (folder / "network.json").write_text(network)
        app = make_app(graph, token="t", hosts=("127.0.0.1",))
        with serve(app) as explorer, serve(peer_app) as peer, sync_playwright() as play:
            browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for turn in range(loads + 1):
                # another number of papers each time, so that no answer is kept from before
                address = f"{explorer}/paper/{HUB}?limit={LIMIT + turn}"
                found = {
                    "Cytoscape.js": load(browser, f"{peer}/peer.html", "", **FIGURES),
                    "explorer": load(browser, address, f"{explorer}/?token=t", **FIGURES),
                }
                for name, value in found.items():
                    if turn:  # the first warms up files
                        drawn = value["ready_ms"] - value["answer_ms"]
                        times[name].append({**value, "drawn_ms": drawn})
                print(found, flush=True)
            browser.close()
    figures = json.loads(network)
    return [
        {
            "peer": name,
            "papers": len(figures["papers"]),
            "citations": len(figures["citations"]),
            **{
                key: round(statistics.median(row[key] for row in rows), 2 if "cpu" in key else None)
                for key in ("answer_ms", "drawn_ms", "layout_ms", "ready_ms", "cpu_seconds")
            },
            "range": show_range(rows),
        }
        for name, rows in times.items()
    ]


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the papers")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = folder / "network.lbug"
        write_store(store, PAPERS // 10 if quick else PAPERS)
        served = folder / "peer"
        served.mkdir()
        versions = {"cytoscape": fetch_peer(served)}
        rows = measure_pages(served, store, 2 if quick else LOADS)
    measure.print_table(rows, COLUMNS)
    if quick:
        return
    path = measure.write_results(
        "network_page",
        rows,
        libraries=["playwright", "starlette", "uvicorn"],
        versions=versions,
        notes=NOTES,
        columns=COLUMNS,
    )
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
