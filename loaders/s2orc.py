"""S2ORC in all its published forms -> `Paper`.

https://github.com/allenai/s2orc, https://github.com/allenai/s2orc-doc2json,
https://api.semanticscholar.org/api-docs/datasets. One object is one paper, with

* `metadata` and `grobid_parse` or `latex_parse` (release 2019-09-28);
* `paper_id`, `body_text` and `bib_entries` (release 2020-07-05; CORD-19 adds `metadata`);
* `pdf_parse` or `latex_parse`, `title` and `authors` (output of s2orc-doc2json);
* `corpusid`, and `content` (dataset `s2orc`) or `body` and `bibliography` (dataset `s2orc_v2`).

Any field may be missing, null or of another type. Deviations of real files are listed in
docs/loaders.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from citescape.core.errors import SourceError
from citescape.core.identifiers import normalise_corpus_id, normalise_year
from citescape.core.types import Identifiers, Paper, Venue
from citescape.loaders.article_builder import (
    ArticleParts,
    Passage,
    Pointer,
    TextSection,
    build_article,
    group_paragraphs,
)
from citescape.loaders.article_text import read_article_text
from citescape.loaders.jats_front import unique
from citescape.loaders.jats_references import ReferenceList
from citescape.loaders.json_values import (
    JsonRecord,
    as_object,
    as_objects,
    as_offset,
    as_text,
    as_texts,
)
from citescape.loaders.s2orc_annotations import AnnotatedText, build_parts
from citescape.loaders.s2orc_bibliography import read_bibliography
from citescape.loaders.s2orc_references import (
    collect_entries,
    list_references,
    read_identifiers,
    read_people,
)
from citescape.loaders.section_numbers import section_number
from citescape.loaders.tei_text import BACK_TITLES

VERSION = "s2orc-1"
"""Increase it when the same object is read differently, so that it is loaded again."""

_PARSES = ("grobid_parse", "pdf_parse", "latex_parse")
_BY_DOC2JSON = ("header", "back_matter", "pdf_parse")
"""Keys of the output of s2orc-doc2json, whose `paper_id` is the name of a file."""
_SAME = 80
"""Characters at the start or end of a paragraph that show that it is repeated."""
_FOOTNOTES = 0.1
"""Maximum share of a body's text that may be footnotes."""
_EXPECTED = "expected S2ORC: body_text, grobid_parse, pdf_parse, latex_parse, content or body"
_DATE = re.compile(
    r"(1[0-9]{3}|20[0-9]{2})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12][0-9]|3[01]))?)?(?![0-9])"
)


@dataclass(frozen=True, slots=True)
class _Content:
    """What the forms of S2ORC have in common."""

    front: JsonRecord
    """Title, authors, abstract, year, venue, by the names of the release of 2019."""
    ids: Identifiers
    preprint: str | None
    """DOI of the preprint in arXiv."""
    parts: ArticleParts
    references: ReferenceList
    notes: Counter[str]


def is_s2orc(record: JsonRecord) -> bool:
    """Whether an object is a paper of S2ORC, by its keys."""
    if "corpusid" in record:
        return "content" in record or "body" in record
    return {"paper_id", "body_text"} <= record.keys() or not record.keys().isdisjoint(_PARSES)


def read_s2orc(record: JsonRecord, path: str, sha256: str) -> Paper:
    """Reads one paper.

    Args:
        record: the object.
        path: its path, for messages and `Paper.path`.
        sha256: SHA-256 of its bytes.

    Raises:
        SourceError: it has neither title nor abstract, text or references.
    """
    content = _read_dataset(record) if "corpusid" in record else _read_release(record)
    front, references = content.front, content.references
    built = build_article(content.parts)
    notes = {**content.notes, **built.notes}
    text = read_article_text(built.article, references, notes=notes)
    title, abstract = as_text(front.get("title")), _abstract(front, content.parts)
    if not (title or abstract or text.sections or references.references):
        keys = ", ".join(map(str, list(record)[:8]))
        message = f"no title, abstract, text or references in an object with {keys}; {_EXPECTED}"
        raise SourceError(path, "not-a-paper", message)
    date = _date(front)
    return Paper(
        path=path,
        sha256=sha256,
        ids=content.ids._replace(doi=content.ids.doi or content.preprint),
        title=title,
        abstract=abstract,
        year=int(date[:4]) if date else None,
        date=date,
        venue=_venue(front),
        authors=tuple(read_people(front.get("authors"))),
        subjects=unique(as_texts(front.get("mag_field_of_study"))),
        sections=text.sections,
        references=references.references,
        occurrences=text.occurrences,
        losses=text.losses,
        loader=VERSION,
        versions=_versions(content),
    )


def _read_release(record: JsonRecord) -> _Content:
    """A paper whose text is a list of paragraphs."""
    parses = {name: as_object(record.get(name)) for name in _PARSES}
    full = (name for name, parse in parses.items() if parse.get("body_text"))
    name = next(full, next(filter(parses.get, parses), ""))
    parse = parses.get(name, record)
    metadata = as_object(record.get("metadata"))
    ids, preprint = read_identifiers(
        metadata, as_object(metadata.get("identifiers")), record, whole=True
    )
    if record.keys().isdisjoint(_BY_DOC2JSON):
        ids = ids._replace(s2=normalise_corpus_id(record.get("paper_id")))
    captions, footnotes = _captions(parse.get("ref_entries"))
    body = group_paragraphs(_paragraphs(parse.get("body_text")))
    if name != "latex_parse" and _ends_with_footnotes(body):
        body, footnotes = body[:-1], (*body[-1].paragraphs, *footnotes)
    abstract, repeated = _split_abstract(parse.get("abstract"), body)
    parts = ArticleParts(
        abstract=abstract,
        body=body,
        back=group_paragraphs(_paragraphs(parse.get("back_matter"), BACK_TITLES)),
        captions=captions,
        footnotes=footnotes,
        outside=repeated,
    )
    return _Content(
        {**record, **{name: value for name, value in metadata.items() if value}},
        ids,
        preprint,
        parts,
        list_references(collect_entries(parse.get("bib_entries"))),
        Counter(),
    )


def _read_dataset(record: JsonRecord) -> _Content:
    """A paper whose text is annotated."""
    notes: Counter[str] = Counter()
    body = AnnotatedText(as_object(record.get("content") or record.get("body")), notes)
    listed = as_object(record.get("bibliography"))
    bibliography = AnnotatedText(listed, notes) if listed else body
    external = (record, as_object(record.get("openaccessinfo")))
    ids, preprint = read_identifiers(
        *(as_object(holder.get("externalids")) for holder in external), whole=True
    )
    return _Content(
        {**_front(body), **{name: value for name, value in record.items() if value}},
        ids._replace(s2=normalise_corpus_id(record.get("corpusid"))),
        preprint,
        build_parts(body, notes),
        read_bibliography(bibliography, body, notes),
        notes,
    )


def _paragraphs(
    paragraphs: object, titles: dict[str, str] | None = None
) -> Iterator[tuple[str, str, Passage]]:
    """Title and number of the section of each paragraph, and the paragraph."""
    for paragraph in as_objects(paragraphs):
        text = paragraph.get("text")
        pointers = tuple(
            Pointer(
                as_offset(span.get("start")),
                as_offset(span.get("end")),
                tuple(as_texts(span.get("ref_id"))),
                printed if isinstance(printed := span.get("text"), str) else "",
            )
            for span in as_objects(paragraph.get("cite_spans"))
        )
        passage = Passage(text if isinstance(text, str) else "", pointers)
        title = as_text(paragraph.get("section"))
        number = section_number(as_text(paragraph.get("sec_num")))
        if title or number or pointers or passage.text.strip():
            yield (titles or {}).get(title, title), number, passage


def _ends_with_footnotes(body: Sequence[TextSection]) -> bool:
    """Whether a short text without heading ends the body: GROBID writes footnotes there."""
    if len(body) < 2 or body[-1].title.text or body[-1].number:
        return False
    lengths = [sum(len(passage.text) for passage in section.paragraphs) for section in body]
    return lengths[-1] < _FOOTNOTES * sum(lengths)


def _split_abstract(
    paragraphs: object, body: Iterable[TextSection]
) -> tuple[tuple[Passage, ...], tuple[Pointer, ...]]:
    """The abstract, and the citations of its paragraphs that are also in the body.

    GROBID may take a whole page for the abstract, and write its text twice.
    """
    text = "\n".join(paragraph.text for section in body for paragraph in section.paragraphs)
    kept: list[Passage] = []
    repeated: list[Pointer] = []
    for *_, passage in _paragraphs(paragraphs):
        ends = passage.text[:_SAME], passage.text[-_SAME:]
        if len(passage.text) < _SAME or not any(end in text for end in ends):
            kept.append(passage)
        else:
            repeated += passage.pointers
            if not kept:  # the abstract itself is in the body
                kept.append(Passage(passage.text))
    return tuple(kept), tuple(repeated)


def _captions(entries: object) -> tuple[tuple[Passage, ...], tuple[Passage, ...]]:
    """Captions of figures and tables, and footnotes."""
    captions: list[Passage] = []
    footnotes: list[Passage] = []
    for entry in as_object(entries).values():
        item = as_object(entry)
        text, kind = as_text(item.get("text")), as_text(item.get("type_str") or item.get("type"))
        if text and kind in ("figure", "table", "footnote"):
            (footnotes if kind == "footnote" else captions).append(Passage(text))
    return tuple(captions), tuple(footnotes)


def _front(text: AnnotatedText) -> JsonRecord:
    """Title, authors, venue and abstract as annotated."""
    abstracts = (text.text_of(span) for span in text.spans("abstract"))
    return {
        "title": next(filter(None, map(text.text_of, text.spans("title"))), ""),
        "venue": next(filter(None, map(text.text_of, text.spans("venue"))), ""),
        "authors": list(text.people("author", text.spans("author"))),
        "abstract": " ".join(filter(None, abstracts)),
    }


def _abstract(front: JsonRecord, parts: ArticleParts) -> str:
    """The abstract of the metadata, else the one of the text."""
    printed = as_text(front.get("abstract"))
    return printed or " ".join(filter(None, (as_text(passage.text) for passage in parts.abstract)))


def _date(front: JsonRecord) -> str:
    """Date of publication, ISO 8601 as exact as known; empty if missing."""
    for name in ("publicationdate", "year"):
        text = as_text(front.get(name))
        if found := _DATE.match(text):
            return found[0]
        if year := normalise_year(text):
            return str(year)
    return ""


def _venue(front: JsonRecord) -> Venue | None:
    journal = front.get("journal")
    titles = (as_object(journal).get("name"), journal, front.get("venue"))
    title = next(filter(None, map(as_text, titles)), "")
    return Venue(title) if title else None


def _versions(content: _Content) -> tuple[Identifiers, ...]:
    """The preprint, if the paper has another DOI."""
    preprint = content.preprint
    return (Identifiers(preprint),) if preprint and content.ids.doi not in (None, preprint) else ()
