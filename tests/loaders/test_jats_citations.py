"""In-text citations: every pointer becomes an occurrence or a counted loss."""

from __future__ import annotations

import pytest

from citescape.loaders.jats import read_jats
from tests.loaders.articles import article, cite, cited, is_balanced, only, placed, read, ref_list


def test_section_path_marker_context_and_position() -> None:
    paper = read(
        f"<sec><title>1. Introduction</title><p>Rice is eaten. It was seen [{cite(2)}]. True.</p>"
        "</sec>"
    )

    result = only(paper)
    assert paper.sections[result.section].title == "1. Introduction"
    assert paper.references[result.reference].source_id == "B2"
    assert result.context == "It was seen [2]."
    assert result.marker == "2"
    assert result.position is not None
    assert 0 < result.position < 1


@pytest.mark.parametrize("dash", ["-", "–", "—", "‑", " – "])
def test_range_as_two_pointers(dash: str) -> None:
    paper = read(f"<p>Seen [{cite(2)}{dash}{cite(5)}].</p>")

    assert cited(paper) == ["B2", "B3", "B4", "B5"]
    assert (paper.losses.anchors, paper.losses.implied) == (4, 2)


@pytest.mark.parametrize(
    ("marker", "references"),
    [("2-4", ["B2", "B3", "B4"]), ("[2–4]", ["B2", "B3", "B4"]), ("1, 2", ["B1", "B2"])],
)
def test_range_inside_one_pointer(marker: str, references: list[str]) -> None:
    paper = read(f"<p>Seen {cite(2, marker)}.</p>")

    assert cited(paper) == references
    assert paper.losses.implied == len(references) - 1


def test_a_range_with_listed_members_is_counted_once() -> None:
    paper = read(f"<p>Seen {cite(2)}{cite(3, '')}-{cite(4)}.</p>")

    assert cited(paper) == ["B2", "B3", "B4"]
    assert paper.losses.implied == 0


def test_years_joined_by_a_dash_are_not_a_range() -> None:
    paper = read(f"<p>Seen (Li {cite(1, '2005')}-{cite(2, '2009')}).</p>")

    assert cited(paper) == ["B1", "B2"]
    assert paper.losses.lost == {}


def test_a_range_outside_the_numbering_is_a_named_loss() -> None:
    paper = read(f"<p>Seen {cite(1, '11')}-{cite(2, '15')}.</p>")

    assert cited(paper) == ["B1", "B2"]
    assert paper.losses.lost == {"range-unclear": 3}
    assert is_balanced(paper)


def test_a_pointer_that_names_several_ids() -> None:
    paper = read('<p>Seen <xref ref-type="bibr" rid="B1 B3">1,3</xref>.</p>')

    assert cited(paper) == ["B1", "B3"]
    assert [o.marker for o in paper.occurrences] == ["1,3", "1,3"]


def test_an_empty_pointer_is_an_occurrence() -> None:
    result = only(read('<p>Seen<xref ref-type="bibr" rid="B1"/>.</p>'))

    assert (result.marker, result.context) == ("", "Seen.")


@pytest.mark.parametrize(
    ("pointer", "lost"),
    [
        ('<xref ref-type="bibr" rid="B77">77</xref>', {"unknown-target": 1}),
        ('<xref ref-type="bibr" rid="B77 B78">77</xref>', {"unknown-target": 2}),
        ('<xref ref-type="bibr">7</xref>', {"no-target": 1}),
        ('<xref ref-type="bibr" rid="">7</xref>', {"no-target": 1}),
        ('<xref ref-type="fig" rid="F1">Fig. 1</xref>', {}),
    ],
)
def test_pointers_without_a_target(pointer: str, lost: dict[str, int]) -> None:
    paper = read(f"<p>Seen {pointer}.</p>")

    assert paper.occurrences == ()
    assert paper.losses.lost == lost
    assert paper.losses.anchors == sum(lost.values())


def test_pointers_of_any_type_to_a_reference_count() -> None:
    assert cited(read('<p>Seen <xref ref-type="other" rid="B4">4</xref>.</p>')) == ["B4"]


@pytest.mark.parametrize(
    "pointer",
    [
        "<sup>" + cite(3) + "</sup>",
        '<xref ref-type="bibr" rid="B3"><sup>3</sup></xref>',
        '<xref ref-type="bibr" rid="B3"><italic>Li <bold>et al.</bold></italic> 2003</xref>',
        "<italic><bold>" + cite(3) + "</bold></italic>",
    ],
)
def test_markup_around_and_inside_a_pointer(pointer: str) -> None:
    paper = read(f"<p>Yields rose {pointer} again.</p>")

    assert cited(paper) == ["B3"]
    assert only(paper).marker in ("3", "Li et al. 2003")


def test_a_pointer_inside_a_pointer() -> None:
    paper = read(f'<p>Seen <xref ref-type="bibr" rid="B1">1{cite(2)}</xref>.</p>')

    assert cited(paper) == ["B1", "B2"]
    assert is_balanced(paper)


def test_the_context_in_a_table_is_the_row() -> None:
    paper = read(
        "<table-wrap><label>Table 1</label><caption><p>Yields.</p></caption><table><tbody>"
        f"<tr><td>IR64</td><td><p>4.2</p></td><td>{cite(7)}</td></tr>"
        "<tr><td>Nerica</td><td>3.1</td><td>ours</td></tr></tbody></table></table-wrap>"
    )

    assert only(paper).context == "IR64 4.2 7"


@pytest.mark.parametrize(
    ("body", "context"),
    [
        ("<fig><label>Figure 1</label><caption><title>After {0}.</title><p>A map.</p></caption>"
         "</fig>", "After 7."),
        ("<fig><label>Figure 1</label><caption><p>A map. Redrawn from {0}.</p></caption></fig>",
         "Redrawn from 7."),
        ("<sec><title>The model of {0}</title><p>Words.</p></sec>", "The model of 7"),
        ("<p>Two ways:<list><list-item><p>one</p></list-item><list-item><p>the other {0}</p>"
         "</list-item></list></p>", "the other 7"),
        ("<boxed-text><p>In a box {0}.</p></boxed-text>", "In a box 7."),
        ("<disp-quote><p>Eat rice {0}.</p></disp-quote>", "Eat rice 7."),
        ("<def-list><def-item><term>LAI</term><def><p>leaf area {0}</p></def></def-item>"
         "</def-list>", "leaf area 7"),
        ("<p>Text.<fn><p>A note {0}.</p></fn> More.</p>", "A note 7."),
    ],
)  # fmt: skip
def test_context_is_the_block_that_holds_the_pointer(body: str, context: str) -> None:
    assert only(read(body.format(cite(7)))).context == context


def test_a_paragraph_continues_after_an_embedded_element() -> None:
    paper = read(
        f"<p>Rice {cite(1)} grows<fig><caption><p>A map {cite(2)}.</p></caption></fig>"
        f" and ripens {cite(3)}.</p>"
    )

    assert [(o.marker, o.context) for o in paper.occurrences] == [
        ("1", "Rice 1 grows and ripens 3."),
        ("2", "A map 2."),
        ("3", "Rice 1 grows and ripens 3."),
    ]
    positions = [o.position for o in paper.occurrences]
    assert positions == sorted(positions, key=float)  # type: ignore[arg-type]


def test_position_is_the_share_of_preceding_characters() -> None:
    before, after = "x" * 29 + " ", " " + "y" * 68 + "."
    paper = read(f"<sec><title></title><p>{before}{cite(1)}{after}</p></sec>")

    assert only(paper).position == len(before) / len(before + "1" + after)


def test_headings_and_formula_source_are_not_text() -> None:
    paper = read(
        "<sec><title>Methods</title><p>We used <inline-formula><alternatives>"
        "<tex-math>\\usepackage{amsmath} x</tex-math><mml:math "
        'xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:mi>x</mml:mi></mml:math>'
        f"</alternatives></inline-formula> [{cite(1)}].</p></sec>"
    )

    assert only(paper).context == "We used x [1]."
    assert (paper.sections[0].opening, paper.sections[0].words) == ("We used x [1].", 4)


@pytest.mark.parametrize(
    ("back", "title"),
    [
        ("<notes><title>Notes in proof</title><p>See {0}.</p></notes>", "Notes in proof"),
        ("<notes><p>See {0}.</p></notes>", "Notes"),
        ("<ack><p>See {0}.</p></ack>", "Acknowledgements"),
        ("<fn-group><fn><p>See {0}.</p></fn></fn-group>", "Footnotes"),
        ("<app-group><app><title>Appendix A</title><p>See {0}.</p></app></app-group>",
         "Appendix A"),
        ("<app-group><app><title>Appendix A</title><sec><title>Proof</title><p>See {0}.</p></sec>"
         "</app></app-group>", "Proof"),
        ("<sec><title>Data</title><p>See {0}.</p></sec>", "Data"),
    ],
)  # fmt: skip
def test_citations_in_back_matter(back: str, title: str) -> None:
    paper = read(back=back.format(cite(1)) + ref_list(2))

    assert placed(paper) == [(title, "B1")]
    section = paper.sections[only(paper).section]
    assert (section.kind, section.type) == ("back", "other")
    assert only(paper).position is None


def test_floats_outside_the_body() -> None:
    paper = read(
        after=f"<floats-group><fig><caption><p>From {cite(2)}.</p></caption></fig></floats-group>"
    )

    assert placed(paper) == [("Figures and tables", "B2")]
    assert paper.sections[-1].kind == "float"
    assert only(paper).position is None


def test_pointers_of_sub_articles_and_responses_are_counted_separately() -> None:
    inside = f"<body><p>We thank {cite(1)} and {cite(2)}.</p></body>"
    paper = read(
        f"<p>Seen {cite(3)}.</p>",
        after=f"<sub-article>{inside}</sub-article><response>{inside}</response>",
    )

    assert cited(paper) == ["B3"]
    assert paper.losses.lost == {"sub-article": 4}
    assert is_balanced(paper)


@pytest.mark.parametrize(
    "parts",
    [
        {"meta": f"<author-notes><fn><p>After {cite(1)}.</p></fn></author-notes>"},
        {"back": ref_list(2).replace("Title 2", f"Title 2, cited by {cite(1)}")},
        {"meta": f"<abstract/><trans-abstract><p>{cite(1)}</p></trans-abstract>"},
    ],
    ids=["author notes", "reference list", "translated abstract"],
)
def test_pointers_outside_the_text_are_a_named_loss(parts: dict[str, str]) -> None:
    paper = read(**parts)

    assert paper.losses.lost == {"outside-text": 1}
    assert is_balanced(paper)


def test_references_without_citations_and_no_references() -> None:
    assert read("<p>Words.</p>").occurrences == ()
    assert read("<p>Words.</p>", back="").references == ()


def test_reading_without_contexts_changes_nothing_else() -> None:
    data = article(f"<sec><title>Results</title><p>Yes. Seen [{cite(2)}-{cite(5)}]. No.</p></sec>")
    full, bare = read_jats(data, "p"), read_jats(data, "p", contexts=False)

    assert {o.context for o in full.occurrences} == {"Seen [2-5]."}
    assert bare.occurrences == tuple(o._replace(context="") for o in full.occurrences)
    assert (bare.sections, bare.references, bare.losses) == (
        full.sections,
        full.references,
        full.losses,
    )


def test_internal_marker_characters_in_the_source_are_removed() -> None:
    marked = "a&#xFDD0;b&#64977;c\ufdd2d&#xFDEF;"
    paper = read(f"<p>{marked} [{cite(1)}].</p>", meta=f"<abstract><p>{marked}</p></abstract>")

    assert only(paper).context == "abcd [1]."
    assert paper.abstract == "abcd"


def test_a_superscript_pointer_is_bracketed_only_in_its_sentence() -> None:
    paper = read(f"<p>In sorghum hybrids<sup>{cite(2)},{cite(3)}</sup> it is. True.</p>")

    assert [o.context for o in paper.occurrences] == ["In sorghum hybrids [2,3] it is."] * 2
    assert [o.marker for o in paper.occurrences] == ["2", "3"]
    length = len("In sorghum hybrids2,3 it is. True.")
    assert [o.position for o in paper.occurrences] == [18 / length, 20 / length]


def test_cut_sentences_are_counted() -> None:
    paper = read(f"<p>{'word ' * 1000}[{cite(1)}]. It is short [{cite(2)}].</p>")

    assert paper.losses.notes == {"cut-contexts": 1}
    assert is_balanced(paper)
