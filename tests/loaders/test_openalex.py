"""Works of OpenAlex."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import SourceError
from citescape.core.types import (
    Author,
    Identifiers,
    Institution,
    MeshTerm,
    Notice,
    Paper,
    Reference,
    Venue,
)
from citescape.loaders.document_formats import read_document
from citescape.loaders.inverted_index import LONGEST, read_inverted_index
from citescape.loaders.openalex import VERSION, is_record, read_openalex
from tests.loaders.records import ODD, SHA256, assert_valid, spoil

ADDRESS = "https://openalex.org/"
WORK: dict[str, Any] = {
    "id": f"{ADDRESS}W2741809807",
    "doi": "https://doi.org/10.1000/RICE.1",
    "title": "Yield of <i>Oryza</i> &amp;amp; wheat",
    "display_name": "Yield of <i>Oryza</i> &amp;amp; wheat",
    "publication_year": 2019,
    "publication_date": "2019-03-07",
    "ids": {
        "openalex": f"{ADDRESS}W2741809807",
        "doi": "https://doi.org/10.1000/rice.1",
        "mag": "2741809807",
        "pmid": "https://pubmed.ncbi.nlm.nih.gov/30123456",
        "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/6338940",
    },
    "language": "en",
    "type": "article",
    "type_crossref": "journal-article",
    "primary_location": {
        "source": {"id": f"{ADDRESS}S1", "display_name": "Rice", "issn_l": "1939-8425"},
        "landing_page_url": "https://doi.org/10.1000/rice.1",
        "version": "publishedVersion",
    },
    "locations": [
        {"landing_page_url": "https://doi.org/10.1000/rice.1", "pdf_url": None},
        {"landing_page_url": "http://arxiv.org/abs/1901.01234v2"},
        {"landing_page_url": "https://doi.org/10.5281/zenodo.77"},
    ],
    "authorships": [
        {
            "author_position": "first",
            "author": {
                "id": f"{ADDRESS}A5023888391",
                "display_name": "Ana B. Silva",
                "orcid": "https://orcid.org/0000-0002-1825-0097",
            },
            "institutions": [
                {
                    "id": f"{ADDRESS}I27837315",
                    "display_name": "Universidad de Chile",
                    "ror": "https://ror.org/047gc3g35",
                    "country_code": "CL",
                }
            ],
            "countries": ["CL"],
            "raw_affiliation_strings": ["Univ. de Chile, Santiago"],
        },
        {
            "author_position": "last",
            "author": {"id": f"{ADDRESS}A77", "display_name": "Wei Li", "orcid": None},
            "institutions": [],
            "countries": ["CN"],
            "raw_affiliation_strings": ["Rice Institute, Wuhan, China"],
        },
    ],
    "abstract_inverted_index": {"Rice": [0, 3], "grows.": [1], "Is": [2], "food.": [4]},
    "keywords": [{"id": "x", "display_name": "Rice", "score": 0.7}, {"keyword": "yield"}],
    "topics": [{"display_name": "Rice breeding"}, {"display_name": "Crop models"}],
    "mesh": [
        {"descriptor_name": "Oryza", "qualifier_name": "genetics", "is_major_topic": False},
        {"descriptor_name": "Oryza", "qualifier_name": "growth", "is_major_topic": True},
        {"descriptor_name": "Humans", "qualifier_name": None, "is_major_topic": False},
    ],
    "referenced_works": [f"{ADDRESS}W1560783210", f"{ADDRESS}W1724212071"],
    "is_retracted": False,
    "is_paratext": False,
    "is_xpac": False,
}


def read(**changes: object) -> Paper:
    """The work with some of its fields changed."""
    paper = read_openalex({**WORK, **changes}, "works.jsonl:1", SHA256)
    assert_valid(paper)
    return paper


def cited(id_: str) -> Reference:
    ids = Identifiers(openalex=id_)
    return Reference(id_, "", ids, "", "", None, "", "", (), False, "")


def test_a_work_of_the_snapshot() -> None:
    paper = read()

    assert paper.ids == Identifiers("10.1000/rice.1", "30123456", "PMC6338940", "W2741809807")
    assert paper.title == "Yield of Oryza & wheat"
    assert paper.abstract == "Rice grows. Is Rice food."
    assert (paper.year, paper.date) == (2019, "2019-03-07")
    assert (paper.article_type, paper.language) == ("research-article", "en")
    assert paper.venue == Venue("Rice", "1939-8425")
    assert paper.authors == (
        Author(
            "Silva",
            "Ana B.",
            "0000-0002-1825-0097",
            openalex="A5023888391",
            institutions=(0,),
        ),
        Author("Li", "Wei", openalex="A77", institutions=(1,)),
    )
    assert paper.institutions == (
        Institution("Universidad de Chile", "CL", "047gc3g35", "I27837315"),
        Institution("Rice Institute, Wuhan, China", "CN"),
    )
    assert paper.keywords == ("Rice", "yield")
    assert paper.subjects == ("Rice breeding", "Crop models")
    assert paper.mesh == (MeshTerm("Oryza", ("genetics", "growth"), True), MeshTerm("Humans"))
    assert paper.references == (cited("W1560783210"), cited("W1724212071"))
    assert paper.versions == (
        Identifiers("10.48550/arxiv.1901.01234"),
        Identifiers("10.5281/zenodo.77"),
    )
    assert (paper.notices, paper.losses.notes) == ((), {})
    assert (paper.path, paper.sha256, paper.loader) == ("works.jsonl:1", SHA256, VERSION)


def test_a_file_with_one_work_is_a_document() -> None:
    paper = read_document(orjson.dumps(WORK), "W2741809807.json")
    assert (paper.ids.openalex, paper.loader) == ("W2741809807", VERSION)


def test_rows_of_parquet_are_read_as_json_is() -> None:
    nested = ("ids", "authorships", "locations", "primary_location", "mesh", "referenced_works")
    row = {
        **{name: json.dumps(WORK[name]) for name in nested},
        "abstract_inverted_index": [("Rice", [0, 3]), ("grows.", [1]), ("Is", [2]), ("food.", [4])],
        "publication_date": date(2019, 3, 7),
        "publication_year": 2019.0,
    }
    assert read(**row) == read()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": [1], "a": [0]}, "a b"),
        ('{"b": [1], "a": [0]}', "a b"),
        ('{"IndexLength": 2, "InvertedIndex": {"b": [1], "a": [0]}}', "a b"),
        ([("b", [1]), ("a", [0])], "a b"),
        ([{"key": "b", "value": [1]}, {"key": "a", "value": [0]}], "a b"),
        ({"a": [0], "b": [5], "c": [99]}, "a b c"),
        ({"a": [0], "b": [10**15]}, "a b"),
        ({"a": [1], "b": [1]}, "a b"),
        ({"a": [0, 0]}, "a a"),
        ({"a": [0], "b": [1], "": [2]}, "a b"),
        ({"<jats:p>Rice": [0], "p&lt;0.05.</jats:p>": [1]}, "Rice p<0.05."),
        ("Plain text.", "Plain text."),
        (None, ""),
        ({}, ""),
        ("{", ""),
        ([1, 2], ""),
    ],
)
def test_abstracts(value: object, expected: str) -> None:
    assert read_inverted_index(value) == (expected, False)


@pytest.mark.parametrize(
    "value",
    [{"a": [0], "b": [-1]}, {"a": [0], "b": ["x"]}, {"a": [0], "b": [0.5]}, {"a": 0, "b": {}}],
)
def test_words_without_a_position_are_left_out_and_noted(value: object) -> None:
    paper = read(abstract_inverted_index=value)
    assert (paper.abstract, paper.losses.notes) == ("a", {"cut-abstract": 1})


@given(st.lists(st.text("abc.", min_size=1, max_size=5), max_size=40), st.randoms())
def test_an_inverted_index_gives_the_words_in_order(
    words: list[str], chance: random.Random
) -> None:
    places = list(enumerate(words))
    chance.shuffle(places)
    index: dict[str, list[int]] = {}
    for place, word in places:
        index.setdefault(word, []).append(place)
    gaps = {word: [3 * place + 7 for place in places] for word, places in index.items()}

    assert read_inverted_index(index) == (" ".join(words), False)
    assert read_inverted_index(gaps) == (" ".join(words), False)


def test_memory_for_an_abstract_is_bounded() -> None:
    places = list(range(50_000))
    tracemalloc.start()
    text, cut = read_inverted_index({"x" * 10_000: places, "y": [10**12]})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert cut
    assert LONGEST - 10_001 <= len(text) <= LONGEST
    assert peak < 50_000_000


@pytest.mark.parametrize(
    ("type_", "crossref", "expected"),
    [
        ("article", "journal-article", "research-article"),
        ("article", "proceedings-article", "research-article"),
        ("article", "posted-content", "preprint"),
        ("article", None, "research-article"),
        ("preprint", "posted-content", "preprint"),
        ("review", "journal-article", "review-article"),
        ("editorial", "journal-article", "editorial"),
        ("letter", "journal-article", "letter"),
        ("erratum", "journal-article", "correction"),
        ("retraction", "journal-article", "retraction"),
        ("journal-article", None, "research-article"),
        ("Book Chapter", None, "book-chapter"),
        ("peer_review", None, "peer-review"),
        (None, "monograph", "book"),
        ("hologram", None, "hologram"),
        (7, [], "7"),
        (None, None, ""),
    ],
)
def test_types(type_: object, crossref: object, expected: str) -> None:
    assert read(type=type_, type_crossref=crossref).article_type == expected


@pytest.mark.parametrize(
    ("year", "exact", "expected", "notes"),
    [
        (2019, "2019-03-07", "2019-03-07", {}),
        (2019, None, "2019", {}),
        (None, "2019-03", "2019-03", {}),
        ("2019", "2019-03-07T00:00:00", "2019-03-07", {}),
        (2020, "2019-12-31", "2019-12-31", {"conflicting-years": 1}),
        (2019, "2019-02-31", "2019-02", {}),
        (2019, "soon", "2019", {"bad-year": 1}),
        (9999, None, "", {"bad-year": 1}),
        (-5, "", "", {"bad-year": 1}),
        (None, None, "", {}),
    ],
)
def test_dates(year: object, exact: object, expected: str, notes: dict[str, int]) -> None:
    paper = read(publication_year=year, publication_date=exact)
    assert (paper.date, paper.losses.notes) == (expected, notes)


@pytest.mark.parametrize(
    ("updated", "edition"),
    [("2024-05-01T12:10:11.123456", 20240501), ("2024-05-01", 20240501), (None, 0), ("?", 0)],
)
def test_the_date_of_the_update_is_the_edition(updated: object, edition: int) -> None:
    assert read(updated_date=updated).edition == edition


def test_an_arxiv_id_alone_is_the_doi() -> None:
    paper = read(doi=None, ids={}, locations=[{"id": "pmh:oai:arXiv.org:1901.01234"}])
    assert paper.ids == Identifiers("10.48550/arxiv.1901.01234", openalex="W2741809807")
    assert paper.versions == ()


def test_the_doi_of_the_work_is_no_other_version() -> None:
    places = ["https://doi.org/10.1000/RICE.1", "doi:10.1000/rice.1", "http://dx.doi.org/10.1000/2"]
    paper = read(locations=[{"landing_page_url": place} for place in places])
    assert paper.versions == (Identifiers("10.1000/2"),)


@pytest.mark.parametrize(
    ("person", "expected"),
    [
        ({"display_name": "Wei Li"}, Author("Li", "Wei")),
        ({"display_name": "Li, Wei"}, Author("Li", "Wei")),
        ({"display_name": "Li"}, Author("Li")),
        ({"display_name": "Wei Li", "orcid": "0000-0002-1825-0098"}, Author("Li", "Wei")),
        ({"display_name": "Wei Li", "id": f"{ADDRESS}W77"}, Author("Li", "Wei")),
    ],
)
def test_names(person: dict[str, str], expected: Author) -> None:
    assert read(authorships=[{"author": person}]).authors == (expected,)


def test_a_name_may_be_printed_only_and_a_missing_one_is_noted() -> None:
    paper = read(authorships=[{"author": None, "raw_author_name": "Li, W."}, {}, None])
    assert paper.authors == (Author("Li", "W."),)
    assert paper.losses.notes == {"author-without-name": 2}


def test_affiliations_as_older_snapshots_have_them() -> None:
    author = {"author": {"display_name": "A"}, "raw_affiliation_string": "Rice Institute"}
    paper = read(authorships=[author, author])
    assert paper.institutions == (Institution("Rice Institute"),)
    assert [a.institutions for a in paper.authors] == [(0,), (0,)]


def test_printed_affiliations_end_with_their_country() -> None:
    author = {
        "author": {"display_name": "A"},
        "countries": ["CL", "CN"],
        "raw_affiliation_strings": ["Rice Institute, Wuhan, P.R. China", "INIA, Chillan", "INIA"],
    }
    paper = read(authorships=[author, {**author, "countries": ["CL"]}])
    assert [(place.name, place.country) for place in paper.institutions] == [
        ("Rice Institute, Wuhan, P.R. China", "CN"),
        ("INIA, Chillan", ""),
        ("INIA", ""),
        ("Rice Institute, Wuhan, P.R. China", "CL"),
        ("INIA, Chillan", "CL"),
        ("INIA", "CL"),
    ]


def test_many_authors_share_institutions() -> None:
    record = {**WORK, "authorships": WORK["authorships"] * 25_000}
    paper = read_openalex(record, "p", SHA256)
    assert len(paper.authors) == 50_000
    assert len(paper.institutions) == 2


def test_an_incomplete_by_line_is_noted() -> None:
    assert read(is_authors_truncated=True).losses.notes == {"incomplete-authors": 1}


def test_references_count_once_and_never_the_work_itself() -> None:
    works = ["W2", "https://openalex.org/W20", "W2741809807", "W20", None, "A77", 7, {}]
    paper = read(referenced_works=works * 2)
    assert [r.source_id for r in paper.references] == ["W20"]
    assert paper.losses.notes == {
        "bad-reference": 2 * 5,
        "self-citation": 2,
        "repeated-reference": 3,
    }


def test_many_references() -> None:
    works = [f"{ADDRESS}W{n}" for n in range(1_000_000, 1_100_000)]
    paper = read_openalex({**WORK, "referenced_works": works}, "p", SHA256)
    assert len(paper.references) == 100_000


def test_a_retracted_work_states_it_without_a_notice_and_date() -> None:
    paper = read(is_retracted=True)
    assert paper.notices == (Notice("retraction", "work", paper.ids, Identifiers()),)


def test_additions_and_paratext_are_noted() -> None:
    assert read(is_xpac=True, is_paratext="true").losses.notes == {"xpac": 1, "paratext": 1}


def test_a_work_with_nothing_but_its_id() -> None:
    paper = read_openalex({"id": "W2741809807"}, "p", SHA256)
    assert_valid(paper)
    assert (paper.ids, paper.losses.notes) == (
        Identifiers(openalex="W2741809807"),
        {"no-title": 1},
    )


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"id": f"{ADDRESS}A5023888391"}, "A5023888391, which is no work"),
        ({"id": None, "authorships": []}, "id, authorships; expected a work with id or title"),
    ],
)
def test_records_that_are_no_works(record: Mapping[str, object], message: str) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        read_openalex(record, "works.jsonl:9", SHA256)
    assert (caught.value.path, caught.value.reason) == ("works.jsonl:9", "not-a-paper")


def test_works_are_recognised_by_their_keys() -> None:
    assert is_record(WORK)
    assert is_record({"id": "W20", "referenced_works": []})
    assert not is_record({"id": "A77", "works_count": 3, "display_name": "Ana"})
    assert not is_record({"DOI": "10.1000/1", "type": "journal-article"})


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_spoiled_works_raise_only_source_errors(seed: int) -> None:
    record = spoil(WORK, random.Random(seed))
    if isinstance(record, dict):
        with suppress(SourceError):
            assert_valid(read_openalex(record, "p", SHA256))


@pytest.mark.parametrize("field", WORK)
def test_any_value_of_a_field_is_read(field: str) -> None:
    for value in ODD:
        read(**{field: value})
