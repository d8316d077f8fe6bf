"""Works of OpenAlex -> `Paper`: snapshot (JSON Lines, Parquet) and API.

https://docs.openalex.org/api-entities/works/work-object. A paper has no text; its references are
ids of works. These may name works that no longer exist: OpenAlex merges duplicates and lists the
ids that vanished in files of their own (`merged_ids`), which are not read here. Ids of Microsoft
Academic Graph are not kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from citescape.core.errors import SourceError
from citescape.core.identifiers import (
    doi_of_arxiv,
    normalise_doi,
    normalise_openalex,
    normalise_orcid,
    normalise_pmcid,
    normalise_pmid,
    normalise_ror,
)
from citescape.core.types import (
    Author,
    Identifiers,
    Institution,
    Losses,
    MeshTerm,
    Notice,
    Paper,
    Reference,
    Venue,
)
from citescape.loaders.countries import country_of_affiliation
from citescape.loaders.dates import date_of, edition_of, read_iso_date
from citescape.loaders.inverted_index import read_inverted_index
from citescape.loaders.jats_front import unique
from citescape.loaders.markup import strip_markup
from citescape.loaders.record_values import (
    Record,
    name_keys,
    texts,
    to_flag,
    to_list,
    to_mapping,
    to_text,
)
from citescape.loaders.table_rows import split_name
from citescape.loaders.work_types import RESEARCH, article_type

VERSION = "openalex-3"
"""Increase it when the same record is read differently, so that it is loaded again."""

_KEYS = frozenset(
    (
        *("abstract_inverted_index", "authorships", "is_paratext"),
        *("primary_location", "referenced_works"),
    )
)
"""Fields of works that no other kind of record has; one of them is enough."""
_ARXIV = re.compile(r"ar[xX]iv\.org")
_ADDRESS = "https://openalex.org/"


def is_record(record: Record) -> bool:
    """Whether a JSON object is a work of OpenAlex."""
    return "id" in record and not _KEYS.isdisjoint(record)


def read_openalex(record: Record, path: str, sha256: str) -> Paper:
    """Reads one work.

    Args:
        record: the work, as an object of JSON or a row of Parquet; nested values may be JSON text.
        path: path of the record, for messages and `Paper.path`.
        sha256: hash of the record.

    Raises:
        SourceError: an author, source or other entity, or neither id nor title.
    """
    notes: Counter[str] = Counter()
    own = _own_identifiers(record, path)
    preprints, others = _located_dois(record)
    ids = own if own.doi else own._replace(doi=next(iter(preprints), None))
    title = strip_markup(to_text(record.get("title")) or to_text(record.get("display_name")))
    if not title and not any(ids):
        message = f"a record with {name_keys(record)}; expected a work with id or title"
        raise SourceError(path, "not-a-paper", message)
    abstract, cut = read_inverted_index(record.get("abstract_inverted_index"))
    date, bad_date = date_of(
        to_text(record.get("publication_year")), to_text(record.get("publication_date"))
    )
    authors, institutions = _authors(record, notes)
    retracted = to_flag(record.get("is_retracted"))
    references = tuple(_references(record, ids.openalex, notes))
    odd = {
        "no-title": not title,
        "cut-abstract": cut,
        "bad-year": bad_date,
        "conflicting-years": date.conflicting,
        "incomplete-authors": to_flag(record.get("is_authors_truncated")),
        "paratext": to_flag(record.get("is_paratext")),
        "xpac": to_flag(record.get("is_xpac")),
    }
    notes.update(name for name, found in odd.items() if found)
    return Paper(
        path=path,
        sha256=sha256,
        ids=ids,
        title=title,
        abstract=abstract or strip_markup(to_text(record.get("abstract"))),
        year=date.year,
        date=date.text,
        article_type=_type(record),
        language=to_text(record.get("language")).lower(),
        venue=_venue(record),
        authors=authors,
        keywords=unique(_keywords(record)),
        subjects=unique(texts(record.get("topics") or record.get("primary_topic"))),
        mesh=_mesh(record),
        references=references,
        losses=Losses(0, 0, {}, dict(notes)),
        notices=(Notice("retraction", "work", ids, Identifiers()),) if retracted else (),
        loader=VERSION,
        edition=edition_of(read_iso_date(to_text(record.get("updated_date")))),
        institutions=institutions,
        versions=tuple(Identifiers(doi) for doi in (*preprints, *others) if doi != ids.doi),
    )


def _own_identifiers(record: Record, path: str) -> Identifiers:
    """Ids of the work; PMID and PMCID are the last part of an address."""
    listed = to_mapping(record.get("ids"))
    id_ = to_text(record.get("id")) or to_text(listed.get("openalex"))
    work = normalise_openalex(id_)
    if id_ and work is None and any(normalise_openalex(id_, kind) for kind in "ACFIPSTG"):
        message = f"{id_}, which is no work; expected an id such as W2741809807"
        raise SourceError(path, "not-a-paper", message)
    doi = to_text(record.get("doi")) or to_text(listed.get("doi"))
    pmid, pmcid = (to_text(listed.get(kind)).rstrip("/") for kind in ("pmid", "pmcid"))
    return Identifiers(
        normalise_doi(doi, whole=True) if doi else None,
        normalise_pmid(pmid.rpartition("/")[2]) if pmid else None,
        normalise_pmcid(pmcid.rpartition("/")[2]) if pmcid else None,
        work,
    )


def _located_dois(record: Record) -> tuple[list[str], list[str]]:
    """DOIs of the places where the work is found: those of arXiv, and all others."""
    preprints: dict[str, None] = {}
    others: dict[str, None] = {}
    own = record.get("doi")
    for item in to_list(record.get("locations")):
        location = to_mapping(item)
        for key in ("landing_page_url", "pdf_url", "id"):
            address = location.get(key)
            if not isinstance(address, str) or address == own:
                continue
            if _ARXIV.search(address):
                if doi := doi_of_arxiv(_ARXIV.split(address)[1]):
                    preprints.setdefault(doi)
            elif ("doi.org/" in address or address.startswith("doi:")) and (
                doi := normalise_doi(address, whole=True)
            ):
                others.setdefault(doi)
    return list(preprints), [doi for doi in others if doi not in preprints]


def _type(record: Record) -> str:
    """The type; where it is that of an article or missing, the one of Crossref if it says more."""
    own = article_type(to_text(record.get("type")))
    if own not in ("", RESEARCH):
        return own
    crossref = article_type(to_text(record.get("type_crossref")))
    return "preprint" if crossref == "posted-content" else crossref or own


def _venue(record: Record) -> Venue | None:
    location = to_mapping(record.get("primary_location"))
    source = to_mapping(location.get("source") or record.get("host_venue"))
    title = to_text(source.get("display_name"))
    issn = to_text(source.get("issn_l")) or next(texts(source.get("issn")), "")
    return Venue(title, issn or None) if title else None


def _authors(
    record: Record, notes: Counter[str]
) -> tuple[tuple[Author, ...], tuple[Institution, ...]]:
    """The by-line and its affiliations, each once."""
    authors: list[Author] = []
    places: dict[Institution, int] = {}
    known: dict[str, int] = {}
    for item in to_list(record.get("authorships")):
        authorship = to_mapping(item)
        person = to_mapping(authorship.get("author"))
        name = to_text(person.get("display_name")) or to_text(authorship.get("raw_author_name"))
        if not name:
            notes["author-without-name"] += 1
            continue
        surname, given, *_ = split_name(name)
        orcid = person.get("orcid")
        authors.append(
            Author(
                surname,
                given,
                normalise_orcid(to_text(orcid)) if orcid else None,
                "author",
                _id(person.get("id"), "A"),
                None,
                tuple(_institutions(authorship, places, known)),
            )
        )
    return tuple(authors), tuple(places)


def _institutions(
    authorship: Record, places: dict[Institution, int], known: dict[str, int]
) -> dict[int, None]:
    """Indices of an author's institutions; of printed affiliations if OpenAlex recognised none.

    Args:
        authorship: the author.
        places: institutions of the work with their indices; new ones are added.
        known: id of an institution as written -> its index; most authors share one.
    """
    indices: dict[int, None] = {}
    for item in to_list(authorship.get("institutions")):
        institution = to_mapping(item)
        id_ = institution.get("id")
        written = id_ if isinstance(id_, str) else ""
        if written in known:
            indices[known[written]] = None
        elif name := to_text(institution.get("display_name")):
            country = _country(institution.get("country_code"))
            ror = normalise_ror(to_text(institution.get("ror")))
            place = Institution(name, country, ror, _id(written, "I"))
            index = places.setdefault(place, len(places))
            indices[index] = None
            if place.openalex:
                known[written] = index
    if not indices:
        countries = list(texts(authorship.get("countries")))
        country = _country(countries[0]) if len(countries) == 1 else ""
        printed = "raw_affiliation_strings", "raw_affiliation_string"  # now, and until 2023
        for name in texts(authorship.get(printed[0]) or authorship.get(printed[1])):
            place = Institution(name, country or country_of_affiliation(name))
            indices[places.setdefault(place, len(places))] = None
    return indices


def _country(value: object) -> str:
    code = to_text(value).upper()
    return code if len(code) == 2 and code.isalpha() else ""


def _keywords(record: Record) -> Iterator[str]:
    for item in to_list(record.get("keywords")):
        keyword = to_mapping(item)
        name = keyword.get("display_name") or keyword.get("keyword") if keyword else item
        yield to_text(name)


def _mesh(record: Record) -> tuple[MeshTerm, ...]:
    """The headings; OpenAlex has a row for each qualifier of a descriptor."""
    qualifiers: dict[str, dict[str, None]] = {}
    major: set[str] = set()
    for item in to_list(record.get("mesh")):
        row = to_mapping(item)
        if descriptor := to_text(row.get("descriptor_name")):
            listed = qualifiers.setdefault(descriptor, {})
            if qualifier := to_text(row.get("qualifier_name")):
                listed.setdefault(qualifier)
            if to_flag(row.get("is_major_topic")):
                major.add(descriptor)
    return tuple(
        MeshTerm(name, tuple(listed), name in major) for name, listed in qualifiers.items()
    )


def _references(record: Record, own: str | None, notes: Counter[str]) -> Iterator[Reference]:
    """The cited works, each once, without the work itself."""
    seen: set[str] = set()
    for value in to_list(record.get("referenced_works")):
        id_ = _id(value, "W")
        if id_ is None:
            notes["bad-reference"] += 1
        elif id_ == own:
            notes["self-citation"] += 1
        elif id_ in seen:
            notes["repeated-reference"] += 1
        else:
            seen.add(id_)
            ids = Identifiers(None, None, None, id_)
            yield Reference(id_, "", ids, "", "", None, "", "", (), False, "")


def _id(value: object, kind: str) -> str | None:
    """The id of an entity, nearly always written as an address; see `normalise_openalex`."""
    if isinstance(value, str) and value.startswith(_ADDRESS):
        id_ = value[len(_ADDRESS) :]
        if id_[:1] == kind and id_[1:].isdecimal() and id_.isascii() and 3 <= len(id_) <= 13:
            return id_
    return normalise_openalex(to_text(value), kind)
