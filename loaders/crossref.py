"""Works of Crossref -> `Paper`: REST API and public data file.

https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md. One record is the `message` of
an answer of the API, or one item of a file of the public data. CSL-JSON, as DOI content negotiation
delivers it, has nearly the same form and is read too. A paper has no text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from citescape.core.errors import SourceError
from citescape.core.identifiers import (
    doi_of_arxiv,
    normalise_doi,
    normalise_orcid,
    normalise_pmcid,
    normalise_pmid,
    normalise_ror,
    normalise_year,
    pmid_in_text,
)
from citescape.core.types import (
    Author,
    Identifiers,
    Institution,
    Losses,
    Notice,
    NoticeKind,
    Paper,
    Reference,
    Venue,
)
from citescape.loaders.countries import country_of_affiliation
from citescape.loaders.dates import (
    PublicationDate,
    earliest_date,
    edition_of,
    iso_date,
    read_iso_date,
)
from citescape.loaders.jats_front import unique
from citescape.loaders.markup import read_jats_abstract, strip_markup
from citescape.loaders.record_values import (
    Record,
    lower_keys,
    name_keys,
    texts,
    to_list,
    to_mapping,
    to_text,
)
from citescape.loaders.table_rows import split_name
from citescape.loaders.work_types import NOTICE_TYPES, article_type

VERSION = "crossref-3"
"""Increase it when the same record is read differently, so that it is loaded again."""

UPDATES: dict[str, NoticeKind] = {
    "retraction": "retraction",
    "withdrawal": "retraction",
    "removal": "retraction",
    "partial_retraction": "partial-retraction",
    "correction": "correction",
    "corrigendum": "correction",
    "erratum": "correction",
    "addendum": "correction",
    "clarification": "correction",
    "expression_of_concern": "concern",
    "concern": "concern",
    "reinstatement": "reinstatement",
}
"""Type of an update, words joined by underscores -> kind of notice."""
NEW_VERSIONS = ("new_version", "new_edition")
"""Types of updates that are other versions of the work."""
VERSIONS = frozenset(
    (
        *("is-preprint-of", "has-preprint", "is-version-of", "has-version"),
        *("is-manuscript-of", "has-manuscript", "is-identical-to", "is-same-as"),
        *("is-variant-form-of", "is-original-form-of", "is-replaced-by", "replaces"),
    )
)
"""Relations to other versions of the work; https://www.crossref.org/documentation/relationships."""

_KEYS = frozenset(
    (
        *("deposited", "indexed", "is-referenced-by-count", "member", "prefix", "reference"),
        *("reference-count", "relation", "update-to", "updated-by"),
    )
)
"""Fields of works that no entry of a reference manager has; one of them is enough."""
_DATES = ("published", "published-print", "published-online", "published-other", "posted", "issued")
_TRAILING_INITIALS = re.compile(r"(\S.*?\S)\s+((?:[A-Z]\.?[ -]?){1,4})")
_ET_AL = re.compile(r"[,;]?\s*\bet\s+al\b\.?", re.IGNORECASE)


def is_record(record: Record) -> bool:
    """Whether a JSON object is a work of Crossref, perhaps of some fields: its title is a list.

    In CSL-JSON of a reference manager it is a text.
    """
    work = lower_keys(_unwrap(record))
    return "doi" in work and (not _KEYS.isdisjoint(work) or isinstance(work.get("title"), list))


def read_crossref(record: Record, path: str, sha256: str) -> Paper:
    """Reads one work.

    Args:
        record: the work; keys may be in any case, nested values may be JSON text.
        path: path of the record, for messages and `Paper.path`.
        sha256: hash of the record.

    Raises:
        SourceError: neither DOI nor title.
    """
    notes: Counter[str] = Counter()
    work = lower_keys(_unwrap(record))
    own = Identifiers(normalise_doi(to_text(work.get("doi")), whole=True))
    title = _title(work)
    if not title and own.doi is None:
        message = f"a record with {name_keys(work)}; expected a work with DOI or title"
        raise SourceError(path, "not-a-paper", message)
    abstracts = read_jats_abstract(to_text(work.get("abstract")))
    date = _published(work, notes)
    authors, institutions = _authors(work, notes)
    notices, versions, type_ = _updates(work, own, notes)
    versions += _related(work, own)
    notes["no-title"] += not title
    references = tuple(_references(work, own.doi, notes))
    return Paper(
        path=path,
        sha256=sha256,
        ids=own,
        title=title,
        abstract=abstracts.text,
        abstract_labels=abstracts.labels,
        abstract_parts=abstracts.texts,
        year=date.year,
        date=date.text,
        article_type=type_ or _type(work),
        language=to_text(work.get("language")).lower(),
        venue=_venue(work),
        authors=authors,
        subjects=unique(texts(work.get("subject"))),
        references=references,
        losses=Losses(0, 0, {}, dict(+notes)),
        notices=tuple(dict.fromkeys(notices)),
        loader=VERSION,
        edition=edition_of(_date(work.get("indexed"))[0]),
        institutions=institutions,
        versions=tuple(dict.fromkeys(versions)),
    )


def _unwrap(record: Record) -> Record:
    """The work itself, also inside an answer of the API."""
    message = record.get("message")
    return to_mapping(message) if isinstance(message, dict | str) else record


def _title(work: Record) -> str:
    """Title and subtitle; a subtitle that the title repeats is left out."""
    title = strip_markup(next(texts(work.get("title")), ""))
    subtitle = strip_markup(next(texts(work.get("subtitle")), ""))
    if not title or not subtitle or subtitle.casefold() in title.casefold():
        return title or subtitle
    return f"{title.rstrip(' :')}: {subtitle}"


def _published(work: Record, notes: Counter[str]) -> PublicationDate:
    """The earliest date of publication; a missing date is often written as `[[null]]`."""
    dates: list[str] = []
    for key in _DATES:
        date, odd = _date(work.get(key))
        dates.append(date)
        notes["bad-year"] += odd
    date_ = earliest_date(dates)
    notes["conflicting-years"] += date_.conflicting
    return date_


def _date(value: object) -> tuple[str, bool]:
    """A date, and whether one is given but cannot be read."""
    if isinstance(value, str) and value.lstrip()[:1] != "{":
        return read_iso_date(to_text(value)), bool(to_text(value)) and not read_iso_date(value)
    fields = lower_keys(value)
    parts = to_list(fields.get("date-parts"))
    if parts and isinstance(parts[0], list | tuple):
        parts = parts[0]
    written = [to_text(part) for part in parts[:3]]
    if not any(written):
        text = next(filter(None, (to_text(fields.get(k)) for k in ("date-time", "raw"))), "")
        return read_iso_date(text), bool(text) and not read_iso_date(text)
    date = iso_date(*written)
    return date, not date


def _type(work: Record) -> str:
    """The type; posted content may be a preprint or something else, by its `subtype`."""
    own = article_type(to_text(work.get("type")))
    if own == "posted-content":
        return article_type(to_text(work.get("subtype"))) or own
    return own


def _venue(work: Record) -> Venue | None:
    """The journal or book, with the first of its ISSNs in sorting order; else the repository."""
    issns = sorted(texts(work.get("issn")))
    for key in ("container-title", "institution", "group-title"):
        if title := strip_markup(next(texts(work.get(key)), "")):
            return Venue(title, issns[0] if issns else None)
    return None


def _authors(
    work: Record, notes: Counter[str]
) -> tuple[tuple[Author, ...], tuple[Institution, ...]]:
    """The by-line and its affiliations, each once."""
    authors: list[Author] = []
    places: dict[Institution, int] = {}
    for item in to_list(work.get("author")):
        person = lower_keys(item)
        surname = to_text(person.get("family")) or to_text(person.get("literal"))
        given = to_text(person.get("given"))
        group = "" if surname or given else to_text(person.get("name"))
        if not person and (printed := to_text(item)):
            surname, given, *_ = split_name(printed)
        if not (surname or given or group):
            notes["author-without-name"] += 1
            continue
        indices = [places.setdefault(p, len(places)) for p in _affiliations(person)]
        authors.append(
            Author(
                surname or given or group,
                given if surname else "",
                normalise_orcid(to_text(person.get("orcid"))),
                "group" if group else "author",
                institutions=tuple(dict.fromkeys(indices)),
            )
        )
    return tuple(authors), tuple(places)


def _affiliations(person: Record) -> Iterator[Institution]:
    for item in to_list(person.get("affiliation")):
        affiliation = lower_keys(item)
        name = strip_markup(to_text(affiliation.get("name")) or to_text(item))
        ids = (lower_keys(id_) for id_ in to_list(affiliation.get("id")))
        rors = (
            normalise_ror(to_text(id_.get("id")))
            for id_ in ids
            if to_text(id_.get("id-type")).upper() == "ROR"
        )
        if name:
            ror = next(filter(None, rors), None)
            yield Institution(name, country_of_affiliation(name), ror)


def _updates(
    work: Record, own: Identifiers, notes: Counter[str]
) -> tuple[list[Notice], list[Identifiers], str]:
    """Notices of this work about others, and of others about it; new versions; type of a notice.

    An update of itself is a work whose text was replaced by the notice, as publishers do with
    articles they withdraw: a notice about it, without a notice of its own. What Retraction Watch
    adds is stated by its table. A notice about this work may have no id.
    """
    notices: list[Notice] = []
    versions: list[Identifiers] = []
    type_ = ""
    for is_notice, key in ((True, "update-to"), (False, "updated-by")):
        for item in to_list(work.get(key)):
            update = lower_keys(item)
            name = re.sub(r"[-\s]+", "_", to_text(update.get("type")).lower())
            other = Identifiers(normalise_doi(to_text(update.get("doi")), whole=True))
            date, _ = _date(update.get("updated"))
            watched = to_text(update.get("source")).lower() == "retraction-watch"
            kind = UPDATES.get(name)
            if name in NEW_VERSIONS:
                if other.doi is not None and other != own:
                    versions.append(other)
            elif kind is None:
                notes["unknown-update"] += 1
            elif other == own and own.doi is not None:
                notes["notice-of-itself"] += 1
                notices.append(Notice(kind, "work", own, Identifiers(), date))
            elif not is_notice:
                notes["notice-without-id"] += other.doi is None
                notices.append(Notice(kind, "table" if watched else "work", own, other, date))
            elif other.doi is None:
                notes["notice-without-id"] += 1
            else:
                notices.append(Notice(kind, "table" if watched else "notice", other, own, date))
                type_ = type_ or NOTICE_TYPES.get(kind, "")
    return notices, versions, type_


def _related(work: Record, own: Identifiers) -> list[Identifiers]:
    """Other versions that the record names."""
    found: list[Identifiers] = []
    for relation, items in to_mapping(work.get("relation")).items():
        if str(relation).lower() not in VERSIONS:
            continue
        for item in to_list(items):
            other = lower_keys(item)
            ids = _identifiers(to_text(other.get("id-type")).lower(), to_text(other.get("id")))
            if any(ids) and ids.doi != (own.doi or ""):
                found.append(ids)
    return found


def _identifiers(kind: str, text: str) -> Identifiers:
    """Ids of a related work, given one and its kind."""
    if kind == "arxiv":
        return Identifiers(doi_of_arxiv(text))
    if kind == "pmid":
        return Identifiers(pmid=normalise_pmid(text))
    if kind in ("pmcid", "pmc"):
        return Identifiers(pmcid=normalise_pmcid(text))
    return Identifiers(normalise_doi(text, whole=True))


def _references(work: Record, own: str | None, notes: Counter[str]) -> Iterator[Reference]:
    """The entries of the reference list, without the work itself."""
    for rank, item in enumerate(to_list(work.get("reference")), start=1):
        entry = lower_keys(item)
        if not entry:
            notes["bad-reference"] += 1
            continue
        reference = _reference(entry, to_text(entry.get("key")) or f"ref-{rank}")
        if own is not None and reference.ids.doi == own:
            notes["self-citation"] += 1
        else:
            yield reference


def _reference(entry: Record, own: str) -> Reference:
    """One entry: its title is that of the article, else that of the book or series."""
    article, book, journal, series = (
        strip_markup(to_text(entry.get(f"{part}-title")))
        for part in ("article", "volume", "journal", "series")
    )
    text = strip_markup(to_text(entry.get("unstructured")))
    title = article or book or ("" if journal else series)
    source = journal or (book if book != title else "") or (series if series != title else "")
    doi = normalise_doi(to_text(entry.get("doi"))) or (normalise_doi(text) if text else None)
    names = to_text(entry.get("author"))
    return Reference(
        own,
        "",
        Identifiers(doi, pmid_in_text(text) if "PMID" in text else None),
        title,
        source,
        normalise_year(to_text(entry.get("year"))),
        to_text(entry.get("volume")),
        to_text(entry.get("first-page")),
        _cited_authors(names) if names else (),
        bool(_ET_AL.search(names)),
        "" if title else text,
    )


def _cited_authors(text: str) -> tuple[Author, ...]:
    """`Smith JA`, `J. A. Smith` or `Smith, J.`: nearly always the first author only."""
    names = (name.strip(" ,") for name in _ET_AL.sub("", text).split(";"))
    found = []
    for name in filter(None, names):
        initials = None if "," in name else _TRAILING_INITIALS.fullmatch(name)
        found.append(Author(initials[1], initials[2]) if initials else split_name(name))
    return tuple(found)
