"""A graph embedded in memory has the vectors of a run on a store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from citescape.embeddings.graph_embed import GraphEmbedConfig, embed_graph
from citescape.embeddings.graph_memory import embed_citations
from citescape.encoders.graph_config import GraphConfig
from citescape.networks.citations import Citations, read_citations
from citescape.search.vectors import read_vectors
from citescape.store.graph_store import open_store
from tests.embeddings.test_graph_embed import GRAPH, fill


@pytest.fixture
def citations(tmp_path: Path) -> Citations:
    store = open_store(str(tmp_path / "corpus.lbug"))
    fill(store)
    yield read_citations(store, weight="none")
    store.close()


@pytest.mark.parametrize("settings", [{}, {"tables": "shared"}, {"undirected": True}])
def test_vectors_equal_those_of_a_run(settings: dict[str, object], tmp_path: Path) -> None:
    config = replace(GRAPH, **settings)
    store = open_store(str(tmp_path / "corpus.lbug"))
    fill(store)
    result = embed_graph(store, GraphEmbedConfig(holdout=0, graph=config), runs=tmp_path)
    citations = read_citations(store, weight="none")
    store.close()
    stored, embedded = read_vectors(result.path), embed_citations(citations, config)
    assert embedded.ids.equals(stored.ids)
    assert embedded.papers.equals(stored.papers)
    assert (embedded.values == stored.values).all()


def test_papers_have_numbers_of_citations_in_both_directions(citations: Citations) -> None:
    embedded = embed_citations(citations, GRAPH)
    ends = [citations.citing.tolist(), citations.cited.tolist()]
    for k, row in enumerate(embedded.papers.to_pylist()):
        assert row["id"] == citations.ids[k].as_py()
        assert (row["cites"], row["cited"]) == (ends[0].count(k), ends[1].count(k))
    assert np.any(embedded.values, axis=1).all()


def test_the_seed_decides(citations: Citations) -> None:
    first, same, other = (
        embed_citations(citations, replace(GRAPH, seed=seed)).values for seed in (1, 1, 2)
    )
    assert (first == same).all()
    assert (first != other).any()


def test_papers_of_a_group_are_near_each_other(citations: Citations) -> None:
    """Papers cite within their group: every sixth paper."""
    config = GraphConfig(dimensions=16, epochs=40, batch=50, chunk=25, threads=1)
    embedded = embed_citations(citations, config)
    group = np.array([int(id_.split("/")[1]) % 6 for id_ in embedded.ids.to_pylist()])
    units = embedded.values / np.linalg.norm(embedded.values, axis=1, keepdims=True)
    cosines = units @ units.T
    np.fill_diagonal(cosines, np.nan)
    same = group[:, None] == group
    assert np.nanmean(cosines[same]) > np.nanmean(cosines[~same]) + 0.3
