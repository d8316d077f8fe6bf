"""The pointers of a JATS article to its references, and the count of losses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lxml import etree

from citescape.core.types import Losses
from citescape.loaders.jats_index import Index
from citescape.loaders.jats_text import text_of

_LETTERED = re.compile(r"\W*\d+\s*([a-zA-Z])\W*")


class Pointer(NamedTuple):
    """One `xref`: number of its ids, the references of these ids, and number of unknown ids."""

    ids: int
    works: tuple[int, ...]
    unknown: int


class Pointers:
    """Every `xref` that names a reference, sub-articles included.

    A pointer is an `xref` whose `ref-type` is `bibr`, or whose `rid` is the id of a reference. It
    counts once for each id it names. `targets` maps ids to indices of references.
    """

    def __init__(self, index: Index, targets: Mapping[str, tuple[int, ...]]) -> None:
        self.found: dict[etree._Element, Pointer] = {}
        for xref in (*index.xrefs, *index.nested_xrefs):
            rid = xref.get("rid") or ""
            works = targets.get(rid)
            if works is not None and len(works) == 1:
                self.found[xref] = Pointer(1, works, 0)
            elif (rids := rid.split()) and any(r in targets for r in rids):
                self.found[xref] = _resolve(xref, rids, targets)
            elif xref.get("ref-type") == "bibr":
                self.found[xref] = Pointer(max(len(rids), 1), (), len(rids))
        nested = (self.found.get(xref) for xref in index.nested_xrefs)
        self._nested = sum(pointer.ids for pointer in nested if pointer is not None)
        self._read = 0
        self._implied = 0
        self._lost: dict[str, int] = {}

    def read(self, xrefs: Iterable[etree._Element]) -> list[tuple[int, ...]]:
        """The references of each pointer; marks the pointers as found in the text."""
        pointers = [self.found[xref] for xref in xrefs]
        for ids, works, unknown in pointers:
            self._read += ids
            if unknown:
                self._lose("unknown-target", unknown)
            elif not works:
                self._lose("no-target", 1)
            if len(works) != ids:
                self._implied += max(len(works) - (ids - unknown), 0)
        return [pointer.works for pointer in pointers]

    def imply(self, cited: int, unclear: int) -> None:
        """Counts works that are cited inside a range, and numbers without a reference."""
        self._implied += cited + unclear
        if unclear:
            self._lose("range-unclear", unclear)

    def losses(self, notes: Mapping[str, int]) -> Losses:
        """The losses; call it after all text has been read."""
        total = sum(pointer.ids for pointer in self.found.values())
        outside = total - self._nested - self._read
        lost = {**self._lost, "sub-article": self._nested, "outside-text": outside}
        return Losses(
            anchors=total + self._implied,
            implied=self._implied,
            lost={reason: count for reason, count in lost.items() if count},
            notes=dict(notes),
        )

    def _lose(self, reason: str, count: int) -> None:
        self._lost[reason] = self._lost.get(reason, 0) + count


def _resolve(
    xref: etree._Element, rids: list[str], targets: Mapping[str, tuple[int, ...]]
) -> Pointer:
    known = [targets[rid] for rid in rids if rid in targets]
    marker = text_of(xref) if any(len(works) > 1 for works in known) else ""
    works = tuple(i for works in known for i in _meant(works, marker))
    return Pointer(len(rids), works, len(rids) - len(known))


def _meant(works: tuple[int, ...], marker: str) -> tuple[int, ...]:
    """The work whose letter is printed (`5b`), for an entry with several works; otherwise all."""
    lettered = _LETTERED.fullmatch(marker) if len(works) > 1 else None
    if lettered is None:
        return works
    index = ord(lettered.group(1).lower()) - ord("a")
    return works[index : index + 1] or works
