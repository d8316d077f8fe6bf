"""Data sets of tables -> tables of the graph, in parts.

The table of papers is read twice: for the ids, which citations refer to, and for all other columns.
Only codes of citations are kept in memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import SourceError
from citescape.core.paths import path_text
from citescape.core.types import Paper
from citescape.ingest.citation_lists import CitationLists, read_citation_lists, reference_tables
from citescape.ingest.files import LoadedFile
from citescape.ingest.parse import (
    CITATIONS,
    LEAST_SHARE,
    REPORT,
    VALUES,
    Known,
    Parsed,
    ReportRow,
    rejected_row,
    report_row,
    unchanged_row,
)
from citescape.ingest.table_index import TableIndex, read_index, read_rows
from citescape.ingest.table_mentions import WorkMention, sort_mentions, text_of
from citescape.ingest.table_values import AddedValues, read_values
from citescape.ingest.tables import paper_id, paper_tables
from citescape.loaders.datasets import DataSet
from citescape.loaders.table_rows import PaperRow
from citescape.loaders.text_limits import check_texts

_CHUNK = 512
"""Papers of one part."""
_REFERENCES_OF_A_FULL_TEXT = 60


class TablePapers:
    """The papers of a data set; `parse` reads them."""

    def __init__(self, data_set: DataSet) -> None:
        self.data_set = data_set
        self._index = TableIndex(data_set.name)
        self.is_whole = False
        """Whether all rows were read and none was rejected: then missing papers are removed."""

    def __contains__(self, node: str) -> bool:
        """Whether the table holds a paper of this id."""
        return node in self._index.nodes

    def has_row(self, id_: str) -> bool:
        """Whether the table has a row with this id; after `read_ids`."""
        return id_ in self._index.codes

    def read_ids(self) -> bool:
        """Reads the ids alone; False if some cannot be read, which `parse` will report."""
        with suppress(SourceError):
            self._index = read_index(self.data_set)
            return not self._index.rejected
        return False

    def parse(self, known: Known) -> Iterator[Parsed]:
        """Reads the tables: first reports of citations and added values, then papers.

        If a table cannot be read to its end, the result is a report of that error only.

        Args:
            known: finds the paper of a loaded row.
        """
        with TemporaryDirectory(prefix="citescape-") as folder:
            try:
                self._index = self._index if self._index.nodes else read_index(self.data_set)
                lists = read_citation_lists(self.data_set, self._index, Path(folder))
                values = read_values(self.data_set, self._index, Path(folder))
            except SourceError as error:
                yield Parsed({}, _report([rejected_row(error)]))
                return
            yield from self._parse(lists, values, known)

    def _parse(self, lists: CitationLists, values: AddedValues, known: Known) -> Iterator[Parsed]:
        accounts: list[ReportRow] = [
            {
                "path": account.path,
                "status": CITATIONS,
                "references": account.kept,
                "lost": list(account.lost.items()),
                "notes": list(account.notes.items()),
            }
            for account in lists.accounts
        ]
        accounts += [
            {
                "path": account.path,
                "status": VALUES,
                "references": account.kept,
                "lost": list(account.lost.items()),
                "notes": [(account.content, account.kept)],
            }
            for account in values.accounts
        ]
        yield Parsed({}, _report(accounts))
        chunks = _Chunks(self.data_set, self._index, lists, values)
        whole = not self.data_set.table_format.in_parts
        rows = read_rows(self.data_set)
        while chunk := list(islice(rows, _CHUNK)):
            parsed = chunks.parse(chunk, known)
            whole &= parsed.report["reason"].null_count == parsed.report.num_rows
            yield parsed
        self.is_whole = whole


class _Chunks:
    """Rows of a table of papers -> tables and a report."""

    def __init__(
        self, data_set: DataSet, index: TableIndex, lists: CitationLists, values: AddedValues
    ) -> None:
        self._data_set = data_set
        self._index = index
        self._lists = lists
        self._values = values
        self._seen = bytearray(len(index.nodes))
        self._first: dict[int, tuple[str, str]] = {}
        """Id and hash of the first row, for papers with several rows."""

    def parse(self, chunk: Sequence[tuple[Path, PaperRow | SourceError]], known: Known) -> Parsed:
        """Tables of the new papers of some rows, each with its file, and a report of all rows."""
        report: list[ReportRow] = []
        rows: list[tuple[Path, PaperRow]] = []
        for file, row in chunk:
            if isinstance(row, SourceError):
                report.append(rejected_row(row))
            elif row.id:
                rows.append((file, row))
            else:
                message = "a paper without id; expected an id in each row"
                place = f"{file}:{row.line}"
                report.append(rejected_row(SourceError(place, "no-id", message)))
        codes = np.array([self._index.codes[row.id] for _, row in rows], np.int64)
        papers: list[tuple[str, PaperRow, Paper]] = []
        for (file, row), cited, mentions in zip(
            rows, self._cited(codes), self._mentions(codes), strict=True
        ):
            try:
                paper = check_texts(self._paper(path_text(file), row, cited, mentions))
                papers.append((f"{file}:{row.line}", row, paper))
            except SourceError as error:
                report.append(rejected_row(error))
        unchanged = known([(paper.path, paper.sha256) for _, _, paper in papers])
        fresh: dict[int, Paper] = {}
        for place, row, paper in papers:
            code = self._index.codes[row.id]
            outcome = self._outcome(place, row, paper, code=code, known=unchanged.get(paper.path))
            if outcome is None:
                fresh[code] = paper
            else:
                report.append(outcome)

        codes = np.array(list(fresh), np.int64)
        tables = paper_tables(list(fresh.values()))
        references = reference_tables(self._lists, codes, source=self._data_set.name)
        if references["Reference"].num_rows:
            tables |= references
        counts = np.diff(self._lists.of(codes)[0])
        for paper, count in zip(fresh.values(), counts.tolist(), strict=True):
            report.append({**report_row(paper, paper_id(paper)), "references": count})
        share = counts.mean() / _REFERENCES_OF_A_FULL_TEXT if len(counts) else 1.0
        share = max(share, LEAST_SHARE)
        return Parsed(tables, _report(report), self._data_set.name, share)

    def _paper(
        self, file: str, row: PaperRow, cited: str, mentions: tuple[WorkMention, ...]
    ) -> Paper:
        """The record of a row; its hash covers all cells, in any order of rows and columns."""
        own_id, own = self._index.own_id(row.id), self._data_set.table_format
        paper: Paper = own.record_of(
            row, path=f"{file}#{row.id}", sha256="", own_id=own_id, loader=own.version
        )
        paper, added = self._values.add(paper, self._index.codes[row.id])
        content = (own_id, sorted(row.fields.items()), cited, mentions, *added)
        sha256 = hashlib.sha256(repr(content).encode()).hexdigest()
        paper = replace(paper, source=self._data_set.name, sha256=sha256)
        if not mentions:
            return paper
        text = text_of(mentions)
        losses = replace(text["losses"], notes=paper.losses.notes)
        return replace(paper, **{**text, "losses": losses})

    def _mentions(self, codes: np.ndarray) -> Iterator[tuple[WorkMention, ...]]:
        """The mentions of cited works in each paper."""
        for code, own in zip(codes, self._lists.mentions.of(codes), strict=True):
            yield sort_mentions(own, self._lists.of(np.array([code]))[1].tolist()) if own else ()

    def _cited(self, codes: np.ndarray) -> list[str]:
        """The works that each paper cites, as one text."""
        offsets, cited = self._lists.of(codes)
        nodes = self._lists.works["printed"].take(pa.array(cited)).combine_chunks()
        lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), nodes)
        texts: list[str] = pc.binary_join(lists, "\n").to_pylist()
        return texts

    def _outcome(
        self, place: str, row: PaperRow, paper: Paper, *, code: int, known: LoadedFile | None
    ) -> ReportRow | None:
        """The row of the report for a row that is not loaded; None for a new paper."""
        own, again = paper_id(paper), bool(self._seen[code])
        self._seen[code] = True
        if code in self._index.repeated:
            id_, sha256 = self._first.setdefault(code, (row.id, paper.sha256))
            if id_ == row.id and sha256 != paper.sha256:
                message = f"repeated id {row.id!r} with other content; the first row counts"
                return rejected_row(SourceError(place, "repeated-id", message))
        if known is not None:
            return unchanged_row(known)
        if not again:
            return None
        loader = self._data_set.table_format.version
        found = {"path": paper.path, "paper": own, "sha256": paper.sha256, "loader": loader}
        return {**found, "status": "copy"}


def _report(rows: list[ReportRow]) -> pa.Table:
    return pa.Table.from_pylist(rows, REPORT)
