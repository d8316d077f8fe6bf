"""Files that are taken for papers are refused with what to do."""

from __future__ import annotations

import json

import pytest

from citescape.core.errors import SourceError
from citescape.loaders.document_formats import read_document

CSL = {"id": "a", "type": "article-journal", "title": "On rice", "DOI": "10.1000/1"}
ZOTERO = {"itemType": "journalArticle", "title": "On rice", "DOI": "10.1000/1"}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("%PDF-1.7 ...", "a PDF; convert it with GROBID, and load the TEI"),
        ("@article{a,\n title={On rice}}", "BibTeX; its entries are not loaded"),
        ("\n@Book (a, title={On rice})", "BibTeX; its entries are not loaded"),
        ("\ufeffTY  - JOUR\nTI  - On rice\nER  - \n", "RIS; its entries are not loaded"),
        ("PMID- 30123456\nOWN - NLM\n", "PubMed's text format; expected its XML"),
        (json.dumps(CSL), "an entry of a reference manager; its entries are not loaded"),
        (json.dumps(ZOTERO), "an entry of a reference manager; its entries are not loaded"),
        (json.dumps({"key": "A", "data": ZOTERO}), "an entry of a reference manager"),
        (json.dumps({"type": {"a": 1}}), "a JSON object with the keys type; expected a record of"),
        (json.dumps({"a": 1}), "a JSON object with the keys a; expected a record of unarxive, "),
    ],
)
def test_other_files_are_named(data: str, expected: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_document(data.encode(), "file")
    assert (caught.value.reason, caught.value.message[: len(expected)]) == ("not-a-paper", expected)
    assert "scopus" not in caught.value.message
