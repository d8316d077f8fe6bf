"""A reranker's weights: into a folder, and from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file

from citescape.core.errors import ConfigError
from citescape.encoders.files import load_transformer
from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.davinci import RerankModule
from citescape.training.reranking.kept import ENCODER, HEADS, write_settings


def save_reranker(
    folder: Path,
    module: RerankModule,
    config: RerankConfig,
    *,
    tokenizer: Any,
    reads: str,
    retriever: Mapping[str, Any],
) -> None:
    """Writes encoder, heads and settings, as `kept` describes them.

    Args:
        folder: there is one.
        module: encoder and head, or a head alone.
        config: of the training.
        tokenizer: of the encoder.
        reads: SHA-256 of the encoder that the training began with, or whose vectors are read.
        retriever: see `write_settings`.
    """
    encoder: Any = module.encoder
    if encoder is not None:
        encoder.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    tensors = {name: value.cpu().contiguous() for name, value in module.head.state_dict().items()}
    save_file(tensors, folder / HEADS, metadata={ENCODER: reads})
    write_settings(folder, config, retriever)


def load_reranker(folder: Path, config: RerankConfig) -> tuple[RerankModule, Any]:
    """The module of a folder and its tokenizer.

    Raises:
        ConfigError: its weights are missing or damaged, or are others than the settings say.
    """
    encoder, tokenizer = load_transformer(str(folder))
    module = RerankModule(encoder, config)
    with _telling(folder, config):
        module.head.load_state_dict(load_file(folder / HEADS))
    return module, tokenizer


def load_vector_reranker(folder: Path, config: RerankConfig) -> tuple[RerankModule, str]:
    """The module of a folder that reads vectors, and SHA-256 of the encoder that they are of.

    Raises:
        ConfigError: see `load_reranker`.
    """
    with _telling(folder, config):
        with safe_open(folder / HEADS, "pt") as file:
            encoder: str = file.metadata()[ENCODER]
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        module = RerankModule(None, config, dimensions=weights["text.0.weight"].shape[1])
        module.head.load_state_dict(weights)
    return module, encoder


@contextmanager
def _telling(folder: Path, config: RerankConfig) -> Iterator[None]:
    """Says of weights that cannot be read what was expected."""
    try:
        yield
    except (OSError, SafetensorError, RuntimeError, KeyError, TypeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ConfigError(
            f"{folder / HEADS}: expected the weights of a {config.kind}; found: {reason}; train it "
            "anew"
        ) from error
