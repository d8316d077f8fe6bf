"""Small JATS articles, built from parts; a test states only the parts it needs."""

from __future__ import annotations

from citescape.core.types import Occurrence, Paper
from citescape.loaders.jats import read_jats

XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'


def element_ref(number: int, inside: str = "") -> str:
    """An entry of a reference list; by default a plain journal article."""
    inside = inside or (
        f"<article-title>Title {number}</article-title><source>Journal</source>"
        f"<year>{2000 + number % 20}</year>"
    )
    return (
        f'<ref id="B{number}"><label>{number}</label>'
        f'<element-citation publication-type="journal">{inside}</element-citation></ref>'
    )


def ref_list(count: int) -> str:
    """References B1, B2, ... with labels 1, 2, ..."""
    entries = "".join(element_ref(number) for number in range(1, count + 1))
    return f"<ref-list>{entries}</ref-list>"


def cite(number: int, text: str | None = None) -> str:
    """A pointer to reference B<number>."""
    return f'<xref ref-type="bibr" rid="B{number}">{number if text is None else text}</xref>'


def article(
    body: str = "", *, meta: str = "", back: str = ref_list(9), after: str = "", root: str = ""
) -> bytes:
    """An article. `meta` goes into `article-meta`, `after` behind the back matter."""
    return (
        f"<article {XLINK} {root}><front><journal-meta/><article-meta>{meta}</article-meta></front>"
        f"<body>{body}</body><back>{back}</back>{after}</article>"
    ).encode()


def read(body: str = "", **parts: str) -> Paper:
    """Reads an article built by `article`."""
    return read_jats(article(body, **parts), "paper.xml")


def read_reference(inside: str, tag: str = "mixed-citation", attributes: str = "") -> Paper:
    """Reads an article with a single reference."""
    entry = f'<ref id="B1"><{tag} {attributes}>{inside}</{tag}></ref>'
    return read(back=f"<ref-list>{entry}</ref-list>")


def cited(paper: Paper) -> list[str]:
    """The ids of the references cited, in reading order."""
    return [paper.references[o.reference].source_id for o in paper.occurrences]


def placed(paper: Paper) -> list[tuple[str, str]]:
    """The section's title and the id of the reference of every citation."""
    return [
        (paper.sections[o.section].title, paper.references[o.reference].source_id)
        for o in paper.occurrences
    ]


def only(paper: Paper) -> Occurrence:
    """The only citation of a paper."""
    (occurrence,) = paper.occurrences
    return occurrence


def is_balanced(paper: Paper) -> bool:
    """Checks the invariant of `Losses`: every pointer is counted."""
    return paper.losses.anchors == len(paper.occurrences) + sum(paper.losses.lost.values())
