"""Preprints and articles: two nodes, related by VERSION_OF."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

from citescape.store.graph_store import GraphStore
from tests.ingest.papers import Cited, jats, load, one_column, snapshot, write_files

VERSIONS = (
    "MATCH (a:Paper)-[v:VERSION_OF]->(b:Paper) RETURN a.id + ' ' + b.id + ' ' + v.source AS v"
)
PREPRINT = "10.48550/arxiv.2001.00001"


def test_a_preprint_is_a_version_of_its_article_in_any_order(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    """The record names the preprint, which the graph has from a reference list."""
    record = {
        "id": "https://openalex.org/W1001",
        "doi": "https://doi.org/10.1000/1",
        "title": "Peas",
        "publication_year": 2001,
        "referenced_works": [],
        "authorships": [],
        "locations": [{"landing_page_url": "https://arxiv.org/abs/2001.00001"}],
    }
    (file := tmp_path / "work.json").write_text(json.dumps(record))
    citing = write_files(tmp_path / "jats", [jats(2, [Cited("Peas", doi=PREPRINT)])])
    states = []
    for order in permutations([[file], citing]):
        store = fresh_store()
        for paths in order:
            load(store, *paths)
        states.append(snapshot(store))
        assert one_column(store, VERSIONS) == [f"doi:{PREPRINT} doi:10.1000/1 openalex"]
    assert states[0] == states[1]


def test_the_source_of_a_version_is_the_one_that_states_it(
    store: GraphStore, tmp_path: Path
) -> None:
    """The full text of the article says nothing of its preprint, the record of Crossref does."""
    record = {
        "DOI": "10.1000/1",
        "type": "journal-article",
        "title": ["Peas"],
        "issued": {"date-parts": [[2001]]},
        "relation": {"has-preprint": [{"id-type": "doi", "id": PREPRINT}]},
    }
    (file := tmp_path / "work.json").write_text(json.dumps(record))
    load(store, *write_files(tmp_path / "jats", [jats(1, []), jats(2, [Cited("P", doi=PREPRINT)])]))
    load(store, file)
    sources = store.read("MATCH (p:Paper {id: 'doi:10.1000/1'}) RETURN p.sources AS s")
    assert sources["s"].to_pylist() == [["jats", "crossref"]]
    assert one_column(store, VERSIONS) == [f"doi:{PREPRINT} doi:10.1000/1 crossref"]
