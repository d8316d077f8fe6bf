"""TEI as GROBID writes it: header, references, sections, citations, and how files deviate."""

from __future__ import annotations

import gzip
import random
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from citescape.core.errors import SourceError
from citescape.core.types import Author, Identifiers, Institution, Paper, Venue
from citescape.loaders.document_formats import read_document
from citescape.loaders.documents import SourceDocument
from citescape.loaders.tei import VERSION, read_tei
from tests.loaders.articles import cited, is_balanced, only, placed

HEADER = """
<fileDesc>
 <titleStmt><title level="a" type="main">On <hi rend="italic">rice</hi></title></titleStmt>
 <publicationStmt><publisher>P</publisher><date type="published" when="2019-03">March 2019</date>
 </publicationStmt>
 <sourceDesc><biblStruct>
  <analytic>
   <author role="corresp"><persName><forename type="first">Ana</forename>
    <forename type="middle">L</forename><surname>Caicedo</surname></persName>
    <idno type="ORCID">https://orcid.org/0000-0002-1825-0097</idno><affiliation key="aff0"><orgName
    type="department">Agronomy</orgName><orgName type="institution">Rice Institute</orgName>
    <address><settlement>Wuhan</settlement><country key="CN">China</country></address>
    </affiliation></author>
   <author><affiliation key="aff0"/><persName><surname>Li</surname></persName></author>
   <author><orgName type="collaboration">Rice Group</orgName></author>
   <author><affiliation><orgName type="institution">UMass</orgName></affiliation></author>
   <title level="a" type="main">On rice</title>
  </analytic>
  <monogr><title level="j" type="main">Rice</title><title level="j" type="abbrev">Ri</title>
   <idno type="ISSN">2222-2222</idno><idno type="eISSN">1111-1111</idno>
   <imprint><date type="published" when="2019-03-07"/></imprint>
  </monogr>
  <idno type="MD5">0A1B2C3D4E5F60718293A4B5C6D7E8F9</idno>
  <idno type="DOI">10.1000/ABC</idno><idno type="PMID">30123456</idno>
 </biblStruct></sourceDesc>
</fileDesc>
<profileDesc>
 <textClass><keywords><term>rice</term><term>weeds;</term></keywords></textClass>
 <abstract><div><p>Rice <ref type="bibr" target="#b0">[1]</ref> grows.</p></div></abstract>
</profileDesc>
"""


def entry(number: int, inside: str = "") -> str:
    inside = inside or (
        f'<analytic><title level="a" type="main">Title {number}</title></analytic>'
        '<monogr><title level="j">Journal</title><imprint><date type="published" when="2001"/>'
        "</imprint></monogr>"
    )
    return f'<biblStruct xml:id="b{number}">{inside}</biblStruct>'


def tei(body: str = "", *, header: str = "", back: str = "", entries: str | None = None) -> bytes:
    listed = "".join(map(entry, range(9))) if entries is None else entries
    back = f'{back}<div type="references"><listBibl>{listed}</listBibl></div>'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<TEI xml:space="preserve" xmlns="http://www.tei-c.org/ns/1.0">'
        f'<teiHeader xml:lang="en">{header}</teiHeader><text xml:lang="de"><body>{body}</body>'
        f"<back>{back}</back></text></TEI>"
    ).encode()


def read(body: str = "", **parts: str) -> Paper:
    return read_tei(tei(body, **parts), "paper.tei.xml")


def ref(number: int | str, text: str | None = None) -> str:
    target = f' target="#b{number}"' if number != "" else ""
    return f'<ref type="bibr"{target}>{f"[{number}]" if text is None else text}</ref>'


def section(text: str, *, head: str = "Introduction", n: str = "") -> str:
    number = f' n="{n}"' if n else ""
    return f"<div><head{number}>{head}</head><p>{text}</p></div>"


def test_the_header_gives_ids_people_dates_and_journal() -> None:
    paper = read(header=HEADER)
    assert paper.ids == Identifiers(doi="10.1000/abc", pmid="30123456")
    assert paper.title == "On rice"
    assert paper.authors == (
        Author("Caicedo", "Ana L", "0000-0002-1825-0097", institutions=(0,)),
        Author("Li", institutions=(0,)),
        Author("Rice Group", role="group"),
    )
    assert paper.institutions == (Institution("Rice Institute", "CN"),)
    assert (paper.year, paper.date) == (2019, "2019-03-07")
    assert paper.venue == Venue("Rice", "1111-1111")
    assert paper.keywords == ("rice", "weeds")
    assert paper.abstract == "Rice [1] grows."
    assert (paper.language, paper.loader) == ("de", VERSION)


def test_a_citation_in_the_abstract_is_in_a_section_of_that_kind() -> None:
    paper = read(header=HEADER)
    assert only(paper).position is None
    assert paper.sections[0].kind == "abstract"


def test_headings_of_an_abstract_are_its_parts() -> None:
    parts = "<div><head>Aims:</head><p>To see.</p></div><div><head>Results</head><p>Seen.</p></div>"
    paper = read(header=f"<profileDesc><abstract>{parts}</abstract></profileDesc>")
    assert paper.abstract_labels == ("Aims", "Results")
    assert paper.abstract_parts == ("To see.", "Seen.")
    assert paper.abstract == "To see. Seen."


def test_a_citation_has_section_sentence_marker_and_position() -> None:
    paper = read(section(f"Rice is eaten. It was seen {ref(1)}. True."))
    citation = only(paper)
    assert placed(paper) == [("Introduction", "b1")]
    assert (citation.context, citation.marker) == ("It was seen [1].", "[1]")
    assert citation.position is not None
    assert 0 < citation.position < 1


def test_sections_are_nested_as_their_numbers_say() -> None:
    body = (
        section("a", head="Methods", n="2") + section("b", head="Varieties", n="2.1")
        + section("c", head="Growth", n="2.1.1.") + section("d", head="Soil", n="2.2")
        + section("e", head="Yield", n="4.1") + section("f", head="Results")
    )  # fmt: skip
    nested = {s.title: (s.depth, s.type, s.type_source) for s in read(body).sections}
    assert nested == {
        "Methods": (1, "M", "title"),
        "Varieties": (2, "M", "parent"),
        "Growth": (3, "M", "parent"),
        "Soil": (2, "M", "parent"),
        "Yield": (1, "other", "none"),  # its parent was not found
        "Results": (1, "R", "title"),
    }


def test_sections_inside_sections_are_kept() -> None:
    body = f"<div><head>Methods</head>{section('a', head='Varieties')}</div>"
    assert [(s.title, s.depth) for s in read(body).sections] == [("Methods", 1), ("Varieties", 2)]


def test_a_pointer_without_target_is_a_counted_loss() -> None:
    paper = read(section(f"Seen {ref('', '(Li, 2000)')} and {ref(3)} and {ref(77)}."))
    assert cited(paper) == ["b3"]
    assert paper.losses.lost == {"no-target": 1, "unknown-target": 1}
    assert is_balanced(paper)


def test_a_pointer_may_name_several_references() -> None:
    pointer = '<ref type="bibr" target="#b1 #b2">[2, 3]</ref>'
    paper = read(section(f"Seen {pointer}."))
    assert cited(paper) == ["b1", "b2"]
    assert (paper.losses.anchors, paper.losses.implied) == (2, 0)


def test_a_range_between_pointers_is_expanded_by_rank() -> None:
    """`b0` is reference 1, so 2-5 are b1 to b4."""
    paper = read(section(f"Seen {ref(1, '[2')}-{ref(4, '5]')}."))
    assert cited(paper) == ["b1", "b2", "b3", "b4"]
    assert (paper.losses.anchors, paper.losses.implied) == (4, 2)


def test_pointers_to_figures_and_formulas_are_text() -> None:
    body = section('As <ref type="figure" target="#fig_0">Fig. 1</ref> shows.')
    paper = read(body)
    assert (paper.occurrences, paper.losses.anchors) == ((), 0)
    assert paper.sections[0].opening == "As Fig. 1 shows."


def test_a_formula_does_not_join_words() -> None:
    body = f"<div><head>Model</head><p>It is</p><formula>a = b</formula><p>by {ref(1)}.</p></div>"
    assert "It is a = b" in read(body).sections[0].opening


def test_figures_and_notes_beside_sections_are_floats_and_footnotes() -> None:
    figure = (
        '<figure xml:id="fig_0"><head>Figure 1</head><label>1</label>'
        f"<figDesc>Yield after {ref(1)}.</figDesc></figure>"
    )
    table = (
        '<figure type="table"><head>Table 1</head><table><row><cell>A</cell>'
        f"<cell>{ref(2)}</cell></row></table></figure>"
    )
    note = f'<note place="foot" n="2">See {ref(3)}.</note>'
    paper = read(section(f"Text {ref(0)}.") + figure + table + note)
    assert placed(paper) == [
        ("Introduction", "b0"),
        ("Footnotes", "b3"),
        ("Figures and tables", "b1"),
        ("Figures and tables", "b2"),
    ]
    assert [s.kind for s in paper.sections] == ["body", "back", "float"]
    assert [o.context for o in paper.occurrences][2:] == ["Yield after [1].", "A [2]"]
    assert [o.position is None for o in paper.occurrences] == [False, True, True, True]


def test_back_matter_keeps_its_headings_or_gets_one_by_its_type() -> None:
    back = (
        '<div type="acknowledgement"><div><head>Thanks</head><p>To all.</p></div></div>'
        '<div type="funding"><div><p>By the state.</p></div></div>'
        f'<div type="annex"><div><p>More {ref(1)}.</p></div></div>'
    )
    paper = read(section("a"), back=back)
    titles = [(s.title, s.kind) for s in paper.sections]
    assert titles == [
        ("Introduction", "body"),
        ("Thanks", "back"),
        ("Funding", "back"),
        ("Appendix", "back"),
    ]
    assert placed(paper) == [("Appendix", "b1")]


def test_references_have_ids_titles_people_and_places() -> None:
    journal = (
        '<analytic><title level="a" type="main">On wheat</title>'
        "<author><persName><forename>D</forename><forename>E</forename><surname>Knuth</surname>"
        "</persName></author><author><orgName>Wheat Group</orgName></author>"
        '<idno type="DOI">10.1000/W1</idno></analytic>'
        '<monogr><title level="j">Wheat</title><imprint><biblScope unit="volume">7</biblScope>'
        '<biblScope unit="page" from="12" to="20"/><date type="published" when="2001-05"/>'
        '</imprint></monogr><note type="raw_reference">Knuth et al. On wheat.</note>'
    )
    book = (
        '<monogr><title level="m" type="main">A Book</title><author><persName><surname>Li</surname>'
        "</persName></author><imprint><date>in 1999</date></imprint></monogr>"
    )
    arxiv = (
        '<analytic><title>Attention</title></analytic><monogr><idno type="arXiv">'
        "arXiv:1706.03762v5[cs.CL]</idno></monogr>"
    )
    raw = '<note type="raw_reference">Li. J Rice. 2004;3:7. doi: 10.1000/r4.</note>'
    link = '<monogr><title>T</title><ptr target="https://www.ncbi.nlm.nih.gov/pubmed/123456"/></monogr>'
    paper = read(entries="".join(map(entry, range(5), (journal, book, arxiv, raw, link))))
    one, two, three, four, five = paper.references
    assert one.ids == Identifiers(doi="10.1000/w1")
    assert (one.title, one.source, one.year) == ("On wheat", "Wheat", 2001)
    assert (one.volume, one.page, one.et_al) == ("7", "12", True)
    assert one.authors == (Author("Knuth", "D E"), Author("Wheat Group", role="group"))
    assert (two.title, two.source, two.year) == ("A Book", "", 1999)
    assert three.ids == Identifiers(doi="10.48550/arxiv.1706.03762")
    assert (four.ids.doi, four.year, four.title) == ("10.1000/r4", 2004, "")
    assert four.text == "Li. J Rice. 2004;3:7. doi: 10.1000/r4."
    assert five.ids == Identifiers(pmid="123456")


def lower(data: bytes) -> bytes:
    """The same document with element names in lower case, as writers of HTML give it."""
    text = re.sub(r"<\?.*?\?>", "", data.decode())
    text = re.sub(r"(</?)(\w+)", lambda found: found[1] + found[2].lower(), text)
    return f"<html><body>{text}</body></html>".encode()


def test_names_in_lower_case_inside_html_give_the_same_paper() -> None:
    data = tei(section(f"Seen {ref(1)}."), header=HEADER)
    plain, html = read_document(data, "p.xml"), read_document(lower(data), "p.xml")
    assert replace(html, sha256="") == replace(plain, sha256="")
    assert html.loader == VERSION


def test_compressed_bytes_are_read_whatever_the_name(tmp_path: Path) -> None:
    data = tei(section(f"Seen {ref(1)}."), header=HEADER)
    file = tmp_path / "W2741809807.tei.xml"
    file.write_bytes(gzip.compress(data))
    document = SourceDocument(str(file), file.stat().st_size, file)
    paper = read_document(document.read(), document.path)
    assert paper.ids == Identifiers("10.1000/abc", "30123456", openalex="W2741809807")
    assert cited(paper) == ["b0", "b1"]


@pytest.mark.parametrize(
    ("name", "openalex"),
    [
        ("a/W123.tei.xml", "W123"),
        ("W123.grobid-xml", "W123"),
        ("b/XW123.xml", None),
        ("W.xml", None),
    ],
)
def test_openalex_names_its_files_by_work(name: str, openalex: str | None) -> None:
    assert read_tei(tei(), name).ids.openalex == openalex


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<TEI><other/></TEI>", "not-tei"),
        (b"<teiCorpus></teiCorpus>", "not-tei"),
        (b"<teiCorpus><TEI><text/></TEI><TEI><text/></TEI></teiCorpus>", "several-articles"),
        (tei()[:200], "broken-xml"),
        (
            b'<!DOCTYPE TEI [<!ENTITY a "b">]><TEI><text><body>&a;</body></text></TEI>',
            "declares-entities",
        ),
    ],
)
def test_other_documents_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_tei(data, "bad.xml")
    assert caught.value.reason == reason


def test_damaged_files_never_raise_another_error() -> None:
    valid = tei(section(f"Seen {ref(1)}-{ref(4)}.", n="1"), header=HEADER)
    draw = random.Random(0)
    for _ in range(300):
        data = bytearray(valid)
        for _ in range(draw.randrange(1, 6)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        cut = draw.randrange(len(data)) if draw.random() < 0.2 else len(data)
        with suppress(SourceError):
            assert is_balanced(read_tei(bytes(data[:cut]), "bad.xml"))


REAL = {
    # 79 and 28 pointers: `grep -c` of ref type="bibr" in the files
    "2020.acl-main.207.tei.xml": (79, {"no-target": 17}, 57),
    "N18-3011.tei.xml": (28, {"no-target": 8}, 27),
}


@pytest.mark.parametrize("name", REAL)
def test_real_files_lose_no_pointer_without_a_reason(data: Path, name: str) -> None:
    document = (data / "formats" / name).read_bytes()
    anchors, lost, references = REAL[name]
    paper = read_tei(document, name)
    assert document.count(b'<ref type="bibr"') == anchors
    assert (paper.losses.anchors - paper.losses.implied, paper.losses.lost) == (anchors, lost)
    assert len(paper.references) == references
    assert is_balanced(paper)
    assert all(o.marker in o.context for o in paper.occurrences)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('<orgName type="department">Agronomy</orgName>', Institution("Agronomy")),
        (
            '<orgName type="laboratory">Lab</orgName><orgName type="department">D</orgName>'
            "<address><country>P.R. China</country></address>",
            Institution("Lab", "CN"),
        ),
        (
            '<note type="raw_affiliation">Rice Institute, Lima, Peru</note>',
            Institution("Rice Institute, Lima, Peru", "PE"),
        ),
        (
            "<orgName>One</orgName><orgName>Two</orgName>"
            '<address><country key="?">Atlantis</country></address>',
            Institution("One"),
        ),
        ("<address><country>Peru</country></address>", None),
    ],
)
def test_affiliations(inside: str, expected: Institution | None) -> None:
    affiliation = f"<author><affiliation>{inside}</affiliation>"
    people = (
        f"{affiliation}<persName><surname>Li</surname></persName></author>{affiliation}</author>"
    )
    source = f"<biblStruct><analytic>{people}</analytic></biblStruct>"
    paper = read(header=f"<fileDesc><sourceDesc>{source}</sourceDesc></fileDesc>")
    assert paper.institutions == (() if expected is None else (expected,))
    assert [author.institutions for author in paper.authors] == [() if expected is None else (0,)]
