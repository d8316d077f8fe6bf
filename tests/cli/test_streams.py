"""Standard streams that are closed, full, or that nobody reads: work goes on to its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from citescape.store.graph_store import open_store
from tests.ingest.papers import small_corpus, snapshot, write_files

SCRIPT = """
from citescape.core import progress as output
from citescape.cli.main import main

output.PATIENCE = output._INTERVAL = 0.0
main()
"""
"""The command line, with progress from the first moment on."""


def close(*numbers: int) -> Callable[[], None]:
    """What a shell does for `>&-`."""
    return lambda: [os.close(number) for number in numbers] and None


def leave(*numbers: int) -> Callable[[], None]:
    """Puts pipes in place of streams that nobody reads, as `| head -0` does."""

    def act() -> None:
        for number in numbers:
            reader, writer = os.pipe()
            os.close(reader)
            os.dup2(writer, number)

    return act


def fill(number: int) -> Callable[[], None]:
    """Puts a full disk in place of a stream."""
    return lambda: os.dup2(os.open("/dev/full", os.O_WRONLY), number) and None


def run(
    *arguments: object, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        preexec_fn=before,
        check=False,
        timeout=120,
    )


def held(path: Path) -> dict[str, list[str]]:
    store = open_store(str(path), read_only=True)
    found = snapshot(store)
    store.close()
    return found


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    write_files(folder, small_corpus(12))
    return folder


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, papers: Path) -> Path:
    store = tmp_path_factory.mktemp("whole") / "s.lbug"
    assert run("ingest", papers, "--store", store).returncode == 0
    return store


DISTURBED = {
    "output closed": close(1),
    "errors closed": close(2),
    "all closed": close(0, 1, 2),
    "output unread": leave(1),
    "errors unread": leave(2),
    "both unread": leave(1, 2),
    "errors full": fill(2),
}


@pytest.mark.parametrize("case", DISTURBED)
@pytest.mark.parametrize("workers", [1, 2])
def test_an_ingest_is_complete_whoever_reads_what_it_prints(
    papers: Path, undisturbed: Path, tmp_path: Path, case: str, workers: int
) -> None:
    store = tmp_path / "s.lbug"
    command = ("ingest", papers, "--workers", workers, "--store", store)
    done = run(*command, before=DISTURBED[case])
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert held(store) == held(undisturbed)
    if "output" not in case and "all" not in case and "both" not in case:
        assert done.stdout.startswith("12 loaded in ")
    if case.startswith("output"):
        assert "loading papers" in done.stderr


def test_a_loss_is_told_by_the_exit_status_alone(papers: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.tar.gz").write_bytes(b"\x1f\x8b\x08\x00")
    command = ("ingest", papers, tmp_path / "cut.tar.gz", "--store", tmp_path / "s.lbug")
    for case in ("output unread", "all closed"):
        assert run(*command, before=DISTURBED[case]).returncode == 1, case
    assert run("status", "--store", "none.lbug", before=close(2)).returncode == 1
    assert run("nonsense", before=close(1, 2)).returncode == 2


def test_output_that_cannot_be_written_is_an_error_after_the_work(
    papers: Path, undisturbed: Path, tmp_path: Path
) -> None:
    store = tmp_path / "s.lbug"
    done = run("ingest", papers, "--store", store, before=fill(1))
    assert done.returncode == 1
    assert "standard output cannot be written: No space left on device; " in done.stderr
    assert done.stderr.count("platform: ") == 1
    assert held(store) == held(undisturbed)


@pytest.mark.parametrize("command", [["status"], ["cypher", "MATCH (p:Paper) RETURN p.id"]])
def test_an_answer_that_nobody_reads_ends_as_by_sigpipe(
    undisturbed: Path, command: list[str]
) -> None:
    unread = run(*command, "--store", undisturbed, before=leave(1))
    assert (unread.returncode, unread.stderr) == (128 + signal.SIGPIPE, "")
    assert run(*command, "--store", undisturbed, before=close(1)).returncode == 0
    full = run(*command, "--store", undisturbed, before=fill(1))
    assert full.returncode == 1
    assert full.stderr.count("\n") == 1


def test_a_demo_prints_while_it_works_and_goes_on_unread(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    done = run("demo", "--papers", 50, "--no-learn", "--folder", folder, before=leave(1))
    assert done.returncode == 0, done.stderr
    assert (folder / "report.html").is_file()


def test_a_long_answer_ends_when_its_reader_leaves(undisturbed: Path) -> None:
    """Ten million rows would take minutes to print."""
    text = "UNWIND range(1, 10000000) AS x RETURN x"
    command = [sys.executable, "-c", SCRIPT, "cypher", text, "--output", "csv"]
    with subprocess.Popen(
        [*command, "--store", str(undisturbed)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "x\n"
        child.stdout.close()
        assert child.wait(60) == 128 + signal.SIGPIPE
