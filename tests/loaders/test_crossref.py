"""Works of Crossref."""

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
from citescape.core.types import (
    Author,
    Identifiers,
    Institution,
    Notice,
    Paper,
    Reference,
    Venue,
)
from citescape.loaders.crossref import UPDATES, VERSION, is_record, read_crossref
from citescape.loaders.document_formats import read_document
from citescape.loaders.markup import read_jats_abstract, strip_markup
from tests.loaders.records import ODD, SHA256, assert_valid, spoil

OWN = Identifiers("10.1000/rice.1")
ABSTRACT = """<jats:title>Abstract</jats:title>
  <jats:sec><jats:title>Aims:</jats:title><jats:p>Rice &lt; wheat.</jats:p><jats:p>So.</jats:p>
  </jats:sec><jats:sec><jats:title>Results</jats:title><jats:p>CO<jats:sub>2</jats:sub> rose.
  </jats:p></jats:sec>"""
WORK: dict[str, Any] = {
    "DOI": "10.1000/RICE.1",
    "type": "journal-article",
    "title": ["Yield of <i>Oryza</i> &amp;amp; wheat"],
    "subtitle": ["A field study"],
    "author": [
        {
            "given": "Ana B.",
            "family": "Silva",
            "sequence": "first",
            "ORCID": "http://orcid.org/0000-0002-1825-0097",
            "affiliation": [
                {
                    "name": "Universidad de Chile",
                    "id": [{"id": "https://ror.org/047gc3g35", "id-type": "ROR"}],
                },
                {"name": "Rice Institute"},
            ],
        },
        {"name": "The Rice Group", "sequence": "additional", "affiliation": []},
        {"given": "Wei", "family": "Li", "affiliation": [{"name": "Rice Institute"}]},
    ],
    "container-title": ["Rice", "Springer Rice Series"],
    "ISSN": ["1939-8433", "1939-8425"],
    "issued": {"date-parts": [[2019, 3]]},
    "published": {"date-parts": [[2019, 3]]},
    "published-online": {"date-parts": [[2019, 3, 7]]},
    "published-print": {"date-parts": [[2019, 12]]},
    "abstract": ABSTRACT,
    "subject": ["Agronomy"],
    "language": "EN",
    "reference": [
        {
            "key": "CR1",
            "DOI": "10.1000/A1",
            "doi-asserted-by": "crossref",
            "article-title": "On <i>rice</i>",
            "journal-title": "Rice",
            "author": "Smith JA",
            "year": "2005a",
            "volume": "3",
            "first-page": "7",
        },
        {"key": "CR2", "volume-title": "A Book of Rice", "author": "J. Doe et al.", "year": "1999"},
        {"key": "CR3", "unstructured": "Li W. Rice, 2001. doi:10.1000/B2. PMID: 30123456"},
    ],
    "reference-count": 3,
    "relation": {
        "has-preprint": [
            {"id-type": "doi", "id": "10.1101/2019.01.01.123", "asserted-by": "object"}
        ],
        "is-supplemented-by": [{"id-type": "doi", "id": "10.5061/dryad.1"}],
    },
}


def read(**changes: object) -> Paper:
    """The work with some of its fields changed; `_` stands for `-`."""
    record = {**WORK, **{key.replace("_", "-"): value for key, value in changes.items()}}
    paper = read_crossref(record, "works.jsonl:1", SHA256)
    assert_valid(paper)
    return paper


def test_a_work_of_the_api() -> None:
    paper = read()

    assert paper.ids == OWN
    assert paper.title == "Yield of Oryza & wheat: A field study"
    assert paper.abstract_labels == ("Aims", "Results")
    assert paper.abstract_parts == ("Rice < wheat. So.", "CO2 rose.")
    assert paper.abstract == "Rice < wheat. So. CO2 rose."
    assert (paper.year, paper.date) == (2019, "2019-03-07")
    assert (paper.article_type, paper.language) == ("research-article", "en")
    assert paper.venue == Venue("Rice", "1939-8425")
    assert paper.authors == (
        Author("Silva", "Ana B.", "0000-0002-1825-0097", institutions=(0, 1)),
        Author("The Rice Group", role="group"),
        Author("Li", "Wei", institutions=(1,)),
    )
    assert paper.institutions == (
        Institution("Universidad de Chile", "CL", "047gc3g35"),
        Institution("Rice Institute"),
    )
    assert paper.subjects == ("Agronomy",)
    assert paper.versions == (Identifiers("10.1101/2019.01.01.123"),)
    assert (paper.notices, paper.losses.notes, paper.loader) == ((), {}, VERSION)


def test_references() -> None:
    smith, doe, printed = read().references

    assert smith == Reference(
        "CR1", "", Identifiers("10.1000/a1"), "On rice", "Rice", 2005, "3", "7",
        (Author("Smith", "JA"),), False, "",
    )  # fmt: skip
    assert doe == Reference(
        "CR2", "", Identifiers(), "A Book of Rice", "", 1999, "", "",
        (Author("Doe", "J."),), True, "",
    )  # fmt: skip
    assert printed == Reference(
        "CR3", "", Identifiers("10.1000/b2", "30123456"), "", "", None, "", "", (), False,
        "Li W. Rice, 2001. doi:10.1000/B2. PMID: 30123456",
    )  # fmt: skip


@pytest.mark.parametrize("wrap", [lambda w: w, lambda w: {"status": "ok", "message": w}])
def test_an_answer_of_the_api_is_a_document(wrap: Any) -> None:
    paper = read_document(orjson.dumps(wrap(WORK)), "rice.json")
    assert (paper.ids, paper.loader, len(paper.references)) == (OWN, VERSION, 3)


def test_keys_in_lower_case_and_nested_json_are_read() -> None:
    row = {
        key.lower(): json.dumps(v) if isinstance(v, list | dict) else v for key, v in WORK.items()
    }
    assert read_crossref(row, "works.jsonl:1", SHA256) == read()


def test_csl_json_has_single_values_instead_of_lists() -> None:
    paper = read(title="Rice", subtitle=[], container_title="Rice Journal", ISSN="1939-8425")
    assert (paper.title, paper.venue) == ("Rice", Venue("Rice Journal", "1939-8425"))


@pytest.mark.parametrize(
    ("title", "subtitle", "expected"),
    [
        (["Rice"], [], "Rice"),
        (["Rice: a study"], ["A study"], "Rice: a study"),
        (["Rice:"], ["A study"], "Rice: A study"),
        ([], ["A study"], "A study"),
        (["", "Rice"], None, "Rice"),
        ("Rice", "", "Rice"),
    ],
)
def test_titles(title: object, subtitle: object, expected: str) -> None:
    assert read(title=title, subtitle=subtitle).title == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p < 0.05 and a<b and c>d", "p < 0.05 and a<b and c>d"),
        ("&lt;i&gt;Oryza&lt;/i&gt;", "Oryza"),
        ("H<sub>2</sub>O<br/>in <b class='x'>rice</b>", "H2O in rice"),
        ("<mml:math><mml:mi>x</mml:mi></mml:math> rose", "x rose"),
        ("<jats:tex-math>\\frac12</jats:tex-math> rose", "rose"),
        ("R&amp;amp;D &amp; more", "R&D & more"),
        ("<", "<"),
    ],
)
def test_markup_in_titles(text: str, expected: str) -> None:
    assert strip_markup(text) == expected


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Rice grows.", [("", "Rice grows.")]),
        ("<jats:p>Rice</jats:p><jats:p>grows.</jats:p>", [("", "Rice grows.")]),
        ("Rice <jats:italic>grows</jats:italic>.", [("", "Rice grows.")]),
        ("<p>Rice &nbsp; grows<b>.", [("", "Rice grows.")]),
        (
            "<jats:sec><jats:title>Aim</jats:title><jats:p>Rice.</jats:p></jats:sec>",
            [("", "Rice.")],
        ),
        (
            "<jats:p>Rice.</jats:p><jats:sec><jats:title>Abstract</jats:title>"
            "<jats:supplementary-material><jats:permissions><jats:copyright-statement>P"
            "</jats:copyright-statement></jats:permissions></jats:supplementary-material></jats:sec>",
            [("", "Rice.")],
        ),
        (
            "<jats:p>Of <jats:inline-formula><jats:alternatives><jats:tex-math>x^2</jats:tex-math>"
            "<mml:math><mml:mi>x</mml:mi></mml:math></jats:alternatives></jats:inline-formula>."
            "</jats:p>",
            [("", "Of x.")],
        ),
        ("", []),
    ],
)
def test_abstracts(text: str, parts: list[tuple[str, str]]) -> None:
    assert list(read_jats_abstract(text).parts) == parts


def test_hostile_abstracts_are_text() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY x "ha">]><jats:p>&x;&x;</jats:p>'
    deep = "<jats:sec>" * 5_000 + "Rice" + "</jats:sec>" * 5_000
    assert "haha" not in read(abstract=bomb).abstract
    assert read(abstract=deep).abstract == "Rice"


@pytest.mark.parametrize(
    ("issued", "expected", "notes"),
    [
        ({"date-parts": [[2018, 3, 7]]}, "2018-03-07", {}),
        ({"date-parts": [["2018", "03"]]}, "2018-03", {}),
        ({"date-parts": [2018, 3]}, "2018-03", {}),
        ({"date-parts": [[2018, 13, 7]]}, "2018", {}),
        ({"date-parts": [[2018, 2, 31]]}, "2018-02", {}),
        ("2018-03-07", "2018-03-07", {}),
        ({"raw": "2018"}, "2018", {}),
        ({"date-time": "2018-03-07T00:00:00Z"}, "2018-03-07", {}),
        ({"date-parts": [[None]]}, "", {}),
        ({"date-parts": []}, "", {}),
        (None, "", {}),
        ({"date-parts": [[0]]}, "", {"bad-year": 1}),
        ({"date-parts": [[20180, 1]]}, "", {"bad-year": 1}),
        ("in press", "", {"bad-year": 1}),
    ],
)
def test_dates(issued: object, expected: str, notes: dict[str, int]) -> None:
    others = dict.fromkeys(("published", "published_online", "published_print"))
    paper = read(issued=issued, **others)
    assert (paper.date, paper.losses.notes) == (expected, notes)


def test_the_earliest_year_counts() -> None:
    paper = read(published_print={"date-parts": [[2020]]}, posted={"date-parts": [[2018]]})
    assert (paper.date, paper.losses.notes) == ("2018", {"conflicting-years": 1})


@pytest.mark.parametrize(
    ("type_", "subtype", "expected"),
    [
        ("journal-article", None, "research-article"),
        ("proceedings-article", None, "research-article"),
        ("book-chapter", None, "book-chapter"),
        ("edited-book", None, "book"),
        ("posted-content", "preprint", "preprint"),
        ("posted-content", None, "posted-content"),
        ("peer-review", None, "peer-review"),
        ("hologram", None, "hologram"),
        (None, None, ""),
    ],
)
def test_types(type_: object, subtype: object, expected: str) -> None:
    assert read(type=type_, subtype=subtype).article_type == expected


def update(type_: str, doi: str = "10.1000/NOTICE", source: str = "publisher") -> dict[str, object]:
    date = {"date-parts": [[2020, 5, 4]], "timestamp": 1588550400000}
    return {"DOI": doi, "type": type_, "label": type_, "updated": date, "source": source}


NOTICE = Identifiers("10.1000/notice")


@pytest.mark.parametrize(("type_", "kind"), UPDATES.items())
def test_a_notice_names_the_works_it_updates(type_: str, kind: Any) -> None:
    paper = read(**{"update-to": [update(type_)]})
    assert paper.notices == (Notice(kind, "notice", NOTICE, OWN, "2020-05-04"),)


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        ("retraction", "retraction"),
        ("Erratum", "correction"),
        ("partial-retraction", "partial-retraction"),
        ("expression of concern", "expression-of-concern"),
        ("reinstatement", "research-article"),
    ],
)
def test_a_notice_has_the_type_of_a_notice(type_: str, expected: str) -> None:
    assert read(**{"update-to": [update(type_)]}).article_type == expected


def test_a_work_names_its_notices() -> None:
    paper = read(**{"updated-by": [update("retraction"), update("retraction")]})
    assert paper.notices == (Notice("retraction", "work", OWN, NOTICE, "2020-05-04"),)
    assert paper.article_type == "research-article"


def test_what_retraction_watch_adds_is_stated_by_a_table() -> None:
    watched = [update("retraction", source="retraction-watch")]
    assert read(**{"updated-by": watched}).notices[0].stated_by == "table"
    assert read(**{"update-to": watched}).notices[0].stated_by == "table"


def test_an_update_of_itself_is_a_notice_without_id() -> None:
    paper = read(**{"update-to": [update("withdrawal", "10.1000/Rice.1")]})
    expected = Notice("retraction", "work", OWN, Identifiers(), "2020-05-04")
    assert (paper.notices, paper.losses.notes) == ((expected,), {"notice-of-itself": 1})
    assert paper.article_type == "research-article"


def test_a_notice_without_id_is_known_to_exist() -> None:
    paper = read(**{"updated-by": [{"type": "retraction"}]})
    assert paper.notices == (Notice("retraction", "work", OWN, Identifiers()),)
    assert paper.losses.notes == {"notice-without-id": 1}


def test_updates_that_are_no_notices() -> None:
    updates = [update("new_version", "10.1000/2"), update("praise"), update("erratum", ""), None, 7]
    paper = read(relation=None, **{"update-to": updates})
    assert paper.notices == ()
    assert paper.versions == (Identifiers("10.1000/2"),)
    assert paper.losses.notes == {"unknown-update": 3, "notice-without-id": 1}


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ({"is-preprint-of": [{"id-type": "doi", "id": "10.1000/2"}]}, Identifiers("10.1000/2")),
        ({"is-version-of": {"id-type": "doi", "id": "10.1000/2"}}, Identifiers("10.1000/2")),
        (
            {"has-preprint": [{"id-type": "arxiv", "id": "arXiv:1901.01234v2"}]},
            Identifiers("10.48550/arxiv.1901.01234"),
        ),
        ({"IS-SAME-AS": [{"id-type": "pmid", "id": "30123456"}]}, Identifiers(pmid="30123456")),
        (
            {"has-version": [{"id-type": "uri", "id": "https://doi.org/10.1000/2"}]},
            Identifiers("10.1000/2"),
        ),
    ],
)
def test_relations_to_other_versions(relation: object, expected: Identifiers) -> None:
    assert read(relation=relation).versions == (expected,)


@pytest.mark.parametrize(
    "relation",
    [
        {"is-comment-on": [{"id-type": "doi", "id": "10.1000/2"}]},
        {"is-version-of": [{"id-type": "doi", "id": "10.1000/rice.1"}]},
        {"is-version-of": [{"id-type": "uri", "id": "https://example.org"}]},
    ],
)
def test_other_relations_are_left_out(relation: object) -> None:
    assert read(relation=relation).versions == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Smith JA", Author("Smith", "JA")),
        ("J. A. Smith", Author("Smith", "J. A.")),
        ("Smith, J. A.", Author("Smith", "J. A.")),
        ("van der Berg J.-P.", Author("van der Berg", "J.-P.")),
        ("Smith", Author("Smith")),
        ("Smith J et al", Author("Smith", "J")),
    ],
)
def test_authors_of_references(text: str, expected: Author) -> None:
    (reference,) = read(reference=[{"author": text}]).references
    assert reference.authors == (expected,)
    assert reference.et_al == ("et al" in text)


def test_a_work_does_not_cite_itself() -> None:
    entries = [{"DOI": "10.1000/rice.1"}, {}, None, "text", {"DOI": "10.1000/2"}]
    paper = read(reference=entries)
    assert [(r.source_id, r.ids.doi) for r in paper.references] == [("ref-5", "10.1000/2")]
    assert paper.losses.notes == {"self-citation": 1, "bad-reference": 3}


def test_many_authors_and_references() -> None:
    record = {**WORK, "author": WORK["author"] * 5_000, "reference": WORK["reference"] * 5_000}
    paper = read_crossref(record, "p", SHA256)
    assert (len(paper.authors), len(paper.institutions)) == (15_000, 2)
    assert len(paper.references) == 15_000


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"family": "Li"}, Author("Li")),
        ({"given": "Wei"}, Author("Wei")),
        ({"literal": "Wei Li"}, Author("Wei Li")),
        ("Wei Li", Author("Li", "Wei")),
        ({"name": "WHO"}, Author("WHO", role="group")),
    ],
)
def test_authors(item: object, expected: Author) -> None:
    assert read(author=[item]).authors == (expected,)


def test_an_author_without_name_is_noted() -> None:
    paper = read(author=[{"ORCID": "0000-0002-1825-0097"}, None])
    assert (paper.authors, paper.losses.notes) == ((), {"author-without-name": 2})


def test_the_repository_is_the_venue_of_a_preprint() -> None:
    paper = read(container_title=[], ISSN=None, institution=[{"name": "bioRxiv"}])
    assert paper.venue == Venue("bioRxiv")


def test_records_that_are_no_works() -> None:
    with pytest.raises(
        SourceError, match="type, member; expected a work with DOI or title"
    ) as caught:
        read_crossref({"type": "journal-article", "member": "7"}, "works.jsonl:9", SHA256)
    assert (caught.value.path, caught.value.reason) == ("works.jsonl:9", "not-a-paper")


def test_works_are_recognised_by_their_keys() -> None:
    assert is_record(WORK)
    assert is_record({"message": WORK, "message-type": "work"})
    assert not is_record({"message": {"items": [WORK]}, "message-type": "work-list"})
    assert is_record({"DOI": "10.1000/1", "title": ["Some fields of the API"]})
    assert not is_record({"doi": "10.1000/1", "title": "A table"})
    issued = {"date-parts": [[2019]]}
    entry = {"type": "article-journal", "title": "CSL", "container-title": "Rice", "issued": issued}
    assert not is_record({"id": "a", "DOI": "10.1000/1", **entry})


@pytest.mark.parametrize(
    ("indexed", "edition"),
    [
        ({"date-parts": [[2024, 1, 5]], "date-time": "2024-01-05T10:00:00Z"}, 20240105),
        ({"date-parts": [[None]]}, 0),
        (None, 0),
    ],
)
def test_the_last_indexing_is_the_edition(indexed: object, edition: int) -> None:
    assert read(indexed=indexed).edition == edition


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_spoiled_works_raise_only_source_errors(seed: int) -> None:
    updates = {"update-to": [update("retraction")], "updated-by": [update("erratum")]}
    record = spoil({**WORK, **updates}, random.Random(seed))
    if isinstance(record, dict):
        with suppress(SourceError):
            assert_valid(read_crossref(record, "p", SHA256))


@pytest.mark.parametrize("field", [*WORK, "update-to", "updated-by", "institution"])
def test_any_value_of_a_field_is_read(field: str) -> None:
    for value in ODD:
        read(**{field: value})
