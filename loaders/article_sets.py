"""Files that hold several articles, split into one document per article.

PubMed Central's efetch wraps articles in `pmc-articleset`, OAI-PMH in records, PubMed in
`PubmedArticleSet`. Such a file is streamed: one article of it is in memory at a time.

PubMed's update files end with a list of records that were deleted. It is counted and not applied:
papers of earlier files stay in the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import cast

from lxml import etree

from citescape.core.errors import SourceError
from citescape.loaders import xml
from citescape.loaders.documents import DAMAGE, SourceDocument, refused, unreadable
from citescape.loaders.exports import find_export, split_export
from citescape.loaders.json_records import may_hold_lines, may_hold_records, split_records

_PIECE = 65_536
_SINGLE = frozenset(
    (
        *(b"", b"article", b"tei", b"html"),
        *(b"pubmedarticle", b"pubmedbookarticle", b"medlinecitation"),
    )
)
"""Roots of documents with one article; empty if the first bytes show no XML."""
_DELETED = "DeleteCitation"
_ELEMENTS = {
    b"pubmedarticleset": ("PubmedArticle", "PubmedBookArticle", _DELETED),
    b"pubmedbookarticleset": ("PubmedBookArticle",),
    b"medlinecitationset": ("MedlineCitation", _DELETED),
}
"""Root of a set in lower case -> its articles; those of other sets are called `article`."""


def split(
    document: SourceDocument, passed_over: Counter[str] | None = None
) -> Iterator[SourceDocument]:
    """The document itself, or one for each article where it holds several: `set.xml#1`, ...

    A document whose first bytes show a single article is not searched.

    Args:
        document: the document.
        passed_over: counts lists of deleted records, empty lists, and records that are null.
    """
    head = b"" if document.error is not None else document.head()
    if may_hold_records(head):
        yield from split_records(document, passed_over)
        return
    if find_export(head):
        yield from split_export(document)
        return
    if may_hold_lines(head):
        yield from split_records(document, passed_over)
        return
    if not may_hold_several(head):
        yield document
        return
    first, count = None, 0
    for article in _articles(document, Counter() if passed_over is None else passed_over):
        count += 1
        if count == 1:
            first = article  # if it is the only one, the file itself is the document
            continue
        if first is not None:
            yield first
            first = None
        yield article
    if count < 2:
        yield document


def may_hold_several(head: bytes) -> bool:
    """Whether a document with these first bytes is XML with a root other than of one article."""
    return xml.root_of(head) not in _SINGLE


def _articles(document: SourceDocument, passed_over: Counter[str]) -> Iterator[SourceDocument]:
    """Each article as a document; if the file is cut off, the last one is the error."""
    number = 0
    try:
        for data in _serialised(document, passed_over):
            number += 1
            yield SourceDocument(f"{document.path}#{number}", len(data), data=data)
    except SourceError as error:
        yield refused(error)
    except etree.XMLSyntaxError as error:
        detail = (error.msg or "unknown error").splitlines()[0]
        message = f"XML breaks off or is damaged: {detail}; the articles before are read"
        yield refused(SourceError(document.path, "broken-xml", message))
    except (OSError, *DAMAGE) as error:
        yield refused(unreadable(document.path, error))


def _serialised(document: SourceDocument, passed_over: Counter[str]) -> Iterator[bytes]:
    """The outermost articles as UTF-8, named characters resolved, since the DTD is not copied."""
    names = _ELEMENTS.get(xml.root_of(document.head()), ("article",))
    parser = etree.XMLPullParser(
        ("start", "end"), tag=[f"{{*}}{name}" for name in names], **xml.SAFE
    )
    depth = held = 0
    for piece in _pieces(document):
        held += len(piece)
        if held > xml.MAX_BYTES:
            raise xml.too_large(document.path, held)
        for event, article in _feed(parser, piece):
            depth += 1 if event == "start" else -1
            if event == "start":
                xml.refuse_entities(article, document.path)
            elif not depth:
                held = 0
                data = _take(article)
                if article.tag == _DELETED:
                    passed_over[f"{_DELETED} list"] += 1
                else:
                    yield data
    parser.close()


def _pieces(document: SourceDocument) -> Iterator[bytes]:
    with document.open() as opened:
        piece = xml.without_leading_space(opened.read(_PIECE))
        while piece:
            yield piece
            piece = opened.read(_PIECE)


def _feed(parser: etree.XMLPullParser, piece: bytes) -> Iterator[tuple[str, etree._Element]]:
    """Elements that begin and end in a piece; if it is damaged, first those before the damage."""
    broken = None
    try:
        parser.feed(piece)
    except etree.XMLSyntaxError as error:
        broken = error
    yield from cast("Iterator[tuple[str, etree._Element]]", parser.read_events())
    if broken is not None:
        raise broken


def _take(article: etree._Element) -> bytes:
    """The bytes of an article; it and all elements before it are removed from the tree."""
    xml.resolve_named_characters(article)
    data: bytes = etree.tostring(article, encoding="UTF-8", with_tail=False)
    article.clear(keep_tail=True)  # type: ignore[call-arg]  # lxml-stubs are behind
    for element in (article, *article.iterancestors()):
        parent = element.getparent()
        while parent is not None and element.getprevious() is not None:
            del parent[0]
    return data
