"""Citations by what they are for: counts on CITES.

w_x(i, j) = |C_x(i, j)|, the number of contexts in which i cites j with intent x; the edge (i, j) is
in G_x if w_x > 0 (FLeW, Eq. 2 and 3).
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.sync import differences
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.text.intents.contexts import INTENTS

COUNTS = tuple(f"n_{name}" for name in INTENTS)
_SCHEMA = pa.schema(
    [("from", pa.string()), ("to", pa.string()), *((name, pa.int64()) for name in COUNTS)]
)


def count_changes(store: GraphStore, papers: Sequence[str], labelled: pa.Table) -> list[Change]:
    """Changes that bring n_background, n_method, n_result of some citing papers' pairs up to date.

    They follow from the in-text citations alone, whoever labelled these: 0 where the pair has
    labelled contexts, none of them of that intent; null where none is labelled.

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
