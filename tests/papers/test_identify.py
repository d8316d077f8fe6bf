"""Papers found by an identifier that a user gives."""

from __future__ import annotations

from typing import Any

import pytest

from citescape.core.errors import ConfigError
from citescape.papers.identify import find_paper
from citescape.store.graph_store import GraphStore


@pytest.fixture
def two_papers(store: GraphStore, load: Any, make_graph: Any) -> GraphStore:
    """A paper with only a PMID, and a paper with a DOI and the same PMID."""
    load(store, make_graph(2, ((0, 1),)))
    store.write("CREATE (:Paper {id: 'pmid:77', pmid: '77'})")
    store.write("MATCH (p:Paper {id: 'doi:10.1234/p0'}) SET p.pmid = '77'")
    return store


def test_the_id_of_a_paper_takes_precedence(two_papers: GraphStore) -> None:
    assert find_paper(two_papers, "pmid:77").id == "pmid:77"
    assert find_paper(two_papers, "doi:10.1234/p0").id == "doi:10.1234/p0"
    with pytest.raises(ConfigError, match=r"'77' is ambiguous .*give one of these ids"):
        find_paper(two_papers, "77")


def test_an_ambiguous_identifier_means_the_cited_paper(
    store: GraphStore, load: Any, make_graph: Any
) -> None:
    """P0 cites p1 and p2, p3 cites only p2; both p1 and p2 have PMID 9."""
    load(store, make_graph(4, ((0, 1), (0, 2), (3, 2))))
    for cited in ("p1", "p2"):
        store.write(f"MATCH (p:Paper {{id: 'doi:10.1234/{cited}'}}) SET p.pmid = '9'")
    assert find_paper(store, "9", cited_by=find_paper(store, "10.1234/p3")).id == "doi:10.1234/p2"
    for citing in ("10.1234/p0", "10.1234/p1"):
        with pytest.raises(ConfigError, match=r"'9' is ambiguous .*p1.*p2"):
            find_paper(store, "9", cited_by=find_paper(store, citing))


def test_an_id_without_its_data_set_gives_a_suggestion(store: GraphStore) -> None:
    """`set:7` contains the 7 of many other ids, which come before it."""
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
    for name in ("set:", "x", ""):
        with pytest.raises(ConfigError, match=r"; (similar: set:7.*|check it for typos)$"):
            find_paper(store, name)
    store.write("CREATE (:Paper {id: 'ref:X9-2'})")  # a reference without an identifier
    with pytest.raises(ConfigError, match=r"; similar: ref:X9-2$"):
        find_paper(store, "x9-2")
