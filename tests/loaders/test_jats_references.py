"""Reference lists: places of ids, titles, authors and years in the markup."""

from __future__ import annotations

import pytest

from citescape.core.types import Author, Identifiers, Reference
from tests.loaders.articles import cite, cited, element_ref, is_balanced, read, read_reference

DOI = "10.1000/xyz1"


def reference(inside: str, tag: str = "mixed-citation", attributes: str = "") -> Reference:
    (parsed,) = read_reference(inside, tag, attributes).references
    return parsed


def test_a_complete_reference() -> None:
    parsed = reference(
        '<person-group person-group-type="author"><name><surname>Li</surname>'
        "<given-names>X</given-names></name><name><surname>Cruz</surname>"
        "<given-names>M. de</given-names></name><etal/></person-group><year>2005a</year>"
        "<article-title>Growth of <italic>Oryza</italic></article-title><source>Rice J</source>"
        '<volume>12</volume><fpage>3</fpage><lpage>9</lpage><pub-id pub-id-type="doi">'
        '10.1000/XYZ1</pub-id><pub-id pub-id-type="pmid">30123456</pub-id>',
        "element-citation",
    )

    assert parsed == Reference(
        source_id="B1",
        label="",
        ids=Identifiers(DOI, "30123456", None),
        title="Growth of Oryza",
        source="Rice J",
        year=2005,
        volume="12",
        page="3",
        authors=(Author("Li", "X"), Author("Cruz", "M. de")),
        et_al=True,
        text="",
    )


@pytest.mark.parametrize(
    "inside",
    [
        f'<pub-id pub-id-type="doi">{DOI}</pub-id>',
        f'<pub-id pub-id-type="doi">https://doi.org/{DOI}</pub-id>',
        f'<pub-id pub-id-type="other">doi:{DOI}</pub-id>',
        f'<ext-link ext-link-type="uri" xlink:href="https://doi.org/{DOI}">CrossRef</ext-link>',
        f'<ext-link xlink:href="http://dx.doi.org/{DOI.replace("/", "%2F")}">here</ext-link>',
        f"<ext-link>{DOI}</ext-link>",
        f"<uri>https://doi.org/{DOI}</uri>",
        f"<comment>doi: {DOI}.</comment>",
        f'<comment>at <ext-link xlink:href="https://doi.org/{DOI}">x</ext-link></comment>',
        f'<article-title>T<ext-link xlink:href="https://doi.org/{DOI}"/></article-title>',
        f"Smith A. Growth. Rice J 2010; doi:{DOI}.",
    ],
)
def test_doi_in_any_place(inside: str) -> None:
    assert reference(inside).ids == Identifiers(doi=DOI)


@pytest.mark.parametrize(
    ("inside", "ids"),
    [
        ('<pub-id pub-id-type="pmcid">4578774</pub-id>', Identifiers(pmcid="PMC4578774")),
        ('<ext-link xlink:href="https://www.ncbi.nlm.nih.gov/pubmed/301234">PubMed</ext-link>',
         Identifiers(pmid="301234")),
        ('<ext-link xlink:href="https://www.ncbi.nlm.nih.gov/pmc/articles/PMC45787/">x</ext-link>',
         Identifiers(pmcid="PMC45787")),
        ("Smith. Growth. PubMed Central PMCID: PMCPMC4578774.", Identifiers(pmcid="PMC4578774")),
        ("Smith. Growth. 2010. PMID: 20713397", Identifiers(pmid="20713397")),
        ("Smith. Growth. https://doi.org/10.1371/journal.pone.", Identifiers()),
    ],
)  # fmt: skip
def test_pmid_and_other_ids(inside: str, ids: Identifiers) -> None:
    assert reference(inside).ids == ids


@pytest.mark.parametrize(
    ("printed", "year"),
    [("2005a", 2005), ("2005", 2005), ("in press", None), ("(1998)", 1998), ("1998-99", 1998),
     ("", None)],
)  # fmt: skip
def test_year(printed: str, year: int | None) -> None:
    assert reference(f"<year>{printed}</year>").year == year


def test_year_only_in_its_attribute() -> None:
    assert reference('<year iso-8601-date="2011">n.d.</year>').year == 2011


@pytest.mark.parametrize(
    ("inside", "attributes", "title"),
    [
        ("<source>Lost Crops</source>", 'publication-type="book"', "Lost Crops"),
        ("<source>Lost Crops</source><fpage>3</fpage>", 'publication-type="book"', "Lost Crops"),
        ("<source>Lost Crops</source>", "", "Lost Crops"),
        ("<source>Rice J</source><volume>2</volume>", 'publication-type="journal"', ""),
        ("<source>Rice J</source><volume>2</volume>", "", ""),
        ("<chapter-title>Millet</chapter-title><source>Crops</source>", "", "Millet"),
        ("<article-title> </article-title><part-title>Part</part-title>", "", "Part"),
        ("<data-title>Yields</data-title>", "", "Yields"),
    ],
)
def test_title_of_books_and_other_works(inside: str, attributes: str, title: str) -> None:
    parsed = reference(inside, "element-citation", attributes)

    assert parsed.title == title
    assert (parsed.text == "") is bool(title)


def test_untagged_citation_keeps_its_text() -> None:
    parsed = reference("Smith A, Li X.\n Growth of rice. Rice J. 2010;<bold>5</bold>:1-9.")

    assert parsed.title == ""
    assert parsed.text == "Smith A, Li X. Growth of rice. Rice J. 2010;5:1-9."


def test_text_of_an_untitled_element_citation_has_spaces() -> None:
    parsed = reference(
        "<name><surname>Smith</surname><given-names>A</given-names></name><source>Rice J</source>"
        "<volume>5</volume>",
        "element-citation",
    )

    assert parsed.text == "Smith A Rice J 5"


def test_spaces_are_added_between_elements_of_an_entry() -> None:
    names = "".join(
        f"<name><surname>{surname}</surname><given-names>{given_name}</given-names></name>"
        for surname, given_name in (("Cui", "Y."), ("Song", "B. K."))
    )
    (parsed,) = read_reference(
        f"<person-group>{names}</person-group> (<year>2017</year>a). H<sub>2</sub>O and "
        "<italic>O<bold>ryza</bold></italic>, <volume>3</volume>:<fpage>7</fpage>."
    ).references

    assert parsed.text == "Cui Y. Song B. K. (2017a). H2O and Oryza, 3:7."


@pytest.mark.parametrize(
    ("inside", "authors", "et_al"),
    [
        ("<collab>World Health Organization</collab>",
         (Author("World Health Organization", role="group"),), False),
        ("<string-name><surname>Li</surname>, <given-names>X.</given-names></string-name>",
         (Author("Li", "X."),), False),
        ("<string-name><given-names>X.</given-names> <surname>Li</surname></string-name>",
         (Author("Li", "X."),), False),
        ("<string-name>Li X</string-name>, <etal>et al.</etal>", (Author("Li X"),), True),
        ('<person-group person-group-type="editor"><name><surname>Ed</surname></name><etal/>'
         "</person-group>", (), False),
        ('<person-group person-group-type="editor"><name><surname>Ed</surname></name>'
         "</person-group><name><surname>Li</surname></name>", (Author("Li"),), False),
        ("<name><surname>Di\u00a0Rienzo</surname><given-names>J</given-names></name>",
         (Author("Di Rienzo", "J"),), False),
        ("<name><surname>M<italic>c</italic>Kay</surname><given-names>J</given-names></name>",
         (Author("McKay", "J"),), False),
    ],
)  # fmt: skip
def test_authors(inside: str, authors: tuple[Author, ...], et_al: bool) -> None:
    parsed = reference(inside)

    assert parsed.authors == authors
    assert parsed.et_al is et_al


def test_the_first_of_alternative_renderings_is_read() -> None:
    paper = read(
        back='<ref-list><ref id="B1"><citation-alternatives>'
        "<element-citation><article-title>Deutsch</article-title></element-citation>"
        "<mixed-citation><article-title>English</article-title></mixed-citation>"
        "</citation-alternatives></ref></ref-list>"
    )

    assert [r.title for r in paper.references] == ["Deutsch"]


COMPOUND = (
    '<ref-list><ref id="B1"><label>1</label>'
    '<mixed-citation id="B1a"><article-title>One</article-title></mixed-citation>'
    "<mixed-citation><article-title>Two</article-title></mixed-citation></ref></ref-list>"
)


@pytest.mark.parametrize(
    ("pointer", "titles"),
    [
        (cite(1), ["One", "Two"]),
        (cite(1, "1b"), ["Two"]),
        (cite(1, "[1 a]"), ["One"]),
        (cite(1, "1z"), ["One", "Two"]),
        ('<xref ref-type="bibr" rid="B1a">1a</xref>', ["One"]),
    ],
)
def test_an_entry_with_several_works(pointer: str, titles: list[str]) -> None:
    paper = read(f"<p>Seen {pointer}.</p>", back=COMPOUND)

    assert [r.source_id for r in paper.references] == ["B1a", "B1b"]
    assert [paper.references[o.reference].title for o in paper.occurrences] == titles
    assert is_balanced(paper)


def test_several_reference_lists_also_inside_sections() -> None:
    paper = read(
        f"<sec><title>Methods</title><p>Seen {cite(2)}.</p>"
        f"<ref-list>{element_ref(1)}</ref-list></sec>",
        back=f"<ref-list>{element_ref(2)}</ref-list>"
        f"<sec><title>More</title><ref-list>{element_ref(3)}</ref-list></sec>",
    )

    assert [r.source_id for r in paper.references] == ["B1", "B2", "B3"]
    assert cited(paper) == ["B2"]
    assert "Title" not in " ".join(section.opening for section in paper.sections)


def test_entries_without_an_id_are_kept() -> None:
    paper = read(back="<ref-list><ref><mixed-citation>Smith 2010</mixed-citation></ref></ref-list>")

    assert [r.source_id for r in paper.references] == ["ref-1"]


def test_a_repeated_id_means_its_first_entry() -> None:
    twice = element_ref(1) + element_ref(1, "<article-title>Other</article-title>")
    paper = read(f"<p>Seen {cite(1)}.</p>", back=f"<ref-list>{twice}</ref-list>")

    assert len(paper.references) == 2
    assert [paper.references[o.reference].title for o in paper.occurrences] == ["Title 1"]


def test_references_of_sub_articles_are_not_the_papers() -> None:
    paper = read(
        back="",
        after="<sub-article><back><ref-list>" + element_ref(1) + "</ref-list></back></sub-article>",
    )

    assert paper.references == ()
