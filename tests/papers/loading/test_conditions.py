"""Conditions on papers, compared with SQL of another engine and with plain Python."""

from __future__ import annotations

import sqlite3

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.papers.loading.conditions import COLUMNS, parse_condition

YEARS = (None, 2009, 2010, 2015, 2016)
VENUES = (None, "", "Nature", "J Peas", "it's", "100%", "a_b")
ROWS = [(year, venue) for year in YEARS for venue in VENUES]
PAPERS = pa.table(
    {"year": [year for year, _ in ROWS], "venue": [venue for _, venue in ROWS]},
    schema=pa.schema({"year": pa.int64(), "venue": pa.string()}),
)


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


numbers = st.sampled_from([str(year) for year in YEARS if year] + ["-1", "2010.5"])
texts = st.sampled_from([quoted(venue) for venue in VENUES if venue is not None])
patterns = st.sampled_from(["'N%'", "'%e%'", "'a_b'", "''", "'J Peas'"])
signs = st.sampled_from(["=", "==", "!=", "<>", "<", "<=", ">", ">="])
negations = st.sampled_from(["", "not "])
comparisons = st.one_of(
    st.builds("year {} {}".format, signs, numbers),
    st.builds("venue {} {}".format, signs, texts),
    st.builds("venue {}in ({}, {})".format, negations, texts, texts),
    st.builds("year {}IN ({})".format, negations, numbers),
    st.builds("venue {}like {}".format, negations, patterns),
    st.builds("{} is {}null".format, st.sampled_from(["year", "Venue"]), negations),
)
conditions = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.builds("({} and {})".format, inner, inner),
        st.builds("{} OR {}".format, inner, inner),
        st.builds("not ({})".format, inner),
    ),
    max_leaves=6,
)


@given(conditions)
def test_random_conditions_choose_what_sql_chooses(text: str) -> None:
    with sqlite3.connect(":memory:") as other:
        other.execute("PRAGMA case_sensitive_like = ON")
        other.execute("CREATE TABLE papers (year INTEGER, venue TEXT)")
        other.executemany("INSERT INTO papers VALUES (?, ?)", ROWS)
        expected = other.execute(f"SELECT year, venue FROM papers WHERE {text}").fetchall()
    condition = parse_condition(text)
    found = PAPERS.filter(condition.expression)
    rows = list(zip(found["year"].to_pylist(), found["venue"].to_pylist(), strict=True))
    assert sorted(map(repr, rows)) == sorted(map(repr, expected))
    assert {*condition.columns} == {name for name in ("year", "venue") if name in text.lower()}


def test_truth_values() -> None:
    papers = pa.table({"fulltext": [True, False, None], "id": ["a", "b", "c"]})
    found = papers.filter(parse_condition("fulltext = TRUE or fulltext is null").expression)
    assert found["id"].to_pylist() == ["a", "c"]
    assert parse_condition("not fulltext = false").columns == ("fulltext",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found the end; expected a column of Paper, as in year >= 2015"),
        ("yaer = 3", "no column 'yaer' of Paper; expected one of year"),
        ("impact > 3", "no column 'impact' of Paper; expected one of id, doi, pmid"),
        ("sources = 'x'", "sources is a list; expected a column with one value"),
        ("year = '2015'", "found \"'2015'\"; expected a number for year"),
        ("venue = Nature", "found 'Nature'; expected a text in quotation marks for venue"),
        ("venue = 'Nature", 'found "\'"; expected a text'),
        ("fulltext = 1", "found '1'; expected true or false for fulltext"),
        ("year", "found the end; expected one of =, =="),
        ("year like '2%'", "year is no text"),
        ("year not 3", "found '3'; expected in or like after not"),
        ("year = 2015 venue = 'x'", "found 'venue'; expected and, or, or the end"),
        ("(year = 1", r"found the end; expected )"),
        ("year in ()", r"found '\)'; expected a number"),
        ("year = 99999999999999999999", "expected a number for year"),
        ("year = 1; drop", "found ';'; expected and, or, or the end"),
        ("(" * 60, "at most 50 brackets within each other"),
        ("y" * 10_001, "a condition of 10,001 characters; expected at most 10,000"),
    ],
)
def test_what_is_no_condition_is_explained(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_condition(text)
    assert message.replace("\\", "") in str(error.value)


def test_every_column_of_one_value_may_be_named() -> None:
    for name in COLUMNS:
        assert parse_condition(f"{name} is not null").columns == (name,)
    assert "sources" not in COLUMNS
