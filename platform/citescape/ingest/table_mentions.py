"""Mentions in tables of citations -> sections and in-text citations of a paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from citescape.core.types import Losses, Occurrence, Section
from citescape.loaders.section_types import Typing, type_section
from citescape.loaders.table_rows import Mention, read_intents

_ORDER = ("I", "M", "R", "D", "other")


class WorkMention(NamedTuple):
    """A mention of the n-th work of a reference list."""

    reference: int
    mention: Mention


def sort_mentions(
    mentions: Iterable[tuple[int, Mention]], cited: Sequence[int]
) -> tuple[WorkMention, ...]:
    """The mentions of cited works, independent of the order of rows: by section, text, work.

    Args:
        mentions: work and mention.
        cited: the works of the reference list, in its order.
    """
    places = {work: place for place, work in enumerate(cited)}
    known = [WorkMention(places[work], mention) for work, mention in mentions if work in places]
    return tuple(sorted(known, key=_place))


def text_of(mentions: Sequence[WorkMention]) -> Mapping[str, Any]:
    """Sections, in-text citations and their account, as fields of `Paper`."""
    titles = list(dict.fromkeys(mention.section for _, mention in mentions))
    numbers = {title: number for number, title in enumerate(titles)}
    occurrences = tuple(
        Occurrence(
            numbers[mention.section],
            reference,
            mention.context,
            marker="",
            position=None,
            intents=read_intents(mention.intents),
        )
        for reference, mention in mentions
    )
    return {
        "sections": tuple(map(_section, titles)),
        "occurrences": occurrences,
        "losses": Losses(len(occurrences), 0, {}, {}),
    }


def _section(title: str) -> Section:
    found = _type(title)
    return Section(title, "body", 1, None, "", 0, "", found.type, found.source, found.combined)


def _type(title: str) -> Typing:
    letter = title.upper()
    return Typing(letter, "sec-type") if letter in _ORDER else type_section(title, title, None)  # type: ignore[arg-type]


def _place(found: WorkMention) -> tuple[object, ...]:
    section = found.mention.section
    return (_ORDER.index(_type(section).type), section, found.mention.context, *found)
