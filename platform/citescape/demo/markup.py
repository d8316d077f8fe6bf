"""House styles of publishers: print of citation markers, headings and names.

The options are those of real files; a paper has one style.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from lxml import etree

_T = TypeVar("_T")

Citing = Literal["brackets", "bracket-each", "parentheses", "superscript", "author-year", "year"]
"""[1, 2]; [1], [2]; (1, 2); raised after the full stop; (Wang, 2010); with only the year linked."""
Range = Literal["two-pointers", "one-pointer", "empty-inside", "spelt-out"]
"""3-5 as pointers to 3 and 5; as one pointer to 3; with empty pointers inside; as 3, 4, 5."""

CITING: dict[Citing, float] = {
    "brackets": 0.3,
    "bracket-each": 0.08,
    "parentheses": 0.1,
    "superscript": 0.2,
    "author-year": 0.17,
    "year": 0.15,
}
RANGES: dict[Range, float] = {
    "two-pointers": 0.6,
    "one-pointer": 0.15,
    "empty-inside": 0.1,
    "spelt-out": 0.15,
}
NUMBERING = {"": 0.55, "1.": 0.15, "1": 0.12, "I.": 0.06, "CAPITALS": 0.12}
IDS = {"all": 0.4, "doi": 0.2, "pmid": 0.15, "link": 0.15, "none": 0.1}
"""Ids printed in a reference list; `link` hides the DOI in a web address."""
INITIALS = {"M. L.": 0.4, "ML": 0.4, "M.L.": 0.2}
_SHORTEST_RANGE = 3
_LATIN = re.compile(r"(et al\.|in vitro|operando)")
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")


@dataclass(frozen=True)
class Markup:
    """The style of one paper."""

    citing: Citing
    ranges: Range
    dash: str
    separator: str
    sec_types: bool
    numbering: str
    element_citations: bool
    labels: bool
    ids: str
    initials: str
    full_givens: bool
    """By-line with full given names instead of initials."""
    et_al_after: int
    """Maximum number of authors printed in a reference."""
    structured_abstract: bool
    floats_group: bool
    ascii: bool
    """Written as ASCII with character references."""
    italics: bool
    """`et al.` and Latin in italics, as inline markup within sentences and pointers."""
    orcid_prefix: str

    @property
    def numeric(self) -> bool:
        """Whether references are numbered in order of appearance, not sorted alphabetically."""
        return self.citing not in ("author-year", "year")


def choose_markup(rng: np.random.Generator) -> Markup:
    """A style drawn for one paper."""

    def pick(table: Mapping[_T, float]) -> _T:
        options = list(table)
        return options[int(rng.choice(len(options), p=list(table.values())))]

    return Markup(
        citing=pick(CITING),
        ranges=pick(RANGES),
        dash=pick({"\N{EN DASH}": 0.7, "-": 0.3}),
        separator=pick({", ": 0.5, ",": 0.5}),
        sec_types=pick({True: 0.45, False: 0.55}),
        numbering=pick(NUMBERING),
        element_citations=pick({True: 0.5, False: 0.5}),
        labels=pick({True: 0.8, False: 0.2}),
        ids=pick(IDS),
        initials=pick(INITIALS),
        full_givens=pick({True: 0.8, False: 0.2}),
        et_al_after=pick({3: 0.15, 6: 0.25, 99: 0.6}),
        structured_abstract=pick({True: 0.3, False: 0.7}),
        floats_group=pick({True: 0.2, False: 0.8}),
        ascii=pick({True: 0.3, False: 0.7}),
        italics=pick({True: 0.35, False: 0.65}),
        orcid_prefix=pick({"http://orcid.org/": 0.4, "https://orcid.org/": 0.4, "": 0.2}),
    )


def number_heading(style: str, heading: str, path: Sequence[int]) -> str:
    """A heading with its number: path (2, 1) gives `2.1. ` or `2.1 `; Roman at the top only."""
    if style == "CAPITALS":
        return heading.upper() if len(path) == 1 else heading
    if style == "I.":
        return f"{_ROMAN[path[0] - 1]}. {heading}" if len(path) == 1 else heading
    number = ".".join(str(step) for step in path)
    return {"": "", "1.": f"{number}. ", "1": f"{number} "}[style] + heading


class XmlWriter:
    """Appends text and elements to an XML element."""

    def __init__(self, element: etree._Element) -> None:
        self.element = element

    def write(self, text: str) -> XmlWriter:
        """Appends text."""
        if len(self.element):
            self.element[-1].tail = (self.element[-1].tail or "") + text
        else:
            self.element.text = (self.element.text or "") + text
        return self

    def add(self, tag: str, text: str = "", **attributes: str) -> XmlWriter:
        """Appends an element (attribute names with `-` for `_`) and returns its writer."""
        names = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        child = XmlWriter(etree.SubElement(self.element, tag, names))
        if text:
            child.write(text)
        return child


def write_prose(ink: XmlWriter, text: str, markup: Markup) -> XmlWriter:
    """Appends text, with Latin in italics if the style has italics; the plain text is unchanged."""
    pieces = _LATIN.split(text) if markup.italics else [text]
    for latin, piece in enumerate(pieces):
        if latin % 2:
            ink.add("italic", piece)
        elif piece:
            ink.write(piece)
    return ink


@dataclass(frozen=True)
class Target:
    """A reference as markers print it: its id, number, names and year."""

    rid: str
    number: int
    names: str
    """`Wang`, `Wang and Chen`, `Wang et al.`, or a group."""
    year: str
    """With a letter if the same names have several works in a year: `2010a`."""


def write_marker(ink: XmlWriter, targets: Sequence[Target], markup: Markup, *, named: bool) -> None:
    """A citation in the style of the paper.

    Args:
        ink: element that the marker is appended to.
        targets: the works cited together.
        markup: style of the paper.
        named: whether the authors are part of the sentence: `Wang et al. [3]`, `Wang et al.
            (2010)`.
    """
    if not markup.numeric:
        _author_year(ink, targets, markup, named=named)
        return
    if named:
        write_prose(ink, targets[0].names, markup)
    order = sorted(targets, key=lambda target: target.number)
    if markup.citing == "superscript":
        _numbers(ink.add("sup"), order, markup, around="")
    elif markup.citing == "bracket-each":
        _numbers(ink.write(" "), order, markup, around="[]")
    else:
        opening, closing = "[]" if markup.citing == "brackets" else "()"
        _numbers(ink.write(f" {opening}"), order, markup, around="")
        ink.write(closing)


def _author_year(ink: XmlWriter, targets: Sequence[Target], markup: Markup, *, named: bool) -> None:
    if named:
        write_prose(ink, f"{targets[0].names} (", markup)
        _pointer(ink, targets[0], targets[0].year)
        ink.write(")")
        return
    comma = "," if markup.separator == ", " else ""
    ink.write(" (")
    for i, target in enumerate(sorted(targets, key=lambda t: (t.year, t.names))):
        ink.write("; " if i else "")
        if markup.citing == "author-year":
            write_prose(_pointer(ink, target), f"{target.names}{comma} {target.year}", markup)
        else:
            _pointer(write_prose(ink, f"{target.names}{comma} ", markup), target, target.year)
    ink.write(")")


def _numbers(ink: XmlWriter, order: Sequence[Target], markup: Markup, *, around: str) -> None:
    opening, closing = (around[0], around[1]) if around else ("", "")
    for i, group in enumerate(group_ranges(order, spelt_out=markup.ranges == "spelt-out")):
        ink.write(markup.separator if i else "")
        first, last = group[0], group[-1]
        if len(group) > 1 and markup.ranges == "one-pointer":
            _pointer(ink, first, f"{opening}{first.number}{markup.dash}{last.number}{closing}")
            continue
        _pointer(ink, first, f"{opening}{first.number}{closing}")
        if len(group) > 1:
            _pointer(ink.write(markup.dash), last, f"{opening}{last.number}{closing}")
            if markup.ranges == "empty-inside":
                for inside in group[1:-1]:
                    _pointer(ink, inside)


def group_ranges(order: Sequence[Target], *, spelt_out: bool) -> Iterable[list[Target]]:
    """Groups three or more consecutive numbers; other numbers are groups of one."""
    groups: list[list[Target]] = []
    for target in order:
        if groups and groups[-1][-1].number + 1 == target.number:
            groups[-1].append(target)
        else:
            groups.append([target])
    for group in groups:
        if spelt_out or len(group) < _SHORTEST_RANGE:
            yield from ([target] for target in group)
        else:
            yield group


def _pointer(ink: XmlWriter, target: Target, text: str = "") -> XmlWriter:
    return ink.add("xref", text, ref_type="bibr", rid=target.rid)
