"""Settings of rerankers. Does not import torch, so that help and errors appear immediately."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

from citescape.core.errors import ConfigError, invalid_choice
from citescape.encoders.pretrained import PRECISIONS


@dataclass(frozen=True)
class Ablation:
    """A variant of the published reranker (section 5.2)."""

    signal: str = "prior"
    """Signal of the retrieval that the model reads (`compute_signals`); empty: no signal."""
    gate: str = "vector"
    """A gate value for each dimension (`vector`), or one for all (`scalar`)."""


ABLATIONS = {
    "none": Ablation(),
    "semantics": Ablation(signal=""),
    "raw": Ablation(signal="raw"),
    "softmax": Ablation(signal="softmax"),
    "scalar-gate": Ablation(gate="scalar"),
}
"""A1 to A4 of Table 5: text alone; the retriever's scores; their softmax over the first k; a scalar
gate. `none` is the published model."""
KINDS = {
    "davinci": "text and retrieval, fused by a gate",
    "vectors": "the same, with the retriever's vectors in place of the text",
    "cross-encoder": "a linear map of the text's state alone",
}
LOSSES = ("margin", "softmax")
"""The loss of Eq. 11, or cross-entropy of the positive among its negatives."""
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
"""Placeholder for the default of `USUAL`."""
UNUSED = {
    ("kind", "vectors"): ("base", "abstracts", "max_tokens"),
    ("kind", "cross-encoder"): ("ablation", "hidden", "decay"),
    ("loss", "softmax"): ("margin",),
    ("ablation", "semantics"): ("decay",),
    ("ablation", "raw"): ("decay",),
    ("ablation", "softmax"): ("decay",),
}
"""A setting and its value -> settings that are not used with it."""
BATCH_TOKENS = {"cpu": 1024, "cuda": 16_384}
"""Tokens of a forward pass in training, padding included."""
DEPTH = 50
"""Default number of candidates per query to rerank."""
_COUNTS = (
    *("batch", "negatives", "hidden", "k", "epochs", "threads", "accumulation"),
    *("validation_queries", "validation_depth"),
)


@dataclass(frozen=True)
class RerankConfig:
    """All settings that decide a reranker, except its shortlists (DAVINCI, sections 3.4 and 4.1).

    Defaults depend on the kind (`USUAL`); those of `davinci` are the published ones. The paper does
    not state negatives, hidden, epochs, max_tokens, clip and the depth of MLPs.
    """

    base: str = ""
    """Base encoder: folder or hub id; empty for the default one. Published:
    allenai/scibert_scivocab_uncased."""
    kind: str = "davinci"
    """One of `KINDS`."""
    ablation: str = _BY_KIND
    """One of `ABLATIONS`."""
    learning_rate: float = _BY_KIND
    weight_decay: float = 0.01
    adam_epsilon: float = 1e-6
    dropout: float = 0.3
    """Dropout of the heads; the encoder keeps its own."""
    clip: float = 1.0
    """Maximum norm of the gradient."""
    batch: int = 16
    """Queries per update."""
    accumulation: int = 4
    """Parts in which the gradient of an update is computed, to save memory."""
    negatives: int = _BY_KIND
    """Negatives per query and epoch."""
    inject: bool = _BY_KIND
    """Train also on queries without a retrieved cited paper: one is added after the list (as
    published). The model learns that the last candidate may be relevant."""
    hidden: int = 128
    """Dimensions that text and score are each mapped to."""
    loss: str = _BY_KIND
    """One of `LOSSES`."""
    margin: float = 0.1
    decay: float = 0.95
    """Lambda of Eq. 6."""
    k: int = _BY_KIND
    """Candidates of a query to rerank and to draw negatives from."""
    abstracts: bool = False
    """Whether queries include the abstract of the citing paper, after context and title."""
    epochs: int = _BY_KIND
    max_tokens: int = 256
    """Maximum tokens of query and candidate together, at most the encoder's positions."""
    batch_tokens: int = 0
    """Tokens of a forward pass, padding included; 0: `BATCH_TOKENS` of the device."""
    validation_queries: int = _BY_KIND
    """Maximum number of queries to validate on after each epoch."""
    validation_depth: int = _BY_KIND
    """Number of candidates per validation query to rerank."""
    patience: int = _BY_KIND
    """Stop after this number of epochs without a higher MRR, and keep the best; 0: never."""
    precision: str = "auto"
    """`auto`: the faster one on this machine."""
    seed: int = 0
    threads: int = 2
    """CPU threads: the last bits of the result depend on them."""

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

        # A value of an unused setting would make another run of the same training.
        for (by, value), names in UNUSED.items():
            for name in names if getattr(self, by) == value else ():
                given = getattr(self, name)
                usual = USUAL[self.kind].get(name, getattr(RerankConfig, name))
                if given != usual:
                    raise ConfigError(
                        f"{name} is {given!r}; expected {usual!r}: with {by} {value!r} it is not "
                        "used"
                    )

    @property
    def parts(self) -> Ablation:
        """The parts of the model; a cross-encoder has no signal of the retrieval."""
        return Ablation(signal="") if self.kind == "cross-encoder" else ABLATIONS[self.ablation]

    def settings(self) -> dict[str, Any]:
        """All settings, for the id of the run."""
        return asdict(self)
