"""The encoder a training begins with: a transformer to tune, or vectors for an adapter."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from citescape.core.errors import ConfigError, SourceError, library_reason
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.embeddings.embed import embed
from citescape.embeddings.steps import EmbedConfig
from citescape.encoders.documents import EncoderSettings
from citescape.encoders.files import load_transformer
from citescape.encoders.saved import (
    encoder_settings,
    find_document_encoder,
    hash_document_encoder,
    read_adapter,
)
from citescape.encoders.tokens import fitting_tokens
from citescape.papers.documents import make_corpus
from citescape.runs.directory import (
    RunRecord,
    Stopwatch,
    find_run,
    library_versions,
    open_run,
    run_id,
)
from citescape.runs.step import name_runs
from citescape.search.vectors import Vectors
from citescape.training.config import TrainConfig
from citescape.training.texts import Texts, Tokens, tokenise
from citescape.training.towers import AdapterTower, TextTower, Tower

CACHE, TOKENS = "base-vectors", "tokens"
_ARRAYS = ("flat", "offsets")


@dataclass(frozen=True)
class Base:
    """Which encoder it is and how it reads documents."""

    name: str
    """Folder or hub id."""
    sha256: str
    """Of its files."""
    settings: EncoderSettings


def find_base(config: TrainConfig, runs: Path) -> Base:
    """The base that a configuration names.

    Raises:
        ConfigError: there is none of this name, or it is none that can be trained: an
            adapter, whose base is frozen, or a weighted sum.
    """
    require("torch", "transformers")
    name = find_document_encoder(runs, name_runs(config.base))
    settings = encoder_settings(name, form=config.form, pooling=config.pooling)
    if Path(name).is_dir() and read_adapter(name):
        raise ConfigError(
            f"{name} is an adapter over {settings.base}; expected an encoder to train: name that "
            "one with --base"
        )
    if settings.parts:
        raise ConfigError(
            f"{name} is a weighted sum of {len(settings.parts)} encoders; expected an encoder to "
            "train: name one of them with --base, or train on their triplets"
        )
    kept = EncoderSettings(settings.form, settings.pooling, config.max_tokens)
    return Base(name, hash_document_encoder(name), kept)


def build_tower(
    base: Base,
    texts: Texts,
    config: TrainConfig,
    *,
    runs: Path,
    progress: Progress = silent,
) -> tuple[Tower, EncoderSettings]:
    """What is trained, and how the encoder that comes of it reads documents."""
    if config.tune == "adapter":
        vectors = encode_once(base, texts, config, runs=runs, progress=progress)
        settings = EncoderSettings(
            base.settings.form, base.settings.pooling, base.settings.max_tokens, base.name
        )
        return AdapterTower(vectors.values), settings
    model, tokenizer = load_transformer(base.name)
    most = fitting_tokens(model, config.max_tokens)
    settings = EncoderSettings(base.settings.form, base.settings.pooling, most)
    tokens = tokenise_once(base, texts, tokenizer, settings=settings, runs=runs)
    tower = TextTower(
        model, tokenizer, tokens, pooling=settings.pooling, budget=config.batch_tokens
    )
    return tower, settings


def tokenise_once(
    base: Base, texts: Texts, tokenizer: Any, *, settings: EncoderSettings, runs: Path
) -> Tokens:
    """The texts as tokens of the base, from an earlier training if they are kept."""
    asked = {"form": settings.form, "max_tokens": settings.max_tokens}
    inputs = {"encoder": base.sha256, "texts": texts.sha256}
    id_ = run_id(TOKENS, asked, inputs)
    found = find_run(runs, id_)
    if found:
        return read_tokens(found)
    clock = Stopwatch()
    with clock.timed("tokenise"):  # by a copy: a tokenizer that has cut texts saves how it did
        tokens = tokenise(texts, deepcopy(tokenizer), settings)
    record = RunRecord(
        id=id_,
        command=TOKENS,
        config={**asked, "encoder": base.name},
        inputs=inputs,
        versions=library_versions("citescape", "transformers", "tokenizers"),
        counts={"texts": len(texts.documents), "tokens": len(tokens.flat)},
    )
    with open_run(runs, id_) as directory:
        for name in _ARRAYS:
            np.save(directory.path / f"{name}.npy", getattr(tokens, name))
        directory.complete(clock.stop(record))
    return tokens


def read_tokens(folder: Path) -> Tokens:
    """The token ids in a run directory; the arrays stay on disk.

    Raises:
        SourceError: a file is missing or damaged.
    """
    try:
        return Tokens(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in _ARRAYS))
    except (OSError, ValueError, EOFError) as error:
        raise SourceError(
            str(folder),
            "no-tokens",
            f"expected arrays of token ids; found: {library_reason(error)}; move the folder away",
        ) from None


def encode_once(
    base: Base, texts: Texts, config: TrainConfig, *, runs: Path, progress: Progress
) -> Vectors:
    """The frozen encoder's vectors of the texts, from an earlier training if they are kept.

    They are a run of their own, made as `platform embed` makes its vectors, and go on as these do.
    """
    settings = base.settings
    asked = EmbedConfig(
        encoder=base.name,
        form=settings.form,
        pooling=settings.pooling,
        max_tokens=settings.max_tokens,
        precision=config.precision,
        threads=config.threads,
    )
    corpus = make_corpus(texts.ids, texts.documents)
    return embed(corpus, asked, runs=runs, command=CACHE, progress=progress).vectors
