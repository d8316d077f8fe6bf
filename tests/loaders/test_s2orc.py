"""S2ORC in all its published forms."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings

from citescape.core.errors import SourceError
from citescape.core.types import Author, Identifiers, Occurrence, Paper, Reference, Venue
from citescape.loaders.document_formats import read_document
from citescape.loaders.s2orc import VERSION, is_s2orc, read_s2orc
from citescape.loaders.tei import read_tei
from tests.loaders.articles import cited, is_balanced, placed
from tests.loaders.hostile_json import hostile_records

Record = dict[str, Any]


def read(record: Mapping[str, Any]) -> Paper:
    paper = read_s2orc(record, "paper.json", "0" * 64)
    assert is_balanced(paper)
    return paper


def paragraph(text: str, *refs: str | None, section: str = "Methods", **more: object) -> Record:
    """A paragraph whose markers `[1]`, `[2]`, ... name the references."""
    spans = [
        {"start": found.start(), "end": found.end(), "text": found[0], "ref_id": ref}
        for found, ref in zip(re.finditer(r"\[\d+\]", text), refs, strict=True)
    ]
    return {"text": text, "cite_spans": spans, "ref_spans": [], "section": section, **more}


ENTRY: Record = {
    "ref_id": "b0",
    "title": "On rice",
    "authors": [{"first": "J", "middle": ["P", "C"], "last": "Tomé", "suffix": ""}],
    "year": 2014,
    "venue": "Rice",
    "volume": "13",
    "issn": "",
    "pages": "626--633",
    "other_ids": {"doi": ["10.1039/C3PP50195G"]},
    "links": "25540194",
}
PARSE: Record = {
    "abstract": [paragraph("Rice is eaten [1].", "BIBREF0", section="Abstract")],
    "body_text": [
        paragraph("Rice grows.", section="Introduction"),
        paragraph("Seen by [1] and [2].", "BIBREF0", None),
    ],
    "ref_entries": {
        "FIGREF0": {"text": "Yields.", "type": "figure"},
        "TABREF0": {"text": "Sites.", "type_str": "table"},
        "FOOTREF0": {"text": "A note.", "type_str": "footnote"},
        "SECREF0": {"text": "Methods", "type_str": "section"},
    },
    "bib_entries": {"BIBREF0": ENTRY, "BIBREF6": {"title": "On wheat"}},
}
METADATA: Record = {
    "title": "Rice in fields",
    "authors": [{"first": "Anyi", "middle": [], "last": "Hu", "suffix": ""}],
    "abstract": "Rice is eaten.",
    "year": "2017",
    "arxiv_id": None,
    "pmc_id": "PMC5371592",
    "pubmed_id": "28424663",
    "doi": "10.3389/FMICB.2017.00498",
    "venue": "Front. Microbiol.",
    "journal": "Frontiers in microbiology",
}
RELEASE_2019: Record = {
    "paper_id": "10002293",
    "metadata": METADATA,
    "s2_pdf_hash": "5f6e",
    "grobid_parse": PARSE,
    "latex_parse": None,
}
RELEASE_2020: Record = {"paper_id": "18980463", "_pdf_hash": "ac3a", **PARSE}
DOC2JSON: Record = {
    "paper_id": "2020",
    "header": {"generated_with": "S2ORC 1.0.0"},
    "title": "Rice in fields",
    "authors": METADATA["authors"],
    "year": "",
    "abstract": "Rice is eaten.",
    "pdf_parse": {**PARSE, "paper_id": "2020", "back_matter": []},
}
CORD_19: Record = {
    "paper_id": "24e6b80e338a4e543de6b49cada07156c9149d22",
    "metadata": {"title": "Rice in fields", "authors": METADATA["authors"], "year": "2011-11"},
    **PARSE,
    "back_matter": [paragraph("Thanks.", section="ACKNOWLEDGMENTS")],
}


def annotate(markup: str) -> tuple[str, dict[str, list[Record]]]:
    """The text of markup and the spans of its elements, whose attributes are kept."""
    pieces: list[str] = []
    spans: dict[str, list[Record]] = {}

    def walk(element: ElementTree.Element) -> None:
        start = sum(map(len, pieces))
        pieces.append(element.text or "")
        for child in element:
            walk(child)
            pieces.append(child.tail or "")
        span: Record = {"start": start, "end": sum(map(len, pieces))}
        if element.attrib:
            span["attributes"] = dict(element.attrib)
        spans.setdefault(element.tag, []).append(span)

    walk(ElementTree.fromstring(f"<all>{markup}</all>"))
    del spans["all"]
    return "".join(pieces), spans


FRONT = """
<title>Rice in fields</title>
<author><authorfirstname>Anyi</authorfirstname> <authorlastname>Hu</authorlastname>
<authoraffiliation>Xiamen</authoraffiliation></author>
<author>Wei Li
<authoraffiliation>Wuhan</authoraffiliation></author>
<author><authoraffiliation>Xiamen</authoraffiliation></author>
<venue>Rice</venue>
<abstract>Rice is eaten <bibref ref_id="b0">[1]</bibref>.</abstract>
"""
BODY = """
<sectionheader n="1.">Introduction</sectionheader>
<paragraph>Rice grows.</paragraph>
<sectionheader n="2.">Methods</sectionheader>
<sectionheader n="2.1.">Sites</sectionheader>
<paragraph>Seen by <bibref ref_id="b0">[1]</bibref> and <bibref>[2]</bibref>.</paragraph>
<paragraph>Also <bibref ref_id="b1">[2]</bibref>.</paragraph>
<figure id="fig_0"><sectionheader>Fig. 1</sectionheader>
<figurecaption>Yields of <bibref ref_id="b0">[1]</bibref>.</figurecaption></figure>
"""
LIST = """
<bibentry id="b0" doi="10.1039/C3PP50195G" matched_paper_id="25540194">
<bibauthor><bibauthorfirstname>J</bibauthorfirstname><bibauthorfirstname>P</bibauthorfirstname>
<bibauthorlastname>Tomé</bibauthorlastname></bibauthor>, <bibtitle>On rice</bibtitle>.
<bibvenue>Rice</bibvenue>, 2014.</bibentry>
<bibentry id="b1">Wu et al. Wheat. 10.1000/b1, 1999.</bibentry>
"""


def dataset(markup: str = FRONT + BODY + LIST, **annotations: object) -> Record:
    """A record of the dataset `s2orc`; annotations are JSON, some may be replaced."""
    text, spans = annotate(markup)
    return {
        "corpusid": 253878775,
        "externalids": {
            "arxiv": None,
            "mag": None,
            "pubmed": "36429152",
            "pubmedcentral": "9689397",
            "doi": "10.3390/foods11223559",
        },
        "content": {
            "source": {"pdfsha": "480f"},
            "text": text,
            "annotations": {
                **{name: json.dumps(values) for name, values in spans.items()},
                **annotations,
            },
        },
    }


V2_NAMES = {
    "sectionheader": "section_header",
    "bibref": "bib_ref",
    "bibentry": "bib_entry",
    "bibtitle": "bib_title",
    "bibauthor": "bib_author",
    "bibauthorfirstname": "bib_author_first_name",
    "bibauthorlastname": "bib_author_last_name",
    "bibvenue": "bib_venue",
}


def as_strings(span: Record) -> Record:
    """A span whose offsets are texts, and whose matched papers are numbers."""
    attributes = dict(span.get("attributes", {}))
    if "matched_paper_id" in attributes:
        attributes["matched_paper_id"] = int(attributes["matched_paper_id"])
    return {"start": str(span["start"]), "end": str(span["end"]), "attributes": attributes or None}


def dataset_v2(body: str = BODY, listed: str = LIST) -> Record:
    """A record of the dataset `s2orc_v2`; body as objects, bibliography as JSON."""
    text, spans = annotate(body)
    bibliography, entries = annotate(listed)
    return {
        "corpusid": "253878775",
        "title": "Rice in fields",
        "authors": [{"authorId": "48687004", "name": "Anyi Hu"}, {"name": "Wei Li"}],
        "openaccessinfo": {"externalids": {"DOI": "10.3390/foods11223559", "ArXiv": None}},
        "body": {
            "text": text,
            "annotations": {
                V2_NAMES.get(name, name): list(map(as_strings, values))
                for name, values in spans.items()
            },
        },
        "bibliography": {
            "text": bibliography,
            "annotations": {
                V2_NAMES.get(name, name): json.dumps(list(map(as_strings, values)))
                for name, values in entries.items()
            },
        },
    }


ALL_FORMS = {
    "2019": RELEASE_2019,
    "2020": RELEASE_2020,
    "doc2json": DOC2JSON,
    "cord19": CORD_19,
    "s2orc": dataset(),
    "s2orc_v2": dataset_v2(),
}


@pytest.mark.parametrize("record", ALL_FORMS.values(), ids=ALL_FORMS)
def test_every_form_is_recognised_and_read(record: Record) -> None:
    paper = read_document(json.dumps(record).encode(), "paper.json")

    assert is_s2orc(record)
    assert paper.loader == VERSION
    assert paper.references[0].title == "On rice"
    assert ("[1]", "body") in [
        (o.marker, paper.sections[o.section].kind) for o in paper.occurrences
    ]
    assert paper.losses.lost == {"no-target": 1}
    assert is_balanced(paper)


def test_other_objects_are_not_s2orc() -> None:
    assert not is_s2orc({"corpusid": 1, "title": "Rice"})  # of the dataset `papers`
    assert not is_s2orc({"paper_id": "1", "title": "Rice"})
    assert not is_s2orc({})


def test_metadata_of_2019() -> None:
    paper = read(RELEASE_2019)

    assert paper.ids == Identifiers(
        doi="10.3389/fmicb.2017.00498", pmid="28424663", pmcid="PMC5371592", s2="10002293"
    )
    assert (paper.title, paper.abstract) == ("Rice in fields", "Rice is eaten.")
    assert (paper.year, paper.date) == (2017, "2017")
    assert paper.authors == (Author("Hu", "Anyi"),)
    assert paper.venue == Venue("Frontiers in microbiology")


def test_a_reference_of_bib_entries() -> None:
    assert read(RELEASE_2019).references[0] == Reference(
        source_id="BIBREF0",
        label="",
        ids=Identifiers(doi="10.1039/c3pp50195g", s2="25540194"),
        title="On rice",
        source="Rice",
        year=2014,
        volume="13",
        page="626",
        authors=(Author("Tomé", "J P C"),),
        et_al=False,
        text="",
    )


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"link": "7313952"}, {"ids": Identifiers(s2="7313952")}),
        ({"link": 7313952}, {"ids": Identifiers(s2="7313952")}),
        ({"link": None, "links": None}, {"ids": Identifiers()}),
        (
            {"other_ids": {"DOI": ["10.1000/X1"], "PMID": ["31204777"], "PMCID": ["PMC371592"]}},
            {"ids": Identifiers("10.1000/x1", "31204777", "PMC371592")},
        ),
        ({"other_ids": {"arXiv": "1706.03762"}}, {"ids": Identifiers("10.48550/arxiv.1706.03762")}),
        (
            {"other_ids": {"arXiv": ["1706.03762"], "DOI": "10.1000/x1"}},
            {"ids": Identifiers("10.1000/x1")},
        ),
        ({"urls": ["https://doi.org/10.1000/x1"]}, {"ids": Identifiers("10.1000/x1")}),
        ({"raw_text": "Wu. Rice. doi:10.1000/x1"}, {"ids": Identifiers("10.1000/x1")}),
        (
            {"raw_text": "Wu. Rice. arXiv:1706.03762"},
            {"ids": Identifiers("10.48550/arxiv.1706.03762")},
        ),
        ({"year": ""}, {"year": None}),
        ({"year": "2011-11"}, {"year": 2011}),
        ({"year": "", "raw_text": "Wu. Rice. 1998."}, {"year": 1998}),
        ({"pages": "46"}, {"page": "46"}),
        ({"pages": "46–48"}, {"page": "46"}),
        ({"title": "", "raw_text": "Wu et al. Rice."}, {"text": "Wu et al. Rice.", "et_al": True}),
        ({"num": 3}, {"label": "3"}),
        ({"authors": [{"first": "Oren", "middle": ["Etzioni"], "last": ""}]},
         {"authors": (Author("Oren Etzioni"),)}),
        ({"authors": [{"name": "Anyi Hu", "authorId": 7}, "Li, Wei", 3, None]},
         {"authors": (Author("Hu", "Anyi", s2="7"), Author("Li", "Wei"), Author("3"))}),
    ],
)  # fmt: skip
def test_fields_of_references(entry: Record, expected: Record) -> None:
    record = {**RELEASE_2020, "bib_entries": {"BIBREF0": {**ENTRY, "other_ids": {}, "links": None,
              "authors": [], **entry}}}  # fmt: skip
    reference = read(record).references[0]

    assert {name: getattr(reference, name) for name in expected} == expected


def test_numbers_of_references_count_missing_entries() -> None:
    """`BIBREF6` is the seventh of the printed list."""
    record = {**RELEASE_2020, "body_text": [paragraph("See [1]-[7].", "BIBREF0", "BIBREF6")]}

    paper = read(record)
    assert cited(paper)[-2:] == ["BIBREF0", "BIBREF6"]
    assert paper.losses.lost == {"range-unclear": 5}


@pytest.mark.parametrize(
    ("record", "id_"),
    [
        (RELEASE_2019, "10002293"),
        (RELEASE_2020, "18980463"),
        ({**RELEASE_2020, "paper_id": 18980463}, "18980463"),
        ({**RELEASE_2020, "paper_id": CORD_19["paper_id"]}, None),  # SHA-1 of a PDF
        (CORD_19, None),
        (DOC2JSON, None),  # name of a file, `2020.acl-main.207`
        ({**CORD_19, "paper_id": "2020"}, None),
        (dataset(), "253878775"),
        (dataset_v2(), "253878775"),
    ],
)
def test_corpus_id(record: Record, id_: str | None) -> None:
    assert read(record).ids.s2 == id_


@pytest.mark.parametrize(
    ("ids", "own", "versions"),
    [
        ({"doi": None, "arxiv_id": "1706.03762v5"}, "10.48550/arxiv.1706.03762", ()),
        (
            {"doi": "10.1000/x1", "arxiv_id": "1706.03762"},
            "10.1000/x1",
            (Identifiers("10.48550/arxiv.1706.03762"),),
        ),
        ({"doi": "10.48550/arXiv.1706.03762", "arxiv_id": "1706.03762"},
         "10.48550/arxiv.1706.03762", ()),
    ],
)  # fmt: skip
def test_a_preprint(ids: Record, own: str, versions: tuple[Identifiers, ...]) -> None:
    paper = read({**RELEASE_2019, "metadata": {**METADATA, **ids}})
    assert (paper.ids.doi, paper.versions) == (own, versions)

    names = {"doi": ids["doi"], "ArXiv": ids["arxiv_id"]}
    paper = read({**dataset(), "externalids": names})
    assert (paper.ids.doi, paper.versions) == (own, versions)


def test_metadata_may_be_absent() -> None:
    paper = read(RELEASE_2020)

    assert (paper.title, paper.authors, paper.year, paper.venue) == ("", (), None, None)
    assert paper.abstract == "Rice is eaten [1]."


def test_a_year_with_its_month() -> None:
    assert (read(CORD_19).year, read(CORD_19).date) == (2011, "2011-11")


def test_parts_of_the_text() -> None:
    paper = read(CORD_19)

    assert [(s.kind, s.title, s.opening) for s in paper.sections] == [
        ("abstract", "Abstract", "Rice is eaten [1]."),
        ("body", "Introduction", "Rice grows."),
        ("body", "Methods", "Seen by [1] and [2]."),
        ("back", "ACKNOWLEDGMENTS", "Thanks."),
        ("back", "Footnotes", "A note."),
        ("float", "Figures and tables", "Yields. Sites."),
    ]
    assert placed(paper) == [("Abstract", "BIBREF0"), ("Methods", "BIBREF0")]


def test_the_parse_of_latex_is_read_if_there_is_no_other() -> None:
    record = {**RELEASE_2019, "grobid_parse": None, "latex_parse": PARSE}

    assert read(record) == read(RELEASE_2019)
    assert read({**record, "grobid_parse": {"body_text": []}}) == read(RELEASE_2019)


def test_sections_are_nested_by_number() -> None:
    numbers = [("Methods", "2"), ("Sites", "2.1"), ("Results", "3"), ("Yields", "4.1")]
    record = {
        **RELEASE_2020,
        "body_text": [paragraph("Rice.", section=t, sec_num=n) for t, n in numbers],
    }

    assert [(s.depth, s.title) for s in read(record).sections if s.kind == "body"] == [
        (1, "Methods"),
        (2, "Sites"),
        (1, "Results"),
        (1, "Yields"),
    ]


@pytest.mark.parametrize("section", [None, ""])
def test_text_without_headings(section: str | None) -> None:
    """The release of 2019 has lost its headings."""
    body = [{**paragraph("Rice."), "section": section}, {**paragraph("Wheat."), "section": section}]
    (first, *_) = read({**RELEASE_2020, "abstract": [], "body_text": body}).sections

    assert (first.title, first.type_source, first.words) == ("", "none", 2)


def test_a_heading_without_text_is_kept() -> None:
    body = [paragraph("", section="Results"), paragraph("Rice.", section="Yields")]
    sections = read({**RELEASE_2020, "abstract": [], "body_text": body}).sections

    assert [(s.title, s.words) for s in sections[:2]] == [("Results", 0), ("Yields", 1)]


def test_footnotes_behind_all_sections() -> None:
    def parts(parse: str, body: str) -> list[tuple[str, str]]:
        texts = [paragraph(body), {**paragraph("A site."), "section": ""}]
        read_from = {**PARSE, "abstract": [], "body_text": texts, "ref_entries": {}}
        paper = read({**DOC2JSON, "pdf_parse": None, parse: read_from})
        return [(s.kind, s.title) for s in paper.sections]

    assert parts("pdf_parse", LONG) == [("body", "Methods"), ("back", "Footnotes")]
    assert parts("latex_parse", LONG) == [("body", "Methods"), ("body", "")]
    assert parts("pdf_parse", "Rice.") == [("body", "Methods"), ("body", "")]  # not a short text


def test_a_part_of_the_back_matter_without_heading_has_the_name_of_its_type() -> None:
    pdf = {**PARSE, "back_matter": [paragraph("A.", section="annex"), paragraph("B.", section="X")]}
    titles = [s.title for s in read({**DOC2JSON, "pdf_parse": pdf}).sections if s.kind == "back"]

    assert titles == ["Appendix", "X", "Footnotes"]


LONG = "Although rice is very well understood, little is known about the fields where it grows"


def test_text_that_is_abstract_and_body_is_read_once() -> None:
    repeated = paragraph(f"{LONG} [1].", "BIBREF0", section="Abstract")
    record = {
        **RELEASE_2020,
        "abstract": [paragraph("Rice.", section="Abstract"), repeated],
        "body_text": [{**repeated, "section": ""}],
    }

    paper = read(record)
    assert paper.abstract == "Rice."
    assert placed(paper) == [("", "BIBREF0")]
    assert paper.losses.lost == {"outside-text": 1}
    assert read({**record, "abstract": [repeated]}).abstract == f"{LONG} [1]."


def test_odd_spans() -> None:
    odd = paragraph("Seen by [1].", "BIBREF0")
    odd["cite_spans"] += [
        {"start": "8", "end": "11", "text": "[1]", "ref_id": "BIBREF0"},
        {"start": 90, "end": 93, "text": "[1]", "ref_id": "BIBREF6"},
        {"start": None, "end": {}, "ref_id": "BIBREF6"},
        {"ref_id": "BIBREF99"},
        "no span",
    ]
    paper = read({**RELEASE_2020, "abstract": [], "body_text": [odd]})

    assert cited(paper) == ["BIBREF0", "BIBREF6", "BIBREF6"]
    assert paper.losses.lost == {"unknown-target": 1}
    assert paper.losses.notes == {
        "moved-pointers": 1,
        "repeated-pointers": 1,
        "misplaced-pointers": 2,
    }


def test_entries_in_a_list() -> None:
    record = {**RELEASE_2020, "bib_entries": [{**ENTRY, "ref_id": "BIBREF0"}, {"title": "Wheat"}]}

    assert [r.source_id for r in read(record).references] == ["BIBREF0", "ref-2"]
    assert cited(read(record)) == ["BIBREF0", "BIBREF0"]


def test_front_matter_of_the_dataset_s2orc() -> None:
    paper = read(dataset())

    assert paper.ids == Identifiers(
        doi="10.3390/foods11223559", pmid="36429152", pmcid="PMC9689397", s2="253878775"
    )
    assert (paper.title, paper.abstract) == ("Rice in fields", "Rice is eaten [1].")
    assert paper.authors == (Author("Hu", "Anyi"), Author("Li", "Wei"))
    assert paper.venue == Venue("Rice")


def test_front_matter_of_the_dataset_s2orc_v2() -> None:
    paper = read(dataset_v2())

    assert paper.ids == Identifiers(doi="10.3390/foods11223559", s2="253878775")
    assert paper.title == "Rice in fields"
    assert paper.authors == (Author("Hu", "Anyi", s2="48687004"), Author("Li", "Wei"))


@pytest.mark.parametrize("record", [dataset(), dataset_v2()])
def test_text_of_the_datasets(record: Record) -> None:
    """The heading of the figure is no section; that of the methods is one, without own text."""
    paper = read(record)

    assert [
        (s.kind, s.depth, s.title, s.words) for s in paper.sections if s.kind != "abstract"
    ] == [
        ("body", 1, "Introduction", 2),
        ("body", 1, "Methods", 0),
        ("body", 2, "Sites", 7),
        ("float", 1, "Figures and tables", 5),
    ]
    assert [pair for pair in placed(paper) if pair[0] != "Abstract"] == [
        ("Sites", "b0"),
        ("Sites", "b1"),
        ("Figures and tables", "b0"),
    ]
    assert paper.losses.lost == {"no-target": 1}
    assert [o.context for o in paper.occurrences][-3:] == [
        "Seen by [1] and [2].",
        "Also [2].",
        "Fig. 1 Yields of [1].",
    ]


@pytest.mark.parametrize("record", [dataset(), dataset_v2()])
def test_references_of_the_datasets(record: Record) -> None:
    first, second = read(record).references

    assert first == Reference(
        source_id="b0",
        label="",
        ids=Identifiers(doi="10.1039/c3pp50195g", s2="25540194"),
        title="On rice",
        source="Rice",
        year=2014,
        volume="",
        page="",
        authors=(Author("Tomé", "J P"),),
        et_al=False,
        text="",
    )
    assert second.text == "Wu et al. Wheat. 10.1000/b1, 1999."
    assert (second.ids, second.year, second.et_al) == (Identifiers("10.1000/b1"), 1999, True)


def test_missing_and_broken_annotations_are_noted() -> None:
    record = dataset(sectionheader=None, author="{no JSON", title='{"start": 1}', formula=None)
    paper = read(record)

    assert paper.losses.notes == {"missing-annotations": 1, "broken-annotations": 2}
    assert (paper.title, paper.authors) == ("", ())
    assert [(s.kind, s.title) for s in paper.sections] == [
        ("abstract", "Abstract"),
        ("body", ""),
        ("float", "Figures and tables"),
    ]


@pytest.mark.parametrize("value", [None, "null", "[]", "no JSON", 7])
def test_text_without_paragraphs_is_cut_at_lines(value: object) -> None:
    """The front matter and the bibliography are not text of the body."""
    paper = read(dataset(paragraph=value))

    assert [(s.depth, s.title, s.words) for s in paper.sections if s.kind == "body"] == [
        (1, "Introduction", 2),
        (1, "Methods", 0),
        (2, "Sites", 7),
    ]
    assert paper.losses.notes["missing-annotations"] == 1


def test_text_without_any_annotation() -> None:
    paper = read(
        {"corpusid": 7, "body": {"text": "Rice grows.\nIt is eaten.", "annotations": None}}
    )

    assert [(s.title, s.words) for s in paper.sections] == [("", 5)]
    assert paper.losses.notes == {"missing-annotations": 3}


def test_annotations_with_useless_offsets() -> None:
    bad: list[object] = [
        {"start": 5, "end": 10**6, "attributes": {"ref_id": "b0"}},
        {"start": "x", "end": None, "attributes": {"ref_id": "b0"}},
        {"start": 9, "end": 5},
        "no span",
    ]
    paper = read(dataset(bibref=json.dumps(bad)))

    assert paper.occurrences == ()
    assert paper.losses.lost == {"outside-text": 4}
    assert paper.losses.notes == {"bad-offsets": 4, "missing-annotations": 1}


def test_a_citation_outside_of_all_text_is_lost() -> None:
    paper = read(dataset("<paragraph>Rice.</paragraph> <bibref ref_id='b0'>[1]</bibref>" + LIST))

    assert paper.losses.lost == {"outside-text": 1}


def test_works_without_an_entry_are_known_by_their_citations() -> None:
    """Citations have the corpus id of the cited work too; a bibliography may be missing."""
    body = (
        '<paragraph><bibref ref_id="b3" matched_paper_id="77">[4]</bibref>'
        '<bibref ref_id="b0" matched_paper_id="25540194">[1]</bibref>'
        '<bibref matched_paper_id="88">[9]</bibref><bibref ref_id="b5">[6]</bibref></paragraph>'
    )
    record = {**dataset_v2(body), "bibliography": None}
    paper = read(record)

    assert [(r.source_id, r.ids.s2) for r in paper.references] == [
        ("b3", "77"),
        ("b0", "25540194"),
        ("S2:88", "88"),
    ]
    assert cited(paper) == ["b3", "b0", "S2:88"]
    assert paper.losses.lost == {"unknown-target": 1}
    assert paper.losses.notes == {"unlisted-references": 3, "missing-annotations": 1}
    assert [r.ids.s2 for r in read(dataset_v2(body)).references] == ["25540194", None, "77", "88"]


def test_repeated_and_missing_ids_of_entries() -> None:
    listed = """<bibentry id="b0">One.</bibentry><bibentry id="b0">Two.</bibentry>
<bibentry>Three.</bibentry>"""

    assert [(r.source_id, r.text) for r in read(dataset_v2(BODY, listed)).references] == [
        ("b0", "One."),
        ("ref-2", "Two."),
        ("ref-3", "Three."),
    ]


@pytest.mark.parametrize(
    "record",
    [
        {"paper_id": "7", "body_text": [], "bib_entries": {}},
        {"corpusid": 7, "content": None},
        {"grobid_parse": {"body_text": [{"text": ""}]}},
    ],
)
def test_an_object_without_content_is_refused(record: Record) -> None:
    with pytest.raises(SourceError, match="no title, abstract, text or references") as caught:
        read(record)

    assert caught.value.reason == "not-a-paper"
    assert str(caught.value).startswith("paper.json: ")
    assert "expected S2ORC" in str(caught.value)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(hostile_records(*ALL_FORMS.values()))
def test_any_value_anywhere_is_read_or_refused(record: Record) -> None:
    try:
        paper = read(record)
    except SourceError as error:
        assert error.reason == "not-a-paper"  # noqa: PT017
        return
    positions = [o.position for o in paper.occurrences if o.position is not None]
    assert positions == sorted(positions)


def real(data: Path, name: str) -> Record:
    file = data / "formats" / name
    if not file.exists():
        pytest.skip(f"no {file}")
    record: Record = json.loads(file.read_bytes())
    return record


REAL = ("s2orc_20190928", "s2orc_20200705", "s2orc_20210101", "N18-3011", "2020.acl-main.207")


@pytest.mark.parametrize("name", REAL)
def test_every_pointer_of_real_files_is_accounted_for(data: Path, name: str) -> None:
    record = real(data, f"{name}.json")
    paper = read(record)
    parse = record.get("grobid_parse") or record.get("pdf_parse") or record
    parts = ("abstract", "body_text", "back_matter")
    spans = [s for part in parts for p in parse.get(part) or [] for s in p["cite_spans"]]

    assert paper.losses.anchors - paper.losses.implied == len(spans)
    assert paper.losses.lost.get("no-target", 0) == sum(span["ref_id"] is None for span in spans)
    assert paper.losses.notes == {}
    markers = Counter(span["text"] for span in spans if span["ref_id"] is not None)
    assert not Counter(o.marker for o in paper.occurrences) - markers
    assert all(o.marker in o.context for o in paper.occurrences)
    assert len(paper.references) == len(parse["bib_entries"])


def test_the_real_file_of_2020_has_text_twice(data: Path) -> None:
    """Two paragraphs of its abstract, with seven citations, are those of its body."""
    paper = read(real(data, "s2orc_20200705.json"))

    assert paper.losses.lost == {"outside-text": 7}
    assert paper.abstract.startswith("Although development of the adult Drosophila compound eye")
    assert len(paper.abstract) < 1200


def squeeze(text: str) -> str:
    """Text without white space, of which S2ORC has more than GROBID."""
    return re.sub(r"\s", "", text)


def compared(paper: Paper, occurrence: Occurrence) -> tuple[str, ...]:
    """Section, reference, marker and sentence of a citation."""
    return (
        paper.sections[occurrence.section].title,
        paper.references[occurrence.reference].source_id.replace("BIBREF", "b"),
        occurrence.marker,
        squeeze(occurrence.context),
    )


def both(data: Path, name: str) -> tuple[Paper, Paper]:
    """A paper from TEI and from the S2ORC made of it."""
    record = real(data, f"{name}.json")
    return read_tei((data / "formats" / f"{name}.tei.xml").read_bytes(), name), read(record)


def comparable(reference: Reference) -> Reference:
    """A reference without its id, whose form differs, and its page."""
    return reference._replace(source_id=reference.source_id.replace("BIBREF", "b"), page="")


def test_a_paper_is_the_same_in_tei_and_s2orc(data: Path) -> None:
    """N18-3011. S2ORC lacks an article number (`223`) that TEI has as the page of a reference, and
    the empty group of figures; its words are a few more, because blanks are beside markers.
    """
    tei, s2orc = both(data, "N18-3011")

    assert (s2orc.title, s2orc.abstract, s2orc.authors) == (tei.title, tei.abstract, tei.authors)
    assert list(map(comparable, s2orc.references)) == list(map(comparable, tei.references))
    assert [r.page for r in s2orc.references[:13]] == [r.page for r in tei.references[:13]]
    kept = ("title", "kind", "depth", "parent", "type", "type_source", "combined")
    sections = [tuple(getattr(s, name) for name in kept) for s in s2orc.sections]
    assert sections == [
        tuple(getattr(s, name) for name in kept) for s in tei.sections if s.kind != "float"
    ]
    assert [compared(s2orc, o) for o in s2orc.occurrences] == [
        compared(tei, o) for o in tei.occurrences
    ]
    pairs = zip(s2orc.occurrences, tei.occurrences, strict=True)
    assert all(abs((a.position or 0) - (b.position or 0)) < 0.01 for a, b in pairs)
    assert s2orc.losses == tei.losses


def test_a_paper_of_another_run_of_grobid_differs_where_s2orc_lacks_entries(data: Path) -> None:
    """2020.acl-main.207. S2ORC lacks three references to which GROBID gives no title of an article,
    their three citations, and one more. A title that GROBID takes for a journal is a title in
    S2ORC (`b43`). The appendix is apart; in TEI it is a part of the conclusions.
    """
    tei, s2orc = both(data, "2020.acl-main.207")

    references = {r.source_id: r for r in map(comparable, s2orc.references)}
    others = {r.source_id: r for r in map(comparable, tei.references)}
    assert others.keys() - references.keys() == {"b6", "b33", "b53"}
    assert [id_ for id_, r in references.items() if r != others[id_]] == ["b43"]
    found = Counter(
        ("Conclusions and Future Work", *rest) if title == "Appendix" else (title, *rest)
        for title, *rest in (compared(s2orc, o) for o in s2orc.occurrences)
    )
    expected = Counter(compared(tei, o) for o in tei.occurrences)
    assert not found - expected
    assert sorted(c[:3] for c in expected - found) == [
        ("Background: Pretrained Transformers", "b33", "Liu et al., 2019)"),
        ("Experiments", "b3", "(Beltagy et al., 2019)"),
        ("Related Work", "b33", "Liu et al., 2019)"),
        ("Related Work", "b6", "(Bruna et al., 2014;"),
    ]
    assert s2orc.losses.lost == tei.losses.lost
    paragraphs = real(data, "2020.acl-main.207.json")["pdf_parse"]["body_text"]
    assert "EQUATION" in [p["text"] for p in paragraphs]  # TEI has the formula
