"""Texts of papers, and their tokens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.core.types import Document
from citescape.encoders.documents import EncoderSettings
from citescape.store.graph_store import GraphStore
from citescape.training.texts import Texts, Tokens, read_texts, tokenise
from tests.importance.conftest import insert
from tests.training.conftest import PAPERS, paper_id, papers

Fill = Callable[[GraphStore], GraphStore]


def ids(*numbers: int) -> pa.StringArray:
    return pa.array([paper_id(k) for k in numbers], pa.string())


def test_titles_and_abstracts_are_read(store: GraphStore, fill: Fill) -> None:
    """In the given order; missing abstracts are empty and counted."""
    written = papers()
    wanted = (2, 5, 11, PAPERS - 1)
    result = read_texts(fill(store), ids(*wanted))
    assert result.ids.equals(ids(*wanted))
    assert [(document.title, document.abstract) for document in result.documents] == [
        (written[k]["title"], written[k].get("abstract", "")) for k in wanted
    ]
    assert result.titles_only == 1


def test_parts_of_abstracts_are_read(store: GraphStore, fill: Fill) -> None:
    """Title and part of the abstract; empty if missing (FLeW, section 3.3)."""
    written = papers()
    result = read_texts(fill(store), ids(2, 3), "method")
    assert [document.abstract for document in result.documents] == [
        "",
        written[3]["abstract_method"],
    ]
    assert [document.title for document in result.documents] == [
        written[k]["title"] for k in (2, 3)
    ]
    assert result.titles_only == 1


def test_missing_texts_are_refused(store: GraphStore, fill: Fill) -> None:
    with pytest.raises(StoreError, match="1 of 1 papers of the triplets are not in"):
        read_texts(store, ids(1))
    fill(store)
    with pytest.raises(StoreError, match=r"2 of 3 papers .*p70; expected"):
        read_texts(store, ids(1, 70, 71))
    with pytest.raises(ConfigError, match="facet is 'aim'; expected one of: background, method"):
        read_texts(store, ids(1), "aim")
    with pytest.raises(ConfigError, match="part result; run `platform text abstracts label` first"):
        read_texts(store, ids(1), "result")
    insert(store, "Paper", [{"id": "x", "title": " "}, {"id": "y", "abstract": "Only this."}])
    with pytest.raises(StoreError, match=r"neither title nor abstract, such as x; sample again"):
        read_texts(store, pa.array(["x"]))
    with pytest.raises(StoreError, match=r"a part method .* such as y; .*`--exclude`"):
        read_texts(store, pa.array([paper_id(1), "y"]), "method")


def test_the_hash_depends_on_ids_and_texts() -> None:
    texts = Texts(ids(1, 2), (Document("A", "b"), Document("C")), 1)
    others = (
        Texts(ids(1, 2), (Document("A", "b"), Document("C")), 1),
        Texts(ids(1, 3), (Document("A", "b"), Document("C")), 1),
        Texts(ids(1, 2), (Document("Ab"), Document("C")), 1),
        Texts(ids(1, 2), (Document("A"), Document("b", "C")), 1),
    )
    assert [other.sha256 == texts.sha256 for other in others] == [True, False, False, False]


TEXTS = Texts(
    ids(0, 1, 2, 3),
    (
        Document("wheat rust", "star field"),
        Document("wheat rust"),
        Document("", "star field"),
        Document("  wheat\n rust ", "star " * 30),
    ),
    1,
)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (
            "sep",
            [
                "[CLS] wheat rust [SEP] star field [SEP]",
                "[CLS] wheat rust [SEP] [SEP]",
                "[CLS] star field [SEP]",
                "[CLS] wheat rust [SEP]" + " star" * 4 + " [SEP]",
            ],
        ),
        (
            "joined",
            [
                "[CLS] wheat rust star field [SEP]",
                "[CLS] wheat rust [SEP]",
                "[CLS] star field [SEP]",
                "[CLS] wheat rust" + " star" * 5 + " [SEP]",
            ],
        ),
    ],
)
def test_tokens_of_a_text(form: str, expected: list[str], models: tuple[Path, Path]) -> None:
    """`title [SEP] abstract`, or joined by a blank; after truncation the last token is [SEP]."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(models[0])
    result = tokenise(TEXTS, tokenizer, EncoderSettings(form, "cls", max_tokens=9))
    rows = [result.flat[a:b] for a, b in zip(result.offsets[:-1], result.offsets[1:], strict=True)]
    assert [" ".join(tokenizer.convert_ids_to_tokens(row.tolist())) for row in rows] == expected
    assert result.lengths(np.arange(len(expected))).tolist() == [
        len(text.split()) for text in expected
    ]


def test_no_texts_have_no_tokens() -> None:
    result = tokenise(Texts(ids(), (), 0), None, EncoderSettings("joined", "mean"))
    assert (result.flat.tolist(), result.offsets.tolist()) == ([], [0])


def test_token_ids_are_padded() -> None:
    tokens = Tokens(np.arange(1, 10, dtype=np.int32), np.array([0, 2, 6, 9]))
    padded, mask = tokens.pad(np.array([2, 0]), 0)
    assert padded.tolist() == [[7, 8, 9], [1, 2, 0]]
    assert mask.tolist() == [[1, 1, 1], [1, 1, 0]]
    padded, mask = tokens.pad(np.array([1]), 99)
    assert (padded.tolist(), mask.tolist()) == ([[3, 4, 5, 6]], [[1, 1, 1, 1]])
