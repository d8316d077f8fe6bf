"""Benchmarks of a few papers, so that some stand there as several kinds, and as cited too."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.evaluation.mdcr.benchmark import KINDS, TRUE, MdcrBenchmark
from citescape.evaluation.mdcr.files import read_benchmark, read_scores

Told = dict[str, dict[str, dict[str, list[str]]]]
FIELDS = ("Art", "Computer Science", "Sociology")


def make(queries: int = 20, *, seed: int = 0) -> Told:
    """Queries have the same ids in all fields."""
    chance = np.random.default_rng(seed)
    told: Told = {}
    for field in FIELDS:
        for query in range(queries):
            kinds = {
                kind: [f"c_{n}" for n in chance.choice(90, 5 if kind == TRUE else 10, False)]
                for kind in KINDS
            }
            told.setdefault(field, {})[f"q_{query}"] = kinds
    return told


def draw_scores(told: Told, *, seed: int = 1, digits: int = 1) -> dict[str, float]:
    """Few digits, so that many are equal."""
    chance = np.random.default_rng(seed)
    keys = [
        f"{query}_{candidate}"
        for queries in told.values()
        for query, kinds in queries.items()
        for candidates in kinds.values()
        for candidate in candidates
    ]
    return {key: round(float(chance.random()), digits) for key in keys}


def write(told: object, folder: Path, name: str = "b.json") -> Path:
    """As JSON."""
    path = folder / name
    path.write_text(json.dumps(told))
    return path


def score(benchmark: MdcrBenchmark, scores: dict[str, float], folder: Path) -> pa.Table:
    """Pairs with scores that were written to a file."""
    return read_scores(write(scores, folder, "scores.json"), benchmark.pairs())


def read(told: object, folder: Path) -> MdcrBenchmark:
    """Written, then read."""
    return read_benchmark(write(told, folder))
