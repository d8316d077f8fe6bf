"""Token ids on their way into a transformer: how many fit, which go together, padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

Ids = Sequence[list[int]]
"""Token ids of each text."""
BATCH_TOKENS = 4096
"""Tokens of a batch, padding included; larger ones are no faster on a CPU."""


def fitting_tokens(model: torch.nn.Module, asked: int) -> int:
    """At most `asked` tokens, and no more than the model has positions for.

    RoBERTa and its kin keep two of their positions for themselves, so two are always left.
    """
    known = getattr(getattr(model, "config", None), "max_position_embeddings", None)
    return min(asked, known - 2) if isinstance(known, int) and known > 2 else asked


def batch_by_length(ids: Ids, *, padding: bool) -> Iterator[list[int]]:
    """Rows that go together, short texts first, under a budget of tokens.

    With `padding` rows of like length share a batch; without only those of the same length do, so
    that in any precision a text's states do not depend on what stands beside it.
    """
    rows: list[int] = []
    for row in sorted(range(len(ids)), key=lambda k: len(ids[k])):
        width = len(ids[row])
        full = (len(rows) + 1) * width > BATCH_TOKENS
        if rows and (full or not (padding or len(ids[rows[0]]) == width)):
            yield rows
            rows = []
        rows.append(row)
    if rows:
        yield rows


def pad_tokens(
    ids: Ids, tokenizer: Any, device: torch.device | str
) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids (B, T) of a batch, and the mask (B, T): 1 for a token, 0 for padding."""
    import torch

    width, fill = max(map(len, ids)), tokenizer.pad_token_id or 0
    tokens = torch.tensor([row + [fill] * (width - len(row)) for row in ids], device=device)
    lengths = torch.tensor([len(row) for row in ids], device=device)
    mask = (torch.arange(width, device=device)[None] < lengths[:, None]).long()
    return tokens, mask


def mean_pool(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Mean (B, d) of the hidden states (B, T, d) of tokens that are not padding."""
    weights = mask.to(hidden.dtype)
    return (hidden * weights[..., None]).sum(1) / weights.sum(1, keepdim=True).clamp(min=1)
