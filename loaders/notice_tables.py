"""Tables of retractions and corrections, with the columns of Retraction Watch's CSV file.

https://gitlab.com/crossref/retraction-watch-data. Needed are `OriginalPaperDOI` and
`RetractionNature`; `OriginalPaperPubMedID`, `RetractionDOI`, `RetractionPubMedID`, `RetractionDate`
and `Reason` are read if present, all others ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from citescape.core.errors import SourceError
from citescape.core.identifiers import normalise_doi, normalise_pmid
from citescape.core.types import Identifiers, Notice, NoticeKind
from citescape.loaders.csv_tables import read_rows
from citescape.loaders.lines import TextLines

NATURES: dict[str, NoticeKind] = {
    "retraction": "retraction",
    "removal": "retraction",
    "partial retraction": "partial-retraction",
    "correction": "correction",
    "expression of concern": "concern",
    "reinstatement": "reinstatement",
}
"""`RetractionNature` in lower case -> kind of notice."""

_AMERICAN = re.compile(r"(\d{1,2})/(\d{1,2})/((?:1[0-9]|20)\d\d)(?:\s.*)?")
_ISO = re.compile(r"((?:1[0-9]|20)\d\d)(?:-(\d\d)(?:-(\d\d))?)?(?:[T\s].*)?")


def read_notices(lines: TextLines) -> Iterator[Notice | SourceError]:
    """The notices of a table in order; an error for each row that is not a notice.

    The work may have any id, or none.
    """
    for line, row in read_rows(lines):
        if isinstance(row, SourceError):
            yield row
            continue
        nature = row.get("retractionnature", "")
        kind = NATURES.get(nature.casefold())
        if kind is None:
            message = f"RetractionNature {nature!r}; expected {', '.join(map(repr, NATURES))}"
            yield SourceError(f"{lines.path}:{line}", "unknown-nature", message)
            continue
        yield Notice(
            kind,
            "table",
            work=_identifiers(row, "originalpaper"),
            notice=_identifiers(row, "retraction"),
            date=read_date(row.get("retractiondate", "")),
            reason="; ".join(
                filter(None, (p.strip(" +") for p in row.get("reason", "").split(";")))
            ),
        )


def _identifiers(row: dict[str, str], prefix: str) -> Identifiers:
    """DOI and PMID; missing ones are written `unavailable` and `0`."""
    doi = normalise_doi(row.get(f"{prefix}doi"), whole=True)
    return Identifiers(doi, normalise_pmid(row.get(f"{prefix}pubmedid")))


def read_date(text: str) -> str:
    """`10/20/2023 0:00` (month first) or `2023-10-20` as an ISO date; empty if it is neither."""
    if found := _AMERICAN.fullmatch(text):
        month, day, year = found.groups()
    elif found := _ISO.fullmatch(text):
        year, month, day = found.groups()
    else:
        return ""
    if month is None:
        return year
    if not 1 <= int(month) <= 12 or not (day is None or 1 <= int(day) <= 31):
        return ""
    return f"{year}-{int(month):02}" + ("" if day is None else f"-{int(day):02}")
