"""Sizes of ACL-200 as published, and the definition on random graphs of dated papers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.recommend.contexts import COLUMNS, Contexts, read_split
from citescape.recommend.dates import Dates
from citescape.recommend.protocol import (
    PROTOCOLS,
    STRICT_GLOBAL,
    STRICT_PER_QUERY,
    TRAIN_UNION,
    apply_protocol,
)
from tests.recommend.libraries import make_contexts

Row = tuple[str, str, str]


def contexts(rows: Iterable[Row]) -> Contexts:
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    return Contexts(pa.table([pa.array(c, pa.string()) for c in columns], list(COLUMNS)))


def tell_year(paper: str) -> str:
    """Of an id of the ACL Anthology: P15-2138 is of 2015, P79-1001 of 1979."""
    year = int(paper[1:3])
    return str(1900 + year if year > 50 else 2000 + year)


@pytest.fixture(scope="module")
def acl200(data: Path) -> dict[str, Contexts]:
    names = ("train", "val", "test")
    return {name: read_split(data / "acl200" / f"{name}.json.gz") for name in names}


@pytest.mark.parametrize(
    ("protocol", "candidates", "val", "test"),
    [
        (TRAIN_UNION, 7_108, 8_512, 7_072),
        (STRICT_GLOBAL, 7_107, 8_511, 7_066),
        (STRICT_PER_QUERY, 7_108, 8_511, 7_072),
    ],
)
def test_sizes_of_acl200(
    protocol: str, candidates: int, val: int, test: int, acl200: dict[str, Contexts]
) -> None:
    """Table 1 of Profiler; of 7,108 papers J14-1006 alone is an evaluation paper, and of 2014."""
    evaluation = {name: acl200[name] for name in ("val", "test")}
    papers = {id_ for one in acl200.values() for id_ in one.papers.to_pylist()}
    dates = Dates.from_iso({paper: tell_year(paper) for paper in papers})
    made = apply_protocol(protocol, acl200["train"], evaluation, dates=dates)
    assert len(acl200["train"]) == 30_390
    assert len(made.corpus) == candidates
    assert {name: len(one) for name, one in made.splits.items()} == {"val": val, "test": test}
    assert {name: sum(made.dropped[name].values()) for name in evaluation} == {
        "val": 9_381 - val,
        "test": 9_585 - test,
    }
    assert not any(made.find_leaks(dates).values())


def test_all_evaluation_papers_cut_the_corpus_of_every_split(acl200: dict[str, Contexts]) -> None:
    """J14-1006 is a validation paper; were test cut by its own papers, it would be a candidate."""
    papers = {id_ for one in acl200.values() for id_ in one.papers.to_pylist()}
    dates = Dates.from_iso({paper: tell_year(paper) for paper in papers})
    alone = {"test": acl200["test"]}
    made = apply_protocol(STRICT_GLOBAL, acl200["train"], alone, dates=dates)
    assert (len(made.corpus), len(made.splits["test"])) == (7_108, 7_072)
    both = alone | {"val": acl200["val"]}
    made = apply_protocol(STRICT_GLOBAL, acl200["train"], both, dates=dates)
    assert (len(made.corpus), len(made.splits["test"])) == (7_107, 7_066)
    assert "J14-1006" in acl200["val"].citing.to_pylist()


TRAIN = contexts([("t1", "t", "a"), ("t2", "t", "b"), ("t3", "u", "a")])
DATES = Dates.from_iso(
    {"a": "2010", "b": "2016-05", "t": "2017", "u": "", "q": "2016", "r": "2018"}
)


def test_what_is_left_out_is_counted_by_its_reason() -> None:
    asked = contexts(
        [
            ("1", "q", "a"),  # older
            ("2", "q", "b"),  # of the same year
            ("3", "r", "x"),  # in no training context
            ("4", "r", "b"),
            ("5", "r", "u"),  # of no date
            ("6", "u", "a"),  # asked by a paper without one
            ("7", "q", "b"),  # b is not older, but what it cites as well is
            ("7", "q", "a"),
        ]
    )
    strict = apply_protocol(STRICT_PER_QUERY, TRAIN, {"test": asked}, dates=DATES)
    assert strict.dropped["test"] == {
        "cited_not_in_corpus": 1,
        "citing_without_date": 1,
        "cited_not_older": 2,
    }
    assert strict.splits["test"].ids.to_pylist() == ["1", "4", "7"]
    assert strict.splits["test"].pairs.filter(pa.array([False, False, True]))["cited"][0].as_py()
    assert strict.works_dropped == {"test": 1}, "b of 7"
    union = apply_protocol(TRAIN_UNION, TRAIN, {"test": asked})
    assert union.works_dropped == {"test": 0}
    assert union.corpus.to_pylist() == ["a", "b", "t", "u"]
    assert union.dropped == {"corpus": {}, "test": {"cited_not_in_corpus": 1}}
    whole = apply_protocol(STRICT_GLOBAL, TRAIN, {"test": asked}, dates=DATES)
    assert whole.corpus.to_pylist() == ["a"]
    assert whole.dropped["corpus"] == {"evaluation_papers": 1, "without_date": 0, "not_older": 2}
    assert whole.splits["test"].ids.to_pylist() == ["1", "7"]


def test_leaks_are_found() -> None:
    asked = contexts([("t1", "t", "a"), ("2", "q", "b"), ("3", "r", "a")])
    found = apply_protocol(TRAIN_UNION, TRAIN, {"test": asked}).find_leaks()
    assert found == {"contexts_in_training": 1, "citing_in_training": 1, "outside": 0}


def test_a_sentence_under_another_id_is_a_leak() -> None:
    taught = make_contexts([("t", "p", "a", "As [TARGETCIT, OTHERCIT] say, peas grow.")])
    asked = make_contexts(
        [
            ("1", "p", "a", "As [OTHERCIT, TARGETCIT] say,  peas grow."),
            ("2", "p", "a", "As TARGETCIT says, beans grow."),
            ("3", "q", "a", "As TARGETCIT say, peas grow."),  # of another paper
        ]
    )
    found = apply_protocol(TRAIN_UNION, taught, {"test": asked}).find_leaks()
    assert found == {"contexts_in_training": 1, "citing_in_training": 1, "outside": 0}


PAPERS = st.sampled_from("abcdefgh")
ROWS = st.lists(st.tuples(st.integers(0, 9).map(str), PAPERS, PAPERS), min_size=1, max_size=14)
YEARS = st.dictionaries(PAPERS, st.sampled_from(["2010", "2011", "2012", "2013", ""]))


@given(st.sampled_from(sorted(PROTOCOLS)), ROWS, ROWS, YEARS)
def test_candidates_and_contexts_are_those_of_the_definition(
    protocol: str, learned: list[Row], asked: list[Row], years: dict[str, str]
) -> None:
    """Eq. 1: no evaluation paper is a candidate; Eq. 2: candidates are older than the query."""
    training = {(f"t{n}", citing, cited) for n, citing, cited in learned}
    rows = {(f"{citing}{n}", citing, cited) for n, citing, cited in asked}
    year = {paper: int(years.get(paper) or 0) for paper in "abcdefgh"}
    queries = {citing for _, citing, _ in rows}
    corpus = {paper for _, *ends in training for paper in ends}
    if protocol == STRICT_GLOBAL:
        first = min((year[q] for q in queries if year[q]), default=9999)
        corpus = {p for p in corpus - queries if 0 < year[p] < first}
    kept = {
        (context, citing, cited)
        for context, citing, cited in rows
        if cited in corpus and (protocol == TRAIN_UNION or 0 < year[cited] < year[citing])
    }
    given_rows = contexts(sorted(training)), {"test": contexts(sorted(rows))}
    if not kept:
        with pytest.raises(ConfigError, match="cites a candidate"):
            apply_protocol(protocol, *given_rows, dates=Dates.from_iso(years))
        return
    made = apply_protocol(protocol, *given_rows, dates=Dates.from_iso(years))
    assert made.corpus.to_pylist() == sorted(corpus)
    found = {tuple(row.values()) for row in made.splits["test"].pairs.to_pylist()}
    assert found == kept
    lost = len({context for context, *_ in rows}) - len({context for context, *_ in kept})
    assert sum(made.dropped["test"].values()) == lost
    left = {context for context, *_ in kept}
    assert made.works_dropped["test"] == sum(row[0] in left for row in rows - kept)
    leaks = made.find_leaks(Dates.from_iso(years))
    both = {citing for _, citing, _ in kept} & {citing for _, citing, _ in training}
    assert leaks.pop("citing_in_training") == len(both)
    assert not any(leaks.values())


def test_protocols_that_cannot_be() -> None:
    with pytest.raises(ConfigError, match="strict-global, strict-per-query, train-union"):
        apply_protocol("strict", TRAIN, {"test": TRAIN})
    for name in (STRICT_GLOBAL, STRICT_PER_QUERY):
        with pytest.raises(ConfigError, match=f"{name} requires dates"):
            apply_protocol(name, TRAIN, {"test": TRAIN})
