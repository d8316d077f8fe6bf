"""Contexts of small papers on both engines, with rows in any order."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.recommend.graph_contexts import read_library, read_years
from citescape.recommend.lcr.benchmark import build_from_graph
from citescape.recommend.steps import BenchmarkLcr
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.queries import Query
from tests.copies import fill_store, read_tables
from tests.ingest.papers import Cited, jats, load, write_files

BODY = """<sec sec-type="intro"><title>Introduction</title>
<p>Peas were crossed by Mendel [<xref ref-type="bibr" rid="B0">1</xref>, <xref ref-type="bibr"
rid="B1">2</xref>]. Others (<xref ref-type="bibr" rid="B2">Bateson, 1902</xref>) agreed.</p></sec>
<sec sec-type="methods"><title>Methods</title>
<p>We did as Bateson (<xref ref-type="bibr" rid="B2">1902</xref>) did.</p></sec>
<sec><title>Peas</title><p>They grow [<xref ref-type="bibr" rid="B1">2</xref>].</p></sec></body>"""
REFERENCES = [
    Cited("Peas", doi="10.1000/peas1", year=1866),
    Cited("Paper number 0", doi="10.1000/0", year=2010),
    Cited("Principles", doi="10.1000/pr2", year=1902, authors=(("Bateson", "W"),)),
]


def paper(number: int) -> bytes:
    xml = jats(number, REFERENCES).decode()
    head, _, rest = xml.partition("<body>")
    return f"{head}<body>{BODY}{rest.partition('</body>')[2]}".encode()


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, pa.Table]:
    """Three papers."""
    folder = tmp_path_factory.mktemp("source")
    with closing(open_store(str(folder / "source.lbug"))) as store:
        load(store, *write_files(folder / "papers", [jats(0), paper(1), paper(2)]))
        return read_tables(store)


@pytest.fixture
def filled(store: GraphStore, source: Mapping[str, pa.Table]) -> GraphStore:
    """The three papers, on both engines."""
    return fill_store(store, source)


def test_a_row_for_each_work_of_a_sentence(filled: GraphStore) -> None:
    messages: list[str] = []
    library = read_library(filled, progress=messages.append)
    rows = [row for row in library.contexts.pairs.to_pylist() if row["citing"] == "doi:10.1000/1"]
    first = "Peas were crossed by"
    assert [tuple(row.values())[2:] for row in rows] == [
        ("doi:10.1000/peas1", f"{first} [TARGETCIT, OTHERCIT].", "I"),
        ("doi:10.1000/0", f"{first} [OTHERCIT, TARGETCIT].", "I"),
        ("doi:10.1000/pr2", "Others (TARGETCIT) agreed.", "I"),
        ("doi:10.1000/pr2", "We did as TARGETCIT did.", "M"),
        ("doi:10.1000/0", "They grow [TARGETCIT].", "other"),
    ]
    assert [row["context"] for row in rows] == [f"doi:10.1000/1#{n}" for n in (0, 0, 2, 3, 4)]
    assert len(library.contexts) == 8
    assert messages[-1] == "10 markers of citations: exact 10, ambiguous 0, missing 0"


def test_papers_are_all_works_with_the_best_date(filled: GraphStore) -> None:
    papers = {row["id"]: row for row in read_library(filled).papers.to_pylist()}
    assert list(papers) == sorted(papers)
    assert papers["doi:10.1000/peas1"] == {
        "id": "doi:10.1000/peas1", "title": "Peas", "abstract": "", "date": "1866"
    }  # fmt: skip
    assert papers["doi:10.1000/1"]["date"].startswith("2010")
    assert set(read_library(filled).contexts.papers.to_pylist()) <= set(papers)


def test_years_are_those_of_full_texts(filled: GraphStore) -> None:
    dates = {row["id"]: row["date"] for row in read_library(filled).papers.to_pylist()}
    years = {int(dates[f"doi:10.1000/{number}"][:4]) for number in range(3)}
    assert read_years(filled) == sorted(years)  # works without full text are not counted
    assert read_library(filled).full_texts == 3  # one of them has no citing sentence
    filled.write("MATCH (p:Paper) WHERE p.fulltext SET p.date = '', p.year = 1999")
    assert read_years(filled) == [1999]
    filled.write("MATCH (p:Paper) WHERE p.fulltext SET p.year = NULL")
    assert read_years(filled) == []


def test_some_citing_papers_only(filled: GraphStore) -> None:
    whole = read_library(filled)
    part = read_library(filled, papers=["doi:10.1000/2", "doi:10.1000/2"])
    mine = [citing == "doi:10.1000/2" for citing in whole.contexts.pairs["citing"].to_pylist()]
    assert part.contexts.pairs.equals(whole.contexts.pairs.filter(pa.array(mine)))
    assert part.papers.equals(whole.papers)
    with pytest.raises(ConfigError, match=r"doi:10\.1000/peas1; expected ids of full texts"):
        read_library(filled, papers=["doi:10.1000/peas1"])
    with pytest.raises(StoreError, match=r"no sentence .* .platform ingest PATH --store "):
        read_library(filled, papers=["doi:10.1000/0"])


class Shuffled:
    """A store that shuffles rows unless a query has ORDER BY."""

    def __init__(self, store: GraphStore, seed: int) -> None:
        self._store, self._order = store, random.Random(seed)
        self.location = store.location

    def read(self, query: Query, **params: Any) -> pa.Table:
        rows = self._store.read(query, **params)
        if "ORDER BY" in query.text:
            return rows
        return rows.take(self._order.sample(range(rows.num_rows), rows.num_rows))


def test_the_order_of_rows_does_not_matter(filled: GraphStore) -> None:
    expected = read_library(filled)
    for seed in range(3):
        found = read_library(Shuffled(filled, seed))  # type: ignore[arg-type]
        assert found.papers.equals(expected.papers)
        assert found.contexts.pairs.equals(expected.contexts.pairs)


def test_slices_make_no_difference(filled: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = read_library(filled)
    for name, size in (("_PAPERS", 1), ("_WORKS", 2)):
        monkeypatch.setattr(f"citescape.recommend.graph_contexts.{name}", size)
    found = read_library(filled)
    assert found.contexts.pairs.equals(expected.contexts.pairs)
    assert found.papers.equals(expected.papers)


def test_a_benchmark_has_query_papers_of_the_chosen_types(
    store: GraphStore, tmp_path: Path
) -> None:
    """Papers 1 and 2 are of the same year; 2 is a review. Reviews are for training otherwise."""
    xml = {
        number: paper(number).replace(b"<year>2010</year>", f"<year>{year}</year>".encode())
        for number, year in ((1, 2012), (2, 2012), (3, 2011), (4, 2011))
    }
    for number in (2, 4):
        xml[number] = xml[number].replace(b'"research-article"', b'"review-article"')
    load(store, *write_files(tmp_path / "papers", [jats(0), *xml.values()]))
    found = {}
    for types in (("research",), ("review",), ("all",)):
        config = BenchmarkLcr(validation=0, types=types)
        found[types[0]] = build_from_graph(store, config, runs=tmp_path)
    counts = {name: run.counts["parts"] for name, run in found.items()}
    assert {name: part["test"]["papers"] for name, part in counts.items()} == {
        "research": 1, "review": 1, "all": 2
    }  # fmt: skip
    assert all(part["train"]["papers"] == 2 for part in counts.values())
    assert [run.counts["others"]["other_types"] for run in found.values()] == [1, 1, 0]
    assert "1 are of other types than query papers" in str(found["review"].summarise().parts)
    assert len({run.run for run in found.values()}) == 3
    with pytest.raises(ConfigError, match="none of 4 citing papers has one of the types unknown"):
        build_from_graph(store, BenchmarkLcr(types=("unknown",)), runs=tmp_path)
