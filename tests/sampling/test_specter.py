"""SPECTER triplets: kinds of negatives, compared with sets, and fallbacks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.sampling.config import SamplingConfig, SpecterConfig
from citescape.sampling.pool import SampledTriplets
from citescape.sampling.specter import sample_specter
from tests.sampling.conftest import Graph, Row, arrays, graphs, random_graph, rows, with_text

INDIRECT, BESIDE, RANDOM = "cited by a reference", "cited beside a reference", "random"


def sample(
    graph: Graph, config: SpecterConfig, textless: set[str] | None = None, **sampling: Any
) -> SampledTriplets:
    citations = arrays(graph)
    usable = with_text(citations, without=textless or ())
    return sample_specter(citations, usable, config, sampling=SamplingConfig(**sampling))


def cites(*pairs: str) -> Graph:
    """A graph of pairs such as `a>b`."""
    graph: Graph = {}
    for pair in pairs:
        citing, cited = pair.split(">")
        graph.setdefault(citing, {})[cited] = 1.0
    return graph


class Kinds:
    """Possible roles of papers for an anchor, as sets."""

    def __init__(self, graph: Graph, anchor: str, textless: set[str], both: bool) -> None:
        self.papers = set(graph) | {paper for cited in graph.values() for paper in cited}
        references = set(graph.get(anchor, ()))
        citing = {paper for paper, cited in graph.items() if anchor in cited}
        self.near = references | citing if both else references
        out = self.near | {anchor} | textless
        self.positives = self.near - textless
        self.indirect = {p for r in references for p in graph.get(r, ())} - out
        siblings = {p for p, cited in graph.items() if references & set(cited)} - {anchor}
        self.beside = {p for sibling in siblings for p in graph[sibling]} - out
        self.random = self.papers - out


@settings(max_examples=80, deadline=None)
@given(
    graphs,
    st.integers(1, 5),
    st.integers(0, 3),
    st.sampled_from(["cited-beside", "none"]),
    st.booleans(),
    st.data(),
)
def test_negatives_are_of_their_recorded_kind(
    graph: Graph, positives: int, hard: int, substitute: str, both: bool, data: st.DataObject
) -> None:
    config = SpecterConfig(positives, min(hard, positives), substitute, both)
    papers = sorted(set(graph) | {paper for cited in graph.values() for paper in cited})
    textless = data.draw(st.sets(st.sampled_from(papers), max_size=4))
    sampled = sample(graph, config, textless, seed=data.draw(st.integers(0, 99)))
    picked: dict[str, list[Row]] = {}
    for row in rows(sampled.triplets):
        picked.setdefault(row.anchor, []).append(row)
    lost = short = 0
    for anchor in papers:
        kinds = Kinds(graph, anchor, textless, both)
        found = picked.pop(anchor, [])
        if not kinds.near or anchor in textless:
            assert not found
            continue
        if len(kinds.positives) < positives:
            short += 1
            assert not found
            continue
        lost += positives - len(found)
        if len(found) < positives:
            assert {row.negative for row in found} == kinds.random
        assert {row.positive for row in found} <= kinds.positives
        negatives = [row.negative for row in found]
        assert len(set(negatives)) == len(negatives)
        assert len({row.positive for row in found}) == len(found)
        allowed = {INDIRECT: kinds.indirect, BESIDE: kinds.beside, RANDOM: kinds.random}
        assert all(row.negative in allowed[row.negative_reason] for row in found)
        assert all(row.negative_reason == RANDOM for row in found[config.hard :])
        if substitute == "none":
            assert all(row.negative_reason != BESIDE for row in found)
    assert not picked
    assert sampled.counts["anchors_skipped_short"] == short
    assert sampled.counts["no_random_paper"] == lost
    reasons = [row.negative_reason for row in rows(sampled.triplets)]
    assert sampled.counts["hard_cited_by_reference"] == reasons.count(INDIRECT)
    assert sampled.counts["hard_cited_beside_reference"] == reasons.count(BESIDE)


def only(sampled: SampledTriplets, anchor: str = "a") -> list[Row]:
    return [row for row in rows(sampled.triplets) if row.anchor == anchor]


def test_hard_negatives_are_cited_by_references_only() -> None:
    """b cites a, c, x: only x is neither the anchor nor cited by it."""
    graph = cites("a>b", "a>c", "b>a", "b>c", "b>x", "far>off")
    (row,) = only(sample(graph, SpecterConfig(1, 1)))
    assert (row.negative, row.negative_reason) == ("x", INDIRECT)
    first, second = only(sample(graph, SpecterConfig(2, 2)))
    assert (first.negative, first.negative_reason) == ("x", INDIRECT)
    assert second.negative_reason == RANDOM, "x is taken, and there is no other"
    assert second.negative in {"far", "off"}


def test_co_cited_papers_are_the_fallback_for_hard_negatives() -> None:
    """s also cites the reference b of the anchor, together with y."""
    graph = cites("a>b", "s>b", "s>y", "far>off")
    (row,) = only(sample(graph, SpecterConfig(1, 1)))
    assert (row.negative, row.negative_reason) == ("y", BESIDE)
    without = sample(graph, SpecterConfig(1, 1, substitute="none"))
    (row,) = only(without)
    assert row.negative_reason == RANDOM
    assert row.negative in {"s", "y", "far", "off"}
    assert without.counts["hard_made_random"] == len(without.triplets)


def test_missing_hard_negatives_become_random_and_are_counted() -> None:
    graph = cites("a>b", "a>c", "far>off")
    sampled = sample(graph, SpecterConfig(2, 1))
    assert sampled.counts == {
        "anchors": 2,
        "anchors_of_other_types": 0,
        "anchors_without_text": 0,
        "anchors_skipped_short": 1,
        "hard_cited_by_reference": 0,
        "hard_cited_beside_reference": 0,
        "hard_made_random": 1,
        "no_random_paper": 0,
    }
    assert {row.negative for row in only(sampled)} == {"far", "off"}


def test_counts_refer_to_the_requested_triplets() -> None:
    """Two anchors have two hard negatives each; two of three triplets are hard."""
    graph = cites("a>b", "a>c", "d>e", "d>f", "far>off")
    sampled = sample(graph, SpecterConfig(2, 1), triplets=3)
    assert (len(sampled.triplets), sampled.counts["hard_made_random"]) == (3, 2)
    assert sample(graph, SpecterConfig(2, 1), triplets=1).counts["hard_made_random"] == 1


def test_papers_without_text_link_papers_but_are_in_no_triplet() -> None:
    graph = cites("a>b", "a>c", "c>x", "far>off")
    (row,) = only(sample(graph, SpecterConfig(1, 1), {"c"}))
    assert (row.positive, row.negative, row.negative_reason) == ("b", "x", INDIRECT)


def test_citing_papers_may_be_positives() -> None:
    graph = cites("a>b", "z>a", "far>off", "off>far")
    assert sample(graph, SpecterConfig(2, 0)).counts["anchors_skipped_short"] == 4
    sampled = sample(graph, SpecterConfig(2, 0, both_directions=True))
    assert {row.positive for row in only(sampled)} == {"b", "z"}
    assert {row.negative for row in only(sampled)} == {"far", "off"}
    assert sampled.counts["anchors"] == 5, "all are cited or cite"


def test_positives_are_sampled_uniformly() -> None:
    graph = cites(*(f"a>r{k}" for k in range(5)), "far>off")
    found = [only(sample(graph, SpecterConfig(1, 0), seed=seed))[0] for seed in range(300)]
    counts = [sum(row.positive == f"r{k}" for row in found) for k in range(5)]
    assert all(abs(count - 60) < 5 * 60**0.5 for count in counts)


def test_the_order_of_rows_does_not_matter() -> None:
    graph = random_graph(150, 9, 2)
    pairs = sum(map(len, graph.values()))
    expected = rows(sample(graph, SpecterConfig()).triplets)
    turned = arrays(graph, range(pairs - 1, -1, -1))
    assert rows(sample_specter(turned, with_text(turned), SpecterConfig()).triplets) == expected
    assert len(expected) > 100


def test_split_share_and_number() -> None:
    graph = random_graph(150, 9, 2)
    triplets = sample(graph, SpecterConfig(3, 1), validation=0.25).triplets
    held = {row.anchor for row in rows(triplets) if row.split == "validation"}
    trained = {row.anchor for row in rows(triplets) if row.split == "train"}
    assert not held & trained
    assert abs(len(held) / len(held | trained) - 0.25) < 0.1
    some = sample(graph, SpecterConfig(3, 1), share=0.2).triplets
    assert some.anchors == round(0.2 * triplets.anchors)
    assert len(sample(graph, SpecterConfig(3, 1), triplets=50).triplets) == 50


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"positives": 0}, "positives is 0; expected"),
        ({"hard": 6}, "5 triplets .* 6 hard .*; expected H of 0 to K"),
        ({"substitute": "any"}, "substitute is 'any'; expected one of: cited-beside, none"),
    ],
)
def test_invalid_parameters_are_refused(settings_: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        SpecterConfig(**settings_)
