"""Reads features of all pairs of an embedded store by row numbers: ids of papers are all its texts.

Equal to what `importance.read` reads from any store (`benchmarks/score_store.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import Codes, Pairs, encode, join
from citescape.importance import kernel
from citescape.importance.counts import Mentions, section_kinds
from citescape.store.graph_store import EmbeddedStore

_NO_LINK = -2
"""In place of a code: the node has no such relationship. A paper without a pair has code -1."""
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def read_paper_codes(store: EmbeddedStore, ids: pa.Array) -> Codes:
    """Codes (rows,) of the papers by row number; -1 for papers that are not in `ids`."""
    codes = np.full(store.row_limit("Paper"), -1, np.int32)
    for nodes in store.read_nodes("Paper", ["id"]):
        codes[_ints(nodes["row"])] = encode(nodes["id"], ids)
    return codes


def read_codes_of_pairs(store: EmbeddedStore) -> tuple[pa.Array, Codes, Codes]:
    """Ids of all papers, ascending, and the codes of citing and cited papers of all pairs."""
    nodes = pa.concat_tables(store.read_nodes("Paper", ["id"]))
    ids, rows = nodes["id"].cast(pa.string()).combine_chunks(), _ints(nodes["row"])
    order = pc.sort_indices(ids)
    codes = np.full(store.row_limit("Paper"), -1, np.int32)
    codes[rows[order.to_numpy()]] = np.arange(len(ids), dtype=np.int32)
    parts = [
        (look_up(codes, links["from_row"]), look_up(codes, links["to_row"]))
        for links in store.read_links("CITES")
    ]
    return ids.take(order), join([part[0] for part in parts]), join([part[1] for part in parts])


def read_mentions_by_row(
    store: EmbeddedStore, pairs: Pairs, *, by_rules: bool, moved: Bools
) -> Iterator[Mentions] | None:
    """In-text citations in batches; see `read.read_counts`.

    None if an in-text citation has several works, or a section several papers: no loader writes
    such graphs, and joins by row number expect one.

    Args:
        store: the graph.
        pairs: all pairs.
        by_rules: a section that a model typed is `other`.
        moved: (pairs,) is set for pairs with a mention in a section that a model typed, except as
            `other`, while the batches are read.
    """
    codes = read_paper_codes(store, pairs.ids)
    kinds, typed = _read_kinds(store)
    citing = _read_ends(store, "HAS_SECTION", codes, label="Section", nodes="to")
    cited = _read_ends(store, "REFERS_TO", codes, label="Occurrence", nodes="from")
    if citing is None or cited is None:
        return None
    return _join(store, pairs, (citing, cited, kinds, typed), by_rules=by_rules, moved=moved)


def read_authorships_by_row(store: EmbeddedStore, ids: pa.Array) -> tuple[Codes, Codes]:
    """Codes of papers in pairs and of their authors, one per author of a paper."""
    codes = read_paper_codes(store, ids)
    papers: list[Codes] = []
    authors: list[Codes] = []
    for links in store.read_links("WROTE", by="to"):
        paper = look_up(codes, links["to_row"])
        papers.append(paper[paper >= 0])
        authors.append(_ints(links["from_row"])[paper >= 0].astype(np.int32))
    return join(papers), join(authors)


def look_up(values: npt.NDArray[np.int32], rows: pa.ChunkedArray) -> Codes:
    """The value of each row number (k,).

    A number beyond the end, of a node that another process added meanwhile, gives the last value:
    the caller detects the change of the store.
    """
    return values.take(_ints(rows), mode="clip")


def _ints(rows: pa.ChunkedArray) -> Ints:
    numbers: Ints = rows.cast(pa.int64()).to_numpy()
    return numbers


def _read_kinds(store: EmbeddedStore) -> tuple[npt.NDArray[np.uint8], Bools]:
    """Column of the counts for each section by row number, and whether a model typed it."""
    kinds = np.zeros(store.row_limit("Section"), np.uint8)
    typed = np.zeros(len(kinds), np.bool_)
    for nodes in store.read_nodes("Section", ["type", "combined", "type_run"]):
        rows = _ints(nodes["row"])
        kinds[rows] = section_kinds(nodes["type"], nodes["combined"])
        typed[rows] = nodes["type_run"].is_valid().to_numpy() & (kinds[rows] != kernel.OTHER)
    return kinds, typed


def _read_ends(
    store: EmbeddedStore, name: str, codes: Codes, *, label: str, nodes: Literal["from", "to"]
) -> Codes | None:
    """Code of the paper that each node of a label is related to, by row number; None if several."""
    ends, links_read = np.full(store.row_limit(label), _NO_LINK, np.int32), 0
    papers: Literal["from", "to"] = "from" if nodes == "to" else "to"
    for links in store.read_links(name, by=papers):
        ends[_ints(links[f"{nodes}_row"])] = look_up(codes, links[f"{papers}_row"])
        links_read += links.num_rows
    return ends if links_read == int(np.count_nonzero(ends != _NO_LINK)) else None


def _join(
    store: EmbeddedStore,
    pairs: Pairs,
    ends: tuple[Codes, Codes, npt.NDArray[np.uint8], Bools],
    *,
    by_rules: bool,
    moved: Bools,
) -> Iterator[Mentions]:
    citing_of, cited_of, kinds, typed = ends
    for links in store.read_links("CONTAINS"):
        sections = _ints(links["from_row"])
        citing, cited = citing_of[sections], look_up(cited_of, links["to_row"])
        known = (citing != _NO_LINK) & (cited != _NO_LINK)
        if not known.all():
            sections, citing, cited = sections[known], citing[known], cited[known]
        counted = kinds[sections]
        by_model = typed[sections]
        if by_model.any():
            positions = pairs.locate(citing[by_model], cited[by_model])
            moved[positions[positions >= 0]] = True
            if by_rules:
                counted = np.where(by_model, kernel.OTHER, counted).astype(np.uint8)
        yield citing, cited, counted
