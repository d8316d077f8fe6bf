"""Section types that are known without a model, and titles that a test hides.

Rules read types from titles, so a test must hide titles that rules can read. TOP: sections at the
top level with a type of their own; all top-level titles are hidden. SUB: subsections that have
their type from the section above, whose title is hidden. Other titles are shown, as when a model is
applied, also those of other subsections that rules can read ("Statistical analysis");
`all_revealing_titles` hides these too.
"""

from __future__ import annotations

import numpy as np

from citescape.core.errors import ConfigError
from citescape.text.sections.sequences import OTHER, TYPES, Flags, SectionSequences

REVIEWS = ("review-article", "systematic-review")
_MIN_PAPERS = 2
"""Minimum number of papers with a section of each type."""


def allowed_types(sections: SectionSequences) -> Flags:
    """(n, types) possible types of each section.

    A single one if a rule gives it. Topical sections of reviews are `other`: they report neither
    methods nor results of their own. The remaining sections may have any type, but `other` only in
    a corpus with an example of it.
    """
    known = sections.ruled | in_reviews(sections)
    types = np.where(sections.ruled, sections.rule_types, OTHER)
    every = np.ones(len(TYPES), bool)
    every[OTHER] = bool((known & (types == OTHER)).any())
    allowed: Flags = np.where(known[:, None], np.eye(len(TYPES), dtype=bool)[types], every)
    return allowed


def in_reviews(sections: SectionSequences) -> Flags:
    """(n,) true for sections of reviews."""
    return np.isin(np.array(sections.texts("article_type"), object), REVIEWS)


def revealing_titles(sections: SectionSequences) -> Flags:
    """(n,) sections whose title names a type: those at the top level and all parents of others."""
    hidden = sections.top.copy()
    hidden[sections.parents[sections.parents >= 0]] = True
    return hidden


def all_revealing_titles(sections: SectionSequences) -> Flags:
    """(n,) `revealing_titles`, and all other sections whose title rules can read."""
    hidden: Flags = revealing_titles(sections) | sections.own_rule
    return hidden


def top_test(sections: SectionSequences) -> Flags:
    """(n,) sections of the test TOP, without the type `other`."""
    titled = np.array([bool(title) for title in sections.texts("title")], bool)
    tested: Flags = sections.top & sections.own_rule & titled & (sections.rule_types != OTHER)
    return tested


def sub_test(sections: SectionSequences) -> Flags:
    """(n,) sections of the test SUB, without the type `other`."""
    inherited = ~sections.top & sections.ruled & ~sections.own_rule
    tested: Flags = inherited & (sections.rule_types != OTHER)
    return tested


def draw_hidden_titles(sections: SectionSequences, share: float, rng: np.random.Generator) -> Flags:
    """(n,) titles to hide in one epoch of training.

    One in twenty of all other titles is hidden too.

    Args:
        sections: n sections.
        share: share of papers in which all `revealing_titles` are hidden, as in the tests. In the
            other papers each is hidden with a probability drawn for the paper, as in papers where
            rules type only some sections.
        rng: source of randomness.
    """
    papers = len(sections.offsets) - 1
    rates = np.where(rng.random(papers) < share, 1.0, rng.random(papers))
    rates = np.repeat(rates, np.diff(sections.offsets))
    hidden = revealing_titles(sections) & (rng.random(len(sections)) < rates)
    return hidden | (rng.random(len(sections)) < 0.05)


def check_types(sections: SectionSequences) -> None:
    """Raises ConfigError if too few papers have sections of one of the types I, M, R, D.

    The message names the missing types, and the number of papers with each type.
    """
    paper = np.repeat(np.arange(len(sections.offsets) - 1), np.diff(sections.offsets))
    known = allowed_types(sections).sum(1) == 1
    types = allowed_types(sections).argmax(1)
    papers = {name: len(np.unique(paper[known & (types == k)])) for k, name in enumerate(TYPES)}
    missing = [name for name, n in papers.items() if n < _MIN_PAPERS and name != "other"]
    if missing:
        counts = ", ".join(f"{name} in {count}" for name, count in papers.items())
        raise ConfigError(
            f"rules find sections of type {', '.join(missing)} in fewer than {_MIN_PAPERS} papers "
            f"(papers with each type: {counts}); expected {_MIN_PAPERS} of each type to train on: "
            "load more papers, or use the rules"
        )


def check_tests(sections: SectionSequences) -> None:
    """Raises ConfigError, which names the missing sections, if TOP or SUB has none."""
    tests = {
        "TOP: top-level sections whose title rules can read": top_test(sections),
        "SUB: subsections that have their type from the section above": sub_test(sections),
    }
    for name, tested in tests.items():
        if not tested.any():
            raise ConfigError(
                f"no sections to test on in {sections.papers} papers; expected for {name}: "
                "load more papers"
            )
