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


def year_of_id(paper: str) -> str:
    """Year of an ACL Anthology id: P15-2138 is from 2015, P79-1001 from 1979."""
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
    """Table 1 of Profiler. Of 7,108 papers only J14-1006 (2014) is an evaluation paper."""
    evaluation = {name: acl200[name] for name in ("val", "test")}
    papers = {id_ for split in acl200.values() for id_ in split.papers.to_pylist()}
    dates = Dates.from_iso({paper: year_of_id(paper) for paper in papers})
    benchmark = apply_protocol(protocol, acl200["train"], evaluation, dates=dates)
    assert len(acl200["train"]) == 30_390
    assert len(benchmark.corpus) == candidates
    assert {name: len(split) for name, split in benchmark.splits.items()} == {
        "val": val,
        "test": test,
    }
    assert {name: sum(benchmark.dropped[name].values()) for name in evaluation} == {
        "val": 9_381 - val,
        "test": 9_585 - test,
    }
    assert not any(benchmark.find_leaks(dates).values())


def test_evaluation_papers_of_all_splits_are_removed_from_the_corpus(
    acl200: dict[str, Contexts],
) -> None:
    """J14-1006 is a validation paper. It is not a candidate in the test split either."""
    papers = {id_ for split in acl200.values() for id_ in split.papers.to_pylist()}
    dates = Dates.from_iso({paper: year_of_id(paper) for paper in papers})
    alone = {"test": acl200["test"]}
    benchmark = apply_protocol(STRICT_GLOBAL, acl200["train"], alone, dates=dates)
    assert (len(benchmark.corpus), len(benchmark.splits["test"])) == (7_108, 7_072)
    both = alone | {"val": acl200["val"]}
    benchmark = apply_protocol(STRICT_GLOBAL, acl200["train"], both, dates=dates)
    assert (len(benchmark.corpus), len(benchmark.splits["test"])) == (7_107, 7_066)
    assert "J14-1006" in acl200["val"].citing.to_pylist()


TRAIN = contexts([("t1", "t", "a"), ("t2", "t", "b"), ("t3", "u", "a")])
DATES = Dates.from_iso(
    {"a": "2010", "b": "2016-05", "t": "2017", "u": "", "q": "2016", "r": "2018"}
)


def test_dropped_contexts_are_counted_by_reason() -> None:
    queries = contexts(
        [
            ("1", "q", "a"),  # older
            ("2", "q", "b"),  # same year
            ("3", "r", "x"),  # in no training context
            ("4", "r", "b"),
            ("5", "r", "u"),  # cited paper without date
            ("6", "u", "a"),  # citing paper without date
            ("7", "q", "b"),  # b is not older, but a is
            ("7", "q", "a"),
        ]
    )
    strict = apply_protocol(STRICT_PER_QUERY, TRAIN, {"test": queries}, dates=DATES)
    assert strict.dropped["test"] == {
        "cited_not_in_corpus": 1,
        "citing_without_date": 1,
        "cited_not_older": 2,
    }
    assert strict.splits["test"].ids.to_pylist() == ["1", "4", "7"]
    assert strict.splits["test"].pairs.filter(pa.array([False, False, True]))["cited"][0].as_py()
    assert strict.works_dropped == {"test": 1}, "b of 7"
    union = apply_protocol(TRAIN_UNION, TRAIN, {"test": queries})
    assert union.works_dropped == {"test": 0}
    assert union.corpus.to_pylist() == ["a", "b", "t", "u"]
    assert union.dropped == {"corpus": {}, "test": {"cited_not_in_corpus": 1}}
    whole = apply_protocol(STRICT_GLOBAL, TRAIN, {"test": queries}, dates=DATES)
    assert whole.corpus.to_pylist() == ["a"]
    assert whole.dropped["corpus"] == {"evaluation_papers": 1, "without_date": 0, "not_older": 2}
    assert whole.splits["test"].ids.to_pylist() == ["1", "7"]


def test_leaks_are_counted() -> None:
    queries = contexts([("t1", "t", "a"), ("2", "q", "b"), ("3", "r", "a")])
    found = apply_protocol(TRAIN_UNION, TRAIN, {"test": queries}).find_leaks()
    assert found == {"contexts_in_training": 1, "citing_in_training": 1, "outside": 0}


def test_a_sentence_under_another_id_is_a_leak() -> None:
    training = make_contexts([("t", "p", "a", "As [TARGETCIT, OTHERCIT] say, peas grow.")])
    queries = make_contexts(
        [
            ("1", "p", "a", "As [OTHERCIT, TARGETCIT] say,  peas grow."),
            ("2", "p", "a", "As TARGETCIT says, beans grow."),
            ("3", "q", "a", "As TARGETCIT say, peas grow."),  # another citing paper
        ]
    )
    found = apply_protocol(TRAIN_UNION, training, {"test": queries}).find_leaks()
    assert found == {"contexts_in_training": 1, "citing_in_training": 1, "outside": 0}


PAPERS = st.sampled_from("abcdefgh")
ROWS = st.lists(st.tuples(st.integers(0, 9).map(str), PAPERS, PAPERS), min_size=1, max_size=14)
YEARS = st.dictionaries(PAPERS, st.sampled_from(["2010", "2011", "2012", "2013", ""]))


@given(st.sampled_from(sorted(PROTOCOLS)), ROWS, ROWS, YEARS)
def test_candidates_and_contexts_equal_the_definition(
    protocol: str, learned: list[Row], query_rows: list[Row], years: dict[str, str]
) -> None:
    """Eq. 1: no evaluation paper is a candidate; Eq. 2: candidates are older than the query."""
    training = {(f"t{n}", citing, cited) for n, citing, cited in learned}
    rows = {(f"{citing}{n}", citing, cited) for n, citing, cited in query_rows}
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
    benchmark = apply_protocol(protocol, *given_rows, dates=Dates.from_iso(years))
    assert benchmark.corpus.to_pylist() == sorted(corpus)
    found = {tuple(row.values()) for row in benchmark.splits["test"].pairs.to_pylist()}
    assert found == kept
    lost = len({context for context, *_ in rows}) - len({context for context, *_ in kept})
    assert sum(benchmark.dropped["test"].values()) == lost
    left = {context for context, *_ in kept}
    assert benchmark.works_dropped["test"] == sum(row[0] in left for row in rows - kept)
    leaks = benchmark.find_leaks(Dates.from_iso(years))
    both = {citing for _, citing, _ in kept} & {citing for _, citing, _ in training}
    assert leaks.pop("citing_in_training") == len(both)
    assert not any(leaks.values())


def test_invalid_protocols_are_refused() -> None:
    with pytest.raises(ConfigError, match="strict-global, strict-per-query, train-union"):
        apply_protocol("strict", TRAIN, {"test": TRAIN})
    for name in (STRICT_GLOBAL, STRICT_PER_QUERY):
        with pytest.raises(ConfigError, match=f"{name} requires dates"):
            apply_protocol(name, TRAIN, {"test": TRAIN})
