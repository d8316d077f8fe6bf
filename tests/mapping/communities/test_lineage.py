"""Lasting names of communities, and their lineage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.mapping.communities.clustering import Clustering, order_labels
from citescape.mapping.communities.lineage import (
    EVENTS,
    LINEAGE,
    NamedClustering,
    name_communities,
)
from tests.mapping.communities.small_networks import names


def cluster_groups(*groups: str, ids: str = "") -> Clustering:
    """Clustering from texts with a letter per paper."""
    import pyarrow as pa

    papers = sorted(ids or "".join(groups))
    place = {letter: k for k, group in enumerate(groups) for letter in group}
    return order_labels(pa.array(papers), np.array([place[letter] for letter in papers]))


def name_groups(*groups: str) -> NamedClustering:
    return name_communities(cluster_groups(*groups), "c")[0]


def rows(previous: NamedClustering, *groups: str) -> dict[str, Any]:
    """Event, previous names, shared papers and Jaccard index by name."""
    table = name_communities(cluster_groups(*groups), "c", previous)[1]
    return {
        str(row["name"] or row["previous"][0]): (
            row["event"], row["previous"], row["shared"], row["jaccard"],
        )
        for row in table.to_pylist()
    }  # fmt: skip


def test_first_names_are_ordered_by_size() -> None:
    found, lineage = name_communities(cluster_groups("ab", "cdefg", "h"), "meso-")
    assert found.names == ["meso-1", "meso-2", "meso-3"]
    assert found.clustering.sizes.tolist() == [5, 2, 1]
    assert found.numbered == 3
    assert lineage.num_rows == 0
    assert lineage.schema == LINEAGE


def test_names_stay_when_the_order_of_sizes_changes() -> None:
    """c1 = {a..e} loses e; c2 = {f..i} gains it and is larger now."""
    previous = name_groups("abcde", "fghi")
    found, _ = name_communities(cluster_groups("abcd", "fghie"), "c", previous)
    assert found.names == ["c2", "c1"]
    assert rows(previous, "abcd", "fghie") == {
        "c2": ("same", ["c2"], 4, 4 / 5),
        "c1": ("same", ["c1"], 4, 4 / 5),
    }


def test_a_split_community() -> None:
    """Four of six papers keep the name (4/6); two form a new community."""
    assert rows(name_groups("abcdef", "xyz"), "abcd", "ef", "xyz") == {
        "c1": ("split", ["c1"], 4, 4 / 6),
        "c3": ("split", ["c1"], 2, 2 / 6),
        "c2": ("same", ["c2"], 3, 1.0),
    }


def test_merged_communities() -> None:
    """{abcd} and {ef} merge under the name of the larger; neither is dissolved."""
    assert rows(name_groups("abcd", "xyz", "ef"), "abcdef", "xyz") == {
        "c1": ("merged", ["c1", "c3"], 4, 4 / 6),
        "c2": ("same", ["c2"], 3, 1.0),
    }


def test_new_and_dissolved_communities() -> None:
    """The papers of c1 are spread over three communities of eight papers."""
    previous = name_groups("abcdef", "xyzuvw", "mnopqr", "ghijkl")
    found = rows(previous, "abxyzuvw", "cdmnopqr", "efghijkl", "ABC")
    assert found == {
        "c2": ("same", ["c2"], 6, 6 / 8),
        "c3": ("same", ["c3"], 6, 6 / 8),
        "c4": ("same", ["c4"], 6, 6 / 8),
        "c5": ("new", [], 0, 0.0),
        "c1": ("dissolved", ["c1"], 0, 0.0),
    }


def test_new_papers_do_not_change_names() -> None:
    """Papers of both clusterings did not move."""
    found = rows(name_groups("abc", "xyz"), "abcABCDEFGH", "xyz")
    assert found["c1"] == ("same", ["c1"], 3, 1.0)


def test_names_need_a_jaccard_index_of_one_third() -> None:
    """|both| / |either|: halves have 2 / 6, thirds 1 / 5."""
    halves = rows(name_groups("abcd", "wxyz"), "abwx", "cdyz")
    assert {name: found[3] for name, found in halves.items()} == {"c1": 2 / 6, "c2": 2 / 6}
    thirds = rows(name_groups("abc", "def", "ghi"), "adg", "beh", "cfi")
    assert {name: found[0] for name, found in thirds.items()} == {
        **dict.fromkeys(("c4", "c5", "c6"), "new"),
        **dict.fromkeys(("c1", "c2", "c3"), "dissolved"),
    }


def test_numbers_of_old_names_are_not_reused() -> None:
    first = name_groups("abc", "xyz")
    second, _ = name_communities(cluster_groups("abc"), "c", first)
    assert (second.names, second.numbered) == (["c1"], 2)
    third, _ = name_communities(cluster_groups("abc", "mn"), "c", second)
    assert third.names == ["c1", "c3"]


def test_ties_are_broken_by_label() -> None:
    """Two halves of a community: the half with the lower label keeps the name."""
    found, _ = name_communities(cluster_groups("ab", "cd"), "c", name_groups("abcd"))
    assert found.names == ["c1", "c2"]


memberships = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=25)


@given(memberships)
def test_names_are_unique_and_events_follow_the_rules(pairs: list[tuple[int, int]]) -> None:
    before, after = np.array(pairs).T
    ids = names(len(pairs))
    previous = name_communities(order_labels(ids, before), "c")[0]
    clustering = order_labels(ids, after)
    found, lineage = name_communities(clustering, "c", previous)
    assert len(set(found.names)) == len(found.names) == len(clustering)
    events = lineage.to_pylist()
    assert [row["name"] for row in events[: len(clustering)]] == found.names
    old = {
        name: set(np.flatnonzero(previous.clustering.labels == k).tolist())
        for k, name in enumerate(previous.names)
    }
    new = {
        name: set(np.flatnonzero(clustering.labels == k).tolist())
        for k, name in enumerate(found.names)
    }
    for row in events[: len(clustering)]:
        members, kept = new[row["name"]], row["name"] in old
        into = [
            name
            for name, community in old.items()
            if 2 * len(community & members) >= len(community)
        ]
        origins = [
            name for name, community in old.items() if 2 * len(community & members) >= len(members)
        ]
        pieces = {
            name: sum(
                2 * len(old[name] & community) >= len(community) for community in new.values()
            )
            for name in origins
        }
        expected = (
            "merged" if len(into) > 1
            else "split" if any(count > 1 for count in pieces.values())
            else "same" if kept
            else "new"
        )  # fmt: skip
        assert row["event"] == expected
        assert set(row["previous"]) == {*into, *origins, *([row["name"]] if kept else [])}
        if kept:
            own = old[row["name"]]
            assert row["previous"][0] == row["name"]
            assert row["jaccard"] == pytest.approx(len(own & members) / len(own | members))
            assert row["jaccard"] >= 1 / 3
            assert row["shared"] == len(own & members)
    dissolved = {
        name for name, community in old.items()
        if name not in new
        and not any(2 * len(community & other) >= len(community) for other in new.values())
    }  # fmt: skip
    assert {row["previous"][0] for row in events[len(clustering) :]} == dissolved
    assert {row["event"] for row in events} <= set(EVENTS)


@given(memberships)
def test_the_best_pair_keeps_its_name(pairs: list[tuple[int, int]]) -> None:
    """The pair with the highest Jaccard index keeps the name, if the index is at least 1/3."""
    before, after = np.array(pairs).T
    ids = names(len(pairs))
    previous = name_communities(order_labels(ids, before), "c")[0]
    clustering = order_labels(ids, after)
    found = name_communities(clustering, "c", previous)[0]
    index = {
        (i, j): float(
            ((previous.clustering.labels == i) & (clustering.labels == j)).sum()
            / ((previous.clustering.labels == i) | (clustering.labels == j)).sum()
        )
        for i in range(len(previous.names))
        for j in range(len(clustering))
    }
    kept = [
        index[previous.names.index(name), j]
        for j, name in enumerate(found.names)
        if name in previous.names
    ]
    if max(index.values()) >= 1 / 3:
        assert max(kept) == max(index.values())
    else:
        assert not kept
