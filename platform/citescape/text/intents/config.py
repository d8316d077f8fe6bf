"""How a model of citation intents is trained."""

from __future__ import annotations

from dataclasses import dataclass

from citescape.errors import ConfigError, invalid_choice

KINDS = {
    "linear": ("linear",),
    "transformer": ("transformer",),
    "combined": ("linear", "transformer"),
}
"""Kind of model -> its members, whose margins are weighed together."""

THRESHOLD = 0.5
"""From this probability on a context is labelled with an intent."""


@dataclass(frozen=True)
class IntentConfig:
    """What decides a model beside its training data.

    The values were chosen by cross-validation inside SciCite's training data.
    """

    kind: str = "linear"
    encoder: str = ""
    """Folder or hub id of the transformer; empty for the default."""
    seed: int = 0
    strength: float = 10.0
    """C of the linear model: the inverse of its regularisation."""
    folds: int = 5
    """Parts of the data; each is judged once by a linear model of the others, to calibrate it."""
    held_out: float = 0.1
    """Share of the data that the transformer is calibrated on instead of trained."""
    epochs: int = 3
    batch: int = 32
    learning_rate: float = 1.5e-4
    head_learning_rate: float = 1e-3
    weight_decay: float = 0.01
    warm_up: float = 0.1
    """Share of the steps."""
    dropout: float = 0.1
    """Before the head; the encoder has its own."""
    kept_layers: float = 2 / 3
    """Share of the encoder's layers, from below. The upper ones of an encoder of meaning have
    unlearned how a thing is said: on vectors of MiniLM's layers 1-6, left as they are, a linear
    model has macro-F1 .805 .811 .816 .817 .801 .744."""
    frozen_layers: float = 1 / 3
    """Share of the layers that stay as they are, and the embeddings: half the time, no worse."""
    max_tokens: int = 128
    threads: int = 2
    """Of the processor; the last digits of a model depend on it."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise invalid_choice("kind", self.kind, KINDS)
        if self.epochs < 1 or self.folds < 2 or not 0 < self.held_out < 1:
            raise ConfigError(
                f"epochs {self.epochs}, folds {self.folds}, held_out {self.held_out}; expected "
                "at least 1 epoch, 2 folds, and a share between 0 and 1"
            )
