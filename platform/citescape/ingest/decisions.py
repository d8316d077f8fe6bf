"""Decisions of users on which entries and records are of one work.

An entry of a reference list or a record of a paper has a *name*: the most trusted id that it
prints, else its title key. A decision joins the works of two names, or keeps two names apart.
Decisions are nodes of the graph and are applied whenever works are matched, so they last when
papers are loaded again, and their removal undoes them.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.identity import ID_KINDS, NAMED
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

JOIN, SPLIT = "join", "split"
NO_DECISIONS = pa.schema(
    [(name, pa.string()) for name in ("id", "kind", "first", "second")]
).empty_table()


def names_of(rows: pa.Table) -> pa.ChunkedArray:
    """The name of each entry or record: `doi:10.1/x`, ..., `key:...`, else `ref:` and its id.

    Args:
        rows: `id`, the columns of `ID_KINDS`, `key`.
    """
    ids = [pc.binary_join_element_wise(f"{kind}:", rows[kind], "") for kind in ID_KINDS]
    is_name = pc.starts_with(rows["key"], NAMED)
    names = pc.utf8_slice_codeunits(rows["key"], len(NAMED))
    named = pc.if_else(is_name, names, pc.binary_join_element_wise("key:", rows["key"], ""))
    return pc.coalesce(*ids, named, pc.binary_join_element_wise("ref:", rows["id"], ""))


def read_decisions(store: GraphStore) -> pa.Table:
    """The decisions: `id`, `kind` (`JOIN` or `SPLIT`), `first`, `second`, by id."""
    return store.read(query("identity/decisions"))


def decide(
    names: pa.ChunkedArray,
    works: pa.ChunkedArray,
    decisions: pa.Table,
    *,
    loaded: Collection[str] = (),
    sources: pa.ChunkedArray | None = None,
) -> pa.ChunkedArray:
    """The works after decisions: first names are kept apart, then works are joined.

    Joined works have the id of the loaded paper among them, else of a work with an id, else the
    smallest.

    Args:
        names: (n,) name of each entry or record.
        works: (n,) its work.
        decisions: see `read_decisions`.
        loaded: ids of loaded papers; two are never joined.
        sources: (n,) source of each record; works with a common source are not joined.
    """
    if not decisions.num_rows:
        return works
    named = pa.array([*decisions["first"].to_pylist(), *decisions["second"].to_pylist()])
    rows = pc.indices_nonzero(pc.is_in(names, value_set=named)).to_pylist()
    work = {row: works[row].as_py() for row in rows}
    of_name: dict[str, list[int]] = {}
    for row in rows:
        of_name.setdefault(names[row].as_py(), []).append(row)
    pairs = [(row["kind"], row["first"], row["second"]) for row in decisions.to_pylist()]

    for kind, first, second in pairs:
        if kind == SPLIT:
            both = {work[row] for row in of_name.get(first, ())}
            both &= {work[row] for row in of_name.get(second, ())}
            for one in both:
                away = first if one == second else second
                work |= {row: away for row in of_name[away] if work[row] == one}
    mask = np.zeros(len(works), bool)
    mask[rows] = True
    works = pc.replace_with_mask(works.combine_chunks(), mask, pa.array(work.values(), pa.string()))

    joined = _Joined(works, loaded, sources)
    for kind, first, second in pairs:
        if kind == JOIN:
            known = {work[row] for name in (first, second) for row in of_name.get(name, ())}
            joined.join(known | ({first, second} & {*loaded}))
    before = pa.array(joined.parents, pa.string())
    after = pa.array([joined.find(name) for name in joined.parents], pa.string())
    return pc.coalesce(after.take(pc.index_in(works, value_set=before)), works)


class _Joined:
    """Works that decisions join."""

    def __init__(
        self, works: pa.Array, loaded: Collection[str], sources: pa.ChunkedArray | None
    ) -> None:
        self.parents: dict[str, str] = {}
        """Joined work -> the one that it joins."""
        self._loaded = loaded
        self._sources: dict[str, set[str]] = {}
        if sources is not None:
            for work, source in zip(works.to_pylist(), sources.to_pylist(), strict=True):
                self._sources.setdefault(work, set()).add(source)

    def find(self, work: str) -> str:
        """The work that stands for all that are joined with this one."""
        while work in self.parents:
            work = self.parents[work]
        return work

    def join(self, works: Collection[str]) -> None:
        """Joins works, as far as they are not two loaded papers and share no source."""
        first, *others = sorted({self.find(work) for work in works}, key=self._rank) or [""]
        for other in others:
            mine, its = (self._sources.get(work, set()) for work in (first, other))
            if not mine & its and other not in self._loaded:
                self.parents[other] = first
                self._sources[first] = mine | its

    def _rank(self, work: str) -> tuple[bool, bool, str]:
        return (work not in self._loaded, work.startswith(("key:", "ref:")), work)
