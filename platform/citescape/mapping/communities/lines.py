"""The curves of all networks and of what bounds them, kept line by line while they are made."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from citescape.core.locks import read_whole_lines
from citescape.core.progress import Progress, silent
from citescape.mapping.communities.config import JudgeConfig
from citescape.mapping.communities.criterion import Criterion
from citescape.mapping.communities.curves import Leiden, find_resolutions, trace_curve
from citescape.mapping.communities.leiden import prepare
from citescape.mapping.communities.summary import RANDOM, Traced
from citescape.mapping.communities.task import Task
from citescape.networks.build import NetworkRun
from citescape.networks.network import Network
from citescape.networks.random_network import build_random_network


@dataclass(frozen=True)
class _Drawn:
    """A line that is to be drawn."""

    name: str
    bound: bool
    make: Callable[[], Network]


def trace_lines(
    task: Task, config: JudgeConfig, path: Path, *, progress: Progress = silent
) -> list[Traced]:
    """Every line at every seed, in that order; those that a file holds are not made again.

    Args:
        task: networks and criterion.
        config: how.
        path: a line of JSON for each line and seed, written as soon as it is there.
        progress: told what is going on.
    """
    done = [one for line in read_whole_lines(path) if (one := _read_line(line))]
    there = {(one.line, one.seed) for one in done}
    seeds = range(config.seed, config.seed + config.seeds)
    with path.open("a", encoding="utf-8") as file:
        for drawn in _lines(task, config):
            missing = [seed for seed in seeds if (drawn.name, seed) not in there]
            for traced in _trace(drawn, task, config, seeds=missing, progress=progress):
                file.write(json.dumps(asdict(traced)) + "\n")
                file.flush()
                os.fsync(file.fileno())
                done.append(traced)
    order = [(drawn.name, seed) for drawn in _lines(task, config) for seed in seeds]
    return sorted(done, key=lambda one: order.index((one.line, one.seed)))


def draws_upper_bound(task: Task, config: JudgeConfig) -> bool:
    """Whether the criterion's own network takes less work than `most_pairs`."""
    return task.criterion.pairs <= config.most_pairs


def _lines(task: Task, config: JudgeConfig) -> Iterator[_Drawn]:
    for name, network in task.networks.items():
        yield _Drawn(name, False, network.read)
    if draws_upper_bound(task, config):
        make = partial(task.criterion.to_network, config.top)
        yield _Drawn(task.criterion.name, True, make)
    densest = max(task.networks.values(), key=_density)
    yield _Drawn(RANDOM, True, lambda: build_random_network(densest.read(), seed=config.seed))


def _density(network: NetworkRun) -> float:
    return float(network.counts["edges"]) / max(int(network.counts["papers"]), 1)


def _trace(
    drawn: _Drawn,
    task: Task,
    config: JudgeConfig,
    *,
    seeds: list[int],
    progress: Progress,
) -> Iterator[Traced]:
    if not seeds:
        return
    criterion: Criterion = task.criterion
    leiden = Leiden(config.quality, config.iterations)
    progress(f"{drawn.name}: seeking resolutions")
    prepared = prepare(drawn.make())
    resolutions = find_resolutions(
        prepared,
        criterion,
        leiden,
        within=config.within(task.criterion.counts["judged"]),
        points=config.resolutions,
        seed=config.seed,
    )
    for seed in seeds:
        progress(f"{drawn.name}: clustering {config.resolutions} times, seed {seed}")
        points = trace_curve(prepared, criterion, leiden, resolutions=resolutions, seed=seed)
        yield Traced(drawn.name, drawn.bound, prepared.network.edges, seed, points)


def _read_line(line: bytes) -> Traced | None:
    """None for a line of another version: it is made again."""
    try:
        return Traced(**json.loads(line))
    except (ValueError, TypeError):
        return None
