"""What is known of section types without a model, and what an honest test hides of it.

Rules read types off titles, so a test on titles that rules can read says nothing about the rest:
titles are hidden that would give the answer away. TOP: sections at the top level with a type of
their own, all top-level titles hidden. SUB: subsections that have their type from the section
above, whose title is hidden. A section's own title stays where it is no answer. Another subsection
whose title rules can read ("Statistical analysis") is a hint that stays too, as it does where a
model is needed; `all_telling` hides those as well.
"""

from __future__ import annotations

import numpy as np

from citescape.core.errors import ConfigError
from citescape.text.sections.sequences import OTHER, TYPES, Flags, SectionSequences

REVIEWS = ("review-article", "systematic-review")
_FEWEST = 2
"""Papers that must have a section of each type."""


def allowed_types(sections: SectionSequences) -> Flags:
    """(n, types) which types each section may have.

    One where a rule tells it. Topical sections of reviews are `other`: they report neither
    methods nor results of their own. Of what is left all are possible, but not `other` in a
    corpus that has no example of it.
    """
    known = sections.ruled | in_reviews(sections)
    types = np.where(sections.ruled, sections.rule_types, OTHER)
    every = np.ones(len(TYPES), bool)
    every[OTHER] = bool((known & (types == OTHER)).any())
    allowed: Flags = np.where(known[:, None], np.eye(len(TYPES), dtype=bool)[types], every)
    return allowed


def in_reviews(sections: SectionSequences) -> Flags:
    """(n,) the section stands in a review."""
    return np.isin(np.array(sections.texts("article_type"), object), REVIEWS)


def answers(sections: SectionSequences) -> Flags:
    """(n,) sections whose title would tell a type: those at the top and all that have others."""
    found = sections.top.copy()
    found[sections.parents[sections.parents >= 0]] = True
    return found


def all_telling(sections: SectionSequences) -> Flags:
    """(n,) `answers`, and every other section whose title rules read: no title says a type."""
    found: Flags = answers(sections) | sections.own_rule
    return found


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
    """(n,) titles to hide in one round of training.

    In `share` of the papers all that are answers, as in the tests; in the others each with a
    probability drawn for the paper, as when a model fills the gaps that rules leave. One title in
    twenty is hidden besides.
    """
    papers = len(sections.offsets) - 1
    rates = np.where(rng.random(papers) < share, 1.0, rng.random(papers))
    rates = np.repeat(rates, np.diff(sections.offsets))
    hidden = answers(sections) & (rng.random(len(sections)) < rates)
    return hidden | (rng.random(len(sections)) < 0.05)


def check_types(sections: SectionSequences) -> None:
    """Refuses sections that cannot teach the four types of a research paper.

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
    """Refuses sections on which one of the two tests asks nothing.

    Raises:
        ConfigError: says which sections are missing.
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
