"""Reads a whole corpus in bounded memory: queries run over ranges of citing papers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_SLICE_PAIRS = 500_000


@dataclass(frozen=True)
class Slice:
    """Citing papers with `first` <= id <= `last` in the engine's order."""

    first: str
    last: str
    pairs: int
    """Number of their pairs."""


def read_slices(store: GraphStore, *, pairs: int = _SLICE_PAIRS) -> list[Slice]:
    """All citing papers as slices of `pairs` pairs, or of one paper that has more."""
    papers = store.read(query("features/citing_papers"))
    slices: list[Slice] = []
    first, held = "", 0
    ids, numbers = papers["id"].to_pylist(), papers["pairs"].to_pylist()
    for k, (id_, number) in enumerate(zip(ids, numbers, strict=True)):
        first = first if held else id_
        held += number
        if held >= pairs or k + 1 == len(ids):
            slices.append(Slice(first, id_, held))
            held = 0
    return slices


def read_sliced(store: GraphStore, name: str, slices: Sequence[Slice]) -> Iterator[pa.Table]:
    """The rows of a library query, one table per slice.

    Args:
        store: the graph.
        name: a query with parameters $first and $last.
        slices: ranges of citing papers.
    """
    for part in slices:
        yield store.read(query(name), first=part.first, last=part.last)
