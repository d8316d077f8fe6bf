"""Entries of a bibliography: authors, title and other fields of papers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple
from urllib.parse import quote

from citescape.core.errors import ConfigError
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_SAFE = "/:;()._-~,*'!@$+="
"""Characters of a DOI that need no escape in an address."""

_UNPARSED = "the title is what a reference list prints, perhaps with authors and place"
_BATCH_PAPERS = 10_000
"""Papers per query."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_ENDS = re.compile(r"(?:/(?:full|abstract|e?pdf))+$", re.IGNORECASE)
"""Endings of publishers' pages, on DOIs that were copied from an address."""
_KINDS = {
    "review": "article",
    "chapter": "chapter",
    "proceedings": "conference",
    "conference": "conference",
    "meeting": "conference",
    "thesis": "thesis",
    "dissertation": "thesis",
    "book": "book",
    "monograph": "book",
}
"""Word in the type of a paper -> kind of entry; the first match counts."""


class Name(NamedTuple):
    """Name of an author."""

    surname: str
    """Surname; for a group its whole name."""
    given: str
    group: bool = False

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.surname, self.given)))


class BibliographyEntry(NamedTuple):
    """A work in a bibliography; texts are on one line, and empty if unknown."""

    id: str
    title: str
    authors: tuple[Name, ...] = ()
    """Authors, without the members of groups."""
    year: int | None = None
    venue: str = ""
    volume: str = ""
    page: str = ""
    """First page."""
    doi: str = ""
    url: str = ""
    kind: str = "article"
    """`article`, `book`, `chapter`, `conference`, `thesis`, or `other` without a venue."""
    note: str = ""
    """Warning for authors who cite the work."""
    keywords: tuple[str, ...] = ()
    """Keywords; none contains a comma."""


def read_entries(store: GraphStore, ids: Sequence[str]) -> list[BibliographyEntry]:
    """Papers by id, in the order given, each once.

    Volume and page are those that most reference lists print (in ties the lower), because full
    texts do not give them. Pairs of both come before single ones.

    Raises:
        ConfigError: a paper is not in the graph.
    """
    distinct, entries = list(dict.fromkeys(ids)), dict[str, BibliographyEntry]()
    for start in range(0, len(distinct), _BATCH_PAPERS):
        part = distinct[start : start + _BATCH_PAPERS]
        counts: dict[str, Counter[tuple[str, str]]] = {}
        for row in store.read(query("exports/printed"), papers=part).to_pylist():
            place = _line(row["volume"]), _line(row["page"])
            counts.setdefault(row["id"], Counter())[place] += row["entries"]
        printed = {
            id_: min(places, key=lambda place: (place.count(""), -places[place], place))
            for id_, places in counts.items()
        }
        rows = store.read(query("exports/papers"), papers=part).to_pylist()
        entries |= {row["id"]: _entry(row, *printed.get(row["id"], ("", ""))) for row in rows}
    missing = next((id_ for id_ in distinct if id_ not in entries), None)
    if missing is not None:
        raise ConfigError(f"no paper {missing!r} in {store.location}; expected the id of a paper")
    return [entries[id_] for id_ in distinct]


def _entry(row: dict[str, Any], volume: str, page: str) -> BibliographyEntry:
    authors = []
    by_line = (row[name] or () for name in ("surnames", "givens", "roles"))
    for surname, given, role in zip_longest(*by_line, fillvalue=""):
        name = Name(_line(surname), _line(given), role == "group")
        if role != "member" and str(name):
            authors.append(name)
    doi, type_ = _ENDS.sub("", _line(row["doi"])), _line(row["type"]).lower()
    kind = next((kind for word, kind in _KINDS.items() if word in type_), None)
    is_unparsed = not (row["fulltext"] or authors or row["venue"]) and row["title"]
    return BibliographyEntry(
        row["id"],
        _line(row["title"]),
        tuple(authors),
        row["year"],
        _line(row["venue"]),
        volume,
        page,
        doi,
        address(doi, row["pmid"], row["pmcid"]) or "",
        kind or ("article" if row["venue"] else "other"),
        _UNPARSED if is_unparsed else "",
    )


def _line(text: str | None) -> str:
    return " ".join(_CONTROL.sub(" ", text or "").split())


def address(doi: str | None, pmid: str | None, pmcid: str | None) -> str | None:
    """The web address of a paper: at doi.org, else PubMed or PubMed Central, else None.

    Args:
        doi: normalised, without `https://doi.org/`.
        pmid: digits.
        pmcid: with its prefix `PMC`.
    """
    if doi:
        return f"https://doi.org/{quote(doi, safe=_SAFE)}"
    if pmid:
        return f"https://pubmed.ncbi.nlm.nih.gov/{quote(pmid, safe='')}/"
    return f"https://pmc.ncbi.nlm.nih.gov/articles/{quote(pmcid, safe='')}/" if pmcid else None
