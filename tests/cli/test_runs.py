"""`platform runs`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import citescape
from citescape.runs.directory import RunRecord, open_run
from tests.cli.conftest import Made, Outcome, Platform


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
        "run        started (UTC)     seconds  settings",
        "embed-1    2026-01-01 10:30  0.0      train-1",
        "network-2  2026-01-02 10:30  1.2      knn, fulltext, k 5000, none",
        "cluster-3  2026-01-03 10:30  0.0      knn, network-2, sizes 50.0 20.0",
    ]
    only = platform("runs", "network").out.splitlines()
    assert [line.split()[0] for line in only] == ["run", "network-2"]
    assert platform("runs", "netwrok").out.endswith("it has runs of: cluster, embed, network\n")
    assert "folder nowhere does not exist" in platform("runs", "--runs", "nowhere").out
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
    assert platform("runs").out == "no runs: the folder runs does not exist\n"
    Path("runs").mkdir()
    assert platform("runs", "map").out == "no runs of `platform map` in runs\n"
    assert platform("runs", "--runs", "/absent", "--json").json == {"folder": "/absent", "runs": []}


@pytest.fixture(scope="module")
def mapped(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A store and runs of its own: a network, communities and topics besides the scores."""
    folder = tmp_path_factory.mktemp("mapped")
    shutil.copy(made.store, folder / "corpus.lbug")
    shutil.copytree(made.runs, folder / "runs")
    with citescape.open(folder / "corpus.lbug") as corpus:
        network = corpus.network.build("coupling")
        corpus.topics(corpus.cluster(network))
    return Made(made.papers, folder / "corpus.lbug", folder / "runs")


EXPORT = ("export", "gexf", "--out", "network.gexf")
SEARCHING = (
    ("runs",),
    ("runs", "--json"),
    ("runs", "network"),
    ("status",),
    ("network", "report"),
    ("cluster",),
    ("cluster", "--network", "coupling"),
    ("topics",),
    ("map",),
    ("evaluate", "accuracy", "--seeds", "1", "--resolutions", "6"),
    EXPORT,
    ("similar", "doi:10.1/x"),
    ("text", "sections", "label"),
    ("text", "intents", "label"),
    ("text", "abstracts", "label"),
    ("sample", "neighbourhood"),
    ("sample", "facet"),
    ("evaluate", "mdcr"),
    ("evaluate", "lcr"),
    ("evaluate", "report"),
    ("recommend", "--context", "a sentence", "--profiles", "profile-1"),
    ("train", "reranker"),
)
"""Commands that list runs or look for the last one of a kind; some find what they need, others say
what is missing."""


@pytest.mark.parametrize("arguments", SEARCHING, ids=" ".join)
def test_a_damaged_neighbour_adds_one_line_to_what_a_command_prints(
    platform: Platform, mapped: Made, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    store, runs = tmp_path / "corpus.lbug", tmp_path / "runs"

    def run(damaged: str) -> Outcome:
        shutil.rmtree(runs, ignore_errors=True)
        Path("network.gexf").unlink(missing_ok=True)
        shutil.copytree(mapped.runs, runs)
        shutil.copy(mapped.store, store)
        if damaged:
            (runs / "odd-1").mkdir()
            (runs / "odd-1" / "run.json").write_text(damaged)
        return platform(*arguments, "--store", store)

    before, after = run(""), run('{"id": "odd-1", "command": ["network"], "config": 5}')
    assert after.status == before.status
    assert len(after.out.splitlines()) == len(before.out.splitlines())
    told = [line for line in after.err.splitlines() if line not in before.err.splitlines()]
    assert [line.partition(": expected")[0] for line in told] == [
        f"warning: skipped a damaged run: {runs / 'odd-1' / 'run.json'}"
    ]


@pytest.mark.parametrize(
    ("command", "config"),
    [
        ("network", {}),
        ("cluster", {"resolutions": 5, "communities": "many"}),
        ("topics", {"level": 3}),
        ("map", {}),
        ("profile", {}),
        ("evaluate", {"order": 7}),
    ],
)
def test_a_run_that_lacks_what_its_command_records_is_listed_and_not_taken(
    platform: Platform, mapped: Made, tmp_path: Path, command: str, config: dict[str, object]
) -> None:
    """The youngest of its command; the one before is taken in its place."""
    store, runs = tmp_path / "corpus.lbug", tmp_path / "runs"
    shutil.copytree(mapped.runs, runs)
    shutil.copy(mapped.store, store)
    keep(runs, RunRecord(f"{command}-9", command, config, {}, started="2999"))
    assert platform("runs", "--store", store).out.splitlines()[-1].startswith(f"{command}-9 ")
    for arguments in (("network", "report"), ("cluster",), ("topics",), EXPORT):
        done = platform(*arguments, "--store", store)
        assert done.status == 0, done.err
        assert f"{command}-9" not in done.out
