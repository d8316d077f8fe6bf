"""Triplets on disk: round trips, files of other tools and invalid files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError, SourceError
from citescape.sampling.config import ImportanceConfig, SamplingConfig
from citescape.sampling.importance import sample_importance
from citescape.sampling.triplets import (
    NO_RANK,
    RANDOM,
    REASONS,
    from_table,
    locate_triplets,
    read_triplets,
    reason_code,
)
from tests.sampling.conftest import arrays, random_graph, rows, with_text


def some(seed: int = 0) -> pa.Table:
    citations = arrays(random_graph(60, 8, seed))
    config = ImportanceConfig(3, 1, short_anchors="shrink")
    columns = sample_importance(
        citations, with_text(citations), config, sampling=SamplingConfig(seed=seed)
    )
    return columns.triplets.to_table()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000))
def test_writing_and_reading_gives_the_same_triplets(seed: int) -> None:
    table = some(seed)
    assert from_table(table).to_table().equals(table)


def test_the_order_of_rows_does_not_matter() -> None:
    table = some()
    mixed = table.take(np.random.default_rng(1).permutation(table.num_rows))
    found, expected = rows(from_table(mixed)), rows(from_table(table))
    assert sorted(map(repr, found)) == sorted(map(repr, expected))
    assert [row.anchor for row in found] == [row.anchor for row in expected]


def test_random_negatives_have_no_rank_and_score() -> None:
    random = [row for row in rows(from_table(some())) if row.negative_reason == "random"]
    assert random
    assert {(row.negative_rank, row.negative_score) for row in random} == {(None, None)}
    assert (REASONS[RANDOM], reason_code("random")) == ("random", RANDOM)


@pytest.mark.parametrize(
    ("sides", "message"),
    [
        (["train", "val"], "'val' in the column split; expected train or validation"),
        (["train", "test"], "'test' in the column split"),
        (["train", "validation"], "1 anchors have triplets on both sides of the split"),
        ([None, "validation"], "1 anchors have triplets on both sides"),
    ],
)
def test_an_anchor_on_both_sides_of_the_split_is_refused(
    sides: list[str | None], message: str, tmp_path: Path
) -> None:
    """Otherwise training and validation would share anchors."""
    roles = {"anchor": ["a", "a"], "positive": ["b", "c"], "negative": ["d", "e"]}
    pq.write_table(pa.table({**roles, "split": sides}), tmp_path / "t.parquet")
    with pytest.raises(SourceError, match=message):
        read_triplets(tmp_path / "t.parquet")


def test_three_columns_are_enough(tmp_path: Path) -> None:
    roles = {"anchor": ["b", "a"], "positive": ["c", "d"], "negative": ["a", "e"]}
    pq.write_table(pa.table(roles), tmp_path / "t.parquet")
    found = read_triplets(tmp_path / "t.parquet")
    assert [(row.anchor, row.positive, row.negative) for row in rows(found)] == [
        ("a", "d", "e"),
        ("b", "c", "a"),
    ]
    assert not found.validation.any()
    assert set(found.negative_rank) == {NO_RANK}
    assert (found.anchors, found.papers.to_pylist()) == (2, list("abcde"))


def test_unknown_reasons_count_as_random() -> None:
    columns = {role: ["a", "b"] for role in ("anchor", "positive", "negative")}
    columns["negative_reason"] = ["of another tool", "far neighbour"]
    found = from_table(pa.table(columns))
    assert found.negative_reason.tolist() == [RANDOM, reason_code("far neighbour")]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"anchor": ["a"], "positive": ["b"]}, "expected columns .*: negative"),
        ({"anchor": ["a"], "positive": [None], "negative": ["c"]}, "expected columns .*: positive"),
        ({role: pa.array([], pa.string()) for role in ("anchor", "positive", "negative")}, "no tr"),
    ],
)
def test_files_without_triplets_are_refused(
    table: dict[str, object], message: str, tmp_path: Path
) -> None:
    pq.write_table(pa.table(table), tmp_path / "t.parquet")
    with pytest.raises(SourceError, match=message):
        read_triplets(tmp_path / "t.parquet")


def test_other_file_formats_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_text("anchor,positive,negative")
    for name in ("t.parquet", "absent.parquet"):
        with pytest.raises(SourceError, match="expected triplets as Parquet; found"):
            read_triplets(tmp_path / name)


def test_triplets_are_found_by_run_folder_and_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for run, names in {"sample-1": ("triplets",), "sample-2": ("method", "result")}.items():
        (tmp_path / "runs" / run).mkdir(parents=True)
        for name in names:
            (tmp_path / "runs" / run / f"{name}.parquet").touch()
    runs = tmp_path / "runs"
    whole = runs / "sample-1" / "triplets.parquet"
    for named in ("sample-1", str(runs / "sample-1"), str(whole), "runs/sample-1"):
        assert locate_triplets(runs, named).resolve() == whole
    assert locate_triplets(runs, "sample-2", "method") == runs / "sample-2" / "method.parquet"
    with pytest.raises(ConfigError, match="facet background: the run holds method, result"):
        locate_triplets(runs, "sample-2", "background")
    with pytest.raises(ConfigError, match=r"no run '.*' in "):
        locate_triplets(runs, "sample-3")


def test_an_error_does_not_list_thousands_of_files(tmp_path: Path) -> None:
    for number in range(5_000):
        (tmp_path / f"{number:04}.parquet").touch()
    with pytest.raises(ConfigError, match="holds 0000, 0001, 0002, 0003, 0004 and 4,995 more; "):
        locate_triplets(tmp_path, str(tmp_path))
