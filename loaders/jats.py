"""JATS and NLM articles (PMC, Europe PMC, most publishers) -> `Paper`.

Standard: ANSI/NISO Z39.96. Deviations of real files are listed in docs/loaders.md; none of them
raises, and every lost citation pointer is counted (`Paper.losses`).
"""

from __future__ import annotations

import hashlib
import re

from lxml import etree

from citescape.core.errors import SourceError
from citescape.core.types import Notice, Paper
from citescape.loaders import jats_front as front
from citescape.loaders.jats_affiliations import Affiliations
from citescape.loaders.jats_body import BodyReader
from citescape.loaders.jats_index import index_article
from citescape.loaders.jats_notices import PRINTED, read_notices, read_reference_notices
from citescape.loaders.jats_pointers import Pointers
from citescape.loaders.jats_references import read_references
from citescape.loaders.jats_text import title_of
from citescape.loaders.xml import is_plain, parse_xml

VERSION = "jats-7"
"""Increase it when the same file is read differently, so that it is loaded again."""

_VERSION = re.compile(r"PMC[0-9]{3,9}\.([0-9]{1,3})[/\\]")
PUBLISHED = 1_000
"""Added to the version of a published article."""

_PRINTED_ID = re.compile(rb"PMC?ID")


def read_jats(data: bytes, path: str, *, contexts: bool = True) -> Paper:
    """Reads one article.

    Args:
        data: bytes of the XML file.
        path: path of the file, for messages and `Paper.path`.
        contexts: read the sentences of citations; if False they are empty.

    Raises:
        SourceError: not well-formed, hostile, not JATS, or several articles.
    """
    article = _article(parse_xml(data, path), path)
    index, meta = index_article(article), article.find("front/article-meta")
    if meta is None:
        meta = etree.Element("article-meta")
    abstracts, date = front.read_abstracts(meta), front.read_date(meta)
    # Searching the bytes for printed PMIDs and PMCIDs is faster than searching the tree.
    plain = is_plain(article, data)
    printed_ids = not plain or _PRINTED_ID.search(data) is not None
    references = read_references(index.refs, printed_ids=printed_ids)
    printed: tuple[Notice, ...] = ()
    if not plain or PRINTED.search(data):
        printed = read_reference_notices(index.refs, references)
    pointers = Pointers(index, references.targets)
    # This writes marks into the abstract and all that follows the front matter.
    body = BodyReader(pointers, references.numbering, contexts=contexts).read(article)
    affiliations = Affiliations(meta)
    authors = tuple(front.read_authors(meta, affiliations))
    ids, article_type = front.read_identifiers(meta), article.get("article-type") or ""
    notices, unusable = read_notices(meta, article_type=article_type, own=ids, date=date.text)
    notes = {"conflicting-years": int(date.conflicting), "cut-contexts": body.cut_contexts}
    notes |= unusable
    return Paper(
        path=path,
        sha256=hashlib.sha256(data).hexdigest(),
        ids=ids,
        title=title_of(meta.find("title-group/article-title")),
        abstract=abstracts.text,
        abstract_labels=abstracts.labels,
        abstract_parts=abstracts.texts,
        other_abstracts=abstracts.others,
        year=date.year,
        date=date.text,
        article_type=article_type,
        language=(article.get(front.XML_LANG) or "").lower(),
        venue=front.read_venue(article),
        authors=authors,
        keywords=front.unique(front.read_keywords(meta)),
        subjects=front.unique(front.read_subjects(meta)),
        mesh=tuple(front.read_mesh(meta)),
        sections=body.sections,
        references=references.references,
        occurrences=tuple(body.occurrences),
        losses=pointers.losses({name: count for name, count in notes.items() if count}),
        notices=(*notices, *printed),
        loader=VERSION,
        edition=_edition(meta, path),
        institutions=affiliations.institutions,
    )


def _edition(meta: etree._Element, path: str) -> int:
    """The published article comes before the author's manuscript, then a higher version.

    PubMed Central's cloud service has a folder for each version: `PMC10009402.2/`.
    """
    found = _VERSION.search(path)
    if found is None:
        return 0
    kinds = (element.get("pub-id-type") for element in meta.iterchildren("article-id"))
    return int(found[1]) + (0 if "manuscript" in kinds else PUBLISHED)


def _article(root: etree._Element, path: str) -> etree._Element:
    """The article element without namespace, also inside a `pmc-articleset` or an OAI record."""
    if isinstance(root.tag, str) and root.tag.startswith("{"):
        _drop_namespaces(root)
    article = root
    if root.tag != "article":
        articles = list(root.iter("{*}article"))
        if not articles:
            message = f"XML, but its root is <{root.tag}>; expected a JATS <article>"
            raise SourceError(path, "not-jats", message)
        if len(articles) > 1:
            message = f"{len(articles)} articles in one document; expected one: split it and rerun"
            raise SourceError(path, "several-articles", message)
        article = articles[0]
        _drop_namespaces(article)
    if article.find("front") is None and article.find("body") is None:
        message = "an <article> without <front> and <body>; expected JATS"
        raise SourceError(path, "not-jats", message)
    return article


def _drop_namespaces(root: etree._Element) -> None:
    """Removes namespaces, except those of formulas."""
    for element in root.iter(etree.Element):
        name = etree.QName(element)
        if name.namespace and "MathML" not in name.namespace:
            element.tag = name.localname
