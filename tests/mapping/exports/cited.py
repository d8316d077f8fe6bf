"""Entries of bibliographies, including hostile ones."""

from __future__ import annotations

from hypothesis import strategies as st

from citescape.papers.entries import BibliographyEntry, Name

ORDINARY = BibliographyEntry(
    "doi:10.1/a_b",
    "On the rust of DNA in Wheat: a review",
    (Name("Müller", "Eva J."), Name("van der Berg", "K"), Name("The Rust Group", "", True)),
    2019,
    "Crops & Soils",
    "12",
    "e105",
    "10.1/a_b",
    "https://doi.org/10.1/a_b",
)
HOSTILE = (
    *("{", "}", "{}", "%", "&", "#", "$", "$x_1^2$", "_", "^", "~", "\\", "\\alpha", "\\\\", '"'),
    *("@article{x,", "ER -", "TY - JOUR", "=", ",", "and", "AND", "🌾", "👩‍🌾", "مرحبا", "שלום"),
    *("小麦", "ß", "DNA", "wheat", "O'Neil", "<i>", "'", "``", "--", "Ångström", "e\u0301"),
)
_texts = st.lists(
    st.sampled_from(HOSTILE)
    | st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=8),
    max_size=6,
).map(" ".join)
_words = _texts.filter(bool)
_names = st.builds(Name, _words, _texts, st.just(False)) | st.builds(
    Name, _words, st.just(""), st.just(True)
)
entries = st.builds(
    BibliographyEntry,
    st.uuids().map(str),
    _texts,
    st.lists(_names, max_size=4).map(tuple),
    st.none() | st.integers(1500, 2100),
    _texts,
    _texts,
    _texts,
    doi=st.just(""),
    url=st.just(""),
    kind=st.sampled_from(("article", "book", "chapter", "conference", "thesis", "other")),
    note=_texts,
    keywords=st.lists(_words.map(lambda word: word.replace(",", ";")), max_size=2).map(tuple),
)
bibliographies = st.lists(entries, max_size=5, unique_by=lambda entry: entry.id)
