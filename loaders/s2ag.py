"""Papers of the Semantic Scholar Academic Graph -> `Paper`: bulk data sets and Graph API.

https://api.semanticscholar.org/api-docs/datasets, https://api.semanticscholar.org/api-docs/graph.
Three kinds of records: `papers` of the data sets; `abstracts`, which have little but the text; and
papers of the API, with their references. A paper has no text. `s2ag_tables` reads `papers` together
with files of their citations, authors and abstracts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from citescape.core.errors import SourceError
from citescape.core.identifiers import (
    doi_of_arxiv,
    normalise_corpus_id,
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
    normalise_year,
)
from citescape.core.types import Abstract, Author, Identifiers, Losses, Paper, Reference, Venue
from citescape.loaders.dates import date_of
from citescape.loaders.jats_front import unique
from citescape.loaders.markup import strip_markup
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

VERSION = "s2ag-1"
"""Increase it when the same record is read differently, so that it is loaded again."""

TYPES = {
    "editorial": "editorial",
    "lettersandcomments": "letter",
    "news": "news",
    "metaanalysis": "systematic-review",
    "review": "review-article",
    "clinicaltrial": "clinical-trial",
    "casereport": "case-report",
    "booksection": "book-chapter",
    "book": "book",
    "dataset": "dataset",
    "conference": "research-article",
    "study": "research-article",
    "journalarticle": "research-article",
}
"""`publicationtypes` in lower case, letters only -> `article-type` of JATS. A paper has several:
the first of this table counts, so that a review in a journal is a review."""

_KEYS = frozenset(("abstract", "externalids", "references", "title"))
FULL_TEXT = frozenset(("annotations", "bibliography", "body", "body_text", "content", "pdf_parse"))
"""Fields of S2ORC, whose papers have text."""
_NOT_LETTER = re.compile(r"[^a-z]+")


def is_record(record: Record) -> bool:
    """Whether a JSON object is a paper or an abstract; a full text of S2ORC is not."""
    keys = {str(key).lower() for key in record}
    named = "corpusid" in keys or "paperid" in keys
    return named and not _KEYS.isdisjoint(keys) and FULL_TEXT.isdisjoint(keys)


def read_s2ag(record: Record, path: str, sha256: str) -> Paper:
    """Reads one paper or abstract.

    Args:
        record: the paper; keys may be in any case, nested values may be JSON text.
        path: path of the record, for messages and `Paper.path`.
        sha256: hash of the record.

    Raises:
        SourceError: neither id nor title.
    """
    notes: Counter[str] = Counter()
    paper = lower_keys(record)
    own, versions = identifiers_of(paper)
    title = strip_markup(to_text(paper.get("title")))
    if not title and not any(own):
        message = f"a record with {name_keys(paper)}; expected a paper with id or title"
        raise SourceError(path, "not-a-paper", message)
    date, bad_date = date_of(to_text(paper.get("year")), to_text(paper.get("publicationdate")))
    authors = tuple(_authors(paper, notes))
    references = tuple(_references(paper, own, notes))
    tldr = to_text(to_mapping(paper.get("tldr")).get("text"))
    odd = {
        "no-title": not title,
        "bad-year": bad_date,
        "conflicting-years": date.conflicting,
    }
    notes.update(name for name, found in odd.items() if found)
    return Paper(
        path=path,
        sha256=sha256,
        ids=own,
        title=title,
        abstract=strip_markup(to_text(paper.get("abstract"))),
        other_abstracts=(Abstract("tldr", tldr),) if tldr else (),
        year=date.year,
        date=date.text,
        article_type=_type(paper),
        venue=_venue(paper),
        authors=authors,
        subjects=unique(_fields_of_study(paper)),
        references=references,
        losses=Losses(0, 0, {}, dict(notes)),
        loader=VERSION,
        versions=versions,
    )


def identifiers_of(paper: Record) -> tuple[Identifiers, tuple[Identifiers, ...]]:
    """Ids of a paper, and the DOI of its preprint: its own DOI if it has no other."""
    listed = paper.get("externalids") or to_mapping(paper.get("openaccessinfo")).get("externalids")
    external = lower_keys(listed)
    doi = normalise_doi(to_text(external.get("doi")), whole=True)
    preprint = doi_of_arxiv(to_text(external.get("arxiv")))
    corpus = normalise_corpus_id(paper.get("corpusid"))
    own = Identifiers(
        doi or preprint,
        normalise_pmid(to_text(external.get("pubmed"))),
        normalise_pmcid(to_text(external.get("pubmedcentral"))),
        s2=corpus or normalise_corpus_id(external.get("corpusid")),
    )
    other = preprint is not None and preprint != own.doi
    return own, (Identifiers(preprint),) if other else ()


def _type(paper: Record) -> str:
    """The type, see `TYPES`; unknown ones are kept if there is no other."""
    written = list(texts(paper.get("publicationtypes")))
    known = {_NOT_LETTER.sub("", name.lower()) for name in written}
    for name, type_ in TYPES.items():
        if name in known:
            return type_
    return "-".join(written[0].lower().split()) if written else ""


def _venue(paper: Record) -> Venue | None:
    """The journal or conference by its full name; else the journal as printed."""
    full = lower_keys(paper.get("publicationvenue"))
    journal = to_text(to_mapping(paper.get("journal")).get("name")) or to_text(paper.get("journal"))
    title = to_text(paper.get("venue")) or to_text(full.get("name")) or journal
    return Venue(title, to_text(full.get("issn")) or None) if title else None


def _authors(paper: Record, notes: Counter[str]) -> Iterator[Author]:
    for item in to_list(paper.get("authors")):
        person = lower_keys(item)
        name = to_text(person.get("name")) if person else to_text(item)
        if name:
            surname, given, *_ = split_name(name)
            yield Author(surname, given, s2=normalise_corpus_id(person.get("authorid")))
        else:
            notes["author-without-name"] += 1


def _fields_of_study(paper: Record) -> Iterator[str]:
    """Names of fields; several models may name the same one."""
    for item in to_list(paper.get("s2fieldsofstudy") or paper.get("fieldsofstudy")):
        named = lower_keys(item)
        yield to_text(named.get("category")) if named else to_text(item)


def _references(paper: Record, own: Identifiers, notes: Counter[str]) -> Iterator[Reference]:
    """The cited papers, each once, without the paper itself; some are empty in the source."""
    seen: set[str] = set()
    for rank, item in enumerate(to_list(paper.get("references")), start=1):
        cited = lower_keys(item)
        cited = lower_keys(cited.get("citedpaper")) or cited
        ids, _ = identifiers_of(cited)
        title = strip_markup(to_text(cited.get("title")))
        key = ids.s2 or to_text(cited.get("paperid"))
        if not (any(ids) or title):
            notes["bad-reference"] += 1
        elif any(a == b for a, b in zip(own, ids, strict=True) if a):
            notes["self-citation"] += 1
        elif key and key in seen:
            notes["repeated-reference"] += 1
        else:
            seen.add(key)
            journal = lower_keys(cited.get("journal"))
            venue = _venue(cited)
            yield Reference(
                key or f"ref-{rank}",
                "",
                ids,
                title,
                venue.title if venue else "",
                normalise_year(to_text(cited.get("year"))),
                to_text(journal.get("volume")),
                to_text(journal.get("pages")).partition("-")[0].strip(),
                tuple(_authors(cited, Counter())),
                False,
                "",
            )
