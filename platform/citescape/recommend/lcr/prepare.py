"""Contexts of a split and profiles of the training contexts, ready to be held to each other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.progress import Progress, silent
from citescape.encoders.saved import check_encoder
from citescape.metrics.summary import Resampling
from citescape.recommend.asking import AskConfig, EncodedQueries
from citescape.recommend.contexts import Contexts
from citescape.recommend.encoding import Reading
from citescape.recommend.folds import Refit
from citescape.recommend.lcr.benchmark import LcrTask
from citescape.recommend.lcr.config import TEST, VALIDATION
from citescape.recommend.lcr.measure import Wanted
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.profiling import ProfileConfig, make_profiles
from citescape.recommend.retriever import SYSTEMS, CandidateIndex, Retrieved, retrieve
from citescape.runs.directory import Stopwatch
from citescape.runs.step import name_runs
from citescape.training.reranking.config import DEPTH
from citescape.training.reranking.kept import find_reranker

ASKED = (TEST, VALIDATION)
"""Splits whose contexts are to be completed: of those of the other, profiles are made."""


@dataclass(frozen=True)
class LcrMeasuring:
    """Which systems are measured on what, and how."""

    systems: tuple[str, ...] = tuple(SYSTEMS)
    """Of `SYSTEMS`; others are compared with the first."""
    split: str = TEST
    """One of `ASKED`."""
    queries: int = 0
    """Contexts, drawn at random; 0 for all."""
    k: int = 300
    """Papers of a list; what comes later is not found."""
    profiles: ProfileConfig = field(default_factory=ProfileConfig)
    asking: AskConfig = field(default_factory=AskConfig)
    share: float = CandidateIndex.share
    """Of words in what is fused."""
    rerankers: tuple[str, ...] = ()
    """Each orders what the last of the systems finds: runs, folders, hub ids."""
    depths: tuple[int, ...] = (DEPTH,)
    """Papers of a list that are reranked; those behind stay where they are."""
    weight: float = 1.0
    """Of a reranker's score beside the retriever's, see `shortlists.reorder`."""
    resampling: Resampling = field(default_factory=Resampling)

    def __post_init__(self) -> None:
        for name in self.systems:
            if name not in SYSTEMS:
                raise invalid_choice("system", name, SYSTEMS)
        if self.split not in ASKED:
            raise invalid_choice("split", self.split, ASKED)
        if not self.systems or len({*self.systems}) < len(self.systems):
            raise ConfigError(
                f"found {', '.join(self.systems) or 'no system'}; expected one or more, each once"
            )
        for given in (self.rerankers, self.depths):
            if len({*given}) < len(given):
                raise ConfigError(f"found {', '.join(map(str, given))}; expected each once")
        if self.k < 1 or self.queries < 0:
            raise ConfigError(f"k is {self.k}, queries {self.queries}; expected 1, 0 or more")
        if min(self.depths, default=0) < 1 or not 0 <= self.weight <= 1:
            told = ", ".join(map(str, self.depths)) or "none"
            raise ConfigError(
                f"depth is {told}, weight {self.weight}; expected 1 or more, and 0 to 1"
            )
        if not 0 <= self.share <= 1:
            raise ConfigError(f"the share of words is {self.share}; expected 0 to 1")


@dataclass(frozen=True, eq=False)
class Prepared:
    """Queries, what is to be found for them, and what they are held against."""

    posed: EncodedQueries
    wanted: Wanted
    made: ProfileRun
    index: CandidateIndex
    among: npt.NDArray[np.bool_]
    """(papers,) what may be found."""

    @cached_property
    def refit(self) -> Refit:
        """To make the same profiles without some papers."""
        return Refit.of(self.made)

    def retrieve(self, system: str, config: LcrMeasuring, *, progress: Progress) -> Retrieved:
        """The lists of one system."""
        asked = self.posed.ask(self.index.lexicon, config.asking)
        return retrieve(self.index, asked, system, k=config.k, among=self.among, progress=progress)


def check_measuring(config: LcrMeasuring, runs: Path) -> None:
    """Before a benchmark is read: whether encoder and rerankers are there.

    Raises:
        ConfigError: one is not, or is something else.
    """
    check_encoder(runs, name_runs(config.profiles.encoder.encoder))
    for named in config.rerankers:
        find_reranker(named, runs)


def prepare(
    task: LcrTask,
    config: LcrMeasuring,
    *,
    runs: Path,
    clock: Stopwatch | None = None,
    progress: Progress = silent,
) -> Prepared:
    """Makes profiles of the training contexts, and queries of those of a split."""
    clock = clock or Stopwatch()
    split = find_split(task, config.split)
    made = make_profiles(task.library, config.profiles, runs=runs, progress=progress)
    reading = Reading.of(config.profiles.encoder, runs)
    with clock.timed("encode queries"):
        posed = EncodedQueries.of(
            split,
            task.library,
            made.base,
            dated=task.dated,
            reading=reading,
            runs=runs,
            progress=progress,
        )
    if config.queries and config.queries < len(posed):
        chance = np.random.default_rng(config.resampling.seed)
        posed = posed.take(np.sort(chance.permutation(len(posed))[: config.queries]))
    index = replace(made.index, share=config.share)
    wanted = Wanted.of(split, posed.ids, made.ids, warm=index.profiled)
    among = pc.is_in(made.ids, value_set=task.inductive.corpus).to_numpy(zero_copy_only=False)
    return Prepared(posed, wanted, made, index, among)


def find_split(task: LcrTask, name: str) -> Contexts:
    """The contexts of a split.

    Raises:
        ConfigError: there is none of that name.
    """
    splits = task.inductive.splits
    if name not in splits:
        raise invalid_choice("split", name, splits)
    return splits[name]
