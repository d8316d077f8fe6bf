"""Opens rerankers: trained ones, cross-encoders and generative models of the hub."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.encoders.device import choose_device
from citescape.encoders.files import (
    load_classifier,
    load_generator,
    load_transformer,
    read_generator,
)
from citescape.encoders.pretrained import resolve_precision
from citescape.encoders.tokens import fitting_tokens
from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.davinci import RerankModule
from citescape.training.reranking.kept import ENCODER, HEADS, find_reranker, hash_reranker
from citescape.training.reranking.pairs import PaddedPairs, PairReader, PairTokens, VectorPairs
from citescape.training.reranking.prompts import PROMPTS, Answer
from citescape.training.reranking.scoring import Floats, Scoring, make_scoring, score_shortlists
from citescape.training.reranking.shortlists import Shortlists
from citescape.training.reranking.signals import FOLLOWS

MAX_TOKENS = 512
"""Maximum tokens of a pair, for models of the hub."""
_HUB = RerankConfig(kind="cross-encoder")


@dataclass(frozen=True)
class Reranker:
    """A model that reads query and candidate together, by their texts or by their vectors.

    It orders the retrieved candidates: recall at k does not change.
    """

    place: str
    """Folder or hub id."""
    scoring: Scoring
    tokenizer: Any
    max_tokens: int
    """Maximum tokens of a pair."""
    prompt: str = ""
    """One of `PROMPTS`, for a generative model."""
    encoder: str = ""
    """SHA-256 of the encoder of the vectors; empty for a reranker of texts."""
    retriever: Mapping[str, Any] = field(default_factory=dict)
    """The retriever of the training; empty if unknown."""

    @property
    def k(self) -> int:
        """Number of candidates of a query that the signals need; 0: the scored ones."""
        return self.scoring.config.k

    @property
    def abstracts(self) -> bool:
        """Whether queries include the abstract of the citing paper."""
        return self.scoring.config.abstracts

    def check_retriever(self, retriever: Mapping[str, Any]) -> None:
        """Checks that the reranker was trained on lists of this retriever: `system` and `words`.

        Raises:
            ConfigError: the lists are of a retriever with other settings, so that ranks and scores
                have another meaning.
        """
        for name in FOLLOWS[self.scoring.config.parts.signal]:
            given = retriever.get(name)
            trained = self.retriever.get(name, given)
            if given != trained:
                raise ConfigError(
                    f"{self.place} was trained on lists of a retriever with "
                    f"--{name.replace('_', '-')} {trained}; found {given}, expected the same: "
                    "change the retriever, or train a reranker for it"
                )

    def score(self, shortlists: Shortlists, depth: int = 0, progress: Progress = silent) -> Floats:
        """Scores (queries, depth) float32, higher is better; minus infinity for no candidate.

        The score of a pair does not depend on the other pairs.

        Args:
            shortlists: all retrieved candidates, from which signals are computed.
            depth: number of candidates per query to score; 0 for all.
            progress: reports the progress.
        """
        first = shortlists.cut(depth or shortlists.k).select_rows(np.arange(len(shortlists)))
        if self.encoder:
            vectors = first.read_vectors()
            if vectors.encoder != self.encoder:
                raise ConfigError(
                    f"{self.place} reads vectors of the encoder {self.encoder[:12]}; found those "
                    f"of {vectors.encoder[:12]}: use the encoder of its training, or train it again"
                )
            reader: PairReader = VectorPairs(vectors)
        else:
            prompt = PROMPTS.get(self.prompt)
            queries, candidates = first.queries, first.candidates
            if prompt:
                queries = [prompt.query + text for text in queries]
                candidates = [prompt.candidate + text for text in candidates]
            reader = PairTokens(
                self.tokenizer,
                (queries, candidates),
                max_tokens=self.max_tokens,
                frame=prompt.frame(self.tokenizer) if prompt else None,
                name=self.place,
            )
        return score_shortlists(
            self.scoring, reader, first, retrieved=shortlists, progress=progress
        )

    def describe(self) -> dict[str, Any]:
        """All settings that decide its scores, for a run's record."""
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
        named: a run of `platform train reranker` or its folder; or, by folder or hub id, a
            cross-encoder with one logit or a generative model of a type in `PROMPTS`.
        runs: folder of run directories.
        precision: one of `pretrained.PRECISIONS`.
        max_tokens: maximum tokens of a pair; 0 for those of the training, or 512 for other models.

    Raises:
        ConfigError: there is no such reranker, or its files are not complete.
    """
    path, settings = find_reranker(named, runs)
    dtype: torch.dtype = getattr(torch, resolve_precision(precision))
    if settings:
        config, retriever = settings
        trained = _load(path, config, dtype, max_tokens=max_tokens or config.max_tokens)
        return replace(trained, retriever=retriever)

    model: Any
    kind = read_generator(named)
    if kind and kind not in PROMPTS:
        raise ConfigError(
            f"{named} is a generative model of type {kind!r}; expected one of the types "
            f"{', '.join(sorted(PROMPTS))}, or a cross-encoder"
        )
    model, tokenizer = load_generator(named) if kind else load_classifier(named)
    if not kind and model.config.num_labels != 1:
        raise ConfigError(
            f"{named} gives {model.config.num_labels} logits; expected a cross-encoder with one "
            "logit, such as cross-encoder/ms-marco-MiniLM-L6-v2"
        )
    most = fitting_tokens(model if kind else model.base_model, max_tokens or MAX_TOKENS)
    model.to(choose_device()).eval()

    def classify(pairs: PaddedPairs, _signals: torch.Tensor) -> torch.Tensor:
        types = {} if pairs.types is None else {"token_type_ids": pairs.types}
        output = model(input_ids=pairs.ids, attention_mask=pairs.mask, **types)
        logits: torch.Tensor = output.logits[:, 0]
        return logits

    function = Answer(model, tokenizer, PROMPTS[kind]) if kind else classify
    return Reranker(named, Scoring(function, choose_device(), dtype, _HUB), tokenizer, most, kind)


def _load(path: Path, config: RerankConfig, dtype: torch.dtype, *, max_tokens: int) -> Reranker:
    """Loads a trained reranker from its folder."""
    place = str(path.resolve())
    if config.kind == "vectors":
        with _refuse_damaged(path, config):
            with safe_open(path / HEADS, "pt") as file:
                encoder: str = file.metadata()[ENCODER]
                weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            module = RerankModule(None, config, dimensions=weights["text.0.weight"].shape[1])
            module.head.load_state_dict(weights)
        scoring = make_scoring(module, config, device=choose_device(), precision=torch.float32)
        return Reranker(place, scoring, None, VectorPairs.most, encoder=encoder)
    transformer, tokenizer = load_transformer(str(path))
    module = RerankModule(transformer, config)
    with _refuse_damaged(path, config):
        module.head.load_state_dict(load_file(path / HEADS))
    scoring = make_scoring(module, config, device=choose_device(), precision=dtype)
    return Reranker(place, scoring, tokenizer, fitting_tokens(transformer, max_tokens))


@contextmanager
def _refuse_damaged(folder: Path, config: RerankConfig) -> Iterator[None]:
    """Raises ConfigError if the weights are missing, damaged, or do not fit the settings."""
    try:
        yield
    except (OSError, SafetensorError, RuntimeError, KeyError, TypeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ConfigError(
            f"{folder / HEADS}: expected the weights of a {config.kind}; found: {reason}; train it "
            "again"
        ) from error
