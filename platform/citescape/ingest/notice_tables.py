"""Loads tables of notices. The rows of a file replace those of an earlier file of the same name."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from citescape.core.errors import SourceError
from citescape.core.paths import path_text
from citescape.ingest.parse import NOTICES, REPORT, ReportRow, rejected_row
from citescape.ingest.pending import Changes, mark_pending
from citescape.ingest.sync import differences
from citescape.ingest.tables import Row, notice_row
from citescape.loaders.lines import TextLines
from citescape.loaders.notice_tables import read_notices
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.schema import TABLE


def load_notices(
    store: GraphStore, paths: Sequence[Path], changes: Changes | None, *, strict: bool = False
) -> tuple[pa.Table, Changes | None]:
    """Loads tables of notices; returns a row of the report for each, and the changes.

    Notices that an earlier file of the same name had are removed, unless some rows of the present
    one cannot be read. `ingest.notices.write_notices` then finds the works they concern.

    Args:
        store: the graph.
        paths: the tables.
        changes: what was changed in the store before; None if nothing was.
        strict: stop at the first row that cannot be read.

    Raises:
        SourceError: with `strict`, a table or row that cannot be read.
    """
    report: list[ReportRow] = []
    by_name: dict[str, dict[str, Row]] = {}
    cut: set[str] = set()
    for path in paths:
        try:
            rows, account, is_whole = read_notice_table(path, strict=strict)
        except SourceError as error:
            if strict:
                raise
            report.append(rejected_row(error))
            cut.add(path.name)
            continue
        report.append(account)
        by_name.setdefault(path.name, {}).update(rows)
        if not is_whole:
            cut.add(path.name)
    for name, found in by_name.items():
        present = store.read(query("ingest/notices_of_file"), file=name)
        expected = pa.Table.from_pylist(list(found.values()), TABLE["Notice"].arrow)
        different = differences("Notice", present, expected)
        different = [c for c in different if c.action != "delete" or name not in cut]
        if different:
            changes = changes or mark_pending(store, keep_scores=True)
            changes.notices = True
            store.apply(different)
    return pa.Table.from_pylist(report, REPORT), changes


def read_notice_table(path: Path, *, strict: bool) -> tuple[dict[str, Row], ReportRow, bool]:
    """The nodes of a table by id, its row of the report, and whether all rows can be read."""
    lines, rows = TextLines(path), dict[str, Row]()
    lost, notes, is_whole = Counter[str](), Counter[str](), True
    for notice in read_notices(lines):
        if isinstance(notice, SourceError):
            if strict:
                raise notice
            lost[notice.reason] += 1
            is_whole = False
        elif not any(notice.work):
            lost["no-id"] += 1
        else:
            digest = hashlib.blake2b(repr(notice).encode(), digest_size=12).hexdigest()
            own = f"{path.name}#{digest}"
            lost["repeated"] += own in rows
            notes["without date"] += own not in rows and not notice.date
            rows[own] = notice_row(notice, own, file=path.name)
    if not rows:
        message = (
            f"no notice in it (left out: {dict(+lost) or 'none'}); expected rows with "
            "OriginalPaperDOI or OriginalPaperPubMedID, and RetractionNature"
        )
        raise SourceError(path_text(path), "no-notices", message)
    account: ReportRow = {
        "path": path_text(path),
        "status": NOTICES,
        "references": len(rows),
        "lost": list((+lost).items()),
        "notes": list((+notes).items()),
    }
    return rows, account, is_whole
