"""Output of a command still exists when it ends: lost and replaced files are reported."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from citescape.core.errors import OutputError, StoreError
from citescape.core.outputs import (
    WatchedFile,
    filling,
    forget_outputs,
    note_writing,
    watch_output,
    watch_store,
    watched_outputs,
)


def replace_file(path: Path) -> None:
    other = path.with_name("other")
    other.write_text("of another process")
    other.replace(path)


def run_command(*steps: Callable[[], object]) -> None:
    """Runs actions of a command and of other processes."""
    with watched_outputs():
        for step in steps:
            step()


LOST: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "moved": lambda path: path.rename(path.with_name("elsewhere")),
    "replaced": replace_file,
    "folder deleted": lambda path: shutil.rmtree(path.parent),
}


@pytest.mark.parametrize("happens", [*LOST, "overwritten", "later"])
def test_a_written_file_must_still_exist(tmp_path: Path, happens: str) -> None:
    path = tmp_path / "out" / "report.csv"
    path.parent.mkdir()
    path.write_text("a,b\n")
    change = LOST | {
        "overwritten": lambda path: path.write_text("a\n"),
        "later": lambda path: os.utime(path, (1, 1)),
    }
    with pytest.raises(OutputError, match=r"report\.csv: .*another process.*run the same command"):
        run_command(lambda: watch_output(path), lambda: change[happens](path))


@pytest.mark.parametrize("happens", LOST)
def test_a_store_in_use_must_still_exist_and_may_grow(tmp_path: Path, happens: str) -> None:
    path = tmp_path / "out" / "s.lbug"
    path.parent.mkdir()
    path.write_text("a store")
    with watched_outputs() as watched:
        watch_store(WatchedFile.at(path, in_use=True))
        with path.open("a") as store:
            store.write("that grows")
        assert not watched.wrote, "it may have been opened to be read"
        note_writing()
        assert watched.wrote
    opened = WatchedFile.at(path, in_use=True)
    with pytest.raises(StoreError, match=r"s\.lbug: .*another process"):
        run_command(lambda: watch_store(opened), lambda: LOST[happens](path))


def test_a_replaced_store_is_not_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "s.lbug"
    path.write_text("a store")
    first = WatchedFile.at(path, in_use=True)
    replace_file(path)
    second = WatchedFile.at(path, in_use=True)
    reached: list[bool] = []
    with pytest.raises(StoreError, match="replaced it"):
        run_command(
            lambda: watch_store(first), lambda: watch_store(second), lambda: reached.append(True)
        )
    assert not reached


def test_files_of_a_run_must_still_exist_and_others_may_be_added(tmp_path: Path) -> None:
    for name in ("run.json", "parts/rows.parquet"):
        (tmp_path / "run" / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / "run" / name).write_text(name)
    with watched_outputs():
        watch_output(tmp_path / "run")
        (tmp_path / "run" / "more.csv").touch()
        (tmp_path / "run" / "run.json").write_text("written anew by the command")
        watch_output(tmp_path / "run" / "run.json")
    with pytest.raises(OutputError, match=r"rows\.parquet"):
        run_command(
            lambda: watch_output(tmp_path / "run"), (tmp_path / "run/parts/rows.parquet").unlink
        )


def test_a_file_deleted_at_once_is_reported(tmp_path: Path) -> None:
    with watched_outputs(), pytest.raises(OutputError, match="deleted or moved it"):
        watch_output(tmp_path / "gone")


def test_temporary_folders_need_not_last(tmp_path: Path) -> None:
    (tmp_path / "aside").mkdir()
    (tmp_path / "aside" / "rows").touch()
    with watched_outputs():
        watch_output(tmp_path / "aside" / "rows")
        shutil.rmtree(tmp_path / "aside")
        forget_outputs(tmp_path / "aside")


def test_lost_files_explain_an_error_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.touch()
    with pytest.raises(ZeroDivisionError):
        run_command(lambda: watch_output(path), lambda: 1 / 0)
    with pytest.raises(OutputError, match="rows") as caught:
        run_command(lambda: watch_output(path), path.unlink, lambda: 1 / 0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert str(caught.value).endswith("the command failed by: division by zero")


def test_outside_a_command_nothing_is_recorded(tmp_path: Path) -> None:
    (tmp_path / "rows").touch()
    watch_output(tmp_path / "rows")
    with watched_outputs() as watched:
        assert (watched.files, watched.wrote) == ({}, False)


def fill(aside: Path, place: Path, *, file: Path) -> None:
    with filling(aside, place):
        file.write_text("rows")


def test_a_folder_that_vanishes_during_a_write_is_reported(tmp_path: Path) -> None:
    aside, place = tmp_path / "aside", tmp_path / "run-1"
    with pytest.raises(OutputError, match=r"run-1: .*deleted or moved"):
        fill(aside, place, file=aside / "rows")
    aside.mkdir()
    with pytest.raises(FileNotFoundError):
        fill(aside, place, file=tmp_path / "nowhere" / "rows")


def test_a_full_disk_is_reported_with_advice(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="No space left on device; make room and run the same"):
        fill(tmp_path, tmp_path / "run-1", file=Path("/dev/full"))
