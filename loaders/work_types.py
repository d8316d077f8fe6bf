"""Types of works in OpenAlex, Crossref, Scopus and Web of Science -> `article-type` of JATS.

https://docs.openalex.org/api-entities/works/work-object#type, https://api.crossref.org/types.
OpenAlex and Crossref separate research articles from other contributions to a journal, such as
editorials, less exactly than JATS and PubMed. Types without an equivalent keep their names.
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
    "proceedings-paper": RESEARCH,
    "short-survey": "review-article",
    "correction,-addition": "correction",
    "editorial-material": "editorial",
    "news-item": "news",
    "meeting-abstract": "abstract",
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
