"""Stored results of any command, in run directories."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.judge import AccuracyRun
from citescape.mapping.communities.topics import TopicsRun
from citescape.mapping.maps.map_run import MapRun
from citescape.networks.build import NetworkRun
from citescape.runs.directory import RunRecord, command_words, open_run
from citescape.runs.kept import KeptRun, find_kept, list_kept, open_kept
from citescape.runs.record import DamagedRunWarning

KINDS = (NetworkRun, ClusterRun, AccuracyRun, TopicsRun, MapRun)
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.command)


def keep(kind: type[KeptRun], runs: Path, digits: str) -> str:
    """Larger digits mean a later run."""
    id_ = f"{kind.command}-{digits}"
    searched = {
        part: {entry.partition(".")[2]: "x" for entry in kind.required if entry.startswith(part)}
        for part in ("config", "inputs")
    }
    record = RunRecord(
        id_, kind.command, **searched, counts={"papers": 2}, started=f"2020-01-{digits}"
    )
    with open_run(runs, id_) as folder:
        pq.write_table(pa.table({"id": ["a", "b"]}), folder.path / "papers.parquet")
        folder.complete(record)
    return id_


@every_kind
def test_a_run_is_found_by_id_by_folder_or_as_the_latest(
    kind: type[KeptRun], tmp_path: Path
) -> None:
    first, last = keep(kind, tmp_path, "01"), keep(kind, tmp_path, "02")
    assert [run.run for run in list_kept(kind, tmp_path)] == [first, last]
    for named in (first, str(tmp_path / first)):
        result = find_kept(kind, tmp_path, named)
        assert (result.run, result.path, result.unchanged) == (first, tmp_path / first, True)
        assert result.counts == {"papers": 2}
    assert find_kept(kind, tmp_path).run == last


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.required])
def test_runs_without_the_searched_entry_are_named_and_skipped(
    kind: type[KeptRun], tmp_path: Path
) -> None:
    first = keep(kind, tmp_path, "01")
    incomplete = f"{kind.command}-02"
    with open_run(tmp_path, incomplete) as folder:
        folder.complete(RunRecord(incomplete, kind.command, {}, {}, started="2020-01-02"))
    with pytest.warns(
        DamagedRunWarning, match=rf"{incomplete}/run\.json: expected {kind.required[0]}"
    ):
        assert [run.run for run in list_kept(kind, tmp_path)] == [first]
    with pytest.warns(DamagedRunWarning):
        assert find_kept(kind, tmp_path).run == first
    with pytest.raises(SourceError, match=f"expected {kind.required[0]} in the record"):
        find_kept(kind, tmp_path, incomplete)


@every_kind
def test_missing_runs_and_runs_of_other_commands_are_reported(
    kind: type[KeptRun], tmp_path: Path
) -> None:
    make = f"`platform {command_words(kind.command)} --store x.lbug`"
    with pytest.raises(
        ConfigError, match=rf"no {kind.noun} in .*; expected a run of .*: create one with {make}"
    ):
        find_kept(kind, tmp_path, location="x.lbug")
    run = keep(kind, tmp_path, "01")
    other = keep(next(other_kind for other_kind in KINDS if other_kind is not kind), tmp_path, "02")
    command = other.partition("-")[0]
    expected = f"expected a run of `platform {command_words(kind.command)}`: {run}"
    message = f"is a run of `platform {command_words(command)}`; {expected}"
    for named in (other, str(tmp_path / other)):
        assert open_kept(kind, tmp_path, named) is None
        with pytest.raises(ConfigError, match=message):
            find_kept(kind, tmp_path, named)
    with pytest.raises(ConfigError, match=f"no run 'absent' in .*: {run}"):
        find_kept(kind, tmp_path, "absent")
    assert open_kept(kind, tmp_path, "") is None


@every_kind
def test_damaged_and_missing_files_of_a_run_are_reported(
    kind: type[KeptRun], tmp_path: Path
) -> None:
    run = find_kept(kind, tmp_path, keep(kind, tmp_path, "01"))
    assert run.read_table("papers.parquet", "id").to_pydict() == {"id": ["a", "b"]}
    message = (
        f"papers.parquet: expected a file of `platform {command_words(kind.command)}`; found: "
    )
    with pytest.raises(SourceError, match=message + '.*"x".*; move the folder away'):
        run.read_table("papers.parquet", "id", "x")
    (run.path / "papers.parquet").write_bytes(b"cut")
    with pytest.raises(SourceError, match=message):
        run.read_table("papers.parquet")
    (run.path / "papers.parquet").unlink()
    with pytest.raises(SourceError, match=message):
        run.read_table("papers.parquet")
