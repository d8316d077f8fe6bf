"""JATS and NLM articles (PMC, Europe PMC, most publishers) -> `Paper`.

Standard: ANSI/NISO Z39.96. What real files hold beyond it is listed in docs/loaders.md; nothing of
it raises, and no citation pointer is lost without being counted (`Paper.losses`).
"""

from __future__ import annotations

import hashlib

from lxml import etree

from citescape.errors import SourceError
from citescape.loaders import jats_front as front
from citescape.loaders.jats_body import BodyReader
from citescape.loaders.jats_pointers import Pointers
from citescape.loaders.jats_references import read_references
from citescape.loaders.jats_text import text_of
from citescape.loaders.xml import parse_xml
from citescape.types import Paper

VERSION = "jats-2"
"""Changes whenever the same file would be read differently, so that it is loaded again."""


def read_jats(data: bytes, path: str, *, contexts: bool = True) -> Paper:
    """Reads one article.

    Args:
        data: the XML file's bytes.
        path: where they come from, for messages and `Paper.path`.
        contexts: False leaves the citation sentences empty (and skips sentence splitting).

    Raises:
        SourceError: not well-formed, hostile, or not JATS.
    """
    article = _article(parse_xml(data, path), path)
    _clear_formula_sources(article, data)
    meta = article.find("front/article-meta")
    if meta is None:
        meta = etree.Element("article-meta")
    abstracts = front.read_abstracts(meta)
    date, conflict = front.read_date(meta)
    title = text_of(meta.find("title-group/article-title"))
    references = read_references(article)
    # From here on the tree is spent: reading the text writes marks into it.
    pointers = Pointers(article, references.targets)
    body = BodyReader(pointers, references.numbering, contexts=contexts)
    body.read(article)
    return Paper(
        path=path,
        sha256=hashlib.sha256(data).hexdigest(),
        ids=front.read_identifiers(meta),
        title=title,
        abstract=" ".join(text for _, text in abstracts.parts),
        abstract_labels=tuple(label for label, _ in abstracts.parts if abstracts.structured),
        abstract_parts=tuple(text for _, text in abstracts.parts if abstracts.structured),
        other_abstracts=abstracts.others,
        year=int(date[:4]) if date else None,
        date=date,
        article_type=article.get("article-type") or "",
        language=(article.get(front.XML_LANG) or "").lower(),
        venue=front.read_venue(article),
        authors=tuple(front.read_authors(meta)),
        keywords=front.unique(front.read_keywords(meta)),
        subjects=front.unique(front.read_subjects(meta)),
        mesh=tuple(front.read_mesh(meta)),
        sections=body.sections,
        references=references.references,
        occurrences=tuple(body.occurrences),
        losses=pointers.losses({"conflicting-years": 1} if conflict else {}),
    )


def _article(root: etree._Element, path: str) -> etree._Element:
    """The article element, without its namespace; also inside the wrapper some servers add."""
    if isinstance(root.tag, str) and root.tag.startswith("{"):
        _drop_namespaces(root)
    article = root if root.tag == "article" else root.find(".//article")
    if article is None:
        _drop_namespaces(root)
        article = root.find(".//article")
    if article is None:
        message = f"XML, but its root is <{root.tag}>; expected a JATS <article>"
        raise SourceError(path, "not-jats", message)
    if article.find("front") is None and article.find("body") is None:
        message = "an <article> without <front> and <body>; expected JATS"
        raise SourceError(path, "not-jats", message)
    return article


def _clear_formula_sources(article: etree._Element, data: bytes) -> None:
    """Empties the LaTeX beside a formula's MathML, which would be read as words.

    A look at the bytes is many times faster than a search of the tree.
    """
    for name in ("tex-math", "annotation"):
        if name.encode() in data or data[:1] != b"<":
            for source in list(article.iter(f"{{*}}{name}")):
                source.clear(keep_tail=True)  # type: ignore[call-arg]  # lxml-stubs are behind


def _drop_namespaces(root: etree._Element) -> None:
    """Leaves local names, but for formulas."""
    for element in root.iter(etree.Element):
        name = etree.QName(element)
        if name.namespace and "MathML" not in name.namespace:
            element.tag = name.localname
