"""Citations between the papers of a data set of tables -> reference lists.

A cited work outside the table of papers is kept, as one known from reference lists only. Citations
of a citing work outside the table are counted and skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.mapped_rows import MappedRows
from citescape.core.paths import path_text
from citescape.ingest.identity import ID_KINDS, NAMED
from citescape.ingest.table_index import TableIndex
from citescape.loaders.datasets import DataSet
from citescape.loaders.lines import TextLines
from citescape.loaders.table_rows import Mention
from citescape.store.schema import TABLE


@dataclass(frozen=True)
class Account:
    """Numbers of kept and lost lines of a table of citations."""

    path: str
    kept: int
    lost: dict[str, int]
    """Lost lines by reason: `not-a-pair`, `unidentified-cited`, `unknown-citing`, `self-citation`,
    `repeated`."""
    notes: dict[str, int]
    """`unknown-cited`: kept lines with an unknown cited work; `mentioned-again`: kept lines of a
    pair that was there before, with another sentence or section; `influential`: kept lines
    of which the source says so; `recoded`: lines not in UTF-8."""


@dataclass(frozen=True)
class CitationLists:
    """The works that each of n papers cites, each work once."""

    starts: np.ndarray
    """The list of paper i is ``cited[starts[i]:starts[i + 1]]``; int64 (n + 1,)."""
    cited: np.ndarray
    """Rows of `works`; int32."""
    works: pa.Table
    """`node`, `printed`, `source_id`, the kinds of identifiers, `key`: the papers, then others.

    `printed` is the node id by what references print: that of `node`, unless only the row of the
    paper has a more trusted identifier.
    """
    accounts: tuple[Account, ...]
    mentions: Mentions

    def of(self, papers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Offsets (k + 1,) and rows of `works`: the concatenated lists of k papers."""
        lengths = self.starts[papers + 1] - self.starts[papers]
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        shift = np.repeat(self.starts[papers] - offsets[:-1], lengths)
        return offsets, self.cited[shift + np.arange(offsets[-1])]


class Mentions:
    """Sentences, sections and intents of citations, on disk.

    Memory is that of their codes; texts are read for the papers that are asked for.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = pa.OSFile(str(path), "wb")
        self._writer = pa.ipc.new_stream(self._file, _MENTIONS)
        self.has_any = False

    def add(self, ends: np.ndarray, mentions: Sequence[Mention]) -> None:
        """Adds one mention for each pair (2, k) of codes."""
        if mentions:
            self.has_any = True
            columns = [ends[0], ends[1], *zip(*mentions, strict=True)]
            arrays = [pa.array(c, f.type) for c, f in zip(columns, _MENTIONS, strict=True)]
            self._writer.write_batch(pa.record_batch(arrays, schema=_MENTIONS))

    def close(self) -> None:
        """Ends writing; after that the mentions can be read."""
        self._writer.close()
        self._file.close()
        rows = pa.ipc.open_stream(pa.memory_map(str(self._path))).read_all()
        self._rows = MappedRows(rows)
        citing = rows["citing"].to_numpy()
        self._order = np.argsort(citing, kind="stable")
        self._citing = citing[self._order]

    def of(self, papers: np.ndarray) -> Iterator[dict[tuple[int, Mention], None]]:
        """For each paper the works that it mentions and how, in the order of the table."""
        begins = np.searchsorted(self._citing, papers, "left")
        ends = np.searchsorted(self._citing, papers, "right")
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
            rows = self._rows.take(self._order[begin:end])  # ascending for one paper
            texts = zip(*(rows[name].to_pylist() for name in Mention._fields), strict=True)
            cited = rows["cited"].to_pylist()
            yield dict.fromkeys(zip(cited, map(Mention._make, texts), strict=True))


_MENTIONS = pa.schema(
    [("citing", pa.int32()), ("cited", pa.int32()), *((n, pa.string()) for n in Mention._fields)]
)


def read_citation_lists(data_set: DataSet, index: TableIndex, folder: Path) -> CitationLists:
    """Reads the citations of a data set.

    Args:
        data_set: the tables.
        index: ids of its papers.
        folder: an empty folder, which holds the texts of mentions while the lists are used.

    Raises:
        SourceError: a file cannot be read to its end.
    """
    codes, mentions = _Codes(index), Mentions(folder / "mentions.arrow")
    tables = [_read_lines(data_set, path, codes, mentions) for path in data_set.citations]
    mentions.close()
    ends = np.concatenate([np.zeros((2, 0), np.int32), *(table.ends for table in tables)], axis=1)
    mentioned = np.concatenate([np.zeros(0, bool), *(table.mentioned for table in tables)])
    works = codes.works()
    cases, order = _judge(ends, works["printed"], mentioned, papers=len(index.nodes))
    kept = order[(cases[order] == _KEPT) | (cases[order] == _UNKNOWN_CITED)]
    starts = np.searchsorted(ends[0, kept], np.arange(len(index.nodes) + 1))
    accounts, begin = [], 0
    for table in tables:
        end = begin + table.ends.shape[1]
        counts = np.bincount(cases[begin:end], minlength=_AGAIN + 1)
        lost = {
            "not-a-pair": table.broken,
            "unidentified-cited": table.unidentified,
            "unknown-citing": table.unknown,
            **dict(zip(_LOST, counts.tolist(), strict=False)),
        }
        is_kept = cases[begin:end] >= _KEPT
        notes = {
            "unknown-cited": int(counts[_UNKNOWN_CITED]),
            "recoded": table.recoded,
            "mentioned-again": int(counts[_AGAIN]),
            "influential": int(np.count_nonzero(table.influential & is_kept)),
        }
        accounts.append(
            Account(
                table.path,
                int(counts[_KEPT:].sum()),
                {name: n for name, n in lost.items() if n},
                {name: n for name, n in notes.items() if n},
            )
        )
        begin = end
    return CitationLists(starts, ends[1, kept], works, tuple(accounts), mentions)


@dataclass(frozen=True)
class _Lines:
    """Citations of one table, as codes."""

    path: str
    ends: np.ndarray
    """Codes of citing and cited works, int32 (2, pairs)."""
    mentioned: np.ndarray
    """Whether the line says where or how the work is cited, bool (pairs,)."""
    influential: np.ndarray
    """Whether the source calls the cited work influential, bool (pairs,)."""
    broken: int
    unidentified: int
    unknown: int
    """Lines whose citing work is not a paper of the data set; they have no codes."""
    recoded: int


def _read_lines(data_set: DataSet, path: Path, codes: _Codes, mentions: Mentions) -> _Lines:
    lines, ends = TextLines(path), [np.zeros((2, 0), np.int32)]
    mentioned, influential = [np.zeros(0, bool)], [np.zeros(0, bool)]
    broken = unidentified = unknown = 0
    for pairs in data_set.table_format.read_citations(lines):
        citing = codes.of_papers(pairs.citing)
        known = citing >= 0
        # A file may cite from millions of other works: their lines are only counted.
        unknown += int(np.count_nonzero(~known))
        cited = codes.of([id_ for id_, own in zip(pairs.cited, known, strict=True) if own])
        coded = np.stack([citing[known], cited])
        pair = range(len(known)) if pairs.mentioned is None else pairs.mentioned
        placed = [
            (place, mention)
            for place, mention in zip(pair, pairs.mentions, strict=bool(pairs.mentions))
            if known[place] and any(mention)
        ]
        among = np.cumsum(known) - 1  # place of a pair among those with a known citing work
        places = among[[place for place, _ in placed]] if placed else np.zeros(0, np.int64)
        mentions.add(coded[:, places], [mention for _, mention in placed])
        ends.append(coded)
        mentioned.append(np.isin(np.arange(coded.shape[1]), places))
        flags = np.array(pairs.influential or np.zeros(len(known)), bool)
        influential.append(flags[known])
        broken += pairs.broken
        unidentified += pairs.unidentified
    return _Lines(
        path_text(path),
        np.concatenate(ends, axis=1),
        np.concatenate(mentioned),
        np.concatenate(influential),
        broken,
        unidentified,
        unknown,
        lines.recoded,
    )


_LOST = ("self-citation", "repeated")
_KEPT, _UNKNOWN_CITED, _AGAIN = range(len(_LOST), len(_LOST) + 3)


def _judge(
    ends: np.ndarray, printed: pa.ChunkedArray, mentioned: np.ndarray, *, papers: int
) -> tuple[np.ndarray, np.ndarray]:
    """Index of each line in `_LOST`, or kept; and the order by citing, then printed cited work."""
    rank = np.empty(len(printed), np.int32)
    rank[pc.sort_indices(printed).to_numpy()] = np.arange(len(printed), dtype=np.int32)
    order = np.lexsort((rank[ends[1]], ends[0]))
    again = np.zeros(ends.shape[1], bool)
    again[order[1:]] = (ends[:, order[1:]] == ends[:, order[:-1]]).all(axis=0)
    cases = np.where(ends[1] < papers, _KEPT, _UNKNOWN_CITED)
    cases[again] = np.where(mentioned[again], _AGAIN, _LOST.index("repeated"))
    cases[ends[0] == ends[1]] = _LOST.index("self-citation")
    return cases, order


class _Codes:
    """Ids of citations -> codes: papers from 0 to n - 1, other works from n on."""

    def __init__(self, index: TableIndex) -> None:
        self._index = index
        self._ids = pa.array(index.codes, pa.string())
        self._codes = np.fromiter(index.codes.values(), np.int32, len(index.codes))
        self._others: dict[str, int] = {}

    def of(self, ids: list[str]) -> np.ndarray:
        """Codes of the ids, int32; new ones for works that were not read before."""
        return self._code(ids, self._other)

    def of_papers(self, ids: list[str]) -> np.ndarray:
        """Codes of the ids, int32; -1 for works that are not in the table."""
        return self._code(ids, lambda _: -1)

    def _other(self, id_: str) -> int:
        return self._others.setdefault(id_, len(self._index.nodes) + len(self._others))

    def _code(self, ids: list[str], otherwise: Callable[[str], int]) -> np.ndarray:
        column = pa.array(ids, pa.string())
        place = pc.fill_null(pc.index_in(column, value_set=self._ids), -1).to_numpy()
        codes = np.where(place < 0, np.int32(-1), self._codes[place])
        unknown = np.flatnonzero(place < 0)
        encoded = column.take(pa.array(unknown)).dictionary_encode()
        others = []
        for id_ in encoded.dictionary.to_pylist():
            known = self._index.code_elsewhere(id_)
            others.append(otherwise(id_) if known is None else known)
        codes[unknown] = np.array(others, np.int32)[encoded.indices.to_numpy()]
        return codes

    def works(self) -> pa.Table:
        """All works read so far, by code: `node`, `source_id`, identifiers, `key`."""
        others = [self._index.identify_cited(id_) for id_ in self._others]
        ids = [*self._index.ids, *self._others]
        printed = [*self._index.identifiers, *others]
        nodes = list(map(self._index.node_of, ids, printed))
        columns = {
            "node": [*self._index.nodes, *nodes[len(self._index.nodes) :]],
            "printed": nodes,
            "source_id": ids,
            **{kind: [getattr(work, kind) for work in printed] for kind in ID_KINDS},
        }
        table = pa.table({name: pa.array(column, pa.string()) for name, column in columns.items()})
        named = reduce(pc.and_, (pc.is_null(table[kind]) for kind in ID_KINDS))
        key = pc.binary_join_element_wise(NAMED, table["node"], "")
        return table.append_column("key", pc.if_else(named, key, pa.scalar(None, pa.string())))


def reference_tables(
    lists: CitationLists, papers: np.ndarray, *, source: str
) -> dict[str, pa.Table]:
    """The reference lists of papers as tables of the graph, `Reference` and `HAS_REFERENCE`.

    Columns without a value are null or empty, as for a reference without printed text.
    """
    offsets, cited = lists.of(papers)
    lengths = np.diff(offsets)
    ordinal = pa.array(np.arange(len(cited)) - np.repeat(offsets[:-1], lengths))
    owner = lists.works["node"].take(pa.array(np.repeat(papers, lengths)))
    own = pc.binary_join_element_wise(owner, pc.cast(ordinal, pa.string()), "#r")
    works = lists.works.drop_columns(["node", "printed"]).take(pa.array(cited))
    columns = {"id": own, "ordinal": ordinal} | dict(zip(works.column_names, works, strict=True))
    size, schema = len(cited), TABLE["Reference"].arrow
    columns["data_source"] = pa.repeat(source, size)
    no_entries = pa.ListArray.from_arrays(np.zeros(size + 1, np.int32), pa.array([], pa.string()))
    for column in schema:
        if column.name in columns:
            continue
        if column.name == "year":
            columns[column.name] = pa.nulls(size, column.type)
        elif pa.types.is_list(column.type):
            columns[column.name] = no_entries
        else:
            empty = False if pa.types.is_boolean(column.type) else ""
            columns[column.name] = pa.repeat(pa.scalar(empty, column.type), size)
    return {
        "Reference": pa.table([columns[name] for name in schema.names], schema=schema),
        "HAS_REFERENCE": pa.table({"from": owner, "to": own}),
    }
