"""Output of `platform runs`, and damaged runs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import citescape
from citescape.runs.directory import RunRecord, open_run
from tests.cli.conftest import GeneratedCorpus, Outcome, Platform


def keep(runs: Path, record: RunRecord) -> None:
    with open_run(runs, record.id) as folder:
        folder.complete(record)


def test_runs_are_listed_latest_last(platform: Platform, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    settings = {"kind": "knn", "papers": "fulltext", "k": 5000, "normalise": "none"}
    started = "2026-01-0{}T10:30:00+00:00"
    keep(
        runs,
        RunRecord("network-2", "network", settings, {}, started=started.format(2), seconds=1.25),
    )
    keep(
        runs,
        RunRecord("embed-1", "embed", {"encoder": "/a/train-1"}, {}, started=started.format(1)),
    )
    network = {"network": "network-2", "kind": "knn"}
    sizes = {"sizes": [50.0, 20.0], "seed": 0, "communities": []}
    keep(runs, RunRecord("cluster-3", "cluster", sizes, network, started=started.format(3)))
    weights = {"components": ["I", "S"], "weights": {"I": 0.13367, "S": 0.0}}
    keep(runs, RunRecord("score-4", "score", weights, {}, started=started.format(4)))
    assert platform("runs").out.splitlines() == [
        "run        started (UTC)     seconds  settings",
        "embed-1    2026-01-01 10:30  0.0      train-1",
        "network-2  2026-01-02 10:30  1.2      knn, fulltext, k 5000, none",
        "cluster-3  2026-01-03 10:30  0.0      knn, network-2, sizes 50.0 20.0",
        "score-4    2026-01-04 10:30  0.0      components I S, I 0.134 S 0",
    ]
    only = platform("runs", "network").out.splitlines()
    assert [line.split()[0] for line in only] == ["run", "network-2"]
    assert platform("runs", "netwrok").out.endswith(
        "it has runs of: cluster, embed, network, score\n"
    )
    assert "folder nowhere does not exist" in platform("runs", "--runs", "nowhere").out
    (run,) = platform("runs", "embed", "--json").json["runs"]
    assert (run["run"], run["config"]) == ("embed-1", {"encoder": "/a/train-1"})


def test_evaluations_are_listed_with_benchmark_and_rankers(
    platform: Platform, tmp_path: Path
) -> None:
    """Evaluations are listed with their benchmark and their rankers in order."""
    bench, digits = "benchmark-mdcr-0123456789ab", "ba9876543210"
    order = {"order": ["bm25", "minilm"]}
    names = {side: {"name": name} for side, name in (("training", "train-1"), ("benchmark", bench))}
    source = {"source": f"runs/{bench}/mdcr_test.json"}
    records = [
        (bench, {"year": 0}, {"models": {}, **order}, {}, "bm25 minilm"),
        (f"encode-{digits}", {"encoder": "a/b", "max_tokens": 64}, {}, {}, "b, max_tokens 64"),
        (f"evaluate-{digits}", {"benchmark": "pool"}, order, {}, "pool, bm25 minilm"),
        ("evaluate-1", {"benchmark": "mdcr"}, order, source, f"mdcr, {bench}, bm25 minilm"),
        (f"leakage-{digits}", {}, names, {}, f"train-1, {bench}"),
    ]
    for id_, config, inputs, counts, _ in records:
        command = id_.rpartition("-")[0]
        keep(tmp_path / "runs", RunRecord(id_, command, config, inputs, counts=counts))
    shown = {line.split()[0]: line for line in platform("runs").out.splitlines()}
    for id_, *_, text in records:
        assert shown[id_].endswith(f"  0.0      {text}")


def test_an_empty_list_of_runs_is_reported(platform: Platform) -> None:
    assert platform("runs").out == "no runs: the folder runs does not exist\n"
    Path("runs").mkdir()
    assert platform("runs", "map").out == "no runs of `platform map` in runs\n"
    assert platform("runs", "--runs", "/absent", "--json").json == {"folder": "/absent", "runs": []}


@pytest.fixture(scope="module")
def mapped(generated: GeneratedCorpus, tmp_path_factory: pytest.TempPathFactory) -> GeneratedCorpus:
    """A copy of the store, and runs: a network, communities and topics besides scores."""
    folder = tmp_path_factory.mktemp("mapped")
    shutil.copy(generated.store, folder / "corpus.lbug")
    shutil.copytree(generated.runs, folder / "runs")
    with citescape.open(folder / "corpus.lbug") as corpus:
        network = corpus.network.build("coupling")
        corpus.topics(corpus.cluster(network))
    return GeneratedCorpus(generated.papers, folder / "corpus.lbug", folder / "runs")


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
"""Commands that list runs or look for the latest run of a kind; some of them fail."""


@pytest.mark.parametrize("arguments", SEARCHING, ids=" ".join)
def test_a_damaged_run_adds_one_warning_to_the_output(
    platform: Platform, mapped: GeneratedCorpus, tmp_path: Path, arguments: tuple[str, ...]
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
    warnings = [line for line in after.err.splitlines() if line not in before.err.splitlines()]
    assert [line.partition(": expected")[0] for line in warnings] == [
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
def test_an_incomplete_run_is_listed_but_not_used(
    platform: Platform,
    mapped: GeneratedCorpus,
    tmp_path: Path,
    command: str,
    config: dict[str, object],
) -> None:
    """The damaged run is the latest of its command; the run before is used."""
    store, runs = tmp_path / "corpus.lbug", tmp_path / "runs"
    shutil.copytree(mapped.runs, runs)
    shutil.copy(mapped.store, store)
    keep(runs, RunRecord(f"{command}-9", command, config, {}, started="2999"))
    assert platform("runs", "--store", store).out.splitlines()[-1].startswith(f"{command}-9 ")
    for arguments in (("network", "report"), ("cluster",), ("topics",), EXPORT):
        done = platform(*arguments, "--store", store)
        assert done.status == 0, done.err
        assert not re.search(rf"\b{command}-9\b", done.out)
