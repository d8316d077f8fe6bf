"""Section sequences written by hand, and a generated corpus with some headings that rules cannot
read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import World, generate_world
from citescape.loaders.section_types import Typing, type_section
from citescape.store.graph_store import GraphStore
from citescape.text.sections.sequences import SectionSequences
from tests.copies import ingest_file, open_copy
from tests.small_encoder import write_small_encoder

TOPICAL = 0.3

Spec = tuple[str, int]
"""Title and depth."""
Build = Callable[..., SectionSequences]


@pytest.fixture(scope="session")
def build() -> Build:
    """Sections of papers given as lists of (title, depth), typed by the loader's rules."""
    return build_sections


def build_sections(*papers: Sequence[Spec], kind: str = "research-article") -> SectionSequences:
    """Openings, words and citations depend on the position; `kind` is the article type."""
    rows = [row for k, paper in enumerate(papers) for row in _rows(f"doi:10.1/p{k}", paper)]
    table = pa.Table.from_pylist([{**row, "article_type": kind} for row in rows], SCHEMA)
    return SectionSequences(table)


SCHEMA = pa.schema(
    {
        "paper": pa.string(),
        "article_type": pa.string(),
        "id": pa.string(),
        "ordinal": pa.int64(),
        "depth": pa.int64(),
        "parent": pa.string(),
        "title": pa.string(),
        "words": pa.int64(),
        "opening": pa.string(),
        "type": pa.string(),
        "type_source": pa.string(),
        "type_probability": pa.float64(),
        "type_run": pa.string(),
        "combined": pa.bool_(),
        "citations": pa.int64(),
    }
)


def _rows(paper: str, sections: Sequence[Spec]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    above: list[tuple[str, Typing]] = []
    for k, (title, depth) in enumerate(sections):
        above = above[: depth - 1]
        typing = type_section("", title, above[-1][1] if above else None)
        rows.append(
            {
                "paper": paper,
                "id": f"{paper}#s{k}",
                "ordinal": k,
                "depth": depth,
                "parent": above[-1][0] if above else None,
                "title": title,
                "words": 100 * k,
                "opening": f"Words of section {k}" if k else "",
                "type": typing.type,
                "type_source": typing.source,
                "combined": typing.combined,
                "citations": k,
            }
        )
        above.append((f"{paper}#s{k}", typing))
    return rows


@pytest.fixture(scope="session")
def world() -> World:
    """A world of 50 papers."""
    return generate_world(papers=50, seed=11)


@pytest.fixture(scope="session")
def papers(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Papers of the world; a third of them have headings that name a subject, not a type."""
    folder = tmp_path_factory.mktemp("topical") / "papers"
    write_corpus(world, folder, topical=TOPICAL)
    return folder


@pytest.fixture(scope="session")
def corpus(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A read-only ladybug store of these papers."""
    return ingest_file(papers, tmp_path_factory.mktemp("corpus") / "corpus.lbug")


@pytest.fixture
def loaded(store: GraphStore, corpus: Path, tmp_path: Path) -> Iterator[GraphStore]:
    """The corpus on each engine to write to."""
    with open_copy(store, corpus, tmp_path) as copy:
        yield copy


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A transformer of a few thousand numbers."""
    return write_small_encoder(tmp_path_factory.mktemp("encoders") / "tiny")
