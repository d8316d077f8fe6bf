"""Metadata records with odd values, and what holds for every paper read from one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date

from citescape.core.types import Paper
from citescape.ingest.tables import paper_tables

SHA256 = "0" * 64
ODD: Sequence[object] = (
    None, True, False, 0, -1, 7, 10**30, 2019, 1.5, 2019.0, float("nan"), float("inf"), "", " ",
    "\x00", "a", "A; B", "null", "[", "{", "[1", "[[2019]]", '{"name": "a"}', "10.1000/1", "10.",
    "W1234", "2019", "2019-02-31", "9999", "<", "<b", "&lt;i>", "<p>a</i>", "&#0;", "x" * 2000,
    [], [[]], [None], [[None]], [["a"]], ["", 7, None], {}, {"a": None}, [{}], [{"name": {}}],
    ("a", 1), [("a", [0])], date(2019, 3, 7),
)  # fmt: skip
"""Values that a field may have in a damaged or strange source."""


def spoil(value: object, chance: random.Random) -> object:
    """A record with some of its values replaced, keys renamed, and items repeated."""
    if chance.random() < 0.08:
        return chance.choice(ODD)
    if isinstance(value, dict):
        return {
            key.upper() if chance.random() < 0.05 else key: spoil(item, chance)
            for key, item in value.items()
            if chance.random() < 0.95
        }
    if isinstance(value, list):
        return [spoil(item, chance) for item in value * (2 if chance.random() < 0.1 else 1)]
    return value


def assert_valid(paper: Paper) -> None:
    """Asserts the invariants of a paper without text, and that it can be stored."""
    assert not paper.sections
    assert not paper.occurrences
    assert (paper.losses.anchors, paper.losses.implied, paper.losses.lost) == (0, 0, {})
    assert all(count > 0 for count in paper.losses.notes.values())
    assert len(paper.abstract_labels) == len(paper.abstract_parts)
    assert str(paper.year or "") == paper.date[:4]
    assert any(paper.ids) or paper.title
    assert all(author.surname for author in paper.authors)
    places = {index for author in paper.authors for index in author.institutions}
    assert places == set(range(len(paper.institutions)))
    assert len(set(paper.versions)) == len(paper.versions)
    assert paper.ids not in paper.versions
    paper_tables([paper])
