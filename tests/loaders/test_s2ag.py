"""Papers of the Semantic Scholar Academic Graph."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import SourceError
from citescape.core.types import Abstract, Author, Identifiers, Paper, Reference, Venue
from citescape.loaders.document_formats import read_document
from citescape.loaders.s2ag import VERSION, is_record, read_s2ag
from tests.loaders.records import ODD, SHA256, assert_valid, spoil

PAPER: dict[str, Any] = {
    "corpusid": 18980463,
    "externalids": {
        "ACL": None,
        "DBLP": None,
        "ArXiv": "1901.01234",
        "MAG": "2741809807",
        "CorpusId": "18980463",
        "PubMed": "30123456",
        "DOI": "10.1000/RICE.1",
        "PubMedCentral": "6338940",
    },
    "url": "https://www.semanticscholar.org/paper/980af8340bf44d3e5621addc82c6cac0e6d508ca",
    "title": "Yield of Oryza &amp; wheat",
    "authors": [
        {"authorId": "77672491", "name": "Ana B. Silva"},
        {"authorId": None, "name": "Wei Li"},
    ],
    "venue": "Rice",
    "publicationvenueid": None,
    "year": 2019,
    "referencecount": 3,
    "citationcount": 1,
    "isopenaccess": True,
    "s2fieldsofstudy": [
        {"category": "Biology", "source": "s2-fos-model"},
        {"category": "Agronomy", "source": "external"},
        {"category": "Biology", "source": "external"},
    ],
    "publicationtypes": ["JournalArticle", "Review"],
    "publicationdate": "2019-03-07",
    "journal": {"name": "Rice (N Y)", "pages": "1 - 7", "volume": "12"},
}
PREPRINT = "10.48550/arxiv.1901.01234"
OWN = Identifiers("10.1000/rice.1", "30123456", "PMC6338940", s2="18980463")
ABSTRACT: dict[str, Any] = {
    "corpusid": 18980463,
    "openaccessinfo": {
        "externalids": {"MAG": "1", "ACL": None, "DOI": "10.1000/rice.1", "ArXiv": None},
        "license": None,
        "url": None,
        "status": None,
    },
    "abstract": "Rice grows.\nWheat too.",
}
CITED: dict[str, Any] = {
    "paperId": "b" * 40,
    "corpusId": 77,
    "externalIds": {"DOI": "10.1000/a1", "CorpusId": 77},
    "title": "On rice",
    "year": 2005,
    "venue": "Rice",
    "journal": {"name": "Rice", "volume": "3", "pages": "7-12"},
    "authors": [{"authorId": "5", "name": "J. A. Smith"}],
}
ANSWER: dict[str, Any] = {
    "paperId": "a" * 40,
    "corpusId": 18980463,
    "externalIds": PAPER["externalids"],
    "title": "Yield of Oryza & wheat",
    "abstract": "Rice grows.",
    "tldr": {"model": "tldr@v2.0.0", "text": "Rice grows well."},
    "publicationVenue": {"id": "x", "name": "Rice", "issn": "1939-8425", "type": "journal"},
    "venue": "",
    "year": 2019,
    "publicationTypes": None,
    "authors": PAPER["authors"],
    "references": [CITED, {"paperId": None, "title": None}, None, CITED],
}


def read(record: dict[str, Any], **changes: object) -> Paper:
    """A record with some of its fields changed."""
    paper = read_s2ag({**record, **changes}, "papers.jsonl:1", SHA256)
    assert_valid(paper)
    return paper


def test_a_paper_of_the_data_sets() -> None:
    paper = read(PAPER)

    assert paper.ids == OWN
    assert paper.versions == (Identifiers(PREPRINT),)
    assert paper.title == "Yield of Oryza & wheat"
    assert (paper.year, paper.date) == (2019, "2019-03-07")
    assert (paper.article_type, paper.language, paper.abstract) == ("review-article", "", "")
    assert paper.venue == Venue("Rice")
    assert paper.authors == (Author("Silva", "Ana B.", s2="77672491"), Author("Li", "Wei"))
    assert paper.subjects == ("Biology", "Agronomy")
    assert (paper.references, paper.losses.notes, paper.loader) == ((), {}, VERSION)


def test_an_abstract_of_the_data_sets() -> None:
    paper = read(ABSTRACT)
    assert paper.ids == Identifiers("10.1000/rice.1", s2="18980463")
    assert (paper.title, paper.abstract) == ("", "Rice grows. Wheat too.")
    assert paper.losses.notes == {"no-title": 1}


def test_a_paper_of_the_graph_api() -> None:
    paper = read(ANSWER)

    assert (paper.ids, paper.abstract, paper.article_type) == (OWN, "Rice grows.", "")
    assert paper.other_abstracts == (Abstract("tldr", "Rice grows well."),)
    assert paper.venue == Venue("Rice", "1939-8425")
    assert paper.references == (
        Reference(
            "77", "", Identifiers("10.1000/a1", s2="77"), "On rice", "Rice", 2005, "3", "7",
            (Author("Smith", "J. A.", s2="5"),), False, "",
        ),
    )  # fmt: skip
    assert paper.losses.notes == {"bad-reference": 2, "repeated-reference": 1}


def test_references_of_their_own_address_are_nested() -> None:
    paper = read(ANSWER, references=[{"isInfluential": True, "citedPaper": CITED}])
    assert paper.references == read(ANSWER).references


def test_a_paper_does_not_cite_itself() -> None:
    paper = read(ANSWER, references=[{"corpusId": 18980463, "title": "Yield"}, {"title": "A"}])
    assert [(r.source_id, r.title) for r in paper.references] == [("ref-2", "A")]
    assert paper.losses.notes == {"self-citation": 1}


@pytest.mark.parametrize("record", [PAPER, ABSTRACT, ANSWER])
def test_a_file_with_one_record_is_a_document(record: dict[str, Any]) -> None:
    paper = read_document(orjson.dumps(record), "paper.json")
    assert (paper.ids.s2, paper.loader) == ("18980463", VERSION)


def test_rows_of_parquet_are_read_as_json_is() -> None:
    row = {k: json.dumps(v) if isinstance(v, list | dict) else v for k, v in PAPER.items()}
    assert read(row, corpusid=18980463.0) == read(PAPER)


@pytest.mark.parametrize(
    ("external", "own", "versions"),
    [
        ({"ArXiv": "1901.01234"}, PREPRINT, ()),
        ({"ArXiv": "1901.01234v2", "DOI": "10.48550/arXiv.1901.01234"}, PREPRINT, ()),
        ({"arxiv": "1901.01234", "doi": "10.1000/1"}, "10.1000/1", (PREPRINT,)),
        ({"DOI": "10.1000/1"}, "10.1000/1", ()),
        ({}, None, ()),
        (None, None, ()),
    ],
)
def test_the_doi_of_a_preprint(
    external: object, own: str | None, versions: tuple[str, ...]
) -> None:
    paper = read(PAPER, externalids=external)
    assert paper.ids.doi == own
    assert paper.versions == tuple(map(Identifiers, versions))


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (["JournalArticle"], "research-article"),
        (["Conference", "JournalArticle"], "research-article"),
        (["Journal Article", "Meta Analysis"], "systematic-review"),
        (["Review", "JournalArticle", "ClinicalTrial"], "review-article"),
        (["LettersAndComments"], "letter"),
        ("CaseReport", "case-report"),
        (["Holo Gram"], "holo-gram"),
        ([], ""),
        (None, ""),
    ],
)
def test_types(types: object, expected: str) -> None:
    assert read(PAPER, publicationtypes=types).article_type == expected


@pytest.mark.parametrize(
    ("year", "exact", "expected", "notes"),
    [
        (2019, None, "2019", {}),
        (None, "2019-03-07", "2019-03-07", {}),
        (2018, "2019-03-07", "2018", {"conflicting-years": 1}),
        (30000, "", "", {"bad-year": 1}),
    ],
)
def test_dates(year: object, exact: object, expected: str, notes: dict[str, int]) -> None:
    paper = read(PAPER, year=year, publicationdate=exact)
    assert (paper.date, paper.losses.notes) == (expected, notes)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"venue": ""}, Venue("Rice (N Y)")),
        ({"venue": None, "journal": None}, None),
        ({"venue": "", "journal": {"name": None}}, None),
        ({"venue": "", "journal": "Rice"}, Venue("Rice")),
    ],
)
def test_venues(changes: dict[str, object], expected: Venue | None) -> None:
    assert read(PAPER, **changes).venue == expected


def test_many_authors_and_references() -> None:
    cited = [{"corpusId": n, "title": "A"} for n in range(1, 10_001)]
    record = {**ANSWER, "authors": PAPER["authors"] * 25_000, "references": cited}
    paper = read_s2ag(record, "p", SHA256)
    assert (len(paper.authors), len(paper.references)) == (50_000, 10_000)


def test_records_that_are_no_papers() -> None:
    with pytest.raises(SourceError, match="paperid, title; expected a paper") as caught:
        read_s2ag({"paperId": None, "title": ""}, "papers.jsonl:9", SHA256)
    assert (caught.value.path, caught.value.reason) == ("papers.jsonl:9", "not-a-paper")


@pytest.mark.parametrize(
    "record",
    [
        {"corpusid": 1, "externalids": {}, "content": {"text": "Rice."}},
        {"corpusid": 1, "title": "Rice", "body": {"text": "Rice."}},
        {"corpusid": 1, "model": "specter", "vector": "[0.1]"},
        {"corpusid": 1, "model": "tldr", "text": "Rice."},
        {"citationid": 1, "citingcorpusid": 2, "citedcorpusid": 3},
        {"authorid": "1", "externalids": {}, "name": "Ana"},
        {"paper_id": "1", "title": "Rice"},
    ],
)
def test_full_texts_and_other_files_are_not_taken(record: dict[str, object]) -> None:
    assert not is_record(record)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from((PAPER, ABSTRACT, ANSWER)))
def test_spoiled_papers_raise_only_source_errors(seed: int, record: dict[str, Any]) -> None:
    spoiled = spoil(record, random.Random(seed))
    if isinstance(spoiled, dict):
        with suppress(SourceError):
            assert_valid(read_s2ag(spoiled, "p", SHA256))


@pytest.mark.parametrize("field", {**PAPER, **ANSWER})
def test_any_value_of_a_field_is_read(field: str) -> None:
    for value in ODD:
        read({**PAPER, **ABSTRACT}, **{field: value})
