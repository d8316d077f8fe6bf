"""Rules: labels are the best path through the points of the sentences."""

from __future__ import annotations

from itertools import pairwise, product

from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.types import FACETS
from citescape.text.abstracts.facets import FACET_INDEX
from citescape.text.abstracts.rules import RuleSplitter, compute_points, label_by_rules

ABSTRACT = (
    "Rice is one of the most important crops worldwide. ",
    "However, little is known about its roots. ",
    "We performed a field trial using 40 cultivars. ",
    "Plants were grown for two years. ",
    "Yields were significantly higher, by 12% (P < 0.01). ",
    "Our results suggest that roots matter.",
)
CUES = (*ABSTRACT, "It rained. ", "We found roots in the pots that were used. ", "")


def test_cues_and_order_label_an_abstract_without_headings() -> None:
    expected = ("background", "background", "method", "method", "result", "result")
    assert label_by_rules(ABSTRACT) == expected


@settings(deadline=None)
@given(st.lists(st.sampled_from(CUES), min_size=1, max_size=6))
def test_no_path_has_more_points(sentences: list[str]) -> None:
    """Compared with all 3^n paths: points of sentences, minus 3 for each step back in facets."""
    each = compute_points(sentences)

    def points(path: tuple[int, ...]) -> float:
        own = sum(each[i, k] for i, k in enumerate(path))
        return float(own - 3 * sum(max(a - b, 0) for a, b in pairwise(path)))

    result = tuple(FACET_INDEX[facet] for facet in label_by_rules(sentences))
    best = max(points(path) for path in product(range(3), repeat=len(sentences)))
    assert abs(points(result) - best) < 1e-9


def test_rules_are_a_splitter() -> None:
    rules = RuleSplitter()
    first, empty = rules([ABSTRACT, ()])
    assert (first.source, first.run) == ("rules", rules.record.id)
    assert empty.facets == ()
    assert rules.record.id == RuleSplitter().record.id
    assert {"version", "headings", "sentences"} <= rules.record.config.keys()
    assert set(label_by_rules(["x"] * 1000)) == set(FACETS)
