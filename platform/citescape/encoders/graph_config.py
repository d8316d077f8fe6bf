"""Settings of graph embeddings."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.types import FACETS
from citescape.runs.step import Count, Seed, Setting, Settings

LOSSES = ("softmax", "ranking")
"""Cross-entropy over the candidates, or a hinge on each of them (margin ranking)."""
COMPARATORS = ("dot", "cosine")
TABLES = ("two", "shared")
"""A vector for citing and one for being cited, or the same for both (PyTorch-BigGraph)."""
_BOUNDED = 0.2
_FIRST_STEP, _FIRST_CORRECTED = 0.2, 0.4


_POSITIVE = Setting(above=0, expert=True)


@dataclass(frozen=True)
class GraphConfig(Settings):
    """All settings that decide the vectors of a graph."""

    dimensions: Count = 768
    """Number of dimensions of a vector."""
    epochs: Count = 5
    """Number of passes over the citations. More passes fit the training citations better, but not
    the held-out ones (PyTorch-BigGraph: 20 for SciNCL)."""
    loss: Annotated[str, Setting(choices=LOSSES)] = "softmax"
    """Loss: cross-entropy over candidates, or a margin to each."""
    comparator: Annotated[str, Setting(choices=COMPARATORS, expert=True)] = "dot"
    """Score of two vectors: dot product or cosine."""
    tables: Annotated[str, Setting(choices=TABLES)] = "two"
    """Vectors: one for citing and one for being cited, or a shared one for both."""
    undirected: bool = False
    """Take each citation in both directions."""
    learning_rate: Annotated[
        float | None, Setting(default=".4 / sqrt(dimensions), .2 without correction"), _POSITIVE
    ] = None
    """Learning rate of row-wise Adagrad (PyTorch-BigGraph: .1). With the default, the first step of
    a vector has the length .4, or .2 without correction, for any number of dimensions."""
    margin: Annotated[float, _POSITIVE] = 0.15
    """Margin of the ranking loss."""
    temperature: Annotated[
        float | None, Setting(default="1, .2 with cosines or --max-norm"), _POSITIVE
    ] = None
    """Temperature by which softmax divides scores."""
    correction: Annotated[
        bool | None, Setting(default="with softmax of dot products", expert=True)
    ] = None
    """Reduce the score of a candidate by the log of how often it is drawn, so that scores become
    log probabilities of citations among all papers (sampled softmax, Bengio & Senécal 2008)."""
    max_norm: Annotated[float | None, Setting(default="none"), _POSITIVE] = None
    """Maximum length of a vector after each step (PyTorch-BigGraph: 1)."""
    batch: Annotated[Count, Setting(expert=True)] = 1000
    """Number of citations per step."""
    chunk: Annotated[Count, Setting(expert=True)] = 50
    """Number of citations that are each other's negatives (PyTorch-BigGraph: `num_batch_negs`, also
    50). Larger chunks are slower and predict no better."""
    uniform: Annotated[int, Setting(flags=("--negatives",), least=0, expert=True)] = 20
    """Number of further negatives per chunk, drawn from all papers, for each end of a citation."""
    seed: Seed = 0
    """Random seed."""
    threads: Annotated[Count, Setting(expert=True)] = 2
    """Number of processor threads; the last digits of the vectors depend on it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.chunk + self.uniform < 2:
            raise ConfigError("chunk is 1, uniform 0: no negatives; expected two citations or more")
        if self.correction and self.loss != "softmax":
            raise ConfigError(
                "correction applies to the softmax loss; expected --loss softmax, or no correction"
            )

    @property
    def rate(self) -> float:
        """The learning rate in use."""
        first = _FIRST_CORRECTED if self.corrects else _FIRST_STEP
        return self.learning_rate or first / self.dimensions**0.5

    @property
    def scale(self) -> float:
        """The temperature in use."""
        if self.temperature is not None:
            return self.temperature
        return _BOUNDED if self._bounded else 1.0

    @property
    def corrects(self) -> bool:
        """Whether softmax corrects for how often candidates are drawn."""
        if self.correction is not None:
            return self.correction
        return self.loss == "softmax" and not self._bounded

    def settings(self) -> dict[str, Any]:
        """All settings with the defaults in use, for ids of runs and checkpoints."""
        used = {"learning_rate": self.rate, "temperature": self.scale, "correction": self.corrects}
        return {**asdict(self), **used}

    @property
    def _bounded(self) -> bool:
        """Whether scores stay in or near [-1, 1]."""
        return self.comparator == "cosine" or self.max_norm is not None


@dataclass(frozen=True)
class Workplace:
    """Folder, device and checkpoints: on a CPU they do not change the vectors."""

    folder: Path | None = None
    """Folder for checkpoints and mapped tables; without it, a killed run starts again."""
    every: float = 60.0
    """Seconds of work between checkpoints; 0: after each step. Slow checkpoints are written less
    often, so that they take at most a tenth of the time."""
    device: str = ""
    """`cpu`, `cuda`, `auto` or another device of torch; empty for that of `choose_device`. Tables
    that do not fit there stay in the CPU's memory."""
    memory_map: bool | None = field(default=None)
    """Keep tables on disk, and only the rows of a step in memory; by default where they would take
    more than half of the memory available."""


WAYS = ("sum", "source", "target", "both")
"""The sum of both (a paper's source vector is near the target vectors of what it cites), one of
them, or both side by side."""
WEIGHTS = ("none", "importance", *FACETS)


@dataclass(frozen=True)
class GraphTask(Settings):
    """Weights of the citations, vectors of the papers, and held-out citations."""

    weight: Annotated[str, Setting(choices=WEIGHTS)] = "none"
    """Weight of a citation: none, its importance, or the number of its contexts with an intent;
    citations without any are left out."""
    vectors: Annotated[str, Setting(choices=WAYS, expert=True)] = "sum"
    """Vectors of a paper with two: their sum, one of them, or both side by side."""
    holdout: Annotated[float, Setting(least=0)] = 0.01
    """Share of the citations that are predicted instead of learned from; less than 1."""

    def check_task(self, graph: GraphConfig) -> None:
        """Raises ConfigError where the settings do not fit those of the embedding."""
        check_way(self.vectors, graph)
        if not 0 <= self.holdout < 1:
            raise ConfigError(f"holdout is {self.holdout}; expected a share from 0 to below 1")


def check_way(way: str, graph: GraphConfig) -> None:
    """Raises ConfigError for an unknown way, or one that needs two tables."""
    if way not in WAYS:
        raise invalid_choice("vectors", way, WAYS)
    if graph.tables == "shared" and way != WAYS[0]:
        raise ConfigError(
            f"vectors is {way!r}, but with a shared table a paper has one vector; "
            f"expected {WAYS[0]!r}, or two tables"
        )
