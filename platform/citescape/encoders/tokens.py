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
_STEP = 8


def fitting_tokens(model: torch.nn.Module, asked: int) -> int:
    """At most `asked` tokens, and no more than the model has positions for."""
    known = getattr(getattr(model, "config", None), "max_position_embeddings", None)
    kept = _kept_positions(model)
    return min(asked, known - kept) if isinstance(known, int) and known > kept else asked


def _kept_positions(model: torch.nn.Module) -> int:
    """Positions that no token gets: RoBERTa and its kin count from after that of padding.

    BERT's table of positions has none of padding; where a model has no such table, two are left.
    """
    table = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    if table is None:
        return 2
    padding = getattr(table, "padding_idx", None)
    return 0 if padding is None else int(padding) + 1


def padded_width(tokens: int, most: int) -> int:
    """The width to which a text of so many tokens is padded: a multiple of 8, `most` at most.

    It follows from the text alone, so that in any precision its states do not depend on what stands
    beside it; and there are few widths, for each of which a processor's kernels are made anew.
    """
    return min(-(-tokens // _STEP) * _STEP, most)


def batch_by_length(ids: Ids, most: int | None = None) -> Iterator[list[int]]:
    """Rows that go together, short texts first, under a budget of padded tokens.

    Those of like length; with `most` those of the same `padded_width` only.
    """
    widths = [len(row) if most is None else padded_width(len(row), most) for row in ids]
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
    ids: Ids, tokenizer: Any, device: torch.device | str, *, most: int | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids (B, T) of a batch, and the mask (B, T): 1 for a token, 0 for padding.

    T is the longest text's length; with `most` its `padded_width`.
    """
    import torch

    longest, fill = max(map(len, ids)), tokenizer.pad_token_id or 0
    width = longest if most is None else padded_width(longest, most)
    tokens = torch.tensor([row + [fill] * (width - len(row)) for row in ids], device=device)
    lengths = torch.tensor([len(row) for row in ids], device=device)
    mask = (torch.arange(width, device=device)[None] < lengths[:, None]).long()
    return tokens, mask


def mean_pool(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Mean (B, d) of the hidden states (B, T, d) of tokens that are not padding."""
    weights = mask.to(hidden.dtype)
    return (hidden * weights[..., None]).sum(1) / weights.sum(1, keepdim=True).clamp(min=1)
