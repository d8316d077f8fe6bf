"""Removed papers and sources: the graph is as if they had never been loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError
from citescape.core.progress import silent
from citescape.papers.removal import remove_papers, remove_source
from citescape.store.graph_store import GraphStore
from tests.ingest.converters import as_tei
from tests.ingest.papers import load, small_corpus, snapshot, write_files


def test_a_removed_source_leaves_what_others_say(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    papers = small_corpus(5)
    texts = write_files(tmp_path / "jats", papers)
    others = write_files(tmp_path / "tei", [as_tei(paper) for paper in papers[2:]])
    for removed, kept, left in (("jats", others, 3), ("tei", texts, 3)):
        store = fresh_store()
        load(store, *texts, *others)
        result = remove_source(store, removed, progress=silent)
        assert result.kept == left
        found = snapshot(store)
        store = fresh_store()
        load(store, *kept)
        assert found == snapshot(store)


def test_removed_papers_that_are_cited_stay_as_cited_works(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    paths = write_files(tmp_path, small_corpus(5))
    store = fresh_store()
    load(store, *paths)
    result = remove_papers(store, ["10.1000/2", "doi:10.1000/4"], progress=silent)
    assert (result.papers, result.kept, result.cited) == (("doi:10.1000/2", "doi:10.1000/4"), 0, 1)
    found = snapshot(store)
    assert load(store, *paths).status == {"unchanged": 3, "loaded": 2}
    store = fresh_store()
    load(store, *paths[:2], paths[3])
    assert found == snapshot(store)


def test_unknown_papers_and_sources_are_refused(store: GraphStore, tmp_path: Path) -> None:
    load(store, *write_files(tmp_path, small_corpus(3)))
    before = snapshot(store)
    with pytest.raises(ConfigError, match=r"no source 'tei' in .*; it has jats"):
        remove_source(store, "tei", progress=silent)
    with pytest.raises(ConfigError, match="no paper 'PMC5'"):
        remove_papers(store, ["10.1000/1", "PMC5"], progress=silent)
    with pytest.raises(ConfigError, match="known from reference lists only"):
        remove_papers(store, ["10.1000/1", "10.9999/peas1"], progress=silent)
    assert snapshot(store) == before
