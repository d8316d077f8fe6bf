"""Citations by what they are for: counts on CITES, and the edges of the facet subgraphs.

w_x(i, j) = |C_x(i, j)|, the number of contexts in which i cites j with intent x; the edge (i, j) is
in G_x if w_x > 0 (FLeW, Eq. 2 and 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pyarrow as pa

from citescape.errors import invalid_choice
from citescape.graph.queries import query
from citescape.graph.store import GraphStore
from citescape.text.intents.contexts import INTENTS
from citescape.text.write_back import batches, write_labels

_PAPERS = 512
COUNTS = tuple(f"n_{name}" for name in INTENTS)
_SCHEMA = pa.schema(
    [("from", pa.string()), ("to", pa.string()), *((name, pa.int64()) for name in COUNTS)]
)


def update_counts(
    store: GraphStore,
    papers: Sequence[str],
    *,
    progress: Callable[[str], None] = lambda _: None,
) -> int:
    """Brings n_background, n_method, n_result of every pair up to date; returns how many were not.

    They follow from the in-text citations alone, whoever labelled these: 0 where the pair has
    labelled contexts, none of them of that intent; null where none is labelled.

    Args:
        store: the graph.
        papers: ids of all full texts.
        progress: told how many papers are done.

    Writes to the graph: CITES.n_background, n_method, n_result.
    """
    written = done = 0
    for batch in batches(papers, _PAPERS):
        progress(f"counting: {done:,} of {len(papers):,} papers")
        present = store.read(query("text/intent_counts"), papers=batch).cast(_SCHEMA)
        labelled = store.read(query("text/intents_of_pairs"), papers=batch)
        if present.num_rows:
            wanted = count_intents(present.select(["from", "to"]), labelled)
            written += write_labels(store, "CITES", present, wanted=wanted)
        done += len(batch)
    return written


def count_intents(pairs: pa.Table, labelled: pa.Table) -> pa.Table:
    """Pairs (`from`, `to`) with their counts.

    Args:
        pairs: each once.
        labelled: `citing`, `cited`, `intents`, a row a labelled context.
    """
    lists = labelled["intents"].cast(pa.list_(pa.string()))
    rows = pa.table(
        {
            "from": labelled["citing"].cast(pa.string()),
            "to": labelled["cited"].cast(pa.string()),
            **{f"n_{x}": _holds(lists, x) for x in INTENTS},
        }
    )
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


def _holds(lists: pa.ChunkedArray, intent: str) -> pa.Array:
    """1 for the lists with the entry, 0 for the others and for null."""
    found = [int(intent in entries) if entries else 0 for entries in lists.to_pylist()]
    return pa.array(found, pa.int64())
