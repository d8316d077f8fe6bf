"""Affiliations of a JATS article, and the contributors that they belong to.

An affiliation is inside its contributor, or named by one of its pointers. Without pointers, the
only affiliation of a group of contributors is that of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from citescape.core.identifiers import normalise_ror
from citescape.core.types import Institution
from citescape.loaders.countries import country_code, country_of_affiliation
from citescape.loaders.jats_text import text_of

_AFFILIATIONS = ("aff", "aff-alternatives")
_NOT_THE_PLACE = frozenset(
    ("label", "email", "xref", "fn", "phone", "fax", "uri", "ext-link", "institution-id")
)
_MARK = re.compile(r"^(?:\W*(?:\d{1,2}|[a-z])\)?[\s.:]+(?=[A-Z])|[^\w(]+)")
"""A label without an element (`1 Rice Institute`)."""
_COMMAS = re.compile(r"\s*,(?:\s*,)+\s*")
_CONTACT = re.compile(r"[\s;,.(]*\b(?:e-?mails?|tel|telephone|phone|fax)\b\s*[:.].*", re.I | re.S)
_INITIALS = re.compile(r"(?:\s*(?:\bor\b|\band\b|[;,])?\s*\((?:[A-Za-z][.\-‐–]+\s?)+\))+[\s;.,]*$")
"""Initials of authors behind their e-mail addresses, which are left out: `; (S.K.)`."""
_NOT_THEN = re.compile(r"(?:present|current|new|permanent) address\b|deceased\b", re.IGNORECASE)
"""Notes about authors that are tagged as affiliations."""
_UNIT = re.compile(
    r"\b(?:d[eé]p(?:artment|artement|artamento|t)|departamento|division|section|faculty|"
    r"facult[eéà]|facultad|faculdade|school|laborator\w+|lab|unit|group|program|programme|chair)\b",
    re.IGNORECASE,
)
_UNIT_TYPES = re.compile(r"dep|div|unit|lab|facult|school|group|section", re.IGNORECASE)
_ORGANISATION = re.compile(
    r"universi|\bcollege\b|\binstitut|academ|\bcent(?:er|re)\b|hospital|compan|\binc\b|\bltd\b",
    re.IGNORECASE,
)
_LONGEST = 300  # characters of a name; longer ones hold several affiliations, or a footnote


class Affiliations:
    """The affiliations of an article, each once, in the order in which its authors name them."""

    def __init__(self, meta: etree._Element) -> None:
        self._places: dict[Institution, int] = {}
        self._named: dict[str, etree._Element] = {}
        self._found: dict[etree._Element, Institution | None] = {}
        self._of_groups: dict[etree._Element, list[etree._Element]] = {}
        self._meta = meta
        for element in meta.iter(*_AFFILIATIONS):
            for part in element.iter(*_AFFILIATIONS):
                if id_ := part.get("id"):
                    self._named.setdefault(id_, element)

    @property
    def institutions(self) -> tuple[Institution, ...]:
        """Those of the contributors read so far."""
        return tuple(self._places)

    def of_contributor(self, contrib: etree._Element) -> tuple[int, ...]:
        """Indices into `institutions`."""
        elements = self._own(contrib) or self._of_group(contrib)
        places = [self._read(element) for element in elements]
        return tuple(
            dict.fromkeys(
                self._places.setdefault(place, len(self._places)) for place in places if place
            )
        )

    def _read(self, element: etree._Element) -> Institution | None:
        if element not in self._found:
            self._found[element] = _read(element)
        return self._found[element]

    def _own(self, contrib: etree._Element) -> list[etree._Element]:
        """The elements inside a contributor, and those that it points to."""
        found = list(contrib.iterchildren(*_AFFILIATIONS))
        for pointer in contrib.iterchildren("xref"):
            ids = (pointer.get("rid") or "").split()
            found += [self._named[id_] for id_ in ids if id_ in self._named]
        return found

    def _of_group(self, contrib: etree._Element) -> list[etree._Element]:
        """Affiliations of the whole group: the only one, or all of a single contributor."""
        group = contrib.getparent()
        if group is None:
            return []
        if group not in self._of_groups:
            self._of_groups[group] = self._common(group)
        return self._of_groups[group]

    def _common(self, group: etree._Element) -> list[etree._Element]:
        contribs = list(group.iterchildren("contrib"))
        elements = list(group.iterchildren(*_AFFILIATIONS))
        if not elements and len(self._meta.findall("contrib-group")) == 1:
            elements = list(self._meta.iterchildren(*_AFFILIATIONS))
        single = len(elements) == 1 or len(contribs) == 1
        return elements if single and not any(map(self._own, contribs)) else []


def _read(element: etree._Element) -> Institution | None:
    """An `aff`, or the first one of `aff-alternatives`, which all mean the same place."""
    aff = element
    if element.tag == "aff-alternatives":
        aff = next(element.iterchildren("aff"), element)
    printed = _printed(aff)
    if _NOT_THEN.match(printed):
        return None
    tagged = [(e, text_of(e).strip(" ,;.")) for e in aff.iter("institution")]
    tagged = [(e, name) for e, name in tagged if name]
    organisation = _organisation(tagged)
    name = _shorten(printed if organisation is None else organisation[1])
    if not name:
        return None
    rors = [_ror(wrap) for wrap in aff.iter("institution-wrap")] or [_ror(aff)]
    if organisation is not None and (wrap := organisation[0].getparent()) is not None:
        rors = [_ror(wrap), *rors] if len({*filter(None, rors)}) == 1 else [_ror(wrap)]
    return Institution(name, _country(aff, printed), next(filter(None, rors), None))


def _organisation(
    tagged: list[tuple[etree._Element, str]],
) -> tuple[etree._Element, str] | None:
    """The element that names the organisation, not its department."""

    def rank(item: tuple[etree._Element, str]) -> int:
        kind = item[0].get("content-type") or ""
        if kind:
            return 3 if _UNIT_TYPES.search(kind) or kind.startswith("orgdiv") else 0
        return 1 if _ORGANISATION.search(item[1]) else 3 if _UNIT.search(item[1]) else 2

    # Of several units the last one is the largest.
    return min(reversed(tagged), key=rank) if tagged else None


def _country(aff: etree._Element, printed: str) -> str:
    for element in aff.iter("country"):
        if code := country_code(element.get("country") or "") or country_code(text_of(element)):
            return code
    return country_of_affiliation(printed)


def _ror(element: etree._Element) -> str | None:
    """The first ROR id inside an element."""
    ids = (normalise_ror(text_of(id_)) for id_ in element.iter("institution-id"))
    return next(filter(None, ids), None)


def _printed(aff: etree._Element) -> str:
    """The affiliation as printed, without label and addresses of e-mail."""
    text = _COMMAS.sub(", ", " ".join("".join(_pieces(aff, is_first=True)).split()))
    text = _INITIALS.sub("", _CONTACT.sub("", text))
    return (text if aff.find("label") is not None else _MARK.sub("", text)).strip(" ,;.")


def _pieces(element: etree._Element, *, is_first: bool) -> Iterator[str]:
    """Texts without parts that are not the place; elements that nothing separates get a comma."""
    yield element.text or ""
    for child in element:
        start = is_first and child is element[0] and not (element.text or "").strip()
        is_mark = start and child.tag in ("sup", "bold", "italic") and len(text_of(child)) <= 3
        if isinstance(child.tag, str) and child.tag not in _NOT_THE_PLACE and not is_mark:
            yield from _pieces(child, is_first=start)
            if not (child.tail or "").strip() and child.tag not in ("sup", "sub", "italic", "bold"):
                yield ", " if child.getnext() is not None else ""
        yield child.tail or ""


def _shorten(name: str) -> str:
    """The name, cut at a comma or blank if it is too long."""
    if len(name) <= _LONGEST:
        return name
    cut = name[:_LONGEST]
    return (cut.rpartition(", ")[0] or cut.rpartition(" ")[0] or cut).rstrip(" ,;.")
