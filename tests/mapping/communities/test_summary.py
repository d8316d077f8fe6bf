"""Summary of curves of several seeds."""

from __future__ import annotations

import math

import numpy as np
import pyarrow.compute as pc
import pytest

from citescape.mapping.communities.summary import (
    POINTS,
    SeedCurve,
    summarise,
    to_json,
    to_table,
)

WITHIN = (0.01, 1.0)
STEP = 100 ** (1 / (POINTS - 1)) - 1
"""Ratio of neighbouring granularities of the grid."""


def trace(
    line: str, seed: int, *points: tuple[float, float], bound: bool = False, edges: int = 7
) -> SeedCurve:
    rows = [{"granularity": g, "accuracy": a} for g, a in points]
    return SeedCurve(line, bound, edges, seed, rows)


def straight(
    line: str, seed: int, height: float, *, low: float = 0.001, bound: bool = False
) -> SeedCurve:
    """Accuracy `height` from granularity `low` to 1, without gaps."""
    steps = [(float(g), height) for g in np.geomspace(low, 1.0, 7)]
    return trace(line, seed, *steps, bound=bound)


def test_mean_and_deviation_over_seeds() -> None:
    heights = {("one", 0): 0.3, ("one", 1): 0.5, ("other", 0): 0.1, ("other", 1): 0.3}
    found = summarise([straight(*key, h) for key, h in heights.items()], within=WITHIN)
    first, second = found.lines
    relative = (0.3 / 0.2, 0.5 / 0.4)
    assert first.relative == pytest.approx(np.mean(relative))
    assert first.spread == pytest.approx(np.std(relative, ddof=1))
    assert second.relative == pytest.approx(2 - np.mean(relative))
    assert first.accuracy == pytest.approx((0.4, 0.4, 0.4))
    assert found.marks == pytest.approx((0.01, 0.1, 1.0))
    assert found.overlap == WITHIN
    assert found.compared == (WITHIN,)
    assert (first.reach, first.edges, first.title) == ((0.001, 1.0), 7, "one")


def test_one_seed_has_no_deviation() -> None:
    found = summarise([straight("one", 0, 0.3), straight("other", 0, 0.1)], within=WITHIN)
    assert [line.spread for line in found.lines] == [None, None]


def test_means_exclude_bounds() -> None:
    traced = [straight("one", 0, 0.3), straight("other", 0, 0.1)]
    bounds = [
        straight("keywords", 0, 0.9, bound=True),
        straight("random", 0, 0.01, bound=True),
    ]
    found = summarise([*bounds, *traced], within=WITHIN)
    assert [line.name for line in found.lines] == ["one", "other", "keywords", "random"]
    assert [line.relative for line in found.lines] == [pytest.approx(1.5), pytest.approx(0.5)] + [
        None
    ] * 2
    titles = [line.title for line in found.lines]
    assert titles[2:] == ["keywords (upper bound)", "random (lower bound)"]
    table = found.table
    own = table.filter(pc.equal(table["line"], "keywords"))
    assert own["relative"].null_count == len(own) > 0
    assert set(own["accuracy"].to_pylist()) == {0.9}


def test_disconnected_networks_are_excluded_and_reported() -> None:
    """On a logarithmic scale half of the range is from .1 to 1."""
    parts = straight("parts", 0, 0.3, low=0.11)
    traced = [straight("one", 0, 0.3), straight("other", 0, 0.1), parts]
    found = summarise(traced, within=WITHIN)
    share = math.log(1 / 0.11) / math.log(1 / 0.01)
    assert found.left_out == {"parts": pytest.approx(share, abs=0.01)}
    assert [line.name for line in found.lines] == ["one", "other", "parts"]
    assert found.overlap == WITHIN
    assert found.common == 1
    assert found.lines[2].relative is None
    assert found.lines[2].accuracy[:2] == (None, None)
    assert found.lines[2].accuracy[2] == pytest.approx(0.3)
    kept = summarise(traced, within=WITHIN, least=0.45)
    assert kept.left_out == {}
    assert kept.common == pytest.approx(share, abs=0.01)
    assert kept.overlap == (pytest.approx(0.11, rel=STEP), 1.0)
    assert sum(line.relative or 0 for line in kept.lines) == pytest.approx(3)


def test_the_grid_is_the_range_common_to_all_seeds() -> None:
    traced = [straight("one", 0, 0.3), straight("one", 1, 0.3, low=0.02)]
    traced += [straight("other", 0, 0.1), straight("other", 1, 0.1)]
    found = summarise(traced, within=WITHIN)
    assert found.overlap == (pytest.approx(0.02, rel=STEP), 1.0)
    assert found.overlap[0] >= 0.02
    by_seed = {seed: pc.equal(found.table["seed"], seed) for seed in (0, 1)}
    grids = [found.table.filter(rows)["granularity"].to_pylist() for rows in by_seed.values()]
    assert grids[0] == grids[1]


def test_gaps_of_any_seed_are_not_compared() -> None:
    """A line across the gap would count as accuracy."""
    steps = (0.001, 0.004, 0.016, 0.06, 0.4, 1.0)
    leaping = trace("other", 1, *((g, 0.9) for g in steps))
    traced = [straight("one", 0, 0.3), straight("one", 1, 0.3), straight("other", 0, 0.1), leaping]
    found = summarise(traced, within=WITHIN)
    (low, before), (after, high) = found.compared
    assert (low, high) == found.overlap == WITHIN
    assert before == pytest.approx(0.06, rel=STEP)
    assert after == pytest.approx(0.4, rel=STEP)
    grid = found.table["granularity"].to_numpy()
    assert not ((grid > 0.06) & (grid < 0.4)).any()
    assert {line.name: line.gap for line in found.lines} == {"one": None, "other": (0.06, 0.4)}
    assert found.marks == pytest.approx((0.01, 0.1, 1.0))
    assert found.lines[0].name == "other"
    assert found.lines[0].accuracy[1] is None, "none was measured around .1"
    assert found.lines[1].accuracy[1] == pytest.approx(0.3)


def test_a_network_with_a_large_gap_is_excluded() -> None:
    leaping = trace("leaping", 0, (0.001, 0.9), (0.004, 0.9), (0.012, 0.9), (0.9, 0.1), (1.0, 0.0))
    found = summarise([straight("one", 0, 0.3), straight("other", 0, 0.1), leaping], within=WITHIN)
    share = 1 - math.log(0.9 / 0.012) / math.log(1 / 0.01)
    assert found.left_out == {"leaping": pytest.approx(share, abs=0.02)}
    assert {line.name: line.relative for line in found.lines} == {
        "one": pytest.approx(1.5),
        "other": pytest.approx(0.5),
        "leaping": None,
    }


LEAPS = {
    "together all of it": [(0.003, 0.06, 0.1, 0.2, 0.3), (0.003, 0.008, 0.01, 0.02, 0.05, 0.3)],
    "all but a point": [(0.004, 0.06, 0.1, 0.2, 0.3), (0.003, 0.01, 0.02, 0.05, 0.3)],
}
"""Granularities of two networks: the first has a gap at fine, the other at coarse ones."""


@pytest.mark.parametrize("name", LEAPS)
@pytest.mark.parametrize("least", [0.0, 0.3])
def test_two_gaps_may_leave_no_common_range(name: str, least: float) -> None:
    first, second = ([(g, 0.5) for g in steps] for steps in LEAPS[name])
    traced = [trace("one", 0, *first), trace("other", 0, *second)]
    found = summarise(traced, within=(0.0037, 0.25), least=least)
    if least or name == "together all of it":
        assert found.overlap is None
        assert found.compared == ()
        assert {line.relative for line in found.lines} == {None}
    assert found.left_out == {}
    assert found.common < 0.05


def test_wide_gaps_in_the_compared_range_are_reported() -> None:
    whole = [(0.01 * 2**k, 0.5) for k in range(7)] + [(1.0, 0.1)]
    wide = [*whole[:4], (0.5, 0.3), (1.0, 0.1)]
    elsewhere = [(0.001, 0.9), *whole]
    traced = [trace("whole", 0, *whole), trace("whole", 1, *whole)]
    traced += [trace("wide", 0, *whole), trace("wide", 1, *wide)]
    traced += [trace("elsewhere", seed, *elsewhere) for seed in (0, 1)]
    found = {line.name: line.gap for line in summarise(traced, within=WITHIN).lines}
    assert found == {"whole": None, "wide": (0.08, 0.5), "elsewhere": None}


@pytest.mark.parametrize(
    "traced",
    [
        [straight("one", 0, 0.3)],
        [straight("one", 0, 0.3), straight("other", 0, 0.3, low=0.5)],
        [trace("one", 0, (0.01, 0.9), (0.1, 0.5)), trace("other", 0, (0.1, 0.5), (1.0, 0.1))],
        [trace("one", 0, (1.0, 0.0)), trace("other", 0, (1.0, 0.0))],
        [straight("one", 0, 0.0), straight("other", 0, 0.0)],
    ],
)
def test_curves_without_a_common_range_are_refused(traced: list[SeedCurve]) -> None:
    found = summarise(traced, within=WITHIN)
    assert found.overlap is None
    assert {line.relative for line in found.lines} == {None}
    assert found.marks == pytest.approx((0.01, 0.1, 1.0))
    assert len(found.table) == 0
    assert found.table.schema.names == ["line", "seed", "granularity", "accuracy", "relative"]


def test_summary_files() -> None:
    traced = [straight("one", 3, 0.3), straight("random", 3, 0.1, bound=True)]
    rows = to_table(traced).to_pylist()
    assert rows[0] == {
        "line": "one",
        "bound": False,
        "seed": 3,
        "granularity": 0.001,
        "accuracy": 0.3,
    }
    assert len(rows) == 2 * 7
    summary = to_json(summarise(traced, within=WITHIN))
    assert [line["name"] for line in summary["lines"]] == ["one", "random"]
    assert (summary["overlap"], summary["left_out"]) == (None, [])
