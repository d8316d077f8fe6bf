"""Limits of the lengths of texts: what is longer is no title, name or abstract but a damaged file.

They bound the memory that one value takes, and keep such values out of the graph.
"""

from __future__ import annotations

from collections.abc import Iterator

from citescape.core.errors import SourceError
from citescape.core.types import Paper

LONGEST_TEXT = 1_000_000
"""Maximum characters of any text of a paper; an abstract has some thousand."""
LONGEST_VALUE = 5_000_000
"""Characters of a value that are read; a cell may hold a whole reference list."""


def check_texts(paper: Paper) -> Paper:
    """The paper.

    Raises:
        SourceError: one of its texts is over `LONGEST_TEXT`.
    """
    for name, text in _texts(paper):
        if len(text) > LONGEST_TEXT:
            message = (
                f"{name} of {len(text):,} characters, which begins with {text[:40]!r}; expected "
                f"at most {LONGEST_TEXT:,}: correct or remove the record"
            )
            raise SourceError(paper.path, "too-large", message)
    return paper


def _texts(paper: Paper) -> Iterator[tuple[str, str]]:
    """The texts that are stored, each with its name."""
    yield "a title", paper.title
    yield "an abstract", paper.abstract
    yield "a journal", paper.venue.title if paper.venue else ""
    for author in paper.authors:
        yield "a name", author.surname
        yield "a name", author.given
    for institution in paper.institutions:
        yield "an affiliation", institution.name
    for other in paper.other_abstracts:
        yield "an abstract", other.text
    for word in (*paper.keywords, *paper.subjects):
        yield "a keyword", word
    for section in paper.sections:
        yield "a heading", section.title
    for reference in paper.references:
        yield "a reference", reference.title
        yield "a reference", reference.text
        yield "a reference", reference.source
