"""Reference lists from a table of citations, compared with plain Python."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from citescape.ingest.citation_lists import CitationLists, read_citation_lists, reference_tables
from citescape.ingest.table_index import TableIndex, read_index
from citescape.loaders.datasets import find_sources
from citescape.store.schema import TABLE
from tests.ingest.data_sets import write_citations, write_papers

NODES = {"a": "papers:a", "b": "doi:10.1000/b1", "c": "doi:10.1000/b1", "d#r1": "papers:d%23r1"}
DOIS = {"b": "10.1000/b1", "c": "10.1000/b1"}
OTHERS = {"x": "papers:x", "10.1000/y1": "doi:10.1000/y1", "doi:10.1000/B1": "doi:10.1000/b1"}
PAIRS = st.tuples(*[st.sampled_from([*NODES, *OTHERS])] * 2)


def read(pairs: list[tuple[str, str]]) -> tuple[TableIndex, CitationLists]:
    rows = [{"id": id_, "title": "x", "doi": DOIS.get(id_, "")} for id_ in NODES]
    with tempfile.TemporaryDirectory() as folder:
        paths = write_papers(Path(folder), *rows), write_citations(Path(folder), *pairs)
        data_set = find_sources(paths).data_sets[0]
        index = read_index(data_set)
        return index, read_citation_lists(data_set, index, Path(folder))


def list_in_plain_python(pairs: list[tuple[str, str]]) -> tuple[dict[str, list[str]], Counter[str]]:
    """Cited papers of each paper, and the number of lines by outcome."""
    names, papers = {**NODES, **OTHERS}, {*NODES.values()}
    lists: dict[str, list[str]] = {paper: [] for paper in papers}
    counts: Counter[str] = Counter()
    for citing, cited in ((names[a], names[b]) for a, b in pairs):
        if citing not in papers:
            counts["unknown-citing"] += 1
        elif citing == cited:
            counts["self-citation"] += 1
        elif cited in lists[citing]:
            counts["repeated"] += 1
        else:
            counts["kept"] += 1
            counts["unknown-cited"] += cited not in papers
            lists[citing].append(cited)
    return {paper: sorted(cited) for paper, cited in lists.items()}, +counts


@given(st.lists(PAIRS, max_size=20))
def test_lists_and_counts_equal_plain_python(pairs: list[tuple[str, str]]) -> None:
    index, lists = read(pairs)
    expected, counts = list_in_plain_python(pairs)
    nodes = lists.works["node"].to_pylist()
    result = {
        node: [nodes[j] for j in lists.of(np.array([code]))[1]]
        for node, code in index.nodes.items()
    }
    assert result == expected
    (account,) = lists.accounts
    assert Counter({"kept": account.kept, **account.lost, **account.notes}) == counts


@given(st.lists(PAIRS, max_size=20), st.permutations(range(3)))
def test_reference_tables_hold_the_lists_of_the_given_papers(
    pairs: list[tuple[str, str]], papers: list[int]
) -> None:
    index, lists = read(pairs)
    tables = reference_tables(lists, np.array(papers[:2]), source="set")
    expected, _ = list_in_plain_python(pairs)
    owners = [[*index.nodes][paper] for paper in papers[:2]]
    wanted = [(owner, f"{owner}#r{i}") for owner in owners for i in range(len(expected[owner]))]
    assert [(row["from"], row["to"]) for row in tables["HAS_REFERENCE"].to_pylist()] == wanted
    references = tables["Reference"]
    assert references.schema == TABLE["Reference"].arrow
    assert references["id"].to_pylist() == [own for _, own in wanted]
    meant = [
        f"doi:{row['doi']}" if row["doi"] else row["key"].removeprefix("id-")
        for row in references.to_pylist()
    ]
    assert meant == [cited for owner in owners for cited in expected[owner]]


def test_lines_of_unknown_citing_works_take_no_memory() -> None:
    """A file of citations may have millions of them; only their number is kept."""
    _, lists = read([("a", "x"), *((f"unknown{n}", f"other{n}") for n in range(1000))])
    assert lists.works["source_id"].to_pylist() == ["a", "b", "d#r1", "x"]
    assert lists.accounts[0].lost == {"unknown-citing": 1000}
