"""Front matter: ids, abstracts, dates, authors, keywords, and unusual markup."""

from __future__ import annotations

import pytest

from citescape.core.types import Abstract, Author, Identifiers, MeshTerm, Venue
from citescape.loaders.jats import read_jats
from tests.loaders.articles import article, cite, is_balanced, read

ORCID = "0000-0002-1825-0097"


@pytest.mark.parametrize("kind", ["pmc", "pmcid"])
@pytest.mark.parametrize("written", ["6338940", "PMC6338940"])
def test_pmcid_with_or_without_its_prefix(kind: str, written: str) -> None:
    paper = read(meta=f'<article-id pub-id-type="{kind}">{written}</article-id>')

    assert paper.ids == Identifiers(pmcid="PMC6338940")


def test_ids_of_the_paper() -> None:
    paper = read(
        meta='<article-id pub-id-type="publisher-id">x-17</article-id>'
        '<article-id pub-id-type="doi">10.1000/ABC.1</article-id>'
        '<article-id pub-id-type="pmid">30123456</article-id>'
    )

    assert paper.ids == Identifiers("10.1000/abc.1", "30123456", None)


def test_a_paper_without_any_metadata_is_read() -> None:
    paper = read_jats(b"<article><body><p>Words.</p></body></article>", "p.xml")

    assert paper.title == ""
    assert paper.ids == Identifiers()
    assert (paper.year, paper.date) == (None, "")
    assert paper.authors == ()
    assert paper.venue is None


def test_title_keeps_text_of_markup_without_latex() -> None:
    paper = read(
        meta="<title-group><article-title>Effects of <italic>Oryza</italic> on CO"
        "<sub>2</sub> and <tex-math>\\documentclass{x} CO_2</tex-math>\n  soil</article-title>"
        "</title-group>"
    )

    assert paper.title == "Effects of Oryza on CO2 and soil"


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("Rice<xref ref-type='fn' rid='n'>*</xref>", "Rice"),
        ("Rice <xref ref-type='author-notes' rid='n'><sup>1</sup></xref>", "Rice"),
        ("Rice<fn id='n'><p>Funded by X.</p></fn> and wheat", "Rice and wheat"),
        ("Rice and<xref rid='n'>a</xref><break/>wheat", "Rice and wheat"),
        ("Reply to <xref ref-type='bibr' rid='B1'>Smith et al.</xref>", "Reply to Smith et al."),
        ("The <italic>Rice<sup>2</sup></italic> gene", "The Rice2 gene"),
    ],
)
def test_title_without_notes_and_their_marks(written: str, read_as: str) -> None:
    title = f"<title-group><article-title>{written}</article-title></title-group>"
    paper = read(meta=title)

    assert paper.title == read_as
    assert is_balanced(paper)


def test_line_breaks_become_spaces() -> None:
    paper = read(
        "<sec><title>Materials<break/>and methods</title><p>Rice.</p></sec>",
        meta="<abstract><p>Rice<break/>grew.</p></abstract>",
        back="<ref-list><ref id='B1'><mixed-citation><article-title>On<break/>rice"
        "</article-title></mixed-citation></ref></ref-list>",
    )

    assert paper.abstract == "Rice grew."
    assert paper.sections[0].title == "Materials and methods"
    assert paper.sections[0].type == "M"
    assert paper.references[0].title == "On rice"


def test_structured_abstract() -> None:
    paper = read(
        meta="<abstract><title>Abstract</title>"
        "<sec><title>Background:</title><p>Rice is eaten.</p></sec>"
        "<sec><title>Results.</title><p>It grew.</p><p>Well.</p></sec></abstract>"
    )

    assert paper.abstract == "Rice is eaten. It grew. Well."
    assert paper.abstract_labels == ("Background", "Results")
    assert paper.abstract_parts == ("Rice is eaten.", "It grew. Well.")


def test_plain_abstract_has_no_parts() -> None:
    paper = read(meta="<abstract><p>One.</p><p>Two.</p></abstract>")

    assert paper.abstract == "One. Two."
    assert paper.abstract_labels == paper.abstract_parts == ()


def test_the_main_abstract_is_chosen_among_several() -> None:
    paper = read(
        meta='<abstract abstract-type="graphical"><p>A picture.</p></abstract>'
        '<abstract abstract-type="plain-language"><p>Easy words.</p></abstract>'
        "<abstract><p>The abstract.</p></abstract>"
        '<trans-abstract xml:lang="fr"><p>Le résumé.</p></trans-abstract>'
    )

    assert paper.abstract == "The abstract."
    assert paper.other_abstracts == (
        Abstract("graphical", "A picture."),
        Abstract("plain-language", "Easy words."),
        Abstract("translation (fr)", "Le résumé."),
    )


def test_an_abstract_of_type_normal_is_the_main_abstract() -> None:
    paper = read(
        meta='<abstract abstract-type="teaser"><p>Look!</p></abstract>'
        '<abstract abstract-type="normal"><p>The abstract.</p></abstract>'
    )

    assert paper.abstract == "The abstract."


def test_a_citation_inside_the_abstract() -> None:
    paper = read(meta=f"<abstract><p>As shown before [{cite(2)}].</p></abstract>")

    (occurrence,) = paper.occurrences
    assert paper.abstract == "As shown before [2]."
    assert paper.sections[occurrence.section].kind == "abstract"
    assert occurrence.context == "As shown before [2]."
    assert occurrence.position is None


@pytest.mark.parametrize(
    ("dates", "date", "conflict"),
    [
        ('<pub-date pub-type="epub"><day>7</day><month>3</month><year>2019</year></pub-date>',
         "2019-03-07", False),
        ("<pub-date><month>3</month><year>2019</year></pub-date>", "2019-03", False),
        ("<pub-date><year>2019</year></pub-date>", "2019", False),
        ("<pub-date><month>Spring</month><year>2019</year></pub-date>", "2019", False),
        ("<pub-date><day>31</day><month>14</month><year>2019</year></pub-date>", "2019", False),
        ("<pub-date><year>in press</year></pub-date>", "", False),
        ("<pub-date><year>2020</year></pub-date><pub-date><year>2019</year></pub-date>",
         "2019", True),
        ('<pub-date date-type="pub"><year>2019</year></pub-date>'
         '<pub-date><month>5</month><year>2019</year></pub-date>', "2019-05", False),
        ('<pub-date pub-type="pmc-release"><year>2021</year></pub-date>'
         '<pub-date pub-type="epub"><year>2020</year></pub-date>', "2020", False),
    ],
)  # fmt: skip
def test_the_earliest_and_most_exact_date_is_used(dates: str, date: str, conflict: bool) -> None:
    paper = read(meta=dates)

    assert paper.date == date
    assert paper.year == (int(date[:4]) if date else None)
    assert ("conflicting-years" in paper.losses.notes) is conflict


def test_venue() -> None:
    journal = (
        b"<article><front><journal-meta><journal-title-group><journal-title>Rice</journal-title>"
        b"</journal-title-group><issn>1939-8433</issn><issn>1939-8425</issn></journal-meta>"
        b"</front></article>"
    )

    assert read_jats(journal, "p.xml").venue == Venue("Rice", "1939-8425")


def contributors(inside: str) -> tuple[Author, ...]:
    return read(meta=f"<contrib-group>{inside}</contrib-group>").authors


NAME = "<name><surname>Smith</surname><given-names>Ann B.</given-names></name>"


@pytest.mark.parametrize(
    ("inside", "author"),
    [
        (NAME, Author("Smith", "Ann B.")),
        ("<name><given-names>Ann B.</given-names><surname>Smith</surname></name>",
         Author("Smith", "Ann B.")),
        ("<name><surname>Suharto</surname></name>", Author("Suharto")),
        ("<string-name>Ann Smith</string-name>", Author("Ann Smith")),
        (f"<name-alternatives>{NAME}<string-name>스미스</string-name></name-alternatives>",
         Author("Smith", "Ann B.")),
        (f'<contrib-id contrib-id-type="orcid">https://orcid.org/{ORCID}</contrib-id>{NAME}',
         Author("Smith", "Ann B.", ORCID)),
        (f'{NAME}<uri xlink:href="http://orcid.org/{ORCID}"/>', Author("Smith", "Ann B.", ORCID)),
        ('<contrib-id contrib-id-type="orcid">0000-0002-1825-0098</contrib-id>' + NAME,
         Author("Smith", "Ann B.")),
        ("<collab>The Rice Group</collab>", Author("The Rice Group", role="group")),
    ],
)  # fmt: skip
def test_contributor(inside: str, author: Author) -> None:
    assert contributors(f'<contrib contrib-type="author">{inside}</contrib>') == (author,)


def test_editors_and_reviewers_are_not_authors() -> None:
    authors = contributors(
        f"<contrib>{NAME}</contrib>"
        '<contrib contrib-type="editor"><name><surname>Ed</surname></name></contrib>'
        '<contrib contrib-type="reviewer"><name><surname>Rev</surname></name></contrib>'
    )

    assert authors == (Author("Smith", "Ann B."),)


def test_members_of_a_group_are_authors() -> None:
    authors = contributors(
        '<contrib contrib-type="author"><collab>The Rice Group<xref rid="a1">*</xref>'
        f"<contrib-group><contrib>{NAME}</contrib></contrib-group></collab></contrib>"
    )

    assert authors == (
        Author("The Rice Group", role="group"),
        Author("Smith", "Ann B.", role="member"),
    )


def test_anonymous_contributors_are_skipped() -> None:
    assert contributors("<contrib><anonymous/></contrib>") == ()


def test_keywords_subjects_and_mesh() -> None:
    paper = read(
        meta="<article-categories><subj-group><subject>Research</subject>"
        "<subj-group><subject>Plant Science</subject></subj-group></subj-group>"
        "</article-categories>"
        "<kwd-group><kwd>rice</kwd><kwd>millet;</kwd><kwd>rice</kwd></kwd-group>"
        '<kwd-group kwd-group-type="abbreviations"><kwd>LAI</kwd></kwd-group>'
        '<kwd-group kwd-group-type="MeSH"><kwd>Oryza/genetics*/growth</kwd><kwd>Humans</kwd>'
        "</kwd-group>"
    )

    assert paper.keywords == ("rice", "millet")
    assert paper.subjects == ("Research", "Plant Science")
    assert paper.mesh == (MeshTerm("Oryza", ("genetics", "growth"), True), MeshTerm("Humans"))


def test_named_characters_are_resolved_without_their_dtd() -> None:
    paper = read_jats(
        b'<!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "JATS.dtd">'
        b"<article><front><article-meta><title-group><article-title>&alpha;-amylase &amp; "
        b"caf&eacute;</article-title></title-group></article-meta></front></article>",
        "p.xml",
    )

    assert paper.title == "α-amylase & café"


NAMESPACED = article("<sec><title>Results</title><p>Seen [" + cite(1) + "].</p></sec>")


@pytest.mark.parametrize(
    "data",
    [
        NAMESPACED.replace(b"<article ", b'<article xmlns="https://jats.nlm.nih.gov/ns" '),
        b"<pmc-articleset>" + NAMESPACED + b"</pmc-articleset>",
        b'<r xmlns="http://www.openarchives.org/OAI/2.0/"><metadata>'
        + NAMESPACED.replace(b"<article ", b'<article xmlns="https://jats.nlm.nih.gov/ns" ')
        + b"</metadata></r>",
    ],
    ids=["namespaced", "wrapped", "wrapped and namespaced"],
)
def test_namespaces_and_wrappers(data: bytes) -> None:
    without, wrapped = read_jats(NAMESPACED, "p.xml"), read_jats(data, "p.xml")

    assert wrapped.occurrences == without.occurrences != ()
    assert wrapped.references == without.references


def test_attributes_of_the_article() -> None:
    paper = read(root='article-type="review-article" xml:lang="EN"')

    assert paper.article_type == "review-article"
    assert paper.language == "en"


def test_a_papers_own_doi_is_kept_without_a_digit() -> None:
    assert read(meta='<article-id pub-id-type="doi">10.1000/Rice</article-id>').ids.doi == (
        "10.1000/rice"
    )
