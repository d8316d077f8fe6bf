"""The same training with several seeds: means and spreads instead of one lucky run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, stdev

from citescape.core.progress import Progress, silent
from citescape.runs.directory import default_runs
from citescape.sampling.triplets import Triplets
from citescape.store.graph_store import GraphStore
from citescape.training.config import TrainConfig
from citescape.training.train import (
    Material,
    TrainResult,
    read_material,
    record_results,
    train_material,
)


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation of one figure over seeds."""

    mean: float
    deviation: float
    """Of the sample (n - 1); 0 for one seed."""

    def __str__(self) -> str:
        return f"{self.mean:.4f} ± {self.deviation:.4f}"


def train_seeds(
    store: GraphStore,
    triplets: Triplets,
    config: TrainConfig | None = None,
    *,
    seeds: int,
    facet: str = "",
    runs: Path | None = None,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> list[TrainResult]:
    """Trainings with `seeds` seeds, from that of `config` on; texts are read once.

    The seed decides the order of triplets and dropout; the triplets, and which of them validate,
    are the same. Arguments and errors are those of `train`.
    """
    config = config or TrainConfig()
    runs = runs or default_runs(store.location)
    progress("reading texts")
    material = read_material(store, triplets, config, facet=facet, runs=runs)
    results = repeat_training(
        material,
        config,
        seeds=seeds,
        runs=runs,
        checkpoint_seconds=checkpoint_seconds,
        progress=progress,
    )
    record_results(store, results)
    return results


def repeat_training(
    material: Material,
    config: TrainConfig,
    *,
    seeds: int,
    runs: Path,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> list[TrainResult]:
    """The same without the graph."""
    results = []
    for k in range(seeds):
        seeded = replace(config, seed=config.seed + k)
        told = _numbered(progress, k, seeds)
        result = train_material(
            material, seeded, runs=runs, checkpoint_seconds=checkpoint_seconds, progress=told
        )
        results.append(result)
    return results


def _numbered(progress: Progress, k: int, seeds: int) -> Callable[[str], None]:
    if seeds == 1:
        return progress
    return lambda text: progress(f"seed {k + 1} of {seeds}: {text}")


def spread(values: Sequence[float]) -> Spread:
    """Mean and standard deviation."""
    return Spread(mean(values), stdev(values) if len(values) > 1 else 0.0)


def compare(results: Sequence[TrainResult]) -> Mapping[str, tuple[Spread, Spread]]:
    """Figure -> its spread before and after training, over the seeds."""
    names = [name for name in results[0].after if name != "update"]
    return {
        name: (
            spread([result.before[name] for result in results]),
            spread([result.after[name] for result in results]),
        )
        for name in names
    }
