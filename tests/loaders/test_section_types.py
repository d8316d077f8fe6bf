"""Section types by rule: attribute, title, parent, lead."""

from __future__ import annotations

import pytest

from citescape.loaders.section_types import UNTYPED, Typing, clean_title, type_section
from tests.loaders.articles import cite, placed, read

BY_TITLE = {
    "I": [
        "Introduction", "1. Introduction", "I. INTRODUCTION", "1Introduction", "Background",
        "Related Work", "2 Literature review", "Review of the literature", "Background & Summary",
        "Aims", "Theoretical framework", "Statement of the problem",
        "Introduction and background", "Background and objectives", "Introduction: why rice",
        "1. Introduction and historical perspective", "Introduction, paragraph number 3",
        "Einleitung", "2. Hintergrund", "Contexte et objectifs", "INTRODUCCION",
        "Introducción y objetivos", "Introdução", "Referencial teórico",
    ],
    "M": [
        "Methods", "Materials and Methods", "MATERIALS & METHODS", "Methods and materials",
        "Patients and methods", "Experimental Section", "Experimental procedures", "Methodology",
        "Online Methods", "STAR★Methods", "2.3. Statistical analysis", "Study area",
        "Study site and sampling", "Data", "Data and methods",
        "Experimental Design, Materials, and Methods", "Methods/Design", "Section 2: Methods",
        "Research methodology", "Methods and study design", "Methods – study I",
        "Literature search strategy",
        "Materials and methods: study area", "Material und Methoden", "MATÉRIEL ET MÉTHODES",
        "Patients et méthodes", "Materiales y métodos", "Metodología", "Materiais e métodos",
    ],
    "R": ["Results", "Findings", "3) Results:", "Main results", "Results and analysis",
          "Results II: social preferences", "Research results", "3. Ergebnisse", "Résultats",
          "Resultados"],
    "D": [
        "Discussion", "Conclusions", "Concluding remarks", "Conclusion and future work",
        "Conclusions, limitations and future work", "Summary and conclusions",
        "Discussion of results", "General Discussion", "Strengths and limitations",
        "Conclusions and policy implications", "Limitations", "Recommendations",
        "Conclusions and practical applications", "Conclusion: beyond the divide",
        "Discussion, paragraph number 7", "Concluding remarks and future prospects", "Diskussion",
        "Schlussfolgerung", "Fazit und Ausblick", "Conclusion et perspectives",
        "Discusión y conclusiones", "Considerações finais", "CONCLUSÃO",
    ],
    "other": [
        "", "Rice", "Case report", "Author contributions", "Supporting information", "Vitamin D",
        "Background and methods", "Introduction of exotic lines", "Material and place",
        "Methods of cooking rice", "The introduction of rice to Africa", "3D printing",
        "Data availability of rice", "Interest in rice", "Funding agencies of Asia",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("title", "kind"), [(title, kind) for kind, titles in BY_TITLE.items() for title in titles]
)
def test_type_by_title(title: str, kind: str) -> None:
    assert type_section("", title, None).type == kind


@pytest.mark.parametrize(
    "title",
    [
        "Author contributions", "Authors’ Contributions", "CONFLICT OF INTEREST",
        "Conflict of Interest Statement", "Declaration of competing interest", "Funding",
        "Competing interests", "Sources of Funding", "Electronic supplementary material",
        "Supporting information", "Additional files", "Supplementary Data", "Ethics Statement",
        "Ethics approval and consent to participate", "Informed consent", "Data Accessibility",
        "Availability of data and materials", "Accession numbers", "Appendix A", "Declarations",
        "Acknowledgments", "Abbreviations",
    ],
)  # fmt: skip
def test_declarations_and_supplements_have_type_other(title: str) -> None:
    assert type_section("", title, None) == Typing("other", "title")
    assert type_section("", title, UNTYPED) == Typing("other", "title")
    assert type_section("", title, Typing("M", "title")) == Typing("M", "parent")


def test_sections_in_a_supplement_have_type_other() -> None:
    assert type_section("supplementary material", "", None) == Typing("other", "sec-type")
    above = type_section("supplementary-material", "Data S1", None)
    assert type_section("", "Table of yields", above) == Typing("other", "parent")


@pytest.mark.parametrize(
    "title",
    [
        "Results and Discussion", "RESULTS & DISCUSSION", "3. Results and discussions",
        "Results, Discussion and Conclusion", "Findings and discussion", "Results/Discussion",
        "Ergebnisse und Diskussion", "Résultats et discussion", "RESULTADOS Y DISCUSION",
        "Resultados e discussão",
    ],
)  # fmt: skip
def test_combined_titles_are_results_with_a_flag(title: str) -> None:
    assert type_section("", title, None) == Typing("R", "title", combined=True)


@pytest.mark.parametrize(
    ("sec_type", "typing"),
    [
        ("intro", Typing("I", "sec-type")),
        ("materials|methods", Typing("M", "sec-type")),
        ("materials and methods", Typing("M", "sec-type")),
        ("Results", Typing("R", "sec-type")),
        ("conclusions", Typing("D", "sec-type")),
        ("results|discussion", Typing("R", "sec-type", combined=True)),
    ],
)
def test_the_attribute_takes_precedence_over_the_title(sec_type: str, typing: Typing) -> None:
    assert type_section(sec_type, "Discussion", None) == typing


def test_an_uninformative_attribute_is_ignored() -> None:
    assert type_section("subsection", "Discussion", None) == Typing("D", "title")


def test_a_section_inherits_the_type_of_its_parent() -> None:
    parent = Typing("R", "title", combined=True)

    assert type_section("", "Yield of IR64", parent) == Typing("R", "parent", combined=True)
    assert type_section("", "Statistical analysis", parent) == Typing("M", "title")
    assert type_section("", "Yield of IR64", UNTYPED) == UNTYPED


@pytest.mark.parametrize(
    ("title", "clean"),
    [
        ("2.1. Methods:", "Methods"),
        ("IV. RESULTS", "RESULTS"),
        ("II METHODS", "METHODS"),
        ("A. Study area", "Study area"),
        ("Section 2: Methods", "Methods"),
        ("Results & Discussion.", "Results and Discussion"),
        ("  Two\n words ", "Two words"),
        ("3D printing", "3D printing"),
        ("16S rRNA", "16S rRNA"),
        ("X chromosome", "X chromosome"),
        ("Vitamin D", "Vitamin D"),
        ("4", "4"),
        ("—", ""),
    ],
)
def test_clean_title(title: str, clean: str) -> None:
    assert clean_title(title) == clean


def sec(title: str, inside: str) -> str:
    return f"<sec><title>{title}</title>{inside}</sec>"


def test_nesting_depth_parents_and_inherited_types() -> None:
    deepest = f"<p>Seen {cite(1)}.</p>"
    for title in ("F", "E", "D", "C", "B"):
        deepest = sec(title, deepest)
    paper = read(sec("Results", deepest))

    assert [s.depth for s in paper.sections] == [1, 2, 3, 4, 5, 6]
    assert [s.parent for s in paper.sections] == [None, 0, 1, 2, 3, 4]
    assert {s.type for s in paper.sections} == {"R"}
    assert placed(paper) == [("F", "B1")]


def test_paragraphs_before_the_first_section_are_its_introduction() -> None:
    paper = read(f"<p>Rice {cite(1)}.</p>" + sec("Methods", f"<p>Soil {cite(2)}.</p>"))

    assert placed(paper) == [("", "B1"), ("Methods", "B2")]
    assert [(s.type, s.type_source) for s in paper.sections] == [("I", "lead"), ("M", "title")]


def test_text_after_the_first_section_is_not_the_introduction() -> None:
    paper = read(
        "<p>Lead.</p>" + sec("Methods", "<p>Soil.</p>") + f"<fig><p>A map {cite(1)}.</p></fig>"
    )

    assert [s.type for s in paper.sections] == ["I", "M", "other"]
    assert paper.occurrences[0].section == 2


def test_a_body_without_sections_is_one_untyped_section() -> None:
    paper = read(f"<p>Rice {cite(1)}.</p><p>Millet {cite(2)}.</p>")

    assert [(s.title, s.type, s.type_source) for s in paper.sections] == [("", "other", "none")]
    assert [o.section for o in paper.occurrences] == [0, 0]


def test_a_section_without_a_title_has_its_parents_type() -> None:
    paper = read(sec("Discussion", f"<sec><p>Rice {cite(1)}.</p></sec>"))

    assert placed(paper) == [("", "B1")]
    assert paper.sections[1].type == "D"


def test_a_section_inside_a_box_is_below_its_enclosing_section() -> None:
    paper = read(
        sec("Results", f"<boxed-text>{sec('Box 1', f'<p>In {cite(1)}.</p>')}</boxed-text>"
                       f"<p>Out {cite(2)}.</p>")
    )  # fmt: skip

    assert placed(paper) == [("Box 1", "B1"), ("Results", "B2")]
    assert [s.parent for s in paper.sections] == [None, 0]


def test_text_below_a_subsection_belongs_to_the_section_above() -> None:
    paper = read(sec("Results", sec("Yield", "<p>High.</p>") + f"<p>Seen {cite(1)}.</p>"))

    assert placed(paper) == [("Results", "B1")]


def test_words_and_opening_exclude_subsections() -> None:
    words = " ".join(f"w{i}" for i in range(50))
    paper = read(sec("Results", f"<p>{words}</p><p>More.</p>" + sec("Yield", "<p>High.</p>")))

    above, below = paper.sections
    assert (above.words, below.words) == (51, 1)
    assert above.opening == " ".join(words.split()[:40])
    assert below.opening == "High."
