from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.metrics.intervals import adjust, bootstrap, compare
from citescape.metrics.query_figures import QueryFigures
from citescape.metrics.summary import Resampling, compare_systems, summarise

HOW = Resampling(seed=2, draws=200)
CODES = np.repeat([0, 1], [20, 10]).astype(np.int32)


def measured(
    seed: int, *, queries: int = 30, groups: tuple[str, ...] = ("Art", "Law")
) -> QueryFigures:
    values = {"map": np.random.default_rng(seed).random(queries)}
    ids = pa.array([f"q{k:02}" for k in range(queries)])
    codes = CODES if len(groups) > 1 else np.zeros(queries, np.int32)
    return QueryFigures(groups, ids, codes, values)


SYSTEMS = {name: {"all": measured(k), "hard": measured(10 + k)} for k, name in enumerate("abc")}


def test_means_of_groups_and_of_the_whole() -> None:
    rows = summarise(SYSTEMS, HOW).to_pylist()
    assert len(rows) == 3 * 2 * 3
    own = SYSTEMS["a"]["hard"].values["map"]
    whole, art, law = (r for r in rows if (r["system"], r["condition"]) == ("a", "hard"))
    assert (whole["group"], art["group"], law["group"]) == ("", "Art", "Law")
    assert whole["mean"] == pytest.approx((own[:20].mean() + own[20:].mean()) / 2)
    expected = bootstrap(own, CODES, seed=2, draws=200)
    assert (whole["low"], whole["high"]) == (expected.low, expected.high)
    assert art["mean"] == pytest.approx(own[:20].mean())
    assert (whole["queries"], art["queries"], law["queries"]) == (30, 20, 10)


def test_a_single_group_is_listed_once() -> None:
    rows = summarise({"a": {"all": measured(0, groups=("F",))}}, HOW).to_pylist()
    assert [row["group"] for row in rows] == [""]


def test_p_values_of_differences_are_adjusted_together() -> None:
    found = compare_systems(SYSTEMS, against="b", metrics=["map"], resampling=HOW)
    rows = found.to_pylist()
    assert [(row["system"], row["condition"]) for row in rows] == [
        ("a", "all"),
        ("a", "hard"),
        ("c", "all"),
        ("c", "hard"),
    ]
    values = (SYSTEMS[name]["all"].values["map"] for name in ("a", "b"))
    expected = compare(*values, CODES, seed=2, draws=200)
    assert rows[0]["difference"] == expected.interval.mean
    assert rows[0]["p"] == expected.p
    assert found["p_adjusted"].to_numpy() == pytest.approx(adjust(found["p"].to_numpy()))


def test_incomparable_systems_are_refused() -> None:
    with pytest.raises(ConfigError, match="no system 'z'; expected one of: a, b, c"):
        compare_systems(SYSTEMS, against="z", metrics=["map"])
    other = {"a": {"all": measured(0)}, "b": {"all": measured(0, queries=29, groups=("F",))}}
    with pytest.raises(ConfigError, match="30 and 29 queries that are not the same"):
        compare_systems(other, against="b", metrics=["map"], resampling=HOW)
    assert compare_systems({"a": {"all": measured(0)}}, against="a", metrics=["map"]).num_rows == 0
