from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.embeddings.documents import make_corpus
from citescape.embeddings.vectors import Vectors, write_vectors
from citescape.encoders.documents import Document
from citescape.errors import ConfigError
from citescape.ranking.bm25 import Bm25
from citescape.ranking.dense import Dense
from citescape.ranking.registry import KINDS, Desk, open_ranker
from citescape.runs import RunRecord, open_run, run_id

DOCUMENTS = [Document("rice blast"), Document("millet yield", "Of fields."), Document("galaxies")]
IDS = pa.array(["a", "b", "c"])


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(make_corpus(IDS, DOCUMENTS), tmp_path, max_tokens=16)


def test_each_kind_can_be_opened(desk: Desk) -> None:
    for name in KINDS:
        title, ranker = open_ranker(name, desk)
        assert title == name == ranker.name
        assert not ranker.lacks(np.arange(3)).any()
        assert ranker.describe()
        found = ranker.among(np.arange(3)).search(np.array([0]), 2)
        assert set(found.papers[0]) <= {-1, 1, 2}


def test_a_name_of_ones_own(desk: Desk) -> None:
    title, ranker = open_ranker("words=bm25", desk)
    assert title == "words"
    assert isinstance(ranker, Bm25)


def test_vectors_of_a_run(desk: Desk) -> None:
    """Of two of the papers, and of one that is not in the corpus."""
    record = RunRecord(run_id("embed", {}, {}), "embed", {}, {})
    with open_run(desk.runs, record.id) as directory:
        values = np.array([[1, 0], [0, 1], [1, 1]], np.float32)
        write_vectors(directory.path, Vectors(pa.table({"id": ["a", "c", "x"]}), values))
        directory.complete(record)
    title, ranker = open_ranker(record.id, desk)
    assert isinstance(ranker, Dense)
    assert (title, ranker.source) == (record.id, record.id)
    assert ranker.lacks(np.arange(3)).tolist() == [False, True, False]


def test_what_is_no_ranker(desk: Desk) -> None:
    with pytest.raises(ConfigError, match=r"no ranker 'nobody': .*expected bm25, lsa, minilm"):
        open_ranker("nobody", desk)
