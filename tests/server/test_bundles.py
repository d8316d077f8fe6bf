"""Bundles of the pages: those of the sources, small, and in the wheel."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from citescape.server.app import PAGES
from tests.required import skip_outside_ci
from tests.test_structure import build_wheel

CITESCAPE = Path(__file__).parents[2] / "platform/citescape"
LARGEST = 350 * 1024
"""Bytes of the scripts and styles of one page, compressed by gzip."""
VISIT = """
import json, sys
from starlette.testclient import TestClient
from citescape.server.app import PAGES, make_app
from citescape.server.graph import ServedGraph
import citescape

with ServedGraph(sys.argv[1]) as graph:
    app = make_app(graph, token="t", hosts=("testserver",))
    with TestClient(app) as client:
        client.get("/?token=t")
        paths = [path.replace("{id:path}", "a").replace("{name}", "a") for path in PAGES]
        names = [name for name, _ in PAGES.values()]
        paths += [f"/static/{name}.{kind}" for name in names for kind in ("js", "css")]
        print(json.dumps([citescape.__file__, {p: client.get(p).status_code for p in paths}]))
"""


def compressed(name: str) -> int:
    return sum(
        len(gzip.compress((CITESCAPE / "static" / f"{name}.{kind}").read_bytes()))
        for kind in ("js", "css")
    )


@pytest.mark.parametrize("name", sorted({name for name, _ in PAGES.values()}))
def test_a_page_loads_at_most_350_kb(name: str) -> None:
    assert compressed(name) <= LARGEST


def read_bundles(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_bundles_are_those_of_the_sources(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        skip_outside_ci("no npm: apt-get install npm")
    ignore = shutil.ignore_patterns("node_modules")
    copy = shutil.copytree(CITESCAPE / "server" / "web", tmp_path / "server" / "web", ignore=ignore)
    installed = subprocess.run(
        [npm, "ci", "--no-audit", "--no-fund"], cwd=copy, capture_output=True, text=True
    )
    if installed.returncode:
        skip_outside_ci(f"npm ci failed, offline perhaps: {installed.stderr[-300:]}")
    for script in ("check", "build"):
        done = subprocess.run([npm, "run", script], cwd=copy, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    built, committed = (read_bundles(folder / "static") for folder in (tmp_path, CITESCAPE))
    committed.pop("icon.svg")  # drawn by hand
    assert sorted(built) == sorted(committed)
    differing = [name for name in built if built[name] != committed[name]]
    assert differing == [], "run npm run build in platform/citescape/server/web"


def test_the_wheel_serves_all_pages(tmp_path: Path, store_file: Path) -> None:
    with zipfile.ZipFile(build_wheel(tmp_path)) as wheel:
        wheel.extractall(tmp_path / "site")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run(
        [sys.executable, "-c", VISIT, str(store_file)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    origin, statuses = json.loads(done.stdout)
    assert origin.startswith(str(tmp_path / "site"))
    assert set(statuses.values()) == {200}
