"""References of files and texts in any format; hostile and broken ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError, SourceError
from citescape.papers.reference_files import read_list, read_references

BIB = "@article{li, title={Weedy rice}, doi={10.1038/ng.3825}}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.1038/a1, 10.1038/b2;10.1038/c3", ["10.1038/a1", "10.1038/b2", "10.1038/c3"]),
        ("10.1038/a1|10.1038/b2\t10.1038/c3", ["10.1038/a1", "10.1038/b2", "10.1038/c3"]),
        ("https://doi.org/10.1038/A1 doi:10.1038/b2.", ["10.1038/a1", "10.1038/b2"]),
        (
            "10.1111/j.1469-8137.2010.03284.x doi:10.5555/demo.2010.00018",
            ["10.1111/j.1469-8137.2010.03284.x", "10.5555/demo.2010.00018"],
        ),
        ("10.1002/(SICI)1097(1998)17:15;2-2", ["10.1002/(sici)1097(1998)17:15;2-2"]),
        ("Li L. 2017. Weedy rice. Nature. doi:10.1038/ng.3825.", ["10.1038/ng.3825"]),
        ("# 10.1038/no1\n10.1038/a1 # and 10.1038/no2", ["10.1038/a1"]),
    ],
)
def test_dois_between_any_separators(text: str, expected: list[str]) -> None:
    assert [reference.doi for reference in read_list(text, "")] == expected


@pytest.mark.parametrize(
    ("text", "last"),
    [
        (" ".join(f"doi:10.1038/a{n}" for n in range(30_000)), "doi:10.1038/a29999"),
        ("10.1234/x 10." + "/" * 300_000, "10.1234/x"),
        ("10.1234/x ab:1" + "." * 300_000 + "x", "ab:1" + "." * 300_000 + "x"),
    ],
)
def test_a_long_line_is_read_in_linear_time(text: str, last: str) -> None:
    """With backtracking, or a search from the start of the line for each DOI, it takes minutes."""
    assert read_list(text, "")[-1].name == last


def test_what_stands_before_a_doi_is_part_of_its_name_up_to_a_limit() -> None:
    (reference,) = read_list("x" * 1_000 + ":10.1038/a1", "")
    assert reference.name == "x" * 199 + ":10.1038/a1"


def test_other_identifiers_and_titles() -> None:
    references = read_list(
        "PMID: 28346446 PMC5432\n123456 654321\nhttps://pubmed.ncbi.nlm.nih.gov/777777/\n"
        "aan:D10-1001\nWeedy rice in Asia\n10.1038/a1 10.9/odd1",
        "",
    )
    assert [(r.pmid, r.pmcid, r.title) for r in references[:5]] == [
        ("28346446", None, ""),
        (None, "PMC5432", ""),
        ("123456", None, ""),
        ("654321", None, ""),
        ("777777", None, ""),
    ]
    assert references[5].name == "aan:D10-1001"
    assert references[6].title == "Weedy rice in Asia"
    assert [r.name for r in references[7:]] == ["10.1038/a1", "10.9/odd1"]


@given(st.text(max_size=80))
def test_any_list_is_read(text: str) -> None:
    for reference in read_list(text, ""):
        assert reference.key


def test_the_format_follows_from_the_name_else_from_the_content() -> None:
    ris = "TY  - JOUR\nTI  - Weedy rice\nER  - "
    csv = "Title;DOI;Year\n=Weedy rice;10.1038/a1;2001\n;;\n"
    for name, text, title in (
        ("refs.bib", BIB, "Weedy rice"),
        ("", BIB, "Weedy rice"),
        ("refs.txt", ris, "Weedy rice"),
        ("refs.csv", csv, "=Weedy rice"),
        ("refs.csv", "Weedy rice", "Weedy rice"),
        ("refs.TSV", "pmid\ttitle\n1\tWeedy rice\n", "Weedy rice"),
    ):
        (reference,) = read_references([], {name: text}).references
        assert reference.title == title


def test_a_manuscript_reads_its_list_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIB)
    (tmp_path / "draft.tex").write_text(r"\section{Introduction}\cite{li,wu}\bibliography{refs}")
    found = read_references([str(tmp_path / "draft.tex")], {})
    assert [reference.key for reference in found.references] == ["li"]
    assert found.mentions == {"li": {"I": 1}, "wu": {"I": 1}}
    (tmp_path / "refs.bib").unlink()
    assert "no such file" in read_references([str(tmp_path / "draft.tex")], {}).notes[0]


def test_files_outside_the_folder_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.bib").write_text(BIB)
    folder = tmp_path / "draft"
    folder.mkdir()
    for name in ("../secret", str(tmp_path / "secret")):
        (folder / "draft.tex").write_text(rf"\cite{{li}}\bibliography{{{name}}}")
        found = read_references([str(folder / "draft.tex")], {})
        assert found.references == []
        assert "outside" in found.notes[0]


def test_texts_never_open_files(tmp_path: Path) -> None:
    """Names of texts, and files that they include, are looked up among the texts only."""
    path = tmp_path / "refs.bib"
    path.write_text(BIB)
    texts = {
        str(path): "10.1038/a1",
        "d.tex": rf"\cite{{li}}\input{{{path}}}\bibliography{{{path}}}",
    }
    found = read_references([], texts)
    assert all(reference.title != "Weedy rice" for reference in found.references)


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"", ConfigError, "has no reference"),
        (b"%PDF-1.7", SourceError, "found a PDF file"),
        (b"@article{\x00}", SourceError, "binary"),
        (b"@article{a, title={M\xfcller}}", SourceError, "line 1 is not UTF-8"),
    ],
)
def test_what_is_no_text_is_refused(
    tmp_path: Path, content: bytes, error: type[Exception], message: str
) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(content)
    with pytest.raises(error, match=message):
        read_references([str(path)], {})


def test_an_absent_file_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"gone\.bib cannot be read"):
        read_references(["gone.bib"], {})


def test_many_notes_are_cut() -> None:
    notes = read_references([], {"a.bib": "@misc{a, title={\n" * 50}).notes
    assert (len(notes), notes[-1]) == (21, "30 more lines like these")


def test_a_row_with_an_endless_cell_is_noted_and_left_out() -> None:
    table = 'title,doi\nA,10.1038/a1\n"' + "x" * 200_000 + "\nB,10.1038/b1\n"
    found = read_references([], {"a.csv": table})
    assert [reference.doi for reference in found.references] == ["10.1038/a1", "10.1038/b1"]
    assert found.notes == [
        "a.csv, line 3: a cell has more than 131,072 characters, perhaps because a quotation mark "
        "before it is not closed; left out"
    ]
