"""`platform score --shards`: a walk without a store, and its errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from citescape.distributed.storage import Storage
from citescape.store.graph_store import open_store
from tests.copies import read_tables
from tests.sharded import split_tables

Platform = Callable[..., Any]


@pytest.fixture
def shards(generated: Any, platform: Platform) -> Path:
    """The generated corpus in two parts, in the working directory."""
    store = open_store(str(generated.store), read_only=True)
    tables = read_tables(store)
    store.close()
    split_tables(tables, Path("shards"), 2)
    return Path("shards")


def test_scores_are_written_beside_the_shards(
    platform: Platform, run_on_store: Platform, shards: Path
) -> None:
    weights = run_on_store("evaluate", "weights", "--json").json["weights"]
    shown = platform("score", "--shards", "shards")
    assert shown.status == 0
    (run,) = (shards / "scores").iterdir()
    assert f"run {run.name} is stored in runs/{run.name}" in shown.out
    assert f"scores of 2 parts are in shards/scores/{run.name}" in shown.out
    found = platform("score", "--shards", "shards", "--json").json
    assert (found["weights"], found["parts"], found["run"]) == (weights, 2, run.name)
    assert sum(pq.read_table(file).num_rows for file in run.glob("*.parquet")) == found["pairs"]
    assert "nothing changed" in platform("score", "--shards", "shards").out
    assert sorted(path.name for path in Path().iterdir()) == ["runs", "shards"]


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (("--shards", "none"), 1, "none holds no complete graph of shards; expected one"),
        (("--shards", "shards", "--features", "T"), 1, "T, the similarity of titles, cannot be"),
        (("--shards", "shards", "--cluster", "nowhere"), 1, "cluster is 'nowhere'; expected local"),
        (("--shards", "shards", "--cluster", "localhost:1"), 1, "nothing answers at localhost:1"),
        (("--shards", "shards", "--with", "cypher"), 2, "method is cypher, which needs a store"),
        (("--cluster", "auto"), 2, "cluster is auto, but work on a store is done by this process"),
    ],
)
def test_wrong_usage(
    options: tuple[str, ...], status: int, message: str, platform: Platform, shards: Path
) -> None:
    before = Storage(str(shards)).sizes()
    shown = platform("score", *options)
    assert shown.status == status
    assert message in " ".join(shown.err.split())
    assert Storage(str(shards)).sizes() == before
    assert not [*Path("runs").glob("*")]


def test_help_names_shards_and_cluster(platform: Platform) -> None:
    shown = " ".join(platform("score", "--help").out.split())
    assert "--shards FOLDER" in shown
    assert "--cluster local|auto|HOST:PORT" in shown
    assert "the address HOST:PORT of the head of a Ray cluster" in shown
