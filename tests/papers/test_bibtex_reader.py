"""BibTeX as people write it, and as it should not be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pybtex.database import parse_string

from citescape.papers.bibtex import write_bibtex
from citescape.papers.bibtex_reader import LONGEST_VALUE, read_bibtex
from citescape.papers.entries import BibliographyEntry, Name
from citescape.papers.references import ListedReference


def read(text: str) -> tuple[list[ListedReference], list[str]]:
    notes: list[str] = []
    return read_bibtex(text, "refs.bib", notes), notes


def test_fields_of_an_entry() -> None:
    (entry,), notes = read(
        "% a comment\n@string{ng = {Nature Genetics}}\n"
        "@Article{ li2017 ,\n  author = {Li, Lei-Feng and Olsen, Kenneth},\n"
        '  title = "Signatures of {M\\"uller}\'s " # {weedy {Rice}},\n'
        "  journal = ng, date = {2017-05-01},\n"
        "  doi = {https://doi.org/10.1038/NG\\_3825},\n  note = {PMID: 28346446}\n}\n"
    )
    assert notes == []
    assert entry == ListedReference(
        "refs.bib",
        3,
        "li2017",
        "Signatures of Müller's weedy Rice",
        2017,
        "Li",
        "10.1038/ng_3825",
        "28346446",
        name="li2017",
    )


@pytest.mark.parametrize(
    ("authors", "surname"),
    [
        ("{Li, Lei and Olsen, K.}", "Li"),
        ("{Lei Li and K. Olsen}", "Li"),
        ("{{World Health Organization}}", "World Health Organization"),
        ("{de la Cruz, Ana}", "de la Cruz"),
        ('"Li, Lei"', "Li"),
    ],
)
def test_surname_of_the_first_author(authors: str, surname: str) -> None:
    (entry,), _ = read(f"@misc{{k, author = {authors}}}")
    assert entry.surname == surname


@pytest.mark.parametrize(
    ("text", "keys", "note"),
    [
        ("@article{a, title = {Cut off, year = 2001", ["a"], "line 1: a has no end"),
        ("@article{a, title = {Cut\n@article{b, year=2001}", ["a", "b"], "line 1: a has no end"),
        ("@article{, title={No key}}", [""], "without a key"),
        ("@article{a, title={A} {junk}, year={2001}}", ["a"], ""),
        ("@comment{@article{no, year=1}}\n@misc{a,}", ["a"], ""),
        ("@misc(a, title={Round})", ["a"], ""),
        ("@misc{a, title={One}} @misc{b, title={Two}}", ["a", "b"], ""),
        ("no entry at all }}} {{{ @", [], ""),
    ],
)
def test_what_is_cut_off_is_read_and_noted(text: str, keys: list[str], note: str) -> None:
    entries, notes = read(text)
    assert [entry.key for entry in entries] == keys
    assert all(note in line for line in notes)
    assert bool(notes) == bool(note)


def test_a_year_behind_junk_is_read() -> None:
    (entry,), _ = read("@article{a, title={A} {junk}, year={2001}}")
    assert entry.year == 2001


@given(st.text(alphabet='@a{}(),="\\#\n %1', max_size=200))
def test_any_text_is_read(text: str) -> None:
    entries, _ = read(text)
    assert len(entries) <= text.count("@")


@given(
    st.lists(
        st.tuples(
            st.text("Aé x{}$%&_-:", max_size=12),
            st.integers(1900, 2025),
            st.from_regex(r"10\.[0-9]{4}/[a-z0-9.()-]{0,8}[0-9]", fullmatch=True),
        ),
        max_size=5,
        unique_by=lambda row: row[2],
    )
)
def test_what_is_written_is_read_again(rows: list[tuple[str, int, str]]) -> None:
    """Key, year, DOI and first author survive."""
    works = [
        BibliographyEntry(f"doi:{doi}", title, (Name("Li", "Lei"),), year, doi=doi)
        for title, year, doi in rows
    ]
    entries, notes = read(write_bibtex(works))
    assert notes == []
    assert [(e.year, e.doi, e.surname) for e in entries] == [(y, d, "Li") for _, y, d in rows]


def test_an_unclosed_brace_takes_linear_time() -> None:
    """Each entry ends at the next one, whatever its braces."""
    text = "@article{a, title={{{{{ unclosed,\n" * 20_000
    entries, notes = read(text)
    assert (len(entries), len(notes)) == (20_000, 20_000)


FIELDS = {"title": "A study of {Root} depth", "author": "Smith, J. and Doe, K.", "year": "2018"}


@pytest.mark.parametrize("quote", ["{%s}", '"%s"'])
@pytest.mark.parametrize("separator", [",\n  ", ", ", " ,\n\n"])
@pytest.mark.parametrize("order", [1, -1])
def test_files_without_faults_are_read_as_pybtex_does(
    quote: str, separator: str, order: int
) -> None:
    text = "".join(
        f"@Article{{key{number},\n"
        + separator.join(f"{name} = {quote % value}" for name, value in [*FIELDS.items()][::order])
        + f"{separator}doi = {{10.5555/{number}}}\n}}\n\n"
        for number in range(3)
    )
    expected = parse_string(text, "bibtex").entries
    entries = read_bibtex(text, "refs.bib", [])
    assert [entry.key for entry in entries] == list(expected)
    for entry in entries:
        fields = expected[entry.key].fields
        assert entry.title == fields["title"].replace("{", "").replace("}", "")
        assert (str(entry.year), entry.doi) == (fields["year"], fields["doi"])
        assert entry.surname == expected[entry.key].persons["author"][0].last_names[0]


def test_macros_that_use_each_other_do_not_grow_without_end() -> None:
    """Each line would make the value ten times as long: 10^12 characters."""
    lines = ["@string{a0 = {0123456789}}"]
    lines += [f"@string{{a{n} = {' # '.join([f'a{n - 1}'] * 10)}}}" for n in range(1, 12)]
    joined = " # ".join(["a11"] * 2_000)
    (entry, last), notes = read(
        "\n".join([*lines, f"@misc{{k, title = {joined}}}@misc{{m, title = a11}}"])
    )
    assert entry.title.startswith("0123456789")
    assert len(entry.title) == LONGEST_VALUE
    assert last.title == "a11"  # no room is left
    assert len(notes) == 1
    assert "expected at most 10,000 characters each" in notes[0]
