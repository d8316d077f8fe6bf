"""Query and candidate as one text: joined by the tokenizer and truncated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import processors
from transformers import AutoTokenizer

from citescape.core.errors import ConfigError
from citescape.training.reranking.pairs import PairTokens, plan_widths
from tests.training.reranking.conftest import FILLERS

CPU = torch.device("cpu")
TEXTS = (["wheat yield", "", "barley soil dust lens"], ["orbit", "comet planet dust", ""])
EACH = np.array([[q, c] for q in range(3) for c in range(3)]).T


@pytest.fixture(scope="module")
def tokenizer(model: Path) -> Any:
    return AutoTokenizer.from_pretrained(model)


TEMPLATES = {
    "bert": ("[CLS] $A [SEP] $B:1 [SEP]:1", ["input_ids", "token_type_ids", "attention_mask"]),
    "roberta": ("[CLS] $A [SEP] [SEP] $B [SEP]", ["input_ids", "attention_mask"]),
    "open": ("[CLS] $A [SEP] $B", ["input_ids", "attention_mask"]),
}


@pytest.mark.parametrize("template", TEMPLATES)
def test_pairs_are_joined_like_by_the_tokenizer(template: str, model: Path) -> None:
    pair, names = TEMPLATES[template]
    tokenizer = AutoTokenizer.from_pretrained(model, model_input_names=names)
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair=pair, special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokens = PairTokens(tokenizer, TEXTS, max_tokens=30)
    result = tokens.pad(*EACH, device=CPU)
    queries, candidates = ([side[k] for k in rows] for side, rows in zip(TEXTS, EACH, strict=True))
    expected = tokenizer(queries, candidates, padding=True, return_tensors="pt")
    torch.testing.assert_close(result.ids, expected["input_ids"])
    torch.testing.assert_close(result.mask, expected["attention_mask"])
    assert (result.types is None) == ("token_type_ids" not in names)
    if result.types is not None:
        torch.testing.assert_close(result.types, expected["token_type_ids"])
    assert tokens.lengths(*EACH).tolist() == expected["attention_mask"].sum(1).tolist()
    wide = tokens.pad(*EACH, width=16, device=CPU)
    assert wide.ids.shape == (9, 16)
    torch.testing.assert_close(wide.ids[:, : result.ids.shape[1]], result.ids)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(8, 40))
def test_the_longer_text_is_truncated(
    tokenizer: Any, query: int, candidate: int, most: int
) -> None:
    words = [" ".join(FILLERS[k % 10] for k in range(size)) for size in (query, candidate)]
    tokens = PairTokens(tokenizer, ([words[0]], [words[1]]), max_tokens=most)
    zero, room = np.array([0]), most - 3
    ((kept,), (other,)) = tokens.cut(zero, zero)
    assert kept + other == min(room, query + candidate)
    assert other >= min(candidate, room // 2)
    assert kept >= min(query, room // 2)
    assert kept <= query
    assert other <= candidate
    ids = tokens.pad(zero, zero, device=CPU).ids[0].tolist()
    first, second = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in words)
    assert ids == [2, *first[:kept], 3, *second[:other], 3]


@given(st.lists(st.integers(1, 30), min_size=1, max_size=40), st.integers(10, 100))
def test_passes_have_one_width_and_respect_the_budget(lengths: list[int], budget: int) -> None:
    result = list(plan_widths(np.array(lengths), 30, budget))
    rows = np.concatenate([rows for _, rows in result])
    assert sorted(rows.tolist()) == list(range(len(lengths)))
    for width, rows in result:
        assert len(rows) == 1 or width * len(rows) <= budget
        assert all(lengths[row] <= width < lengths[row] + 8 for row in rows)


def test_a_tokenizer_without_separator_is_refused(model: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(model)
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A $B [SEP]",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    with pytest.raises(ConfigError, match="tokenizer of gpt has no special tokens"):
        PairTokens(tokenizer, TEXTS, max_tokens=30, name="gpt")
