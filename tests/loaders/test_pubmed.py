"""Records of PubMed."""

from __future__ import annotations

import gzip
import random
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from citescape.core.errors import SourceError
from citescape.core.types import (
    Abstract,
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
from citescape.loaders.pubmed import LANGUAGES, VERSION, read_pubmed
from citescape.loaders.sources import iter_documents
from tests.loaders.records import assert_valid

DECLARATION = b'<?xml version="1.0" encoding="utf-8"?>\n'
DOCTYPE = (
    b'<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
    b'"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
)
JOURNAL = """<Journal><ISSN IssnType="Electronic">1939-8433</ISSN><JournalIssue>
<PubDate><Year>2019</Year><Month>Dec</Month></PubDate></JournalIssue><Title>Rice</Title></Journal>"""
TITLE = "<ArticleTitle>Yield of <i>Oryza</i> in CO<sub>2</sub>.</ArticleTitle>"
ABSTRACT = """<Abstract>
<AbstractText Label="AIMS" NlmCategory="OBJECTIVE">Rice grows.</AbstractText>
<AbstractText Label="UNLABELLED">It <b>does</b>.</AbstractText>
<CopyrightInformation>No one</CopyrightInformation></Abstract>"""
AUTHORS = """<AuthorList CompleteYN="Y">
<Author ValidYN="Y"><LastName>Silva</LastName><ForeName>Ana B</ForeName><Initials>AB</Initials>
<Identifier Source="ORCID">0000-0002-1825-0097</Identifier>
<AffiliationInfo><Affiliation>Universidad de Chile, Santiago.</Affiliation>
<Identifier Source="ROR">https://ror.org/047gc3g35</Identifier></AffiliationInfo>
<AffiliationInfo><Affiliation>Rice Institute, Wuhan.</Affiliation></AffiliationInfo></Author>
<Author ValidYN="Y"><CollectiveName>The Rice Group</CollectiveName></Author>
<Author ValidYN="Y"><LastName>Li</LastName><Initials>W</Initials>
<AffiliationInfo><Affiliation>Rice Institute, Wuhan.</Affiliation></AffiliationInfo></Author>
<Author ValidYN="N"><LastName>Lee</LastName></Author></AuthorList>"""
TYPES = """<PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType>
<PublicationType UI="D013485">Research Support, Non-U.S. Gov't</PublicationType>
</PublicationTypeList>"""
DATE = """<ArticleDate DateType="Electronic"><Year>2019</Year><Month>03</Month><Day>07</Day>
</ArticleDate>"""
LOCATION = '<ELocationID EIdType="doi" ValidYN="Y">10.1000/RICE.1</ELocationID>'
MORE = """<MedlineJournalInfo><MedlineTA>Rice (N Y)</MedlineTA><ISSNLinking>1939-8425</ISSNLinking>
</MedlineJournalInfo><MeshHeadingList>
<MeshHeading><DescriptorName UI="D012275" MajorTopicYN="N">Oryza</DescriptorName>
<QualifierName UI="Q1" MajorTopicYN="Y">genetics</QualifierName>
<QualifierName UI="Q2" MajorTopicYN="N">growth &amp; development</QualifierName></MeshHeading>
<MeshHeading><DescriptorName MajorTopicYN="N">Humans</DescriptorName></MeshHeading>
</MeshHeadingList>
<OtherAbstract Type="Publisher" Language="spa"><AbstractText>El arroz.</AbstractText>
</OtherAbstract>
<OtherAbstract Type="plain-language-summary" Language="eng"><AbstractText>Food.</AbstractText>
</OtherAbstract><KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N">rice;</Keyword>
<Keyword MajorTopicYN="N">yield</Keyword></KeywordList>"""
IDS = """<ArticleIdList><ArticleId IdType="pubmed">30123456</ArticleId>
<ArticleId IdType="pii">x</ArticleId><ArticleId IdType="doi">10.1000/Rice.1</ArticleId>
<ArticleId IdType="pmc">PMC6338940</ArticleId></ArticleIdList>"""
REFERENCES = """<ReferenceList><Title>References</Title>
<Reference><Citation>Smith JA. On <i>rice</i>. Rice. 2005;3:7.</Citation><ArticleIdList>
<ArticleId IdType="pubmed">15000001</ArticleId><ArticleId IdType="doi">10.1000/a1</ArticleId>
</ArticleIdList></Reference><ReferenceList><Reference><Citation>Doe J. A Book. doi:10.1000/B2.
</Citation></Reference></ReferenceList></ReferenceList>"""
OWN = Identifiers("10.1000/rice.1", "30123456", "PMC6338940")


def record(
    article: str = JOURNAL + TITLE + LOCATION + ABSTRACT + AUTHORS + TYPES + DATE,
    *,
    language: str = "<Language>eng</Language>",
    more: str = MORE,
    data: str = IDS + REFERENCES,
    pmid: str = "30123456",
) -> bytes:
    """One record; `article` is the content of its `Article`, `more` follows it."""
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">{pmid}</PMID>'
        f"<Article>{article}{language}</Article>{more}</MedlineCitation>"
        f"<PubmedData>{data}</PubmedData></PubmedArticle>"
    ).encode()


def as_set(*parts: bytes) -> bytes:
    """A file of the baseline."""
    content = b"\n".join(parts)
    return DECLARATION + DOCTYPE + b"<PubmedArticleSet>" + content + b"</PubmedArticleSet>"


def read(data: bytes) -> Paper:
    paper = read_pubmed(data, "pubmed.xml#1")
    assert_valid(paper)
    return paper


def test_a_record() -> None:
    paper = read(record())

    assert paper.ids == OWN
    assert paper.title == "Yield of Oryza in CO2"
    assert paper.abstract == "Rice grows. It does."
    assert paper.abstract_labels == ("AIMS", "")
    assert paper.abstract_parts == ("Rice grows.", "It does.")
    assert paper.other_abstracts == (
        Abstract("translation (es)", "El arroz."),
        Abstract("plain-language-summary", "Food."),
    )
    assert (paper.year, paper.date) == (2019, "2019-03-07")
    assert (paper.article_type, paper.language) == ("research-article", "en")
    assert paper.venue == Venue("Rice", "1939-8425")
    assert paper.authors == (
        Author("Silva", "Ana B", "0000-0002-1825-0097", institutions=(0, 1)),
        Author("The Rice Group", role="group"),
        Author("Li", "W", institutions=(1,)),
    )
    assert paper.institutions == (
        Institution("Universidad de Chile, Santiago.", ror="047gc3g35"),
        Institution("Rice Institute, Wuhan."),
    )
    assert paper.keywords == ("rice", "yield")
    assert paper.mesh == (
        MeshTerm("Oryza", ("genetics", "growth & development"), True),
        MeshTerm("Humans"),
    )
    assert (paper.notices, paper.versions, paper.losses.notes) == ((), (), {})
    assert paper.loader == VERSION


def test_references_of_nested_lists() -> None:
    smith = "Smith JA. On rice. Rice. 2005;3:7."
    doe = "Doe J. A Book. doi:10.1000/B2."
    assert read(record()).references == (
        Reference(
            "ref-1",
            "",
            Identifiers("10.1000/a1", "15000001"),
            "",
            "",
            None,
            "",
            "",
            (),
            False,
            smith,
        ),
        Reference("ref-2", "", Identifiers("10.1000/b2"), "", "", None, "", "", (), False, doe),
    )


def test_ids_of_references_are_not_those_of_the_record() -> None:
    paper = read(record(JOURNAL + TITLE, data=REFERENCES))
    assert paper.ids == Identifiers(pmid="30123456")


def test_a_record_does_not_cite_itself() -> None:
    own = (
        '<Reference><ArticleIdList><ArticleId IdType="pubmed">30123456</ArticleId></ArticleIdList>'
    )
    listed = f"<ReferenceList>{own}</Reference><Reference/></ReferenceList>"
    paper = read(record(data=listed))
    assert paper.references == ()
    assert paper.losses.notes == {"self-citation": 1, "bad-reference": 1}


@pytest.mark.parametrize("wrap", [bytes, as_set])
def test_a_record_is_a_document_alone_and_in_a_set(wrap: type[bytes]) -> None:
    paper = read_document(wrap(record()), "pubmed.xml")
    assert (paper.ids, paper.loader) == (OWN, VERSION)


def test_a_citation_of_medline_until_2016() -> None:
    citation = etree.fromstring(record()).find("MedlineCitation")
    assert citation is not None
    paper = read(etree.tostring(citation))
    assert paper.ids == Identifiers("10.1000/rice.1", "30123456")
    assert paper.references == ()


DELETED = b"<DeleteCitation><PMID>1</PMID><PMID>2</PMID></DeleteCitation>"
BOOK = """<PubmedBookArticle><BookDocument><PMID>20301295</PMID><ArticleIdList>
<ArticleId IdType="bookaccession">NBK1116</ArticleId></ArticleIdList><Book><Publisher/>
<BookTitle>Rice Reviews</BookTitle><PubDate><Year>1993</Year></PubDate>
<AuthorList Type="editors"><Author><LastName>Ed</LastName></Author></AuthorList></Book>
<ArticleTitle>Rice</ArticleTitle><Language>eng</Language><AuthorList Type="authors"><Author>
<LastName>Silva</LastName><ForeName>Ana</ForeName></Author></AuthorList>
<PublicationType>Review</PublicationType><Abstract><AbstractText>Grows.</AbstractText></Abstract>
<ContributionDate><Year>2000</Year><Month>8</Month><Day>31</Day></ContributionDate>
</BookDocument><PubmedBookData/></PubmedBookArticle>"""


def test_a_chapter_of_a_book_is_read_and_noted() -> None:
    paper = read(BOOK.encode())
    assert paper.ids == Identifiers(pmid="20301295")
    assert (paper.title, paper.abstract, paper.date) == ("Rice", "Grows.", "1993")
    assert (paper.article_type, paper.language) == ("review-article", "en")
    assert paper.venue == Venue("Rice Reviews")
    assert paper.authors == (Author("Silva", "Ana"),)
    assert paper.losses.notes == {"book": 1, "conflicting-years": 1}


def test_a_set_is_split_into_its_records(tmp_path: Path) -> None:
    data = as_set(record(), record(pmid="7", data=""), BOOK.encode(), DELETED)
    for name, written in (("a.xml", data), ("a.xml.gz", gzip.compress(data))):
        (tmp_path / name).write_bytes(written)
        passed: Counter[str] = Counter()
        documents = list(iter_documents([tmp_path / name], passed_over=passed))
        papers = [read_document(document.read(), document.path) for document in documents]
        assert [paper.path for paper in papers] == [f"{tmp_path}/{name}#{n}" for n in (1, 2, 3)]
        assert [paper.ids.pmid for paper in papers] == ["30123456", "7", "20301295"]
        assert papers[0].title == read(record()).title
        assert passed == {"DeleteCitation list": 1}


@pytest.mark.parametrize(
    ("revised", "version", "edition"),
    [
        ("<Year>2024</Year><Month>12</Month><Day>9</Day>", "1", 1_2024_12_09),
        ("<Year>2024</Year><Month>02</Month><Day>31</Day>", "1", 1_2024_02_00),
        ("<Year>2023</Year><Month>12</Month><Day>09</Day>", "2", 2_2023_12_09),
        ("", "x", 0),
    ],
)
def test_version_and_date_of_revision_are_the_edition(
    revised: str, version: str, edition: int
) -> None:
    data = record(more=f"<DateRevised>{revised}</DateRevised>")
    assert read(data.replace(b'Version="1"', b'Version="%b"' % version.encode())).edition == edition


def test_a_list_of_deleted_records_does_not_split_a_set(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(as_set(record(), DELETED))
    (document,) = iter_documents([tmp_path / "a.xml"])
    assert document.path == f"{tmp_path}/a.xml"
    assert read(document.read()).ids == OWN


@pytest.mark.parametrize(
    ("title", "vernacular", "expected"),
    [
        ("Rice.", "", "Rice"),
        ("[Rice in China].", "Arroz.", "Rice in China"),
        ("[Rice in China.]", "", "Rice in China"),
        ("Rice in the U.S.", "", "Rice in the U.S."),
        ("Rice and then...", "", "Rice and then..."),
        ("Why rice?", "", "Why rice?"),
        ("[Rice] and [wheat].", "", "[Rice] and [wheat]"),
        ("[Not Available].", "Arroz.", "Arroz"),
        ("", "Arroz.", "Arroz"),
        ("[Not Available].", "", ""),
    ],
)
def test_titles(title: str, vernacular: str, expected: str) -> None:
    texts = f"<ArticleTitle>{title}</ArticleTitle><VernacularTitle>{vernacular}</VernacularTitle>"
    paper = read(record(texts))
    assert paper.title == expected
    assert paper.losses.notes == ({} if expected else {"no-title": 1})


@pytest.mark.parametrize(
    ("content", "expected", "notes"),
    [
        ("<Year>2019</Year><Month>Mar</Month><Day>7</Day>", "2019-03-07", {}),
        ("<Year>2019</Year><Month>03</Month>", "2019-03", {}),
        ("<Year>2019</Year><Season>Winter</Season>", "2019", {}),
        ("<Year>2019</Year><Month>Mars</Month>", "2019-03", {}),
        ("<Year>2019</Year><Month>Foo</Month>", "2019", {}),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", "1998-12", {}),
        ("<MedlineDate>2000 Dec 23-30</MedlineDate>", "2000-12-23", {}),
        ("<MedlineDate>2000 Spring</MedlineDate>", "2000", {}),
        ("<MedlineDate>Winter 1999</MedlineDate>", "1999", {}),
        ("<MedlineDate>1978-1979</MedlineDate>", "1978", {}),
        ("<MedlineDate>unknown</MedlineDate>", "", {"bad-year": 1}),
        ("<Year>20199</Year>", "", {"bad-year": 1}),
        ("", "", {}),
    ],
)
def test_dates(content: str, expected: str, notes: dict[str, int]) -> None:
    issue = f"<Journal><JournalIssue><PubDate>{content}</PubDate></JournalIssue></Journal>"
    paper = read(record(issue + TITLE))
    assert (paper.date, paper.losses.notes) == (expected, notes)


def test_the_earliest_year_counts() -> None:
    paper = read(record(JOURNAL + TITLE + DATE.replace("2019", "2018")))
    assert (paper.date, paper.losses.notes) == ("2018-03-07", {"conflicting-years": 1})


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (["Journal Article"], "research-article"),
        (["Journal Article", "Review"], "review-article"),
        (["Review", "Systematic Review"], "systematic-review"),
        (["Journal Article", "Meta-Analysis"], "systematic-review"),
        (["Comment", "Editorial"], "editorial"),
        (["Letter", "Comment"], "letter"),
        (["Journal Article", "Comment"], "article-commentary"),
        (["Journal Article", "Clinical Trial, Phase III"], "clinical-trial"),
        (["Journal Article", "Randomized Controlled Trial"], "clinical-trial"),
        (["Pragmatic Clinical Trial", "Journal Article"], "clinical-trial"),
        (["Clinical Trial Protocol"], "clinical-trial-protocol"),
        (["Case Reports", "Journal Article"], "case-report"),
        (["Editorial", "Retraction of Publication"], "retraction"),
        (["Published Erratum"], "correction"),
        (["Expression of Concern", "Editorial"], "expression-of-concern"),
        (["Preprint", "Journal Article"], "preprint"),
        (["Retracted Publication", "Journal Article"], "research-article"),
        (["Research Support, N.I.H., Extramural", "Lecture"], "lecture"),
        (["Research Support, N.I.H., Extramural"], ""),
        ([], ""),
    ],
)
def test_types(types: list[str], expected: str) -> None:
    listed = "".join(f"<PublicationType>{name}</PublicationType>" for name in types)
    article = f"{TITLE}<PublicationTypeList>{listed}</PublicationTypeList>"
    assert read(record(article)).article_type == expected


@pytest.mark.parametrize(("code", "expected"), [*LANGUAGES.items(), ("mul", "mul"), ("", "")])
def test_languages(code: str, expected: str) -> None:
    assert read(record(language=f"<Language>{code}</Language>")).language == expected


@pytest.mark.parametrize(
    ("texts", "expected", "labels"),
    [
        ("<AbstractText>Rice.</AbstractText>", "Rice.", ()),
        ("<AbstractText NlmCategory='METHODS'>Rice.</AbstractText>", "Rice.", ("METHODS",)),
        ("<AbstractText NlmCategory='UNASSIGNED'>Rice.</AbstractText>", "Rice.", ()),
        ("<AbstractText/>", "", ()),
    ],
)
def test_abstracts(texts: str, expected: str, labels: tuple[str, ...]) -> None:
    paper = read(record(f"{TITLE}<Abstract>{texts}</Abstract>"))
    assert (paper.abstract, paper.abstract_labels) == (expected, labels)


def test_an_abstract_that_medline_cut_is_noted() -> None:
    text = "Rice. (ABSTRACT TRUNCATED AT 250 WORDS)"
    paper = read(record(f"{TITLE}<Abstract><AbstractText>{text}</AbstractText></Abstract>"))
    assert (paper.abstract, paper.losses.notes) == ("Rice.", {"cut-abstract": 1})


def test_a_by_line_that_is_cut_and_names_that_are_missing_are_noted() -> None:
    listed = '<AuthorList CompleteYN="N"><Author><ForeName>Ana</ForeName></Author><Author/>'
    paper = read(record(f"{TITLE}{listed}</AuthorList>"))
    assert paper.authors == (Author("Ana"),)
    assert paper.losses.notes == {"incomplete-authors": 1, "author-without-name": 1}


def test_affiliations_as_records_until_2014_have_them() -> None:
    author = "<Author><LastName>Li</LastName><Affiliation>Wuhan.</Affiliation></Author>"
    paper = read(record(f"{TITLE}<AuthorList>{author}</AuthorList>"))
    assert paper.institutions == (Institution("Wuhan."),)


def test_dois_that_disagree_are_noted() -> None:
    paper = read(record(TITLE + LOCATION.replace("RICE.1", "2"), data=IDS))
    assert paper.ids.doi == "10.1000/rice.1"
    assert paper.losses.notes == {"conflicting-dois": 1}
    invalid = LOCATION.replace("RICE.1", "2").replace('"Y"', '"N"')
    assert read(record(TITLE + invalid, data=IDS)).losses.notes == {}


def linked(*links: tuple[str, str, str], types: str = TYPES) -> Paper:
    """A record with links of these types, texts and PMIDs."""
    listed = "".join(
        f'<CommentsCorrections RefType="{kind}"><RefSource>{text}</RefSource>'
        + (f"<PMID>{pmid}</PMID>" if pmid else "")
        + "</CommentsCorrections>"
        for kind, text, pmid in links
    )
    more = f"<CommentsCorrectionsList>{listed}</CommentsCorrectionsList>"
    return read(record(JOURNAL + TITLE + LOCATION + DATE + types, more=more))


SOURCE = "Rice. 2020 May 4;12(1):9. doi: 10.1000/N1."
OTHER = Identifiers("10.1000/n1", "31000001")


@pytest.mark.parametrize(
    ("link", "kind"),
    [
        ("RetractionIn", "retraction"),
        ("RetractedandRepublishedIn", "retraction"),
        ("PartialRetractionIn", "partial-retraction"),
        ("ErratumIn", "correction"),
        ("ExpressionOfConcernIn", "concern"),
    ],
)
def test_a_work_names_its_notice(link: str, kind: str) -> None:
    (notice,) = linked((link, SOURCE, "31000001")).notices
    assert notice == (kind, "work", OWN, OTHER, "2020-05-04", "")


@pytest.mark.parametrize(
    ("link", "kind"),
    [
        ("RetractionOf", "retraction"),
        ("PartialRetractionOf", "partial-retraction"),
        ("ErratumFor", "correction"),
        ("ExpressionOfConcernFor", "concern"),
    ],
)
def test_a_notice_names_its_work(link: str, kind: str) -> None:
    (notice,) = linked((link, SOURCE, "31000001")).notices
    assert notice == (kind, "notice", OTHER, OWN, "2019-03-07", "")


@pytest.mark.parametrize(
    "link",
    ["UpdateIn", "UpdateOf", "CorrectedandRepublishedFrom", "RepublishedIn", "ReprintOf"],
)
def test_other_versions(link: str) -> None:
    paper = linked((link, "bioRxiv", "31000001"))
    assert (paper.notices, paper.versions) == ((), (Identifiers(pmid="31000001"),))


@pytest.mark.parametrize("link", ["CommentIn", "SummaryForPatientsIn", "OriginalReportIn", "", "X"])
def test_other_links_are_left_out(link: str) -> None:
    paper = linked((link, SOURCE, "31000001"))
    assert (paper.notices, paper.versions, paper.losses.notes) == ((), (), {})


def test_links_without_id_and_to_the_record_itself() -> None:
    paper = linked(
        ("RetractionIn", "Rice. 2020 May;12(1):9", ""),
        ("RetractionOf", "Rice", ""),
        ("ErratumIn", "Rice", "30123456"),
        ("UpdateIn", "Rice", ""),
    )
    assert paper.notices == (Notice("retraction", "work", OWN, Identifiers(), "2020-05"),)
    assert paper.losses.notes == {"notice-without-id": 2, "notice-of-itself": 1}


def test_a_retracted_publication_without_link() -> None:
    types = TYPES.replace("Journal Article", "Retracted Publication")
    assert linked(types=types).notices == (Notice("retraction", "work", OWN, Identifiers()),)
    assert len(linked(("RetractionIn", SOURCE, "31000001"), types=types).notices) == 1


def test_many_authors_and_references() -> None:
    authors = "<Author><LastName>Li</LastName></Author>" * 5_000
    listed = f"<ReferenceList>{'<Reference><Citation>A</Citation></Reference>' * 5_000}"
    data = record(f"<AuthorList>{authors}</AuthorList>", data=f"{listed}</ReferenceList>")
    paper = read_pubmed(data, "p")
    assert (len(paper.authors), len(paper.references)) == (5_000, 5_000)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<PubmedArticle/>", "not-pubmed"),
        (b"<PubmedArticleSet><x/></PubmedArticleSet>", "not-pubmed"),
        (as_set(), "not-pubmed"),
        (as_set(DELETED), "not-pubmed"),
        (as_set(record(), record()), "several-articles"),
        (record()[:-30], "broken-xml"),
        (b'<!DOCTYPE PubmedArticle [<!ENTITY a "b">]>' + record(), "declares-entities"),
    ],
)
def test_documents_that_are_no_record_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_document(data, "bad.xml")
    assert (caught.value.path, caught.value.reason) == ("bad.xml", reason)


def test_the_dtd_is_never_fetched(tmp_path: Path) -> None:
    dtd = tmp_path / "evil.dtd"
    dtd.write_text('<!ENTITY alpha "LEAKED">')
    doctype = f'<!DOCTYPE PubmedArticle SYSTEM "{dtd.as_uri()}">'.encode()
    data = doctype + record("<ArticleTitle>&alpha;-rice</ArticleTitle>")
    assert read(data).title == "α-rice"


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_spoiled_records_raise_only_source_errors(seed: int) -> None:
    chance = random.Random(seed)
    root = etree.fromstring(record())
    for element in list(root.iter(etree.Element)):
        change = chance.random()
        if change < 0.05:
            element.text = chance.choice(("", " ", "x" * 5_000, "-1", "10.1000/9", "99999999999"))
        elif change < 0.1:
            element.tag = chance.choice(("Year", "PMID", "Author", "Reference", "x"))
        elif change < 0.15:
            element.attrib.clear()
        elif change < 0.2 and element.getparent() is not None:
            element.clear()
    with suppress(SourceError):
        read(etree.tostring(root))
