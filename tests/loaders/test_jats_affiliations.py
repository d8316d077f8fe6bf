"""Affiliations of JATS articles: where they are, whose they are, and what is their name."""

from __future__ import annotations

import pytest

from citescape.core.types import Institution, Paper
from tests.loaders.articles import read

NAME = "<name><surname>Li</surname></name>"
ONE, OTHER = Institution("One Institute", "PE"), Institution("Other Institute", "CN")


def aff(inside: str, attributes: str = 'id="a"') -> str:
    return f"<aff {attributes}>{inside}</aff>"


def point(*ids: str) -> str:
    return f'<contrib>{NAME}<xref ref-type="aff" rid="{" ".join(ids)}">1</xref></contrib>'


def group(inside: str) -> str:
    return f"<contrib-group>{inside}</contrib-group>"


def places(paper: Paper) -> list[tuple[int, ...]]:
    return [author.institutions for author in paper.authors]


def of(inside: str) -> Institution:
    (found,) = read(meta=group(f"<contrib>{NAME}</contrib>") + aff(inside)).institutions
    return found


@pytest.mark.parametrize("inside_group", [True, False])
def test_authors_point_to_affiliations(inside_group: bool) -> None:
    affs = aff("<label>1</label>One Institute, Lima, Peru", 'id="a"')
    affs += aff("<label>2</label>Other Institute, Wuhan, China", 'id="b"')
    authors = point("b") + point("a", "b") + point("x") + f"<contrib>{NAME}</contrib>"
    meta = group(authors + affs) if inside_group else group(authors) + affs
    paper = read(meta=meta)
    assert paper.institutions == (
        OTHER._replace(name="Other Institute, Wuhan, China"),
        ONE._replace(name="One Institute, Lima, Peru"),
    )
    assert places(paper) == [(0,), (1, 0), (), ()]


def test_affiliations_inside_contributors_are_theirs_and_equal_ones_are_one() -> None:
    one = aff("<institution>One Institute</institution>, <country country='PE'>P</country>", "")
    authors = f"<contrib>{NAME}{one}</contrib><contrib>{NAME}</contrib>"
    paper = read(meta=group(authors + f"<contrib>{NAME}{one}</contrib>"))
    assert paper.institutions == (ONE,)
    assert places(paper) == [(0,), (), (0,)]


def test_the_only_affiliation_of_a_group_is_that_of_all() -> None:
    authors = f"<contrib>{NAME}</contrib>" * 2
    one, other = aff("One Institute, Peru", ""), aff("Other Institute, China", "")
    paper = read(meta=group(authors + one) + group(authors + other))
    assert places(paper) == [(0,), (0,), (1,), (1,)]
    assert places(read(meta=group(authors) + one)) == [(0,), (0,)]
    assert places(read(meta=group(authors) + one + other)) == [(), ()]
    assert places(read(meta=group(f"<contrib>{NAME}</contrib>") + one + other)) == [(0, 1)]
    assert places(read(meta=group(authors) + group(authors) + one)) == [()] * 4


def test_affiliations_of_editors_are_left_out_and_those_of_group_authors_kept() -> None:
    editor = f'<contrib contrib-type="editor">{NAME}<xref ref-type="aff" rid="a"/></contrib>'
    collab = '<contrib><collab>Rice Group</collab><xref ref-type="aff" rid="b"/></contrib>'
    affs = aff("One Institute", 'id="a"') + aff("Other Institute, China", 'id="b"')
    paper = read(meta=group(editor) + group(collab) + affs)
    assert paper.institutions == (Institution("Other Institute, China", "CN"),)
    assert places(paper) == [(0,)]


def test_the_first_of_alternatives_counts_whatever_its_pointer_names() -> None:
    affs = aff("Other Institute, China", 'id="x" xml:lang="en"') + aff("研究所", 'id="y"')
    paper = read(
        meta=group(point("x") + point("y") + point("z"))
        + f'<aff-alternatives id="z">{affs}</aff-alternatives>'
    )
    assert paper.institutions == (Institution("Other Institute, China", "CN"),)
    assert places(paper) == [(0,)] * 3


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<sup>1</sup>Rice Lab, Peru. E-mail: a@b.pe", Institution("Rice Lab, Peru", "PE")),
        (
            "Rice Lab, Wuhan, China; <email>a@b.cn</email> (S.K.); <email>c@d.cn</email> (J.-y.L.)",
            Institution("Rice Lab, Wuhan, China", "CN"),
        ),
        (
            "<institution>Dept. of Rice</institution><institution>Rice University</institution>"
            "<addr-line>Lima</addr-line><country>Peru</country>",
            Institution("Rice University", "PE"),
        ),
        (
            "<institution content-type='orgname'>CAAS</institution>"
            "<institution content-type='orgdiv1'>Institute of Rice</institution>Beijing, China",
            Institution("CAAS", "CN"),
        ),
        (
            "<institution-wrap><institution-id institution-id-type='ROR'>https://ror.org/02mhbdp94"
            "</institution-id><institution-id institution-id-type='GRID'>g.1</institution-id>"
            "<institution>Universidad de los Andes, </institution></institution-wrap>Bogota",
            Institution("Universidad de los Andes", "", "02mhbdp94"),
        ),
        (
            "<addr-line>Rice Lab</addr-line><addr-line>Lima</addr-line><country>Peru</country>",
            Institution("Rice Lab, Lima, Peru", "PE"),
        ),
        (
            "<addr-line>Rice Lab, </addr-line><addr-line>Lima, </addr-line>Peru",
            Institution("Rice Lab, Lima, Peru", "PE"),
        ),
        ("1 Rice Lab, Athens, Georgia", Institution("Rice Lab, Athens, Georgia")),
        ("<bold>Rice</bold> Lab<!-- ? -->, Peru", Institution("Rice Lab, Peru", "PE")),
    ],
)  # fmt: skip
def test_names_and_countries(inside: str, expected: Institution) -> None:
    assert of(inside) == expected


@pytest.mark.parametrize(
    "inside", ["", "<label>1</label>", "Present address: Lima", "Deceased", "*"]
)
def test_notes_and_empty_affiliations_are_left_out(inside: str) -> None:
    assert read(meta=group(f"<contrib>{NAME}</contrib>") + aff(inside)).institutions == ()


def test_long_affiliations_are_cut_at_a_comma() -> None:
    name = of("Rice Laboratory, " * 40 + "Lima, Peru")
    assert name.country == "PE"
    assert name.name == ", ".join(["Rice Laboratory"] * 17)


def test_many_authors_of_one_group_are_read_in_linear_time() -> None:
    authors = f"<contrib>{NAME}</contrib>" * 20_000
    assert set(places(read(meta=group(authors + aff("Rice Lab"))))) == {(0,)}
