"""A corpus with every kind of rows, ingested and scored once, and its shards."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest

from citescape.importance.score import score
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.ingest.shards.graph import ShardedGraph
from citescape.store.graph_store import open_store
from tests.conftest import empty_neo4j
from tests.copies import read_tables
from tests.ingest.converters import as_tei
from tests.ingest.papers import small_corpus, write_files
from tests.ingest.test_notices import notice_of
from tests.ingest.test_notices import row as notice_row
from tests.ingest.test_notices import table as write_notices
from tests.papers.loading.shards import split_store, write_scores


@dataclass(frozen=True, repr=False)
class Corpus:
    """Files, the store that an ingest of them gives, and its shards."""

    sources: Path
    store: Path
    tables: dict[str, pa.Table]
    """All rows of the store, without scores."""
    shards: ShardedGraph
    scored_tables: dict[str, pa.Table]
    """The same with scores."""
    scored_shards: ShardedGraph
    run: str
    """The run of the scores."""

    @property
    def loaded(self) -> list[str]:
        """Ids of loaded papers, ascending."""
        return sorted(row["id"] for row in self.tables["Paper"].to_pylist() if row["fulltext"])


def write_sources(folder: Path) -> None:
    """Full texts in two formats, records, notices of papers and of a table."""
    folder.mkdir(exist_ok=True)
    nested = b"<sec><title>Peas</title><p>More.</p></sec></sec></body>"
    papers = [paper.replace(b"</sec></body>", nested) for paper in small_corpus(10)]
    write_files(folder / "jats", papers)
    write_files(folder / "tei", [as_tei(paper) for paper in papers[2:5]])
    for number, work in enumerate(("10.1000/3", "10.9999/peas1")):
        doi = f"10.1000/notice{number}"
        (folder / f"notice{number}.xml").write_bytes(notice_of(work, doi=doi))
    works = ("10.1000/5", "10.9999/peas1", "10.1000/unknown")
    rows = [notice_row(work=doi, doi=f"10.1000/n{k}", date="2015") for k, doi in enumerate(works)]
    write_notices(folder / "retraction_watch.csv", *rows)
    crossref = {
        "DOI": "10.1000/1",
        "type": "journal-article",
        "title": ["Paper number 1"],
        "issued": {"date-parts": [[2010]]},
        "relation": {"has-preprint": [{"id-type": "doi", "id": "10.1000/2"}]},
    }
    (folder / "crossref.json").write_text(json.dumps(crossref))
    place = {"display_name": "Rice Institute", "ror": "https://ror.org/03yrm5c26"}
    openalex = {
        "id": "https://openalex.org/W1004",
        "doi": "https://doi.org/10.1000/4",
        "title": "Paper number 4",
        "publication_year": 2010,
        "referenced_works": ["https://openalex.org/W1005"],
        "authorships": [
            {
                "author": {"display_name": "George H Shull"},
                "institutions": [place | {"country_code": "CN"}],
            }
        ],
        "mesh": [{"descriptor_name": "Oryza", "descriptor_ui": "D012275", "is_major_topic": True}],
    }
    (folder / "openalex.json").write_text(json.dumps(openalex))


def ingest_all(sources: Path, store: Path) -> dict[str, pa.Table]:
    """Ingests files into a store; returns its rows."""
    with closing(open_store(str(store))) as graph:
        ingest(graph, [sources], IngestConfig(workers=1))
        return read_tables(graph)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("loading")
    sources, store = folder / "sources", folder / "corpus.lbug"
    write_sources(sources)
    tables = ingest_all(sources, store)
    with closing(open_store(str(store))) as graph:
        shards = split_store(graph, folder / "shards")
        scored_shards = split_store(graph, folder / "scored")
        run = score(graph, runs=folder / "runs").run
        write_scores(graph, folder / "runs" / run, scored_shards)
        scored = read_tables(graph)
    return Corpus(sources, store, tables, shards, scored, scored_shards, run)


@pytest.fixture(params=["ladybug", "neo4j"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Location of an empty store of the tested engine."""
    if request.param == "ladybug":
        return str(tmp_path / "loaded.lbug")
    address: str = request.getfixturevalue("neo4j_server").uri
    empty_neo4j(address)
    return address


@pytest.fixture
def fresh_place(request: pytest.FixtureRequest, tmp_path: Path, place: str) -> Callable[[], str]:
    """Location of another empty store of the same engine; a server is emptied."""

    def make() -> str:
        if "://" not in place:
            return str(tmp_path / "other.lbug")
        empty_neo4j(place)
        return place

    return make
