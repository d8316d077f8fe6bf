from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.core.types import Document
from citescape.papers.documents import make_corpus
from citescape.ranking.registry import KINDS, Basis, open_ranker, open_rankers
from citescape.runs.directory import RunRecord, open_run, run_id
from citescape.search.bm25 import Bm25
from citescape.search.dense import Dense
from citescape.search.vectors import Vectors, write_vectors

DOCUMENTS = [Document("rice blast"), Document("millet yield", "Of fields."), Document("galaxies")]
IDS = pa.array(["a", "b", "c"])


@pytest.fixture
def basis(tmp_path: Path) -> Basis:
    """Basis with citations; the first paper is a query and has one of them."""
    ends = (np.array([0, 2], np.int32), np.array([1, 1], np.int32))
    return Basis(
        make_corpus(IDS, DOCUMENTS),
        tmp_path,
        max_tokens=16,
        citations=lambda: ends,
        held_out=np.array([0]),
        tune=lambda ranker: ranker.tuned(0.4, 0.5),
    )


def test_each_kind_of_ranker_is_opened(basis: Basis) -> None:
    for name in KINDS:
        title, ranker = open_ranker(name, basis)
        assert title == name == ranker.name
        assert not ranker.lacks(np.arange(3)).any()
        assert ranker.describe()
        found = ranker.among(np.arange(3)).search(np.array([0]), 2)
        assert set(found.papers[0]) <= {-1, 1, 2}
        assert ranker.traits.importance is False


def test_rankers_may_be_named(basis: Basis) -> None:
    title, ranker = open_ranker("words=bm25", basis)
    assert title == "words"
    assert isinstance(ranker, Bm25)


def keep(runs: Path, ids: list[str]) -> str:
    """Save a run of vectors of three papers."""
    record = RunRecord(run_id("embed", {"ids": ids}, {}), "embed", {}, {})
    with open_run(runs, record.id) as directory:
        values = np.array([[1, 0], [0, 1], [1, 1]], np.float32)
        write_vectors(directory.path, Vectors(pa.table({"id": ids}), values))
        directory.complete(record)
    return record.id


def test_vectors_of_a_run(basis: Basis) -> None:
    """Vectors of two papers of the corpus and of one other paper."""
    run = keep(basis.runs, ["a", "c", "x"])
    title, ranker = open_ranker(run, basis)
    assert isinstance(ranker, Dense)
    assert (title, ranker.source) == (run, run)
    assert ranker.lacks(np.arange(3)).tolist() == [False, True, False]


def test_a_run_of_other_papers_is_refused(basis: Basis) -> None:
    run = keep(basis.runs, ["x", "y", "z"])
    with pytest.raises(ConfigError, match=f"none of the 3 papers of {run}"):
        open_ranker(run, basis)


@pytest.mark.parametrize(
    ("named", "near"),
    [("nobody", ""), ("no/body", ""), ("sgc:BM-25", r"did you mean bm25\?"), ("own=bm2", "bm25")],
)
def test_unknown_rankers_are_refused(basis: Basis, named: str, near: str) -> None:
    """The message is one line about rankers, not about encoders."""
    with pytest.raises(ConfigError, match=rf"no ranker '.*{near}.*; expected bm25, ") as e:
        open_ranker(named, basis)
    message = str(e.value)
    assert ("did you mean" in message) == bool(near)
    assert "--encoder" not in message
    assert message.count("expected") == 1
    assert "`platform evaluate rankers`" in message


def test_a_folder_that_is_no_encoder_is_reported(basis: Basis, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(ConfigError, match=r"no pretrained encoder .*folder': no config\.json"):
        open_ranker(str(tmp_path / "folder"), basis)


def test_smoothing_over_citations(basis: Basis) -> None:
    title, ranker = open_ranker("own=sgc:lsa", basis)
    plain = open_ranker("lsa", basis)[1]
    assert isinstance(ranker, Dense)
    assert isinstance(plain, Dense)
    assert (title, ranker.name) == ("own", "own")
    before, after = plain.vectors.values, ranker.vectors.values
    assert after[0].tolist() == before[0].tolist()  # its only citation is held out
    assert after[1].tolist() != before[1].tolist()
    assert (plain.traits.citations, ranker.traits.citations) == (False, True)
    with pytest.raises(ConfigError, match="sgc smooths vectors, but bm25 has none"):
        open_ranker("sgc:bm25", basis)


def test_rankers_need_citations_and_validation_queries(basis: Basis) -> None:
    bare = Basis(basis.corpus, basis.runs)
    with pytest.raises(ConfigError, match="sgc:lsa needs citations"):
        open_ranker("sgc:lsa", bare)
    with pytest.raises(ConfigError, match="bm25-tuned needs validation queries"):
        open_ranker("bm25-tuned", bare)


def test_files_are_recognised_by_suffix(basis: Basis, tmp_path: Path) -> None:
    embeddings = tmp_path / "e.jsonl"
    vectors_by_paper = [("a", [1, 0]), ("c", [0, 1]), ("x", [1, 1])]
    lines = [json.dumps({"paper_id": paper, "embedding": own}) for paper, own in vectors_by_paper]
    embeddings.write_text("\n".join(lines))
    title, ranker = open_ranker(f"own={embeddings}", basis)
    assert (title, ranker.name, ranker.traits.dimension) == ("own", "own", 2)
    assert ranker.traits.citations is None
    assert list(ranker.traits.unknown.values()) == [1, 1]
    assert ranker.lacks(np.arange(3)).tolist() == [False, True, False]
    (tmp_path / "w.vec").write_text("1 2\nrice 1 2\n")
    assert open_ranker(str(tmp_path / "w.vec"), basis)[1].traits.dimension == 2
    (tmp_path / "r.run").write_text("a Q0 b 1 1 t\n")
    found = open_ranker(f"r={tmp_path / 'r.run'}", basis)[1].among(np.arange(3))
    assert found.search(np.array([0]), 2).papers.tolist() == [[1, -1]]


def test_files_in_folders_with_an_equals_sign(basis: Basis, tmp_path: Path) -> None:
    path = tmp_path / "year=2019" / "a.run"
    path.parent.mkdir()
    path.write_text("a Q0 b 1 1 t\n")
    assert list(open_rankers([str(path), f"x={path}"], basis)) == [str(path), "x"]


def test_a_folder_of_vectors(basis: Basis, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    values = np.array([[1, 0], [0, 1]], np.float32)
    write_vectors(folder, Vectors(pa.table({"id": ["a", "b"]}), values))
    ranker = open_ranker(f"v={folder}", basis)[1]
    assert ranker.lacks(np.arange(3)).tolist() == [False, False, True]
    before = ranker.describe()
    write_vectors(folder, Vectors(pa.table({"id": ["a", "b"]}), 2 * values))
    assert open_ranker(f"v={folder}", basis)[1].describe() != before


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".vec", ".bin", ".run", ".parquet"])
def test_missing_files_are_refused(basis: Basis, ending: str) -> None:
    with pytest.raises(SourceError, match="expected"):
        open_ranker(f"own=nowhere{ending}", basis)


def test_embeddings_of_other_papers_are_refused(basis: Basis, tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text('{"paper_id": "x", "embedding": [1]}\n')
    with pytest.raises(SourceError, match="none of its 1 papers, such as x, "):
        open_ranker(str(tmp_path / "e.jsonl"), basis)


def test_rankers_keep_their_order_and_slow_rankers_are_opened_last(basis: Basis) -> None:
    messages: list[str] = []
    own = replace(basis, progress=messages.append)
    assert list(open_rankers(("minilm", "words=bm25", "random"), own)) == [
        "minilm",
        "words",
        "random",
    ]
    begun = [line for line in messages if line.startswith("preparing ")]
    assert begun == ["preparing bm25", "preparing random", "preparing minilm"]
    for named in (("bm25", "bm25=tfidf"), ("bm25", "bm25")):
        with pytest.raises(ConfigError, match="two systems are called 'bm25'"):
            open_rankers(named, basis)


def test_graph_vectors_trained_on_test_citations_are_refused(basis: Basis) -> None:
    record = RunRecord(run_id("graph-embed", {}, {}), "graph-embed", {}, {})
    with open_run(basis.runs, record.id) as directory:
        vectors = Vectors(pa.table({"id": ["a", "c"]}), np.ones((2, 2), np.float32))
        write_vectors(directory.path, vectors)
        directory.complete(record)
    with pytest.raises(ConfigError, match="trained on the citations of 1 queries"):
        open_ranker(record.id, basis)
    unknown = replace(basis, held_out=np.array([1]))
    assert open_ranker(record.id, unknown)[0] == record.id


def test_lsa_uses_the_given_metric(basis: Basis) -> None:
    _, ranker = open_ranker("lsa", replace(basis, metric="l2"))
    assert ranker.describe()["metric"] == "l2"
