"""A pretrained transformer as a text encoder: any local folder or hub id, mean or CLS pooling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from citescape.core.errors import invalid_choice
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.encoders.files import default_encoder, load_transformer, read_pooling
from citescape.encoders.tokens import STEP, batch_by_length, fitting_tokens, mean_pool, pad_tokens

if TYPE_CHECKING:
    import torch

Vectors = npt.NDArray[np.float32]

PRECISIONS = ("auto", "float32", "bfloat16")
POOLINGS = ("cls", "mean")
"""Of the last layer: the state of the first token, or the mean of those of all tokens."""
_SLICE = 4096
"""Number of texts that are tokenised at one time."""


@dataclass(frozen=True)
class EncoderConfig:
    """The encoder and its settings."""

    name: str = ""
    """Folder or hub id; empty for `default_encoder()`."""
    max_tokens: int = 128
    """Longer texts are cut, at the latest after the encoder's number of positions."""
    precision: str = "auto"
    """`auto`: bfloat16 where it is faster than float32, see `resolve_precision`."""
    pooling: str = ""
    """`cls` or `mean`; empty for that of the model's settings."""
    unit: bool = True
    """Vectors are normalised to length 1."""


@dataclass(frozen=True)
class Encoded:
    """Vectors of some texts, and their number of tokens."""

    vectors: Vectors
    """(texts, d) float32."""
    tokens: int
    """Special tokens included, padding not; equal texts count once."""


class PretrainedEncoder:
    """Vectors of texts. `name` is the folder or hub id, `dimensions` the length of a vector."""

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
            ConfigError: torch or transformers are not installed, there is no such model, it is
                incomplete, or there is no such pooling or precision.
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
        """Vectors (len(texts), dimensions) float32, see `encode`."""
        return self.encode(texts).vectors

    def encode(self, texts: Sequence[str], progress: Progress = silent) -> Encoded:
        """Vectors of texts and their number of tokens; equal texts are encoded once.

        A text's vector does not depend on the others: its padding follows from its own length. In
        bfloat16 it is the same to the bit; padded to the longest of a batch, a third of the vectors
        would differ in the third digit. In float32 on a processor
        nothing is padded. On processors with matrix tiles (Intel AMX) the order of sums depends on
        the size of a batch, so that vectors may differ between sets of texts, but not between
        orders of the same texts.
        """
        import torch

        distinct = sorted(set(texts), key=lambda text: (len(text), text))
        vectors = np.zeros((len(distinct), self.dimensions), np.float32)
        device = next(self.model.parameters()).device
        # in bfloat16 and on a GPU kernels are made for each width: few widths
        plain = device.type == "cpu" and self.config.precision == "float32"
        most, step, tokens, done = self.max_tokens, 1 if plain else STEP, 0, 0
        for start in range(0, len(distinct), _SLICE):
            some = distinct[start : start + _SLICE]
            ids = self.tokenizer(some, truncation=True, max_length=most)["input_ids"]
            for rows in batch_by_length(ids, most, step=step):  # all are padded to one width
                batch = [ids[row] for row in rows]
                padded, mask = pad_tokens(batch, self.tokenizer, device, most=most, step=step)
                with torch.inference_mode():
                    output = self.model(input_ids=padded, attention_mask=mask)
                    hidden = output.last_hidden_state.float()  # (B, T, d)
                    pooled = hidden[:, 0] if self.pooling == "cls" else mean_pool(hidden, mask)
                    if self.config.unit:
                        pooled = torch.nn.functional.normalize(pooled, dim=1)
                    vectors[[start + row for row in rows]] = pooled.cpu().numpy()
                tokens += sum(map(len, batch))
                done += len(rows)
                progress(f"encoding: {done:,} of {len(distinct):,} texts")
        place = {text: k for k, text in enumerate(distinct)}
        return Encoded(vectors[[place[text] for text in texts]], tokens)


def resolve_precision(precision: str) -> str:
    """`float32` or `bfloat16`; `auto` is the faster one on this machine.

    Processors of Intel multiply faster in bfloat16 only with matrix tiles (AMX).

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
        names = ("_is_amx_tile_supported", "_is_avx512_bf16_supported")
        tiles, vectors = (getattr(torch.cpu, name, bool)() for name in names)
        read: Any = getattr(torch.cpu, "get_capabilities", dict)
        processor = read().get("cpu_name", "")
        multiplies = tiles or (vectors and "Intel" not in processor)
    return "bfloat16" if multiplies else "float32"
