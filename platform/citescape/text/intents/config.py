"""How a model of citation intents is trained."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from citescape.core.errors import ConfigError, invalid_choice
from citescape.runs.step import Setting
from citescape.text.labeller import Encoder

KINDS = {
    "linear": ("linear",),
    "transformer": ("transformer",),
    "combined": ("linear", "transformer"),
}
"""Kind of model -> its members, whose margins are weighed together."""

_EXPERT = Setting(expert=True)
THRESHOLD = 0.5
"""From this probability on a context is labelled with an intent."""


@dataclass(frozen=True, kw_only=True)
class IntentConfig:
    """What decides a model beside its training data.

    The values were chosen by cross-validation inside SciCite's training data.
    """

    kind: Literal["linear", "transformer", "combined"] = "linear"
    """Kind of model. linear: n-grams, trained in a minute; transformer: a fine-tuned encoder,
    trained in ten minutes on two cores; combined: both."""
    encoder: Encoder = ""
    """Pretrained transformer: a local folder, or an id of the Hugging Face hub."""
    seed: int = 0
    """Random seed."""
    strength: Annotated[float, _EXPERT] = 10.0
    """C of the linear model: the inverse of its regularisation."""
    folds: Annotated[int, _EXPERT] = 5
    """Number of folds; a linear model of the others calibrates each."""
    held_out: Annotated[float, _EXPERT] = 0.1
    """Share of the data that calibrates the transformer and does not train it."""
    epochs: int = 3
    """Number of passes of the transformer over the examples."""
    batch: Annotated[int, _EXPERT] = 32
    """Examples per training step of the transformer."""
    learning_rate: Annotated[float, _EXPERT] = 1.5e-4
    """Highest learning rate of the encoder."""
    head_learning_rate: Annotated[float, _EXPERT] = 1e-3
    """Highest learning rate of the classification head."""
    weight_decay: Annotated[float, _EXPERT] = 0.01
    """Weight decay of the transformer."""
    warm_up: Annotated[float, _EXPERT] = 0.1
    """Share of training steps during which the learning rate rises."""
    dropout: Annotated[float, _EXPERT] = 0.1
    """Dropout before the classification head; the encoder has its own."""
    kept_layers: Annotated[float, _EXPERT] = 2 / 3
    """Share of the encoder's layers to keep, from below. The upper layers of an encoder of meaning
    have unlearned how a thing is said: on vectors of MiniLM's layers 1-6, left as they are, a
    linear model has macro-F1 .805 .811 .816 .817 .801 .744."""
    frozen_layers: Annotated[float, _EXPERT] = 1 / 3
    """Share of the layers that are not trained, with the embeddings: half the time, no worse."""
    max_tokens: Annotated[int, _EXPERT] = 128
    """Maximum tokens per citation context."""
    threads: Annotated[int, _EXPERT] = 2
    """Number of CPU threads; the last digits of a model depend on it."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise invalid_choice("kind", self.kind, KINDS)
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            whole = isinstance(least, int) and isinstance(most, int)
            if not least <= value <= most or (whole and value != int(value)):
                raise ConfigError(
                    f"{name} is {value}; expected {'a whole number' if whole else 'a number'} "
                    f"from {least} to {most}"
                )

    def without_idle(self) -> IntentConfig:
        """With the settings of members that this kind does not have as they are by default.

        So what cannot matter does not make another model.
        """
        idle = {name for member, names in _SETTINGS.items() for name in names}
        idle -= {name for member in KINDS[self.kind] for name in _SETTINGS[member]}
        changed: dict[str, Any] = {name: getattr(IntentConfig, name) for name in idle}
        return replace(self, **changed)


_SETTINGS = {
    "linear": ("strength",),
    "transformer": (
        *("encoder", "held_out", "epochs", "batch", "learning_rate", "head_learning_rate"),
        *("weight_decay", "warm_up", "dropout", "kept_layers", "frozen_layers", "max_tokens"),
        "threads",
    ),
}
"""Member of a model -> the settings that no other member reads."""
_ABOVE_0 = 1e-12
_MANY = 1_000_000
_RANGES: dict[str, tuple[float, float]] = {
    "seed": (0, 2**63 - 1),
    "strength": (_ABOVE_0, 1e12),
    "folds": (2, _MANY),
    "held_out": (_ABOVE_0, 0.5),
    "epochs": (1, _MANY),
    "batch": (1, _MANY),
    "learning_rate": (_ABOVE_0, 1.0),
    "head_learning_rate": (_ABOVE_0, 1.0),
    "weight_decay": (0.0, 1.0),
    "warm_up": (0.0, 1.0),
    "dropout": (0.0, 0.99),
    "kept_layers": (_ABOVE_0, 1.0),
    "frozen_layers": (0.0, 1.0),
    "max_tokens": (16, _MANY),
    "threads": (1, 1024),
}
"""Smallest and largest value of each number; whole ones are given as whole numbers."""
