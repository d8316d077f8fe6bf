"""Citations by what they are for: counts on CITES, and the edges of the facet subgraphs.

w_x(i, j) = |C_x(i, j)|, the number of contexts in which i cites j with intent x; the edge (i, j) is
in G_x if w_x > 0 (FLeW, Eq. 2 and 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import invalid_choice
from citescape.ingest.sync import differences
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.text.intents.contexts import INTENTS
from citescape.text.write_back import batches

_PAPERS = 512
COUNTS = tuple(f"n_{name}" for name in INTENTS)
_SCHEMA = pa.schema(
    [("from", pa.string()), ("to", pa.string()), *((name, pa.int64()) for name in COUNTS)]
)


def update_counts(store: GraphStore, papers: Sequence[str]) -> int:
    """Brings n_background, n_method, n_result of every pair up to date; returns how many were not.

    They follow from the in-text citations alone, whoever labelled these: 0 where the pair has
    labelled contexts, none of them of that intent; null where none is labelled.

    Args:
        store: the graph.
        papers: ids of all full texts.

    Writes to the graph: CITES.n_background, n_method, n_result.
    """
    written = 0
    for batch in batches(papers, _PAPERS):
        labelled = store.read(query("text/intents_of_pairs"), papers=batch)
        changes = count_changes(store, batch, labelled)
        store.apply(changes, atomic=True)
        written += sum(change.rows.num_rows for change in changes)
    return written


def count_changes(store: GraphStore, papers: Sequence[str], labelled: pa.Table) -> list[Change]:
    """What `update_counts` is to write for the pairs of some citing papers.

    Args:
        store: the graph, which is only read.
        papers: ids of the citing papers, each once.
        labelled: `citing`, `cited`, `intents`, a row a labelled context of theirs.
    """
    present = store.read(query("text/intent_counts"), papers=list(papers)).cast(_SCHEMA)
    wanted = count_intents(present.select(["from", "to"]), labelled)
    return differences("CITES", present, wanted)


def count_intents(pairs: pa.Table, labelled: pa.Table) -> pa.Table:
    """Pairs (`from`, `to`) with their counts.

    Args:
        pairs: each once.
        labelled: `citing`, `cited`, `intents`, a row a labelled context.
    """
    lists = labelled["intents"].cast(pa.list_(pa.string()))
    ends = labelled.select(["citing", "cited"]).rename_columns(["from", "to"])
    given = ends.take(pc.list_parent_indices(lists))  # a row an intent of a context
    nothing = pa.chunked_array([pa.repeat("", ends.num_rows)])
    # Every context is counted once more, without an intent: so its pair has at least zeros.
    intents = pa.chunked_array([*pc.list_flatten(lists).chunks, *nothing.chunks], pa.string())
    rows = pa.concat_tables([given, ends]).cast(pa.schema(list(_SCHEMA)[:2]))
    for name, intent in zip(COUNTS, INTENTS, strict=True):
        rows = rows.append_column(name, pc.equal(intents, intent).cast(pa.int64()))
    sums = rows.group_by(["from", "to"]).aggregate([(name, "sum") for name in COUNTS])
    sums = sums.rename_columns({f"{name}_sum": name for name in COUNTS})
    return pairs.join(sums, ["from", "to"]).select(_SCHEMA.names).cast(_SCHEMA)


def read_facet(store: GraphStore, intent: str, papers: Iterable[str]) -> pa.Table:
    """The edges of one facet subgraph that some papers have to what they cite.

    Args:
        store: the graph.
        intent: background, method or result.
        papers: ids of full texts, each once.

    Returns:
        `citing`, `cited`, `weight` (contexts), sorted by the first two.

    Raises:
        ConfigError: no such intent.
    """
    if intent not in INTENTS:
        raise invalid_choice("intent", intent, INTENTS)
    schema = pa.schema([("citing", pa.string()), ("cited", pa.string()), ("weight", pa.int64())])
    parts = [
        store.read(query(f"facets/{intent}"), papers=batch).cast(schema)
        for batch in batches(list(papers), _PAPERS)
    ]
    table = pa.concat_tables([schema.empty_table(), *parts])
    return table.sort_by([("citing", "ascending"), ("cited", "ascending")])


def repeat_edges(edges: pa.Table) -> pa.Table:
    """`citing`, `cited`, each edge as often as its weight says: how embeddings take weights.

    FLeW, section 3.1.2.
    """
    rows = pa.array(range(edges.num_rows), pa.int64()).to_numpy().repeat(edges["weight"].to_numpy())
    return edges.select(["citing", "cited"]).take(pa.array(rows))
