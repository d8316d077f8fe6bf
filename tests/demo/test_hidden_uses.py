"""Literatures with a topic in titles and a use in citing sentences."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from citescape.demo.hidden_uses import HiddenUses, generate_hidden_uses, relink, shuffle_words
from citescape.demo.vocabulary import read_vocabulary
from citescape.recommend.contexts import Contexts
from citescape.recommend.masking.mask import TARGET

SEEDS = (0, 1, 7)


@cache
def make_world(seed: int) -> HiddenUses:
    return generate_hidden_uses(seed)


def rows_of(contexts: Contexts) -> list[dict[str, str]]:
    return list(contexts.pairs.to_pylist())


@pytest.mark.parametrize("seed", SEEDS)
def test_titles_name_the_topic_but_not_the_use(seed: int) -> None:
    papers, topics = make_world(seed).library.papers.to_pylist(), read_vocabulary().topics
    titles = [paper["title"].casefold() for paper in papers]
    subjects = {
        f"{factor} and {outcome}".casefold(): topic.name
        for topic in topics
        for factor in topic.phrases["factor"]
        for outcome in topic.phrases["outcome"]
    }
    assert len(set(titles)) == len(titles)
    counted = Counter(subjects[title] for title in titles)
    assert set(counted.values()) == {11 + 5 + 4 + 6}, "as many papers of each topic"
    assert len(counted) == len(topics)
    assert not any(paper["abstract"] for paper in papers)
    uses = {use.casefold() for use in make_world(seed).uses.values()}
    assert not any(use in title for use in uses for title in titles)


@pytest.mark.parametrize("seed", SEEDS)
def test_sentences_name_the_use_without_words_of_the_title(seed: int) -> None:
    world = make_world(seed)
    titles = {paper["id"]: paper["title"] for paper in world.library.papers.to_pylist()}
    for contexts in (world.library.contexts, world.queries):
        for row in rows_of(contexts):
            text = row["text"].casefold()
            assert world.uses[row["cited"]].casefold() in text
            assert not any(part in text for part in titles[row["cited"]].casefold().split(" and "))
            assert row["text"].count(TARGET) == 1
            assert "{" not in row["text"]


@pytest.mark.parametrize("seed", SEEDS)
def test_queries_are_later_and_use_other_words(seed: int) -> None:
    world = make_world(seed)
    dates = {paper["id"]: paper["date"] for paper in world.library.papers.to_pylist()}
    training, queries = rows_of(world.library.contexts), rows_of(world.queries)
    for rows, year in ((training, "2017"), (queries, "2019")):
        assert {dates[row["citing"]] for row in rows} == {year}
        assert all(dates[row["cited"]] < year for row in rows)
        pairs = [(row["citing"], row["cited"]) for row in rows]
        assert len(set(pairs)) == len(pairs), "a work is cited once by a paper"
    assert not {row["text"] for row in training} & {row["text"] for row in queries}
    assert not {row["context"] for row in training} & {row["context"] for row in queries}
    new = {id_ for id_, date in dates.items() if date == "2018"}
    assert not new & {row["cited"] for row in training}
    share = sum(row["cited"] in new for row in queries) / len(queries)
    assert 0.2 < share < 0.34, "new works are four of fifteen"


def test_a_seed_decides_the_literature() -> None:
    again, other = generate_hidden_uses(7), generate_hidden_uses(8)
    same = make_world(7)
    assert again.library.hash() == same.library.hash()
    assert again.queries.pairs.equals(same.queries.pairs)
    assert again.uses == same.uses
    assert other.library.hash() != same.library.hash()


def test_controls_permute_only_their_column() -> None:
    contexts = make_world(0).library.contexts
    for control, column in ((shuffle_words, "text"), (relink, "cited")):
        dealt = control(contexts, seed=3)
        assert dealt.pairs.column_names == contexts.pairs.column_names
        for name in contexts.pairs.column_names:
            before, after = (contexts_.pairs[name].to_pylist() for contexts_ in (contexts, dealt))
            assert (before == after) == (name != column)
            assert Counter(before) == Counter(after), "cited as often, the same sentences"
        assert dealt.pairs.equals(control(contexts, seed=3).pairs)
        assert not dealt.pairs.equals(control(contexts, seed=4).pairs)


def test_controls_leave_few_sentences_with_their_use() -> None:
    world = make_world(0)
    for control in (shuffle_words, relink):
        rows = rows_of(control(world.library.contexts, seed=0))
        kept = sum(world.uses[row["cited"]].casefold() in row["text"].casefold() for row in rows)
        assert kept / len(rows) < 0.05
