"""RIS as another program reads it: rispy."""

from __future__ import annotations

import pytest
import rispy
from hypothesis import given, settings

from citescape.papers.entries import BibliographyEntry
from citescape.papers.ris import write_ris
from tests.mapping.exports.cited import ORDINARY, bibliographies


def test_an_ordinary_article() -> None:
    assert write_ris([ORDINARY]).split("\r\n") == [
        "TY  - JOUR",
        "AU  - Müller, Eva J.",
        "AU  - van der Berg, K",
        "AU  - The Rust Group",
        "TI  - On the rust of DNA in Wheat: a review",
        "PY  - 2019",
        "JO  - Crops & Soils",
        "VL  - 12",
        "SP  - e105",
        "DO  - 10.1/a_b",
        "UR  - https://doi.org/10.1/a_b",
        "ER  - ",
        "",
    ]


@settings(max_examples=40)
@given(bibliographies)
def test_written_entries_are_read_back(entries: list[BibliographyEntry]) -> None:
    result = rispy.loads(write_ris(entries))
    assert len(result) == len(entries)
    for item, entry in zip(result, entries, strict=True):
        place = "alternate_title2" if entry.kind == "article" else "secondary_title"
        read = (
            item.get("title", ""),
            item.get("authors", []),
            item.get("year", ""),
            item.get("volume", ""),
            item.get("start_page", ""),
        )
        assert item.get("notes", []) == [entry.note] * bool(entry.note)
        assert item.get("keywords", []) == [*entry.keywords]
        names = [str(name) for name in entry.authors]
        year = str(entry.year or "")
        assert read == (entry.title, names, year, entry.volume, entry.page)
        assert "".join(item.get(name, "") for name in (place, "journal_name")) == entry.venue


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("article", "JOUR"),
        ("book", "BOOK"),
        ("chapter", "CHAP"),
        ("conference", "CPAPER"),
        ("thesis", "THES"),
        ("other", "GEN"),
    ],
)
def test_entry_types(kind: str, form: str) -> None:
    (result,) = rispy.loads(write_ris([ORDINARY._replace(kind=kind)]))
    assert result["type_of_reference"] == form
    assert form in rispy.TYPE_OF_REFERENCE_MAPPING
