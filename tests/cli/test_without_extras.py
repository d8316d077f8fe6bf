"""Commands that need no extra run without its libraries; the others name the extra."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from citescape.cli.main import list_commands
from citescape.core.extras import EXTRAS
from citescape.demo.optional import PARTS
from tests.forks import COMMAND_LINE, Forks

WITHOUT_EXTRAS = f"""
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
HELP = """
import click, json
from citescape.cli.main import platform

def show(command, words):
    platform.main([*words, "--help"], prog_name="platform", standalone_mode=False)
    yield " ".join(words)
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from show(command.get_command(click.Context(command), name), [*words, name])

print(json.dumps(list(show(platform, []))))
"""
"""Shows the help of every command, then a list of the commands."""
LABELLED = {"string": "We used ... [12].", "sectionName": "Methods", "label": "method"}


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs a command line without extras, in a folder that all tests share."""
    folder = tmp_path_factory.mktemp("plain")
    (folder / "blind").mkdir()
    (folder / "blind" / "sitecustomize.py").write_text(WITHOUT_EXTRAS, encoding="utf-8")
    (folder / "intents.jsonl").write_text(json.dumps(LABELLED), encoding="utf-8")
    paths = [str(folder / "blind"), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "CITESCAPE_ENCODER": "",
        "CITESCAPE_STORE": "world/demo.lbug",
        "CITESCAPE_RUNS": "world/runs",
    }
    with closing(Forks(environment)) as forks:
        yield lambda *words, code=COMMAND_LINE: forks.run(code, *words, folder=folder)


@pytest.fixture(scope="module")
def demo(run: Run) -> dict[str, Any]:
    """Runs the demo, which writes papers, a scored store and runs."""
    done = run("demo", "--papers", 50, "--folder", "world", "--json")
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


@pytest.fixture(scope="module")
def triplets(run: Run, demo: dict[str, Any]) -> str:
    """A run of triplets; also builds a network."""
    assert run("network", "build", "bm25").returncode == 0
    done = run("sample", "importance", "--short-anchors", "shrink", "--json")
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout.splitlines()[-1])["run"])


def test_the_demo_names_skipped_parts(demo: dict[str, Any]) -> None:
    assert demo["passed"] is True
    assert len(demo["skipped"]) == len(PARTS)
    assert "skipped: communities and map; install 'citescape[map]'" in demo["skipped"]


def test_the_help_of_every_command_is_shown(run: Run) -> None:
    done = run(code=HELP)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout.splitlines()[-1])) > len(list_commands())


@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "status",
        "doctor",
        "ingest world/papers",
        "score",
        "evaluate weights",
        "runs",
        "text sections label --model rules",
        "text intents label --model rules",
        "text abstracts label --model rules",
        "sample specter",
        "network build bm25",
        "network report",
        "export graphml --out bm25.graphml",
        "benchmark lcr",
        "cypher explore/most_cited --param limit=3",
        "evaluate rankers",
        "evaluate pool bm25",
        "report --json",
        "recommend --context rust",
    ],
)
def test_commands_that_need_no_extra(run: Run, triplets: str, line: str) -> None:
    done = run(*line.split())
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("text sections train", "learn"),
        ("text intents train intents.jsonl", "learn"),
        ("text abstracts train", "learn"),
        ("text abstracts evaluate", "learn"),
        ("train --triplets {}", "learn"),
        ("train graph", "learn"),
        ("train sweep", "learn"),
        ("embed", "learn"),
        ("train reranker", "learn"),
        ("evaluate pool minilm", "learn"),
        ("evaluate lcr bm25", "learn"),
        ("prepare", "learn"),
        ("recommend --context sentence --system fused", "learn"),
        ("cluster", "map"),
        ("evaluate accuracy bm25", "map"),
        ("map", "map"),
    ],
)
def test_commands_that_need_an_extra_name_it(
    run: Run, triplets: str, line: str, extra: str
) -> None:
    done = run(*line.format(triplets).split())
    assert done.returncode == 1
    *progress, last = done.stderr.splitlines()
    assert re.search(rf"not installed; run `pip install 'citescape\[{extra}\]'`$", last)
    assert not any("platform: " in line for line in progress)  # progress lines only
