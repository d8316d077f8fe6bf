"""How the section model is trained."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SectionConfig:
    """How the model is trained."""

    encoder: str = ""
    """Folder or hub id; empty for the default."""
    body: bool = True
    """First words of the text beside the title."""
    epochs: int = 24
    """At least; more where papers are few, to make `fewest_steps`."""
    batch: int = 16
    """Papers of one step."""
    fewest_steps: int = 400
    learning_rate: float = 3e-3
    """The highest, of one cycle (Smith and Topin 2018)."""
    weight_decay: float = 0.01
    hidden_share: float = 0.5
    """Share of papers all of whose telling titles are hidden in an epoch."""
    papers: int = 4000
    """At most so many are learned from (CIA labelled 4,000)."""
    seed: int = 0
    threads: int = 2
    """Of the processor; the last digits of a model depend on it."""
