"""What tables say of rankers: what their vectors are, and what made them (CIA, table 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Traits:
    """None: nothing that is at hand says so."""

    dimension: int = 0
    """Numbers of a paper's vector; 0: it has none."""
    citations: bool | None = False
    """Whether citations took part, in training or in ranking."""
    contrast: bool | None = False
    """Whether texts that belong together were drawn together, and others apart."""
    importance: bool | None = False
    """Whether the importance of citations took part."""
    facet: str = ""
    """The part of abstracts that it was trained on, if it was only one."""
    unknown: Mapping[str, int] = field(default_factory=dict)
    """What a file holds that the corpus does not, or lacks that the corpus has, and how many."""
    seen: int | None = 0
    """Queries held out that its training, if that was here, has learned from; of all splits."""
    trials: tuple[tuple[float, ...], ...] = ()
    """Settings that were tried, each with its figure last."""
