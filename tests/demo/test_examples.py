"""Planted intents as training data, and headings that rules cannot read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from citescape.demo.citations import INTENTS
from citescape.demo.examples import write_examples
from citescape.demo.jats_writer import write_jats
from citescape.demo.manuscript import write_manuscript
from citescape.demo.topical import is_topical
from citescape.demo.world import World
from citescape.loaders.jats import read_jats
from citescape.text.intents.scicite import read_examples

SHARE = 0.4


def test_examples_have_the_format_of_scicite(world: World, tmp_path: Path) -> None:
    count = write_examples(world, tmp_path / "examples.jsonl")
    result = read_examples([tmp_path / "examples.jsonl"])
    assert len(result) == count > 500
    assert {intent for example in result for intent in example.intents} == set(INTENTS)


def test_sentences_have_the_planted_intents(world: World) -> None:
    planted = Counter[int]()
    for pair, intent in zip(world.mentions.pair, world.mentions.intent, strict=True):
        planted[int(pair) * 3 + int(intent)] += 1
    written = Counter[int]()
    for paper in range(world.papers):
        for sentence in write_manuscript(world, paper).sentences():
            if sentence.intent:
                written.update(pair * 3 + INTENTS.index(sentence.intent) for pair in sentence.pairs)
    assert not written - planted
    assert written.total() > 0.9 * planted.total()


def test_topical_headings_change_only_section_types(world: World) -> None:
    papers = range(24)
    chosen = [paper for paper in papers if is_topical(world, paper, SHARE)]
    assert len(chosen) / len(papers) < 2 * SHARE
    left = 0
    for paper in papers:
        original = read_jats(write_jats(world, paper), "a.xml")
        topical = read_jats(write_jats(world, paper, topical=SHARE), "a.xml")
        assert (topical == original) == (paper not in chosen) or not original.sections[0].title
        assert len(topical.occurrences) == len(original.occurrences)
        assert len(topical.sections) == len(original.sections)
        left += sum(s.type_source == "none" and s.kind == "body" for s in topical.sections)
    assert left > len(chosen)
