from __future__ import annotations

import pytest

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.evaluation.config import Prefilter
from citescape.evaluation.prefilter import prefilter
from tests.evaluation.literatures import ABSTRACT, build

TEXTS = [
    Document("one", "x" * 30),  # cites 2, not cited
    Document("two", "x" * 29),
    Document("", ABSTRACT),
    Document("four", ABSTRACT),  # cited by 0, cites 1, 2: three links
    Document("five", ABSTRACT),
]
WORLD = build({0: [3, 4, 1], 3: [1, 2], 1: [4]}, 5, years={4: 0}, documents=TEXTS)


def test_excluded_papers_are_counted_by_reason() -> None:
    found = prefilter(WORLD)
    assert found.dropped == {"no_year": 1, "no_title": 1, "short_abstract": 1, "few_citations": 0}
    assert found.papers.tolist() == [True, False, False, True, False]


def test_limits_are_inclusive() -> None:
    assert prefilter(WORLD, Prefilter(min_abstract=29, min_citations=3)).papers.tolist() == [
        True,
        True,
        False,
        True,
        False,
    ]
    assert (
        prefilter(WORLD, Prefilter(min_abstract=0, min_citations=4)).papers.tolist() == [False] * 5
    )
    assert prefilter(WORLD, Prefilter(min_abstract=0, min_citations=0)).papers.tolist() == [
        True,
        True,
        False,
        True,
        False,
    ]
    with pytest.raises(ConfigError, match="0 or more"):
        Prefilter(min_abstract=-1)
