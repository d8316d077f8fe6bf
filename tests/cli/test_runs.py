"""`platform runs`."""

from __future__ import annotations

from pathlib import Path

from citescape.runs import RunRecord, open_run
from tests.cli.conftest import Platform


def keep(runs: Path, record: RunRecord) -> None:
    with open_run(runs, record.id) as folder:
        folder.complete(record)


def test_what_was_kept_is_listed_the_latest_last(platform: Platform, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    settings = {"kind": "knn", "papers": "fulltext", "k": 5000, "normalise": "none"}
    made = "2026-01-0{}T10:30:00+00:00"
    keep(
        runs, RunRecord("network-2", "network", settings, {}, started=made.format(2), seconds=1.25)
    )
    keep(runs, RunRecord("embed-1", "embed", {"encoder": "/a/train-1"}, {}, started=made.format(1)))
    found = {"network": "network-2", "kind": "knn"}
    sizes = {"sizes": [50.0, 20.0], "seed": 0, "communities": []}
    keep(runs, RunRecord("cluster-3", "cluster", sizes, found, started=made.format(3)))
    assert platform("runs").out.splitlines() == [
        "run        started (UTC)     seconds  of",
        "embed-1    2026-01-01 10:30  0.0      train-1",
        "network-2  2026-01-02 10:30  1.2      knn, fulltext, k 5000, none",
        "cluster-3  2026-01-03 10:30  0.0      knn, network-2, sizes 50.0 20.0",
    ]
    only = platform("runs", "network").out.splitlines()
    assert [line.split()[0] for line in only] == ["run", "network-2"]
    (told,) = platform("runs", "embed", "--json").json["runs"]
    assert (told["run"], told["config"]) == ("embed-1", {"encoder": "/a/train-1"})


def test_evaluations_tell_what_of(platform: Platform, tmp_path: Path) -> None:
    """The benchmark by its run, and rankers in their order."""
    bench, digits = "benchmark-mdcr-0123456789ab", "ba9876543210"
    order = {"order": ["bm25", "minilm"]}
    names = {side: {"name": name} for side, name in (("training", "train-1"), ("benchmark", bench))}
    source = {"source": f"runs/{bench}/mdcr_test.json"}
    told = [
        (bench, {"year": 0}, {"models": {}, **order}, {}, "bm25 minilm"),
        (f"encode-{digits}", {"encoder": "a/b", "max_tokens": 64}, {}, {}, "b, max_tokens 64"),
        (f"evaluate-{digits}", {"benchmark": "pool"}, order, {}, "pool, bm25 minilm"),
        ("evaluate-1", {"benchmark": "mdcr"}, order, source, f"mdcr, {bench}, bm25 minilm"),
        (f"leakage-{digits}", {}, names, {}, f"train-1, {bench}"),
    ]
    for id_, config, inputs, counts, _ in told:
        command = id_.rpartition("-")[0]
        keep(tmp_path / "runs", RunRecord(id_, command, config, inputs, counts=counts))
    shown = {line.split()[0]: line for line in platform("runs").out.splitlines()}
    for id_, *_, text in told:
        assert shown[id_].endswith(f"  0.0      {text}")


def test_where_there_is_none_that_is_said(platform: Platform) -> None:
    assert platform("runs").out == "no runs in runs\n"
    assert platform("runs", "map").out == "no runs of `platform map` in runs\n"
    assert platform("runs", "--runs", "/absent", "--json").json == {"folder": "/absent", "runs": []}
