"""The paper a user means."""

from __future__ import annotations

from typing import Any

import pytest

from citescape.core.errors import ConfigError
from citescape.papers.identify import find_paper
from citescape.store.graph_store import GraphStore


@pytest.fixture
def two(store: GraphStore, load: Any, make_graph: Any) -> GraphStore:
    """A paper known by its PMID alone, and one with a DOI that is said to have the same."""
    load(store, make_graph(2, ((0, 1),)))
    store.write("CREATE (:Paper {id: 'pmid:77', pmid: '77'})")
    store.write("MATCH (p:Paper {id: 'doi:10.1234/p0'}) SET p.pmid = '77'")
    return store


def test_the_id_of_a_paper_means_that_paper(two: GraphStore) -> None:
    assert find_paper(two, "pmid:77").id == "pmid:77"
    assert find_paper(two, "doi:10.1234/p0").id == "doi:10.1234/p0"
    with pytest.raises(ConfigError, match=r"'77' is ambiguous .*give one of these ids"):
        find_paper(two, "77")


def test_of_several_papers_the_one_that_is_cited_is_meant(
    store: GraphStore, load: Any, make_graph: Any
) -> None:
    """P0 cites p1 and p2, p3 cites p2 alone; both p1 and p2 are said to be PMID 9."""
    load(store, make_graph(4, ((0, 1), (0, 2), (3, 2))))
    for cited in ("p1", "p2"):
        store.write(f"MATCH (p:Paper {{id: 'doi:10.1234/{cited}'}}) SET p.pmid = '9'")
    assert find_paper(store, "9", cited_by=find_paper(store, "10.1234/p3")).id == "doi:10.1234/p2"
    for citing in ("10.1234/p0", "10.1234/p1"):
        with pytest.raises(ConfigError, match=r"'9' is ambiguous .*p1.*p2"):
            find_paper(store, "9", cited_by=find_paper(store, citing))


def test_an_id_without_its_data_set_is_said_with_it(store: GraphStore) -> None:
    """`set:7` contains the 7 of many others, which stand before it."""
    for id_ in ("a:17", "a:27", "a:37", "set:7", "set:P05-1"):
        store.write(f"CREATE (:Paper {{id: '{id_}', title: 'On {id_[-1]}'}})")
    with pytest.raises(ConfigError, match=r'name of its data set it is set:7 "On 7"$'):
        find_paper(store, "7")
    with pytest.raises(ConfigError, match=r'; similar: set:7 "On 7"$'):
        find_paper(store, "other:7")
    with pytest.raises(ConfigError, match="it is set:P05-1"):
        find_paper(store, "p05-1")
    with pytest.raises(ConfigError, match="similar: set:P05-1"):
        find_paper(store, "P05")
    for given in ("set:", "x", ""):
        with pytest.raises(ConfigError, match=r"; (similar: set:7.*|check it for typos)$"):
            find_paper(store, given)
    store.write("CREATE (:Paper {id: 'ref:X9-2'})")  # no data set, but an entry without any id
    with pytest.raises(ConfigError, match=r"; similar: ref:X9-2$"):
        find_paper(store, "x9-2")
