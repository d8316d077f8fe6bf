"""unarXive (2022): markers of citations and formulas, sections, references."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citescape.core.errors import SourceError
from citescape.core.types import Author, Identifiers, Paper, Reference
from citescape.loaders.document_formats import read_document
from citescape.loaders.unarxive import VERSION, is_unarxive, printed_year, read_unarxive
from citescape.loaders.unarxive_text import complete_numbers, show_formula
from tests.loaders.articles import cited, is_balanced, only, placed
from tests.loaders.hostile_json import hostile_records

Record = dict[str, Any]


def read(record: Mapping[str, Any]) -> Paper:
    paper = read_unarxive(record, "paper.json", "0" * 64)
    assert is_balanced(paper)
    return paper


def paragraph(text: str, section: str = "Methods", number: str = "2", **more: object) -> Record:
    return {
        "section": section,
        "sec_number": number,
        "sec_type": "section",
        "content_type": "paragraph",
        "text": text,
        "cite_spans": [],
        "ref_spans": [],
        **more,
    }


RECORD: Record = {
    "paper_id": "2212.11867",
    "_pdf_hash": None,
    "_source_hash": "1b58",
    "metadata": {
        "id": "2212.11867",
        "authors": "Marcus Michelen, Xuan-Truong Vu and ATLAS",
        "title": "Zeros of derivatives of\n  random polynomials",
        "doi": None,
        "categories": "math.PR math.CA",
        "abstract": "  Let $X_1$ be random.\n",
        "versions": [
            {"version": "v1", "created": "Thu, 2 Dec 2021 17:01:56 GMT"},
            {"version": "v2", "created": "Thu, 22 Dec 2022 17:01:56 GMT"},
        ],
        "update_date": "2022-12-23",
        "authors_parsed": [
            ["Michelen", "Marcus", ""],
            ["Vu", "Xuan-Truong", "", "Some University"],
            ["The ATLAS Collaboration", "", ""],
        ],
    },
    "discipline": "Mathematics",
    "abstract": {"section": "Abstract", "text": "  Let $X_1$ be random.\n", "cite_spans": []},
    "body_text": [
        paragraph("Rice grows.", "Introduction", "1"),
        paragraph("Seen by {{cite:a}}, {{cite:b}}."),
    ],
    "bib_entries": {
        "a": {
            "bib_entry_raw": "T. Alazard et al. Roots. J. Math., 162:1–22, 2022.",
            "contained_arXiv_ids": [],
            "contained_links": [],
            "ids": {
                "open_alex_id": "https://openalex.org/W4225968159",
                "sem_open_alex_id": "https://semopenalex.org/work/W4225968159",
                "pubmed_id": "https://pubmed.ncbi.nlm.nih.gov/25055179",
                "pmc_id": "https://www.ncbi.nlm.nih.gov/pmc/articles/4124863",
                "doi": "10.1038/NCOMMS5390",
                "arxiv_id": "2104.06921",
            },
        },
        "b": {"bib_entry_raw": "S. Byun. Zeros, 2021."},
        "c": {"bib_entry_raw": "J. Lee. Zeros, 2020."},
        "d": {"bib_entry_raw": "T. Reddy. Zeros, 2019."},
    },
    "ref_entries": {
        "mu": {"type": "formula", "latex": "\\mu "},
        "end": {"type": "formula", "latex": "x^2 = 0 \\, ."},
        "two": {"type": "formula", "latex": "_2"},
        "n": {"type": "formula", "latex": "10"},
        "prose": {"type": "formula", "latex": " chosen from a measure "},
        "fig": {"type": "figure", "caption": "Zeros in a plane."},
        "tab": {"type": "table", "caption": "NO_CAPTION"},
    },
}


def with_text(*texts: str | Record) -> Record:
    paragraphs = [paragraph(text) if isinstance(text, str) else text for text in texts]
    return {**RECORD, "body_text": paragraphs}


def test_a_paper_is_recognised_and_read() -> None:
    paper = read_document(json.dumps(RECORD).encode(), "paper.json")

    assert is_unarxive(RECORD)
    assert paper.loader == VERSION
    assert (paper.title, paper.abstract) == (
        "Zeros of derivatives of random polynomials",
        "Let $X_1$ be random.",
    )
    assert paper.article_type == "preprint"
    assert paper.subjects == ("math.PR", "math.CA")
    assert paper.authors == (
        Author("Michelen", "Marcus"),
        Author("Vu", "Xuan-Truong"),
        Author("The ATLAS Collaboration", role="group"),
    )
    assert placed(paper) == [("Methods", "a"), ("Methods", "b")]
    assert [(s.kind, s.title, s.type) for s in paper.sections] == [
        ("body", "Introduction", "I"),
        ("body", "Methods", "M"),
        ("float", "Figures and tables", "other"),
    ]


def test_s2orc_is_not_unarxive() -> None:
    assert not is_unarxive({"paper_id": "1", "body_text": [], "bib_entries": {}, "_pdf_hash": ""})


@pytest.mark.parametrize(
    ("metadata", "own", "versions"),
    [
        ({}, "10.48550/arxiv.2212.11867", ()),
        ({"doi": "10.48550/arXiv.2212.11867"}, "10.48550/arxiv.2212.11867", ()),
        (
            {"doi": "10.1000/X1"},
            "10.1000/x1",
            (Identifiers("10.48550/arxiv.2212.11867"),),
        ),
        ({"id": None}, "10.48550/arxiv.2212.11867", ()),  # from `paper_id`
        ({"id": "math/0309136"}, "10.48550/arxiv.math/0309136", ()),
    ],
)
def test_ids(metadata: Record, own: str, versions: tuple[Identifiers, ...]) -> None:
    paper = read({**RECORD, "metadata": {**RECORD["metadata"], **metadata}})

    assert (paper.ids, paper.versions) == (Identifiers(own), versions)


@pytest.mark.parametrize(
    ("metadata", "date"),
    [
        ({}, "2021-12-02"),
        ({"versions": None}, "2022-12-23"),
        ({"versions": [{"created": "long ago"}]}, "2022-12-23"),
        ({"versions": [], "update_date": ""}, ""),
    ],
)
def test_the_date_is_that_of_the_first_version(metadata: Record, date: str) -> None:
    paper = read({**RECORD, "metadata": {**RECORD["metadata"], **metadata}})

    assert (paper.date, paper.year) == (date, int(date[:4]) if date else None)


def test_authors_that_are_not_parsed() -> None:
    paper = read({**RECORD, "metadata": {**RECORD["metadata"], "authors_parsed": None}})

    assert paper.authors == (
        Author("Michelen", "Marcus"),
        Author("Vu", "Xuan-Truong"),
        Author("ATLAS"),
    )


@pytest.mark.parametrize(
    ("text", "context", "markers"),
    [
        ("In {{cite:a}}, zeros grow.", "In [1], zeros grow.", ["[1]"]),
        ("Zeros grow{{cite:b}}.", "Zeros grow [2].", ["[2]"]),
        ("Zeros grow\u00a0{{cite:a}}, {{cite:c}}.", "Zeros grow [1], [3].", ["[1]", "[3]"]),
        ("Zeros ({{cite:a}}) grow.", "Zeros ([1]) grow.", ["[1]"]),
        ("Zeros grow [{{cite:a}}, {{cite:b}}].", "Zeros grow [1], [2].", ["[1]", "[2]"]),
        ("Grow.{{cite:a}} They do not.", "Grow. [1]", ["[1]"]),
        ("Zeros{{cite:a}}grow.", "Zeros [1] grow.", ["[1]"]),
    ],
)
def test_citations_are_numbers_in_brackets(text: str, context: str, markers: list[str]) -> None:
    paper = read(with_text(text))

    assert [o.marker for o in paper.occurrences] == markers
    assert paper.occurrences[0].context == context


def test_a_range_is_expanded() -> None:
    paper = read(with_text("Seen by {{cite:a}}-{{cite:d}}."))

    assert cited(paper) == ["a", "b", "c", "d"]
    assert paper.losses.implied == 2
    assert paper.occurrences[0].context == "Seen by [1]-[4]."


def test_a_citation_of_an_unknown_entry_is_lost() -> None:
    paper = read(with_text("Seen by {{cite:zzz}}."))

    assert paper.losses.lost == {"unknown-target": 1}
    assert paper.sections[0].opening == "Seen by [?]."


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("Let {{formula:mu}}  be random.", "Let FORMULA be random."),
        ("Let {{formula:mu}} , as before.", "Let FORMULA, as before."),
        ("So\n{{formula:end}} \nThis holds.", "So FORMULA. This holds."),
        ("On WSe{{formula:two}} .", "On WSe2."),
        ("Times{{formula:mu}}more.", "Times FORMULA more."),
        ("The {{formula:mu}}-axis.", "The FORMULA-axis."),
        ("Of {{formula:n}}  zeros.", "Of 10 zeros."),
        ("Zeros{{formula:prose}}.", "Zeros chosen from a measure ."),
        ("Let {{formula:unknown}}  be.", "Let FORMULA be."),
        ("See it.\n{{figure:fig}}{{table:tab}}", "See it."),
        ("See {{other:x}}it.", "See it."),
        ("Not {{a marker}} {{cite:}}.", "Not {{a marker}} {{cite:}}."),
    ],
)
def test_formulas_become_a_word(text: str, read_as: str) -> None:
    assert read(with_text(text)).sections[0].opening == read_as


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        ("n", "FORMULA"),
        ("a+b=c", "FORMULA"),
        ("x^2,", "FORMULA,"),
        ("x \\quad \\text{for} n>0 \\, .", "FORMULA."),
        ("\\begin{align}x.\\end{align}", "FORMULA."),
        ("x\\,", "FORMULA"),
        ("f(x.y)", "FORMULA"),
        ("-0.05", "-0.05"),
        ("5%", "5%"),
        (" satisfying ", " satisfying "),
        ("case.", "FORMULA."),  # no blank: a name of a variable as well
        ("", ""),
        (" ", ""),
    ],
)
def test_words_of_formulas(latex: str, shown: str) -> None:
    assert show_formula(latex) == shown


def test_headings_have_markers_too() -> None:
    paper = read(with_text(paragraph("Rice.", "BLUiR {{cite:a}} of {{formula:mu}}")))

    assert paper.sections[0].title == "BLUiR [1] of FORMULA"
    assert only(paper).context == "BLUiR [1] of FORMULA"


def test_captions_have_markers_too() -> None:
    figure = {"type": "figure", "caption": "Zeros {{cite:a}} of {{formula:mu}} ."}
    paper = read({**RECORD, "body_text": [], "ref_entries": {"fig": figure}})

    assert (only(paper).context, paper.sections[0].kind) == ("Zeros [1] of FORMULA.", "float")


def test_items_of_a_list_are_paragraphs() -> None:
    """Otherwise an item without a full stop belongs to the sentence of the next one."""
    text = "\nBy {{cite:a}}\n\nBy {{cite:b}}\n \n"
    paper = read(with_text(paragraph(text, content_type="list")))

    assert [o.context for o in paper.occurrences] == ["By [1]", "By [2]"]


HEADINGS = {
    "numbers in full": ([("1", 1), ("1.1", 2), ("1.1.1", 3)], ["1", "1.1", "1.1.1"]),
    "numbers without section": ([("1", 1), ("1", 2), ("2", 2)], ["1", "1.1", "1.2"]),
    "section without text": (
        [("1", 1), ("1", 2), ("2", 2), ("3", 1)],
        ["1", "2.1", "2.2", "3"],
    ),
    "section with and section without text": (
        [("1", 1), ("1", 2), ("1", 2), ("2", 2), ("3", 1)],
        ["1", "1.1", "2.1", "2.2", "3"],
    ),
    "first section without text": ([("1", 2), ("2", 1)], ["1.1", "2"]),
    "unnumbered": ([("-1", 1), ("-1", 2), ("-1", 1)], ["", "", ""]),
    "numbered below unnumbered": ([("-1", 1), ("1", 2)], ["", ""]),
    "unnumbered in between": (
        [("1", 1), ("1", 2), ("-1", 1), ("3", 1)],
        ["1", "1.1", "", "3"],
    ),
    "deeper": ([("6", 1), ("1", 4), ("1", 3), ("2.0.0.1", 4)], ["6", "", "", "2.0.0.1"]),
    "appendix": ([("9", 1), ("A", 1), ("A.1", 2)], ["9", "A", "A.1"]),
}


@pytest.mark.parametrize(("headings", "numbers"), HEADINGS.values(), ids=HEADINGS)
def test_numbers_of_subsections_are_completed(
    headings: list[tuple[str, int]], numbers: list[str]
) -> None:
    assert complete_numbers([("", number, depth) for number, depth in headings]) == numbers


def test_sections_are_nested() -> None:
    """`sec_type` is the level of a heading; there is no section 3."""
    found = [
        ("A", "1", "section"),
        ("B", "1", "subsection"),
        ("C", "-1", "subsubsection"),
        ("D", "1", ""),
        ("E", "2", "section"),
        ("F", "1", "subsection"),
        ("G", "4", "section"),
        ("H", "-1", "subsection"),
    ]
    paper = read(with_text(*(paragraph("x", t, n, sec_type=kind) for t, n, kind in found)))

    assert [(s.depth, s.title) for s in paper.sections if s.kind == "body"] == [
        (1, "A"),
        (2, "B"),
        (3, "C"),
        (4, "D"),
        (1, "E"),
        (1, "F"),
        (1, "G"),
        (2, "H"),
    ]


@pytest.mark.parametrize("title", ["", None])
def test_a_paper_without_sections(title: str | None) -> None:
    paper = read(with_text(paragraph("Rice.", number="-1", section=title or "", sec_type="")))

    assert [(s.depth, s.title, s.type) for s in paper.sections[:1]] == [(1, "", "other")]


def test_a_reference() -> None:
    assert read(RECORD).references[0] == Reference(
        source_id="a",
        label="",
        ids=Identifiers("10.1038/ncomms5390", "25055179", "PMC4124863", "W4225968159"),
        title="",
        source="",
        year=2022,
        volume="",
        page="",
        authors=(),
        et_al=True,
        text="T. Alazard et al. Roots. J. Math., 162:1–22, 2022.",
    )


@pytest.mark.parametrize(
    ("entry", "doi"),
    [
        ({"ids": {"doi": "", "arxiv_id": "2104.06921"}}, "10.48550/arxiv.2104.06921"),
        ({"ids": {"doi": "10.1/x1", "arxiv_id": "2104.06921"}}, "10.48550/arxiv.2104.06921"),
        ({"contained_arXiv_ids": [{"id": "2002.11768"}]}, "10.48550/arxiv.2002.11768"),
        ({"contained_links": [{"url": "http://doi.org/10.1000/x1"}]}, "10.1000/x1"),
        ({"bib_entry_raw": "Lee. Zeros, doi: 10.1000/x1."}, "10.1000/x1"),
        ({"bib_entry_raw": "Lee. arXiv preprint arXiv:2112.14729"}, "10.48550/arxiv.2112.14729"),
        ({"bib_entry_raw": "He, K. CoRR abs/1512.03385"}, "10.48550/arxiv.1512.03385"),
        ({"bib_entry_raw": "Adv. Math. 193, 1098.1125"}, None),
        ({}, None),
    ],
)
def test_the_doi_of_a_reference(entry: Record, doi: str | None) -> None:
    assert read({**RECORD, "bib_entries": {"a": entry}}).references[0].ids.doi == doi


def test_formulas_in_references() -> None:
    entry = {"bib_entry_raw": "Lee. The {{formula:mu}}  of zeros, 2020."}

    assert read({**RECORD, "bib_entries": {"a": entry}}).references[0].text == (
        "Lee. The FORMULA of zeros, 2020."
    )


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Proc. Amer. Math. Soc., 143(2):1695–1702, 2015.", 2015),
        ("Int. Math. Res. Not., 2022(13):9784–9809, 2021.", 2021),
        ("arXiv preprint arXiv:2002.14729, 2021.", 2021),
        ("Phys. Rev. D 95 (2017) no.3, 034026 [arXiv:1608.00287]", 2017),
        ("Del Zanna, G. 2013a, 555, A47, doi: 10.1051/0004-6361/201220810", 2013),
        ("Lee. Zeros. 1863735", None),
        ("https://example.org/2020/rice", None),
        ("", None),
    ],
)
def test_the_printed_year(text: str, year: int | None) -> None:
    assert printed_year(text) == year


@pytest.mark.parametrize(
    "record",
    [
        {"paper_id": "1", "body_text": [], "bib_entries": {}, "_source_hash": ""},
        {"paper_id": None, "body_text": None, "bib_entries": None, "metadata": {"title": ""}},
    ],
)
def test_an_object_without_content_is_refused(record: Record) -> None:
    with pytest.raises(SourceError, match="expected unarXive") as caught:
        read(record)

    assert caught.value.reason == "not-a-paper"


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(hostile_records(RECORD))
def test_any_value_anywhere_is_read_or_refused(record: Record) -> None:
    try:
        paper = read(record)
    except SourceError as error:
        assert error.reason == "not-a-paper"  # noqa: PT017
        return
    positions = [o.position for o in paper.occurrences if o.position is not None]
    assert positions == sorted(positions)


TEXTS = st.lists(
    st.sampled_from(
        ["{{cite:a}}", "{{cite:?}}", "{{formula:mu}}", "{{formula:two}}", "{{figure:fig}}", "{{",
         "}}", "[", "]", "(", ".", " ", "-", "Rice", "\n\n", "\x00", "\ud800", "é"]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(TEXTS, TEXTS, st.sampled_from(["paragraph", "list", "proof"]))
def test_every_marker_of_a_citation_is_accounted_for(title: str, text: str, kind: str) -> None:
    paper = read(with_text(paragraph(text, title, content_type=kind)))

    shown = f"{title} {text}" if text.strip() or title.strip() else ""
    markers = len(re.findall(r"\{\{cite:[^{}]+\}\}", shown))
    assert paper.losses.anchors - paper.losses.implied == markers
    assert paper.losses.notes == {}
    assert all("{{cite" not in o.context for o in paper.occurrences)


@pytest.fixture(scope="module")
def sample(data: Path) -> list[bytes]:
    file = data / "formats" / "unarxive_2212_086.jsonl.gz"
    if not file.exists():
        pytest.skip(f"no {file}")
    return gzip.decompress(file.read_bytes()).splitlines()


def test_every_citation_of_the_real_sample_is_accounted_for(sample: list[bytes]) -> None:
    """49 papers; their citations are also listed as `cite_spans`, except those in headings."""
    papers = 0
    for line in sample:
        record = json.loads(line)
        paper = read_document(line, "sample.jsonl")
        headings = {(p["section"], p["sec_number"]) for p in record["body_text"]}
        spans = sum(len(p["cite_spans"]) for p in record["body_text"])
        in_headings = sum((title or "").count("{{cite:") for title, _ in headings)

        assert paper.losses.anchors - paper.losses.implied == spans + in_headings
        assert paper.losses.lost == {}
        assert paper.losses.notes == {}
        assert len(paper.references) == len(record["bib_entries"])
        assert paper.ids.doi
        assert paper.date.startswith("2022")
        assert "{{" not in "".join(s.title + s.opening for s in paper.sections)
        papers += 1
    assert papers == 49


def test_contexts_of_the_real_sample_hold_their_markers(sample: list[bytes]) -> None:
    for line in sample:
        paper = read_document(line, "sample.jsonl")
        assert all(o.marker in o.context for o in paper.occurrences)
        assert not any("{{" in o.context for o in paper.occurrences)


def test_entries_of_the_real_sample_are_in_the_order_of_a_numbered_style(
    sample: list[bytes],
) -> None:
    """So their ranks are the numbers in print; other styles sort the entries by name."""
    in_order = 0
    for line in sample:
        first = dict.fromkeys(o.reference for o in read_document(line, "sample.jsonl").occurrences)
        in_order += len(first) > 2 and list(first) == sorted(first)
    assert in_order > 20


def test_the_date_of_the_update_is_the_edition() -> None:
    assert read(RECORD).edition == 20221223
