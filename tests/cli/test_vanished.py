"""Another process deletes or replaces files that a command works on: the exit status is never 0."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from citescape.cli import commands, demo
from citescape.runs.directory import RunDirectory
from citescape.store.ladybug.adapter import LadybugStore
from tests.ingest.papers import small_corpus, write_files

Platform = Callable[..., Any]
STORE = Path("s.lbug")


def change_before(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, act: Callable[[], object]
) -> None:
    """Runs a change by another process just before the first call of a function."""
    run, pending = getattr(owner, name), [act]

    def disturbed(*arguments: Any, **named: Any) -> Any:
        if pending:
            pending.pop()()
        return run(*arguments, **named)

    monkeypatch.setattr(owner, name, disturbed)


def replace_store() -> None:
    shutil.copy(STORE, "other.lbug")
    Path("other.lbug").replace(STORE)


LOST = {"deleted": STORE.unlink, "moved": lambda: STORE.rename("m"), "replaced": replace_store}
COMMANDS = {
    "score": ["score", "--weights", "uniform"],
    "sample": ["sample", "importance"],
    "network": ["network", "build", "coupling", "--write"],
}


@pytest.fixture
def scored(platform: Platform, generated: Any) -> Platform:
    """Runs a command line on a copy of the session's store, in the working directory."""
    shutil.copy(generated.store, STORE)
    shutil.copytree(generated.runs, "runs")
    return lambda *arguments: platform(*arguments, "--store", STORE)


def assert_loss_is_reported(done: Any, lost: str) -> None:
    """The error is one line that names the lost path, and the exit status is 1."""
    assert done.status == 1
    line = done.err.splitlines()[-1]
    assert line.startswith("platform: ")
    assert lost in line
    assert "while the command ran, another process" in line
    assert "run the same command again" in line


@pytest.mark.parametrize("happens", LOST)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_store_that_vanishes_during_a_command_fails_it(
    scored: Platform, monkeypatch: pytest.MonkeyPatch, command: str, happens: str
) -> None:
    change_before(monkeypatch, RunDirectory, "complete", LOST[happens])
    assert_loss_is_reported(scored(*COMMANDS[command]), str(STORE.absolute()))


@pytest.mark.parametrize("happens", LOST)
def test_a_store_that_vanishes_during_an_ingest_fails_it(
    platform: Platform, monkeypatch: pytest.MonkeyPatch, happens: str
) -> None:
    write_files(Path("papers"), small_corpus(4))
    change_before(monkeypatch, LadybugStore, "apply", LOST[happens])
    assert_loss_is_reported(
        platform("ingest", "--workers", 1, "papers", "--store", STORE), str(STORE.absolute())
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_runs_that_vanish_during_a_write_fail_the_command(
    scored: Platform, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    change_before(monkeypatch, RunDirectory, "complete", lambda: shutil.rmtree("runs"))
    assert_loss_is_reported(scored(*COMMANDS[command]), f"runs/{command}-")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_that_vanishes_before_the_end_fails_the_command(
    scored: Platform, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    known = {*Path("runs").iterdir()}
    close = LadybugStore.close

    def close_and_lose(store: LadybugStore) -> None:
        close(store)
        for run in {*Path("runs").iterdir()} - known:
            shutil.rmtree(run)

    monkeypatch.setattr(LadybugStore, "close", close_and_lose)
    options = [option for option in COMMANDS[command] if option != "--write"]
    assert_loss_is_reported(scored(*options), f"runs/{command}-")


@pytest.mark.parametrize("happens", ["deleted", "replaced"])
def test_a_report_that_vanishes_fails_the_command(
    platform: Platform, monkeypatch: pytest.MonkeyPatch, happens: str
) -> None:
    write_files(Path("papers"), small_corpus(4))
    report = Path("report.csv")
    lose = report.unlink if happens == "deleted" else lambda: report.write_text("of another")
    change_before(monkeypatch, commands, "show", lose)
    assert_loss_is_reported(
        platform("ingest", "--workers", 1, "papers", "--save", report), str(report.absolute())
    )


@pytest.mark.parametrize("lost", ["report.html", "demo.lbug", "runs"])
def test_a_demo_whose_files_vanish_fails(
    platform: Platform, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    path = Path("demo", lost)
    lose = (lambda: shutil.rmtree(path)) if lost == "runs" else path.unlink
    change_before(monkeypatch, demo, "command_line", lose)
    done = platform("demo", "--papers", 50, "--no-learn", "--folder", "demo")
    assert done.status == 1
    assert str(path.absolute()) in done.err.splitlines()[-1]


def test_files_for_the_offline_import_that_vanish_fail_the_command(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(Path("papers"), small_corpus(4))
    command = ("ingest", "--workers", 1, "papers", "--neo4j-import", "files")
    assert platform(*command).status == 0, "its own temporary store need not stay"
    change_before(monkeypatch, commands, "show", Path("files/Paper.csv").unlink)
    assert_loss_is_reported(platform(*command), "files/Paper.csv")
