"""Computes curves of all networks and bounds, saved one by one."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path

from citescape.core.locks import read_whole_lines
from citescape.core.progress import Progress, silent
from citescape.mapping.communities.config import JudgeConfig
from citescape.mapping.communities.curves import Leiden, find_resolutions, trace_curve
from citescape.mapping.communities.leiden import prepare
from citescape.mapping.communities.summary import RANDOM, SeedCurve
from citescape.mapping.communities.task import AccuracyTask
from citescape.networks.network import Network
from citescape.networks.random_network import build_random_network


def trace_lines(
    task: AccuracyTask, config: JudgeConfig, path: Path, *, progress: Progress = silent
) -> list[SeedCurve]:
    """Computes the curves of all lines at all seeds, in that order.

    Curves that are already in the file are not computed again.

    Args:
        task: networks and criterion.
        config: settings.
        path: JSON lines file; each curve is appended once computed.
        progress: receives the current stage.
    """
    criterion, counts = task.criterion, {}
    networks: dict[str, Callable[[], Network]] = {}
    for name, network in task.networks.items():
        networks[name] = network.read
        counts[name] = float(network.counts["edges"]) / max(int(network.counts["papers"]), 1)
    densest = task.networks[max(counts, key=lambda name: counts[name])]
    if draws_upper_bound(task, config):
        networks[criterion.name] = partial(criterion.to_network, config.top)
    networks[RANDOM] = lambda: build_random_network(densest.read(), seed=config.seed)

    done = {}
    for line in read_whole_lines(path):
        with suppress(ValueError, TypeError):  # lines of another version are computed again
            traced = SeedCurve(**json.loads(line))
            done[traced.line, traced.seed] = traced
    seeds = range(config.seed, config.seed + config.seeds)
    with path.open("a", encoding="utf-8") as file:
        for name, read in networks.items():
            missing = [seed for seed in seeds if (name, seed) not in done]
            if not missing:
                continue
            for traced in _trace(name, read, task, config, seeds=missing, progress=progress):
                file.write(json.dumps(asdict(traced)) + "\n")
                file.flush()
                os.fsync(file.fileno())
                done[name, traced.seed] = traced
    return [done[name, seed] for name in networks for seed in seeds]


def draws_upper_bound(task: AccuracyTask, config: JudgeConfig) -> bool:
    """Whether the network of the criterion has at most `most_pairs` shared terms."""
    return task.criterion.pairs <= config.most_pairs


def _trace(
    name: str,
    read: Callable[[], Network],
    task: AccuracyTask,
    config: JudgeConfig,
    *,
    seeds: list[int],
    progress: Progress,
) -> Iterator[SeedCurve]:
    """Computes the curves of one line; its network is freed before the next is read."""
    leiden = Leiden(config.quality, config.iterations)
    progress(f"{name}: searching resolutions")
    prepared = prepare(read())
    resolutions = find_resolutions(
        prepared,
        task.criterion,
        leiden,
        within=config.within(task.criterion.counts["judged"]),
        points=config.resolutions,
        seed=config.seed,
    )
    for seed in seeds:
        progress(f"{name}: clustering {config.resolutions} times, seed {seed}")
        points = trace_curve(prepared, task.criterion, leiden, resolutions=resolutions, seed=seed)
        yield SeedCurve(name, name not in task.networks, prepared.network.edges, seed, points)
