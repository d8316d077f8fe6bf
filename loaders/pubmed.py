"""Records of PubMed and MEDLINE, with their XML of the yearly baseline and of efetch -> `Paper`.

https://dtd.nlm.nih.gov/ncbi/pubmed/doc/out/250101/. One document is one `PubmedArticle`, or one
book or chapter (`PubmedBookArticle`); sets are split by `article_sets`. The DTD is never fetched. A
paper has no text. Lists of deleted records (`DeleteCitation`) are counted there and not applied.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator

from lxml import etree

from citescape.core.errors import SourceError
from citescape.core.identifiers import (
    normalise_doi,
    normalise_orcid,
    normalise_pmcid,
    normalise_pmid,
    normalise_ror,
)
from citescape.core.types import (
    Abstract,
    Author,
    Identifiers,
    Institution,
    Losses,
    MeshTerm,
    Paper,
    Reference,
    Venue,
)
from citescape.loaders.countries import country_of_affiliation
from citescape.loaders.dates import earliest_date, edition_of
from citescape.loaders.jats_front import Abstracts, unique
from citescape.loaders.jats_text import text_of
from citescape.loaders.pubmed_dates import read_date
from citescape.loaders.pubmed_notices import read_corrections
from citescape.loaders.xml import parse_xml

VERSION = "pubmed-3"
"""Increase it when the same record is read differently, so that it is loaded again."""

_RECORDS = ("PubmedArticle", "PubmedBookArticle", "MedlineCitation")
"""Elements of one record; the last is that of MEDLINE until 2016."""

TYPES = {
    "retraction of publication": "retraction",
    "retraction notice": "retraction",
    "published erratum": "correction",
    "expression of concern": "expression-of-concern",
    "preprint": "preprint",
    "editorial": "editorial",
    "letter": "letter",
    "comment": "article-commentary",
    "news": "news",
    "newspaper article": "news",
    "obituary": "obituary",
    "systematic review": "systematic-review",
    "meta-analysis": "systematic-review",
    "network meta-analysis": "systematic-review",
    "review": "review-article",
    "scoping review": "review-article",
    "practice guideline": "guideline",
    "guideline": "guideline",
    "clinical trial protocol": "clinical-trial-protocol",
    "randomized controlled trial": "clinical-trial",
    "clinical trial": "clinical-trial",
    "case reports": "case-report",
    "dataset": "data-paper",
    "journal article": "research-article",
}
"""Publication type in lower case -> `article-type` of JATS. A record has several: the first of this
table counts. Notices come first, then texts that report no research, reviews, study designs."""
_OTHER_TRIALS = re.compile(r"(?:[a-z]+ )*clinical trial(?:, .*)?|equivalence trial")
_NOT_A_TYPE = ("research support", "retracted publication", "english abstract")

LANGUAGES = {
    "afr": "af", "alb": "sq", "ara": "ar", "arm": "hy", "aze": "az", "bos": "bs", "bul": "bg",
    "cat": "ca", "chi": "zh", "cze": "cs", "dan": "da", "dut": "nl", "eng": "en", "epo": "eo",
    "est": "et", "fin": "fi", "fre": "fr", "geo": "ka", "ger": "de", "gle": "ga", "gre": "el",
    "heb": "he", "hin": "hi", "hrv": "hr", "hun": "hu", "ice": "is", "ind": "id", "ita": "it",
    "jpn": "ja", "kor": "ko", "lat": "la", "lav": "lv", "lit": "lt", "mac": "mk", "may": "ms",
    "nor": "no", "per": "fa", "pol": "pl", "por": "pt", "rum": "ro", "rus": "ru", "slo": "sk",
    "slv": "sl", "spa": "es", "srp": "sr", "swe": "sv", "tha": "th", "tur": "tr", "ukr": "uk",
    "und": "", "vie": "vi", "wel": "cy",
}  # fmt: skip
"""Code of NLM -> ISO 639-1, as other sources write languages; unknown codes are kept."""

_TRUNCATED = re.compile(r"\s*\(ABSTRACT TRUNCATED(?: AT [0-9]+ WORDS)?\)$")
_NO_LABELS = ("UNASSIGNED", "UNLABELLED")
_FULL_STOP = re.compile(r"(?<!\.[^\W_])(?<!\.)\.$")
"""One that NLM adds to a title: not that of `U.S.` or of an ellipsis."""
_NO_TITLE = ("not available", "in process citation")


def read_pubmed(data: bytes, path: str) -> Paper:
    """Reads one record.

    Args:
        data: bytes of the XML.
        path: path of the file, for messages and `Paper.path`.

    Raises:
        SourceError: not well-formed, hostile, no record of PubMed, or several.
    """
    record = _record(parse_xml(data, path), path)
    citation = next(record.iterchildren("MedlineCitation", "BookDocument"), record)
    article = citation.find("Article")
    if article is None:
        article = citation  # a book or chapter
    notes: Counter[str] = Counter()
    ids = _own_identifiers(record, citation, article, notes)
    title = _title(article)
    if not title and not any(ids):
        message = f"<{record.tag}> without PMID, DOI and title; expected a record of PubMed"
        raise SourceError(path, "not-pubmed", message)
    date = earliest_date(_dates(article, notes))
    abstracts = _abstracts(citation, article, notes)
    authors, institutions = _authors(article, notes)
    types = [text_of(element).lower() for element in article.iter("PublicationType")]
    corrections = read_corrections(citation, ids, date=date.text, types=types)
    references = tuple(_references(record, ids, notes))
    is_book = citation.tag == "BookDocument"
    notes.update(corrections.notes)
    notes["conflicting-years"] += date.conflicting
    notes["no-title"] += not title
    notes["book"] += is_book
    return Paper(
        path=path,
        sha256=hashlib.sha256(data).hexdigest(),
        ids=ids,
        title=title,
        abstract=abstracts.text,
        abstract_labels=abstracts.labels,
        abstract_parts=abstracts.texts,
        other_abstracts=abstracts.others,
        year=date.year,
        date=date.text,
        article_type=_type(types) or ("book-chapter" if is_book else ""),
        language=_language(text_of(article.find("Language"))),
        venue=_venue(citation, article),
        authors=authors,
        keywords=unique(_keywords(citation)),
        mesh=tuple(_mesh(citation)),
        references=references,
        losses=Losses(0, 0, {}, dict(+notes)),
        notices=corrections.notices,
        loader=VERSION,
        edition=_edition(citation),
        institutions=institutions,
        versions=corrections.versions,
    )


def _edition(citation: etree._Element) -> int:
    """A higher version of the record comes first, then a later revision."""
    revised, id_ = citation.find("DateRevised"), citation.find("PMID")
    version = "" if id_ is None else id_.get("Version", "")
    number = int(version) if version.isdecimal() and len(version) < 4 else 0
    return edition_of("" if revised is None else read_date(revised), number)


def _record(root: etree._Element, path: str) -> etree._Element:
    """The element of the record, also in a set of one."""
    if root.tag in _RECORDS:
        return root
    records = list(root.iterchildren(*_RECORDS))
    if not records:
        message = f"<{root.tag}> without records; expected <PubmedArticle>"
        raise SourceError(path, "not-pubmed", message)
    if len(records) > 1:
        message = f"{len(records)} articles in one document; expected one: split it and rerun"
        raise SourceError(path, "several-articles", message)
    return records[0]


def _own_identifiers(
    record: etree._Element,
    citation: etree._Element,
    article: etree._Element,
    notes: Counter[str],
) -> Identifiers:
    """Ids of the record, without those of its references, which are deeper in the tree."""
    listed = _listed_ids(record.iterfind("*/ArticleIdList/ArticleId"))
    located = [
        normalise_doi(text_of(element), whole=True)
        for element in article.iterchildren("ELocationID")
        if element.get("EIdType") == "doi" and element.get("ValidYN") != "N"
    ]
    dois = unique(doi for doi in (listed.doi, *located) if doi)
    notes["conflicting-dois"] += len(dois) > 1
    pmid = normalise_pmid(text_of(citation.find("PMID")))
    return Identifiers(dois[0] if dois else None, pmid or listed.pmid, listed.pmcid)


def _listed_ids(elements: Iterator[etree._Element], *, whole: bool = True) -> Identifiers:
    """The first valid id of each kind; those of publishers are left out."""
    doi = pmid = pmcid = None
    for element in elements:
        kind, text = (element.get("IdType") or "pubmed").lower(), text_of(element)
        if kind == "doi":
            doi = doi or normalise_doi(text, whole=whole)
        elif kind in ("pubmed", "pmid"):
            pmid = pmid or normalise_pmid(text)
        elif kind in ("pmc", "pmcid"):
            pmcid = pmcid or normalise_pmcid(text)
    return Identifiers(doi, pmid, pmcid)


def _title(article: etree._Element) -> str:
    """The title; if there is none in English, the original one; of a whole book its own."""
    for name in ("ArticleTitle", "VernacularTitle", "Book/BookTitle"):
        if title := _plain_title(text_of(article.find(name))):
            return title
    return ""


def _plain_title(text: str) -> str:
    """A title without what NLM adds: a full stop, and brackets around translated titles."""
    title = _FULL_STOP.sub("", text)
    if title[:1] == "[" and title[-1:] == "]" and title.count("[") == 1:
        title = _FULL_STOP.sub("", title[1:-1])
    return "" if title.lower() in _NO_TITLE else title


def _dates(article: etree._Element, notes: Counter[str]) -> Iterator[str]:
    """Dates of the issue or book, of the electronic version and of a chapter."""
    for name in ("Journal/JournalIssue/PubDate", "Book/PubDate", "ArticleDate", "ContributionDate"):
        for element in article.iterfind(name):
            date = read_date(element)
            notes["bad-year"] += not date and len(element) > 0
            yield date


def _abstracts(citation: etree._Element, article: etree._Element, notes: Counter[str]) -> Abstracts:
    """The abstract by its parts, and others: translated, plain-language, by other institutions."""
    parts: list[tuple[str, str]] = []
    for element in article.iterfind("Abstract/AbstractText"):
        text = text_of(element)
        notes["cut-abstract"] += _TRUNCATED.search(text) is not None
        label = element.get("Label") or element.get("NlmCategory") or ""
        parts.append(("" if label.upper() in _NO_LABELS else label, _TRUNCATED.sub("", text)))
    others: list[Abstract] = []
    for element in citation.iterchildren("OtherAbstract"):
        language = _language(element.get("Language") or "eng")
        kind = (element.get("Type") or "abstract").lower()
        text = " ".join(filter(None, map(text_of, element.iterchildren("AbstractText"))))
        if text:
            others.append(Abstract(kind if language == "en" else f"translation ({language})", text))
    return Abstracts(tuple(part for part in parts if part[1]), tuple(others))


def _language(code: str) -> str:
    return LANGUAGES.get(code.lower(), code.lower())


def _type(types: list[str]) -> str:
    """The type, see `TYPES`; one without an equivalent is kept if there is no other."""
    known = {"clinical trial" if _OTHER_TRIALS.fullmatch(name) else name for name in types}
    for name, type_ in TYPES.items():
        if name in known:
            return type_
    others = (name for name in types if name and not name.startswith(_NOT_A_TYPE))
    return "-".join(next(others, "").replace(",", "").split())


def _venue(citation: etree._Element, article: etree._Element) -> Venue | None:
    """The journal, with the ISSN that stands for all its media; or the book."""
    names = ("Journal/Title", "Journal/ISOAbbreviation", "Book/BookTitle")
    title = next(filter(None, (text_of(article.find(name)) for name in names)), "")
    linking = text_of(citation.find("MedlineJournalInfo/ISSNLinking"))
    issn = linking or text_of(article.find("Journal/ISSN"))
    return Venue(title, issn or None) if title else None


def _authors(
    article: etree._Element, notes: Counter[str]
) -> tuple[tuple[Author, ...], tuple[Institution, ...]]:
    """People and groups of the by-line with their affiliations, each once; editors left out."""
    authors: list[Author] = []
    places: dict[Institution, int] = {}
    lists = list(article.iterchildren("AuthorList")) or article.findall("Book/AuthorList")
    for listed in lists:
        if (listed.get("Type") or "authors").lower() != "authors":
            continue
        notes["incomplete-authors"] += listed.get("CompleteYN") == "N"
        for element in listed.iterchildren("Author"):
            if element.get("ValidYN") == "N":
                continue
            author = _author(element)
            if author is None:
                notes["author-without-name"] += 1
                continue
            indices = (places.setdefault(place, len(places)) for place in _affiliations(element))
            authors.append(author._replace(institutions=tuple(dict.fromkeys(indices))))
    return tuple(authors), tuple(places)


def _author(element: etree._Element) -> Author | None:
    group = text_of(element.find("CollectiveName"))
    surname = text_of(element.find("LastName"))
    given = next(
        filter(None, (text_of(element.find(name)) for name in ("ForeName", "Initials"))), ""
    )
    if not (surname or given or group):
        return None
    orcids = (
        normalise_orcid(text_of(identifier))
        for identifier in element.iterchildren("Identifier")
        if (identifier.get("Source") or "").upper() == "ORCID"
    )
    orcid = next(filter(None, orcids), None)
    if not (surname or given):
        return Author(group, "", orcid, "group")
    return Author(surname or given, given if surname else "", orcid)


def _affiliations(author: etree._Element) -> Iterator[Institution]:
    """Affiliations as printed; records until 2014 have one, without its own element."""
    for info in (*author.iterchildren("AffiliationInfo"), author):
        rors = (
            normalise_ror(text_of(identifier))
            for identifier in info.iterchildren("Identifier")
            if (identifier.get("Source") or "").upper() == "ROR"
        )
        if name := text_of(info.find("Affiliation")):
            ror = next(filter(None, rors), None)
            yield Institution(name, country_of_affiliation(name), ror)


def _keywords(citation: etree._Element) -> Iterator[str]:
    for element in citation.iterfind("KeywordList/Keyword"):
        yield text_of(element).strip(" ;,.")


def _mesh(citation: etree._Element) -> Iterator[MeshTerm]:
    """The headings; a qualifier that is a major topic makes its heading one."""
    for heading in citation.iterfind("MeshHeadingList/MeshHeading"):
        names = [*heading.iterchildren("DescriptorName", "QualifierName")]
        descriptor = text_of(heading.find("DescriptorName"))
        if descriptor:
            qualifiers = tuple(map(text_of, heading.iterchildren("QualifierName")))
            yield MeshTerm(descriptor, qualifiers, any(n.get("MajorTopicYN") == "Y" for n in names))


def _references(
    record: etree._Element, own: Identifiers, notes: Counter[str]
) -> Iterator[Reference]:
    """The entries of all reference lists, without the record itself; lists may be nested."""
    for rank, element in enumerate(record.iter("Reference"), start=1):
        text = text_of(element.find("Citation"))
        ids = _listed_ids(element.iterfind("ArticleIdList/ArticleId"), whole=False)
        if ids.doi is None and "10." in text:
            ids = ids._replace(doi=normalise_doi(text))
        if not text and not any(ids):
            notes["bad-reference"] += 1
        elif any(a == b for a, b in zip(own, ids, strict=True) if a):
            notes["self-citation"] += 1
        else:
            yield Reference(f"ref-{rank}", "", ids, "", "", None, "", "", (), False, text)
