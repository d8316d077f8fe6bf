"""RIS of several programs."""

from __future__ import annotations

from citescape.papers.entries import BibliographyEntry, Name
from citescape.papers.references import ListedReference
from citescape.papers.ris import write_ris
from citescape.papers.ris_reader import read_ris


def read(text: str) -> tuple[list[ListedReference], list[str]]:
    notes: list[str] = []
    return read_ris(text, "refs.ris", notes), notes


def test_fields_of_an_entry() -> None:
    entries, notes = read(
        "TY  - JOUR\nID  - li2017\nA1  - Li, Lei\nAU  - Olsen, K.\nT1  - Signatures of\n"
        "adaptation\nY1  - 2017/05/01\nDO  - 10.1038/ng.3825\nER  - \n\n"
        "TY  - JOUR\nTI  - Another\nDB  - PubMed\nAN  - 123456\nER  -\n"
    )
    assert notes == []
    assert entries[0] == ListedReference(
        *("refs.ris", 1, "li2017", "Signatures of adaptation", 2017, "Li", "10.1038/ng.3825"),
        name="li2017",
    )
    assert (entries[1].key, entries[1].pmid, entries[1].line) == ("2", "123456", 11)


def test_entries_without_an_end_are_read_and_noted() -> None:
    entries, notes = read("TY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two")
    assert [entry.title for entry in entries] == ["One", "Two"]
    assert [note.partition(":")[0] for note in notes] == ["refs.ris, line 1", "refs.ris, line 3"]


def test_lines_outside_entries_are_skipped() -> None:
    assert read("TI  - No entry\nnoise\nER  - \n") == ([], [])


def test_what_is_written_is_read_again() -> None:
    work = BibliographyEntry(
        "doi:10.1/2", "On rice", (Name("Li", "Lei"),), 2001, doi="10.1038/x2", venue="Rice"
    )
    entries, notes = read(write_ris([work, work]).replace("\r\n", "\n"))
    assert notes == []
    assert [(e.title, e.year, e.surname, e.doi) for e in entries] == [
        ("On rice", 2001, "Li", "10.1038/x2")
    ] * 2
