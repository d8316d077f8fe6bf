"""CSL-JSON and JSON of Zotero."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings

from citescape.core.errors import SourceError
from citescape.papers.csl_reader import looks_like_json, read_csl
from citescape.papers.references import ListedReference
from tests.loaders.hostile_json import hostile_records

CSL = {
    "id": "li2019",
    "type": "article-journal",
    "title": "Yield of  rice",
    "author": [{"family": "Li", "given": "Wei"}, {"literal": "The Group"}],
    "issued": {"date-parts": [["2019", 3, 7]]},
    "DOI": "10.1000/Rice.1",
    "PMID": "30123456",
    "keyword": "rice, yield; rice",
    "URL": "https://example.org",
}
ZOTERO = {
    "itemType": "journalArticle",
    "citationKey": "li2019",
    "title": "Yield of rice",
    "creators": [
        {"firstName": "E", "lastName": "Editor", "creatorType": "editor"},
        {"firstName": "Wei", "lastName": "Li", "creatorType": "author"},
    ],
    "date": "2019-03-07",
    "DOI": "10.1000/rice.1",
    "extra": "PMID: 30123456\nother",
    "tags": [{"tag": "rice"}, {"tag": "to read; soon", "type": 1}, {"tag": "rice"}],
}
EXPECTED = ListedReference(
    "a.json", 1, "li2019", "Yield of rice", 2019, "Li", "10.1000/rice.1", "30123456", None, "li2019"
)


def read(value: object) -> list[ListedReference]:
    return read_csl(json.dumps(value), "a.json", [])


@pytest.mark.parametrize("wrap", [lambda x: [x], lambda x: x, lambda x: {"items": [x]}])
def test_csl_is_read(wrap: object) -> None:
    (found,) = read(wrap(CSL))  # type: ignore[operator]
    assert found == EXPECTED._replace(tags=("rice", "yield"))


@pytest.mark.parametrize("value", [{"items": [ZOTERO]}, [{"key": "X", "data": ZOTERO}]])
def test_exports_of_zotero_are_read(value: object) -> None:
    (found,) = read(value)
    assert found == EXPECTED._replace(tags=("rice", "to read; soon"))


def test_parts_of_items_are_left_out() -> None:
    note = {"itemType": "note", "title": "x"}
    assert len(read([ZOTERO, note, {"itemType": "attachment", "title": "PDF"}])) == 1


@pytest.mark.parametrize(
    ("issued", "year"),
    [({"raw": "March 2019"}, 2019), ({"date-parts": [[]]}, None), ({"date-parts": [[2019]]}, 2019)],
)
def test_years(issued: object, year: int | None) -> None:
    assert read([{"title": "x", "issued": issued}])[0].year == year


def test_an_entry_without_content_is_noted() -> None:
    notes: list[str] = []
    assert len(read_csl(json.dumps([{}, 7, CSL]), "a.json", notes)) == 1
    assert [note.partition(":")[0] for note in notes] == ["a.json, entry 1", "a.json, entry 2"]


def test_damaged_json_is_refused() -> None:
    with pytest.raises(SourceError, match="breaks off"):
        read_csl('[{"title": ', "a.json", [])


def test_json_is_recognised() -> None:
    assert looks_like_json(json.dumps([CSL]))
    assert not looks_like_json("{\\rtf")
    assert not looks_like_json("@article{a, title={b}}")


@settings(max_examples=60, deadline=None)
@given(hostile_records(CSL, ZOTERO))
def test_odd_values_are_read(record: dict[str, object]) -> None:
    text = json.dumps([record]).replace("\\ud800", "")
    with suppress(SourceError):  # NaN is no JSON
        for found in read_csl(text, "a", []):
            assert found.title == " ".join(found.title.split())
