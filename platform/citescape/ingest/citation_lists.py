"""Citations between the papers of a data set of tables -> reference lists.

A cited work that is not in the table of papers stays, as one known from reference lists only. A
citing one has nobody to bear its list: its citations are counted and left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.paths import path_text
from citescape.core.types import Identifiers
from citescape.ingest.identity import NAMED
from citescape.ingest.table_index import TableIndex
from citescape.loaders.datasets import DataSet
from citescape.loaders.lines import Lines
from citescape.loaders.table_rows import doi_of
from citescape.store.schema import TABLE


@dataclass(frozen=True)
class Account:
    """What a table of citations held: its lines are `kept` and those that are lost."""

    path: str
    kept: int
    lost: dict[str, int]
    """Lines by what is wrong with them: `not-a-pair`, `unknown-citing`, `self-citation`,
    `repeated`."""
    notes: dict[str, int]
    """`unknown-cited`: of those kept; `recoded`: lines that are not UTF-8."""


@dataclass(frozen=True)
class CitationLists:
    """What each of n papers cites, by the node ids of what is cited; each work once."""

    starts: np.ndarray
    """The list of paper i is ``cited[starts[i]:starts[i + 1]]``; int64 (n + 1,)."""
    cited: np.ndarray
    """Rows of `works`; int32."""
    works: pa.Table
    """`node`, `source_id`, `doi`, `pmid`, `key`: the papers, then what else is cited."""
    accounts: tuple[Account, ...]

    def of(self, papers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Offsets (k + 1,) and rows of `works` that k papers cite, one list behind the other."""
        lengths = self.starts[papers + 1] - self.starts[papers]
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        shift = np.repeat(self.starts[papers] - offsets[:-1], lengths)
        return offsets, self.cited[shift + np.arange(offsets[-1])]


def read_citation_lists(data_set: DataSet, index: TableIndex) -> CitationLists:
    """Reads the citations of a data set.

    Raises:
        SourceError: a file cannot be read to its end; nothing of it is used then.
    """
    codes = _Codes(index)
    lines = [_read_lines(data_set, path, codes) for path in data_set.citations]
    ends = np.concatenate([np.zeros((2, 0), np.int32), *(part.ends for part in lines)], axis=1)
    works = codes.works()
    cases, order = _judge(ends, works["node"], papers=len(index.nodes))
    kept = order[cases[order] >= _KEPT]
    starts = np.searchsorted(ends[0, kept], np.arange(len(index.nodes) + 1))
    places = np.cumsum([part.ends.shape[1] for part in lines])[:-1]
    told = zip(lines, np.split(cases, places), strict=True) if lines else ()
    accounts = tuple(_account(part, own) for part, own in told)
    return CitationLists(starts, ends[1, kept], works, accounts)


@dataclass(frozen=True)
class _Lines:
    """What a table of citations says."""

    path: str
    ends: np.ndarray
    """Codes of citing and cited works, int32 (2, pairs)."""
    broken: int
    recoded: int


def _read_lines(data_set: DataSet, path: Path, codes: _Codes) -> _Lines:
    lines, broken, found = Lines(path), 0, [np.zeros((2, 0), np.int32)]
    for pairs in data_set.how.read_citations(lines):
        found.append(np.stack([codes.of(pairs.citing), codes.of(pairs.cited)]))
        broken += pairs.broken
    return _Lines(path_text(path), np.concatenate(found, axis=1), broken, lines.recoded)


_LOST = ("unknown-citing", "self-citation", "repeated")
_KEPT, _UNKNOWN_CITED = len(_LOST), len(_LOST) + 1


def _judge(
    ends: np.ndarray, nodes: pa.ChunkedArray, *, papers: int
) -> tuple[np.ndarray, np.ndarray]:
    """What each pair is (a place in `_LOST`, or kept), and an order by citing, then cited node."""
    rank = np.empty(len(nodes), np.int32)
    rank[pc.sort_indices(nodes).to_numpy()] = np.arange(len(nodes), dtype=np.int32)
    order = np.lexsort((rank[ends[1]], ends[0]))
    again = np.zeros(ends.shape[1], bool)
    again[order[1:]] = (ends[:, order[1:]] == ends[:, order[:-1]]).all(axis=0)
    cases = np.where(ends[1] < papers, _KEPT, _UNKNOWN_CITED)
    cases[again] = _LOST.index("repeated")
    cases[ends[0] == ends[1]] = _LOST.index("self-citation")
    cases[ends[0] >= papers] = _LOST.index("unknown-citing")
    return cases, order


def _account(lines: _Lines, cases: np.ndarray) -> Account:
    counts = np.bincount(cases, minlength=_UNKNOWN_CITED + 1)
    lost = {"not-a-pair": lines.broken, **dict(zip(_LOST, counts.tolist(), strict=False))}
    notes = {"unknown-cited": int(counts[_UNKNOWN_CITED]), "recoded": lines.recoded}
    return Account(
        lines.path,
        int(counts[_KEPT:].sum()),
        {name: n for name, n in lost.items() if n},
        {name: n for name, n in notes.items() if n},
    )


class _Codes:
    """Ids of citations -> codes: papers from 0 to n - 1, other works from n on."""

    def __init__(self, index: TableIndex) -> None:
        self._index = index
        self._ids = pa.array(index.codes, pa.string())
        self._codes = np.fromiter(index.codes.values(), np.int32, len(index.codes))
        self._others: dict[str, int] = {}

    def of(self, ids: list[str]) -> np.ndarray:
        """Their codes, int32."""
        column = pa.array(ids, pa.string())
        place = pc.fill_null(pc.index_in(column, value_set=self._ids), -1).to_numpy()
        codes = np.where(place < 0, np.int32(-1), self._codes[place])
        unknown = np.flatnonzero(place < 0)
        encoded = column.take(pa.array(unknown)).dictionary_encode()
        other = np.array([self._other(id_) for id_ in encoded.dictionary.to_pylist()], np.int32)
        codes[unknown] = other[encoded.indices.to_numpy()]
        return codes

    def _other(self, id_: str) -> int:
        known = self._index.code_elsewhere(id_)
        if known is not None:
            return known
        return self._others.setdefault(id_, len(self._index.nodes) + len(self._others))

    def works(self) -> pa.Table:
        """All works met so far, by code."""
        dois = [doi_of(id_) for id_ in self._others]
        of_others = (Identifiers(doi) for doi in dois)
        nodes = [*self._index.nodes, *map(self._index.node_of, self._others, of_others)]
        table = pa.table(
            {
                "node": pa.array(nodes, pa.string()),
                "source_id": pa.array([*self._index.ids, *self._others], pa.string()),
                "doi": pa.array([*(i.doi for i in self._index.identifiers), *dois], pa.string()),
                "pmid": pa.array(
                    [*(i.pmid for i in self._index.identifiers), *[None] * len(dois)], pa.string()
                ),
            }
        )
        named = pc.and_(pc.is_null(table["doi"]), pc.is_null(table["pmid"]))
        key = pc.binary_join_element_wise(NAMED, table["node"], "")
        return table.append_column("key", pc.if_else(named, key, pa.scalar(None, pa.string())))


def reference_tables(lists: CitationLists, papers: np.ndarray) -> dict[str, pa.Table]:
    """The reference lists of some papers as tables of the graph, `Reference`, `HAS_REFERENCE`."""
    offsets, cited = lists.of(papers)
    lengths = np.diff(offsets)
    ordinal = pa.array(np.arange(len(cited)) - np.repeat(offsets[:-1], lengths))
    owner = lists.works["node"].take(pa.array(np.repeat(papers, lengths)))
    own = pc.binary_join_element_wise(owner, pc.cast(ordinal, pa.string()), "#r")
    told = lists.works.select(["source_id", "doi", "pmid", "key"]).take(pa.array(cited))
    columns = {"id": own, "ordinal": ordinal} | dict(zip(told.column_names, told, strict=True))
    rows = [
        columns[f.name] if f.name in columns else _nothing(f, len(cited))
        for f in TABLE["Reference"].arrow
    ]
    return {
        "Reference": pa.table(rows, schema=TABLE["Reference"].arrow),
        "HAS_REFERENCE": pa.table({"from": owner, "to": own}),
    }


_UNPRINTED = ("pmcid", "year")
"""What is null of a reference that prints nothing; the rest is empty."""


def _nothing(column: pa.Field, rows: int) -> pa.Array:
    if column.name in _UNPRINTED:
        return pa.nulls(rows, column.type)
    if pa.types.is_list(column.type):
        return pa.ListArray.from_arrays(np.zeros(rows + 1, np.int32), pa.array([], pa.string()))
    return pa.repeat(
        pa.scalar(False if pa.types.is_boolean(column.type) else "", column.type), rows
    )
