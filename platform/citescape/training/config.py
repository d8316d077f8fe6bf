"""Settings of trainings. Does not import torch, so that help and errors appear immediately."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from citescape.core.errors import ConfigError
from citescape.encoders.own import OwnLoss, hash_object, name_object
from citescape.runs.step import Count, RunName, Seed, Setting, Settings
from citescape.sampling.config import (
    ImportanceConfig,
    NeighbourhoodConfig,
    PerAnchor,
    SpecterConfig,
)

TUNED = {"all": 2e-5, "bias": 1e-4, "adapter": 1e-3}
"""Trained weights -> learning rate: all (CIA and SciNCL, section 4.3); bias terms only, BitFit
(SciNCL, section 7.2); a linear map over the frozen encoder's vectors."""
LOSSES = ("triplet", "in-batch", "softmax")
_NUMBERS = ("margin", "temperature", "teacher_weight", "learning_rate", "weight_decay", "clip")
_LARGEST = 1e30
"""Beyond any useful value, but still a float32."""
BATCH_TOKENS = {"cpu": 1024, "cuda": 16_384}
SCIBERT = "allenai/scibert_scivocab_uncased"
"""Encoder that the papers start from."""
PRESETS = {"cia": "joined", "scincl": "sep"}
"""Paper -> form of the text, with its pooling (CIA, section 3.3; SciNCL, section 3.1). The defaults
have the other published settings (section 4.3 of both)."""


@dataclass(frozen=True, kw_only=True)
class TrainConfig(Settings):
    """All settings that decide a trained encoder, except its triplets and their texts."""

    base: Annotated[
        RunName, Setting(metavar="FOLDER|HUB-ID|RUN", environment="CITESCAPE_ENCODER")
    ] = ""
    """Encoder to start from: a local folder, an id of the Hugging Face hub, or an earlier training;
    MiniLM by default."""
    form: Annotated[str, Setting(choices=("sep", "joined"), default="that of the base")] = ""
    """Form of the text: `title [SEP] abstract` and [CLS], or title, abstract and the mean over all
    tokens."""
    pooling: Annotated[
        str, Setting(choices=("cls", "mean"), default="that of the form", expert=True)
    ] = ""
    """Pooling: the first token, or the mean of all tokens."""
    max_tokens: Annotated[int, Setting(least=4)] = 512
    """Maximum tokens per text; longer texts are cut."""
    tune: Annotated[str, Setting(choices=tuple(TUNED))] = "all"
    """Weights to train: all, bias terms only (BitFit), or a linear map over the frozen encoder."""
    loss: Annotated[str | OwnLoss, Setting(choices=LOSSES, function=True)] = "triplet"
    """Loss: against the negative of the triplet, all negatives in the batch, or all papers in the
    batch by cosine. In Python also a function of the vectors of anchors, positives and negatives
    that returns a scalar."""
    margin: Annotated[float, Setting(least=0)] = 1.0
    """Margin of the triplet losses, in units of the distance."""
    temperature: Annotated[float, Setting(above=0, expert=True)] = 0.05
    """Temperature of the softmax loss: cosines are divided by it."""
    teacher: RunName = ""
    """Run of `platform train graph`, or your own file of vectors; the encoder learns to reproduce
    their cosines (SciNCL, appendix F.9)."""
    teacher_weight: Annotated[float, Setting(least=0, expert=True)] = 1.0
    """Weight of the teacher's loss, added to the loss of the triplets."""
    teacher_only: Annotated[bool, Setting(expert=True)] = False
    """Use the teacher's loss alone; triplets then decide only the papers of an update."""
    learning_rate: Annotated[
        float | None,
        Setting(above=0, default=", ".join(f"{rate:g} for {name}" for name, rate in TUNED.items())),
    ] = None
    """Learning rate at its peak: it rises during the warmup and then falls to 0."""
    warmup: Annotated[float, Setting(least=0, most=1, expert=True)] = 0.1
    """Share of the updates in which the learning rate rises."""
    weight_decay: Annotated[float, Setting(least=0, expert=True)] = 0.01
    """Weight decay of AdamW; bias terms and norms have none."""
    clip: Annotated[float, Setting(above=0, expert=True)] = 1.0
    """Maximum norm of the gradient."""
    epochs: Annotated[int, Setting(least=1)] = 2
    """Number of passes over the triplets."""
    batch: Annotated[int, Setting(least=1)] = 32
    """Number of triplets per update: 8 x 4 as published (CIA, section 4.3; SciNCL, section 4.3)."""
    accumulation: Annotated[int, Setting(least=1, expert=True)] = 1
    """Number of parts in which the gradient of an update is computed, to save memory. The triplet
    loss does not depend on it; with other losses, the negatives are those of the part."""
    batch_tokens: Annotated[
        int, Setting(least=0, default="1,024, on a GPU 16,384", expert=True)
    ] = 0
    """Number of tokens of a forward pass, padding included."""
    validation_anchors: Annotated[int, Setting(expert=True)] = 500
    """Maximum number of anchors to validate on after each epoch."""
    patience: Annotated[int, Setting(least=0, default="train all epochs", expert=True)] = 0
    """Stop after this number of epochs without a lower validation loss, and keep the best."""
    precision: Annotated[str, Setting(choices=("auto", "float32", "bfloat16"), expert=True)] = (
        "auto"
    )
    """Precision of the numbers: auto is the faster one on this machine."""
    seed: Seed = 0
    """Random seed."""
    threads: Annotated[int, Setting(least=1, expert=True)] = 2
    """Number of processor threads; the last bits of the result depend on it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in _NUMBERS:
            if (value := getattr(self, name)) is not None and value > _LARGEST:
                raise ConfigError(f"{name} is {value}; expected at most {_LARGEST:g}")
        if self.teacher_only and not (self.teacher and self.teacher_weight):
            raise ConfigError(
                "nothing to learn with teacher_only; expected a teacher and a weight above 0"
            )
        if self.accumulation > self.batch:
            raise ConfigError(
                f"accumulation is {self.accumulation} and batch {self.batch}; expected at most "
                "one part per triplet"
            )

    @property
    def rate(self) -> float:
        """The learning rate at its peak."""
        return TUNED[self.tune] if self.learning_rate is None else self.learning_rate

    @property
    def compares_triplets(self) -> bool:
        """Whether the loss compares papers of different triplets, and so depends on parts."""
        return self.loss != "triplet" or bool(self.teacher)

    def settings(self) -> dict[str, Any]:
        """All settings, for the id of the run; those of a teacher only if one is named."""
        settings = {**asdict(self), "learning_rate": self.rate}
        if not isinstance(self.loss, str):
            settings |= {"loss": name_object(self.loss), "loss_sha256": hash_object(self.loss)}
        names = {"teacher", "teacher_weight", "teacher_only"} if not self.teacher else set()
        return {name: value for name, value in settings.items() if name not in names}


@dataclass(frozen=True)
class SweepConfig(Settings):
    """Samplers and settings to compare."""

    positives: PerAnchor = 5
    """Number of triplets per anchor (K), each with its own positive."""
    hards: Annotated[
        tuple[int, ...], Setting(flags=("-H", "--hard"), default="every number from 0 to K")
    ] = ()
    """Number of hard negatives per anchor to try (CIA, Fig. 4)."""
    margins: Annotated[tuple[float, ...], Setting(flags=("--margin",))] = (1.0,)
    """Margin of the triplet loss to try."""
    fars: Annotated[tuple[int, ...], Setting(flags=("--far",), default="none")] = ()
    """Highest rank of SciNCL's hard negatives to try (SciNCL, Fig. 3); the graph is embedded again
    without held-out anchors."""
    seeds: Count = 5
    """Number of random seeds."""
    epochs: Count = 2
    """Number of passes over the triplets."""
    learning_rate: Annotated[float, Setting(expert=True)] = 1e-3
    """Learning rate of the adapters."""
    graph_dimensions: Annotated[int, Setting(expert=True)] = 64
    """Number of dimensions of graph embeddings."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.hards:
            object.__setattr__(self, "hards", tuple(range(self.positives + 1)))
        if not self.margins:
            raise ConfigError("no margins to try; expected one or more")
        for margin in self.margins:  # invalid settings are refused before any work
            self.training(margin)
        for hard in self.hards:
            ImportanceConfig(self.positives, hard)
        SpecterConfig(self.positives, self.few)
        for far in self.fars:
            NeighbourhoodConfig(self.positives, self.few, far=far)

    @property
    def few(self) -> int:
        """Hard negatives per anchor of SPECTER and SciNCL."""
        return min(2, self.positives)

    @property
    def needed(self) -> int:
        """Minimum references of an anchor to train on, for the largest H."""
        return ImportanceConfig(self.positives, max(self.hards)).needed

    def training(self, margin: float) -> TrainConfig:
        """Settings of the adapters with one margin."""
        return TrainConfig(
            tune="adapter", margin=margin, epochs=self.epochs, learning_rate=self.learning_rate
        )
