"""Rerankers behind one protocol: those trained here, and cross-encoders of others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.encoders.device import choose_device
from citescape.encoders.files import (
    load_classifier,
    load_generator,
    read_generator,
)
from citescape.encoders.pretrained import resolve_precision
from citescape.encoders.tokens import fitting_tokens
from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.kept import (
    find_reranker,
    hash_reranker,
)
from citescape.training.reranking.pairs import Pairs, PairTokens
from citescape.training.reranking.prompts import PROMPTS, Answer
from citescape.training.reranking.saved import load_reranker, load_vector_reranker
from citescape.training.reranking.scoring import Floats, Scoring, make_scoring, score_shortlists
from citescape.training.reranking.shortlists import Shortlists
from citescape.training.reranking.signals import FOLLOWS
from citescape.training.reranking.states import VectorPairs

if TYPE_CHECKING:
    from transformers import PreTrainedModel

MAX_TOKENS = 512
"""Of a pair, that cross-encoders of others read."""
_OTHER = RerankConfig(kind="cross-encoder")


class Reranker(Protocol):
    """Scores what was retrieved. It adds and drops nothing: recall at k stays what it was."""

    @property
    def k(self) -> int:
        """Candidates of a query that it is to be told of, whatever it reads; 0: those it reads."""
        ...

    @property
    def abstracts(self) -> bool:
        """Whether queries are to be read with the abstract of the citing paper."""
        ...

    def check_retriever(self, retriever: Mapping[str, Any]) -> None:
        """Whether it can order what is found so.

        Args:
            retriever: `system`, and `words`, their share, where the system has such.

        Raises:
            ConfigError: it learned what ranks or scores of another one say.
        """
        ...

    def score(self, shortlists: Shortlists, depth: int = 0, progress: Progress = silent) -> Floats:
        """(queries, depth) float32, the higher the better; minus infinity for no candidate.

        Args:
            shortlists: all that was retrieved.
            depth: candidates that are scored, the first ones; 0 for all.
            progress: told how many queries are done.
        """
        ...

    def describe(self) -> dict[str, Any]:
        """What decides its scores, for a run's record."""
        ...


@dataclass(frozen=True)
class PairReranker:
    """A model that reads query and candidate together, by their texts or by their vectors."""

    place: str
    """Folder or hub id."""
    scoring: Scoring
    tokenizer: Any
    max_tokens: int
    """Of a pair."""
    prompt: str = ""
    """One of `PROMPTS`, of a generative model."""
    encoder: str = ""
    """SHA-256 of the one whose vectors are read in place of texts."""
    retriever: Mapping[str, Any] = field(default_factory=dict)
    """Whose lists it learned to order; empty where nothing is known of it."""

    @property
    def k(self) -> int:
        """See `Reranker`."""
        return self.scoring.config.k

    @property
    def abstracts(self) -> bool:
        """See `Reranker`."""
        return self.scoring.config.abstracts

    def check_retriever(self, retriever: Mapping[str, Any]) -> None:
        """See `Reranker`."""
        for name in FOLLOWS[self.scoring.config.parts.signal]:
            found = retriever.get(name)
            learned = self.retriever.get(name, found)
            if found != learned:
                raise ConfigError(
                    f"{self.place} was trained over a retriever with --{name} {learned}; "
                    f"found {found}, expected the same: retrieve so, or train one for this"
                )

    def score(self, shortlists: Shortlists, depth: int = 0, progress: Progress = silent) -> Floats:
        """See `Reranker`. A pair's score does not depend on what is scored beside it."""
        first = shortlists.cut(depth or shortlists.k).take(np.arange(len(shortlists)))
        pairs = self._read_vectors(first) if self.encoder else self._read_texts(first)
        return score_shortlists(self.scoring, pairs, first, whole=shortlists, progress=progress)

    def _read_vectors(self, shortlists: Shortlists) -> VectorPairs:
        vectors = shortlists.read_vectors()
        if vectors.encoder != self.encoder:
            raise ConfigError(
                f"{self.place} reads vectors of the encoder {self.encoder[:12]}; found those of "
                f"{vectors.encoder[:12]}: use the encoder that it was trained with, or train it "
                "anew"
            )
        return VectorPairs(vectors)

    def _read_texts(self, shortlists: Shortlists) -> PairTokens:
        prompt = PROMPTS.get(self.prompt)
        frame = prompt.frame(self.tokenizer) if prompt else None
        leads = (prompt.query, prompt.candidate) if prompt else ("", "")
        queries = [leads[0] + text for text in shortlists.queries]
        candidates = [leads[1] + text for text in shortlists.candidates]
        return PairTokens(
            self.tokenizer,
            (queries, candidates),
            max_tokens=self.max_tokens,
            frame=frame,
            name=self.place,
        )

    def describe(self) -> dict[str, Any]:
        """The hash of its files, what it is, how it reads."""
        config = self.scoring.config
        return {
            "sha256": hash_reranker(self.place),
            **{name: getattr(config, name) for name in ("kind", "ablation", "k", "abstracts")},
            "max_tokens": self.max_tokens,
            **({"prompt": asdict(PROMPTS[self.prompt])} if self.prompt else {}),
            "precision": str(self.scoring.precision).removeprefix("torch."),
        }


def open_reranker(
    named: str, runs: Path, *, precision: str = "auto", max_tokens: int = 0
) -> Reranker:
    """A reranker by name.

    Args:
        named: a run of `platform train reranker`, its folder, or any cross-encoder of the hub that
            gives one logit, or a generative model of a type in `PROMPTS`: folder or hub id.
        runs: folder of run directories.
        precision: one of `pretrained.PRECISIONS`.
        max_tokens: of a pair; 0 for what it was trained with, 512 of those of others.

    Raises:
        ConfigError: there is no such reranker, or it is none, or not whole.
    """
    path, settings = find_reranker(named, runs)
    if settings:
        config, retriever = settings
        own = _open_own(path, config, precision=resolve_precision(precision), max_tokens=max_tokens)
        return replace(own, retriever=retriever)
    open_other = _open_generative if read_generator(named) else _open_other
    return open_other(named, resolve_precision(precision), max_tokens or MAX_TOKENS)


def _open_own(
    path: Path, settings: RerankConfig, *, precision: str, max_tokens: int
) -> PairReranker:
    dtype: torch.dtype = getattr(torch, precision)
    if settings.kind == "vectors":
        module, reads = load_vector_reranker(path, settings)
        scoring = make_scoring(module, settings, device=choose_device(), precision=torch.float32)
        return PairReranker(str(path.resolve()), scoring, None, VectorPairs.most, encoder=reads)
    module, tokenizer = load_reranker(path, settings)
    encoder: Any = module.encoder
    most = fitting_tokens(encoder, max_tokens or settings.max_tokens)
    scoring = make_scoring(module, settings, device=choose_device(), precision=dtype)
    return PairReranker(str(path.resolve()), scoring, tokenizer, most)


def _open_other(name: str, precision: str, max_tokens: int) -> PairReranker:
    model, tokenizer = load_classifier(name)
    labels = model.config.num_labels
    if labels != 1:
        raise ConfigError(
            f"{name} gives {labels} logits; expected a cross-encoder that gives one, such as "
            "cross-encoder/ms-marco-MiniLM-L6-v2"
        )
    most = fitting_tokens(model.base_model, max_tokens)
    model.to(choose_device()).eval()  # type: ignore[arg-type]
    scoring = Scoring(_Logit(model), choose_device(), getattr(torch, precision), _OTHER)
    return PairReranker(name, scoring, tokenizer, most)


def _open_generative(name: str, precision: str, max_tokens: int) -> PairReranker:
    kind = read_generator(name)
    if kind not in PROMPTS:
        raise ConfigError(
            f"{name} is a generative model of type {kind!r}; expected one whose prompt is known "
            f"({', '.join(sorted(PROMPTS))}), or a cross-encoder"
        )
    model, tokenizer = load_generator(name)
    model.to(choose_device()).eval()  # type: ignore[arg-type]
    answer = Answer(model, tokenizer, PROMPTS[kind])
    scoring = Scoring(answer, choose_device(), getattr(torch, precision), _OTHER)
    return PairReranker(name, scoring, tokenizer, fitting_tokens(model, max_tokens), kind)


class _Logit:
    """What a sequence classifier says of pairs: its one logit, as it is."""

    def __init__(self, model: PreTrainedModel) -> None:
        self._model = model

    def __call__(self, pairs: Pairs, _signals: torch.Tensor) -> torch.Tensor:
        types = {} if pairs.types is None else {"token_type_ids": pairs.types}
        told = self._model(input_ids=pairs.ids, attention_mask=pairs.mask, **types)
        logits: torch.Tensor = told.logits[:, 0]
        return logits
