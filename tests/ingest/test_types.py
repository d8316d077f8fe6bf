"""Types of papers to load."""

from __future__ import annotations

from pathlib import Path

import pytest

from citescape.core.errors import StoreError
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.store.graph_store import GraphStore
from tests.ingest.papers import Cited, jats


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """Two research articles and a review."""
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(3):
        text = jats(number, [Cited("A book", year=1900)])
        if number == 2:
            text = text.replace(b"research-article", b"review-article")
        (folder / f"{number}.xml").write_bytes(text)
    return folder


@pytest.mark.parametrize(("types", "loaded"), [(("research",), 2), (("review-article",), 1)])
def test_papers_of_other_types_are_counted_and_skipped(
    types: tuple[str, ...], loaded: int, papers: Path, store: GraphStore
) -> None:
    result = ingest(store, [papers], IngestConfig(types=types))
    assert (result.status["loaded"], result.status["other type"]) == (loaded, 3 - loaded)
    assert result.fulltext_papers == loaded
    assert result.absent_types == ()


def test_a_type_that_no_paper_has_is_named(papers: Path, store: GraphStore) -> None:
    result = ingest(store, [papers], IngestConfig(types=("research-article", "reveiw")))
    assert result.absent_types == ("reveiw",)
    assert "no paper has the type reveiw, which --types names" in result.summarise().remarks


def test_no_paper_of_the_types_is_an_error(papers: Path, store: GraphStore) -> None:
    result = ingest(store, [papers], IngestConfig(types=("editorial",)))
    assert isinstance(result.failure, StoreError)
    assert "none of 3 papers has one of the types" in str(result.failure)
