"""Retractions, corrections and other versions that a record of PubMed names.

https://www.nlm.nih.gov/bsd/licensee/elements_descriptions.html#commentscorrections. Comments,
summaries for patients and original reports are other works and are not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from lxml import etree

from citescape.core.identifiers import normalise_doi, normalise_pmid
from citescape.core.types import Identifiers, Notice, NoticeKind
from citescape.loaders.jats_text import text_of
from citescape.loaders.pubmed_dates import find_date

OF_NOTICE: dict[str, NoticeKind] = {
    "retractionin": "retraction",
    "retractedandrepublishedin": "retraction",
    "partialretractionin": "partial-retraction",
    "erratumin": "correction",
    "expressionofconcernin": "concern",
}
"""`RefType` in lower case of a link from a work to its notice."""
OF_WORK: dict[str, NoticeKind] = {
    "retractionof": "retraction",
    "partialretractionof": "partial-retraction",
    "erratumfor": "correction",
    "expressionofconcernfor": "concern",
}
"""`RefType` in lower case of a link from a notice to the work it concerns."""
OF_VERSION = frozenset(
    (
        *("correctedandrepublishedin", "correctedandrepublishedfrom"),
        *("retractedandrepublishedin", "retractedandrepublishedfrom"),
        *("republishedin", "republishedfrom", "reprintin", "reprintof", "updatein", "updateof"),
    )
)
"""`RefType` in lower case of a link to another version of the work, such as a preprint."""
_RETRACTED = "retracted publication"


class Corrections(NamedTuple):
    """Notices of a record, ids of other versions, and the number of unusable links by reason."""

    notices: tuple[Notice, ...]
    versions: tuple[Identifiers, ...]
    notes: Counter[str]


def read_corrections(
    citation: etree._Element, own: Identifiers, *, date: str, types: Collection[str]
) -> Corrections:
    """The notices that a record states, each once.

    A link from a work to a notice without id is kept, because it states that there is one; a
    retracted publication without any link is retracted too.

    Args:
        citation: `MedlineCitation`.
        own: ids of the record.
        date: date of publication of the record.
        types: publication types in lower case.
    """
    notices: dict[Notice, None] = {}
    versions: dict[Identifiers, None] = {}
    notes: Counter[str] = Counter()
    for element in citation.iterfind("CommentsCorrectionsList/CommentsCorrections"):
        name = (element.get("RefType") or "").lower()
        printed = text_of(element.find("RefSource"))
        other = Identifiers(
            normalise_doi(printed) if "10." in printed else None,
            normalise_pmid(text_of(element.find("PMID"))),
        )
        kind = OF_NOTICE.get(name) or OF_WORK.get(name)
        if any(a == b for a, b in zip(own, other, strict=True) if a):
            notes["notice-of-itself"] += kind is not None
            continue
        if kind is not None and not any(other):
            notes["notice-without-id"] += 1
        if name in OF_NOTICE:
            notices.setdefault(Notice(OF_NOTICE[name], "work", own, other, find_date(printed)))
        elif name in OF_WORK and any(other):
            notices.setdefault(Notice(OF_WORK[name], "notice", other, own, date))
        if name in OF_VERSION and any(other):
            versions.setdefault(other)
    stated = any(n.kind == "retraction" and n.stated_by == "work" for n in notices)
    if _RETRACTED in types and not stated:
        notices.setdefault(Notice("retraction", "work", own, Identifiers()))
    return Corrections(tuple(notices), tuple(versions), notes)
