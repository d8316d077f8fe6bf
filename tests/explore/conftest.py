"""A graph of ten papers: two seeds, what they cite, and who cites them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE

Row = dict[str, Any]
PAPERS: list[Row] = [
    {
        "id": "doi:10.1038/seed.1",
        "doi": "10.1038/seed.1",
        "title": "Weedy rice in Asia",
        "year": 2018,
        "surnames": ["Huang", "Caicedo"],
        "venue": "G3",
        "type": "research-article",
        "fulltext": True,
    },
    {
        "id": "doi:10.1038/other.1",
        "doi": "10.1038/other.1",
        "title": "Rice, weedy and wild",
        "year": 2019,
        "surnames": ["Li"],
        "venue": "New Phytologist",
        "type": "review-article",
        "fulltext": True,
    },
    {
        "id": "doi:10.1038/genome.1",
        "title": "Signatures of the weedy rice genome",
        "year": 2017,
        "surnames": ["Li", "Olsen", "Caicedo", "Jia"],
        "venue": "Nature Genetics",
        "fulltext": False,
    },
    {
        "id": "doi:10.1038/method.1",
        "title": "Fast alignment of reads",
        "year": 2009,
        "surnames": ["Müller"],
        "venue": "Bioinformatics",
        "fulltext": False,
    },
    {
        "id": "doi:10.1038/old.1",
        "title": "Origins of crops",
        "year": 1990,
        "surnames": ["Vavilov"],
        "fulltext": False,
    },
]
CITES: list[Row] = [
    {
        "from": "doi:10.1038/seed.1",
        "to": "doi:10.1038/genome.1",
        "importance": 1.2,
        "self": 1,
        "mentions": 3,
        "f_I": 1,
        "f_M": 0,
        "f_R": 1,
        "f_D": 1,
        "f_other": 0,
        "n_background": 2,
        "n_method": 0,
        "n_result": 1,
        "run": "score-1",
    },
    {
        "from": "doi:10.1038/seed.1",
        "to": "doi:10.1038/method.1",
        "importance": 0.0,
        "self": 0,
        "mentions": 1,
        "f_I": 0,
        "f_M": 1,
        "f_R": 0,
        "f_D": 0,
        "f_other": 0,
        "n_background": 0,
        "n_method": 1,
        "n_result": 0,
        "run": "score-1",
    },
    {
        "from": "doi:10.1038/other.1",
        "to": "doi:10.1038/genome.1",
        "importance": 0.4,
        "self": 0,
        "mentions": 1,
        "f_I": 0,
        "f_M": 0,
        "f_R": 1,
        "f_D": 0,
        "f_other": 0,
        "n_background": 0,
        "n_method": 0,
        "n_result": 1,
        "run": "score-1",
    },
    {
        "from": "doi:10.1038/other.1",
        "to": "doi:10.1038/seed.1",
        "importance": 0.9,
        "self": 0,
        "mentions": 2,
        "f_I": 2,
        "f_M": 0,
        "f_R": 0,
        "f_D": 0,
        "f_other": 0,
        "n_background": 2,
        "n_method": 0,
        "n_result": 0,
        "run": "score-1",
    },
    {
        "from": "doi:10.1038/other.1",
        "to": "doi:10.1038/old.1",
        "mentions": 0,
    },
]


@pytest.fixture
def graph(store: GraphStore) -> GraphStore:
    """The papers and citations, on the engine under test."""
    for name, rows in (("Paper", PAPERS), ("CITES", CITES)):
        schema = TABLE[name].arrow
        full = [{column: row.get(column) for column in schema.names} for row in rows]
        store.apply([Change("insert", name, pa.Table.from_pylist(full, schema))])
    return store
