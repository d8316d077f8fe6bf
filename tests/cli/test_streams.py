"""Closed, full or unread standard streams: the work is completed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from citescape.store.graph_store import open_store
from tests.forks import COMMAND_LINE, shared_forks
from tests.ingest.papers import small_corpus, snapshot, write_files

IMPATIENT = """
from citescape.core import progress
progress.PATIENCE = progress._INTERVAL = 0.0
"""
"""Shows progress without delay."""
SCRIPT = IMPATIENT + COMMAND_LINE
OPEN = "\nfrom tests.forks import open_streams\nopen_streams()"
"""Opens streams as the interpreter does when it starts."""
CLOSE = "import os\nfor number in {}: os.close(number)"
"""Closes a stream, as a shell does for `>&-`."""
LEAVE = """
import os
for number in {}:
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(writer, number)
    os.close(writer)
"""
"""Replaces streams by pipes without a reader, as `| head -0` does."""
FILL = "import os\nfor number in {}: os.dup2(os.open('/dev/full', os.O_WRONLY), number)"
"""Replaces a stream by a full disk."""
DISTURBED = {
    "output closed": CLOSE.format([1]),
    "errors closed": CLOSE.format([2]),
    "all closed": CLOSE.format([0, 1, 2]),
    "output unread": LEAVE.format([1]),
    "errors unread": LEAVE.format([2]),
    "both unread": LEAVE.format([1, 2]),
    "output full": FILL.format([1]),
    "errors full": FILL.format([2]),
}
"""Changes to standard streams before a program starts."""
Outcome = subprocess.CompletedProcess[str]
Run = Callable[..., Outcome]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a command line with disturbed streams, in a fork that opens its streams again."""
    folder = tmp_path_factory.mktemp("folder")
    return lambda *arguments, case="": shared_forks().run(
        DISTURBED.get(case, "") + OPEN + SCRIPT, *arguments, folder=folder
    )


def start(*arguments: object, case: str) -> Outcome:
    """Runs a command line with disturbed streams in an interpreter that starts with them."""
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        preexec_fn=lambda: exec(DISTURBED[case], {}),
        check=False,
        timeout=120,
    )


def read_content(path: Path) -> dict[str, list[str]]:
    store = open_store(str(path), read_only=True)
    content = snapshot(store)
    store.close()
    return content


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    write_files(folder, small_corpus(12))
    return folder


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, papers: Path, run: Run) -> Path:
    store = tmp_path_factory.mktemp("whole") / "s.lbug"
    assert run("ingest", papers, "--workers", 1, "--store", store).returncode == 0
    return store


@pytest.fixture(scope="module")
def whole(undisturbed: Path) -> dict[str, list[str]]:
    """Content of the store of an undisturbed ingest."""
    return read_content(undisturbed)


def check_ingest(done: Outcome, case: str) -> None:
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    if case.startswith("errors"):
        assert done.stdout.startswith("12 loaded in ")
    if case.startswith("output"):
        assert "loading papers" in done.stderr


@pytest.mark.parametrize("case", [case for case in DISTURBED if case != "output full"])
def test_an_ingest_completes_if_nobody_reads_its_output(
    papers: Path, whole: dict[str, list[str]], tmp_path: Path, case: str, run: Run
) -> None:
    store = tmp_path / "s.lbug"
    check_ingest(run("ingest", papers, "--workers", 1, "--store", store, case=case), case)
    assert read_content(store) == whole


@pytest.mark.parametrize("case", ["all closed", "errors unread"])
def test_worker_processes_start_with_disturbed_streams(
    papers: Path, whole: dict[str, list[str]], tmp_path: Path, case: str
) -> None:
    """The interpreter itself also starts with these streams."""
    store = tmp_path / "s.lbug"
    check_ingest(start("ingest", papers, "--workers", 2, "--store", store, case=case), case)
    assert read_content(store) == whole


def test_a_loss_sets_the_exit_status_without_streams(
    papers: Path, tmp_path: Path, run: Run
) -> None:
    (tmp_path / "cut.tar.gz").write_bytes(b"\x1f\x8b\x08\x00")
    command = ("ingest", papers, tmp_path / "cut.tar.gz", "--workers", 1)
    for case in ("output unread", "all closed"):
        assert run(*command, "--store", tmp_path / "s.lbug", case=case).returncode == 1, case
    assert run("status", "--store", "none.lbug", case="errors closed").returncode == 1
    assert run("nonsense", case="all closed").returncode == 2


def test_unwritable_output_is_an_error_after_the_work(
    papers: Path, whole: dict[str, list[str]], tmp_path: Path, run: Run
) -> None:
    store = tmp_path / "s.lbug"
    done = run("ingest", papers, "--workers", 1, "--store", store, case="output full")
    assert done.returncode == 1
    assert "standard output cannot be written: No space left on device; " in done.stderr
    assert done.stderr.count("platform: ") == 1
    assert read_content(store) == whole


@pytest.mark.parametrize("command", [["status"], ["cypher", "MATCH (p:Paper) RETURN p.id"]])
def test_unread_output_ends_with_sigpipe(undisturbed: Path, run: Run, command: list[str]) -> None:
    unread = run(*command, "--store", undisturbed, case="output unread")
    assert (unread.returncode, unread.stderr) == (128 + signal.SIGPIPE, "")
    assert run(*command, "--store", undisturbed, case="output closed").returncode == 0
    full = run(*command, "--store", undisturbed, case="output full")
    assert full.returncode == 1
    assert full.stderr.count("\n") == 1


@pytest.mark.parametrize("form", ["table", "csv", "json", "arrow"])
def test_unread_rows_end_with_sigpipe(undisturbed: Path, run: Run, form: str) -> None:
    text = "MATCH (p:Paper)-[:CITES]->(q:Paper) RETURN p.id, q.title"
    unread = run(*("cypher", text, "--output", form, "--store", undisturbed), case="output unread")
    assert (unread.returncode, unread.stderr) == (128 + signal.SIGPIPE, "")


def test_a_demo_prints_while_it_works_and_continues_unread(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "demo"
    done = run(
        *("demo", "--papers", 50, "--no-learn", "--folder", folder),
        case="output unread",
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "report.html").is_file()


def test_long_output_ends_when_its_reader_closes(undisturbed: Path) -> None:
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
