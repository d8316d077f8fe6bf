"""Retractions, corrections and expressions of concern that a JATS article states.

A notice names the work with `related-article`; so does a work its notice. Reference lists print
what PubMed adds to a citation: `Retraction in: Am J Clin Nutr 2015;102:715`. Values of
`related-article-type`: https://jats.nlm.nih.gov/archiving/tag-library/1.3/attribute/related-article-type.html
Other relations (companion, commentary, peer review) are no notices and are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lxml import etree

from citescape.core.identifiers import (
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
    pmcid_in_link,
    pmid_in_link,
)
from citescape.core.types import Identifiers, Notice, NoticeKind
from citescape.loaders.jats_front import HREF
from citescape.loaders.jats_references import ReferenceList

OF_WORK: dict[str, NoticeKind] = {
    "retracted-article": "retraction",
    "corrected-article": "correction",
    "addended-article": "correction",
    "object-of-concern": "concern",
}
"""`related-article-type` of a link from a notice to the work it concerns."""
OF_NOTICE: dict[str, NoticeKind] = {
    "retraction-forward": "retraction",
    "correction-forward": "correction",
    "addendum": "correction",
    "concern-forward": "concern",
}
"""`related-article-type` of a link from a work to its notice."""
ARTICLE_TYPES: dict[str, NoticeKind] = {
    "retraction": "retraction",
    "partial-retraction": "partial-retraction",
    "correction": "correction",
    "erratum": "correction",
    "corrigendum": "correction",
    "addendum": "correction",
    "expression-of-concern": "concern",
}
"""`article-type` of notices. As type of a relation, such a word names the notice in a work, and the
work in a notice."""


PRINTED = re.compile(rb"(?:etraction|oncern|rratum)\s+in\b")
"""Bytes of a document whose reference list may state a notice."""
_PRINTED_KINDS: dict[str, NoticeKind] = {
    "retraction": "retraction",
    "partial retraction": "partial-retraction",
    "expression of concern": "concern",
    "erratum": "correction",
}
_PRINTED = re.compile(
    r"\b(partial\s+retraction|retraction|expression\s+of\s+concern|erratum)\s+in\s*:", re.IGNORECASE
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def read_notices(
    meta: etree._Element, *, article_type: str, own: Identifiers, date: str
) -> tuple[tuple[Notice, ...], dict[str, int]]:
    """The notices that an article states, each once, and the number of unusable ones by reason.

    Args:
        meta: `article-meta`; the text may repeat its relations.
        article_type: attribute `article-type` of the article.
        own: ids of the article.
        date: date of publication of the article.
    """
    notices: dict[Notice, None] = {}
    lost = {"notice-without-id": 0, "notice-of-itself": 0}
    for kind, by_notice, element in _relations(meta, article_type.lower()):
        other = _identifiers(element)
        if not any(other):
            lost["notice-without-id"] += 1
        elif any(a == b for a, b in zip(own, other, strict=True) if a):
            lost["notice-of-itself"] += 1
        elif by_notice:
            notices.setdefault(Notice(kind, "notice", other, own, date))
        else:
            notices.setdefault(Notice(kind, "work", own, other))
    return tuple(notices), {reason: n for reason, n in lost.items() if n}


def _relations(
    meta: etree._Element, article_type: str
) -> Iterator[tuple[NoticeKind, bool, etree._Element]]:
    """Kind of notice, whether the article is the notice, and the element."""
    is_notice = article_type in ARTICLE_TYPES
    for element in meta.iterchildren("related-article"):
        relation = (element.get("related-article-type") or "").lower()
        if relation in OF_WORK:
            kind = OF_WORK[relation]
            partial = kind == "retraction" and article_type == "partial-retraction"
            yield "partial-retraction" if partial else kind, True, element
        elif is_notice and relation in ARTICLE_TYPES:
            yield ARTICLE_TYPES[relation], True, element
        elif relation in OF_NOTICE or relation in ARTICLE_TYPES:
            yield OF_NOTICE.get(relation) or ARTICLE_TYPES[relation], False, element


def _identifiers(element: etree._Element) -> Identifiers:
    """The id in the address of a relation; `ext-link-type` is its kind (`doi`, `pubmed`, `pmc`)."""
    text, kind = (element.get(HREF) or "").strip(), (element.get("ext-link-type") or "").lower()
    if kind in ("pubmed", "pmid"):
        return Identifiers(pmid=normalise_pmid(text) or pmid_in_link(text))
    if kind in ("pmc", "pmcid"):
        return Identifiers(pmcid=normalise_pmcid(text) or pmcid_in_link(text))
    if "10." in text:
        return Identifiers(doi=normalise_doi(text, whole=True))
    return Identifiers(pmid=pmid_in_link(text), pmcid=pmcid_in_link(text))


def read_reference_notices(
    refs: Sequence[etree._Element], listed: ReferenceList
) -> tuple[Notice, ...]:
    """The notices that entries of a reference list print, with the year that follows.

    Entries of several works, and of works without an id, are left out.

    Args:
        refs: entries of the lists.
        listed: the works in them.
    """
    notices: dict[Notice, None] = {}
    for rank, ref in enumerate(refs, start=1):
        found = _PRINTED.split(" ".join(map(str, ref.itertext())))
        places = listed.targets.get(ref.get("id") or f"ref-{rank}", ())
        if len(found) < 3 or len(places) != 1:
            continue
        work = listed.references[places[0]].ids
        for name, rest in zip(found[1::2], found[2::2], strict=True):
            kind = _PRINTED_KINDS[" ".join(name.lower().split())]
            year = _YEAR.search(rest)
            if any(work):
                date = year[0] if year else ""
                notices.setdefault(Notice(kind, "reference", work, Identifiers(), date))
    return tuple(notices)
