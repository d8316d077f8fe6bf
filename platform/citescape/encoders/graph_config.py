"""How a citation graph is embedded."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from citescape.core.errors import ConfigError, invalid_choice

LOSSES = ("softmax", "ranking")
"""Cross-entropy over the candidates, or a hinge on each of them (margin ranking)."""
COMPARATORS = ("dot", "cosine")
TABLES = ("two", "shared")
"""A vector for citing and one for being cited, or the same for both (PyTorch-BigGraph's)."""
_BOUNDED = 0.2
_FIRST_STEP, _FIRST_CORRECTED = 0.2, 0.4


@dataclass(frozen=True)
class GraphConfig:
    """What decides the vectors, together with the graph."""

    dimensions: int = 768
    epochs: int = 5
    """More find citations that were learned from, and others no better (PyTorch-BigGraph's are 20
    for SciNCL)."""
    loss: str = "softmax"
    comparator: str = "dot"
    tables: str = "two"
    undirected: bool = False
    """Each citation both ways."""
    learning_rate: float | None = None
    """Of Adagrad by rows (PyTorch-BigGraph's is .1); by default .4 / sqrt(dimensions) where softmax
    is corrected and .2 / sqrt(dimensions) elsewhere, so that a first step has the length .4 or .2
    whatever the dimensions."""
    margin: float = 0.15
    """Of the ranking loss."""
    temperature: float | None = None
    """What softmax divides scores by; by default 1, and .2 where scores cannot leave [-1, 1]."""
    correction: bool | None = None
    """Softmax lessens a candidate's score by the log of how often it is drawn, so that scores come
    to be log probabilities of citations among all papers, not among such draws (sampled softmax,
    Bengio & Senécal 2008); by default where scores can leave [-1, 1]."""
    max_norm: float | None = None
    """Vectors are shortened to this length after each step (PyTorch-BigGraph's is 1)."""
    batch: int = 1000
    """Citations of one step."""
    chunk: int = 50
    """Citations that are each other's negatives (PyTorch-BigGraph's `num_batch_negs`, 50 too; its
    edge chunks are parts of a file). Larger chunks are slower and predict no better."""
    uniform: int = 20
    """Further negatives of a chunk, drawn from all papers, for either end."""
    seed: int = 0
    threads: int = 2
    """Of the processor; the last digits of the vectors depend on it."""

    def __post_init__(self) -> None:
        tables = {"loss": LOSSES, "comparator": COMPARATORS, "tables": TABLES}
        for name, choices in tables.items():
            if getattr(self, name) not in choices:
                raise invalid_choice(name, getattr(self, name), choices)
        least = {"dimensions": 1, "epochs": 1, "batch": 1, "chunk": 1, "threads": 1}
        for name, bound in {**least, "uniform": 0, "seed": 0}.items():
            if getattr(self, name) < bound:
                raise ConfigError(f"{name} is {getattr(self, name)}; expected {bound} or more")
        if self.chunk + self.uniform < 2:
            raise ConfigError("chunk is 1, uniform 0: no negatives; expected two citations or more")
        if self.correction and self.loss != "softmax":
            raise ConfigError("correction is of the softmax loss; expected --loss softmax, or none")
        for name in ("learning_rate", "margin", "temperature", "max_norm"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise ConfigError(f"{name} is {value}; expected a number above 0")

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
        """What ids of runs and checkpoints are made of: everything, defaults spelled out."""
        found = {
            "learning_rate": self.rate,
            "temperature": self.scale,
            "correction": self.corrects,
        }
        return {**asdict(self), **found}

    @property
    def _bounded(self) -> bool:
        """Whether scores stay in [-1, 1], or near it."""
        return self.comparator == "cosine" or self.max_norm is not None


@dataclass(frozen=True)
class Workplace:
    """Where the work is done, and what is kept of it on the way: decides no vector on a CPU."""

    folder: Path | None = None
    """For checkpoints and mapped tables; without it, a killed run begins anew."""
    every: float = 60.0
    """Seconds of work between checkpoints. Where writing one takes long, they are further apart,
    so that no more than a tenth of the time goes into them; 0 is after each step."""
    device: str = "auto"
    """`cpu`, `cuda` or any other of torch; `auto` takes CUDA where there is one. Tables that do not
    fit there stay in the processor's memory."""
    memory_map: bool | None = field(default=None)
    """Tables on disk, of which only the rows of a step are in memory; by default where they would
    take more than half of what is left of it, to the machine or to its container."""
