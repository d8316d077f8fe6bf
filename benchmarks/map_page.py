"""The map in the browser: the explorer's page and a bare page of the same library.

    python benchmarks/map_page.py                 120,000 papers, some minutes
    python benchmarks/map_page.py --quick         a tenth, results not kept
    python benchmarks/map_page.py --keep FOLDER   also keeps the generated map

Needs Chromium, and Node with the packages of `platform/citescape/server/web` for the bare page.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import shutil
import socket
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import measure
import numpy as np

PAPERS, LOADS = 120_000, 7
WEB = Path(__file__).parents[1] / "platform" / "citescape" / "server" / "web"
NOTES = (
    "Both pages get the places and one code of a colour per paper from a server on the same "
    "machine, and draw them in headless Chromium with software WebGL (SwiftShader), 1,500 x 950 "
    "pixels. `ready`: milliseconds from the request of the page to the second frame after the "
    "dots are given to the library; median, and range, of loads in turn, each with an empty cache. "
    "The page of the explorer also reads communities and overlays, makes the legend and the table "
    "of papers, and places the labels before it is ready. The bare page has cosmos.gl and ten "
    "lines. CPU seconds are those of all processes of the browser until the page is ready; other "
    "work of the machine changes them less. `bundle` is its script and style, compressed by gzip."
)
COLUMNS = {
    "peer": "page",
    "papers": "papers",
    "ready_ms": "ready, ms",
    "range": "range",
    "times_bare": "times bare page",
    "cpu_seconds": "CPU s",
    "times_bare_cpu": "times bare page, CPU",
    "bundle_kb": "bundle, kB",
}
BARE_HTML = """<!doctype html><meta charset="utf-8"><title>bare</title>
<link rel="stylesheet" href="/bare.css"><div id="map"></div>
<script type="module" src="/bare.js"></script>"""
BARE_CSS = "body { margin: 0 } #map { width: 720px; height: 780px }"
BARE_JS = """import { Graph } from "@cosmos.gl/graph";
const count = %d;
const buffer = await (await fetch("/bare.bin")).arrayBuffer();
const places = new Float32Array(buffer, 0, 2 * count);
const codes = new Uint8Array(buffer, 8 * count, count);
const colors = new Float32Array(4 * count);
for (let k = 0; k < count; k++) colors.set([codes[k] / 7, 0.4, 0.6, 0.85], 4 * k);
const graph = new Graph(document.getElementById("map"), {
  enableSimulation: false, spaceSize: 4096, rescalePositions: false, transitionDuration: 0,
  fitViewOnInit: true, fitViewDelay: 0, fitViewDuration: 0, pointDefaultSize: 3, attribution: "",
});
graph.setPointPositions(places.map((place) => 4096 * place), true);
graph.setPointColors(colors);
graph.render();
await graph.ready;
requestAnimationFrame(() => requestAnimationFrame(() => (document.body.dataset.ready = "bare")));
"""
WATCH = """new MutationObserver((_, self) => {
  if (!document.body?.dataset.ready) return;
  window.readyAt = performance.now();
  self.disconnect();
}).observe(document, { subtree: true, childList: true, attributes: true });"""
_WORDS = """
    salt frost drought rice wheat barley maize root leaf grain yield blast rust mildew nitrogen
    phosphorus soil microbiome genome marker breeding heading photoperiod starch protein seed
    dormancy stomata canopy remote sensing aflatoxin mycorrhiza weed herbicide pollinator
"""


def make_atlas(papers: int) -> Any:
    """A map with communities of Zipf's sizes, at two levels."""
    import pyarrow as pa

    from citescape.mapping.communities.clustering import order_labels
    from citescape.mapping.maps.atlas import Facts, MapPapers, build_atlas
    from citescape.mapping.maps.layout import Layout
    from citescape.mapping.maps.placing import LayoutQuality

    chance = np.random.default_rng(0)
    many = max(int(papers**0.5), 8)
    shares = 1 / np.arange(1, many + 1) ** 0.7
    own = chance.choice(many, papers, p=shares / shares.sum())
    own[:many] = np.arange(many)
    ids = pa.array([f"doi:10.1/{k:07d}" for k in range(papers)], pa.string())
    members, coarse = order_labels(ids, own), order_labels(ids, own % 12)
    places = place_papers(chance, own, many)
    table = describe_papers(chance, ids)
    described = describe_communities(chance, members.sizes)
    quality = LayoutQuality("generated", None)
    names = pa.array(sorted(described["name"].to_pylist()), pa.string())
    spots = Layout(names, chance.normal(size=(many, 2)), quality)
    communities = pa.table(
        {
            "name": [f"macro-{k + 1}" for k in range(12)],
            "label": [f"{word} research" for word in _WORDS.split()[:12]],
            "size": coarse.sizes,
        }
    )
    return build_atlas(
        (Layout(ids, places, quality), spots),
        members,
        MapPapers(table, "importance"),
        described=described,
        facts=Facts("meso", "generated", "importance", quality, spots.placing),
        levels=[("macro", coarse, communities)],
    )


def place_papers(chance: np.random.Generator, own: Any, many: int) -> Any:
    """Positions (papers, 2) around the middles of their communities, which are in 12 groups."""
    groups = chance.normal(scale=9, size=(12, 2))
    middles = groups[np.arange(many) % 12] + chance.normal(scale=4, size=(many, 2))
    spread = 0.25 + chance.gamma(2, 0.25, size=many)
    return middles[own] + spread[own, np.newaxis] * chance.normal(size=(len(own), 2))


def describe_papers(chance: np.random.Generator, ids: Any) -> Any:
    """Title, journal, year and counts of papers."""
    import pyarrow as pa

    papers, words = len(ids), _WORDS.split()
    titles = [" ".join(row).capitalize() for row in chance.choice(words, (papers, 9))]
    received = chance.pareto(1.2, papers) * (chance.random(papers) < 0.7)
    return pa.table(
        {
            "id": ids,
            "title": titles,
            "venue": [f"Journal of {word}" for word in chance.choice(words, papers)],
            "notice": [""] * papers,
            "notice_year": np.full(papers, np.nan),
            "year": 1990.0 + np.minimum(chance.gamma(8, 3, papers), 34).round(),
            "cites": chance.integers(0, 60, papers),
            "cited": chance.integers(0, 40, papers),
            "received": received,
        }
    )


def describe_communities(chance: np.random.Generator, sizes: Any) -> Any:
    """Names, labels and figures of communities."""
    import pyarrow as pa

    many = len(sizes)
    return pa.table(
        {
            "name": [f"meso-{k + 1}" for k in range(many)],
            "label": [" ".join(pair) for pair in chance.choice(_WORDS.split(), (many, 2))],
            "size": sizes,
            "field": chance.choice(["Agronomy", "Soil Science", "Plant Science", "Food"], many),
            "diversity": chance.beta(2, 8, many),
            "mean_year": chance.normal(2012, 4, many),
            "importance": chance.gamma(2, 20, many),
            "terms": pa.array([["rice", "yield"]] * many, pa.list_(pa.string())),
        }
    )


def write_map(runs: Path, papers: int) -> Path:
    """A run of `platform map` with the generated map."""
    from citescape.mapping.maps.map_run import PAGE, POINTS, TEXTS
    from citescape.mapping.maps.overlays import find_shallow, paint
    from citescape.mapping.maps.packing import order_papers, pack_points, pack_texts
    from citescape.mapping.maps.page import build_page
    from citescape.runs.directory import RunRecord, open_run

    atlas, run = make_atlas(papers), "map-000000000001"
    painted, order = paint(atlas), order_papers(atlas)
    shallow = find_shallow(atlas, painted)
    shown = [overlay for overlay in painted if overlay.name not in shallow]
    packed = pack_points(atlas, shown, shallow, order), pack_texts(atlas, order)
    counts = {"papers": papers, "topics": len(atlas.topics)}
    record = RunRecord(run, "map", {"level": "meso"}, {"clustering": ""}, counts=counts)
    with open_run(runs, run) as directory:
        for name, content in zip((POINTS, TEXTS), packed, strict=True):
            (directory.path / name).write_bytes(content)
        (directory.path / PAGE).write_text(build_page(*packed), encoding="utf-8")
        return directory.complete(record)


def write_bare(run: Path, folder: Path) -> None:
    """The bare page, its script and the same places."""
    content = (run / "points.bin").read_bytes()
    length = int.from_bytes(content[:4], "little")
    header = json.loads(content[4 : 4 + length])
    parts = {}
    for name, kind, start, count in header["columns"]:
        first = 4 + length + start
        parts[name] = content[first : first + count * int(kind[1])]
    (folder / "bare.bin").write_bytes(parts["places"] + parts["overlay_field"])
    (folder / "bare.html").write_text(BARE_HTML)
    (folder / "bare.css").write_text(BARE_CSS)
    source = WEB / "bare.tmp.js"
    try:
        source.write_text(BARE_JS % header["papers"])
        command = ["node_modules/.bin/esbuild", source.name, "--bundle", "--minify"]
        command += ["--format=esm", "--target=es2022", f"--outfile={folder / 'bare.js'}"]
        subprocess.run(command, cwd=WEB, check=True, capture_output=True)
    finally:
        source.unlink()


@contextlib.contextmanager
def serve(app: Any) -> Iterator[str]:
    """Serves an application in a thread; gives its address."""
    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


def spend() -> float:
    """CPU seconds of the browser's processes so far."""
    import psutil

    spent = 0.0
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "chrom" in process.name():
                spent += sum(process.cpu_times()[:2])
    return spent


def load(browser: Any, address: str, session: str, **figures: str) -> dict[str, float]:
    """Milliseconds until a page is ready, and CPU seconds of the browser, in a new context.

    Args:
        browser: a browser of Playwright.
        address: the page.
        session: address that starts a session; empty for none.
        figures: name of a further figure -> expression whose value on the ready page it is.
    """
    context = browser.new_context(viewport={"width": 1500, "height": 950})
    if session:
        context.request.get(session)
    page = context.new_page()
    page.add_init_script(WATCH)
    before = spend()
    page.goto(address)
    page.wait_for_selector("body[data-ready]", timeout=120_000)
    spent = spend() - before
    read = {"ready_ms": "window.readyAt", **figures}
    times = {name: float(page.evaluate(expression)) for name, expression in read.items()}
    context.close()
    return {"cpu_seconds": spent, **times}


def show_range(loads: list[dict[str, float]]) -> str:
    """The shortest and the longest time until a page was ready, in milliseconds."""
    ready = [times["ready_ms"] for times in loads]
    return f"{min(ready):,.0f} to {max(ready):,.0f}"


def measure_zipped(path: Path) -> int:
    """Bytes of a file, compressed."""
    return len(gzip.compress(path.read_bytes()))


def measure_pages(folder: Path, run: Path, loads: int) -> list[measure.Row]:
    """Loads both pages in turn."""
    from playwright.sync_api import sync_playwright
    from starlette.applications import Starlette
    from starlette.routing import Mount
    from starlette.staticfiles import StaticFiles

    from citescape.corpus import open_corpus
    from citescape.server.app import make_app
    from citescape.server.graph import ServedGraph

    bare_app = Starlette(routes=[Mount("/", StaticFiles(directory=folder))])
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))))
    times: dict[str, list[dict[str, float]]] = {"bare page": [], "explorer": []}
    with open_corpus(folder / "empty.lbug", create=True) as corpus:
        corpus.status()
    with ServedGraph(str(folder / "empty.lbug"), run.parent) as graph:
        app = make_app(graph, token="t", hosts=("127.0.0.1",))
        with serve(app) as explorer, serve(bare_app) as bare, sync_playwright() as play:
            arguments = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
            browser = play.chromium.launch(executable_path=chromium, args=arguments)
            for turn in range(loads + 1):
                found = {
                    "bare page": load(browser, f"{bare}/bare.html", ""),
                    "explorer": load(browser, f"{explorer}/map", f"{explorer}/?token=t"),
                }
                for name, value in found.items():
                    if turn:  # the first warms up files and compiled shaders
                        times[name].append(value)
                print(found, flush=True)
            browser.close()
    static = WEB.parents[1] / "static"
    bundles = {
        "bare page": [folder / "bare.js", folder / "bare.css"],
        "explorer": [static / "map.js", static / "map.css"],
    }
    ready, cpu = (
        {name: statistics.median(row[key] for row in rows) for name, rows in times.items()}
        for key in ("ready_ms", "cpu_seconds")
    )
    return [
        {
            "peer": name,
            "ready_ms": round(ready[name]),
            "range": show_range(values),
            "times_bare": round(ready[name] / ready["bare page"], 2),
            "cpu_seconds": round(cpu[name], 2),
            "times_bare_cpu": round(cpu[name] / cpu["bare page"], 2),
            "bundle_kb": round(
                sum(len(gzip.compress(p.read_bytes())) for p in bundles[name]) / 1e3
            ),
        }
        for name, values in times.items()
    ]


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the papers")
    parser.add_argument("--keep", type=Path, help="folder that keeps the generated map")
    options = parser.parse_args()
    papers = PAPERS // 10 if options.quick else PAPERS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = write_map((options.keep or folder) / "runs", papers)
        write_bare(run, folder)
        rows = measure_pages(folder, run, 2 if options.quick else LOADS)
    rows = [{"papers": papers, **row} for row in rows]
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    versions = {
        name: json.loads((WEB / "node_modules" / name / "package.json").read_text())["version"]
        for name in ("@cosmos.gl/graph", "preact", "esbuild")
    }
    path = measure.write_results(
        "map_page",
        rows,
        libraries=["playwright", "starlette", "uvicorn"],
        versions=versions,
        notes=NOTES,
        columns=COLUMNS,
    )
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
