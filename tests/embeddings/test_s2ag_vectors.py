"""Vectors of Semantic Scholar for the papers of a store."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from citescape.core.errors import SourceError
from citescape.embeddings.s2ag_vectors import match_vectors
from citescape.embeddings.steps import Embed
from citescape.runs.context import Context
from citescape.search.stored import find_vectors
from citescape.store.graph_store import GraphStore
from tests.ingest.papers import load
from tests.ingest.s2ag_files import s2ag_citation, s2ag_paper, write_lines
from tests.loaders.test_s2ag_vectors import line

LINES: list[dict[str, Any] | bytes] = [
    line(3, [0.5, 1.5]),
    line(1, "[1.0, 2.0]"),
    line(1, [9, 9]),
    line(2, [1, 2, 3]),
    line(99, [3, 4]),
    line(50, [5, 6]),
    b"{",
]


@pytest.fixture
def library(store: GraphStore, tmp_path: Path) -> GraphStore:
    papers = write_lines(tmp_path / "papers.jsonl", [s2ag_paper(1), s2ag_paper(2), s2ag_paper(3)])
    load(store, papers, write_lines(tmp_path / "citations.jsonl", [s2ag_citation(1, 99)]))
    return store


def test_vectors_are_found_by_corpus_ids(library: GraphStore, tmp_path: Path) -> None:
    """Also those of works that are known from reference lists only."""
    matched = match_vectors(library, write_lines(tmp_path / "v.jsonl", LINES))
    assert dict(
        zip(matched.vectors.ids.to_pylist(), matched.vectors.values.tolist(), strict=True)
    ) == {"doi:10.1000/1": [1, 2], "doi:10.1000/3": [0.5, 1.5], "s2:99": [3, 4]}
    assert matched.left_out == {"broken": 2, "repeated": 1, "not_in_store": 1}


def test_embed_writes_them_to_the_graph(library: GraphStore, tmp_path: Path) -> None:
    folder = tmp_path / "embeddings-specter_v2"
    folder.mkdir()
    write_lines(folder / "part0.jsonl", LINES[:3])
    rest = write_lines(tmp_path / "rest.jsonl", LINES[3:])
    (folder / "part1.jsonl.gz").write_bytes(gzip.compress(rest.read_bytes()))
    context = Context.open(library.location, runs=tmp_path / "runs")
    context.use(library)
    embedded = Embed(vectors=folder).compute(context)
    assert embedded.written is not None
    assert (embedded.written.inserted, embedded.record.counts["lines_broken"]) == (3, 2)
    assert "lines left out: 1 repeated, 2 broken, 1 not in store" in embedded.summarise().parts
    assert find_vectors(library, tmp_path / "nowhere").run == embedded.run
    assert Embed(vectors=folder).compute(context).unchanged


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([line(1, [1]), line(2, [1], "specter_v1")], "vectors of two models"),
        ([line(50, [1])], "no vector of a paper of .*4 corpus ids in the store, 1 other lines"),
    ],
)
def test_files_that_do_not_fit_are_refused(
    library: GraphStore, tmp_path: Path, lines: list[Any], found: str
) -> None:
    with pytest.raises(SourceError, match=found):
        match_vectors(library, write_lines(tmp_path / "v.jsonl", lines))
