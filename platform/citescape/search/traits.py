"""Properties of rankers in tables: their vectors and their training data (CIA, table 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Traits:
    """Traits of a ranker; None if unknown."""

    dimension: int = 0
    """Numbers per vector; 0 without vectors."""
    citations: bool | None = False
    """Whether citations were used, in training or ranking."""
    contrast: bool | None = False
    """Whether training was contrastive."""
    importance: bool | None = False
    """Whether the importance of citations was used."""
    facet: str = ""
    """The facet of abstracts that it was trained on, if only one."""
    unknown: Mapping[str, int] = field(default_factory=dict)
    """Kind of difference between a file and the corpus -> its number."""
    seen: int | None = 0
    """Number of held-out queries that were in its training data, of all splits; None if unknown."""
    trials: tuple[tuple[float, ...], ...] = ()
    """Settings of a grid search, each with its figure last."""
