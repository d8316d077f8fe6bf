"""Requests of authors: dates, titles and texts of any kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.encoders.documents import DocumentEncoder
from citescape.recommend.dates import EVER
from citescape.recommend.lexicon import Lexicon
from citescape.recommend.requests import (
    WHOLE,
    RecommendationRequest,
    Titles,
    clean_request,
    encode_requests,
    make_queries,
    note_words,
    read_day,
)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2019", 20190000),
        (" 2019-03 ", 20190300),
        ("2019-03-04", 20190304),
        ("2020-02-29", 20200229),
        ("", EVER),
    ],
)
def test_dates_are_read(text: str, day: int) -> None:
    assert read_day(text) == (day, "")


@pytest.mark.parametrize(
    "text",
    [
        "19",
        "2019-13",
        "2019-02-29",
        "2019-3-4",
        "4 March 2019",
        "03/04/2019",
        "0000",
        "2019W01",
        "²",
    ],
)
def test_invalid_dates_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="expected ISO 8601"):
        read_day(text)


def test_a_future_date_is_noted() -> None:
    assert read_day((date.today() - timedelta(1)).isoformat())[1] == ""
    assert read_day((date.today() + timedelta(2)).isoformat())[1].endswith("of any date are older")


@given(st.dates(date(1, 1, 1)))
def test_days_sort_by_date(day: date) -> None:
    found, _ = read_day(day.isoformat())
    assert read_day(f"{day:%Y}".zfill(4))[0] < read_day(day.isoformat()[:7])[0] < found
    assert found == day.year * 10_000 + day.month * 100 + day.day


def test_requests_are_cleaned() -> None:
    plain = clean_request(
        RecommendationRequest(
            "<p>Roots \x07grow &amp; <b>branch</b> [?].", "A\n title", "On <i>roots</i>", "2019"
        )
    )
    assert plain.context == "Roots grow & branch."
    assert (plain.document.title, plain.document.abstract) == ("A title", "On roots")
    assert clean_request(RecommendationRequest("Roots", "?!", "\u200b")).document.title == ""
    long = clean_request(RecommendationRequest("root " * 10_000))
    assert len(long.context) <= 2000
    assert long.notes == ("the context has 49,999 characters; the first 1,999 are read",)


def test_a_paper_is_found_by_its_title() -> None:
    titles = ["", "Roots of wheat", "ROOTS of — Wheat!", "Wurzeln: Über Weizen", "?"]
    known = Titles.from_column(pa.chunked_array([titles[:3], titles[3:]]))
    given_titles = ["roots OF wheat.", "Wurzeln - über weizen", "Roots", "", "!"]
    assert [known.find(title) for title in given_titles] == [1, 3, -1, -1, -1]


TITLES = [
    "[60]fullerene as an acceptor",
    "G(2)/M arrest",
    "The (6-4) photoadduct",
    "Reply to Smith (2001)",
    "Smith et al. (2001) revisited",
    "1984",
    "[?]",
    "What is a gene [citation needed]",
    "Growth at p < 0.05 and q > 0.1 of <x>",
    "A \\cite{} of LaTeX",
    "u\u0308ber Weizen",
    "50% of AT&amp;T",
]


@pytest.mark.parametrize("title", [title for title in TITLES if title != "[?]"])
def test_a_paper_with_any_title_is_found(title: str) -> None:
    """Includes titles that look like a citation, LaTeX or HTML."""
    known = Titles.from_column(pa.chunked_array([TITLES]))
    assert known.find(*clean_request(RecommendationRequest("Roots", title)).titles) == TITLES.index(
        title
    )


@settings(max_examples=40)
@given(st.lists(st.text(st.sampled_from("aÜ1[](),?<>&;/\\{}% -\u0308\x07"), min_size=1)))
def test_all_titles_of_a_library_are_found(titles: list[str]) -> None:
    known = Titles.from_column(pa.chunked_array([titles], pa.string()))
    folded = known.folded.to_pylist()
    for title, fold in zip(titles, folded, strict=True):
        found = known.find(*clean_request(RecommendationRequest("Roots", title)).titles)
        assert found == (folded.index(fold) if fold else -1)


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("[60]fullerene and G(2)/M", "[60]fullerene and G(2)/M"),
        ("Reply to Smith (2001), 1984", "Reply to Smith (2001), 1984"),
        ("1984", "1984"),
        ("CO<sub>2</sub> &amp; <i>Zea</i>", "CO2 & Zea"),
        (r"M\"uller's \emph{rust} \cite{}", "Müller's rust"),
        ("?! \x07", ""),
    ],
)
def test_titles_lose_only_their_markup(title: str, plain: str) -> None:
    assert clean_request(RecommendationRequest("Roots", title, title)).document == Document(
        plain, plain
    )


def test_pasted_titles_with_markup_are_found() -> None:
    known = Titles.from_column(pa.chunked_array([["Efficient CO2 use of Über-wheat"]]))
    for title in (
        "E\ufb03cient CO<sub>2</sub> use of Über-wheat",
        "EFFICIENT CO₂ use of U\u0308ber wheat",
    ):
        assert known.find(*clean_request(RecommendationRequest("Roots", title)).titles) == 0


def test_a_title_with_invalid_characters_is_ignored() -> None:
    assert clean_request(RecommendationRequest("Roots", "\udcff")).titles == ("", "")


@given(st.lists(st.text("aB- ", max_size=3), max_size=9), st.text("aB- ", max_size=3))
def test_equal_titles_match_the_first_paper(titles: list[str], title: str) -> None:
    fold: Callable[[str], list[str]] = lambda text: text.lower().replace("-", " ").split()  # noqa: E731
    rows = [row for row, other in enumerate(titles) if fold(title) and fold(other) == fold(title)]
    known = Titles.from_column(pa.chunked_array([titles], pa.string()))
    assert known.find(title) == min(rows, default=-1)


def test_unknown_words_are_noted() -> None:
    words = ["nitrogen", "root", "wheat"]
    empty = csr_array((0, len(words)))
    lexicon = Lexicon(words, empty, empty)
    assert note_words("Roots of wheat need nitrogen and water.", lexicon) == ""
    few = "add the sentences around it"
    assert (
        note_words("Of roots and a root of wheat", lexicon)
        == f"the papers contain 2 of 2 words of the context: {few}"
    )
    assert (
        note_words("The 12 of 13", lexicon)
        == f"the papers contain 0 of 0 words of the context: {few}"
    )
    note = note_words("Die Wurzeln brauchen viel Stickstoff.", lexicon)
    assert note.startswith("the papers contain 0 of 5 words of the context: is it")


def test_a_part_of_a_sentence_is_weighed_with_the_sentence() -> None:
    """(1 - w) v(part) + w v(sentence); a word counts 1 in the part, and w in the sentence."""
    lexicon = Lexicon(["mould", "rust"], csr_array((1, 2)), csr_array((1, 2)))
    plain = RecommendationRequest("Rust and mould.")
    requests = [clean_request(plain), clean_request(replace(plain, part="and mould."))]

    def encode(documents: Sequence[Document]) -> npt.NDArray[np.float32]:
        return np.array([[len(document.abstract), 1] for document in documents], np.float32)

    contexts, papers = encode_requests(requests, cast(DocumentEncoder, encode))
    assert contexts.tolist() == [[15, 1], [WHOLE * 15 + (1 - WHOLE) * 10, 1]]
    assert not papers.any()
    titles = Titles.from_column(pa.chunked_array([["Rust"]]))
    queries = make_queries(requests, contexts, titles=titles, lexicon=lexicon)
    assert queries.words.toarray().tolist() == [[1, 1], [1 + WHOLE, WHOLE]]
