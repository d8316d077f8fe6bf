"""Communities of the nodes of a network, by level, with names and labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import find_rows
from citescape.mapping.communities.clustering import ClusterRun, Labels
from citescape.mapping.communities.topics import TopicsRun
from citescape.mapping.exports.texts import clean_texts


@dataclass(frozen=True)
class Membership:
    """Communities of the nodes of a network at one level."""

    level: str
    labels: Labels
    """(nodes,) number of the community, 0 for the largest; -1 without a community."""
    names: pa.StringArray
    """(communities,) names of communities."""
    about: pa.StringArray
    """(communities,) labels of topics; null if unknown."""

    @property
    def titles(self) -> pa.StringArray:
        """(communities,) labels, or names of communities without a label."""
        return pc.coalesce(self.about, self.names)


def describe_level(
    run: ClusterRun, level: str, known: Mapping[str, TopicsRun]
) -> tuple[pa.StringArray, pa.StringArray]:
    """Names and labels (communities,) of the communities of one level; labels are null if unknown.

    Args:
        run: the clustering.
        level: a level.
        known: level -> topics.
    """
    names = run.communities(level)["name"].combine_chunks().cast(pa.string())
    if level not in known:
        return names, pa.nulls(len(names), pa.string())
    topics = known[level].read()
    rows = pc.index_in(names, value_set=topics["name"].combine_chunks().cast(pa.string()))
    return names, clean_texts(topics["label"]).take(rows)


def find_labels(run: ClusterRun, level: str, ids: pa.StringArray) -> Labels:
    """Community (papers,) of each paper at one level; -1 without a community.

    Args:
        run: the clustering.
        level: a level.
        ids: (papers,) ids of papers.
    """
    clustering = run.read(level)
    return np.append(clustering.labels, np.int32(-1))[find_rows(ids, clustering.ids)]


def read_memberships(
    run: ClusterRun, ids: pa.StringArray, known: Mapping[str, TopicsRun]
) -> tuple[Membership, ...]:
    """Reads the communities of papers at every level, the finest last.

    Args:
        run: the clustering.
        ids: (papers,) ids of papers, which may differ from the clustered papers.
        known: level -> topics.
    """
    return tuple(
        Membership(level, find_labels(run, level, ids), *describe_level(run, level, known))
        for level in run.levels
    )


def list_memberships(levels: tuple[Membership, ...]) -> pa.Table:
    """Columns `community_LEVEL` (name) and, if any label is known, `topic_LEVEL` (label).

    Null for nodes without a community.
    """
    columns = {}
    for membership in levels:
        level, about = membership.level, membership.about
        labels = pa.array(membership.labels, mask=membership.labels < 0)
        columns[f"community_{level}"] = membership.names.take(labels)
        if about.null_count < len(about):
            columns[f"topic_{level}"] = about.take(labels)
    return pa.table(columns)
