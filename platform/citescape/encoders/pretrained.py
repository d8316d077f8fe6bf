"""A pretrained transformer as a text encoder: any local folder or hub id, mean or CLS pooling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from citescape.core.errors import invalid_choice
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.encoders.files import default_encoder, load_transformer, read_pooling
from citescape.encoders.tokens import batch_by_length, fitting_tokens, mean_pool, pad_tokens

if TYPE_CHECKING:
    import torch

Vectors = npt.NDArray[np.float32]

PRECISIONS = ("auto", "float32", "bfloat16")
POOLINGS = ("cls", "mean")
"""Of the last layer: the state of the first token, or the mean of those of all tokens."""
_SLICE = 4096
"""Texts that are tokens at one time."""


@dataclass(frozen=True)
class EncoderConfig:
    """Which encoder, and how it computes."""

    name: str = ""
    """Folder or hub id; empty for `default_encoder()`."""
    max_tokens: int = 128
    """Longer texts are cut; at what the encoder has positions for, if those are fewer."""
    precision: str = "auto"
    """`auto`: bfloat16 where the processor multiplies in it, 1.7 times as fast; else float32."""
    pooling: str = ""
    """`cls` or `mean`; empty for what the model says of itself."""
    unit: bool = True
    """Vectors are given length 1; else they are as the model has them."""


@dataclass(frozen=True)
class Encoded:
    """Vectors of some texts, and how much was read for them."""

    vectors: Vectors
    """(texts, d) float32."""
    tokens: int
    """Read, special ones included and padding not; equal texts are read once."""


class PretrainedEncoder:
    """Vectors of texts. `name` is what it was loaded from, `dimensions` their length."""

    def __init__(self, model: torch.nn.Module, tokenizer: Any, config: EncoderConfig) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.config = config
        self.name = config.name
        self.dimensions = int(model.config.hidden_size)  # type: ignore[union-attr, arg-type]
        self.pooling = config.pooling or read_pooling(config.name)
        self.max_tokens = fitting_tokens(model, config.max_tokens)

    @classmethod
    def load(cls, config: EncoderConfig | None = None) -> PretrainedEncoder:
        """Loads the model and its tokenizer; onto a GPU if there is one.

        Raises:
            ConfigError: torch or transformers are not installed, or there is no such model, or it
                is not whole; the message names the options. Or no such pooling or precision.
        """
        config = config or EncoderConfig()
        if config.pooling not in ("", *POOLINGS):
            raise invalid_choice("pooling", config.pooling, POOLINGS)
        name = config.name or default_encoder()
        require("torch", "transformers")
        precision = resolve_precision(config.precision)
        model, tokenizer = load_transformer(name)
        import torch

        from citescape.encoders.device import choose_device

        model = model.to(device=choose_device(), dtype=getattr(torch, precision)).eval()
        return cls(model, tokenizer, replace(config, name=name, precision=precision))

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Vectors (len(texts), dimensions) float32, of length 1 unless the config says not."""
        return self.encode(texts).vectors

    def encode(self, texts: Sequence[str], progress: Progress = silent) -> Encoded:
        """Vectors of texts and the tokens read for them; equal texts are encoded once.

        A text's vector does not depend on the others: how far it is padded follows from its own
        length. In bfloat16 it is the same to the bit; padded to the longest of a batch, a third
        of the vectors would differ in the third digit. Where the processor has matrix tiles (Intel
        AMX), they may still: how it sums follows from the size of a batch. The same texts in any
        order have the same vectors to the bit there, too.
        """
        distinct = sorted(set(texts), key=lambda text: (len(text), text))
        place = {text: k for k, text in enumerate(distinct)}
        vectors = np.zeros((len(distinct), self.dimensions), np.float32)
        tokens = done = 0
        for rows, batch in self._batches(distinct):
            vectors[rows] = self._encode(batch)
            tokens += sum(map(len, batch))
            done += len(rows)
            progress(f"encoding: {done:,} of {len(distinct):,} texts")
        return Encoded(vectors[[place[text] for text in texts]], tokens)

    def _batches(self, texts: list[str]) -> Iterator[tuple[list[int], list[list[int]]]]:
        """Rows and their token ids, all padded to one width; the texts are sorted by length."""
        for start in range(0, len(texts), _SLICE):
            ids = self.tokenizer(
                texts[start : start + _SLICE], truncation=True, max_length=self.max_tokens
            )["input_ids"]
            for rows in batch_by_length(ids, self.max_tokens):
                yield [start + row for row in rows], [ids[row] for row in rows]

    def _encode(self, batch: list[list[int]]) -> Vectors:
        import torch

        device = next(self.model.parameters()).device
        ids, mask = pad_tokens(batch, self.tokenizer, device, most=self.max_tokens)
        with torch.inference_mode():
            hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
            pooled = hidden[:, 0] if self.pooling == "cls" else mean_pool(hidden, mask)
            if self.config.unit:
                pooled = torch.nn.functional.normalize(pooled, dim=1)
            vectors: Vectors = pooled.cpu().numpy()  # (B, d)
        return vectors


def resolve_precision(precision: str) -> str:
    """`float32` or `bfloat16`; `auto` takes what is faster here.

    Raises:
        ConfigError: no such precision.
    """
    if precision not in PRECISIONS:
        raise invalid_choice("precision", precision, PRECISIONS)
    if precision != "auto":
        return precision
    import torch

    if torch.cuda.is_available():
        multiplies = torch.cuda.is_bf16_supported(including_emulation=False)
    else:
        multiplies = getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)()
    return "bfloat16" if multiplies else "float32"
