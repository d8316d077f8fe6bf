"""Whether profiles find what was planted: what others say of a work, beside two controls.

These comparisons verify the code. They say nothing about science: the literature is made so that
there is something to find.
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
from citescape.demo.proof import Comparison
from citescape.demo.recovery import Check
from citescape.recommend.contexts import Contexts
from citescape.recommend.lcr.benchmark import make_task
from citescape.recommend.lcr.config import TEST, TRAIN
from citescape.recommend.lcr.measure import ALL, COLD, WARM, measure
from citescape.recommend.lcr.prepare import LcrMeasuring, prepare
from citescape.recommend.retriever import SYSTEMS
from citescape.recommend.steps import BenchmarkLcr
from citescape.training.paired import Lead, compute_lead

SEEDS = 5
PLANTED, SHUFFLED, RELINKED, LEAKED = "planted", "words shuffled", "citations relinked", "leaked"
DEALS: Mapping[str, Callable[[HiddenUses, int], Contexts]] = {
    PLANTED: lambda world, _: world.library.contexts,
    SHUFFLED: lambda world, seed: shuffle_words(world.library.contexts, seed=seed),
    RELINKED: lambda world, seed: relink(world.library.contexts, seed=seed),
    LEAKED: lambda world, _: _join(world.library.contexts, world.asked),
}
"""What profiles are made of."""
PAIRS = {"profiler": "dense", "calibrated": "dense", "fused": "dense", "bm25-profile": "bm25"}
"""Systems with profiles -> the one that reads the same way, but own texts only."""
AMONG = "among"
_NAMES = {
    WARM: "known works",
    AMONG: "known works among themselves",
    COLD: "new works",
    ALL: "all works",
}
"""Of the conditions of `measure`, and of lists that hold known works only."""
_SMALL = 0.1
"""What a control may keep of the planted lead, and calibration may lose of own texts' figure."""
Found = Mapping[tuple[str, str], Comparison]
"""By what profiles are made of, and what is to be found, see `_NAMES`."""


@dataclass(frozen=True)
class Recommended:
    """MRR of all systems, and what must hold."""

    found: Found
    checks: tuple[Check, ...]
    remarks: tuple[str, ...]
    """What is left to controls and what is lost, which is not checked."""

    @property
    def seeds(self) -> int:
        """Repetitions."""
        return len(self.found[PLANTED, ALL].values["dense"])


def prove_recommending(seeds: int = SEEDS, *, progress: Progress = silent) -> Recommended:
    """Asks planted literatures which works belong into sentences.

    Each seed has a literature of its own. Sentences of 2019 ask; profiles are made of those of
    2017: as planted, with the words dealt at random among the citations, with the cited works dealt
    at random, and with the sentences that ask among them. Own text, which reads no sentence, is the
    same in all four.

    Args:
        seeds: repetitions; leads are paired by seed.
        progress: told what is going on.
    """
    with TemporaryDirectory() as runs:
        try:
            found = compare_profiles(seeds, Path(runs), progress=progress)
        finally:
            forget_outputs(Path(runs))
    return sum_up(*found)


def sum_up(found: Found, leaks: Mapping[str, list[int]]) -> Recommended:
    """What was compared, with what must hold of it."""
    checks = (*check_profiles(found), *check_leak(found, leaks))
    return Recommended(found, checks, tuple(_remark(found)))


def compare_profiles(
    seeds: int, runs: Path, *, progress: Progress = silent
) -> tuple[Found, dict[str, list[int]]]:
    """MRR of all systems in all deals, over all, known and new works.

    Args and deals: `prove_recommending`; `runs` is where profiles are kept.

    Returns:
        Comparisons; and for each deal and seed the number of evaluation contexts that the protocol
        finds among the training contexts.
    """
    values: dict[tuple[str, str], dict[str, list[float]]] = {}
    leaks: dict[str, list[int]] = {deal: [] for deal in DEALS}
    for seed in range(seeds):
        progress(f"recommending citations, seed {seed + 1} of {seeds}")
        world = generate_hidden_uses(seed)
        for deal, make in DEALS.items():
            figures, leaked = _measure(world, make(world, seed), runs)
            leaks[deal].append(leaked)
            for (system, condition), value in figures.items():
                ways = values.setdefault((deal, condition), {})
                ways.setdefault(system, []).append(value)
    found = {key: _compare(*key, ways) for key, ways in values.items()}
    return found, leaks


def _measure(
    world: HiddenUses, training: Contexts, runs: Path
) -> tuple[dict[tuple[str, str], float], int]:
    """System, condition -> MRR, of conditions that have works; and leaked contexts."""
    task = make_task(world.library, {TRAIN: training, TEST: world.asked}, BenchmarkLcr())
    config = LcrMeasuring()
    prepared, figures = prepare(task, config, runs=runs), {}
    among = replace(prepared, among=prepared.among & prepared.index.profiled)
    for system in config.systems:
        lists, known = (
            p.retrieve(system, config, progress=silent).papers for p in (prepared, among)
        )
        made = measure(lists, prepared.wanted)
        made[AMONG] = measure(known, prepared.wanted)[WARM]
        for condition, measured in made.items():
            if len(measured.queries):
                figures[system, condition] = float(measured.values["mrr"].mean())
    return figures, task.inductive.find_leaks(task.library.dates)["contexts_in_training"]


def _compare(deal: str, condition: str, ways: Mapping[str, list[float]]) -> Comparison:
    figure = f"MRR, {_NAMES[condition]}" + (f", {deal}" if deal != PLANTED else "")
    return Comparison(figure, {system: tuple(ways[system]) for system in SYSTEMS})


def check_profiles(found: Found) -> Iterator[Check]:
    """What profiles must gain for known works, must not where it was destroyed, nor lose for new.

    A lead is more than two standard errors. What a control may have is less than a tenth of the
    planted lead, two standard errors added; among known works alone, where it does not help to
    prefer whatever is cited at all, too. A tenth of own text's figure is what calibrated profiles
    may lose for new works.
    """
    warm, cold = found[PLANTED, WARM], found[PLANTED, COLD]
    for way, own in PAIRS.items():
        yield warm.lead(way, own)
    for deal in (SHUFFLED, RELINKED):
        for way, own in PAIRS.items():
            yield _bound(found[deal, WARM], (way, own), found[PLANTED, WARM])
        yield _bound(found[deal, AMONG], ("profiler", "dense"), found[PLANTED, AMONG])
    yield cold.lead("dense", "profiler")
    for way in ("calibrated", "fused"):
        yield cold.lead(way, "profiler")
    loss = _lead(cold, "dense", "calibrated")
    yield Check(
        f"{cold.figure}: dense above calibrated ({loss}), at most",
        *(loss.mean + 2 * loss.error, "≤", _SMALL * cold.mean("dense")),
    )


def check_leak(found: Found, leaks: Mapping[str, list[int]]) -> Iterator[Check]:
    """Sentences that ask make figures look better where profiles know them, and are reported."""
    kept = sum(sum(leaks[deal]) for deal in DEALS if deal != LEAKED)
    what = "sentences to be completed among those that profiles are made of"
    yield Check(what, kept, "=", 0)
    yield Check(f"{what}, leaked, fewest of a seed", min(leaks[LEAKED]), "≥", 1)
    honest, leaked = found[PLANTED, ALL], found[LEAKED, ALL]
    for way in ("profiler", "bm25-profile"):
        ways = {"leaked": leaked.values[way], "planted": honest.values[way]}
        yield Comparison(f"{honest.figure}, {way}", ways).lead("leaked", "planted")
    moved = max(abs(leaked.mean(own) - honest.mean(own)) for own in PAIRS.values())
    yield Check(f"{honest.figure}: own texts moved by the leak", moved, "=", 0)


def _bound(control: Comparison, pair: tuple[str, str], planted: Comparison) -> Check:
    """Whether a lead, two standard errors added, is small beside the planted one."""
    lead, most = _lead(control, *pair), _SMALL * _lead(planted, *pair).mean
    what = f"{control.figure}: {pair[0]} above {pair[1]} ({lead}), at most"
    return Check(what, lead.mean + 2 * lead.error, "≤", most)


def _lead(comparison: Comparison, way: str, over: str) -> Lead:
    return compute_lead(comparison.values[way], comparison.values[over])


def _remark(found: Found) -> Iterator[str]:
    """What is left to the controls, and what profiles and calibration cost."""
    for deal in (SHUFFLED, RELINKED):
        left, alone = (_lead(found[deal, name], "profiler", "dense") for name in (WARM, AMONG))
        yield (
            f"With {deal} the profiler leads own text by {left} for known works, and by {alone} "
            "where only known works may be found: what is left prefers whatever is cited at all, "
            "and new works pay for it."
        )
    warm, cold = found[PLANTED, WARM], found[PLANTED, COLD]
    for comparison, way, over in (
        (warm, "calibrated", "profiler"),
        (warm, "fused", "bm25-profile"),
        (cold, "fused", "dense"),
        (cold, "bm25-profile", "bm25"),
    ):
        lead = _lead(comparison, way, over)
        yield f"Not checked, {comparison.figure}: {way} against {over} {lead}."


def _join(*parts: Contexts) -> Contexts:
    return Contexts(pa.concat_tables([part.pairs for part in parts]))
