"""The encoder that a training starts from: a transformer to tune, or vectors for an adapter."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from citescape.core.errors import ConfigError
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.embeddings.embed import embed
from citescape.embeddings.steps import EmbedConfig
from citescape.encoders.documents import EncoderSettings, document_text, separator
from citescape.encoders.files import load_transformer
from citescape.encoders.own import OwnEncoder, check_own_encoder, hash_object, name_object
from citescape.encoders.saved import (
    encoder_settings,
    find_document_encoder,
    hash_document_encoder,
    read_adapter,
)
from citescape.encoders.tokens import fitting_tokens
from citescape.papers.documents import make_corpus
from citescape.runs.directory import RunDirectory, Stopwatch
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.step import name_runs
from citescape.training.config import TrainConfig
from citescape.training.texts import Texts, Tokens, read_tokens, tokenise, write_tokens
from citescape.training.towers import AdapterTower, OwnTower, TextTower, Tower

CACHE = "base-vectors"


class TokenRun(KeptRun):
    """Token ids of texts, shared by trainings with different settings."""

    command: ClassVar[str] = "tokens"
    noun: ClassVar[str] = "texts as tokens"


@dataclass(frozen=True)
class Base:
    """The encoder that a training starts from."""

    name: str
    """Folder or hub id."""
    sha256: str
    """Hash of its files."""
    settings: EncoderSettings
    own: OwnEncoder | None = None
    """The object, for an encoder of the user's class."""
    weights: Mapping[str, Any] = field(default_factory=dict)
    """Weights of this object before training: each seed starts from them."""


def use_own_encoder(encoder: OwnEncoder, config: TrainConfig) -> Base:
    """An encoder object as the base of a training.

    Raises:
        ConfigError: it is not a torch module with `tokenize`, or settings do not apply to it.
    """
    require("torch", "transformers")
    check_own_encoder(encoder)
    unused = [name for name in ("base", "pooling") if getattr(config, name)]
    if unused or config.tune == "adapter":
        setting = ", ".join(unused) or "tune 'adapter'"
        raise ConfigError(f"{setting} does not apply to an encoder object; leave it out")
    module: Any = encoder
    weights = {name: value.detach().clone() for name, value in module.state_dict().items()}
    settings = EncoderSettings(config.form or "joined", "mean", config.max_tokens)
    return Base(name_object(encoder), hash_object(encoder), settings, encoder, weights)


def find_base(config: TrainConfig, runs: Path) -> Base:
    """The base that a configuration names.

    Raises:
        ConfigError: there is no such encoder, or it cannot be trained: an adapter, whose base is
            frozen, or a weighted sum.
    """
    require("torch", "transformers")
    name = find_document_encoder(runs, name_runs(config.base))
    settings = encoder_settings(name, form=config.form, pooling=config.pooling)
    if Path(name).is_dir() and read_adapter(name):
        raise ConfigError(
            f"{name} is an adapter over {settings.base}; expected an encoder to train: name its "
            "base with --base"
        )
    if settings.parts:
        raise ConfigError(
            f"{name} is a weighted sum of {len(settings.parts)} encoders; expected an encoder to "
            "train: name one of them with --base, or train on their triplets"
        )
    settings = EncoderSettings(settings.form, settings.pooling, config.max_tokens)
    return Base(name, hash_document_encoder(name), settings)


def build_tower(
    base: Base,
    texts: Texts,
    config: TrainConfig,
    *,
    runs: Path,
    progress: Progress = silent,
) -> tuple[Tower, EncoderSettings]:
    """The tower to train, and how the trained encoder reads documents.

    Vectors of a frozen encoder are kept in a run, as those of `platform embed`: other trainings use
    them too, and an interrupted run continues.

    Args:
        base: encoder to start from.
        texts: papers to train and validate on.
        config: weights to train, maximum tokens, batches.
        runs: folder of run directories.
        progress: reports the progress.
    """
    if base.own is not None:
        module: Any = base.own
        module.load_state_dict(base.weights)
        form = base.settings.form
        mark = separator(getattr(base.own, "tokenizer", None)) if form == "sep" else ""

        def read(papers: Any) -> list[str]:
            return [document_text(document, form, mark) for document in texts.read(papers)]

        return OwnTower(base.own, read), base.settings
    if config.tune == "adapter":
        settings = replace(base.settings, base=base.name)
        embedding = EmbedConfig(
            encoder=base.name,
            form=settings.form,
            pooling=settings.pooling,
            max_tokens=settings.max_tokens,
            precision=config.precision,
            threads=config.threads,
        )
        corpus = make_corpus(texts.ids, list(texts))
        run = embed(corpus, embedding, runs=runs, command=CACHE, progress=progress)
        return AdapterTower(run.vectors.values), settings
    model, tokenizer = load_transformer(base.name)
    most = fitting_tokens(model, config.max_tokens)
    settings = replace(base.settings, max_tokens=most)
    tokens = tokenise_once(base, texts, tokenizer, settings=settings, runs=runs)
    tower = TextTower(
        model, tokenizer, tokens, pooling=settings.pooling, budget=config.batch_tokens
    )
    return tower, settings


def tokenise_once(
    base: Base, texts: Texts, tokenizer: Any, *, settings: EncoderSettings, runs: Path
) -> Tokens:
    """Token ids of the texts, read from an earlier training if possible.

    Args:
        base: encoder of the tokenizer.
        texts: titles and abstracts.
        tokenizer: tokenizer of transformers.
        settings: form of the text and maximum number of tokens.
        runs: folder of run directories.
    """

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, int]:
        with clock.timed("tokenise"):  # with a copy: a tokenizer saves its last truncation
            parts = tokenise(texts, deepcopy(tokenizer), settings)
            return {"texts": len(texts), "tokens": write_tokens(directory.path, parts)}

    run = compute_run(
        TokenRun,
        runs,
        {"form": settings.form, "max_tokens": settings.max_tokens},
        {"encoder": base.sha256, "texts": texts.sha256},
        fill=fill,
        recorded={"encoder": base.name},
        libraries=("transformers", "tokenizers"),
    )
    return read_tokens(run.path)
