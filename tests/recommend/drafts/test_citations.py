from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.recommend.drafts.citations import mark_citations, remove_citations
from citescape.recommend.drafts.marks import ANY, CITED, MARK, Marks


def test_sentences_keep_their_punctuation() -> None:
    assert mark_citations("It grew. [12] Then it died (Wu 2011).") == (
        f"It grew. [{CITED}] Then it died [{CITED}]."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rust spreads [12].", "Rust spreads."),
        ("Rust [3, 5-7] spreads (Smith et al., 2010; Wu 2011a), too.", "Rust spreads, too."),
        ("Rust spreads (see also [12]) fast.", "Rust spreads fast."),
        ("As Smith et al. (2010) showed, rust spreads.", "As showed, rust spreads."),
        ("Of 50% (n = 3), 20 ( p < .05 ) grew.", "Of 50% (n = 3), 20 (p < .05) grew."),
        (
            "As Smith et al. {} and Wu's (2010) work say, rust spreads.",
            "As work say, rust spreads.",
        ),
        ("Rust of Arabidopsis [12] and Wheat {} grew.", "Rust of Arabidopsis and Wheat grew."),
        ("Sown (harvested in 2015) here (Fig. 3).", "Sown (harvested in 2015) here (Fig. 3)."),
        ("Rust (e.g. van der Berg & Ng, 1999, 2001a; Łoś et al. 2003; {}) grew.", "Rust grew."),
        (
            "Recently, Yin et al. (2015) saw rust; Wu, Li and Xu (2011) too.",
            "Recently, saw rust; too.",
        ),
        (
            "Rust (a fungus; Yan et al., 2012) grew (see the review by Wu and Li, 2018).",
            "Rust (a fungus;) grew (see the review by).",
        ),
        ("Rust (Kibler & Van Der Meer, 2001; Perez‐Heydrich, Wu, & Li, 2013) grew.", "Rust grew."),
        (
            "Rust (Ashok Kumar et al., 2015; Zhang X.-D. et al. 2018; World Bank 2009) grew.",
            "Rust grew.",
        ),
        ("Rust (Reverchon and Faisal-Cury Rossi, 2007) , mould {} .", "Rust, mould."),
        ("Rust (reviewed by Wu, Li and Xu 2011; but see {}) spreads.", "Rust spreads."),
        ("Rust {}, {} and {}.", "Rust."),
        ("({}) Rust", "Rust"),
        ("{}", ""),
    ],
)
def test_citations_and_markers_are_removed(text: str, expected: str) -> None:
    marks = Marks()
    while "{}" in text:
        text = text.replace("{}", marks.add("", 1, "[?]"), 1)
    assert remove_citations(text) == expected


@given(st.text())
def test_no_marked_characters_remain(text: str) -> None:
    plain = remove_citations(f"{text}{Marks().add('', 1, '[?]')}{text}")
    assert not MARK.search(plain.replace(text, ""))
    assert plain == " ".join(plain.split())


@pytest.mark.parametrize(
    "piece", ["[1, ", "(Wu 2011; ", "Wu, ", "Wu and ", "(see ", "Wu et al. ", "1,", "(", " ", ", "]
)
def test_long_text_of_citation_like_pieces_takes_no_time(piece: str) -> None:
    assert not ANY.search(remove_citations(piece * 20_000))
