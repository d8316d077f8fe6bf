"""The reference list of a generated article, and the names by which the text cites its works."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from citescape.demo.jats_front import initials
from citescape.demo.markup import Markup, Target, XmlWriter
from citescape.demo.works import GeneratedWork
from citescape.demo.world import World

_LINK = "{http://www.w3.org/1999/xlink}href"
_NO_ID = 0.08
"""Share of references without identifiers in any style."""


def make_targets(
    world: World, markup: Markup, pairs: Sequence[int], *, prefix: str = "B"
) -> dict[int, Target]:
    """Number, name and year of each pair's cited work, in the order of the reference list.

    Args:
        world: the world of the pairs.
        markup: style of numbering, order and names.
        pairs: the paper's pairs in order of first mention, unmentioned ones last.
        prefix: prefix of the ids.
    """
    works = {pair: world.works[int(world.pairs.cited[pair])] for pair in pairs}
    keys = {pair: (_names(world, work), work.year) for pair, work in works.items()}
    if not markup.numeric:
        pairs = sorted(pairs, key=lambda pair: (*keys[pair], pair))
    targets: dict[int, Target] = {}
    for number, pair in enumerate(pairs, start=1):
        names, year = keys[pair]
        # a, b, ... where the list holds several works of the same name and year
        same = [other for other in pairs if keys[other] == keys[pair]]
        lettered = not markup.numeric and len(same) > 1
        letter = chr(ord("a") + same.index(pair)) if lettered else ""
        targets[pair] = Target(f"{prefix}{number}", number, names, f"{year}{letter}")
    return targets


def _names(world: World, work: GeneratedWork) -> str:
    """Authors of a work as a sentence names them."""
    surnames = [world.society.persons[author].surname for author in work.authors]
    if not surnames:
        return work.group
    if len(surnames) == 2:
        return f"{surnames[0]} and {surnames[1]}"
    return surnames[0] if len(surnames) == 1 else f"{surnames[0]} et al."


def write_entries(
    world: World, back: XmlWriter, targets: dict[int, Target], *, markup: Markup
) -> None:
    """Appends `<ref-list>`: one `<ref>` per pair, identifiers as the style prints them."""
    if not targets:
        return
    entries = back.add("ref-list")
    entries.add("title", "References")
    for pair, target in targets.items():
        work = world.works[int(world.pairs.cited[pair])]
        ref = entries.add("ref", id=target.rid)
        if markup.numeric and markup.labels:
            ref.add("label", f"{target.number}.")
        rng = world.rng(3, pair)
        _Entry(world, work, markup, rng=rng).write(ref, target.year)


class _Entry:
    """Writes one reference: all fields tagged, or tagged within running text."""

    def __init__(
        self, world: World, work: GeneratedWork, markup: Markup, *, rng: np.random.Generator
    ) -> None:
        self.world = world
        self.work = work
        self.markup = markup
        self.ids = "none" if rng.random() < _NO_ID else markup.ids

    def write(self, ref: XmlWriter, year: str) -> None:
        """Appends the citation element to `<ref>`."""
        mixed = not self.markup.element_citations
        kind = "book" if self.work.book else "journal"
        tag = "mixed-citation" if mixed else "element-citation"
        entry = ref.add(tag, publication_type=kind)
        self._authors(entry, mixed)
        entry.write(" (" if mixed else "").add("year", year)
        entry.write("). " if mixed else "")
        self._title(entry, mixed)
        self._place(entry, mixed)
        self._identifiers(entry)

    def _authors(self, entry: XmlWriter, mixed: bool) -> None:
        group = entry.add("person-group", person_group_type="author")
        limit = self.markup.et_al_after
        for i, author in enumerate(self.work.authors[:limit]):
            group.write(", " if mixed and i else "")
            person = self.world.society.persons[author]
            name = group.add("name")
            name.add("surname", person.surname)
            name.add("given-names", initials(person, self.markup.initials))
        if len(self.work.authors) > limit:
            group.write(", " if mixed else "").add("etal", "et al." if mixed else "")
        if self.work.group:
            group.write(", " if mixed and self.work.authors else "").add("collab", self.work.group)

    def _title(self, entry: XmlWriter, mixed: bool) -> None:
        if not self.work.book:
            entry.add("article-title", self.work.title + ("." if mixed else ""))
            entry.write(" " if mixed else "")

    def _place(self, entry: XmlWriter, mixed: bool) -> None:
        if self.work.book:
            entry.add("source", self.work.title)
            entry.write(". " if mixed else "").add("publisher-name", "Nowhere University Press")
            return
        venue = self.world.vocabulary.venues[self.work.venue]
        first = self.work.index * 13 % 900 + 1
        entry.add("source", venue.abbreviation)
        entry.write(" " if mixed else "").add("volume", str(self.work.year - 1980))
        entry.write(", " if mixed else "").add("fpage", str(first))
        entry.write("\N{EN DASH}" if mixed else "").add("lpage", str(first + 11))
        entry.write(". " if mixed else "")

    def _identifiers(self, entry: XmlWriter) -> None:
        doi, pmid = self.work.doi, self.work.pmid
        if self.ids == "link" and doi:
            address = f"https://doi.org/{doi}"
            link = entry.add("comment", "Available online: ").add("ext-link", address)
            link.element.set("ext-link-type", "uri")
            link.element.set(_LINK, address)
        if self.ids in ("all", "doi") and doi:
            entry.add("pub-id", doi, pub_id_type="doi")
        if self.ids in ("all", "pmid") and pmid:
            entry.add("pub-id", pmid, pub_id_type="pmid")
