"""Names that mean one person: one test per rule."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.ingest.authors import EVIDENCE, neighbourhood_authors
from citescape.ingest.names import block_names, initials_of
from tests.ingest.papers import ORCID, OTHER_ORCID

COLUMNS = {"surnames": 0, "givens": 1, "orcids": 2, "roles": 3}
Names = Sequence[tuple[str, ...]]
LISTS = pa.list_(pa.string())
PAPERS = pa.schema(
    [("id", pa.string()), *((name, LISTS) for name in COLUMNS), ("venue", pa.string())]
)
CITES = pa.schema([("from", pa.string()), ("to", pa.string())])


def by_lines(lines: dict[str, Names], venues: dict[str, str] | None = None) -> pa.Table:
    """Papers with names (surname, given, ORCID or '', role); cited-only papers have no ORCIDs."""
    rows = []
    for paper, names in lines.items():
        full = [(*name, *("", "author")[len(name) - 2 :]) for name in names]
        row = {column: [name[i] for name in full] for column, i in COLUMNS.items()}
        rows.append({"id": paper, **row, "venue": (venues or {}).get(paper)})
    return pa.Table.from_pylist(rows, PAPERS)


def people(
    lines: dict[str, Names], *, venues: dict[str, str] | None = None, cites: Names = ()
) -> dict[tuple[str, int], tuple[str, str]]:
    """(paper, position) -> (author, evidence)."""
    pairs = pa.Table.from_pylist([{"from": a, "to": b} for a, b in cites], CITES)
    result = neighbourhood_authors(by_lines(lines, venues), pairs)
    return {
        (row["paper"], row["position"]): (row["author"], row["evidence"])
        for row in result.to_pylist()
    }


def same(result: dict[tuple[str, int], tuple[str, str]], a: str, b: str) -> bool:
    """Whether the first names of two papers are one person."""
    return result[a, 0][0] == result[b, 0][0]


def test_an_orcid_joins_different_names():
    authors = people({"p": [("Wu", "X", ORCID)], "q": [("Smith", "Ann", ORCID)]})
    assert authors["p", 0] == authors["q", 0] == (f"orcid:{ORCID}", "orcid")


def test_different_orcids_are_different_people():
    line = ("Blackwood", "J R")
    authors = people(
        {"p": [("Rarity", "A B", ORCID), line], "q": [("Rarity", "A B", OTHER_ORCID), line]},
        venues={"p": "j", "q": "j"},
        cites=[("p", "q")],
    )
    assert not same(authors, "p", "q")
    assert authors["p", 1][0] == authors["q", 1][0]


def test_a_name_between_two_orcids_does_not_join_them():
    co = ("Blackwood", "J R")
    authors = people(
        {
            "p": [("Rarity", "A", ORCID), co],
            "q": [("Rarity", "A"), co],
            "r": [("Rarity", "A", OTHER_ORCID), co],
        }
    )
    assert len({authors[paper, 0][0] for paper in "pqr"}) == 3


def test_an_unmatched_name_does_not_join_others():
    co = ("Blackwood", "J R")
    authors = people(
        {
            "p": [("Rarity", "A", ORCID), co],
            "q": [("Rarity", "A"), co],
            "r": [("Rarity", "A", OTHER_ORCID), co],
        }
    )
    assert authors["q", 0][1] == "none"
    assert authors["q", 1][1] == "coauthor"


def test_contradicting_initials_are_two_people():
    authors = people(
        {
            "p": [("Rarity", "A B"), ("Blackwood", "J")],
            "q": [("Rarity", "A"), ("Blackwood", "J"), ("Thornton", "K")],
            "r": [("Rarity", "A C"), ("Thornton", "K")],
            "s": [("Rarity", "A C"), ("Thornton", "K")],
        }
    )
    assert len({authors[paper, 0][0] for paper in "pqr"}) == 3
    assert same(authors, "r", "s")
    assert [authors[paper, 0][1] for paper in "pqrs"] == ["none", "none", "coauthor", "coauthor"]


def test_an_orcid_joins_contradicting_initials():
    authors = people({"p": [("Rarity", "A B", ORCID)], "q": [("Rarity", "A C", ORCID)]})
    assert same(authors, "p", "q")


def test_a_shared_rare_coauthor_makes_one_person():
    authors = people(
        {"p": [("Rarity", "A"), ("Blackwood", "J")], "q": [("Rarity", "A B"), ("Blackwood", "J R")]}
    )
    assert same(authors, "p", "q")
    assert authors["p", 0][1] == "coauthor"


def test_a_name_in_capitals_is_no_initials():
    co = ("Blackwood", "J")
    assert same(
        people({"p": [("Rarity", "ANNA"), co], "q": [("Rarity", "Anna Maria"), co]}), "p", "q"
    )


def test_equal_names_alone_do_not_join():
    authors = people({"p": [("Rarity", "A")], "q": [("Rarity", "A")]})
    assert not same(authors, "p", "q")
    assert authors["p", 0] == ("author:p@0", "none")


def test_other_initials_are_other_people():
    co = ("Blackwood", "J")
    assert not same(people({"p": [("Rarity", "AC"), co], "q": [("Rarity", "AB"), co]}), "p", "q")
    assert same(people({"p": [("Rarity", "A"), co], "q": [("Rarity", "AB"), co]}), "p", "q")


@pytest.mark.parametrize(("each", "together"), [(2, True), (10, True), (100, False)])
def test_frequent_coauthors_are_no_evidence(each: int, together: bool):
    pair = [("Wang", "L"), ("Zhang", "Y")]
    lines: dict[str, Names] = {"p": pair, "q": pair}
    for i in range(each - 2):
        lines[f"w{i}"], lines[f"z{i}"] = [("Wang", "L")], [("Zhang", "Y")]
    assert same(people(lines), "p", "q") == together


def test_a_citation_with_two_shared_names_joins():
    common: Names = [("Wang", "L"), ("Zhang", "Y")]
    crowd: dict[str, Names] = {
        f"x{i}{n}": [name] for i in range(80) for n, name in enumerate(common)
    }
    lines = {"p": common, "q": common, **crowd}
    assert not same(people(lines), "p", "q")
    authors = people(lines, cites=[("p", "q")])
    assert same(authors, "p", "q")
    assert authors["p", 1][0] == authors["q", 1][0]
    assert authors["p", 0][1] == "citation"


@pytest.mark.parametrize(("others", "together"), [(0, True), (150, False)])
def test_a_citation_with_one_shared_name_joins_a_rare_name_only(others: int, together: bool):
    lines = {"p": [("Wang", "L"), ("Ng", "P")], "q": [("Wang", "L"), ("Ito", "K")]}
    lines |= {f"x{i}": [("Wang", "L")] for i in range(others)}
    assert same(people(lines, cites=[("p", "q")]), "p", "q") == together


def test_papers_cited_together_are_of_one_person_if_the_name_is_rare():
    lines: dict[str, Names] = {"p": [], "q": [("Rarity", "A")], "r": [("Rarity", "A")]}
    cites = [("p", "q"), ("p", "r")]
    assert not same(people(lines), "q", "r")
    assert people(lines, cites=cites)["q", 0] == ("author:q@0", "citation")
    assert same(people(lines, cites=cites), "q", "r")


def test_full_given_names_that_differ_are_two_people():
    co = ("Blackwood", "J")
    names = [("Jun", "Jian"), ("Jianping", "Jian-Peng"), ("Anna Maria", "Anna Lena")]
    for one, other in names:
        assert not same(people({"p": [("Wang", one), co], "q": [("Wang", other), co]}), "p", "q")
    for one, other in [("Zi-chao", "Zichao"), ("Anna", "Anna Maria"), ("J.", "Jun")]:
        assert same(people({"p": [("Wang", one), co], "q": [("Wang", other), co]}), "p", "q")


def test_two_names_on_one_by_line_are_two_people():
    co = ("Blackwood", "J R")
    authors = people(
        {"p": [("Rarity", "A"), ("Rarity", "A"), co], "q": [("Rarity", "A"), co]},
        cites=[("p", "q")],
    )
    assert authors["p", 0][0] != authors["p", 1][0]


def test_a_venue_joins_a_full_rare_name_only():
    venues = {"p": "j", "q": "j"}
    two = people({"p": [("Rarity", "A B")], "q": [("Rarity", "A B")]}, venues=venues)
    joined = people({"p": [("Rarity", "A")], "q": [("Rarity", "A")]}, venues=venues)
    assert same(two, "p", "q")
    assert two["p", 0][1] == "venue"
    assert not same(joined, "p", "q")
    elsewhere = {"p": "j", "q": "k"}
    assert not same(
        people({"p": [("Rarity", "A B")], "q": [("Rarity", "A B")]}, venues=elsewhere), "p", "q"
    )


def test_an_orcid_beside_a_group_is_not_that_of_the_group():
    first, second = (("Maize Group", "", orcid, "group") for orcid in (ORCID, "other"))
    authors = people({"p": [first, second], "q": [("Li", "Wei", ORCID)]})
    assert authors["p", 0] == authors["p", 1]
    assert authors["q", 0] == (f"orcid:{ORCID}", "orcid") != authors["p", 0]


def test_a_group_is_not_a_person_of_the_same_name():
    group = ("Maize Consortium", "", "", "group")
    authors = people({"p": [group], "q": [group], "r": [("Maize Consortium", "")]})
    assert same(authors, "p", "q")
    assert authors["p", 0][1] == "group"
    assert not same(authors, "p", "r")


def test_a_repeated_name_is_not_its_own_coauthor():
    authors = people({"p": [("Rarity", "A"), ("Rarity", "A")], "q": [("Rarity", "A")]})
    assert len({author for author, _ in authors.values()}) == 3


def test_a_cut_author_list_is_matched_by_the_names_it_has():
    full = [("Rarity", "A"), ("Blackwood", "J"), ("Thornton", "K"), ("Greave", "M")]
    authors = people({"p": full, "q": full[:2]})
    assert [authors["p", i][0] == authors["q", i][0] for i in range(2)] == [True, True]


def test_by_lines_over_fifty_names_give_no_coauthors():
    crowd = [(f"Name{chr(97 + i // 26)}{chr(97 + i % 26)}", "A") for i in range(51)]
    assert not same(people({"p": crowd, "q": crowd}), "p", "q")
    assert same(people({"p": crowd[:50], "q": crowd[:50]}), "p", "q")


def test_papers_without_authors_give_no_people():
    assert people({"p": [], "q": []}) == {}
    assert people({}) == {}
    assert list(people({"p": [], "q": [("Rarity", "A")]})) == [("q", 0)]


a_name = st.tuples(
    st.sampled_from(["Rarity", "Blackwood", "Wang", "Müller"]),
    st.sampled_from(["", "A", "A B", "AB", "A C", "B"]),
    st.sampled_from(["", "", "", ORCID, OTHER_ORCID]),
    st.sampled_from(["author", "author", "group"]),
)


@given(
    st.dictionaries(st.sampled_from("pqrstu"), st.lists(a_name, max_size=4)),
    st.dictionaries(st.sampled_from("pqrstu"), st.sampled_from("jk")),
    st.lists(st.tuples(st.sampled_from("pqrstu"), st.sampled_from("pqrstu")), max_size=5),
    st.randoms(use_true_random=False),
)
def test_people_do_not_depend_on_the_order_of_papers_or_citations(
    lines: dict[str, Names], venues: dict[str, str], cites: Names, rng: random.Random
):
    cites = [(a, b) for a, b in cites if a in lines and b in lines]
    before = people(lines, venues=venues, cites=cites)
    papers = {paper: lines[paper] for paper in rng.sample(sorted(lines), len(lines))}
    assert people(papers, venues=venues, cites=rng.sample(cites, len(cites))) == before
    assert set(before) == {(paper, i) for paper, names in lines.items() for i in range(len(names))}
    assert {evidence for _, evidence in before.values()} <= set(EVIDENCE)
    known: dict[str, set[str]] = {}
    for (paper, i), (author, _) in before.items():
        if lines[paper][i][3] != "group":
            known.setdefault(author, set()).add(lines[paper][i][2])
    assert all(len(orcids - {""}) <= 1 for orcids in known.values())
    for author, names in initials_by_author(lines, before).items():
        assert author.startswith("orcid:") or all(
            longer.startswith(name) for name, longer in pairwise(sorted(names))
        )


def initials_by_author(
    lines: dict[str, Names], result: dict[tuple[str, int], tuple[str, str]]
) -> dict[str, set[str]]:
    """Initials of every person, as `a`, `ab`, ...; initials of groups do not matter."""
    called: dict[str, set[str]] = {}
    for (paper, i), (author, _) in result.items():
        name = lines[paper][i]
        if name[3] != "group":
            called.setdefault(author, set()).add(name[1].replace(" ", "").lower())
    return called


@pytest.mark.parametrize(
    ("given", "initials"),
    [
        ("Ming-Che", "mc"),
        ("J. A.", "ja"),
        ("JA", "ja"),
        ("J.-P.", "jp"),
        ("Élodie", "e"),
        ("Anna Maria", "am"),
        ("MARIA", "m"),
        ("", ""),
        ("李", "李"),
    ],
)
def test_given_names_are_reduced_to_initials(given: str, initials: str):
    assert initials_of([given]) == [initials]


def test_surnames_that_differ_in_case_accents_spaces_and_hyphens_are_one():
    assert (
        len(set(block_names(["van der Berg", "Vander-Berg", "VANDER BERG", "Van Dér Berg"]))) == 1
    )
    assert block_names(["Berg", "Burg"]) == ["berg", "burg"]
