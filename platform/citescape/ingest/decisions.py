"""Decisions of users on which entries and records are of one work.

An entry of a reference list or a record of a paper has a *name*: the most trusted id that it
prints, else its title key. A decision joins the works of two names, or keeps two names apart.
Decisions are nodes of the graph and are applied whenever works are matched, so they last when
papers are loaded again, and their removal undoes them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.identity import ID_KINDS, NAMED
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

JOIN, SPLIT = "join", "split"


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
    sources: Iterable[str] | None = None,
) -> pa.ChunkedArray:
    """The works after decisions: first names are kept apart, then works are joined.

    Joined works have the id of the loaded paper among them, else of a work with an id, else the
    smallest.

    Args:
        names: name of each entry or record.
        works: its work.
        decisions: see `read_decisions`.
        loaded: ids of loaded papers; two are never joined.
        sources: source of each record; works with a common source are not joined.
    """
    if not decisions.num_rows:
        return works
    named = decisions["first"].to_pylist() + decisions["second"].to_pylist()
    rows = pc.indices_nonzero(pc.is_in(names, value_set=pa.array(named))).to_pylist()
    work: list[str] = works.to_pylist()
    of_name: dict[str, list[int]] = {}
    for row in rows:
        of_name.setdefault(names[row].as_py(), []).append(row)

    pairs = list(zip(*(decisions[c].to_pylist() for c in ("kind", "first", "second")), strict=True))
    for kind, first, second in pairs:
        if kind == SPLIT:
            both = {work[row] for row in of_name.get(first, ())}
            both &= {work[row] for row in of_name.get(second, ())}
            for one in both:
                away = first if one == second else second
                for row in of_name[away]:
                    work[row] = away if work[row] == one else work[row]

    joined = _Joined(work, loaded, sources)
    for kind, first, second in pairs:
        if kind == JOIN:
            known = {work[row] for name in (first, second) for row in of_name.get(name, ())}
            joined.join(sorted(known | ({first, second} & {*loaded})))
    return pa.chunked_array([pa.array([joined.find(w) for w in work], pa.string())])


class _Joined:
    """Works that decisions join."""

    def __init__(
        self, works: list[str], loaded: Collection[str], sources: Iterable[str] | None
    ) -> None:
        self._parent: dict[str, str] = {}
        self._loaded = loaded
        self._sources: dict[str, set[str]] = {}
        for work, source in zip(works, sources or (), strict=False):
            self._sources.setdefault(work, set()).add(source)

    def find(self, work: str) -> str:
        while work in self._parent:
            work = self._parent[work]
        return work

    def join(self, works: list[str]) -> None:
        """Joins works, as far as they are not two loaded papers and share no source."""
        roots = sorted({self.find(work) for work in works}, key=self._rank)
        for other in roots[1:]:
            first = roots[0]
            mine, others = (self._sources.get(work, set()) for work in (first, other))
            if mine & others or other in self._loaded:
                continue
            self._parent[other] = first
            self._sources[first] = mine | others

    def _rank(self, work: str) -> tuple[bool, bool, str]:
        return (work not in self._loaded, work.startswith(("key:", "ref:")), work)
