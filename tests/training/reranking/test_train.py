"""Trainings of rerankers: learning, reproducibility and refused input."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from citescape.core.errors import ConfigError, TrainingError
from citescape.runs.directory import read_run
from citescape.training.reranking.config import ABLATIONS
from citescape.training.reranking.kept import RerankerRun
from citescape.training.reranking.shortlists import Shortlists
from citescape.training.reranking.train import TrainingLists, train_on_lists, train_reranker
from tests.forks import shared_forks
from tests.training.reranking.conftest import configure, plant

TINY = {"epochs": 1}


def lists(queries: int = 16) -> tuple[Shortlists, Shortlists]:
    return plant(queries, seed=1, missed=2), plant(6, seed=2)


def read_files(folder: Path) -> dict[str, bytes]:
    """The files that decide scores."""
    names = ("*.safetensors", "config.json", "reranker.json", "tokenizer.json")
    return {path.name: path.read_bytes() for name in names for path in folder.glob(name)}


def test_training_learns_which_papers_are_cited(trained: RerankerRun, model: Path) -> None:
    """The reranker is far better than the retriever, but not with shuffled citations.

    With shuffled citations a random one of 8 candidates is cited.
    """
    retriever = trained.counts["retriever_mrr"]
    assert trained.after["mrr"] > retriever + 0.3
    config = configure(model)
    shuffled = train_reranker(
        plant(500, seed=1, shuffled=True), plant(60, seed=2), config, runs=trained.path.parent
    )
    assert shuffled.after["mrr"] < retriever + 0.15
    assert trained.after["mrr"] > shuffled.after["mrr"] + 0.3


def test_counts_and_metrics_of_a_run(trained: RerankerRun) -> None:
    record, figures = read_run(trained.path), trained.counts
    assert (record.command, record.seed, record.counts) == ("rerank", 0, figures)
    assert set(record.inputs) == {"training", "validation", "base"}
    assert (figures["queries"], figures["injected"], figures["left_out"]) == (500, 5, 0)
    assert figures["updates"] == 5 * 63
    assert figures["pairs"] == 5 * 500 * 4
    assert [entry["update"] for entry in figures["history"]] == [0, 63, 126, 189, 252, 315]
    assert figures["throughput"]["pairs_a_second"] > 0
    assert figures["throughput"]["flops_a_second"] > 0
    logs = EventAccumulator(str(trained.path / "tensorboard"))
    logs.Reload()
    result = [event.value for event in logs.Scalars("validation/mrr")]
    assert result == pytest.approx([entry["mrr"] for entry in figures["history"]])
    assert len(logs.Scalars("train/loss")) == 315
    assert not list(trained.path.parent.glob(".*.unfinished"))


def test_progress_reports_the_counts_of_the_run(model: Path, tmp_path: Path) -> None:
    progress: list[str] = []
    config = configure(model, **TINY)
    run = train_reranker(
        plant(16, seed=1),
        plant(6, seed=2, missed=2),
        config,
        runs=tmp_path,
        progress=progress.append,
    )
    assert (run.counts["validation"], run.counts["validation_reranked"]) == (6, 6 - 2)
    messages = [line.partition("reranking: ")[2] for line in progress if "validating" in line]
    assert {line.partition(" of ")[2] for line in messages if line} == {"4 queries"}


def test_the_same_training_runs_once_for_any_order_of_rows(model: Path, tmp_path: Path) -> None:
    config = configure(model, **TINY)
    first = train_reranker(*lists(), config, runs=tmp_path)
    again = train_reranker(*lists(), config, runs=tmp_path)
    assert (again.run, again.unchanged) == (first.run, True)
    mixed = [
        shortlists.select_rows(np.random.default_rng(0).permutation(len(shortlists)))
        for shortlists in lists()
    ]
    other = train_reranker(mixed[0], mixed[1], config, runs=tmp_path / "other")
    assert (other.run, other.unchanged) == (first.run, False)
    assert read_files(other.path) == read_files(first.path)
    dated = train_reranker(*lists(), config, runs=tmp_path, inputs={"contexts": "1"})
    seeded = train_reranker(*lists(), replace(config, seed=1), runs=tmp_path)
    assert len({first.run, dated.run, seeded.run}) == 3


def test_lists_are_built_only_without_a_finished_run(model: Path, tmp_path: Path) -> None:
    """An interrupted training builds lists again and ends like one with given lists."""
    calls: list[int] = []

    def make() -> TrainingLists:
        calls.append(1)
        return *lists(), {"temporal_overlap": 7}

    def send_interrupt(text: str) -> None:
        if text.startswith("update 1 of"):
            os.kill(os.getpid(), signal.SIGINT)

    train = partial(train_on_lists, make, configure(model, **TINY), runs=tmp_path)
    with pytest.raises(KeyboardInterrupt):
        train(inputs={"contexts": "1"}, progress=send_interrupt)
    first, again = (train(inputs={"contexts": "1"}) for _ in range(2))
    assert (len(calls), first.resumed_after, again.unchanged) == (2, 1, True)
    assert (set(first.record.inputs), first.counts["temporal_overlap"]) == ({"contexts", "base"}, 7)
    assert read_files(
        train_reranker(*lists(), configure(model, **TINY), runs=tmp_path).path
    ) == read_files(first.path)
    retriever = {"system": "fused"}
    others = train(inputs={"contexts": "2"}), train(inputs={"contexts": "1"}, retriever=retriever)
    assert len({first.run, *(other.run for other in others)}) == 3


def test_killed_trainings_give_the_same_bytes(model: Path, tmp_path: Path) -> None:
    """After two kills with dropout, one after the last update, the bytes are the same."""

    def run(runs: str, killed_after: int = 0) -> list[int]:
        """Updates after which the training resumes."""
        function = "tests.training.reranking.driver:run_training"
        done = shared_forks().call(function, str(model), str(tmp_path / runs), killed_after)
        assert done.returncode == (-signal.SIGKILL if killed_after else 0), done.stderr
        return [int(line.split()[3]) for line in done.stdout.splitlines()]

    assert run("quiet") == []
    assert [run("killed", update) for update in (2, 9)] == [[], [1]]
    assert run("killed") == [8]
    (undisturbed,), (killed,) = ((tmp_path / runs).glob("rerank-*") for runs in ("quiet", "killed"))
    assert undisturbed.name == killed.name
    assert read_files(undisturbed) == read_files(killed)
    assert len(read_files(undisturbed)) == 5
    assert read_run(undisturbed).counts["history"] == read_run(killed).counts["history"]


def test_a_signal_stops_training_after_the_current_update(model: Path, tmp_path: Path) -> None:
    config = configure(model, batch=8, epochs=2)

    def send_interrupt(text: str) -> None:
        if text.startswith("update 2 of 4"):
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="stopped after update 2 of 4"):
        train_reranker(*lists(), config, runs=tmp_path / "a", progress=send_interrupt)
    result = train_reranker(*lists(), config, runs=tmp_path / "a")
    assert result.resumed_after == 2
    quiet = train_reranker(*lists(), config, runs=tmp_path / "b")
    assert read_files(quiet.path) == read_files(result.path)


def test_parts_of_an_update_change_only_rounding(model: Path, tmp_path: Path) -> None:
    """Without dropout; the last update has 4 queries in 3 uneven parts."""
    result = []
    for parts in (1, 3):
        config = configure(
            model, batch=16, epochs=1, accumulation=parts, learning_rate=1e-4, clip=1e9
        )
        losses: list[str] = []
        train_reranker(*lists(20), config, runs=tmp_path, progress=losses.append)
        result.append([float(line.split()[5].rstrip(",")) for line in losses if "loss" in line])
    assert len(result[0]) == 2
    assert result[0] == pytest.approx(result[1], abs=0.02)


def test_early_stopping_keeps_the_best_epoch(model: Path, tmp_path: Path) -> None:
    """With a too high rate training stops early, and the saved model is that of the best epoch."""
    config = configure(model, epochs=12, patience=2, learning_rate=2e-2)
    result = train_reranker(*lists(40), config, runs=tmp_path)
    actual = [entry["mrr"] for entry in result.counts["history"][1:]]
    assert result.after["mrr"] == max(actual)
    assert len(actual) == min(12, int(np.argmax(actual)) + 1 + 2)


@pytest.mark.parametrize("ablation", sorted(set(ABLATIONS) - {"none"}))
def test_ablations_are_trained(ablation: str, model: Path, tmp_path: Path) -> None:
    result = train_reranker(*lists(), configure(model, ablation=ablation, **TINY), runs=tmp_path)
    assert result.counts["updates"] == 2
    assert 0 < result.after["mrr"] <= 1


def remove_citations(lists: Shortlists) -> Shortlists:
    return Shortlists(
        lists.queries,
        lists.candidates,
        lists.papers,
        lists.scores,
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda train, held: (remove_citations(train), held),
            "none of 16 queries to train on cites",
        ),
        (
            lambda train, held: (train, remove_citations(held)),
            "none of 6 queries for validation cites",
        ),
        (lambda train, held: (train.cut(0), held), "none of 16 queries to train on"),
    ],
)
def test_training_without_citations_is_refused(
    change: Any, message: str, model: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=message):
        train_reranker(*change(*lists()), configure(model, **TINY), runs=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_missing_base_is_refused(tmp_path: Path) -> None:
    config = configure(tmp_path / "gone", **TINY)
    with pytest.raises(ConfigError, match="no such folder"):
        train_reranker(*lists(), config, runs=tmp_path / "runs")
    assert not list((tmp_path / "runs").iterdir())


def test_a_diverging_rate_is_an_error(model: Path, tmp_path: Path) -> None:
    config = configure(model, learning_rate=1e29, epochs=2)
    with pytest.raises(TrainingError, match="use a smaller --learning-rate"):
        train_reranker(*lists(), config, runs=tmp_path)
    assert not list(tmp_path.iterdir())


def test_several_processes_are_refused(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(ConfigError, match="2 processes were launched; expected one"):
        train_reranker(*lists(), configure(model, **TINY), runs=tmp_path)
