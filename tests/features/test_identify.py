"""The paper a user means."""

from __future__ import annotations

from typing import Any

import pytest

from citescape.errors import ConfigError
from citescape.features.identify import find_paper
from citescape.graph.store import GraphStore


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
