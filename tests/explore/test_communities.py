"""Communities with their self-citations, and the works that they cite."""

from __future__ import annotations

import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.explore.communities import read_communities, read_community
from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE
from citescape.store.state import CLUSTER_RUN, write_meta

SEED, OTHER = "doi:10.1038/seed.1", "doi:10.1038/other.1"
GENOME, METHOD, OLD = "doi:10.1038/genome.1", "doi:10.1038/method.1", "doi:10.1038/old.1"
RUN = "cluster-1"
COMMUNITIES = [
    {"id": "a", "run": RUN, "level": "macro", "name": "macro-1", "size": 2, "label": "weedy rice"},
    {"id": "b", "run": RUN, "level": "micro", "name": "micro-1", "size": 1, "terms": ["weeds"]},
    {"id": "c", "run": RUN, "level": "micro", "name": "micro-2", "size": 1},
    {"id": "z", "run": "cluster-0", "level": "micro", "name": "micro-1", "size": 9},
]
MEMBERS = [(SEED, "a"), (OTHER, "a"), (SEED, "b"), (OTHER, "c"), (GENOME, "z")]


@pytest.fixture
def clustered(graph: GraphStore) -> GraphStore:
    """Two citing papers in one community of two parts; an earlier clustering beside it."""
    rows = {
        "Community": COMMUNITIES,
        "IN_COMMUNITY": [{"from": a, "to": b, "run": RUN} for a, b in MEMBERS],
        "PART_OF": [{"from": "b", "to": "a"}, {"from": "c", "to": "a"}],
    }
    for name, given in rows.items():
        schema = TABLE[name].arrow
        full = [{column: row.get(column) for column in schema.names} for row in given]
        graph.apply([Change("insert", name, pa.Table.from_pylist(full, schema))])
    write_meta(graph, CLUSTER_RUN, RUN)
    return graph


def test_shares_of_self_citations_are_those_of_the_references(clustered: GraphStore) -> None:
    """The seed cites 1.2 with a shared author and 0; the other cites .4, .9 and one not scored."""
    table = read_communities(clustered, "macro")
    (row,) = table.arrow.to_pylist()
    assert (row["papers"], row["references"], row["cited_by"]) == (2, 5, 1)
    assert row["self_share"] == 1 / 4
    assert row["self_importance_share"] == pytest.approx(1.2 / (1.2 + 0.0 + 0.4 + 0.9))
    assert table.whole == {
        "self_share": row["self_share"],
        "self_importance_share": row["self_importance_share"],
    }


def test_the_default_level_is_the_middle_one(clustered: GraphStore) -> None:
    table = read_communities(clustered, "")
    assert (table.level, table.levels) == ("micro", ("macro", "micro"))
    names = dict(zip(*table.arrow.select(["name", "self_share"]).to_pydict().values(), strict=True))
    assert names == {"micro-1": 1 / 2, "micro-2": 0.0}


def test_works_are_ranked_with_and_without_self_citations(clustered: GraphStore) -> None:
    """The genome receives 1.2 of a self-citation and .4; the seed .9."""
    works = read_community(clustered, "macro-1", 10).works.to_pylist()
    ranks = {row["id"]: (row["rank"], row["rank_without_self"]) for row in works}
    assert ranks == {GENOME: (1, 2), SEED: (2, 1), METHOD: (3, 3), OLD: (4, 4)}
    assert works[0]["importance"] == pytest.approx(1.6)
    assert works[0]["citations"] == 2


def test_a_community_has_its_papers_years_and_parts(clustered: GraphStore) -> None:
    found = read_community(clustered, "macro-1", 1)
    assert found.years == {2018: 1, 2019: 1}
    assert found.papers["id"].to_pylist() == [SEED]
    assert sorted(found.parts["name"].to_pylist()) == ["micro-1", "micro-2"]
    assert (found.row["label"], found.row["level"]) == ("weedy rice", "macro")
    assert "weedy rice" in str(found)


def test_without_scores_shares_are_missing(clustered: GraphStore) -> None:
    clustered.run("MATCH ()-[c:CITES]->() SET c.importance = null, c.self = null")
    (row,) = read_communities(clustered, "macro").arrow.to_pylist()
    assert (row["self_share"], row["self_importance_share"]) == (None, None)
    assert read_community(clustered, "macro-1", 10).works["citations"].to_pylist() == [2, 1, 1, 1]


def test_errors_name_what_exists(clustered: GraphStore) -> None:
    with pytest.raises(ConfigError, match=r"no level 'mega'.*expected macro, micro"):
        read_communities(clustered, "mega")
    with pytest.raises(ConfigError, match="no community 'macro-2'"):
        read_community(clustered, "macro-2", 10)


def test_a_graph_without_communities_names_the_command(graph: GraphStore) -> None:
    with pytest.raises(ConfigError, match="no communities; run `platform cluster"):
        read_communities(graph, "")
