"""Verifies that profiles find works by the sentences that cite them, beside two controls.

These comparisons verify the code and are not evidence about science: the literature is generated
with uses that profiles can recover.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

from citescape.core.outputs import forget_outputs
from citescape.core.progress import Progress, silent
from citescape.demo.hidden_uses import HiddenUses, generate_hidden_uses, relink, shuffle_words
from citescape.demo.proof import MethodComparison
from citescape.demo.recovery import Check
from citescape.recommend.contexts import Contexts
from citescape.recommend.lcr.benchmark import make_task
from citescape.recommend.lcr.config import TEST, TRAIN
from citescape.recommend.lcr.measure import ALL, COLD, WARM, measure
from citescape.recommend.lcr.prepare import LcrEvaluationConfig, prepare
from citescape.recommend.retriever import SYSTEMS
from citescape.recommend.steps import BenchmarkLcr
from citescape.training.paired import PairedLead, compute_lead

SEEDS = 5
PLANTED, SHUFFLED, RELINKED, LEAKED = "planted", "words shuffled", "citations relinked", "leaked"
TRAINING_CONTEXTS: Mapping[str, Callable[[HiddenUses, int], Contexts]] = {
    PLANTED: lambda world, _: world.library.contexts,
    SHUFFLED: lambda world, seed: shuffle_words(world.library.contexts, seed=seed),
    RELINKED: lambda world, seed: relink(world.library.contexts, seed=seed),
    LEAKED: lambda world, _: _join(world.library.contexts, world.queries),
}
"""Condition -> training contexts of the profiles."""
PAIRS = {"profiler": "dense", "calibrated": "dense", "fused": "dense", "bm25-profile": "bm25"}
"""System with profiles -> its counterpart that reads only the text of the work itself."""
AMONG = "among"
_NAMES = {
    WARM: "known works",
    AMONG: "known works among themselves",
    COLD: "new works",
    ALL: "all works",
}
"""Names of the subsets of `measure`, and of lists with known works only."""
_SMALL = 0.1
"""Maximum lead of a control relative to the planted lead, and maximum loss of calibration relative
to the value of the counterpart."""
Comparisons = Mapping[tuple[str, str], MethodComparison]
"""Comparison by condition of `TRAINING_CONTEXTS` and subset of `_NAMES`."""


@dataclass(frozen=True)
class RecommendationProof:
    """MRR of all systems, and the checks on it."""

    comparisons: Comparisons
    checks: tuple[Check, ...]
    remarks: tuple[str, ...]
    """Leads of controls and losses for new works, which are not checked."""

    @property
    def seeds(self) -> int:
        """Number of repetitions."""
        return len(self.comparisons[PLANTED, ALL].values["dense"])


def prove_recommending(seeds: int = SEEDS, *, progress: Progress = silent) -> RecommendationProof:
    """Recommends the cited work of sentences in generated literatures.

    Each seed has its own literature. Sentences of 2019 are queries; profiles are computed from
    sentences of 2017 in four conditions: as planted, with sentences permuted among the citations,
    with cited works permuted, and with the query sentences leaked into them. Systems without
    profiles read no sentences and give the same lists in all four.

    Args:
        seeds: number of repetitions; leads are paired by seed.
        progress: receives the current stage.
    """
    with TemporaryDirectory() as runs:
        try:
            compared = compare_profiles(seeds, Path(runs), progress=progress)
        finally:
            forget_outputs(Path(runs))
    return summarise_proof(*compared)


def summarise_proof(
    comparisons: Comparisons, leaks: Mapping[str, list[int]]
) -> RecommendationProof:
    """Adds checks and remarks to the comparisons."""
    checks = (*check_profiles(comparisons), *check_leak(comparisons, leaks))
    return RecommendationProof(comparisons, checks, tuple(_remark(comparisons)))


def compare_profiles(
    seeds: int, runs: Path, *, progress: Progress = silent
) -> tuple[Comparisons, dict[str, list[int]]]:
    """MRR of all systems in all conditions, over all, known and new works.

    Arguments as in `prove_recommending`; `runs` is the folder of the profiles.

    Returns:
        Comparisons; and for each condition and seed the number of evaluation contexts among the
        training contexts.
    """
    values: dict[tuple[str, str], dict[str, list[float]]] = {}
    leaks: dict[str, list[int]] = {condition: [] for condition in TRAINING_CONTEXTS}
    for seed in range(seeds):
        progress(f"recommending citations, seed {seed + 1} of {seeds}")
        world = generate_hidden_uses(seed)
        for condition, training_contexts in TRAINING_CONTEXTS.items():
            figures, leaked = _measure(world, training_contexts(world, seed), runs)
            leaks[condition].append(leaked)
            for (system, subset), value in figures.items():
                by_system = values.setdefault((condition, subset), {})
                by_system.setdefault(system, []).append(value)
    return {key: _compare(*key, by_system) for key, by_system in values.items()}, leaks


def _measure(
    world: HiddenUses, training: Contexts, runs: Path
) -> tuple[dict[tuple[str, str], float], int]:
    """System, subset -> MRR, for subsets with works; and the number of leaked contexts."""
    task = make_task(world.library, {TRAIN: training, TEST: world.queries}, BenchmarkLcr())
    config = LcrEvaluationConfig()
    prepared, figures = prepare(task, config, runs=runs), {}
    among = replace(prepared, among=prepared.among & prepared.index.profiled)
    for system in config.systems:
        lists, known = (
            p.retrieve(system, config, progress=silent).papers for p in (prepared, among)
        )
        by_subset = measure(lists, prepared.relevant)
        by_subset[AMONG] = measure(known, prepared.relevant)[WARM]
        for subset, measured in by_subset.items():
            if len(measured.queries):
                figures[system, subset] = float(measured.values["mrr"].mean())
    return figures, task.inductive.find_leaks(task.library.dates)["contexts_in_training"]


def _compare(condition: str, subset: str, values: Mapping[str, list[float]]) -> MethodComparison:
    measure = f"MRR, {_NAMES[subset]}" + (f", {condition}" if condition != PLANTED else "")
    return MethodComparison(measure, {system: tuple(values[system]) for system in SYSTEMS})


def check_profiles(comparisons: Comparisons) -> Iterator[Check]:
    """Checks leads of profiles for known works, in controls too, and losses for new works.

    A lead is more than two standard errors. A control must stay below a tenth of the planted lead
    with two standard errors added, also among known works only, where a preference for cited works
    gains nothing. For new works, calibrated profiles may lose a tenth of the value of their
    counterpart.
    """
    warm, cold = comparisons[PLANTED, WARM], comparisons[PLANTED, COLD]
    for system, counterpart in PAIRS.items():
        yield warm.lead(system, counterpart)
    for control in (SHUFFLED, RELINKED):
        for pair in PAIRS.items():
            yield _bound(comparisons[control, WARM], pair, warm)
        among = comparisons[control, AMONG]
        yield _bound(among, ("profiler", "dense"), comparisons[PLANTED, AMONG])
    yield cold.lead("dense", "profiler")
    for system in ("calibrated", "fused"):
        yield cold.lead(system, "profiler")
    loss = _lead(cold, "dense", "calibrated")
    yield Check(
        f"{cold.measure}: dense above calibrated ({loss}), at most",
        *(loss.mean + 2 * loss.error, "≤", _SMALL * cold.mean("dense")),
    )


def check_leak(comparisons: Comparisons, leaks: Mapping[str, list[int]]) -> Iterator[Check]:
    """Checks that leaked query sentences raise values of systems with profiles."""
    overlap = sum(sum(counts) for condition, counts in leaks.items() if condition != LEAKED)
    name = "query sentences among the training sentences"
    yield Check(name, overlap, "=", 0)
    yield Check(f"{name}, leaked, minimum over seeds", min(leaks[LEAKED]), "≥", 1)
    honest, leaked = comparisons[PLANTED, ALL], comparisons[LEAKED, ALL]
    for system in ("profiler", "bm25-profile"):
        values = {"leaked": leaked.values[system], "planted": honest.values[system]}
        yield MethodComparison(f"{honest.measure}, {system}", values).lead("leaked", "planted")
    moved = max(abs(leaked.mean(system) - honest.mean(system)) for system in PAIRS.values())
    yield Check(f"{honest.measure}: change of systems without profiles by the leak", moved, "=", 0)


def _bound(control: MethodComparison, pair: tuple[str, str], planted: MethodComparison) -> Check:
    """Check that a lead with two standard errors is below a tenth of the planted lead."""
    lead, limit = _lead(control, *pair), _SMALL * _lead(planted, *pair).mean
    name = f"{control.measure}: {pair[0]} above {pair[1]} ({lead}), at most"
    return Check(name, lead.mean + 2 * lead.error, "≤", limit)


def _lead(comparison: MethodComparison, system: str, baseline: str) -> PairedLead:
    return compute_lead(comparison.values[system], comparison.values[baseline])


def _remark(comparisons: Comparisons) -> Iterator[str]:
    """Leads of the controls, and losses of profiles and calibration."""
    for control in (SHUFFLED, RELINKED):
        known, among = (
            _lead(comparisons[control, subset], "profiler", "dense") for subset in (WARM, AMONG)
        )
        yield (
            f"With {control} the profiler leads dense by {known} for known works, and by {among} "
            "if only known works are candidates: the remaining lead is a preference for cited "
            "works, at the expense of new works."
        )
    warm, cold = comparisons[PLANTED, WARM], comparisons[PLANTED, COLD]
    for comparison, system, baseline in (
        (warm, "calibrated", "profiler"),
        (warm, "fused", "bm25-profile"),
        (cold, "fused", "dense"),
        (cold, "bm25-profile", "bm25"),
    ):
        lead = _lead(comparison, system, baseline)
        yield f"Not checked, {comparison.measure}: {system} against {baseline} {lead}."


def _join(*parts: Contexts) -> Contexts:
    return Contexts(pa.concat_tables([part.pairs for part in parts]))
