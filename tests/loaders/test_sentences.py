"""The sentence around a citation."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.loaders.sentences import LONGEST, sentences_at, split_sentences


def split(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """Text with markers written `{so}`, and their spans."""
    text, spans = "", []
    for i, piece in enumerate(re.split(r"[{}]", marked)):
        if i % 2:
            spans.append((len(text), len(text) + len(piece)))
        text += piece
    return text, spans


def contexts(marked: str) -> list[str]:
    return sentences_at(*split(marked)).texts


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Rice is eaten. It grows [{12}]. It is good.", "It grows [12]."),
        ("It grows ({Smith et al., 2010}). It is good.", "It grows (Smith et al., 2010)."),
        ("It grows (Smith et al., {2010}; Li, 2011). It is.",
         "It grows (Smith et al., 2010; Li, 2011)."),
        ("First. Smith et al. [{3}] grew it. Last.", "Smith et al. [3] grew it."),
        ("First. {Smith et al.} [3] grew it. Last.", "Smith et al. [3] grew it."),
        ("First. {Smith et al. (2010)} grew it. Last.", "Smith et al. (2010) grew it."),
        ("It rose (Fig. 3) again [{12}]. Next one.", "It rose (Fig. 3) again [12]."),
        ("See Figs. 2 and Eqs. 3 in [{12}]. Next.", "See Figs. 2 and Eqs. 3 in [12]."),
        ("O. sativa L. cv. Nipponbare grew [{2}]. Next.", "O. sativa L. cv. Nipponbare grew [2]."),
        ("Grown at approx. 3.5 t, i.e. high, e.g. by Li [{2}]. Next.",
         "Grown at approx. 3.5 t, i.e. high, e.g. by Li [2]."),
        ("It held at p < 0.05 [{2}]. We then left.", "It held at p < 0.05 [2]."),
        ("The 5' end was cut [{2}]. We then left.", "The 5' end was cut [2]."),
        ("It was low. nifH was absent [{2}]. Next.", "nifH was absent [2]."),
        ("Does it grow? Yes [{2}]! Good.", "Yes [2]!"),
    ],
)  # fmt: skip
def test_sentence_of_a_marker(text: str, sentence: str) -> None:
    assert contexts(text)[0] == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("It raised yields.{12} The next one.", "It raised yields. [12]"),
        ("It raised yields.{12},{13} The next one.", "It raised yields. [12,13]"),
        ("It raised yields.[{12}] The next one.", "It raised yields.[12]"),
        ("It raised yields. [{12}] The next one.", "It raised yields. [12]"),
        ("It raised yields. [{12}–{14}, {16}] The next one.", "It raised yields. [12–14, 16]"),
        ("It raised yields. ({Li 2010}) The next one.", "It raised yields. (Li 2010)"),
        ("It raised “yields.”{12} The next one.", "It raised “yields.” [12]"),
        ("It raised yields.{12}", "It raised yields. [12]"),
    ],
)
def test_a_marker_after_the_full_stop_belongs_to_the_previous_sentence(
    text: str, sentence: str
) -> None:
    assert contexts(text)[0] == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("It rose. {Li 2010} said so. Next.", "Li 2010 said so."),
        ("It rose. [{12}] said so. Next.", "[12] said so."),
        ("See Ref. [{12}] Rice grew. Next.", "See Ref. [12] Rice grew."),
        ("By Li et al. [{12}] DNA was cut. Next.", "By Li et al. [12] DNA was cut."),
    ],
)
def test_a_marker_after_a_full_stop_inside_a_sentence(text: str, sentence: str) -> None:
    assert contexts(text)[0] == sentence


def test_each_marker_has_its_own_sentence() -> None:
    assert contexts("Rice [{1}]. Millet [{2}], sorghum [{3}].") == [
        "Rice [1].",
        "Millet [2], sorghum [3].",
        "Millet [2], sorghum [3].",
    ]


def test_white_space_is_collapsed() -> None:
    assert contexts("Rice  grows\t here\u00a0[{1}].") == ["Rice grows here [1]."]


def test_markers_at_the_edges_and_without_text() -> None:
    assert contexts("{}") == [""]
    assert contexts("{12}") == ["12"]
    assert sentences_at("", []).texts == []
    assert sentences_at("Rice.", [(5, 5), (0, 0)]).texts == ["Rice.", "Rice."]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("In sorghum hybrids{2} suggest it.", "In sorghum hybrids [2] suggest it."),
        ("In rice{2},{5}–{7} and maize{3}.", "In rice [2,5–7] and maize [3]."),
        ("In rice,{2} but (not so){3} here.", "In rice, [2] but (not so) [3] here."),
        ("In 2015{2}we saw.", "In 2015 [2] we saw."),
        ("Li{2010} and rice[{2}] and ({3}).", "Li2010 and rice[2] and (3)."),
        ("In 5–{7} and IR64-{7} and a{b}.", "In 5–7 and IR64-7 and ab."),
    ],
)
def test_a_marker_attached_to_a_word_is_separated(text: str, sentence: str) -> None:
    assert set(contexts(text)) == {sentence}


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It grows. {Nordal (1963)}. It is.", ["It grows. Nordal (1963)."]),
        ("{Nordal (1963)}, {Perry (1980)}. It is.", ["Nordal (1963), Perry (1980). It is."] * 2),
        ("It is. [{1}]. [{2}]. It ends.", ["It is. [1]. [2]."] * 2),
        ("[{1}].", ["[1]."]),
        ("It is. See [{1}]. It ends.", ["See [1]."]),
    ],
)
def test_a_sentence_of_markers_only_joins_its_neighbour(text: str, sentences: list[str]) -> None:
    assert contexts(text) == sentences


def test_a_long_sentence_is_cut_around_each_marker() -> None:
    words = " ".join(f"word{i}" for i in range(1000))
    text, spans = split(f"Rice{{1}} {words} [{{2}}] {words} {{Li 2010}}.")
    first, second, third = sentences_at(text, spans).texts

    assert sentences_at(text, spans).cut == 3
    assert first.startswith("Rice [1] word0 word1 ")
    assert first.endswith(" …")
    assert second.startswith("… ")
    assert " word999 [2] word0 " in second
    assert third.endswith(" word999 Li 2010.")
    for context in (first, second, third):
        assert LONGEST // 2 - 20 < len(context) <= LONGEST
        assert set(context.split()) <= {*text.split(), "Rice", "[1]", "…"}


def test_a_long_text_without_full_stops_is_cut_quickly() -> None:
    text, spans = split("Rice {1} " * 20_000 + "{" + "2" * 5000 + "}" + "3" * 5000)
    result = sentences_at(text, spans)

    assert result.cut == 20_001
    assert max(map(len, result.texts)) <= LONGEST


PIECES = st.sampled_from(
    ["Rice", "grows", ". ", " ", ".", "[", "]", "(", ")", "{1}", "{Li, 2010}", ",", "–", "et al.",
     "Fig. 3", "? ", "“", "”", "\n", "é", "𝐱", "<", "'", "{}", "\u00a0", "\u2009", "\x85", "C", "Ä"]
)  # fmt: skip


SPACES = [c for c in map(chr, range(128, sys.maxunicode + 1)) if c.isspace()]


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("text", ["Vitamin C{}.", "Group A{}. Rice", "It grew{{1}}{}. Rice {{2}}"])
def test_unicode_spaces_before_a_full_stop_are_spaces(text: str, space: str) -> None:
    wide, normal = split(text.format(space)), split(text.format(" "))

    assert sentences_at(*wide) == sentences_at(*normal)
    assert split_sentences(*wide) == split_sentences(*normal)


@given(st.lists(PIECES, max_size=60))
def test_sentences_cover_the_text_and_hold_their_marker(pieces: list[str]) -> None:
    text, spans = split("".join(pieces))
    starts = split_sentences(text, spans)

    assert starts[0] == 0
    assert starts == sorted(set(starts))
    for (start, end), sentence in zip(spans, sentences_at(text, spans).texts, strict=True):
        assert " ".join(text[start:end].split()) in sentence


@pytest.mark.parametrize("unit", [".{1}", "{1}, ", "[{1}", " ({1}) ", ".)”{1}", "{1}–"])
def test_long_runs_of_markers_take_bounded_time(unit: str) -> None:
    text, spans = split(unit * 3000)

    assert split_sentences(text, spans)[0] == 0  # a pattern with exponential time would take years
