"""The model of pairs: frequencies by chance, log-odds that rise, names."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.csr import count_up
from citescape.ingest.author_pairs import iterate_pairs
from citescape.ingest.author_scores import (
    DIFFERENT,
    FEATURES,
    SAME,
    ScoredPairs,
    _rising_ratios,
    count_contradictions,
    estimate_model,
)
from citescape.ingest.author_statistics import count_names
from citescape.ingest.authors import collect_pairs, read_citations
from citescape.ingest.names import (
    CONTRADICTION,
    SAME_FIRST,
    SAME_INITIALS,
    SAME_NAME,
    UNKNOWN,
    read_given_names,
)
from citescape.ingest.signatures import Signatures, flatten, read_signatures, spell_names
from tests.ingest.test_authors import CITES, Names, by_lines

a_name = st.tuples(
    st.sampled_from(["Rarity", "Wang"]), st.sampled_from(["", "A", "AB", "ABC", "AC", "B", "Anna"])
)


def signatures(lines: dict[str, Names]) -> Signatures:
    papers = by_lines(lines).sort_by("id")
    return read_signatures(flatten(papers), papers)


def score_pairs(lines: dict[str, Names]) -> ScoredPairs:
    papers = by_lines(lines).sort_by("id")
    citations = read_citations(papers, pa.Table.from_pylist([], CITES))
    names = count_names(spell_names(flatten(papers)))
    scorer = collect_pairs(signatures(lines), citations, names, papers.num_rows)
    return scorer.score(estimate_model(scorer.count()))


@given(st.lists(a_name, min_size=1, max_size=9), st.lists(st.booleans(), min_size=9, max_size=9))
def test_contradicting_initials_are_counted_without_looking_at_pairs(
    names: list[tuple[str, str]], flags: list[bool]
) -> None:
    s = signatures({f"p{i}": [name] for i, name in enumerate(names)})
    citing = np.array(flags[: len(names)])
    expected = np.zeros(3)
    for i, j in combinations(range(len(names)), 2):
        a, b = s.names.initials[s.given[i]], s.names.initials[s.given[j]]
        if s.block[i] == s.block[j] and ((a != b) & (a > 0) & (b > 0)).any():
            expected[int(citing[s.paper[i]]) + int(citing[s.paper[j]])] += 1
    assert count_contradictions(s, citing).tolist() == expected.tolist()


@given(st.lists(st.tuples(st.floats(0.001, 1), st.floats(0.001, 1)), min_size=1, max_size=8))
def test_ratios_rise_and_keep_their_total(shares: list[tuple[float, float]]) -> None:
    same, different = (np.array(column) for column in zip(*shares, strict=True))
    ratios = _rising_ratios(same, different)
    assert (np.diff(ratios) >= -1e-9).all()
    assert (ratios * different).sum() == pytest.approx(same.sum())


def test_shares_sum_to_one() -> None:
    assert tuple(SAME) == tuple(DIFFERENT) == FEATURES
    for shares in (*SAME.values(), *DIFFERENT.values()):
        assert sum(shares) == pytest.approx(1)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("J.", "Jun", UNKNOWN),
        ("J. A.", "J. A. B.", SAME_INITIALS),
        ("JA", "JB", CONTRADICTION),
        ("Jun", "Jian", CONTRADICTION),
        ("Jun", "Junping", CONTRADICTION),
        ("Jian-Ping", "Jian-Peng", CONTRADICTION),
        ("Zi-chao", "Zichao", SAME_NAME),
        ("Anna", "Anna Maria", SAME_FIRST),
        ("Anna M.", "Anna Maria", SAME_FIRST),
        ("Anna K.", "Anna Maria", CONTRADICTION),
        ("José", "Jose", SAME_NAME),
    ],
)
def test_given_names_are_compared(one: str, other: str, expected: int) -> None:
    names = read_given_names([one, other])
    ends = np.array([0]), np.array([1])
    assert names.compare(*ends).tolist() == names.compare(*ends[::-1]).tolist() == [expected]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("ANNA", "Anna Maria", SAME_FIRST),
        ("WEI", "Wei", SAME_NAME),
        ("WEI X.", "Wei Xing", SAME_FIRST),
        ("JEAN", "Jean-Paul", SAME_FIRST),
        ("JAM", "James", UNKNOWN),
        ("JAM", "J. A.", SAME_INITIALS),
        ("JAM", "JAN", CONTRADICTION),
    ],
)
def test_capitals_are_a_name_if_the_surname_has_it(one: str, other: str, expected: int) -> None:
    s = signatures({"p": [("Rarity", one)], "q": [("Rarity", other)], "r": [("Wang", "Jam")]})
    first, second = s.given[[0]], s.given[[1]]
    assert s.names.compare(first, second).tolist() == [expected]
    assert s.names.compare(second, first).tolist() == [expected]


def test_rare_coauthors_and_rare_names_weigh_more() -> None:
    lines: dict[str, Names] = {
        "p": [("Rarity", "A"), ("Blackwood", "J")],
        "q": [("Rarity", "A"), ("Blackwood", "J")],
        "r": [("Wang", "L"), ("Zhang", "Y")],
        "s": [("Wang", "L"), ("Zhang", "Y")],
    }
    lines |= {f"x{i}": [("Wang", "L")] for i in range(9)}
    lines |= {f"y{i}": [("Zhang", "Y")] for i in range(300)}
    s = signatures(lines)
    pairs = score_pairs(lines)
    score = {
        (s.paper[i], s.paper[j], s.position[i]): value
        for i, j, value in zip(pairs.left, pairs.right, pairs.score, strict=True)
    }
    assert score[0, 1, 0] > score[2, 3, 0]


def test_pairs_count_what_papers_share() -> None:
    name = ("Rarity", "A")
    co: Names = [("Blackwood", "J"), ("Thornton", "K")]
    lines: dict[str, Names] = {"p": [name, *co], "q": [*co, name], "r": [name], "w": [], "v": []}
    cites = [("p", "w"), ("q", "w"), ("p", "q"), ("v", "p"), ("v", "r")]
    papers = by_lines(lines).sort_by("id")
    s = signatures(lines)
    table = pa.Table.from_pylist([{"from": a, "to": b} for a, b in cites], CITES)
    ids = papers["id"].to_pylist()
    found = {}
    for pairs in iterate_pairs(s, read_citations(papers, table), papers.num_rows):
        for i in range(len(pairs.left)):
            one, two = pairs.left[i], pairs.right[i]
            if s.block[one] == s.block[0]:
                found["".join(sorted(ids[s.paper[end]] for end in (one, two)))] = (
                    round(float(pairs.coauthors[i] / np.log(2**17 / 2)), 6),
                    bool(pairs.citation[i]),
                    int(pairs.coupling[i]),
                    int(pairs.cocitation[i]),
                )
    assert found == {"pq": (2, True, 1, 0), "pr": (0, False, 0, 1), "qr": (0, False, 0, 0)}


def test_a_corpus_without_pairs_has_no_scores() -> None:
    lines: dict[str, Names] = {"p": [("Rarity", "A")]}
    assert len(score_pairs(lines).score) == 0


def test_counting_up_restarts_and_skips_zeros() -> None:
    assert count_up(np.array([2, 0, 3])).tolist() == [0, 1, 0, 1, 2]
