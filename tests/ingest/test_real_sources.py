"""Real papers as JATS, TEI, S2ORC and OpenAlex: equal graphs in any order of loading."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from citescape.store.graph_store import GraphStore
from tests.ingest.converters import as_openalex, as_s2orc, as_tei
from tests.ingest.papers import load, one_column, snapshot, write_files

PAPERS = 60
ORDERS = (
    ("jats", "tei", "s2orc", "openalex"),
    ("openalex", "s2orc", "tei", "jats"),
    ("tei", "jats", "openalex", "s2orc"),
    ("s2orc", "openalex", "jats", "tei"),
)


@pytest.fixture(scope="module")
def articles(data: Path) -> list[bytes]:
    """The first papers of the crops archive with a DOI."""
    found = []
    with tarfile.open(data / "oa_crops.tar.xz") as archive:
        for member in archive:
            content = archive.extractfile(member) if member.name.endswith("xml") else None
            document = content.read() if content else b""
            if b'pub-id-type="doi"' in document.split(b"</article-meta>")[0]:
                found.append(document)
            if len(found) == PAPERS:
                return found
    raise AssertionError("fewer papers than expected")


def test_papers_in_four_formats_give_one_graph_in_any_order(
    fresh_store: Callable[[], GraphStore], articles: list[bytes], tmp_path: Path
) -> None:
    mixed = fresh_store()
    # Neo4j takes a second a paper and load; orders do not depend on the engine
    papers, orders = (15, ORDERS[:2]) if mixed.dialect == "neo4j" else (PAPERS, ORDERS)
    articles = articles[:papers]
    numbers = range(10_000, 10_000 + papers)
    records = [as_openalex(a, n, [n - 1]) for a, n in zip(articles, numbers, strict=True)]
    (works := tmp_path / "works.jsonl").write_bytes(b"\n".join(records))
    (texts := tmp_path / "s2orc.jsonl").write_bytes(b"\n".join(map(as_s2orc, articles)))
    paths = {
        "jats": write_files(tmp_path / "jats", articles),
        "tei": write_files(tmp_path / "tei", [*map(as_tei, articles)]),
        "s2orc": [texts],
        "openalex": [works],
    }
    load(mixed, tmp_path)
    sources = one_column(mixed, "MATCH (p:Paper) WHERE p.fulltext RETURN p.sources AS s")
    assert sources == [["jats", "openalex", "s2orc", "tei"]] * papers
    assert one_column(mixed, "MATCH (s:Section) RETURN DISTINCT s.data_source AS s") == ["jats"]
    expected = snapshot(mixed)
    for order in orders:
        store = fresh_store()
        for source in order:
            load(store, *paths[source])
        state = snapshot(store)
        assert {name for name in state if state[name] != expected[name]} == set()
