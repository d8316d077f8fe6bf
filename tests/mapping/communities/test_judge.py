"""Judging networks, from a store and runs to a run directory."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import ConfigError
from citescape.core.locks import alone
from citescape.mapping.communities.config import JudgeConfig
from citescape.mapping.communities.judge import AccuracyRun, judge
from citescape.mapping.communities.lines import draws_upper_bound
from citescape.mapping.communities.summary import SeedCurve, read_line
from citescape.mapping.communities.task import AccuracyTask, find_networks, read_task
from citescape.networks.build import NetworkRun
from citescape.networks.network import Network
from citescape.runs.directory import list_unfinished, unfinished_folder
from citescape.store.graph_store import GraphStore
from tests.mapping.communities.planted import (
    keep_network,
    name_papers,
    plant_criterion,
    plant_network,
    plant_terms,
)
from tests.mapping.communities.test_criteria import insert

QUICK = JudgeConfig(resolutions=5, seeds=2)
FILES = {"accuracy.png", "accuracy.svg", "curves.parquet", "relative.parquet", "run.json"}


@pytest.fixture(scope="session")
def networks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, NetworkRun]:
    """Two networks: one follows the groups well, the other less well."""
    runs = tmp_path_factory.mktemp("networks")
    good = plant_network(inside=0.5, outside=0.02, seed=1)
    poor = plant_network(inside=0.4, outside=0.12, seed=2)
    return {
        "knn": keep_network(runs, good, "knn"),
        "coupling": keep_network(runs, poor, "coupling"),
    }


@pytest.fixture(scope="session")
def task(networks: dict[str, NetworkRun]) -> AccuracyTask:
    return AccuracyTask(networks, plant_criterion())


@pytest.fixture(scope="session")
def judged(task: AccuracyTask, tmp_path_factory: pytest.TempPathFactory) -> AccuracyRun:
    """Run with both networks; tests only read it."""
    return judge(task, QUICK, runs=tmp_path_factory.mktemp("judged"))


def test_files_and_summary_of_a_run(task: AccuracyTask, judged: AccuracyRun) -> None:
    found = judged
    assert {path.name for path in found.path.iterdir()} == FILES
    assert not found.unchanged
    curves = pq.read_table(found.path / "curves.parquet").to_pylist()
    assert len(curves) == 4 * 2 * 5
    assert {row["line"] for row in curves if row["bound"]} == {"keywords", "random"}
    assert {row["papers"] for row in curves} == {found.counts["judged"]} == {60}
    record = found.record
    assert record.config == {"criterion": "keywords", **vars(QUICK)}
    assert record.inputs == {
        "networks": {name: network.run for name, network in task.networks.items()},
        "criterion": task.criterion.fingerprint(),
    }
    assert {"igraph", "matplotlib"} <= set(record.versions)
    assert {"judge", "write"} == set(record.timings)
    edges = {line.name: line.edges for line in found.lines}
    assert edges["knn"] == task.networks["knn"].counts["edges"]
    assert edges["keywords"] == task.criterion.to_network(20).edges


def test_relative_accuracies_follow_from_the_curves(judged: AccuracyRun) -> None:
    """Interpolation, division by the mean, and averages over the grid and over seeds."""
    found = judged
    rows = pq.read_table(found.path / "curves.parquet").to_pylist()
    low, high = QUICK.within(60)
    whole = [low * (high / low) ** (k / 99) for k in range(100)]
    shares: dict[str, list[float]] = {"knn": [], "coupling": []}
    grid = [g for g in whole if all(interpolate(rows, n, s, g) for n in shares for s in (0, 1))]
    assert len(grid) > 50
    assert found.counts["overlap"] == pytest.approx([grid[0], grid[-1]])
    for seed in (0, 1):
        at = {name: [interpolate(rows, name, seed, g) or 0.0 for g in grid] for name in shares}
        for name, values in at.items():
            mean = [sum(pair) / 2 for pair in zip(*at.values(), strict=True)]
            shares[name].append(sum(v / m for v, m in zip(values, mean, strict=True)) / len(grid))
    for line in found.lines[:2]:
        assert line.relative == pytest.approx(np.mean(shares[line.name]), rel=1e-6)
        assert line.spread == pytest.approx(np.std(shares[line.name], ddof=1), rel=1e-4)
    table = pq.read_table(found.path / "relative.parquet")
    assert len(table) == 4 * 2 * len(grid)


def interpolate(
    rows: list[dict[str, Any]], name: str, seed: int, granularity: float
) -> float | None:
    """Interpolated accuracy, or None outside the curve and in gaps."""
    own = [row for row in rows if (row["line"], row["seed"]) == (name, seed)]
    by: dict[float, list[float]] = {}
    for row in own:
        by.setdefault(row["granularity"], []).append(row["accuracy"])
    points = sorted((g, sum(a) / len(a)) for g, a in by.items())
    for (g0, a0), (g1, a1) in pairwise(points):
        if g0 <= granularity * (1 + 1e-12) and granularity <= g1 * (1 + 1e-12):
            share = (math.log(granularity) - math.log(g0)) / (math.log(g1) - math.log(g0))
            if g1 >= 5 * g0:
                return None
            return a0 * (a1 / a0) ** share if a0 * a1 else a0 + share * (a1 - a0)
    return None


def test_the_better_network_is_more_accurate_and_between_the_bounds(judged: AccuracyRun) -> None:
    """P1-30: communities of the criterion itself are at least as accurate as all others."""
    lines = {line.name: line for line in judged.lines}
    assert [line.name for line in judged.lines] == ["knn", "coupling", "keywords", "random"]
    assert (lines["knn"].relative or 0) > 1 > (lines["coupling"].relative or 0)
    assert (lines["knn"].relative or 0) + (lines["coupling"].relative or 0) == pytest.approx(2)
    for k in range(3):
        at = {name: line.accuracy[k] for name, line in lines.items()}
        accuracies = {name: value for name, value in at.items() if value is not None}
        assert accuracies["keywords"] >= accuracies["knn"] > accuracies["coupling"]
        assert accuracies["coupling"] > accuracies.get("random", 0.0)
    assert lines["keywords"].relative is lines["random"].relative is None


def test_the_random_line_is_the_expected_accuracy(task: AccuracyTask, tmp_path: Path) -> None:
    found = judge(task, replace(QUICK, seeds=8), runs=tmp_path)
    rows = pq.read_table(found.path / "curves.parquet").to_pylist()
    random = [row for row in rows if row["line"] == "random"]
    ratio = sum(r["accuracy"] for r in random) / sum(r["expected"] for r in random)
    assert ratio == pytest.approx(1, abs=0.15)
    knn = [row for row in rows if row["line"] == "knn"]
    assert sum(r["accuracy"] for r in knn) > 2 * sum(r["expected"] for r in knn)


def reverse_networks(task: AccuracyTask) -> AccuracyTask:
    """The networks in the reverse order."""
    return AccuracyTask(dict(reversed(list(task.networks.items()))), task.criterion)


def test_the_order_of_networks_does_not_matter(task: AccuracyTask, judged: AccuracyRun) -> None:
    again = judge(reverse_networks(task), QUICK, runs=judged.path.parent)
    assert again.unchanged
    assert (again.path, again.record) == (judged.path, judged.record)
    with pytest.raises(KeyboardInterrupt):  # another seed has no run yet
        judge(
            task,
            replace(QUICK, seed=1),
            runs=judged.path.parent,
            progress=stop_at("knn: searching resolutions"),
        )


def test_other_names_of_networks_are_another_run(
    task: AccuracyTask, judged: AccuracyRun, tmp_path: Path
) -> None:
    """The lines are the same except for their names."""
    renamed = {f"my {name}": run for name, run in reverse_networks(task).networks.items()}
    again = judge(AccuracyTask(renamed, task.criterion), QUICK, runs=tmp_path)
    assert again.run != judged.run
    lines = [replace(line, name=line.name.removeprefix("my ")) for line in again.lines]
    assert lines == judged.lines


def test_saved_lines_are_read(judged: AccuracyRun) -> None:
    line = judged.lines[0]
    assert all(isinstance(value, tuple) for value in (line.reach, line.accuracy))
    assert line == read_line(asdict(line))


def stop_at(text: str) -> Callable[[str], None]:
    def progress(stage: str) -> None:
        if stage == text:
            raise KeyboardInterrupt

    return progress


def test_interrupted_work_continues(
    task: AccuracyTask, judged: AccuracyRun, tmp_path: Path
) -> None:
    whole, runs = judged, tmp_path / "cut"
    with pytest.raises(KeyboardInterrupt):
        judge(task, QUICK, runs=runs, progress=stop_at("coupling: clustering 5 times, seed 1"))
    assert not (runs / whole.run).exists()
    assert [id_ for id_, _, _ in list_unfinished(runs)] == [whole.run]
    rows = unfinished_folder(runs, whole.run) / "lines.jsonl"
    assert len(rows.read_text().splitlines()) == 3
    with rows.open("a") as file:
        file.write('{"line": "coup')  # left by a kill
    stages: list[str] = []
    again = judge(task, QUICK, runs=runs, progress=stages.append)
    assert not [text for text in stages if text.startswith("knn")]
    assert stages[:2] == ["coupling: searching resolutions", "coupling: clustering 5 times, seed 1"]
    assert list_unfinished(runs) == []
    for name in FILES - {"run.json"}:
        assert (again.path / name).read_bytes() == (whole.path / name).read_bytes()


def test_concurrent_runs_are_refused(
    task: AccuracyTask, judged: AccuracyRun, tmp_path: Path
) -> None:
    with (
        alone(unfinished_folder(tmp_path, judged.run)),
        pytest.raises(ConfigError, match="another process does the same work"),
    ):
        judge(task, QUICK, runs=tmp_path)
    assert not (tmp_path / judged.run).exists()


def test_disconnected_networks_are_reported(task: AccuracyTask, tmp_path: Path) -> None:
    sparse = keep_network(tmp_path, plant_network(inside=0.02, outside=0.0), "citation")
    found = judge(
        replace(task, networks={**task.networks, "citation": sparse}), QUICK, runs=tmp_path
    )
    assert found.counts["left_out"] == ["citation"]
    assert any(
        note.startswith("citation is excluded") and "granularities from 0.083 to" in note
        for note in found.counts["notes"]
    )
    assert sum(line.relative or 0 for line in found.lines) == pytest.approx(2)


def test_a_gap_in_the_requested_range_is_reported(task: AccuracyTask, tmp_path: Path) -> None:
    """Four groups with equal ties separate at the same resolution, which leaves a gap."""
    leaping = keep_network(tmp_path, plant_network(inside=1.0, outside=0.0), "extended")
    found = judge(
        replace(task, networks={**task.networks, "extended": leaping}), QUICK, runs=tmp_path
    )
    (line,) = [line for line in found.lines if line.name == "extended"]
    assert line.gap is not None
    assert list(line.gap) == pytest.approx([4 / 60, 1.0])
    assert found.counts["left_out"] == ["extended"]
    (note,) = [note for note in found.counts["notes"] if note.startswith("extended")]
    assert "covers 0% of granularities from 0.083 to 0.25" in note
    assert note.endswith("expected at least 50%")
    assert sum(line.relative or 0 for line in found.lines) == pytest.approx(2)


def keep_lines(runs: Path, run: str, points: dict[str, list[float]]) -> None:
    """Save lines with accuracy .5 at the given granularities, as if computed."""
    folder = unfinished_folder(runs, run)
    folder.mkdir(parents=True)
    lines = [
        asdict(SeedCurve(name, name in ("keywords", "random"), 7, seed, rows))
        for name, steps in points.items()
        for rows in [[{"granularity": g, "accuracy": 0.5} for g in steps]]
        for seed in (0, 1)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "lines.jsonl").write_text(text)


STEPS = [0.07, 0.1, 0.15, 0.2, 0.3]


def test_a_small_common_range_is_reported(
    task: AccuracyTask, judged: AccuracyRun, tmp_path: Path
) -> None:
    """Of the range .083 to .25 one network reaches up to .15, the other from .14: 54% and 53%."""
    wide = {"knn": [0.07, 0.1, 0.15, 0.8], "coupling": [0.02, 0.14, 0.2, 0.3]}
    keep_lines(tmp_path, judged.run, {**wide, "keywords": STEPS, "random": STEPS})
    found = judge(task, QUICK, runs=tmp_path)
    assert found.counts["overlap"] is None
    assert (found.counts["left_out"], found.lines[0].relative) == ([], None)
    assert found.counts["notes"] == [
        "knn has no communities between granularities 0.15 and 0.8; this range is not compared",
        "coupling has no communities between granularities 0.02 and 0.14; this range is not "
        "compared",
        "no relative accuracy: knn, coupling have 6% of granularities from 0.083 to 0.25 in "
        "common; expected at least 50%",
    ]
    assert not list_unfinished(tmp_path)


def test_lines_of_another_version_are_computed_again(
    task: AccuracyTask, judged: AccuracyRun, tmp_path: Path
) -> None:
    folder = unfinished_folder(tmp_path, judged.run)
    folder.mkdir(parents=True)
    lines = folder / "lines.jsonl"
    lines.write_text('{"line": "knn", "seed": 0, "height": 1}\nno json\n{"line": "kn')
    stages: list[str] = []
    found = judge(task, QUICK, runs=tmp_path, progress=stages.append)
    assert "knn: clustering 5 times, seed 0" in stages
    assert found.lines == judged.lines


def test_lines_are_locked_while_the_result_is_saved(
    task: AccuracyTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second process is refused until the run is whole."""
    refused = []

    def draw(traced: object, summary: object, path: Path, *, criterion: str) -> None:
        with pytest.raises(ConfigError, match="another process does the same work"):
            judge(task, QUICK, runs=tmp_path)
        refused.append(criterion)

    monkeypatch.setattr("citescape.mapping.communities.judge.draw_accuracy", draw)
    found = judge(task, QUICK, runs=tmp_path)
    assert (found.unchanged, refused) == (False, [task.criterion.name] * 2)
    assert not list_unfinished(tmp_path)


def test_a_single_network_is_not_compared(task: AccuracyTask, tmp_path: Path) -> None:
    alone_ = replace(task, networks={"knn": task.networks["knn"]})
    found = judge(alone_, QUICK, runs=tmp_path)
    assert [line.relative for line in found.lines] == [None] * 3
    assert found.counts["overlap"] is None
    notes = found.counts["notes"]
    assert [note for note in notes if note.startswith("no relative accuracy: fewer than two")]
    assert len(pq.read_table(found.path / "relative.parquet")) == 0
    assert {path.name for path in found.path.iterdir()} == FILES


def test_a_too_expensive_upper_bound_is_skipped(task: AccuracyTask, tmp_path: Path) -> None:
    found = judge(task, replace(QUICK, most_pairs=task.criterion.pairs - 1), runs=tmp_path)
    assert [line.name for line in found.lines] == ["knn", "coupling", "random"]
    assert "the network of keywords itself is not drawn" in found.counts["notes"][0]
    assert draws_upper_bound(task, replace(QUICK, most_pairs=task.criterion.pairs))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"resolutions": 1}, "resolutions is 1"),
        ({"seeds": 0}, "seeds is 0"),
        ({"coarsest": 0.5}, "coarsest is 0.5"),
        ({"finest": 0.5}, "finest is 0.5"),
        ({"quality": "cut"}, "quality is 'cut'; expected one of: cpm, modularity"),
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        JudgeConfig(**settings)


def test_too_few_papers_are_refused(tmp_path: Path) -> None:
    network = keep_network(tmp_path, plant_network(2, 10, inside=0.5, outside=0.1), "knn")
    small = AccuracyTask({"knn": network}, plant_criterion(2, 10))
    with pytest.raises(ConfigError, match="20 papers are judged; expected more than 20"):
        judge(small, QUICK, runs=tmp_path)
    assert judge(small, replace(QUICK, finest=2), runs=tmp_path).counts["judged"] == 20


def test_unwritable_runs_are_refused(task: AccuracyTask, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(ConfigError, match="cannot write run directories"):
        judge(task, QUICK, runs=file)


@pytest.fixture
def held(store: GraphStore) -> GraphStore:
    """A store of the planted papers and their keywords."""
    terms = plant_terms(4, 15)
    words = sorted({word for own in terms.values() for word in own})
    insert(store, "Paper", [{"id": paper, "fulltext": True} for paper in terms])
    insert(store, "Keyword", [{"id": word, "text": word} for word in words])
    ends = [{"from": paper, "to": word} for paper, own in terms.items() for word in own]
    insert(store, "HAS_KEYWORD", ends)
    return store


def test_networks_are_judged_from_a_store(
    held: GraphStore, networks: dict[str, NetworkRun], judged: AccuracyRun, tmp_path: Path
) -> None:
    """Networks of runs and terms of a store give the same result on both engines."""
    task = read_task(held, find_networks(networks["knn"].path.parent), "keywords")
    assert task.criterion.fingerprint() == plant_criterion().fingerprint()
    assert [note.partition(":")[0] for note in task.notes] == [
        "knn may not be independent of keywords"
    ]
    found = judge(task, QUICK, runs=tmp_path / "runs")
    assert (found.run, found.lines) == (judged.run, judged.lines)
    assert found.counts["notes"][0].startswith("knn may not be independent of keywords: authors")
    record = json.loads((found.path / "run.json").read_text())
    assert record["command"] == "accuracy"
    assert set(record["inputs"]["networks"]) == {"knn", "coupling"}
    assert pa.array(record["counts"]["marks"]).null_count == 0


def test_networks_are_judged_on_papers_of_all_cores(
    held: GraphStore, networks: dict[str, NetworkRun], tmp_path: Path
) -> None:
    network = networks["knn"].read()
    core = np.arange(60) < 40
    fewer = keep_network(tmp_path, Network(network.ids, network.weights, core), "extended")
    first = network.where(np.arange(60) >= 10)
    other = keep_network(tmp_path, first, "citation")
    task = read_task(held, {"extended": fewer, "citation": other})
    assert task.criterion.ids == name_papers(60)[10:40]
    assert task.notes == (
        "the networks have different papers (extended 40, citation 50); 30 are in all networks",
    )
    found = judge(task, QUICK, runs=tmp_path)
    rows = pq.read_table(found.path / "curves.parquet").to_pylist()
    assert {row["papers"] for row in rows} == {found.counts["judged"]}
    assert found.counts["papers"] == 30


def test_networks_without_common_papers_are_refused(
    held: GraphStore, networks: dict[str, NetworkRun], tmp_path: Path
) -> None:
    whole = networks["knn"].read()
    halves = [
        keep_network(tmp_path, whole.where((np.arange(60) < 30) == first), kind)
        for kind, first in (("citation", True), ("extended", False))
    ]
    with pytest.raises(ConfigError, match="citation, extended have no papers in common"):
        read_task(held, {run.kind: run for run in halves})


@pytest.mark.parametrize("name", ["random", "keywords"])
def test_a_network_named_like_a_bound_is_refused(
    held: GraphStore, networks: dict[str, NetworkRun], name: str
) -> None:
    with pytest.raises(ConfigError, match=f"a network has the name '{name}' of a bound"):
        read_task(held, {name: networks["knn"]}, "keywords")
