"""The comparison with the planted truth detects errors."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from citescape.demo.recovery import (
    Check,
    Recovery,
    check_recovery,
    compute_rank_correlation,
)
from citescape.demo.world import World
from citescape.store.graph_store import GraphStore

Plant = Callable[..., GraphStore]


def failed(recovery: Recovery) -> list[str]:
    return [check.name for check in recovery.checks if not check.passed]


def test_the_planted_truth_passes(plant: Plant, world: World) -> None:
    recovery = check_recovery(plant(), world)
    assert failed(recovery) == []
    assert recovery.passed
    assert len(recovery.bins) == 10
    assert recovery.bins[-1].score > 2 * recovery.bins[-1].control


def test_a_missing_pair_is_detected(plant: Plant, world: World) -> None:
    recovery = check_recovery(plant(lambda tables: tables["CITES"].pop()), world)
    assert {"citation pairs", "citations scored"} <= {*failed(recovery)}
    assert not recovery.passed
    assert recovery.bins == ()


def test_a_wrong_count_is_detected(plant: Plant, world: World) -> None:
    def change(tables: dict[str, list[dict[str, int]]]) -> None:
        tables["CITES"][0]["f_M"] += 1

    recovery = check_recovery(plant(change), world)
    assert failed(recovery) == ["citations with the exact number in methods"]


def test_an_unplanned_pair_is_detected(plant: Plant, world: World) -> None:
    known = set(zip(world.pairs.citing.tolist(), world.pairs.cited.tolist(), strict=True))
    cited = next(j for j in world.pairs.cited.tolist() if (0, j) not in known)

    def change(tables: dict[str, list[dict[str, object]]]) -> None:
        added = dict(tables["CITES"][0])
        added["from"], added["to"] = "work:00000", f"work:{cited:05d}"
        tables["CITES"].append(added)

    assert failed(check_recovery(plant(change), world)) == ["citation pairs that were not planned"]


def test_a_split_work_is_detected(plant: Plant, world: World) -> None:
    def change(tables: dict[str, list[dict[str, object]]]) -> None:
        tables["Paper"].append({**tables["Paper"][-1], "id": "again", "fulltext": False})

    assert failed(check_recovery(plant(change), world)) == ["works, full texts and cited ones"]


def test_merged_authors_reduce_precision(plant: Plant, world: World) -> None:
    def change(tables: dict[str, list[dict[str, object]]]) -> None:
        for row in tables["WROTE"]:
            row["from"] = "author:0"

    failures = failed(check_recovery(plant(change), world))
    assert failures == ["author names joined that are one person (precision)"]


def test_missing_and_invented_self_citations_are_detected(plant: Plant, world: World) -> None:
    def drop_scores(tables: dict[str, list[dict[str, object]]]) -> None:
        for row in tables["CITES"]:
            row["self"] = 0

    def everywhere(tables: dict[str, list[dict[str, object]]]) -> None:
        for row in tables["CITES"]:
            row["self"] = 1

    missed = failed(check_recovery(plant(drop_scores), world))
    assert missed == ["self-citations: precision", "self-citations: recall"]
    assert failed(check_recovery(plant(everywhere), world)) == ["self-citations: precision"]


def test_shuffled_scores_fail_and_the_control_passes(plant: Plant, world: World) -> None:
    def change(tables: dict[str, list[dict[str, object]]]) -> None:
        scores = [row["importance"] for row in tables["CITES"]]
        order = np.random.default_rng(0).permutation(len(scores)).tolist()
        for row, at in zip(tables["CITES"], order, strict=True):
            row["importance"] = scores[at]

    failures = failed(check_recovery(plant(change), world))
    assert failures == ["importance: rank correlation with the planted one"]


def test_an_unscored_store_fails_with_a_reason(plant: Plant, world: World) -> None:
    def change(tables: dict[str, list[dict[str, object]]]) -> None:
        for row in tables["CITES"]:
            row["importance"] = None

    recovery = check_recovery(plant(change), world)
    assert [math.isnan(c.found) for c in recovery.checks][-2:] == [True, True]
    assert not recovery.passed


def test_works_without_an_id_are_matched_by_title(plant: Plant, world: World) -> None:
    def change(tables: dict[str, list[dict[str, object]]]) -> None:
        for row in tables["Paper"][world.papers :]:
            row["doi"] = row["pmid"] = None
            row["title"] = str(row["title"]).upper() + "."

    assert check_recovery(plant(change), world).passed


@pytest.mark.parametrize(
    ("relation", "expected", "passed"),
    [("=", 2.0, True), ("=", 3.0, False), ("≥", 2.0, True), ("≥", 2.1, False), ("≤", 1.9, False)],
)
def test_relations_of_checks(relation: str, expected: float, passed: bool) -> None:
    assert Check("x", 2.0, relation, expected).passed is passed  # type: ignore[arg-type]
    assert not Check("x", math.nan, relation, expected).passed  # type: ignore[arg-type]


def test_a_share_may_miss_its_bound_by_chance() -> None:
    missed = Check("x", 0.89, "≥", 0.95, chance=0.07)
    assert (missed.passed, missed.by_chance) == (True, True)
    assert not Check("x", 0.87, "≥", 0.95, chance=0.07).passed
    assert not Check("x", 0.96, "≥", 0.95, chance=0.07).by_chance
    assert not Check("x", math.nan, "≥", 0.95, chance=math.nan).passed


def test_rank_correlation_equals_its_formula() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.permutation(12).astype(float), rng.permutation(12).astype(float)
    expected = 1 - 6 * ((a - b) ** 2).sum() / (12 * (12**2 - 1))
    assert compute_rank_correlation(a, b) == pytest.approx(expected)
    assert compute_rank_correlation(np.exp(a), b) == pytest.approx(expected)


def test_rank_correlation_averages_ranks_of_ties() -> None:
    # ranks 1.5 1.5 3 and 1 2 3: covariance .75, deviations sqrt(.75 * 1) * sqrt(1 * 2) / ...
    ranks = np.corrcoef([1.5, 1.5, 3.0], [1.0, 2.0, 3.0])[0, 1]
    result = compute_rank_correlation(np.array([5.0, 5.0, 9.0]), np.array([1.0, 4.0, 7.0]))
    assert result == pytest.approx(ranks)
    assert math.isnan(compute_rank_correlation(np.array([1.0, 1.0]), np.array([1.0, 2.0])))
    assert math.isnan(compute_rank_correlation(np.array([1.0, math.nan]), np.array([1.0, 2.0])))
