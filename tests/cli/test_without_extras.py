"""What works without extras works where their libraries cannot be imported; the rest names them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from citescape.core.extras import EXTRAS
from citescape.demo.optional import PARTS

BLIND = f"""
from importlib.machinery import PathFinder

class Blind(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] in {[name for names in EXTRAS.values() for name in names]}:
            return None
        return super().find_spec(name, path, target)

import sys
sys.meta_path[:] = [Blind if finder is PathFinder else finder for finder in sys.meta_path]
"""
"""A `sitecustomize` module, which every Python process imports when it starts."""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs one command line without extras, in a folder that all tests share."""
    folder = tmp_path_factory.mktemp("plain")
    (folder / "blind").mkdir()
    (folder / "blind" / "sitecustomize.py").write_text(BLIND, encoding="utf-8")
    paths = [str(folder / "blind"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    environment.pop("CITESCAPE_ENCODER", None)
    environment |= {"CITESCAPE_STORE": "world/demo.lbug", "CITESCAPE_RUNS": "world/runs"}

    def start(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "citescape.cli.main", *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=folder, env=environment, check=False
        )

    return start


@pytest.fixture(scope="module")
def demo(run: Run) -> dict[str, Any]:
    """Runs the demo, which leaves papers, a scored store and its runs."""
    done = run("demo", "--papers", 50, "--folder", "world", "--json")
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


@pytest.fixture(scope="module")
def triplets(run: Run, demo: dict[str, Any]) -> str:
    """A run of triplets; a network is built too."""
    assert run("network", "build", "bm25").returncode == 0
    done = run("sample", "importance", "--short-anchors", "shrink", "--json")
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout.splitlines()[-1])["run"])


def test_the_demo_names_what_it_skips(demo: dict[str, Any]) -> None:
    assert demo["passed"] is True
    assert len(demo["skipped"]) == len(PARTS)
    assert "skipped: communities and map; install 'citescape[map]'" in demo["skipped"]


@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "status",
        "doctor",
        "ingest world/papers",
        "score",
        "weights",
        "runs",
        "sections label --model rules",
        "intents label --model rules",
        "split label --model rules",
        "network build bm25",
        "benchmark lcr",
        "cypher --name explore/most_cited --param limit=3",
        "evaluate rankers",
    ],
)
def test_commands_that_need_no_extra(run: Run, demo: dict[str, Any], line: str) -> None:
    done = run(*line.split())
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("train --triplets {}", "learn"),
        ("embed", "learn"),
        ("sweep", "learn"),
        ("graph-embed", "learn"),
        ("sections train", "learn"),
        ("split train", "learn"),
        ("rerank train", "learn"),
        ("recommend --context sentence", "learn"),
        ("cluster", "map"),
        ("accuracy bm25", "map"),
        ("map", "map"),
    ],
)
def test_commands_that_need_an_extra_name_it(
    run: Run, triplets: str, line: str, extra: str
) -> None:
    done = run(*line.format(triplets).split())
    assert done.returncode == 1
    assert re.search(rf"not installed; run `pip install 'citescape\[{extra}\]'`", done.stderr)
