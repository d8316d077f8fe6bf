"""Texts of papers, and their tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError, OutputError, StoreError
from citescape.core.hashing import hash_texts
from citescape.core.types import Document
from citescape.encoders.documents import EncoderSettings
from citescape.store.graph_store import GraphStore
from citescape.training.texts import (
    Texts,
    Tokens,
    join_tokens,
    read_texts,
    read_tokens,
    tokenise,
    write_tokens,
)
from tests.disk import small_disk
from tests.importance.conftest import insert
from tests.training.conftest import PAPERS, paper_id, papers

Fill = Callable[[GraphStore], GraphStore]


def ids(*numbers: int) -> pa.StringArray:
    return pa.array([paper_id(k) for k in numbers], pa.string())


def make_texts(wanted: pa.StringArray, documents: Sequence[Document]) -> Texts:
    titles, abstracts = (
        pa.array([getattr(document, name) for document in documents], pa.string())
        for name in ("title", "abstract")
    )
    table = pa.table({"title": titles, "abstract": abstracts})
    return Texts(wanted, table, np.arange(len(wanted)))


def test_titles_and_abstracts_are_read(store: GraphStore, fill: Fill, tmp_path: Path) -> None:
    """In the given order; missing abstracts are empty and counted."""
    written = papers()
    wanted = (2, 5, 11, PAPERS - 1)
    (tmp_path / "runs").mkdir()
    result = read_texts(fill(store), ids(*wanted), tmp_path / "runs")
    assert result.ids.equals(ids(*wanted))
    expected = [Document(written[k]["title"], written[k].get("abstract", "")) for k in wanted]
    assert list(result) == expected
    assert result.read(np.array([3, 0, 3])) == [expected[k] for k in (3, 0, 3)]
    assert (len(result), result.titles_only) == (4, 1)
    assert not list((tmp_path / "runs").iterdir())


def test_parts_of_abstracts_are_read(store: GraphStore, fill: Fill, tmp_path: Path) -> None:
    """Title and part of the abstract; empty if missing (FLeW, section 3.3)."""
    written = papers()
    result = read_texts(fill(store), ids(2, 3), tmp_path, "method")
    assert [document.abstract for document in result] == ["", written[3]["abstract_method"]]
    assert [document.title for document in result] == [written[k]["title"] for k in (2, 3)]
    assert result.titles_only == 1


def test_missing_texts_are_refused(store: GraphStore, fill: Fill, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="1 of 1 papers of the triplets are not in"):
        read_texts(store, ids(1), tmp_path)
    fill(store)
    with pytest.raises(StoreError, match=r"2 of 3 papers .*p70; expected"):
        read_texts(store, ids(1, 70, 71), tmp_path)
    with pytest.raises(ConfigError, match="facet is 'aim'; expected one of: background, method"):
        read_texts(store, ids(1), tmp_path, "aim")
    with pytest.raises(ConfigError, match="part result; run `platform text abstracts label` first"):
        read_texts(store, ids(1), tmp_path, "result")
    insert(store, "Paper", [{"id": "x", "title": " "}, {"id": "y", "abstract": "Only this."}])
    with pytest.raises(StoreError, match=r"neither title nor abstract, such as x; sample again"):
        read_texts(store, pa.array(["x"]), tmp_path)
    with pytest.raises(StoreError, match=r"a part method .* such as y; .*`--exclude`"):
        read_texts(store, pa.array([paper_id(1), "y"]), tmp_path, "method")


class Batches:
    """A store that returns papers in several batches."""

    location = "batches"

    def __init__(self, numbers: Sequence[Sequence[int]]) -> None:
        self.numbers = numbers

    def read_batches(self, text: object) -> Iterator[pa.RecordBatch]:
        for numbers in self.numbers:
            texts = {name: [f"{name} {k}" for k in numbers] for name in ("title", "abstract")}
            columns = {"id": [paper_id(k) for k in numbers], **texts}
            schema = pa.schema({name: pa.string() for name in columns})
            yield pa.RecordBatch.from_pydict(columns, schema)


@pytest.mark.parametrize("hash_", [hash_texts, lambda texts: np.zeros(len(texts), np.uint64)])
def test_texts_of_many_batches(hash_: Callable[..., Any], tmp_path: Path) -> None:
    """Some of them empty; papers with the hash of another one are not mistaken for it."""
    store: Any = Batches([[5, 1], [], [3], [2, 4]])
    with mock.patch("citescape.training.texts.hash_texts", hash_):
        result = read_texts(store, ids(1, 2, 5), tmp_path)
        with pytest.raises(StoreError, match="1 of 2 papers"):
            read_texts(store, ids(1, 7), tmp_path)
    assert list(result) == [Document(f"title {k}", f"abstract {k}") for k in (1, 2, 5)]


def test_a_full_disk_is_named(store: GraphStore, fill: Fill, tmp_path: Path) -> None:
    fill(store)
    message = "File too large; make room and run the same command again"
    with small_disk(100), pytest.raises(OutputError, match=message):
        read_texts(store, ids(1, 2), tmp_path)


def test_the_hash_depends_on_ids_and_texts() -> None:
    texts = make_texts(ids(1, 2), (Document("A", "b"), Document("C")))
    others = (
        make_texts(ids(1, 2), (Document("A", "b"), Document("C"))),
        make_texts(ids(1, 3), (Document("A", "b"), Document("C"))),
        make_texts(ids(1, 2), (Document("Ab"), Document("C"))),
        make_texts(ids(1, 2), (Document("A"), Document("b", "C"))),
    )
    assert [other.sha256 == texts.sha256 for other in others] == [True, False, False, False]
    content = f"{paper_id(1)}\0A\0b\0{paper_id(2)}\0C\0\0"
    assert texts.sha256 == hashlib.sha256(content.encode()).hexdigest()


@given(st.permutations(range(7)), st.sets(st.integers(0, 6), min_size=1), st.integers(1, 3))
def test_texts_do_not_depend_on_the_order_of_rows(
    order: list[int], wanted: set[int], slice_: int
) -> None:
    """Nor on the division of the table into batches, nor on papers beside those asked for."""
    rows = [(f"p{k}", f"Title {k}", "" if k == 3 else f"Abstract {k}") for k in range(7)]
    columns = zip(*(rows[k] for k in order), strict=True)
    table = pa.table(dict(zip(("id", "title", "abstract"), columns, strict=True)))
    batches = pa.Table.from_batches(table.to_batches(max_chunksize=slice_))
    chosen = sorted(wanted)
    with mock.patch("citescape.training.texts._SLICE", slice_):
        rows_of = np.array([order.index(k) for k in chosen])
        result = Texts(pa.array([f"p{k}" for k in chosen]), batches, rows_of)
        assert list(result) == [Document(*rows[k][1:]) for k in chosen]
    content = "".join(f"{text}\0" for k in chosen for text in rows[k])
    assert result.sha256 == hashlib.sha256(content.encode()).hexdigest()
    assert result.titles_only == (3 in wanted)


TEXTS = make_texts(
    ids(0, 1, 2, 3),
    (
        Document("wheat rust", "star field"),
        Document("wheat rust"),
        Document("", "star field"),
        Document("  wheat\n rust ", "star " * 30),
    ),
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
    parts = tokenise(TEXTS, tokenizer, EncoderSettings(form, "cls", max_tokens=9))
    result = join_tokens(parts)
    rows = [result.flat[a:b] for a, b in zip(result.offsets[:-1], result.offsets[1:], strict=True)]
    assert [" ".join(tokenizer.convert_ids_to_tokens(row.tolist())) for row in rows] == expected
    assert result.lengths(np.arange(len(expected))).tolist() == [
        len(text.split()) for text in expected
    ]


def test_no_texts_have_no_tokens() -> None:
    parts = tokenise(make_texts(ids(), ()), None, EncoderSettings("joined", "mean"))
    result = join_tokens(parts)
    assert (result.flat.tolist(), result.offsets.tolist()) == ([], [0])


@given(st.lists(st.lists(st.lists(st.integers(0, 2**31 - 1)), min_size=1)))
def test_tokens_are_joined_and_written_part_by_part(parts: list[list[list[int]]]) -> None:
    rows = [row for part in parts for row in part]
    flat, offsets = [k for row in rows for k in row], [0, *accumulate(map(len, rows))]
    tokens = [
        Tokens(np.array(list(chain.from_iterable(part)), np.int32), np.cumsum([0, *map(len, part)]))
        for part in parts
    ]
    joined = join_tokens(tokens)
    assert (joined.flat.tolist(), joined.offsets.tolist()) == (flat, offsets)
    with TemporaryDirectory() as folder:
        assert write_tokens(Path(folder), tokens) == len(flat)
        result = read_tokens(Path(folder))
        assert (result.flat.tolist(), result.offsets.tolist()) == (flat, offsets)
        assert (result.flat.dtype, result.offsets.dtype) == (np.int32, np.int64)


def test_token_ids_are_padded() -> None:
    tokens = Tokens(np.arange(1, 10, dtype=np.int32), np.array([0, 2, 6, 9]))
    padded, mask = tokens.pad(np.array([2, 0]), 0)
    assert padded.tolist() == [[7, 8, 9], [1, 2, 0]]
    assert mask.tolist() == [[1, 1, 1], [1, 1, 0]]
    padded, mask = tokens.pad(np.array([1]), 99)
    assert (padded.tolist(), mask.tolist()) == ([[3, 4, 5, 6]], [[1, 1, 1, 1]])
