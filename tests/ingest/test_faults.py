"""Faults in real processes: each gives one line and status 1, and a rerun completes the work."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from citescape.core.errors import CitescapeError
from citescape.core.progress import silent
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.papers.removal import remove_papers
from citescape.store.graph_store import open_store
from citescape.store.schema import SCHEMA_VERSION
from citescape.store.state import write_meta
from tests.forks import COMMAND_LINE, shared_forks
from tests.ingest.killed import kill_ingest
from tests.ingest.papers import jats, load, small_corpus, snapshot, write_files


def platform(*arguments: object, before: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a command line in a process of its own, after the statement `before`."""
    return shared_forks().run(f"{before}\n{COMMAND_LINE}", *arguments)


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """The last line of a failed command; progress and warnings come before it."""
    lines = [line for line in done.stderr.splitlines() if line.startswith("platform: ")]
    assert done.returncode == 1, done.stderr
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    return lines[0]


def read_content(path: Path) -> dict[str, list[str]]:
    store = open_store(str(path), read_only=True)
    try:
        return snapshot(store)
    finally:
        store.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("papers")
    write_files(path, small_corpus(8))
    return path


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> dict[str, list[str]]:
    path = tmp_path_factory.mktemp("whole") / "s.lbug"
    store = open_store(str(path))
    load(store, folder)
    store.close()
    return read_content(path)


@pytest.mark.parametrize("statements", [10, 30, 60, 85, 110])
def test_a_killed_ingest_is_completed_by_running_it_again(
    folder: Path, undisturbed: dict[str, list[str]], tmp_path: Path, statements: int
):
    """The ingest is killed before a statement: in the first batch, between batches, resolving."""
    path = tmp_path / "s.lbug"
    acknowledged = kill_ingest(
        path, [folder], reader="parse", statements=statements, batch_papers=4
    )
    store = open_store(str(path))
    try:
        n = store.read("MATCH (p:Paper) WHERE p.fulltext RETURN count(*) AS n")["n"][0].as_py()
        assert n >= max(acknowledged, default=0), "what was acknowledged is there"
        assert n % 4 == 0, "a batch is there as a whole or not at all"
        load(store, folder)
    finally:
        store.close()
    assert read_content(path) == undisturbed


def test_a_command_killed_at_any_moment_is_completed_by_running_it_again(
    folder: Path, undisturbed: dict[str, list[str]], tmp_path: Path
):
    path = tmp_path / "s.lbug"
    arguments = ("ingest", folder, "--workers", 1, "--store", path)
    for seconds in (0.1, 0.4):
        with shared_forks().start(COMMAND_LINE, *arguments) as process:
            time.sleep(seconds)
            process.kill()
    done = platform(*arguments)
    assert done.returncode == 0, done.stderr
    assert read_content(path) == undisturbed


def test_a_locked_store_names_the_process_that_holds_it(folder: Path, tmp_path: Path):
    store = open_store(str(tmp_path / "s.lbug"))
    try:
        line = one_line(platform("ingest", folder, "--store", tmp_path / "s.lbug"))
    finally:
        store.close()
    assert f"in use by process {os.getpid()}" in line


def test_a_store_of_another_schema_version_names_migrate(folder: Path, tmp_path: Path):
    path = tmp_path / "s.lbug"
    for version, hint in (
        (SCHEMA_VERSION - 1, "platform doctor --migrate"),
        (SCHEMA_VERSION + 1, "update"),
    ):
        store = open_store(str(path)) if not path.exists() else None
        if store is None:
            path.unlink()
            store = open_store(str(path))
        write_meta(store, "schema_version", str(version))
        store.close()
        line = one_line(platform("ingest", folder, "--store", path))
        assert f"schema version {version}" in line
        assert hint in line


def test_invalid_stores_are_refused(folder: Path, tmp_path: Path):
    (tmp_path / "garbage").write_bytes(b"garbage" * 1000)
    line = one_line(platform("ingest", folder, "--store", tmp_path / "garbage"))
    assert "is not a ladybug database" in line
    assert (tmp_path / "garbage").read_bytes() == b"garbage" * 1000
    line = one_line(platform("ingest", folder, "--store", tmp_path / "garbage" / "s.lbug"))
    assert "cannot be created: File exists; name another path" in line


def test_missing_paths_and_truncated_archives_are_reported(folder: Path, tmp_path: Path):
    store = tmp_path / "s.lbug"
    line = one_line(platform("ingest", tmp_path / "nowhere", "--store", store))
    assert "no such file or folder" in line
    assert not store.exists()
    (tmp_path / "cut.tar.gz").write_bytes(b"\x1f\x8b\x08\x00")
    line = one_line(platform("ingest", tmp_path / "cut.tar.gz", "--store", store))
    assert "cut off or damaged" in line


def test_invalid_papers_are_rejected_and_others_loaded(tmp_path: Path):
    write_files(tmp_path, [b"not xml", b"<html/>"])
    done = platform("ingest", tmp_path, "--workers", 1, "--store", tmp_path / "s.lbug")
    assert done.returncode == 1
    rejections = [line for line in done.stderr.splitlines() if line.startswith("rejected")]
    assert len(rejections) == 2
    write_files(tmp_path, [b"not xml", b"<html/>", jats(1)])
    done = platform("ingest", tmp_path, "--workers", 1, "--store", tmp_path / "s.lbug")
    assert done.returncode == 0


@pytest.mark.parametrize("limit", [100_000, 400_000])
def test_a_file_size_limit_is_reported_and_a_rerun_completes(
    folder: Path, undisturbed: dict[str, list[str]], tmp_path: Path, limit: int
):
    path = tmp_path / "s.lbug"
    bound = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))"
    arguments = ("ingest", folder, "--workers", 1, "--store", path)
    line = one_line(platform(*arguments, before=bound))
    assert "the disk is full or a limit reached" in line
    assert platform(*arguments).returncode == 0
    assert read_content(path) == undisturbed


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 600 kB."""
    path = tmp_path / "disk"
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=600k", "none", str(path)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mounting a small disk is not permitted here")
    yield path
    subprocess.run(["umount", str(path)], check=True)


def test_a_full_disk_is_reported_and_a_rerun_with_space_completes(
    folder: Path, undisturbed: dict[str, list[str]], small_disk: Path
):
    arguments = ("ingest", folder, "--workers", 1, "--store", small_disk / "s.lbug")
    assert "the disk is full" in one_line(platform(*arguments))
    subprocess.run(["mount", "-o", "remount,size=60m", str(small_disk)], check=True)
    assert platform(*arguments).returncode == 0
    assert read_content(small_disk / "s.lbug") == undisturbed


@pytest.mark.parametrize("size", ["600k", "3m"])
def test_status_on_a_full_disk_names_the_next_step(
    folder: Path, undisturbed: dict[str, list[str]], small_disk: Path, size: str
):
    subprocess.run(["mount", "-o", f"remount,size={size}", str(small_disk)], check=True)
    store = small_disk / "s.lbug"
    write_files(small_disk.parent / "more", small_corpus(60))
    arguments = ("ingest", small_disk.parent / "more", "--workers", 1, "--store", store)
    assert "the disk is full" in one_line(platform(*arguments))
    status = platform("status", "--store", store)
    output = status.stdout + status.stderr
    if size == "600k":  # nothing was written
        assert "there are no papers yet" in output
    else:
        assert "interrupted" in output
        assert f"`platform ingest PATH --store {store}` again" in output or status.returncode == 1
        assert "free some space" in output
    subprocess.run(["mount", "-o", "remount,size=200m", str(small_disk)], check=True)
    status = platform("status", "--store", store)
    assert status.returncode == 0, status.stderr
    assert "to do: run `platform " in status.stdout
    assert platform(*arguments).returncode == 0
    assert "low on disk" not in platform("status", "--store", store).stdout


def test_a_log_deleted_during_an_ingest_loses_nothing(
    folder: Path, undisturbed: dict[str, list[str]], tmp_path: Path
):
    """The log that ladybug keeps beside the store: the open store still has its content."""
    store = open_store(str(tmp_path / "s.lbug"))
    load(store, folder, batch=4)
    for path in (tmp_path / "s.lbug.wal", tmp_path / "s.lbug.wal.checkpoint"):
        path.unlink(missing_ok=True)
    load(store, *write_files(tmp_path / "other", [jats(99)]), batch=1)
    remove_papers(store, ["10.1000/99"], progress=silent)
    store.close()
    store = open_store(str(tmp_path / "s.lbug"))
    load(store, folder)
    store.close()
    assert read_content(tmp_path / "s.lbug") == undisturbed


def test_a_worker_that_dies_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The first worker is killed as soon as it exists, as the kernel does without free memory."""
    from concurrent.futures import ProcessPoolExecutor

    papers = [jats(i) for i in range(80)]
    write_files(tmp_path / "in", papers)
    submit = ProcessPoolExecutor.submit

    def submit_and_kill(self, *arguments):  # type: ignore[no-untyped-def]
        future = submit(self, *arguments)
        for pid in list(self._processes):
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
        return future

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit_and_kill)
    store = open_store(str(tmp_path / "s.lbug"))
    try:
        with pytest.raises(CitescapeError, match=r"a worker process died.*fewer --workers"):
            ingest(store, [tmp_path / "in"], IngestConfig(workers=2))
    finally:
        store.close()
