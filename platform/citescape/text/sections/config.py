"""How the section model is trained."""

from __future__ import annotations

from dataclasses import dataclass

from citescape.core.errors import ConfigError

METHODS: dict[str, tuple[str, ...]] = {
    "rules": (),
    "words": ("sklearn",),
    "words, body": ("sklearn",),
    "linear CRF": ("torch",),
    "linear CRF, body": ("torch",),
    "BiLSTM-CRF": ("torch", "transformers"),
    "BiLSTM-CRF, body": ("torch", "transformers"),
    "BiLSTM-CRF, body, strict": ("torch", "transformers"),
}
"""Ways to tell types that `evaluate` compares -> the libraries that each needs."""


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

    def __post_init__(self) -> None:
        least = {"epochs": 1, "batch": 1, "fewest_steps": 1, "papers": 1, "threads": 1, "seed": 0}
        for name, bound in least.items():
            if getattr(self, name) < bound:
                raise ConfigError(f"{name} is {getattr(self, name)}; expected {bound} or more")
        if not 0 <= self.hidden_share <= 1:
            raise ConfigError(f"hidden_share is {self.hidden_share}; expected a share from 0 to 1")
        if not self.learning_rate > 0 or not self.weight_decay >= 0:
            raise ConfigError(
                f"learning_rate is {self.learning_rate}, weight_decay {self.weight_decay}; "
                "expected a rate above 0 and a decay of 0 or more"
            )
