"""Refuses sections from which nothing can be learned, or on which nothing can be tested."""

from __future__ import annotations

import numpy as np

from citescape.core.errors import ConfigError
from citescape.text.sections.gold import allowed_types, sub_test, top_test
from citescape.text.sections.sequences import TYPES, SectionSequences

_FEWEST = 2
"""Papers that must have a section of each type."""


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
