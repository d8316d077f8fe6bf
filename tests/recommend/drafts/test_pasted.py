from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.recommend.drafts.marks import MARKERS
from citescape.recommend.drafts.pasted import (
    AROUND,
    LONGEST,
    clean_context,
    split_context,
)
from citescape.recommend.masking.mask import mask, strip_placeholders
from citescape.recommend.masking.places import CitationMarker
from tests.recommend.masking.test_mask import sentences_of


@pytest.mark.parametrize("marker", [*MARKERS, r"\cite{?}", r"\citep[see][]{}", "[@?]", ""])
def test_markers_are_removed(marker: str) -> None:
    assert clean_context(f"Rust spreads in wheat {marker}.") == ("Rust spreads in wheat.", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rust <b>of</b> wheat &lt; 5&nbsp;t (Smith et al., 2010; [?]).", "Rust of wheat < 5 t."),
        ("<p>Rust<script>alert('x')</script> grew<!-- no --> fast.</p>", "Rust grew fast."),
        ("p < 0.05 and q > 3 were found [12].", "p < 0.05 and q > 3 were found."),
        ("Where a<b and c>d, x<y>z; a <b c> d", "Where a<b and c>d, x z; a <b c> d"),
        ('<a href="x.html" rel=no>Rust</a><br/>of <img src=x />wheat<hr>', "Rust of wheat"),
        ("<p>Rust<jats:sub>2</jats:sub></p >", "Rust 2"),
        ("Rust\x00 \x07of\r\n\twheat\u2028grew", "Rust of wheat grew"),
        ("\ufeffRu\xadst\u200b of \u202ewheat\u202c", "Rust of wheat"),
        ("Mu\u0308ller's Äcker", "Müller's Äcker"),
        ("50% of ~20 C_3 plants [?] grew", "50% of ~20 C_3 plants grew"),
        (r"M\"uller's \emph{rust} is 50% \cite{a} or 5\%\citep{?}", "Müller's rust is 50% or 5%"),
        ("小麦锈病 [?] 的传播", "小麦锈病 的传播"),
        ("lone \ud800 half", "lone half"),
        ("As @smith2010 and [@wu; @x] say", "As say"),
    ],
)  # fmt: skip
def test_markup_is_removed_from_a_context(text: str, expected: str) -> None:
    assert clean_context(text) == (expected, "")


@pytest.mark.parametrize(
    "text",
    [
        "Blast genes encode repeat proteins (Smith et al. 2009; [12]).",
        "Rust, as Smith et al. (2009) showed, spreads (see also [12]) fast.",
        "However, Smith and Wu (2009) saw rust [12]; it spreads.",
        "Rust spreads ( e.g. Smith, 2009 ) , in wheat (n = 3) [12] .",
        "[12] Rust (a fungus; Smith et al., 2009) spreads (Fig. 3).",
    ],
)
def test_pasted_and_masked_sentences_give_the_same_text(text: str) -> None:
    """A pasted sentence is cleaned to the same text as a masked sentence of the corpus."""
    citations = [
        CitationMarker("2009", "a", ("Smith", "Wu"), 2009),
        CitationMarker("12", "b", ("Xu",), 2011),
    ]
    citations.sort(key=lambda citation: text.index(citation.marker))
    for masked in mask(text, citations).texts.values():
        assert clean_context(text).text == strip_placeholders(pa.array([masked]))[0].as_py()


def test_pasted_and_masked_sentences_of_the_crops_corpus_agree(data: Path) -> None:
    """Exceptions are markers such as `genes 36` and works missing from the reference list."""
    are_equal = []
    for text, citations in sentences_of(data, every=20, at_most=10):
        (masked, *_) = mask(text, citations).texts.values() or [text]
        plain = strip_placeholders(pa.array([masked]))[0].as_py()
        if any(map(str.isalpha, plain)) and len(text) <= LONGEST:
            are_equal.append(clean_context(text).text == plain)
    assert len(are_equal) > 300
    assert np.mean(are_equal) > 0.9


@pytest.mark.parametrize(
    "text", ["", " \n", "[?]", "<b></b>", r"\cite{x}", "(Smith et al., 2010)", "12 [3].", "\x00"]
)
def test_a_context_without_words_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"the context has no words: found .*; expected the sent"):
        clean_context(text)


def test_a_long_context_is_cut_around_its_marker() -> None:
    found = clean_context("before " * 9000 + "needle [?] here " + "after " * 9000)
    assert "before before needle here after after" in found.text
    assert AROUND - 2 * len("before ") < len(found.text) <= AROUND
    assert set(found.text.split()) == {"before", "needle", "here", "after"}
    length = len("before ") * 9000 + len("needle here ") + len("after ") * 9000 - 1
    expected = f"the context has {length:,} characters; {len(found.text):,} around its marker"
    assert found.note == f"{expected} are read"


@pytest.mark.parametrize("end", ["", " ends here"])
def test_a_paragraph_is_cut_before_its_marker(end: str) -> None:
    """Otherwise an encoder would read text far from the marker."""
    found = clean_context("before " * 200 + f"needle [?]{end}.")
    assert found.text.rstrip(".").endswith(f"before needle{end}")
    assert AROUND - len("before ") <= len(found.text) <= AROUND
    short = "before " * 70 + "needle."
    assert clean_context(short.replace(".", " [?].")) == (short, "")


def test_a_long_context_without_a_marker_is_cut_at_the_end() -> None:
    found = clean_context("first " + "word " * 10_000)
    assert found.text == ("first " + "word " * 10_000)[: len(found.text)]
    assert LONGEST - len("word ") <= len(found.text) <= LONGEST
    assert found.note.startswith("the context has 50,005 characters; the first ")
    assert len(clean_context("x" * 50_000).text) == LONGEST


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (
            "Rust [?] spreads. Known it is. Mould grew [?, ?].",
            [("Rust spreads.", ""), ("Mould grew.", "")],
        ),
        (
            "Rust\n<b>spreads</b> [?].\nM\u0308 grew [CITE].",
            [("Rust spreads.", ""), ("M\u0308 grew.", "")],
        ),
        (
            r"Rust is 5% \cite{a,?}. It is \emph{odd}~\citep{TODO}.",
            [("Rust is 5%.", ""), ("It is odd.", "")],
        ),
        (
            "Rust [?] and mould [2] grow [?]. It rained [?].",
            [
                ("Rust and mould grow.", "Rust"),
                ("Rust and mould grow.", "grow."),
                ("It rained.", ""),
            ],
        ),
        ("It grew [?] and [CITE].", [("It grew [?] and [CITE].", "")]),
        *(
            (text, [(text, part) for part in parts])
            for text, parts in (
                ("Rust. It grew [?] and died [CITE].", ("It grew", "and died.")),
                ("Rust. It grew.", ("",)),
                ("", ("",)),
                ("Rust [?]. [?]. 1 [?]", ("",)),
            )
        ),
    ],
)
def test_each_marked_place_is_a_context(text: str, places: list[tuple[str, str]]) -> None:
    assert split_context(text) == places


@given(st.text(max_size=300))
def test_any_text_is_cleaned_or_refused(text: str) -> None:
    try:
        found = clean_context(text)
    except ConfigError:
        return
    assert found.text == " ".join(found.text.split())
    assert any(map(str.isalpha, found.text))
    assert not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in found.text)
    assert 0 < len(found.text) <= LONGEST
