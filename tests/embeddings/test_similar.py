"""Nearest papers with the citations between them, for the chosen vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import ConfigError
from citescape.embeddings.similar import find_similar
from citescape.embeddings.steps import Embed
from citescape.runs.context import Context
from citescape.runs.directory import RunRecord, open_run
from citescape.search.graph_vectors import write_embeddings
from citescape.search.stored import RunVectors, find_vectors
from citescape.search.vectors import Vectors, write_vectors
from citescape.store.graph_store import Change, GraphStore
from tests.embeddings.conftest import TEXTS

IDS = sorted(set(TEXTS) - {"doi:10.1/4"})


def vectors(seed: int = 0) -> Vectors:
    values = np.random.default_rng(seed).normal(size=(len(IDS), 5)).astype(np.float32)
    text = ["title" if id_ == "doi:10.1/2" else "title+abstract" for id_ in IDS]
    return Vectors(pa.table({"id": IDS, "text": text}), values)


def keep(runs: Path, name: str, values: Vectors, started: str = "2026") -> RunRecord:
    record = RunRecord(name, "embed", {}, {}, started=started)
    with open_run(runs, name) as directory:
        write_vectors(directory.path, values)
        directory.complete(record)
    return record


def cosines(vectors_: Vectors, own: str) -> dict[str, float]:
    units = vectors_.values / np.linalg.norm(vectors_.values, axis=1, keepdims=True)
    similarities = units @ units[IDS.index(own)]
    return {id_: float(value) for id_, value in zip(IDS, similarities, strict=True) if id_ != own}


def test_the_nearest_papers_and_their_citations(library: GraphStore) -> None:
    own, embedding = "doi:10.1/1", vectors()
    expected = cosines(embedding, own)
    result = find_similar(library, f" {own} ", RunVectors("embed-1", embedding), k=30)
    assert (result.paper.id, result.run, result.text) == (own, "embed-1", "title+abstract")
    assert [paper.id for paper in result.papers] == sorted(expected, key=lambda i: -expected[i])
    for paper in result.papers:
        assert paper.similarity == pytest.approx(expected[paper.id], abs=1e-6)
    by_id = {paper.id: paper for paper in result.papers}
    cited, unscored, citing = (by_id[f"doi:10.{i}"] for i in ("1/2", "2/04", "2/03"))
    assert (cited.cites, cited.importance, cited.cited_by) == (True, 0.5, False)
    assert (unscored.cites, unscored.importance) == (True, None)
    assert (citing.cites, citing.cited_by, citing.cited_by_importance) == (False, True, 1.25)
    assert (cited.text, cited.title, cited.year) == ("title", "Wheat in salty soils", 2011)
    assert sum(paper.cites or paper.cited_by for paper in result.papers) == 3


def test_notices_are_those_of_the_papers(library: GraphStore) -> None:
    statement = "MATCH (p:Paper {id: $id}) SET p.notice = 'retracted', p.notice_year = 2017"
    library.run(statement, id="doi:10.1/2")
    result = find_similar(library, "doi:10.1/1", RunVectors("embed-1", vectors()), k=30)
    noted = {paper.id: (paper.notice, paper.notice_year) for paper in result.papers}
    assert noted.pop("doi:10.1/2") == ("retracted", 2017)
    assert set(noted.values()) == {(None, None)}
    (row,) = (row for row in result.arrow.to_pylist() if row["notice"])
    assert (row["id"], row["notice"], row["notice_year"]) == ("doi:10.1/2", "retracted", 2017)
    assert str(result).count("retracted 2017") == 1


def test_papers_without_a_citation_between_them(library: GraphStore) -> None:
    own, result = "doi:10.1/1", RunVectors("embed-1", vectors())
    every = [paper.id for paper in find_similar(library, own, result, k=30).papers]
    linked = {"doi:10.1/2", "doi:10.2/04", "doi:10.2/03"}
    expected = [id_ for id_ in every if id_ not in linked]
    for k in (1, 6, 30):
        some = find_similar(library, own, result, k=k, only_uncited=True)
        assert [paper.id for paper in some.papers] == expected[:k]


def test_removed_papers_are_replaced_by_others(library: GraphStore) -> None:
    own, result = "doi:10.1/1", RunVectors("embed-1", vectors())
    before = [paper.id for paper in find_similar(library, own, result, k=6).papers]
    library.apply([Change("delete", "Paper", pa.table({"id": before[:3]}))])
    after = [paper.id for paper in find_similar(library, own, result, k=6).papers]
    assert after[:3] == before[3:]
    assert len(after) == 6


def test_other_metrics_and_vectors_without_texts(library: GraphStore) -> None:
    embedding = vectors()
    bare = RunVectors("graph-1", Vectors(embedding.papers.select(["id"]), embedding.values))
    own = embedding.values[0]
    for metric, score in (
        ("dot", lambda x: float(own @ x)),
        ("l2", lambda x: -float(np.linalg.norm(own - x))),
    ):
        similar = find_similar(library, IDS[0], bare, k=4, metric=metric)
        expected = sorted((score(x) for x in embedding.values[1:]), reverse=True)[:4]
        assert [paper.similarity for paper in similar.papers] == pytest.approx(expected, abs=1e-5)
        assert {paper.text for paper in similar.papers} == {similar.text} == {""}


def test_choice_of_vectors(library: GraphStore, tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"no vectors of papers in .*compute them with `platform em"
    ):
        find_vectors(library, tmp_path)
    first = keep(tmp_path, "embed-a", vectors(), "2026-01-02")
    keep(tmp_path, "embed-b", vectors(1), "2026-01-01")
    assert find_vectors(library, tmp_path).run == "embed-a"
    assert find_vectors(library, tmp_path, "embed-b").run == "embed-b"
    write_embeddings(library, vectors(1), RunRecord("embed-b", "embed", {}, {}))
    assert find_vectors(library, tmp_path).run == "embed-b"
    held = find_vectors(library, tmp_path / "elsewhere")
    assert held.run == "embed-b"
    assert (held.vectors.values == vectors(1).values).all()
    with pytest.raises(ConfigError, match=rf"no run 'embed-x' .*vectors: embed-b, {first.id}"):
        find_vectors(library, tmp_path, "embed-x")
    with open_run(tmp_path, "score-a") as directory:
        directory.complete(RunRecord("score-a", "score", {}, {}))
    with pytest.raises(ConfigError, match=r"score-a is a run of `platform score`; expected one"):
        find_vectors(library, tmp_path, "score-a")


def test_papers_without_a_vector_and_unknown_papers_are_named(library: GraphStore) -> None:
    result = RunVectors("embed-1", vectors())
    with pytest.raises(ConfigError, match=r"doi:10\.1/4 has no vector in embed-1: it has neither"):
        find_similar(library, "doi:10.1/4", result)
    with pytest.raises(ConfigError, match=r"no paper '10\.9/9'"):
        find_similar(library, "10.9/9", result)
    with pytest.raises(ConfigError, match="k is 0"):
        find_similar(library, IDS[0], result, k=0)


@pytest.mark.parametrize("metric", ["cosine", "dot", "l2"])
def test_papers_with_zero_vectors_are_not_neighbours(metric: str, library: GraphStore) -> None:
    """`platform train graph --vectors source` leaves such papers, which cite nothing."""
    embedding = vectors()
    zero = [IDS[1], IDS[-1]]
    embedding.values[[1, len(IDS) - 1]] = 0
    placed = embedding.select_rows(np.flatnonzero(embedding.values.any(axis=1)))
    similar = find_similar(
        library, IDS[0], RunVectors("graph-embed-1", embedding), k=30, metric=metric
    )
    assert len(similar.papers) == len(IDS) - 1 - len(zero)
    assert not {paper.id for paper in similar.papers} & set(zero)
    without = find_similar(
        library, IDS[0], RunVectors("graph-embed-1", placed), k=30, metric=metric
    )
    assert similar == without
    for own in zero:
        with pytest.raises(
            ConfigError,
            match="its vector in graph-embed-1 is zero, as for papers without citations",
        ):
            find_similar(library, own, RunVectors("graph-embed-1", embedding), metric=metric)


def test_a_paper_without_a_vector_in_a_file_is_named(library: GraphStore) -> None:
    others = vectors().select_rows(np.arange(1, len(IDS)))
    with pytest.raises(ConfigError, match=r"has no vector in own\.npy-.*; add it, or give other"):
        find_similar(library, IDS[0], RunVectors("own.npy-0123456789ab", others, is_file=True))


def test_vectors_of_a_file_are_written_to_the_graph(library: GraphStore, tmp_path: Path) -> None:
    embedding = vectors()
    table = pa.table({"id": IDS[::-1], "vector": embedding.values[::-1].tolist()})
    pq.write_table(table, tmp_path / "own.parquet")
    context = Context.open(library.location, runs=tmp_path / "runs")
    context.use(library)
    embedded = Embed(vectors=tmp_path / "own.parquet").compute(context)
    assert embedded.written is not None
    assert embedded.written.inserted == len(IDS)
    chosen = find_vectors(library, tmp_path / "nowhere")
    assert chosen.run == embedded.run
    assert np.array_equal(chosen.vectors.values, embedding.values)
