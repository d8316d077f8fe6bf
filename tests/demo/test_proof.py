"""Learning recovers planted structure, and fails if it is destroyed."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
import pytest

pytest.importorskip("torch")

from citescape.demo.planted import generate_facet_world
from citescape.demo.proof import (
    MethodComparison,
    Proof,
    compare_facets,
    compare_samplers,
    join_triplets,
    prove_learning,
)
from citescape.demo.recovery import Check
from citescape.demo.world import World, generate_world
from citescape.store.graph_store import GraphStore, open_store
from tests.demo.conftest import Tables, fill, truth
from tests.sampling.conftest import rows
from tests.training.conftest import plain_triplets

Plant = Callable[..., GraphStore]
SEEDS = 3
FIGURES = ("topic P@10", "important references MAP")


@pytest.fixture(scope="module")
def comparisons(tmp_path_factory: pytest.TempPathFactory) -> dict[str, MethodComparison]:
    """Figures of several seeds on a world of 300 papers, loaded without errors."""
    world = generate_world(papers=300, seed=0)
    store = open_store(str(tmp_path_factory.mktemp("proof") / "store.lbug"))
    fill(store, truth(world))
    result = compare_samplers(store, world, SEEDS)
    store.close()
    assert [comparison.measure for comparison in result] == list(FIGURES)
    return {comparison.measure: comparison for comparison in result}


@pytest.mark.parametrize(
    ("figure", "way", "over"),
    [
        *product(FIGURES, ["importance"], ["uniform", "shuffled importance"]),
        ("topic P@10", "uniform", "shuffled importance"),
        ("topic P@10", "importance", "untrained"),
    ],
)
def test_samplers_are_ordered_as_planted(
    figure: str, way: str, over: str, comparisons: dict[str, MethodComparison]
) -> None:
    check = comparisons[figure].lead(way, over)
    assert check.passed, f"{check.name}: {check.found}"
    assert len(comparisons[figure].values[way]) == SEEDS
    assert all(0 <= value <= 1 for value in comparisons[figure].values[way])


def test_facet_encoders_find_their_facet_better_than_a_common_encoder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small = partial(generate_facet_world, papers=200)
    monkeypatch.setattr("citescape.demo.proof.generate_facet_world", small)
    result = compare_facets(2)
    assert [comparison.measure for comparison in result] == [
        *("background P@10", "method P@10", "result P@10")
    ]
    for comparison in result:
        assert set(comparison.values) == {"untrained", "one encoder", "facet encoder"}
        own, whole = (comparison.values[way] for way in ("facet encoder", "one encoder"))
        assert all(a > b for a, b in zip(own, whole, strict=True)), comparison
        assert comparison.lead("facet encoder", "one encoder").passed


def test_destroyed_importance_fails_the_proof(plant: Plant, world: World) -> None:
    """With random importance the proof must fail."""

    def destroy(tables: Tables) -> None:
        scores = [row["importance"] for row in tables["CITES"]]
        drawn = np.random.default_rng(1).permutation(scores)
        for row, score in zip(tables["CITES"], drawn, strict=True):
            row["importance"] = float(score)

    intact, destroyed = (
        compare_samplers(plant(change), world, 2)[1].lead("importance", "uniform")
        for change in (lambda tables: None, destroy)
    )
    assert intact.passed
    assert not destroyed.passed


@pytest.mark.parametrize(("papers", "claims"), [(60, 7), (300, 8)])
def test_checks_depend_on_the_size_of_the_world(
    papers: int, claims: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shuffled importance is expected to be worse than no importance only in large worlds."""
    ways = ("untrained", "uniform", "shuffled importance", "importance")
    facets = ("untrained", "one encoder", "facet encoder")
    figures_ = tuple(
        MethodComparison(figure, dict.fromkeys(ways, (0.5, 0.5))) for figure in FIGURES
    )
    own = [MethodComparison(f, dict.fromkeys(facets, (0.5, 0.5))) for f in ("a", "b", "c")]
    monkeypatch.setattr("citescape.demo.proof.compare_samplers", lambda *_, **__: figures_)
    monkeypatch.setattr("citescape.demo.proof.compare_facets", lambda *_: own)
    world = generate_world(papers=papers, seed=0)
    proof = prove_learning(None, world, seeds=2)  # type: ignore[arg-type]
    assert proof == Proof((*figures_, *own), proof.checks)
    assert len(proof.checks) == claims
    assert any("uniform above shuffled" in check.name for check in proof.checks) == (papers == 300)


def test_a_lead_is_the_mean_difference_minus_two_standard_errors() -> None:
    values = {"a": (0.5, 0.7, 0.6, 0.9), "b": (0.4, 0.5, 0.7, 0.6)}
    leads = [0.1, 0.2, -0.1, 0.3]
    mean = sum(leads) / 4
    deviation = (sum((lead - mean) ** 2 for lead in leads) / 3) ** 0.5
    check = MethodComparison("P", values).lead("a", "b")
    assert check.found == pytest.approx(mean - 2 * deviation / 4**0.5)
    assert check.name == "P: a above b (better in 3 of 4 seeds), lead"
    assert not check.passed, "a lead within two standard errors is none"
    assert MethodComparison("P", {"a": (0.6, 0.7), "b": (0.5, 0.6)}).lead("a", "b").passed
    alone = MethodComparison("P", {"a": (0.6,), "b": (0.5,)}).lead("a", "b")
    assert math.isnan(alone.found), "one seed has no standard error"
    assert not alone.passed
    assert isinstance(check, Check)


def test_mean_and_deviation() -> None:
    comparison = MethodComparison("P", {"a": (0.2, 0.4, 0.9), "b": (0.5,)})
    assert comparison.mean("a") == pytest.approx(0.5)
    assert comparison.deviation("a") == pytest.approx(((0.09 + 0.01 + 0.16) / 2) ** 0.5)
    assert comparison.deviation("b") == 0


def test_triplets_of_several_facets_are_grouped_by_anchor() -> None:
    first = plain_triplets((0, 1, 2), (2, 1, 0))
    second = plain_triplets((1, 2, 0), (2, 0, 1))
    joined = join_triplets([first, second])
    assert joined.anchor.tolist() == [0, 1, 2, 2]
    assert sorted(map(repr, rows(joined))) == sorted(map(repr, rows(first) + rows(second)))
