"""The tree of an article from paragraphs with spans: sections, citations, odd offsets."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citescape.core.types import Identifiers, Losses, Occurrence, Reference, Section
from citescape.loaders.article_builder import (
    ArticleParts,
    Passage,
    Pointer,
    TextSection,
    build_article,
    group_paragraphs,
    reference_key,
)
from citescape.loaders.article_text import read_article_text
from citescape.loaders.jats_references import ReferenceList
from citescape.loaders.markers import Numbering


class Text(NamedTuple):
    """What is read from the tree."""

    sections: tuple[Section, ...]
    occurrences: tuple[Occurrence, ...]
    losses: Losses

    def nested(self) -> list[tuple[int, str]]:
        """Depth and title of each section."""
        return [(section.depth, section.title) for section in self.sections]

    def citations(self) -> list[tuple[int, str]]:
        """Number of the reference and marker of each citation."""
        return [(o.reference, o.marker) for o in self.occurrences]


REFERENCES = ReferenceList(
    tuple(
        Reference(f"b{i}", "", Identifiers(), "", "", None, "", "", (), False, "") for i in range(9)
    ),
    {f"b{i}": (i,) for i in range(9)},
    Numbering(tuple(range(9))),
)


def read(parts: ArticleParts) -> Text:
    built = build_article(parts)
    text = read_article_text(built.article, REFERENCES, notes=built.notes)
    assert text.losses.anchors == len(text.occurrences) + sum(text.losses.lost.values())
    return Text(text.sections, text.occurrences, text.losses)


def read_passage(text: str, *pointers: Pointer) -> Text:
    return read(ArticleParts(body=(TextSection(Passage(""), "", (Passage(text, pointers),)),)))


def section(title: str, number: str = "", depth: int = 1, text: str = "Rice.") -> TextSection:
    return TextSection(Passage(title), number, (Passage(text),), depth)


def test_consecutive_paragraphs_of_a_title_and_number_are_a_section() -> None:
    paragraphs = [("A", "1"), ("A", "1"), ("A", "2"), ("B", "2"), ("A", "1")]

    sections = group_paragraphs((title, number, Passage("x")) for title, number in paragraphs)

    assert [(s.title.text, s.number, len(s.paragraphs)) for s in sections] == [
        ("A", "1", 2),
        ("A", "2", 1),
        ("B", "2", 1),
        ("A", "1", 1),
    ]


@pytest.mark.parametrize(
    ("sections", "nested"),
    [
        ([("A", "1"), ("B", "1.1"), ("C", "1.1.1"), ("D", "2")], [1, 2, 3, 1]),
        ([("A", "1"), ("B", "2.1"), ("C", "2.2")], [1, 1, 1]),  # section 2 has no text
        ([("A", "1"), ("B", "1.2.1")], [1, 2]),  # section 1.2 has no text
        ([("A", "2"), ("B", "2.1"), ("C", "2.1.0.1")], [1, 2, 3]),
        ([("A", "A"), ("B", "A.1"), ("C", "")], [1, 2, 1]),
        ([("A", "1"), ("B", ""), ("C", "1.1")], [1, 1, 2]),
    ],
)
def test_sections_are_nested_by_their_numbers(
    sections: list[tuple[str, str]], nested: list[int]
) -> None:
    text = read(ArticleParts(body=tuple(section(title, number) for title, number in sections)))

    assert {s.title: s.depth for s in text.sections} == dict(
        zip([title for title, _ in sections], nested, strict=True)
    )


def test_sections_without_numbers_are_nested_by_depth() -> None:
    depths = [("A", 1), ("B", 2), ("C", 4), ("D", 2), ("E", 1), ("F", 3)]

    text = read(ArticleParts(body=tuple(section(title, depth=depth) for title, depth in depths)))

    assert text.nested() == [(1, "A"), (2, "B"), (3, "C"), (2, "D"), (1, "E"), (2, "F")]


def test_a_missing_section_ends_the_sections_before_it() -> None:
    parts = (section("A", "1"), section("B", "2.1", 2), section("C", depth=3))

    assert read(ArticleParts(body=parts)).nested() == [(1, "A"), (1, "B"), (2, "C")]


def test_paragraphs_before_the_first_heading_are_a_lead() -> None:
    text = read(ArticleParts(body=(section(""), section("Methods"), section(""))))

    assert [(s.title, s.type, s.type_source) for s in text.sections] == [
        ("", "I", "lead"),
        ("Methods", "M", "title"),
        ("", "other", "none"),
    ]


def test_all_parts_are_read() -> None:
    def cited(text: str) -> Passage:
        return Passage(text, (Pointer(0, 1, ("b1",)),))

    text = read(
        ArticleParts(
            abstract=(cited("a"),),
            body=(TextSection(cited("b"), "", (cited("c"),)),),
            back=(TextSection(Passage("Thanks"), "", (cited("d"),)),),
            captions=(cited("f"),),
            footnotes=(cited("e"),),
            outside=(Pointer(None, None, ("b1", "b2")), Pointer(None, None)),
        )
    )

    assert [(text.sections[o.section].kind, o.marker) for o in text.occurrences] == [
        ("abstract", "a"),
        ("body", "b"),
        ("body", "c"),
        ("back", "d"),
        ("back", "e"),
        ("float", "f"),
    ]
    assert text.losses.lost == {"outside-text": 3}


def test_an_article_without_any_part() -> None:
    text = read(ArticleParts())

    assert (text.sections, text.occurrences, text.losses) == ((), (), Losses(0, 0))


def test_spans_are_read_in_the_order_of_the_text() -> None:
    text = read_passage("See [1] and [2].", Pointer(12, 15, ("b2",)), Pointer(4, 7, ("b1",)))

    assert text.citations() == [(1, "[1]"), (2, "[2]")]
    assert text.occurrences[0].context == "See [1] and [2]."


def test_a_range_of_two_spans_is_expanded() -> None:
    text = read_passage("See [1]-[3].", Pointer(4, 7, ("b1",)), Pointer(8, 11, ("b3",)))

    assert text.citations() == [(1, "[1]"), (2, "[3]"), (3, "[3]")]
    assert text.losses.implied == 1


@pytest.mark.parametrize(
    ("ids", "lost"), [((), "no-target"), (("",), "no-target"), (("b77",), "unknown-target")]
)
def test_spans_without_a_known_reference_are_lost(ids: tuple[str, ...], lost: str) -> None:
    text = read_passage("See [1].", Pointer(4, 7, ids))

    assert text.losses.lost == {lost: 1}


ODD_SPANS = {
    "text at another place": (Pointer(0, 3, ("b1",), "[1]"), "[1]", "moved-pointers"),
    "nearest of two": (Pointer(13, 16, ("b1",), "rice"), "rice", "moved-pointers"),
    "no offsets, text found": (Pointer(None, None, ("b1",), "[1]"), "[1]", "moved-pointers"),
    "behind the end, text found": (Pointer(99, 102, ("b1",), "[1]"), "[1]", "moved-pointers"),
    "text not found": (Pointer(4, 7, ("b1",), "[9]"), "[1]", "misplaced-pointers"),
    "behind the end": (Pointer(99, 102, ("b1",)), "", "misplaced-pointers"),
    "end behind the end": (Pointer(4, 102, ("b1",)), "", "misplaced-pointers"),
    "before the start": (Pointer(-5, -2, ("b1",)), "", "misplaced-pointers"),
    "end before start": (Pointer(7, 4, ("b1",)), "", "misplaced-pointers"),
    "no start": (Pointer(None, 7, ("b1",)), "", "misplaced-pointers"),
    "no offsets, blank text": (Pointer(None, None, ("b1",), " "), "", "misplaced-pointers"),
}


@pytest.mark.parametrize(("pointer", "marker", "note"), ODD_SPANS.values(), ids=ODD_SPANS)
def test_odd_offsets_are_corrected_or_noted(pointer: Pointer, marker: str, note: str) -> None:
    text = read_passage("See [1] for rice.", pointer)

    assert text.citations() == [(1, marker)]
    assert text.losses.notes == {note: 1}


def test_an_empty_span_is_an_occurrence_without_marker() -> None:
    text = read_passage("Rice. See this.", Pointer(9, 9, ("b1",)))

    assert text.citations() == [(1, "")]
    assert text.losses.notes == {}


def test_one_span_with_several_references_is_one_pointer() -> None:
    text = read_passage("See [1, 2].", Pointer(4, 10, ("b1",)), Pointer(4, 10, ("b2",)))

    assert text.citations() == [(1, "[1, 2]"), (2, "[1, 2]")]
    assert text.losses.notes == {}


@pytest.mark.parametrize("ids", [("b1",), ()])
def test_a_repeated_span_counts_once(ids: tuple[str, ...]) -> None:
    text = read_passage("See [1].", Pointer(4, 7, ("b1",)), Pointer(4, 7, ids))

    assert text.citations() == [(1, "[1]")]
    assert text.losses.notes == {"repeated-pointers": 1}


def test_overlapping_spans_are_cut() -> None:
    text = read_passage(
        "See [1, 2].", Pointer(4, 8, ("b1",)), Pointer(6, 10, ("b2",)), Pointer(5, 6, ("b3",))
    )

    assert text.citations() == [(1, "[1,"), (3, ""), (2, "2]")]
    assert text.losses.notes == {"overlapping-pointers": 2}


def test_characters_that_xml_cannot_hold_are_removed() -> None:
    odd = "Ri\x00ce\x0cgrows\ud800 \ufdd0[1]\uffff."
    text = read_passage(odd, Pointer(odd.index("["), odd.index("]") + 1, ("b1",), "[1]"))

    assert text.citations() == [(1, "[1]")]
    assert text.occurrences[0].context == "Rice grows [1]."


def test_ids_of_references_may_have_any_characters() -> None:
    assert [reference_key(id_) for id_ in ("BIBREF0", "b 1", "é\x00<", "")] == [
        "BIBREF0",
        "b_1",
        "é__",
        "",
    ]


TEXTS = st.text(alphabet=" [1]a.\x00\ufdd1\ud800é\n-", max_size=30)
POINTERS = st.builds(
    Pointer,
    st.none() | st.integers(-5, 40),
    st.none() | st.integers(-5, 40),
    st.lists(st.sampled_from(["b1", "b2", "unknown", "a b", "\x00"]), max_size=3).map(tuple),
    st.sampled_from(["", "[1]", "1", " "]),
)
PASSAGES = st.builds(Passage, TEXTS, st.lists(POINTERS, max_size=5).map(tuple))
SECTIONS = st.builds(
    TextSection,
    PASSAGES,
    st.sampled_from(["", "1", "1.1", "2.1", "2.1.0.1", "A", "A.1"]),
    st.lists(PASSAGES, max_size=3).map(tuple),
    st.integers(1, 4),
)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(PASSAGES, max_size=2).map(tuple),
    st.lists(SECTIONS, max_size=5).map(tuple),
    st.lists(SECTIONS, max_size=2).map(tuple),
    st.lists(PASSAGES, max_size=2).map(tuple),
)
def test_every_pointer_is_accounted_for(
    passages: tuple[Passage, ...],
    body: tuple[TextSection, ...],
    back: tuple[TextSection, ...],
    captions: tuple[Passage, ...],
) -> None:
    outside = (Pointer(None, None, ("b1", "unknown")),)
    text = read(ArticleParts(passages, body, back, captions, passages, outside))

    written = [*passages, *captions, *passages]
    for part in (*body, *back):
        written += [part.title, *part.paragraphs]
    pointers = [p for passage in written for p in passage.pointers] + list(outside)
    repeated = text.losses.notes.get("repeated-pointers", 0)
    assert text.losses.anchors - text.losses.implied + repeated == sum(
        max(len(pointer.ids), 1) for pointer in pointers
    )
    positions = [o.position for o in text.occurrences if o.position is not None]
    assert positions == sorted(positions)
