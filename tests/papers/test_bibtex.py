"""BibTeX as another program reads it: pybtex, which parses as BibTeX does."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pybtex.database import Person, parse_string

from citescape.papers.bibtex import make_keys, write_bibtex
from citescape.papers.entries import BibliographyEntry, Name
from tests.mapping.exports.cited import ORDINARY, bibliographies

COMMANDS = {"textbackslash": "\\", "textbraceleft": "{", "textbraceright": "}"}
COMMANDS |= {"textasciitilde": "~", "textasciicircum": "^"}


def read(text: str) -> dict[str, Any]:
    return dict(parse_string(text, "bibtex").entries)


def printed(value: str) -> str:
    """A value as TeX prints it: no braces, commands as characters."""
    tokens = re.findall(r"\\([a-z]+)|\\([&%$#_])|([{}])|([^\\])", value)
    return "".join(COMMANDS[name] if name else sign or text for name, sign, _, text in tokens)


def words(parts: list[str]) -> str:
    return printed(" ".join(parts))


def by_line(person: Person) -> tuple[str, str]:
    surname = words([*person.prelast_names, *person.last_names])
    return surname, words([*person.first_names, *person.middle_names])


def test_an_ordinary_article() -> None:
    assert write_bibtex([ORDINARY]) == (
        "@article{muller2019rust,\n"
        "  author = {Müller, Eva J. and van der Berg, K and {The Rust Group}},\n"
        "  title = {On the rust of {DNA} in {Wheat}: a review},\n"
        "  journal = {Crops \\& Soils},\n"
        "  year = {2019},\n"
        "  volume = {12},\n"
        "  pages = {e105},\n"
        "  doi = {10.1/a_b},\n"
        "  url = {https://doi.org/10.1/a_b},\n"
        "}\n"
    )


@settings(max_examples=40)
@given(bibliographies)
def test_written_entries_are_read_back(entries: list[BibliographyEntry]) -> None:
    result, keys = read(write_bibtex(entries)), make_keys(entries)
    assert list(result) == [keys[entry.id] for entry in entries]
    for entry in entries:
        item = result[keys[entry.id]]
        fields = {name: printed(value) for name, value in item.fields.items()}
        assert fields.pop("title", "") == entry.title
        assert fields.pop("volume", "") == entry.volume
        assert fields.pop("pages", "") == entry.page
        assert fields.pop("year", "") == str(entry.year or "")
        assert fields.pop("note", "") == entry.note
        assert fields.pop("keywords", "") == ", ".join(entry.keywords)
        assert "".join(fields.values()) == entry.venue


@settings(max_examples=40)
@given(bibliographies)
def test_names_are_preserved(entries: list[BibliographyEntry]) -> None:
    result, keys = read(write_bibtex(entries)), make_keys(entries)
    for entry in entries:
        people = [by_line(person) for person in result[keys[entry.id]].persons.get("author", [])]
        assert people == [(name.surname, name.given) for name in entry.authors]


@settings(max_examples=40)
@given(bibliographies, st.randoms())
def test_keys_are_plain_unique_and_the_same_in_any_order(
    entries: list[BibliographyEntry], random: Any
) -> None:
    keys = make_keys(entries)
    assert len(set(keys.values())) == len(entries)
    assert all(re.fullmatch("[a-z0-9]+", key) for key in keys.values())
    random.shuffle(entries)
    assert make_keys(entries) == keys


@pytest.mark.parametrize(
    ("surname", "title", "key"),
    [
        ("Müller", "On the Rust of wheat", "muller2019rust"),
        ("Łukasz-Øster", "«Straße» & co", "lukaszoster2019strasse"),
        ("O'Neil", "A 3D map", "oneil20193d"),
        ("van der Berg", "", "vanderberg2019"),
        ("王", "小麦", "anonymous2019"),
        ("", "Wheat", "anonymous2019wheat"),
    ],
)
def test_the_key_of_a_work(surname: str, title: str, key: str) -> None:
    assert make_keys([BibliographyEntry("a", title, (Name(surname, ""),), 2019)]) == {"a": key}


def test_equal_keys_are_distinguished_by_letters() -> None:
    same = [BibliographyEntry(f"p{k:02}", "Wheat", (Name("Li", "B"),), 2019) for k in range(28)]
    other = BibliographyEntry("z", "Wheata", (Name("Li", "B"),), 2019)
    keys = make_keys([*same, other])
    assert keys["z"] == "li2019wheata"
    assert [keys[f"p{k:02}"] for k in (0, 1, 24, 25, 26)] == [
        *("li2019wheatb", "li2019wheatc", "li2019wheatz", "li2019wheataa", "li2019wheatab")
    ]


@pytest.mark.parametrize(
    ("kind", "form", "place"),
    [
        ("book", "book", "series"),
        ("chapter", "incollection", "booktitle"),
        ("conference", "inproceedings", "booktitle"),
        ("thesis", "phdthesis", "school"),
        ("other", "misc", "howpublished"),
    ],
)
def test_entry_types(kind: str, form: str, place: str) -> None:
    (result,) = read(write_bibtex([ORDINARY._replace(kind=kind)])).values()
    assert (result.type, result.fields[place]) == (form, "Crops \\& Soils")


@pytest.mark.parametrize(
    ("title", "braced"),
    [
        ("Rust of Wheat in (Asia), “Europe” [H, late", "Wheat Asia Europe H"),
        ("(DNA)-based mRNA of H2O; N,N-dimethyl A/B-C.", "DNA mRNA H2O N N-dimethyl A/B-C"),
        ("Rust in Asia", "Asia"),
        ("Genome of Oryza sativa and Zea mays in Asia", "Oryza Zea Asia"),
        ("“Rust” of wheat", ""),
        ("QTL of wheat", "QTL"),
        ("The Rice Genome: Evolution of DNA and GmFT in Oryza Sativa", "DNA GmFT"),
        ("{Rust} of Wheat", "Wheat"),
        ("-- 小麦", ""),
        ("", ""),
    ],
)
def test_capitals_are_protected(title: str, braced: str) -> None:
    (result,) = read(write_bibtex([ORDINARY._replace(title=title)])).values()
    assert re.findall(r"{([^\\{}]*)}", result.fields.get("title", "")) == braced.split()


def test_special_characters_in_a_doi_are_kept_and_braces_balanced() -> None:
    entry_ = ORDINARY._replace(doi="10.1/(a)<1:b>2.0#%25_x{y\\")
    (result,) = read(write_bibtex([entry_])).values()
    assert result.fields["doi"] == "10.1/(a)<1:b>2.0#%25_x%7By%5C"
