"""What a training may be told. Knows no torch, so that help and errors come at once."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from citescape.core.errors import ConfigError, invalid_choice

TUNED = {"all": 2e-5, "bias": 1e-4, "adapter": 1e-3}
"""What is trained -> learning rate: every weight (CIA and SciNCL, section 4.3); bias terms only,
BitFit (SciNCL, section 7.2); a linear map over the frozen encoder's vectors."""
LOSSES = ("triplet", "in-batch", "softmax")
_LARGEST = 1e30
"""Of settings that are numbers: far beyond what has a meaning, and still a float32."""
_POSITIVE = ("epochs", "batch", "accumulation", "threads")
BATCH_TOKENS = {"cpu": 1024, "cuda": 16_384}


@dataclass(frozen=True)
class TrainConfig:
    """Everything that decides a trained encoder beside its triplets and their texts."""

    base: str = ""
    """Encoder to begin with: folder or hub id; empty for the default one."""
    form: str = ""
    """`sep` or `joined`; empty for the base's own."""
    pooling: str = ""
    """`cls` or `mean`; empty for that of the form."""
    max_tokens: int = 512
    tune: str = "all"
    """One of `TUNED`."""
    loss: str = "triplet"
    """One of `LOSSES`."""
    margin: float = 1.0
    """Of the triplet losses, in units of the distance."""
    temperature: float = 0.05
    """Of the softmax loss."""
    teacher: str = ""
    """Run of `platform graph-embed` whose cosines the encoder is to follow (SciNCL, appendix F.9);
    empty for none."""
    teacher_weight: float = 1.0
    """Of the teacher's loss beside that of the triplets."""
    teacher_only: bool = False
    """Leave out the loss of the triplets; they say which papers are in an update."""
    learning_rate: float | None = None
    """At its peak; None for that of `tune`."""
    warmup: float = 0.1
    """Share of the steps in which the rate rises; it falls to zero over the others."""
    weight_decay: float = 0.01
    clip: float = 1.0
    """Longest gradient."""
    epochs: int = 2
    batch: int = 32
    """Triplets an update: 8 x 4 as published (CIA, section 4.3; SciNCL, section 4.3)."""
    accumulation: int = 1
    """Parts in which an update's gradient is computed, to save memory. The triplet loss does not
    depend on them; the others take the negatives of a part for those of the batch."""
    batch_tokens: int = 0
    """Tokens of one forward pass, padding included; 0: as many as are fast on the device, 1,024 on
    a processor (less padding, less memory to go through) and 16,384 on a GPU."""
    validation_anchors: int = 500
    """Anchors whose validation triplets are measured after each epoch, at most."""
    patience: int = 0
    """Stop after so many epochs without a lower validation loss, and keep the best; 0: never."""
    precision: str = "auto"
    """`auto`: bfloat16 where the hardware multiplies in it; else float32."""
    seed: int = 0
    threads: int = 2
    """Of the processor: sums of floats, and so the last bits of the result, depend on them."""

    def __post_init__(self) -> None:
        if self.tune not in TUNED:
            raise invalid_choice("tune", self.tune, TUNED)
        if self.loss not in LOSSES:
            raise invalid_choice("loss", self.loss, LOSSES)
        for name in _POSITIVE:
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; expected 1 or more")
        if self.batch_tokens < 0:
            raise ConfigError(f"batch_tokens is {self.batch_tokens}; expected 0 or more")
        for name in ("margin", "weight_decay", "teacher_weight"):
            if not 0 <= getattr(self, name) <= _LARGEST:
                raise ConfigError(
                    f"{name} is {getattr(self, name)}; expected 0 or more, {_LARGEST:g} at most"
                )
        above = {"temperature": self.temperature, "clip": self.clip, "learning_rate": self.rate}
        for name, value in above.items():
            if not 0 < value <= _LARGEST:
                raise ConfigError(f"{name} is {value}; expected more than 0, {_LARGEST:g} at most")
        if not 0 <= self.warmup <= 1:
            raise ConfigError(f"warmup is {self.warmup}; expected a share of 0 to 1")
        if self.teacher_only and not (self.teacher and self.teacher_weight):
            raise ConfigError("nothing is to be learned; expected a teacher, with a weight above 0")
        if self.accumulation > self.batch:
            raise ConfigError(
                f"accumulation is {self.accumulation} and batch {self.batch}; expected at most "
                "one part a triplet"
            )

    @property
    def rate(self) -> float:
        """The learning rate at its peak."""
        return TUNED[self.tune] if self.learning_rate is None else self.learning_rate

    @property
    def over_batches(self) -> bool:
        """Whether the loss compares papers of different triplets, so that parts matter."""
        return self.loss != "triplet" or bool(self.teacher)

    def settings(self) -> dict[str, Any]:
        """What the run's id is made of: everything, the rate spelled out; a teacher if there is."""
        found = {**asdict(self), "learning_rate": self.rate}
        own = ("teacher", "teacher_weight", "teacher_only")
        return {name: value for name, value in found.items() if self.teacher or name not in own}
