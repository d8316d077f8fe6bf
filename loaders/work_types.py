"""Types of works in OpenAlex and Crossref -> `article-type` of JATS.

https://docs.openalex.org/api-entities/works/work-object#type, https://api.crossref.org/types.
Neither separates research articles from other contributions to a journal, such as editorials, as
exactly as JATS and PubMed do. Types without an equivalent keep their names.
"""

from __future__ import annotations

from citescape.core.types import NoticeKind

RESEARCH = "research-article"
TYPES = {
    "article": RESEARCH,
    "journal-article": RESEARCH,
    "proceedings-article": RESEARCH,
    "conference-paper": RESEARCH,
    "review": "review-article",
    "erratum": "correction",
    "corrigendum": "correction",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    "book-section": "book-chapter",
    "book-part": "book-chapter",
    "commentary": "article-commentary",
    "thesis": "dissertation",
}
"""Type in lower case, words joined by hyphens -> `article-type`, if that has another name."""
NOTICE_TYPES: dict[NoticeKind, str] = {
    "retraction": "retraction",
    "partial-retraction": "partial-retraction",
    "correction": "correction",
    "concern": "expression-of-concern",
}
"""Kind of notice -> `article-type` of the notice."""


def article_type(text: str) -> str:
    """`Journal Article` -> `research-article`; `peer_review` -> `peer-review`; empty stays so."""
    name = "-".join(text.lower().replace("_", " ").split())
    return TYPES.get(name, name)
