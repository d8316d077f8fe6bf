"""Small benchmarks in which some papers are candidates of several kinds, and cited."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.evaluation.mdcr.benchmark import KINDS, TRUE, MdcrBenchmark
from citescape.evaluation.mdcr.files import read_benchmark, read_scores

Contents = dict[str, dict[str, dict[str, list[str]]]]
FIELDS = ("Art", "Computer Science", "Sociology")


def make(queries: int = 20, *, seed: int = 0) -> Contents:
    """Contents of a benchmark file; queries have the same ids in all fields."""
    chance = np.random.default_rng(seed)
    contents: Contents = {}
    for field in FIELDS:
        for query in range(queries):
            kinds = {
                kind: [f"c_{n}" for n in chance.choice(90, 5 if kind == TRUE else 10, False)]
                for kind in KINDS
            }
            contents.setdefault(field, {})[f"q_{query}"] = kinds
    return contents


def draw_scores(contents: Contents, *, seed: int = 1, digits: int = 1) -> dict[str, float]:
    """Random scores with few digits, so that many are equal."""
    chance = np.random.default_rng(seed)
    keys = [
        f"{query}_{candidate}"
        for queries in contents.values()
        for query, kinds in queries.items()
        for candidates in kinds.values()
        for candidate in candidates
    ]
    return {key: round(float(chance.random()), digits) for key in keys}


def write(content: object, folder: Path, name: str = "b.json") -> Path:
    """Write an object as JSON."""
    path = folder / name
    path.write_text(json.dumps(content))
    return path


def score(benchmark: MdcrBenchmark, scores: dict[str, float], folder: Path) -> pa.Table:
    """Pairs with scores, read from a file."""
    return read_scores(write(scores, folder, "scores.json"), benchmark.pairs())


def read(contents: object, folder: Path) -> MdcrBenchmark:
    """Benchmark, written to a file and read."""
    return read_benchmark(write(contents, folder))
