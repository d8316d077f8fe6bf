"""Triplets as a PyTorch dataset of texts."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from torch.utils.data import DataLoader

from citescape.core.errors import ConfigError
from citescape.corpus import Corpus
from citescape.training.dataset import TripletDataset
from tests.training.conftest import Training, paper_id, papers


def text_of(row: Mapping[str, Any]) -> str:
    return f"{row['title']} {row.get('abstract', '')}".rstrip()


def expect(training: Training, *, held: bool) -> list[dict[str, str]]:
    texts = {paper_id(k): text_of(row) for k, row in enumerate(papers())}
    rows = (
        training.triplets.select_rows(training.triplets.validation == held).to_table().to_pylist()
    )
    return [{r: texts[row[r]] for r in ("anchor", "positive", "negative")} for row in rows]


@pytest.mark.parametrize("workers", [0, 1])
def test_a_data_loader_reads_all_triplets(workers: int, corpus: Corpus, training: Training) -> None:
    """A spawned worker gets a pickled copy."""
    loader = DataLoader(
        corpus.dataset(str(training.file)),
        batch_size=4,
        num_workers=workers,
        multiprocessing_context="spawn" if workers else None,
    )
    result = [
        dict(zip(batch, values, strict=True))
        for batch in loader
        for values in zip(*batch.values(), strict=True)
    ]
    assert result == expect(training, held=False)


def test_sides_and_separators(corpus: Corpus, training: Training) -> None:
    held = corpus.dataset(str(training.file), side="validation")
    assert [held[k] for k in range(len(held))] == expect(training, held=True)
    every = corpus.dataset(str(training.file), side="all")
    assert len(every) == len(training.triplets)
    assert held[-1] == held[len(held) - 1]
    with pytest.raises(IndexError):
        held[len(held)]
    marked = corpus.dataset(str(training.file), separator=" [SEP] ")
    assert " [SEP] " in marked[0]["anchor"]


def test_texts_are_written_slice_by_slice(corpus: Corpus, training: Training) -> None:
    with mock.patch("citescape.training.texts._SLICE", 3):
        sliced = corpus.dataset(str(training.file), separator=" ")
    rows = pa.ipc.open_file(sliced.path / "texts.arrow").read_all().to_pylist()
    texts = {paper_id(k): text_of(row) for k, row in enumerate(papers())}
    used = training.triplets.select_rows(~training.triplets.validation).papers.to_pylist()
    assert len(used) > 6
    assert rows == [{"id": id_, "text": texts[id_]} for id_ in used]


def test_a_dataset_is_written_once_and_pickled_by_path(corpus: Corpus, training: Training) -> None:
    first, again = (corpus.dataset(str(training.file)) for _ in range(2))
    assert first.path == again.path
    pickled = pickle.dumps(first)
    assert len(pickled) < 1000
    copied = pickle.loads(pickled)
    assert isinstance(copied, TripletDataset)
    assert copied[3] == first[3]


def test_a_side_without_triplets_is_refused(corpus: Corpus, training: Training) -> None:
    path = training.file.with_name("unsplit.parquet")
    pq.write_table(pq.read_table(training.file).drop_columns("split"), path)
    with pytest.raises(ConfigError, match="'validation'"):
        corpus.dataset(str(path), side="validation")
