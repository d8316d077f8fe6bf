"""Papers of a slice: by a condition, by distance in the citation graph, by a list."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.core.progress import silent
from citescape.ingest.shards.graph import ShardedGraph
from citescape.papers.loading.choose import Chosen, choose_papers, find_in_shards
from citescape.papers.loading.config import SliceConfig
from citescape.papers.loading.tables import TABLES
from citescape.store.schema import TABLE
from tests.papers.loading.conftest import Corpus
from tests.sharded import split_tables


def choose(graph: ShardedGraph, **settings: Any) -> set[str]:
    return {*choose_all(graph, **settings).papers.column.to_pylist()}


def choose_all(graph: ShardedGraph, **settings: Any) -> Chosen:
    return choose_papers(graph, SliceConfig(**settings), silent)


def write_graph(folder: Path, papers: list[dict[str, Any]], pairs: Any = ()) -> ShardedGraph:
    """Shards with some papers and citations, and nothing else."""
    tables = {name: TABLE[name].arrow.empty_table() for name in TABLES}
    schema = TABLE["Paper"].arrow
    rows = [{"fulltext": True, **paper} for paper in papers]
    tables["Paper"] = pa.Table.from_pylist(rows, schema)
    cites = [{"from": a, "to": b} for a, b in pairs]
    tables["CITES"] = pa.Table.from_pylist(cites, TABLE["CITES"].arrow)
    return split_tables(tables, folder, 3)


@st.composite
def citation_graphs(draw: st.DrawFn) -> tuple[list[str], set[str], list[tuple[str, str]]]:
    """Ids of nodes, those that are loaded, and citations by loaded papers."""
    ids = [f"doi:10.1/{k}" for k in range(draw(st.integers(2, 12)))]
    loaded = draw(st.sets(st.sampled_from(ids), min_size=1))
    pairs = st.tuples(st.sampled_from(sorted(loaded)), st.sampled_from(ids))
    return ids, loaded, draw(st.lists(pairs, max_size=20, unique=True))


def reach(pairs: list[tuple[str, str]], centre: str, hops: int) -> set[str]:
    """Breadth-first search over a dictionary of neighbours."""
    neighbours = defaultdict(set)
    for one, other in pairs:
        neighbours[one].add(other)
        neighbours[other].add(one)
    found = {centre}
    for _ in range(hops):
        found |= {other for one in found for other in neighbours[one]}
    return found


@settings(max_examples=40)
@given(citation_graphs(), st.integers(1, 4), st.data())
def test_papers_around_another_are_those_of_a_search(
    drawn: tuple[list[str], set[str], list[tuple[str, str]]], hops: int, data: st.DataObject
) -> None:
    """The paper may be a cited work; paths may lead through cited works."""
    ids, loaded, pairs = drawn
    centre = data.draw(st.sampled_from(ids))
    expected = reach(pairs, centre, hops) & loaded
    with TemporaryDirectory() as folder:
        papers = [{"id": id_, "fulltext": id_ in loaded} for id_ in ids]
        graph = write_graph(Path(folder), papers, pairs)
        if expected:
            assert choose(graph, around=centre, hops=hops) == expected
        else:
            with pytest.raises(ConfigError, match="the slice is empty"):
                choose(graph, around=centre, hops=hops)


def test_several_settings_choose_what_fulfils_all(corpus: Corpus, tmp_path: Path) -> None:
    graph, papers = corpus.shards, corpus.tables["Paper"].to_pylist()
    cites = corpus.tables["CITES"].to_pylist()
    near = reach([(row["from"], row["to"]) for row in cites], "doi:10.1000/2", 1)
    (listed := tmp_path / "list.txt").write_text("\n".join(f"10.1000/{k}" for k in range(5)))
    by_condition = {row["id"] for row in papers if row["fulltext"] and row["text_source"] == "jats"}
    by_list = {f"doi:10.1000/{k}" for k in range(5)}
    where = "text_source = 'jats'"
    assert choose(graph, where=where) == by_condition
    assert choose(graph, around="10.1000/2") == near & {*corpus.loaded}
    assert choose(graph, listed=[listed]) == by_list
    both = choose(graph, where=where, around="10.1000/2", listed=[listed])
    assert both == by_condition & near & by_list
    assert 0 < len(both) < len(by_list)


ENTRIES = [
    {"id": "doi:10.1000/a1", "doi": "10.1000/a1", "title": "On rice", "year": 2001},
    {"id": "pmid:7", "pmid": "7", "pmcid": "PMC6339", "title": "On wheat and barley in Asia"},
    {"id": "key:c", "title": "Weedy rice in Asia", "year": 2018, "surnames": ["Li"]},
    {"id": "key:d", "title": "The same long title", "year": 2010, "surnames": ["A"]},
    {"id": "key:e", "title": "The same long title", "year": 2010, "surnames": ["A"]},
    {
        "id": "doi:10.1000/cited1",
        "doi": "10.1000/cited1",
        "title": "A cited work here",
        "fulltext": False,
    },
    {"id": "key:untitled", "title": ""},
]
BIB = """@article{one, title={Other words}, doi={10.1000/A1}}
@article{two, title={{W}eedy rice in {A}sia}, author={Li, Wei}, year={2018}}
@article{both, title={The same long title}, author={A, B}, year={2010}}
@article{cited, doi={10.1000/cited1}}
@article{none, title={Penguins of the southern seas}, year={2001}}
"""


def test_entries_of_bibliographies_are_found_by_id_and_title(tmp_path: Path) -> None:
    """Two papers with one title are neither; a cited work is not loaded."""
    graph = write_graph(tmp_path / "shards", ENTRIES)
    (tmp_path / "a.bib").write_text(BIB)
    (tmp_path / "b.json").write_text(json.dumps([{"PMID": "7", "title": "x"}]))
    (tmp_path / "c.txt").write_text("PMC6339\nkey:e\n")
    found = choose_all(graph, listed=[tmp_path / "a.bib"])
    assert {*found.papers.column.to_pylist()} == {"doi:10.1000/a1", "key:c"}
    assert (found.listed, found.found) == (5, 2)
    several = choose_all(graph, listed=[tmp_path / "b.json", tmp_path / "c.txt"])
    assert {*several.papers.column.to_pylist()} == {"pmid:7", "key:e"}
    assert (several.listed, several.found) == (3, 3)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("doi:10.1000/a1", "doi:10.1000/a1"),
        ("https://doi.org/10.1000/A12", None),
        ("10.1000/cited1", "doi:10.1000/cited1"),
        ("PMID: 7", "pmid:7"),
        ("PMC6339", "pmid:7"),
        (" key:c ", "key:c"),
        ("key:x", None),
    ],
)
def test_a_paper_is_found_by_its_ids(tmp_path: Path, name: str, found: str | None) -> None:
    graph = write_graph(tmp_path, ENTRIES)
    if found is not None:
        assert find_in_shards(graph, name).id == found
        return
    with pytest.raises(ConfigError, match=r"no paper .* in .*; expected the id of a paper"):
        find_in_shards(graph, name)


def test_an_ambiguous_name_lists_the_papers(tmp_path: Path) -> None:
    papers = [{"id": f"pmid:{k}", "doi": "10.1000/x1", "title": f"Paper {k}"} for k in (1, 2)]
    graph = write_graph(tmp_path, papers)
    with pytest.raises(ConfigError, match=r"ambiguous in .*pmid:1 .Paper 1., pmid:2 .Paper 2."):
        find_in_shards(graph, "10.1000/x1")
    assert find_in_shards(graph, "pmid:2").id == "pmid:2"


def test_wrong_settings_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="hops is 2 without a paper"):
        SliceConfig(hops=2)
    with pytest.raises(ConfigError, match=r"no file .*none\.bib; expected BibTeX"):
        choose(corpus.shards, listed=[tmp_path / "none.bib"])
    (tmp_path / "a.bib").write_text("@article{x, title={Penguins of the southern seas}}")
    message = r"none of the papers loaded into .* fulfils 'year > 2090' and is listed in a\.bib"
    with pytest.raises(ConfigError, match=message):
        choose(corpus.shards, where="year > 2090", listed=[tmp_path / "a.bib"])
