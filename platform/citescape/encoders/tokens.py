"""Token ids for a transformer: how many fit, batches, padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

Ids = Sequence[list[int]]
"""Token ids of each text."""
BATCH_TOKENS = 4096
"""Tokens of a batch, padding included; larger ones are no faster on a CPU."""
STEP = 8
"""Widths of padded texts are multiples of this."""


def fitting_tokens(model: torch.nn.Module, limit: int) -> int:
    """Maximum tokens per text: `limit`, or the number of positions of the model if that is less.

    Some positions are reserved: models such as RoBERTa count from the position of padding on, BERT
    has no position of padding; two are assumed where a model has no table of positions.
    """
    table = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    padding = 1 if table is None else getattr(table, "padding_idx", None)
    reserved = 0 if padding is None else int(padding) + 1
    known = getattr(getattr(model, "config", None), "max_position_embeddings", None)
    return min(limit, known - reserved) if isinstance(known, int) and known > reserved else limit


def padded_width(tokens: int, most: int, step: int = STEP) -> int:
    """The width to which a text of `tokens` tokens is padded: a multiple of `step` up to `most`.

    The width depends on the text alone, so that in any precision its states do not depend on the
    other texts of a batch.
    """
    return min(-(-tokens // step) * step, most)


def batch_by_length(ids: Ids, most: int | None = None, *, step: int = STEP) -> Iterator[list[int]]:
    """Rows of each batch, short texts first, under a budget of padded tokens.

    Texts of a batch have similar lengths; with `most`, the maximum tokens per text, all of them
    have the same `padded_width` with `step`.
    """
    widths = [len(row) if most is None else padded_width(len(row), most, step) for row in ids]
    rows: list[int] = []
    for row in sorted(range(len(ids)), key=lambda k: len(ids[k])):
        full = (len(rows) + 1) * widths[row] > BATCH_TOKENS
        if rows and (full or (most is not None and widths[rows[0]] != widths[row])):
            yield rows
            rows = []
        rows.append(row)
    if rows:
        yield rows


def pad_tokens(
    ids: Ids,
    tokenizer: Any,
    device: torch.device | str,
    *,
    most: int | None = None,
    step: int = STEP,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids (B, T) of a batch, and the mask (B, T): 1 for a token, 0 for padding.

    Args:
        ids: token ids of each text.
        tokenizer: its padding token fills the rows.
        device: device of the tensors.
        most: maximum tokens per text: T is the `padded_width` of the longest text; None: T is the
            length of the longest text.
        step: see `padded_width`.
    """
    import torch

    longest, fill = max(map(len, ids)), tokenizer.pad_token_id or 0
    width = longest if most is None else padded_width(longest, most, step)
    tokens = torch.tensor([row + [fill] * (width - len(row)) for row in ids], device=device)
    lengths = torch.tensor([len(row) for row in ids], device=device)
    mask = (torch.arange(width, device=device)[None] < lengths[:, None]).long()
    return tokens, mask


def mean_pool(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Mean (B, d) of the hidden states (B, T, d) of tokens that are not padding."""
    weights = mask.to(hidden.dtype)
    return (hidden * weights[..., None]).sum(1) / weights.sum(1, keepdim=True).clamp(min=1)
