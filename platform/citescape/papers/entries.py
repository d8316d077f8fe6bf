"""Entries of a bibliography: what is known of papers to cite them by."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple
from urllib.parse import quote

from citescape.core.errors import ConfigError
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_SAFE = "/:;()._-~,*'!@$+="
"""Characters of a DOI that may stand in an address."""

_UNREAD = "the title is what a reference list prints, maybe with authors and place"
_READ = 10_000
"""Papers of one query."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_ENDS = re.compile(r"(?:/(?:full|abstract|e?pdf))+$", re.IGNORECASE)
"""Of a publisher's pages; DOIs that were copied from an address have them."""
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
"""What the type of a paper has in it -> kind of entry; the first that fits."""


class Name(NamedTuple):
    """On a by-line."""

    surname: str
    """Of a group, its whole name."""
    given: str
    group: bool = False

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.surname, self.given)))


class Entry(NamedTuple):
    """A work as bibliographies name it; texts are empty where nothing is known, on one line."""

    id: str
    title: str
    authors: tuple[Name, ...] = ()
    """Members of groups left out."""
    year: int | None = None
    venue: str = ""
    volume: str = ""
    page: str = ""
    """The first."""
    doi: str = ""
    url: str = ""
    kind: str = "article"
    """`article`, `book`, `chapter`, `conference`, `thesis`, or `other`: nobody says where it is."""
    note: str = ""
    """What whoever cites it should know."""
    keywords: tuple[str, ...] = ()
    """Without commas."""


def read_entries(store: GraphStore, ids: Sequence[str]) -> list[Entry]:
    """Papers by id, in the order given, each once.

    Volume and page are those that most reference lists print (of equally many the lower), since
    full texts do not tell theirs.

    Raises:
        ConfigError: a paper is not in the graph.
    """
    wanted, found = list(dict.fromkeys(ids)), dict[str, Entry]()
    for start in range(0, len(wanted), _READ):
        part = wanted[start : start + _READ]
        printed = _most_printed(store.read(query("exports/printed"), papers=part).to_pylist())
        rows = store.read(query("exports/papers"), papers=part).to_pylist()
        found |= {row["id"]: _entry(row, *printed.get(row["id"], ("", ""))) for row in rows}
    missing = next((id_ for id_ in wanted if id_ not in found), None)
    if missing is not None:
        raise ConfigError(f"no paper {missing!r} in {store.location}; expected the id of a paper")
    return [found[id_] for id_ in wanted]


def _most_printed(rows: Iterable[dict[str, Any]]) -> dict[str, tuple[str, str]]:
    """Id -> volume and page; where both are printed before where one is."""
    counts: dict[str, Counter[tuple[str, str]]] = {}
    for row in rows:
        place = _line(row["volume"]), _line(row["page"])
        counts.setdefault(row["id"], Counter())[place] += row["entries"]
    return {
        id_: min(places, key=lambda place: (place.count(""), -places[place], place))
        for id_, places in counts.items()
    }


def _entry(row: dict[str, Any], volume: str, page: str) -> Entry:
    doi, authors = _ENDS.sub("", _line(row["doi"])), tuple(_authors(row))
    unread = not (row["fulltext"] or authors or row["venue"]) and row["title"]
    return Entry(
        row["id"],
        _line(row["title"]),
        authors,
        row["year"],
        _line(row["venue"]),
        volume,
        page,
        doi,
        address(doi, row["pmid"], row["pmcid"]) or "",
        _kind(_line(row["type"]).lower(), bool(row["venue"])),
        _UNREAD if unread else "",
    )


def _authors(row: dict[str, Any]) -> Iterator[Name]:
    people = (row[name] or () for name in ("surnames", "givens", "roles"))
    for surname, given, role in zip_longest(*people, fillvalue=""):
        name = Name(_line(surname), _line(given), role == "group")
        if role != "member" and str(name):
            yield name


def _kind(told: str, placed: bool) -> str:
    found = next((kind for word, kind in _KINDS.items() if word in told), None)
    return found or ("article" if placed else "other")


def _line(text: str | None) -> str:
    return " ".join(_CONTROL.sub(" ", text or "").split())


def address(doi: str | None, pmid: str | None, pmcid: str | None) -> str | None:
    """Where a paper is on the web: at doi.org, else PubMed or PubMed Central, else None."""
    if doi:
        return f"https://doi.org/{quote(doi, safe=_SAFE)}"
    if pmid:
        return f"https://pubmed.ncbi.nlm.nih.gov/{quote(pmid, safe='')}/"
    return f"https://pmc.ncbi.nlm.nih.gov/articles/{quote(pmcid, safe='')}/" if pmcid else None
