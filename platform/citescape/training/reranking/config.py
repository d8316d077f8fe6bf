"""What the training of a reranker may be told. Knows no torch: help and errors come at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

from citescape.core.errors import ConfigError, invalid_choice
from citescape.encoders.pretrained import PRECISIONS


@dataclass(frozen=True)
class Ablation:
    """A reranker with one part other than published (section 5.2)."""

    signal: str = "prior"
    """What the model is told of the retrieval: one of `signals.SIGNALS`; empty for nothing."""
    gate: str = "vector"
    """A gate value for each dimension, or one (`scalar`) for all."""


ABLATIONS = {
    "none": Ablation(),
    "semantics": Ablation(signal=""),
    "raw": Ablation(signal="raw"),
    "softmax": Ablation(signal="softmax"),
    "scalar-gate": Ablation(gate="scalar"),
}
"""A1 to A4 of Table 5: the text alone; the retriever's scores as they are; their softmax over the
first k; one gate value. `none` is the published model."""
KINDS = {
    "davinci": "text and retrieval, fused by a gate",
    "vectors": "the same over the vectors that the retriever has, in place of the text",
    "cross-encoder": "a linear map of the text's state alone",
}
LOSSES = ("margin", "softmax")
"""That of Eq. 11; cross-entropy of the positive among its negatives."""
_PUBLISHED: dict[str, Any] = {
    "ablation": "none",
    "loss": "margin",
    "learning_rate": 1e-5,
    "negatives": 7,
    "inject": True,
    "k": 300,
    "epochs": 3,
    "patience": 0,
    "validation_queries": 100,
    "validation_depth": 100,
}
USUAL: dict[str, dict[str, Any]] = {
    "davinci": _PUBLISHED,
    "vectors": {
        "ablation": "raw",
        "loss": "softmax",
        "learning_rate": 3e-4,
        "negatives": 15,
        "inject": False,
        "k": 50,
        "epochs": 5,
        "patience": 1,
        "validation_queries": 2000,
        "validation_depth": 50,
    },
    "cross-encoder": _PUBLISHED,
}
"""Defaults that depend on the kind."""
_BY_KIND: Any = None
"""Stands for that of `USUAL`."""
UNUSED = {
    ("kind", "vectors"): ("base", "abstracts", "max_tokens"),
    ("kind", "cross-encoder"): ("ablation", "hidden", "decay"),
    ("loss", "softmax"): ("margin",),
    ("ablation", "semantics"): ("decay",),
    ("ablation", "raw"): ("decay",),
    ("ablation", "softmax"): ("decay",),
}
"""A setting and its value -> settings that have no meaning then."""
BATCH_TOKENS = {"cpu": 1024, "cuda": 16_384}
"""Of a forward pass in training, padding included."""
DEPTH = 50
"""Candidates of a query that are reranked, unless another number is asked for."""
_COUNTS = (
    *("batch", "negatives", "hidden", "k", "epochs", "threads", "accumulation"),
    *("validation_queries", "validation_depth"),
)


@dataclass(frozen=True)
class RerankConfig:
    """Everything that decides a reranker beside its shortlists (DAVINCI, sections 3.4 and 4.1).

    What is not given is as `USUAL` has it for the kind: of `davinci` as published. The paper leaves
    negatives, hidden, epochs, max_tokens, clip and the depth of MLPs open: those are choices of
    ours.
    """

    base: str = ""
    """Encoder to begin with: folder or hub id; empty for the default one. Published:
    allenai/scibert_scivocab_uncased."""
    kind: str = "davinci"
    """One of `KINDS`."""
    ablation: str = _BY_KIND
    """One of `ABLATIONS`."""
    learning_rate: float = _BY_KIND
    weight_decay: float = 0.01
    adam_epsilon: float = 1e-6
    dropout: float = 0.3
    """In the heads; the encoder keeps its own."""
    clip: float = 1.0
    """Longest gradient."""
    batch: int = 16
    """Queries an update."""
    accumulation: int = 4
    """Parts in which an update's gradient is computed, to save memory."""
    negatives: int = _BY_KIND
    """Of a query, an epoch."""
    inject: bool = _BY_KIND
    """Learn of queries too for which nothing they cite was retrieved: one such paper is put behind
    the list. Published; it teaches that who stands last may be first."""
    hidden: int = 128
    """Dimensions that text and score are each mapped to."""
    loss: str = _BY_KIND
    """One of `LOSSES`."""
    margin: float = 0.1
    decay: float = 0.95
    """Lambda of Eq. 6."""
    k: int = _BY_KIND
    """Candidates of a query that are reranked, and negatives drawn from."""
    abstracts: bool = False
    """A query is read with the abstract of the citing paper, behind context and title."""
    epochs: int = _BY_KIND
    max_tokens: int = 256
    """Of query and candidate together; at what the encoder has positions for, if those are
    fewer."""
    batch_tokens: int = 0
    """Of a forward pass, padding included; 0: what is fast on the device."""
    validation_queries: int = _BY_KIND
    """Queries that are reranked after each epoch, at most."""
    validation_depth: int = _BY_KIND
    """Candidates of each that are; those below stay where they are."""
    patience: int = _BY_KIND
    """Stop after so many epochs without a higher MRR, and keep the best; 0: never."""
    precision: str = "auto"
    """`auto`: bfloat16 where the hardware multiplies in it; else float32."""
    seed: int = 0
    threads: int = 2
    """Of the processor: the last bits of the result depend on them."""

    def __post_init__(self) -> None:
        for name, usual in USUAL.get(self.kind, {}).items():
            if getattr(self, name) is _BY_KIND:
                object.__setattr__(self, name, usual)
        choices: dict[str, Collection[str]] = {
            "kind": KINDS,
            "ablation": ABLATIONS,
            "loss": LOSSES,
            "precision": PRECISIONS,
        }
        for name, valid in choices.items():
            if getattr(self, name) not in valid:
                raise invalid_choice(name, getattr(self, name), valid)
        for name in _COUNTS:
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; expected 1 or more")
        self._check_numbers()
        self._check_use()

    def _check_numbers(self) -> None:
        if self.max_tokens < 8:
            raise ConfigError(f"max_tokens is {self.max_tokens}; expected 8 or more")
        for name in ("margin", "decay"):
            if not 0 < getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; expected between 0 and 1")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout is {self.dropout}; expected 0 or more, below 1")
        for name in ("learning_rate", "adam_epsilon", "clip"):
            if not 0 < getattr(self, name) < 1e30:
                raise ConfigError(f"{name} is {getattr(self, name)}; expected more than 0")
        for name in ("weight_decay", "patience", "batch_tokens", "seed"):
            if not 0 <= getattr(self, name) < 1e30:
                raise ConfigError(f"{name} is {getattr(self, name)}; expected 0 or more")

    def _check_use(self) -> None:
        """What has no meaning would make another run of the same training."""
        for (by, value), names in UNUSED.items():
            for name in names if getattr(self, by) == value else ():
                found, usual = (
                    getattr(self, name),
                    USUAL[self.kind].get(name, getattr(RerankConfig, name)),
                )
                if found != usual:
                    raise ConfigError(
                        f"{name} is {found!r}; expected {usual!r}, as with {by} {value!r} it has "
                        "no meaning"
                    )

    @property
    def parts(self) -> Ablation:
        """What the model is made of; a cross-encoder is told nothing of the retrieval."""
        return Ablation(signal="") if self.kind == "cross-encoder" else ABLATIONS[self.ablation]

    def settings(self) -> dict[str, Any]:
        """What the run's id is made of."""
        return asdict(self)
