"""Section types that are known without a model, and titles that a test hides.

Rules read types from titles, so a test on titles that rules can read says nothing about the others:
titles that name the answer are hidden. TOP: sections at the top level with a type of their own, all
top-level titles hidden. SUB: subsections that have their type from the section above, whose title
is hidden. Other titles are shown, also those of other subsections that rules can read ("Statistical
analysis"), as where a model is used; `all_telling` hides those as well.
"""

from __future__ import annotations

import numpy as np

from citescape.core.errors import ConfigError
from citescape.text.sections.sequences import OTHER, TYPES, Flags, SectionSequences

REVIEWS = ("review-article", "systematic-review")
_FEWEST = 2
"""Minimum number of papers with a section of each type."""


def allowed_types(sections: SectionSequences) -> Flags:
    """(n, types) possible types of each section.

    One where a rule gives it. Topical sections of reviews are `other`: they report neither methods
    nor results of their own. The remaining sections may have any type, but `other` only in a corpus
    with an example of it.
    """
    known = sections.ruled | in_reviews(sections)
    types = np.where(sections.ruled, sections.rule_types, OTHER)
    every = np.ones(len(TYPES), bool)
    every[OTHER] = bool((known & (types == OTHER)).any())
    allowed: Flags = np.where(known[:, None], np.eye(len(TYPES), dtype=bool)[types], every)
    return allowed


def in_reviews(sections: SectionSequences) -> Flags:
    """(n,) the section is in a review."""
    return np.isin(np.array(sections.texts("article_type"), object), REVIEWS)


def answers(sections: SectionSequences) -> Flags:
    """(n,) sections whose title names a type: those at the top level and all parents of others."""
    hidden = sections.top.copy()
    hidden[sections.parents[sections.parents >= 0]] = True
    return hidden


def all_telling(sections: SectionSequences) -> Flags:
    """(n,) `answers`, and every other section whose title rules read."""
    hidden: Flags = answers(sections) | sections.own_rule
    return hidden


def top_test(sections: SectionSequences) -> Flags:
    """(n,) the sections of the test TOP; none of them is `other`."""
    titled = np.array([bool(title) for title in sections.texts("title")], bool)
    tested: Flags = sections.top & sections.own_rule & titled & (sections.rule_types != OTHER)
    return tested


def sub_test(sections: SectionSequences) -> Flags:
    """(n,) the sections of the test SUB; none of them is `other`."""
    inherited = ~sections.top & sections.ruled & ~sections.own_rule
    tested: Flags = inherited & (sections.rule_types != OTHER)
    return tested


def hide_some(sections: SectionSequences, share: float, rng: np.random.Generator) -> Flags:
    """(n,) titles to hide in one epoch of training.

    In `share` of the papers all `answers`, as in the tests; in the others each with a probability
    drawn for the paper, as where rules type some sections. One in twenty of all titles is hidden
    besides.
    """
    papers = len(sections.offsets) - 1
    rates = np.where(rng.random(papers) < share, 1.0, rng.random(papers))
    rates = np.repeat(rates, np.diff(sections.offsets))
    hidden = answers(sections) & (rng.random(len(sections)) < rates)
    return hidden | (rng.random(len(sections)) < 0.05)


def check_types(sections: SectionSequences) -> None:
    """Refuses sections that cannot train the four types of a research paper.

    Raises:
        ConfigError: names the types that are missing, and how many papers have each.
    """
    paper = np.repeat(np.arange(len(sections.offsets) - 1), np.diff(sections.offsets))
    known = allowed_types(sections).sum(1) == 1
    types = allowed_types(sections).argmax(1)
    papers = {name: len(np.unique(paper[known & (types == k)])) for k, name in enumerate(TYPES)}
    missing = [name for name, n in papers.items() if n < _FEWEST and name != "other"]
    if missing:
        found = ", ".join(f"{name} in {count}" for name, count in papers.items())
        raise ConfigError(
            f"sections of type {', '.join(missing)} are told by rules in fewer than {_FEWEST} "
            f"papers (papers with each type: {found}); expected some of each to learn from: "
            "load more papers, or stay with the rules"
        )


def check_tests(sections: SectionSequences) -> None:
    """Refuses sections without any for one of the two tests.

    Raises:
        ConfigError: names the missing sections.
    """
    tests = {
        "TOP: top-level sections whose title rules read": top_test(sections),
        "SUB: subsections that have their type from the section above": sub_test(sections),
    }
    for wanted, tested in tests.items():
        if not tested.any():
            raise ConfigError(
                f"nothing to test on among {sections.papers} papers, expected for {wanted}; "
                "load more papers"
            )
