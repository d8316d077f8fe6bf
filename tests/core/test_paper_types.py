"""Types of papers and groups of types."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.core.paper_types import GROUPS, RESEARCH, expand_types, select_types
from citescape.store.queries import query

TYPES = pa.chunked_array([["research-article", "review-article", None, "", "editorial"]])


def test_groups_and_names_are_mixed() -> None:
    assert select_types(TYPES, ("research",)).tolist() == [True, False, False, False, False]
    assert select_types(TYPES, ("unknown", "editorial")).tolist() == [
        False,
        False,
        True,
        True,
        True,
    ]
    assert select_types(TYPES, ("all",)).all()


def test_a_type_that_no_paper_has_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"no paper has the type 'novel'.*editorial.*unknown"):
        select_types(TYPES, ("novel",))


def test_groups_are_disjoint() -> None:
    every = [type_ for types in GROUPS.values() for type_ in types]
    assert len(every) == len(set(every))


def test_the_list_of_important_works_counts_research() -> None:
    """The default of the query is the default of the scores."""
    assert query("explore/most_important").defaults["types"] == list(expand_types(RESEARCH))


def test_a_column_without_a_type_is_unknown() -> None:
    assert select_types(pa.chunked_array([pa.nulls(2)]), ("unknown",)).all()
    assert json.dumps(list(expand_types(("review",)))) == '["review-article", "systematic-review"]'
