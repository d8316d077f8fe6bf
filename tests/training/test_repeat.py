"""Several seeds: trainings, means and standard deviations."""

from __future__ import annotations

from statistics import mean, stdev

import pytest

from citescape.core.progress import Progress, silent
from citescape.training.config import TrainConfig
from citescape.training.kept import EncoderRun
from citescape.training.repeat import Spread, compare, repeat_training
from citescape.training.train import read_training_data, record_results, train
from tests.training.conftest import Training


def repeat(
    training: Training, config: TrainConfig, progress: Progress = silent
) -> list[EncoderRun]:
    """Train with three seeds."""
    runs = training.runs
    data = read_training_data(training.store, training.triplets, config, facet="", runs=runs)
    results = repeat_training(data, config, seeds=3, runs=runs, progress=progress)
    record_results(training.store, results)
    return results


def test_seeds_are_measured_on_the_same_anchors(training: Training) -> None:
    """The deviation is that of training only, also if only some held-out anchors are measured."""
    config = TrainConfig(base=str(training.model), tune="adapter", epochs=1, validation_anchors=2)
    results = repeat(training, config)
    assert len({tuple(result.before.items()) for result in results}) == 1


def test_seeds_are_separate_trainings(training: Training) -> None:
    config = TrainConfig(base=str(training.model), tune="adapter", seed=3, batch=16, epochs=1)
    messages: list[str] = []
    results = repeat(training, config, messages.append)
    assert [result.seed for result in results] == [3, 4, 5]
    assert len({result.run for result in results}) == 3
    assert any(line.startswith("seed 3 of 3: update 1 of 5: loss") for line in messages)
    alone = train(training.store, training.triplets, config, runs=training.runs)
    assert (alone.run, alone.unchanged) == (results[0].run, True)
    runs = training.store.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist()
    assert sorted(runs) == sorted(result.run for result in results)
    table = compare(results)
    assert set(table) == {"loss", "accuracy", "hard", "easy"}
    for name, (before, after) in table.items():
        values = [result.after[name] for result in results]
        assert after.mean == mean(values)
        assert after.deviation == stdev(values)
        assert before.deviation == pytest.approx(0), "the base is the same"


def test_mean_and_deviation() -> None:
    result = Spread.from_values([1.0, 2.0, 6.0])
    assert result.mean == 3
    assert result.deviation == pytest.approx(((4 + 1 + 9) / 2) ** 0.5)
    assert str(result) == "3.0000 ± 2.6458"
    assert Spread.from_values([0.5]).deviation == 0
