"""Data sets of tables -> the graph's tables, some papers at a time.

The table of papers is read twice: for the ids, which citations are made of, and for all the rest.
Of citations only numbers are held.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import SourceError
from citescape.core.types import Paper
from citescape.ingest.citation_lists import CitationLists, read_citation_lists, reference_tables
from citescape.ingest.parse import CITATIONS, REPORT, Known, Parsed, rejected_row, report_row
from citescape.ingest.table_index import TableIndex, read_index
from citescape.ingest.tables import paper_id, paper_tables
from citescape.loaders.datasets import DataSet
from citescape.loaders.lines import Lines
from citescape.loaders.table_rows import Row, record_of

_CHUNK = 512
"""Papers that are handed on together."""
_LEAST_SHARE = 1 / 16
_REFERENCES_OF_A_FULL_TEXT = 60

_ReportRow = dict[str, object]


class TablePapers:
    """The papers of a data set; `parse` reads them."""

    def __init__(self, data_set: DataSet) -> None:
        self.data_set = data_set
        self._index = TableIndex(data_set.name)
        self.is_whole = False
        """Whether all rows were read and none was rejected: a paper that is not there is gone."""

    def __contains__(self, node: str) -> bool:
        """Whether the table holds a paper of this id."""
        return node in self._index.nodes

    def has_row(self, id_: str) -> bool:
        """Whether the table has a row of this id, once its ids are read."""
        return id_ in self._index.codes

    def read_ids(self) -> bool:
        """Reads the ids alone; False if some cannot be read, of which `parse` will tell."""
        with suppress(SourceError):
            self._index = read_index(self.data_set)
            return not self._index.rejected
        return False

    def parse(self, known: Known) -> Iterator[Parsed]:
        """Reads the tables: first how their citations fared, then papers with their references.

        Where a table cannot be read to its end, nothing of the data set is given but that.

        Args:
            known: tells which papers are loaded already.
        """
        try:
            self._index = self._index if self._index.nodes else read_index(self.data_set)
            lists = read_citation_lists(self.data_set, self._index)
        except SourceError as error:
            yield Parsed({}, _report([rejected_row(error)]))
            return
        yield Parsed({}, _report(_accounts(lists)))
        whole, chunks = True, _Chunks(self.data_set, self._index, lists)
        rows = self.data_set.how.read_papers(Lines(self.data_set.papers))
        while chunk := list(islice(rows, _CHUNK)):
            parsed = chunks.parse(chunk, known)
            whole &= parsed.report["reason"].null_count == parsed.report.num_rows
            yield parsed
        self.is_whole = whole


class _Chunks:
    """Rows of a table of papers -> tables and a report."""

    def __init__(self, data_set: DataSet, index: TableIndex, lists: CitationLists) -> None:
        self._data_set = data_set
        self._index = index
        self._lists = lists
        self._seen = bytearray(len(index.nodes))
        self._first: dict[int, tuple[str, str]] = {}
        """Id and hash of the first row of papers with several."""

    def parse(self, chunk: Sequence[Row | SourceError], known: Known) -> Parsed:
        """Some rows: what is new as tables, and what became of each."""
        report = [rejected_row(error) for row in chunk if (error := self._error(row))]
        rows = [row for row in chunk if isinstance(row, Row) and row.id]
        codes = np.array([self._index.codes[row.id] for row in rows], np.int64)
        fresh: dict[int, Paper] = {}
        for row, code, cited in zip(rows, codes.tolist(), self._cited(codes), strict=True):
            paper = record_of(
                row, path=self._path(row), sha256=self._hash(row, cited), own_id=self._own(row)
            )
            told = self._outcome(row, paper, code=code, known=known)
            if told is None:
                fresh[code] = paper
            else:
                report.append(told)
        return self._parsed(fresh, report)

    def _error(self, row: Row | SourceError) -> SourceError | None:
        if isinstance(row, SourceError) or row.id:
            return row if isinstance(row, SourceError) else None
        message = "a paper without id; expected one in each row"
        return SourceError(f"{self._data_set.papers}:{row.line}", "no-id", message)

    def _path(self, row: Row) -> str:
        return f"{self._data_set.place}#{row.id}"

    def _own(self, row: Row) -> str:
        return self._index.own_id(row.id)

    def _hash(self, row: Row, cited: str) -> str:
        """Of all that the tables say of a paper, in whatever order their rows and columns are."""
        said = (self._own(row), sorted(row.fields.items()), cited)
        return hashlib.sha256(repr(said).encode()).hexdigest()

    def _cited(self, codes: np.ndarray) -> list[str]:
        """The node ids that papers cite, those of each as one text."""
        offsets, cited = self._lists.of(codes)
        nodes = self._lists.works["node"].take(pa.array(cited)).combine_chunks()
        lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), nodes)
        texts: list[str] = pc.binary_join(lists, "\n").to_pylist()
        return texts

    def _outcome(self, row: Row, paper: Paper, *, code: int, known: Known) -> _ReportRow | None:
        """The row of the report for what need not be loaded; None for what is new."""
        own, again = paper_id(paper), bool(self._seen[code])
        self._seen[code] = True
        if code in self._index.repeated:
            id_, sha256 = self._first.setdefault(code, (row.id, paper.sha256))
            if id_ == row.id and sha256 != paper.sha256:
                place = f"{self._data_set.papers}:{row.line}"
                message = f"id {row.id!r} again, with other content; the first one counts"
                return rejected_row(SourceError(place, "repeated-id", message))
        is_known = known(paper.path, paper.sha256) is not None
        if not (is_known or again):
            return None
        status = "unchanged" if is_known else "copy"
        return {"path": paper.path, "paper": own, "sha256": paper.sha256, "status": status}

    def _parsed(self, fresh: dict[int, Paper], report: list[_ReportRow]) -> Parsed:
        codes = np.array(list(fresh), np.int64)
        tables = paper_tables(list(fresh.values()), loader=self._data_set.how.version)
        references = reference_tables(self._lists, codes)
        if references["Reference"].num_rows:
            tables |= references
        counts = np.diff(self._lists.of(codes)[0])
        for paper, count in zip(fresh.values(), counts.tolist(), strict=True):
            report.append({**report_row(paper, paper_id(paper)), "references": count})
        share = counts.mean() / _REFERENCES_OF_A_FULL_TEXT if len(counts) else 1.0
        return Parsed(tables, _report(report), share=max(share, _LEAST_SHARE))


def _report(rows: list[_ReportRow]) -> pa.Table:
    return pa.Table.from_pylist(rows, REPORT)


def _accounts(lists: CitationLists) -> list[_ReportRow]:
    """A row of the report for each table of citations."""
    return [
        {
            "path": account.path,
            "status": CITATIONS,
            "references": account.kept,
            "lost": list(account.lost.items()),
            "notes": list(account.notes.items()),
        }
        for account in lists.accounts
    ]
