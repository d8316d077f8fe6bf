"""Run directories: complete or absent, never overwritten, readable again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.core.locks import alone, read_whole_lines
from citescape.runs.directory import (
    RunRecord,
    Stopwatch,
    check_writable,
    find_run,
    library_versions,
    list_runs,
    open_run,
    read_run,
    record_run,
    replace_record,
    run_id,
    unfinished_folder,
)
from citescape.runs.record import DamagedRunWarning
from citescape.store.ladybug.adapter import LadybugStore

RECORD = RunRecord("toy-1", "toy", {"k": 5}, {"pairs": "abc"}, seed=3, counts={"rows": 2})
TABLES = (pa.table({"x": [1, 2]}), pa.table({"x": [3]}))


def write(runs: Path, record: RunRecord = RECORD) -> Path:
    with open_run(runs, record.id) as directory:
        directory.write_parquet("rows.parquet", TABLES)
        return directory.complete(record)


def test_a_run_contains_results_and_record(tmp_path: Path) -> None:
    path = write(tmp_path / "a" / "runs")
    assert path == tmp_path / "a" / "runs" / "toy-1" == find_run(path.parent, "toy-1")
    assert pq.read_table(path / "rows.parquet")["x"].to_pylist() == [1, 2, 3]
    assert read_run(path) == RECORD
    assert sorted(p.name for p in path.iterdir()) == ["rows.parquet", "run.json"]


def test_the_id_depends_only_on_configuration_and_inputs() -> None:
    first = run_id("score", {"a": 1, "b": (2,)}, {"x": "y"})
    assert first == run_id("score", {"b": [2], "a": 1}, {"x": "y"})
    assert len({first, run_id("score", {"a": 2}, {"x": "y"}), run_id("score", {"a": 1}, {})}) == 3
    name, _, digits = first.rpartition("-")
    assert (name, len(digits)) == ("score", 12)


def test_a_new_version_of_a_command_makes_other_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results of an earlier version of a command are not reused."""
    before = [run_id(command, {"k": 5}, {}) for command in ("toy", "other")]
    monkeypatch.setattr("citescape.runs.directory._REVISIONS", {"toy": 2})
    after = [run_id(command, {"k": 5}, {}) for command in ("toy", "other")]
    assert (before[0] != after[0], before[1] == after[1]) == (True, True)


def test_a_complete_run_is_not_written_again(tmp_path: Path) -> None:
    path = write(tmp_path)
    before = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in path.iterdir()}
    write(tmp_path, RunRecord("toy-1", "toy", {"k": 6}, {}))
    assert {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in path.iterdir()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["toy-1"]


def test_a_failed_run_leaves_no_files(tmp_path: Path) -> None:
    def fail() -> None:
        with open_run(tmp_path, "toy-1") as directory:
            directory.write_parquet("rows.parquet", TABLES)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


KILLED = """
import os, signal, sys
from pathlib import Path
from citescape.runs.directory import open_run
with open_run(Path(sys.argv[1]), "toy-1") as directory:
    (directory.path / "half").write_text("a result")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_run_is_not_listed_and_the_next_run_removes_it(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], env=env, check=False)
    (left,) = tmp_path.iterdir()
    assert left.name.endswith(".partial")
    assert find_run(tmp_path, "toy-1") is None
    write(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["toy-1"]


KILLED_BEFORE_RENAMING = """
import os, signal, sys
from pathlib import Path
from citescape.runs.directory import RunRecord, open_run
Path.rename = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
with open_run(Path(sys.argv[1]), "toy-1") as directory:
    directory.complete(RunRecord("toy-1", "toy", {}, {}))
"""


def test_a_run_killed_before_the_rename_is_not_listed(tmp_path: Path) -> None:
    """The run has a record, but its files may not be on disk; the next such run removes it."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    script = [sys.executable, "-c", KILLED_BEFORE_RENAMING, str(tmp_path)]
    assert subprocess.run(script, env=env, check=False).returncode == -signal.SIGKILL
    assert [path.parent.suffix for path in tmp_path.glob("*/run.json")] == [".partial"]
    assert list_runs(tmp_path, "toy") == list_runs(tmp_path, "") == []
    write(tmp_path)
    assert [path.name for _, path in list_runs(tmp_path, "")] == ["toy-1"]


KILLED_BEFORE_REPLACING = """
import os, signal, sys
from pathlib import Path
from citescape.runs.directory import read_run, replace_record
Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
replace_record(Path(sys.argv[1]), read_run(Path(sys.argv[1])))
"""


def test_a_killed_update_of_a_record_is_removed_by_the_next_run(tmp_path: Path) -> None:
    path = write(tmp_path)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    script = [sys.executable, "-c", KILLED_BEFORE_REPLACING, str(path)]
    assert subprocess.run(script, env=env, check=False).returncode == -signal.SIGKILL
    (left,) = path.glob(".run.json.*")
    assert read_run(path) == RECORD
    living = left.rename(left.with_suffix(f".{os.getppid()}"))
    left.write_text("{")
    replace_record(path, replace(RECORD, counts={"rows": 3}))
    assert read_run(path).counts == {"rows": 3}
    assert sorted(p.name for p in path.iterdir()) == [living.name, "rows.parquet", "run.json"]


def test_files_of_a_running_process_are_not_removed(tmp_path: Path) -> None:
    with open_run(tmp_path, "toy-1") as directory:
        own = directory.path.name
    other = tmp_path / own.replace(f".{os.getpid()}.", f".{os.getppid()}.")
    other.mkdir()
    write(tmp_path)
    assert other.is_dir()


def test_files_of_another_machine_are_not_removed(tmp_path: Path) -> None:
    """No process here has its number, but the process may run on the other machine."""
    other = tmp_path / f".toy-1.0123ab.{2**22 + 1}.partial"
    other.mkdir()
    write(tmp_path)
    assert other.is_dir()


def test_other_folders_are_not_touched(tmp_path: Path) -> None:
    (tmp_path / "toy-1").mkdir()
    (tmp_path / "toy-1" / "mine.txt").write_text("mine")
    with pytest.raises(ConfigError, match=r"toy-1 exists but holds no run\.json.*move it away"):
        write(tmp_path)
    assert (tmp_path / "toy-1" / "mine.txt").read_text() == "mine"


def test_a_folder_that_appears_during_a_run_is_kept(tmp_path: Path) -> None:
    with open_run(tmp_path / "runs", "toy-1") as directory:
        assert directory.path.is_dir()
        other = write(tmp_path / "others")
        other.rename(tmp_path / "runs" / "toy-1")
        before = (tmp_path / "runs" / "toy-1" / "run.json").stat()
        path = directory.complete(RECORD)
    assert (path / "run.json").stat() == before
    with open_run(tmp_path / "runs", "toy-2") as directory:
        (tmp_path / "runs" / "toy-2").mkdir()
        (tmp_path / "runs" / "toy-2" / "mine.txt").write_text("mine")
        with pytest.raises(ConfigError, match=r"toy-2 exists but holds no run\.json"):
            directory.complete(RunRecord("toy-2", "toy", {}, {}))
    assert sorted(p.name for p in (tmp_path / "runs").iterdir()) == ["toy-1", "toy-2"]


def test_an_unwritable_runs_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(ConfigError, match=r"cannot write run directories in .*; name a folder"):
        write(tmp_path / "runs")
    with pytest.raises(ConfigError, match=r"cannot write run directories in .*; name a folder"):
        check_writable(tmp_path / "runs" / "below")
    check_writable(tmp_path / "to be" / "made")
    assert list((tmp_path / "to be" / "made").iterdir()) == []
    with pytest.raises(ConfigError, match="expected a-z, 0-9 and '-'"):
        write(tmp_path, RunRecord("../x", "toy", {}, {}))


WHOLE = json.dumps(asdict(RECORD))
NESTED = '{"a": ' * 100_000 + "1" + "}" * 100_000


def altered(**fields: object) -> str:
    return json.dumps({**asdict(RECORD), **fields})


DAMAGED: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "an empty file"),
    "white space": (" \n", "an empty file"),
    "cut off": (WHOLE[:-20], "line 1 column"),
    "no JSON": ("run toy-1\n", "line 1 column"),
    "a list": ("[]", "JSON that is not an object"),
    "null": ("null", "JSON that is not an object"),
    "too few fields": ('{"id": "toy-1"}', "no command, config, inputs"),
    "unknown fields": (altered(later=1), "unknown later"),
    "no UTF-8": (WHOLE.replace("toy", "t\xf6y").encode("latin-1"), "can't decode byte 0xf6"),
    "a number as command": (altered(command=5), "another type of command"),
    "a list as command": (altered(command=["toy"]), "another type of command"),
    "no id": (altered(id=None), "another type of id"),
    "a path as id": (altered(id="../toy-1"), "another type of id"),
    "a list as config": (altered(config=[1]), "another type of config"),
    "null as inputs": (altered(inputs=None), "another type of inputs"),
    "a number as start": (altered(started=2020), "another type of started"),
    "text as seconds": (altered(seconds="1"), "another type of seconds"),
    "null as counts": (altered(counts=None), "another type of counts"),
    "NaN": (altered(seconds=float("nan")), "Out of range float"),
    "NaN within": (altered(config={"k": [float("inf")]}), "Out of range float"),
    "a number too large": (WHOLE.replace("5", "1e999"), "Out of range float"),
    "too many digits": (WHOLE.replace("5", "5" * 5_000), "a number of too many digits"),
    "nested deeply": (WHOLE.replace("5", NESTED), "recursion"),
    "half a character": (WHOLE.replace('"toy"', '"\\ud83c"'), "surrogates not allowed"),
}
"""Damaged contents of `run.json`, and the reason in the warning."""


@pytest.mark.parametrize(("content", "message"), DAMAGED.values(), ids=list(DAMAGED))
def test_a_damaged_run_gives_one_warning_and_others_are_listed(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    write(tmp_path, RunRecord("toy-2", "toy", {}, {}, started="2021"))
    write(tmp_path, RunRecord("toy-3", "toy", {}, {}, started="2020"))
    (tmp_path / "odd").mkdir()
    damaged = tmp_path / "odd" / "run.json"
    damaged.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(SourceError, match=r"run\.json: expected the record of a run; found: "):
        read_run(damaged.parent)
    for command in ("toy", ""):
        with pytest.warns(DamagedRunWarning) as caught:
            runs = list_runs(tmp_path, command)
        assert [record.id for record, _ in runs] == ["toy-3", "toy-2"]
        (warning,) = caught
        assert str(damaged) in str(warning.message)
        assert message in str(warning.message)
        assert "move the folder away" in str(warning.message)
        assert "\n" not in str(warning.message)
        assert "set_int_max_str_digits" not in str(warning.message)


def _make_folder(path: Path) -> None:
    path.mkdir()


def _make_pipe(path: Path) -> None:
    os.mkfifo(path)


def _make_endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _make_huge(path: Path) -> None:
    path.write_text(WHOLE)
    os.truncate(path, 1 << 40)  # a sparse file: it takes no space on disk


@pytest.mark.parametrize("make", [_make_folder, _make_pipe, _make_endless, _make_huge])
def test_unreadable_run_files_are_reported(tmp_path: Path, make: Callable[[Path], None]) -> None:
    write(tmp_path)
    (tmp_path / "odd").mkdir()
    make(tmp_path / "odd" / "run.json")
    with pytest.warns(DamagedRunWarning, match=r"odd/run\.json") as caught:
        assert [record for record, _ in list_runs(tmp_path, "toy")] == [RECORD]
    assert len(caught) == 1


def test_the_old_name_of_the_request_is_read(tmp_path: Path) -> None:
    file = write(tmp_path, replace(RECORD, request={"store": "a.lbug"})) / "run.json"
    file.write_text(file.read_text().replace('"request"', '"asked"'))
    assert read_run(file.parent).request == {"store": "a.lbug"}


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read every file")
def test_a_record_without_read_permission_is_named(tmp_path: Path) -> None:
    write(tmp_path)
    unreadable = write(tmp_path, RunRecord("toy-2", "toy", {}, {})) / "run.json"
    unreadable.chmod(0)
    with pytest.warns(DamagedRunWarning, match="Permission denied"):
        assert [record for record, _ in list_runs(tmp_path, "toy")] == [RECORD]


def test_runs_of_a_command_are_listed_latest_last(tmp_path: Path) -> None:
    for name, command, started in (("b", "toy", "2020"), ("a", "toy", "2021"), ("c", "x", "2022")):
        write(tmp_path, RunRecord(name, command, {}, {}, started=started))
    (tmp_path / "nothing").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "gone").symlink_to("absent")
    (tmp_path / ".toy-1.partial").mkdir()
    (tmp_path / ".toy-1.partial" / "run.json").write_text("{ being written")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        runs = list_runs(tmp_path, "toy")
        assert list_runs(tmp_path / "none", "toy") == []
    assert [(record.id, path.name) for record, path in runs] == [("b", "b"), ("a", "a")]


HOLD = """
import sys
from dataclasses import replace
from pathlib import Path
from citescape.core.locks import alone
with alone(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_unfinished_work_is_locked_by_one_process(tmp_path: Path) -> None:
    folder = unfinished_folder(tmp_path, "toy-1")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(ConfigError, match="another process does the same work"), alone(folder):
            pass
        other.kill()
    with alone(folder):
        assert folder.is_dir()
    fresh = unfinished_folder(tmp_path, "toy-2")
    with alone(fresh):
        (fresh / "rows").touch()
    assert not fresh.exists(), "nothing was kept in it"
    with alone(fresh):
        (fresh / "rows").write_text("one")
    assert (fresh / "rows").is_file()


def test_unfinished_work_of_other_processes_is_kept(tmp_path: Path) -> None:
    """The folder existed before, or another process has created it since."""
    own = tmp_path / "own"
    own.mkdir()
    (own / ".gitkeep").touch()
    with alone(own):
        pass
    assert (own / ".gitkeep").is_file()
    folder = unfinished_folder(tmp_path, "toy-1")
    with alone(folder):
        shutil.rmtree(folder)
        folder.mkdir()
        (folder / "lock").touch()
    assert (folder / "lock").is_file()
    with pytest.raises(BlockingIOError, match="own"), alone(folder):
        raise BlockingIOError("the work's own")


def test_complete_lines_are_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    assert read_whole_lines(path) == []
    assert not path.exists()
    path.write_bytes(b"one\ntwo\nth")
    assert read_whole_lines(path) == [b"one", b"two"]
    assert path.read_bytes() == b"one\ntwo\n"
    before = path.stat().st_mtime_ns
    assert read_whole_lines(path) == [b"one", b"two"]
    assert path.stat().st_mtime_ns == before


def test_a_stopwatch_records_time_and_memory() -> None:
    clock = Stopwatch()
    for _ in range(2):
        with clock.timed("count"):
            sum(range(1000))
    record = clock.stop(RECORD)
    assert set(record.timings) == {"count"}
    assert 0 <= record.timings["count"] <= record.seconds
    assert record.peak_memory_mb > 10
    assert record.started.endswith("+00:00")


def test_the_graph_keeps_the_record_once(tmp_path: Path) -> None:
    store = LadybugStore.open(str(tmp_path / "x.lbug"))
    assert record_run(store, RECORD)
    assert not record_run(store, RunRecord("toy-1", "toy", {"k": 6}, {}))
    row = store.read("MATCH (r:Run) RETURN r.id AS id, r.config AS config, r.counts AS counts")
    assert row.to_pylist() == [{"id": "toy-1", "config": '{"k": 5}', "counts": '{"rows": 2}'}]
    store.close()


def test_versions_of_installed_libraries() -> None:
    versions = library_versions("numpy", "no-such-distribution")
    assert set(versions) == {"python", "citescape", "numpy"}
    assert json.dumps(versions)
