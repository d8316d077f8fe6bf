"""The planted truth is consistent and reproducible."""

from __future__ import annotations

from collections import Counter
from dataclasses import astuple

import numpy as np
import pytest

from citescape.core.errors import ConfigError
from citescape.core.identifiers import (
    normalise_doi,
    normalise_orcid,
    normalise_pmcid,
    normalise_pmid,
)
from citescape.demo.citations import (
    DISCUSSION,
    INTRODUCTION,
    OTHER,
    PERFUNCTORY,
    compute_closeness,
)
from citescape.demo.people import orcid
from citescape.demo.recovery import compute_rank_correlation
from citescape.demo.world import World, generate_world


def test_the_same_seed_gives_the_same_world(world: World) -> None:
    again = generate_world(papers=60, seed=7)
    assert again.works == world.works
    assert again.society == world.society
    for ours, theirs in zip(astuple(world.pairs), astuple(again.pairs), strict=True):
        assert np.array_equal(ours, theirs)
    assert np.array_equal(world.counts, again.counts)
    assert generate_world(papers=60, seed=8).works != world.works


@pytest.mark.parametrize(
    "wrong", [{"papers": 49}, {"references": 0}, {"outside": -1.0}, {"seed": -1}]
)
def test_invalid_sizes_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="expected at least 50 papers"):
        generate_world(**wrong)  # type: ignore[arg-type]


def test_pairs_are_distinct_and_point_back_in_time(world: World) -> None:
    pairs = list(zip(world.pairs.citing.tolist(), world.pairs.cited.tolist(), strict=True))
    assert pairs == sorted(set(pairs))
    assert {citing for citing, _ in pairs} == set(range(world.papers))
    assert all(world.works[j].year < world.works[i].year for i, j in pairs)
    assert any(j < world.papers for _, j in pairs)
    assert any(j >= world.papers for _, j in pairs)


def test_self_citation_is_a_shared_person(world: World) -> None:
    pairs = zip(world.pairs.citing.tolist(), world.pairs.cited.tolist(), strict=True)
    shared = [bool({*world.works[i].authors} & {*world.works[j].authors}) for i, j in pairs]
    assert shared == world.pairs.self_citation.tolist()
    assert 0.05 < np.mean(shared) < 0.4


def test_importance_depends_on_closeness_self_citation_and_standing(world: World) -> None:
    pairs = world.pairs
    foundational = np.array([world.works[j].foundational for j in pairs.cited.tolist()])
    expected = 0.6 * pairs.closeness + 0.15 * pairs.self_citation
    expected = expected + 0.2 * pairs.closeness * foundational
    noise = (pairs.importance - expected)[(pairs.importance > 0) & (pairs.importance < 1)]
    assert pairs.importance.min() >= 0
    assert pairs.importance.max() <= 1
    assert abs(noise.std() - 0.1) < 0.03


def test_perfunctory_citations_have_at_most_one_mention(world: World) -> None:
    mentions = world.counts.sum(axis=1)
    perfunctory = world.pairs.importance < PERFUNCTORY
    assert mentions[perfunctory].max() == 1
    assert (mentions[perfunctory] == 0).any(), "some are listed and never mentioned"
    assert mentions[~perfunctory].min() >= 1
    assert mentions[~perfunctory].mean() > 2


def test_mentions_grow_with_importance(world: World) -> None:
    mentions = world.counts.sum(axis=1).astype(float)
    engaged = world.pairs.importance >= PERFUNCTORY
    assert compute_rank_correlation(mentions[engaged], world.pairs.importance[engaged]) > 0.3


def test_layouts_decide_the_section_type_of_mentions(world: World) -> None:
    layout = np.array([world.works[i].layout for i in world.pairs.citing.tolist()])
    assert world.counts[layout == "combined"][:, DISCUSSION].sum() == 0
    assert world.counts[layout == "letter"][:, :OTHER].sum() == 0
    assert world.counts[layout == "plain"][:, DISCUSSION].sum() > 0


def test_perfunctory_citations_depend_on_venue_and_important_citations_on_topic(
    world: World,
) -> None:
    works, pairs = world.works, world.pairs
    ends = list(zip(pairs.citing.tolist(), pairs.cited.tolist(), strict=True))
    topic = np.array([works[i].topic == works[j].topic for i, j in ends])
    venue = np.array([works[i].venue == works[j].venue for i, j in ends])
    light = pairs.importance < PERFUNCTORY
    assert topic[~light].mean() > 0.9
    assert topic[light].mean() < 0.2
    assert venue[light].mean() > 2 * venue[~light].mean()


def test_closeness_equals_its_formula() -> None:
    world = generate_world(papers=50, seed=1)
    for i, j, close in zip(
        world.pairs.citing.tolist(),
        world.pairs.cited.tolist(),
        world.pairs.closeness.tolist(),
        strict=True,
    ):
        a, b = world.works[i], world.works[j]
        equal = sum(x == y for x, y in zip(a.facets, b.facets, strict=True)) / len(a.facets)
        same_topic = 0.5 + 0.5 * equal
        expected = same_topic if a.topic == b.topic else 0.2 if a.field == b.field else 0.0
        assert close == pytest.approx(expected)
    assert compute_closeness.__doc__


def test_people_include_namesakes_and_valid_orcids(world: World) -> None:
    persons = world.society.persons
    names = Counter((person.surname, person.initials[0]) for person in persons)
    assert sum(count > 1 for count in names.values()) >= 5
    orcids = [person.orcid for person in persons if person.orcid]
    assert len(orcids) == len(set(orcids))
    assert 0.3 < len(orcids) / len(persons) < 0.6
    assert all(normalise_orcid(text) == text for text in orcids)
    # the example of the ORCID documentation, its digits as a number
    assert orcid(21825009) == "0000-0002-1825-0097"


def test_identifiers_are_unique_and_in_normal_form(world: World) -> None:
    for kind, normalise in (("doi", normalise_doi), ("pmid", normalise_pmid)):
        result = [text for work in world.works if (text := getattr(work, kind))]
        assert len(result) == len(set(result))
        assert all(normalise(text) == text for text in result)
    pmcids = [work.pmcid for work in world.works[: world.papers]]
    assert all(normalise_pmcid(text) == text for text in pmcids)
    titles = [work.title.casefold() for work in world.works]
    assert len(titles) == len(set(titles))
    assert any(work.doi is None and work.pmid is None for work in world.works)


def test_mentions_are_ordered_by_pair_and_introductions_are_mostly_background(world: World) -> None:
    mentions = world.mentions
    assert (np.diff(mentions.pair) >= 0).all()
    assert mentions.counts(len(world.pairs)).sum() == len(mentions.pair)
    assert (mentions.intent[mentions.role == INTRODUCTION] == 0).mean() > 0.6
    assert set(mentions.intent[mentions.role == OTHER].tolist()) <= {0}
