"""Control: importance is permuted within each reference list."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.sampling.config import ImportanceConfig
from citescape.sampling.controls import shuffle_importance
from citescape.sampling.importance import sample_importance
from tests.sampling.conftest import Graph, arrays, graphs, random_graph, rows, with_text


@settings(max_examples=50, deadline=None)
@given(graphs, st.integers(0, 1000))
def test_each_list_keeps_its_works_and_importance_values(graph: Graph, seed: int) -> None:
    citations = arrays(graph)
    shuffled = shuffle_importance(citations, seed=seed)
    assert shuffled.ids.equals(citations.ids)
    assert (shuffled.cited == citations.cited).all()
    assert (shuffled.indptr == citations.indptr).all()
    for first, last in zip(citations.indptr[:-1], citations.indptr[1:], strict=True):
        before, after = (c.weights[first:last] for c in (citations, shuffled))
        assert sorted(before) == sorted(after)
    again = shuffle_importance(citations, seed=seed)
    assert (again.weights == shuffled.weights).all()


def test_works_are_equally_likely_to_be_the_most_important() -> None:
    graph = {"a": {f"r{k}": float(k) for k in range(6)}}
    citations = arrays(graph)
    counts = [0] * 6
    for seed in range(600):
        counts[int(shuffle_importance(citations, seed=seed).weights.argmax())] += 1
    # binomial: 100 of 600 each, with standard deviation (600 * 1/6 * 5/6) ** .5 = 9.1
    assert all(abs(count - 100) < 4 * 9.1 for count in counts)


def test_the_sampler_uses_permuted_importance() -> None:
    """Ranks are the same, but the works at these ranks differ."""
    citations = arrays(random_graph(60, 12, 3, levels=50))
    usable, config = with_text(citations), ImportanceConfig(3, 1, contradictions="keep")
    own = rows(sample_importance(citations, usable, config).triplets)
    other = rows(sample_importance(shuffle_importance(citations, seed=1), usable, config).triplets)
    assert [(r.anchor, r.positive_rank) for r in own] == [
        (r.anchor, r.positive_rank) for r in other
    ]
    same = sum(a.pair == b.pair for a, b in zip(own, other, strict=True))
    assert 0 < same < 0.3 * len(own)
