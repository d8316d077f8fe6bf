"""Topics in the graph: what is known of communities, beside them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from citescape.mapping.communities.topic_papers import IMPORTANCE
from citescape.mapping.communities.topics import TopicsRun
from citescape.runs.directory import record_run
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.state import CLUSTER_RUN, read_meta

_SLICE = 5_000


def is_in_graph(store: GraphStore, topics: TopicsRun) -> bool:
    """Whether the communities of some topics are those that the graph holds."""
    return read_meta(store, CLUSTER_RUN) == topics.clustering


def write_topics(store: GraphStore, topics: TopicsRun) -> int:
    """Says in the graph what communities are about; safe to repeat.

    Args:
        store: the graph.
        topics: of the clustering that the graph holds; of another nothing is written.

    Returns:
        Communities that were described.

    Writes to the graph: Community {label, terms, field, diversity, mean_year, importance} of one
    level; a Run node. Importance is null where citations stood in for it.
    """
    if not is_in_graph(store, topics):
        return 0
    held = store.read(query("communities/level"), run=topics.clustering, level=topics.level)
    table = topics.read()
    held = held.filter(pc.is_in(held["name"], value_set=table["name"].combine_chunks()))
    places = pc.index_in(held["name"], value_set=table["name"].combine_chunks())
    told = _describe(table, scored=topics.counts["weight"] == IMPORTANCE).take(places)
    rows = told.add_column(0, "id", held["id"]).combine_chunks()
    for start in range(0, len(rows), _SLICE):
        store.apply([Change("update", "Community", rows.slice(start, _SLICE))])
    record_run(store, topics.record)
    return int(rows.num_rows)


def _describe(table: pa.Table, *, scored: bool) -> pa.Table:
    """The columns of Community, a row a topic."""
    terms = [[one["term"] for one in told] for told in table["terms"].to_pylist()]
    importance = table["importance"] if scored else pa.nulls(len(table), pa.float64())
    plain = table.select(["label", "field", "diversity", "mean_year"])
    plain = plain.append_column("terms", pa.array(terms, pa.list_(pa.string())))
    return plain.append_column("importance", importance)
