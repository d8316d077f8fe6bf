"""Facets of headings, and positions of headed parts in the text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.text.abstracts.abstract import MainAbstract
from citescape.text.abstracts.gold import collect_gold
from citescape.text.abstracts.headings import (
    headed_segments,
    heading_facet,
    written_segments,
)


@pytest.mark.parametrize(
    ("heading", "facet"),
    [
        ("Background", "background"),
        ("OBJECTIVES", "background"),
        ("Background/Aims:", "background"),
        ("Background & objectives", "background"),
        ("1. Introduction.", "background"),
        ("Materials and Methods", "method"),
        ("Design, setting, and participants", "method"),
        ("Main outcome measure(s)", "method"),
        ("METHODS/DESIGN", "method"),
        ("Findings", "result"),
        ("Conclusions", "result"),
        ("Results and Conclusions", "result"),
        ("Interpretation & conclusions", "result"),
        ("Discussion", "result"),
        ("Ergebnisse", "result"),
        ("Méthodes", "method"),
        ("Material und Methoden", "method"),
        ("Objetivos", "background"),
        ("Conclusões", "result"),
        ("Resultados y discusión", "result"),
        ("Methods and Results", None),
        ("Methodology/Principal Findings", None),
        ("Methoden und Ergebnisse", None),
        ("Trial registration", None),
        ("Electronic supplementary material", None),
        ("Zusammenfassung", None),
        ("Abstract", None),
        ("", None),
        (" : ", None),
    ],
)
def test_a_heading_names_at_most_one_facet(heading: str, facet: str | None) -> None:
    assert heading_facet(heading) == facet


words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).filter(str.strip)


@given(parts=st.lists(st.tuples(st.sampled_from(("Methods", "Results", "", "Note")), words)))
def test_headed_parts_cover_the_text(parts: list[tuple[str, str]]) -> None:
    labels, texts = [label for label, _ in parts], [text for _, text in parts]
    text = " ".join(texts)
    result = headed_segments(text, labels, texts)
    if not any(labels):
        assert result == []
        return
    assert [text[s.begin : s.end] for s in result] == [*(t + " " for t in texts[:-1]), texts[-1]]
    assert [s.heading for s in result] == labels
    assert "".join(text[s.begin : s.end] for s in result) == text


def test_parts_of_another_text_are_ignored() -> None:
    assert headed_segments("Rice grew.", ["Results"], ["Wheat grew."]) == []
    assert headed_segments("Rice grew.", ["Results", "Methods"], ["Rice grew."]) == []


def test_headings_printed_in_the_text() -> None:
    text = "Background: Rice is a crop. Methods: We sowed it. Results: It grew. It was eaten."
    abstract = MainAbstract("p", text)
    assert [s.heading for s in written_segments(text)] == ["Background", "Methods", "Results"]
    assert "".join(abstract.sentences) == text
    assert abstract.heading_facets == ["background", "method", "result", "result"]
    assert abstract.sentences[1] == "Methods: We sowed it. "


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (
            "Background: Rice is old. Methods and Results: We sowed it. Conclusions: It grew.",
            ["background", None, "result"],
        ),
        (
            "Aims: Rice. Methodology/Principal Findings: It grew. Conclusions/Significance: Good.",
            ["background", None, "result"],
        ),
        (
            "Aim: Rice. Methods: Sown. Results: It grew.\nTrial registration: NCT1. Funding: None.",
            ["background", "method", "result", None, None],
        ),
        (
            "Aim: Rice. Methods: Sown. Results: Grown. Keywords: rice; soil",
            ["background", "method", "result", None],
        ),
        ("Ziel: Reis. Methoden und Ergebnisse: Gut.", []),
        ("Aim: Rice. Results: Two. Soils: clay. Note: none.", ["background", *["result"] * 3]),
    ],
    ids=["combined", "PLOS", "registration", "keywords", "one facet", "not in the table"],
)
def test_a_heading_without_a_facet_ends_the_previous_part(
    text: str, known: list[str | None]
) -> None:
    abstract = MainAbstract("p", text)
    assert "".join(abstract.sentences) == text
    assert (abstract.heading_facets if abstract.written else []) == known


@pytest.mark.parametrize("mark", [":", " :", " —", "  –", "\n:"])
def test_punctuation_belongs_to_the_heading(mark: str) -> None:
    text = f"Aim{mark} Rice. Methods{mark} Sown. Results{mark} It grew."
    result = written_segments(text)
    assert [text[s.body : s.end].strip() for s in result] == ["Rice.", "Sown.", "It grew."]
    assert collect_gold([MainAbstract("p", text)]).written[0].sentences == (
        "Rice.",
        "Sown.",
        "It grew.",
    )


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 100_000,
        "Aim: Rice." + "\n" * 100_000 + "Results: It grew.",
        "A" + " " * 100_000 + ":",
        "Aim: Rice. Results: It grew. " * 3500,
        "A" * 100_000,
        "Aa, " * 25_000,
    ],
    ids=["newlines", "newlines between", "blanks", "headings", "letters", "words"],
)
def test_100k_characters_take_little_time(text: str) -> None:
    abstract, begun = MainAbstract("p", text), time.process_time()
    assert len(abstract.heading_facets) == len(abstract.headings) == len(abstract.ends)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "text",
    [
        "Rice is a crop. Results: it grew, and so on.",
        "The results: rice grew. The methods: we sowed it.",
        "We used three Methods: sowing, planting and Results: none.",
    ],
    ids=["one facet", "no capital", "inside a sentence"],
)
def test_a_colon_alone_is_not_a_heading(text: str) -> None:
    assert written_segments(text) == []


def test_a_sentence_begins_below_each_heading() -> None:
    abstract = MainAbstract(
        "p",
        "to know rice we sowed it",
        ("Aim", "Trial registration"),
        ("to know rice", "we sowed it"),
    )
    assert abstract.sentences == ["to know rice ", "we sowed it"]
    assert abstract.heading_facets == ["background", None]
    assert abstract.headings == ["Aim", "Trial registration"]
