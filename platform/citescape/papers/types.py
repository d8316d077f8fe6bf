"""Papers of a store by their type, see `core.paper_types`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citescape.core.paper_types import RESEARCH, explain_no_papers, select_types
from citescape.runs.step import PaperTypes, Settings
from citescape.store.queries import query

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from citescape.store.graph_store import GraphStore

    Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class QueryTypes(Settings):
    """Types of the query papers of a benchmark."""

    types: PaperTypes = RESEARCH
    """Types of the query papers. Works that they cite may have any type."""


def describe_other_types(count: int, types: Sequence[str]) -> str:
    """How many papers are no query papers because of their type.

    Args:
        count: number of papers.
        types: types and groups of types of query papers.
    """
    return f"query papers of the types {', '.join(types)}; {count:,} of other types left out"


def find_of_types(
    store: GraphStore, ids: pa.StringArray, types: Sequence[str], *, among: Mask, noun: str
) -> Mask:
    """Papers (ids,) among some that have one of the types.

    Args:
        store: the graph.
        ids: ids of papers, ascending.
        types: types and groups of types.
        among: (ids,) papers to choose from.
        noun: what these papers are, for messages.

    Raises:
        ConfigError: no paper of the store has such a type, or none of those to choose from.
    """
    import numpy as np
    import pyarrow as pa

    from citescape.core.pairs import encode

    rows = store.read(query("features/types"))
    codes = encode(rows["id"], ids)
    usable = codes >= 0
    usable[usable] = among[codes[usable]]
    mask = np.zeros(len(ids), np.bool_)
    mask[codes[usable & select_types(rows["type"], types)]] = True
    if among.any() and not mask.any():
        papers = f"{int(among.sum()):,} {noun}"
        raise explain_no_papers(papers, types, rows["type"].filter(pa.array(usable)))
    return mask


def hash_mask(chosen: Mask) -> str:
    """Hash of a choice, in its order; empty for all."""
    import numpy as np

    if chosen.all():
        return ""
    return hashlib.blake2b(np.packbits(chosen).tobytes(), digest_size=32).hexdigest()
