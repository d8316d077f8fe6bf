"""Known types, hidden titles, tested sections."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from citescape.text.sections.gold import (
    allowed_types,
    draw_hidden_titles,
    revealing_titles,
    sub_test,
    top_test,
)
from citescape.text.sections.sequences import TYPES, SectionSequences

Build = Callable[..., SectionSequences]
PAPER = (("Introduction", 1), ("Rice", 1), ("Methods", 1), ("Seedlings", 2), ("Statistics", 2),
         ("Funding", 1), ("Results", 1), ("Field", 2), ("Plots", 3))  # fmt: skip


def titled(sections: SectionSequences, flags: object) -> list[str]:
    titles = np.array(sections.texts("title"))
    return list(titles[flags])


def test_rules_allow_one_type_and_no_rule_allows_all(build: Build) -> None:
    allowed = allowed_types(build(PAPER))
    assert allowed.sum(1).tolist() == [1, len(TYPES), 1, 1, 1, 1, 1, 1, 1]
    assert TYPES[allowed[2].argmax()] == "M"


def test_topics_of_reviews_are_other(build: Build) -> None:
    allowed = allowed_types(build((("Introduction", 1), ("Rice", 1)), kind="review-article"))
    assert [TYPES[k] for k in allowed.argmax(1)] == ["I", "other"]
    assert allowed.sum(1).tolist() == [1, 1]


def test_other_is_excluded_without_examples(build: Build) -> None:
    allowed = allowed_types(build((("Introduction", 1), ("Rice", 1))))
    assert allowed[1].tolist() == [True, True, True, True, False]


def test_revealing_titles_are_hidden(build: Build) -> None:
    sections = build(PAPER)
    hidden = titled(sections, revealing_titles(sections))
    assert hidden == ["Introduction", "Rice", "Methods", "Funding", "Results", "Field"]


def test_sections_used_for_testing(build: Build) -> None:
    sections = build(PAPER)
    assert titled(sections, top_test(sections)) == ["Introduction", "Methods", "Results"]
    assert titled(sections, sub_test(sections)) == ["Seedlings", "Field", "Plots"]
    assert not (revealing_titles(sections) & sub_test(sections))[[3, 8]].any()


def test_each_epoch_hides_all_or_some_titles(build: Build) -> None:
    sections = build(*[PAPER] * 50)
    rng = np.random.default_rng(0)
    all_hidden = draw_hidden_titles(sections, 1.0, rng)
    assert all_hidden[revealing_titles(sections)].all()
    some = draw_hidden_titles(sections, 0.0, rng)[revealing_titles(sections)]
    assert 0 < some.sum() < len(some)
    again = draw_hidden_titles(sections, 0.0, np.random.default_rng(3))
    assert (again == draw_hidden_titles(sections, 0.0, np.random.default_rng(3))).all()
