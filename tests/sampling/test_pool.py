"""The split: random, by anchor, and the same in all samplings."""

from __future__ import annotations

import math
from typing import Any

import pytest

from citescape.networks.citations import Citations
from citescape.sampling.config import ImportanceConfig, SamplingConfig, SpecterConfig
from citescape.sampling.importance import sample_importance
from citescape.sampling.specter import sample_specter
from citescape.sampling.triplets import Triplets
from tests.sampling.conftest import arrays, random_graph, rows, with_text

CITATIONS = arrays(random_graph(300, 12, 7))


def sample(citations: Citations, config: Any, sampling: SamplingConfig) -> Triplets:
    sampler = sample_importance if isinstance(config, ImportanceConfig) else sample_specter
    return sampler(citations, with_text(citations), config, sampling=sampling).triplets


def test_the_split_is_by_anchor() -> None:
    """The share is within three standard deviations of a binomial distribution."""
    for share in (0.0, 0.2, 0.5, 0.9):
        triplets = sample(CITATIONS, ImportanceConfig(3, 1), SamplingConfig(validation=share))
        sides: dict[str, set[str]] = {}
        for row in rows(triplets):
            sides.setdefault(row.anchor, set()).add(row.split)
        assert all(len(found) == 1 for found in sides.values())
        held = sum(found == {"validation"} for found in sides.values())
        spread = 3 * math.sqrt(share * (1 - share) * len(sides))
        assert abs(held - share * len(sides)) <= spread


@pytest.mark.parametrize("config", [ImportanceConfig(3, 1), SpecterConfig(3, 1)])
def test_an_anchor_is_on_the_same_side_in_all_samplings(config: Any) -> None:
    """Excluded papers, the share and the sampler do not affect the side of an anchor."""
    sides = split_of(CITATIONS, ImportanceConfig(3, 1), SamplingConfig())
    fewer = CITATIONS.without(["p000", "p017", "p111"])
    others = [
        split_of(fewer, config, SamplingConfig()),
        split_of(CITATIONS, config, SamplingConfig(share=0.5)),
        split_of(CITATIONS, config, SamplingConfig()),
    ]
    for other in others:
        common = sides.keys() & other.keys()
        assert len(common) > 100
        assert all(sides[anchor] == other[anchor] for anchor in common)


def split_of(citations: Citations, config: Any, sampling: SamplingConfig) -> dict[str, str]:
    """Anchor -> side."""
    return {row.anchor: row.split for row in rows(sample(citations, config, sampling))}


@pytest.mark.parametrize("chance", [1e-9, 1 - 1e-9])
def test_no_side_of_the_split_is_empty(chance: float) -> None:
    triplets = sample(CITATIONS, ImportanceConfig(3, 1), SamplingConfig(validation=chance))
    assert triplets.validation.any()
    assert not triplets.validation.all()
