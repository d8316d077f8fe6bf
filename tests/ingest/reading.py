"""Files -> records of papers and a report, without a store, for tests of bad input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from citescape.core.errors import SourceError
from citescape.ingest.parse import REPORT, Parsed, Reading, parse_documents
from citescape.ingest.records import concat, owners
from citescape.ingest.table_papers import TablePapers
from citescape.loaders.datasets import find_sources
from citescape.loaders.formats import DOCUMENTS
from citescape.loaders.sources import iter_documents

_PLACES = frozenset(("path", "sha256", "source_paths", "source_sha256"))


@dataclass(frozen=True)
class Outcome:
    """What was read of some files."""

    tables: dict[str, pa.Table]
    report: list[dict[str, Any]]
    refusal: SourceError | None = None
    """The error for which nothing was read."""

    @property
    def titles(self) -> list[str]:
        """Titles of the papers, sorted."""
        papers = self.tables.get("Paper")
        return sorted(papers["title"].to_pylist()) if papers else []

    @property
    def papers(self) -> dict[str, list[str]]:
        """All rows of each paper by its title, without paths and hashes."""
        rows: dict[str, list[str]] = {}
        for name, table in self.tables.items():
            kept = table.select([c for c in table.column_names if c not in _PLACES])
            for owner, row in zip(owners(name, table).to_pylist(), kept.to_pylist(), strict=True):
                rows.setdefault(owner, []).append(f"{name} {row}")
        named = self.tables.get("Paper", pa.table({"id": [], "title": []}))
        titles = zip(named["id"].to_pylist(), named["title"].to_pylist(), strict=True)
        return {title: sorted(rows[id_]) for id_, title in titles}

    @property
    def reasons(self) -> Counter[str]:
        """Number of rejected documents and rows by reason, and the reason of a refusal."""
        found = Counter(row["reason"] for row in self.report if row["reason"])
        if self.refusal is not None:
            found[self.refusal.reason] += 1
        return found

    @property
    def statuses(self) -> Counter[str]:
        """Number of documents and rows by outcome."""
        return Counter(row["status"].partition(":")[0] for row in self.report)

    @property
    def notes(self) -> Counter[str]:
        """Number of minor problems by kind."""
        notes: Counter[str] = Counter()
        for row in self.report:
            notes.update(dict(row["notes"] or []))
        return notes


def read_files(paths: Sequence[Path], format_: str = "auto") -> Outcome:
    """Reads files as `ingest` does, in this process."""
    try:
        sources = find_sources(paths, format_=format_)
    except SourceError as error:
        _check_message(str(error))
        return Outcome({}, [], error)
    reading = Reading(format_ if format_ in DOCUMENTS else "auto")
    parsed = [*parse_documents(iter_documents(sources.documents), reading, workers=1)]
    for data_set in sources.data_sets:
        parsed += TablePapers(data_set).parse(lambda _: {})
    return _outcome(parsed)


def _outcome(parsed: Iterable[Parsed]) -> Outcome:
    parts = list(parsed)
    report = pa.concat_tables([REPORT.empty_table(), *(part.report for part in parts)]).to_pylist()
    for row in report:
        assert row["reason"] != "loader-fault", row
        if row["reason"]:
            assert row["path"]
            _check_message(row["status"])
    return Outcome(concat([part.tables for part in parts]), report)


def _check_message(message: str) -> None:
    """Messages are one line that can be printed."""
    assert message.isprintable(), message
    assert len(message) < 1_000, message
