"""Truncation, batching and padding of token ids."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import RobertaConfig, RobertaModel

from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder
from citescape.encoders.tokens import (
    BATCH_TOKENS,
    batch_by_length,
    fitting_tokens,
    pad_tokens,
    padded_width,
)


class Padding:
    """The part of a tokenizer that padding needs."""

    pad_token_id = 9


def test_texts_of_equal_padded_width_share_a_batch() -> None:
    ids = [[1] * n for n in (9, 3, 8, 16, 17, 20, 19)]
    assert [padded_width(len(row), 20) for row in ids] == [16, 8, 8, 16, 20, 20, 20]
    assert list(batch_by_length(ids, 20)) == [[1, 2], [0, 3], [4, 6, 5]]
    assert list(batch_by_length(ids, 20, step=1)) == [[1], [2], [0], [3], [4], [6], [5]]
    assert list(batch_by_length(ids)) == [[1, 2, 0, 3, 4, 6, 5]]
    assert list(batch_by_length([], 20)) == list(batch_by_length([])) == []


@pytest.mark.parametrize("most", [None, 128])
def test_batches_respect_the_token_budget(most: int | None) -> None:
    ids = [[1] * (1 + k % 128) for k in range(2000)]
    batches = list(batch_by_length(ids, most))
    assert sorted(row for rows in batches for row in rows) == list(range(2000))
    for rows in batches:
        assert len(rows) * max(len(ids[row]) for row in rows) <= BATCH_TOKENS
    longer = [[1] * (BATCH_TOKENS + 1)] * 2
    assert list(batch_by_length(longer)) == [[0], [1]]


def test_padding_is_masked() -> None:
    tokens, mask = pad_tokens([[5], [6, 7]], Padding(), "cpu")
    assert tokens.tolist() == [[5, 9], [6, 7]]
    assert mask.tolist() == [[1, 0], [1, 1]]
    tokens, mask = pad_tokens([[5], [6, 7]], Padding(), "cpu", most=3)
    assert (tokens.tolist(), mask.tolist()) == ([[5, 9, 9], [6, 7, 9]], [[1, 0, 0], [1, 1, 0]])


def test_tokens_are_limited_by_positions(folder: Path) -> None:
    encoder = PretrainedEncoder.load(EncoderConfig(str(folder), precision="float32"))
    assert fitting_tokens(encoder.model, 128) == encoder.max_tokens == 64
    assert fitting_tokens(encoder.model, 20) == 20
    assert encoder(["rice " * 500])[0] == pytest.approx(encoder(["rice " * 200])[0], abs=1e-5)
    assert fitting_tokens(torch.nn.Identity().requires_grad_(False), 30) == 30


def test_reserved_positions_of_roberta_are_not_used() -> None:
    shape = RobertaConfig(
        vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=8, max_position_embeddings=34,
    )  # fmt: skip
    model = RobertaModel(shape).eval()
    most = fitting_tokens(model, 512)
    assert most == 32
    model(input_ids=torch.full((1, most), 5))
    with pytest.raises((IndexError, RuntimeError)):
        model(input_ids=torch.full((1, most + 1), 5))
