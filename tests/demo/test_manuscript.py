"""Papers as prose: every planned mention is in one sentence of a section of its type."""

from __future__ import annotations

import numpy as np
import pytest

from citescape.demo.citations import SECTIONS
from citescape.demo.manuscript import (
    GeneratedManuscript,
    GeneratedSection,
    GeneratedSentence,
    write_manuscript,
)
from citescape.demo.text import capitalise, strength
from citescape.demo.world import World

COLUMN = {"review": "I", "conclusion": "D"}


def sentences(manuscript: GeneratedManuscript) -> list[tuple[str, GeneratedSentence]]:
    """Every sentence with the column in which it is counted."""
    result: list[tuple[str, GeneratedSentence]] = []

    def walk(part: GeneratedSection) -> None:
        column = COLUMN.get(part.column, part.column)
        if manuscript.work.layout == "letter":
            column = "other"
        lines = [
            *part.paragraphs,
            *(f.caption for f in part.floats),
            *(f.rows for f in part.floats),
        ]
        result.extend((column, sentence) for line in lines for sentence in line)
        for inner in part.parts:
            walk(inner)

    for part in manuscript.body:
        walk(part)
    result.extend(("other", s) for line in manuscript.back.values() for s in line)
    return result


def test_prose_contains_exactly_the_planned_mentions(world: World) -> None:
    counts = np.zeros_like(world.counts)
    for paper in range(world.papers):
        for column, sentence in sentences(write_manuscript(world, paper)):
            assert len(set(sentence.pairs)) == len(sentence.pairs)
            for pair in sentence.pairs:
                assert world.pairs.citing[pair] == paper
                counts[pair, SECTIONS.index(column)] += 1
    assert np.array_equal(counts, world.counts)


def test_only_citing_sentences_have_a_slot(world: World) -> None:
    for paper in range(world.papers):
        for _, sentence in sentences(write_manuscript(world, paper)):
            slots = sentence.text.count("{c}") + sentence.text.count("{n}")
            assert slots == (1 if sentence.pairs else 0), sentence
            assert "{" not in sentence.text.replace("{c}", "").replace("{n}", "")
            if "{n}" in sentence.text:
                assert len(sentence.pairs) == 1


def test_a_manuscript_does_not_depend_on_earlier_manuscripts(world: World) -> None:
    first = write_manuscript(world, 5)
    write_manuscript(world, 6)
    assert write_manuscript(world, 5) == first


def test_every_abstract_names_its_topic_and_its_venue(world: World) -> None:
    for paper in range(world.papers):
        manuscript = write_manuscript(world, paper)
        text = " ".join(manuscript.abstract.values()).lower()
        words = world.voice(paper)
        topic = words.vocabulary.topics[words.topic]
        assert topic.phrases["factor"][words.facets[0]].lower() in text
        assert any(phrase.lower() in text for phrase in words.vocabulary.venues[words.venue].house)


def test_works_without_full_text_have_no_manuscript(world: World) -> None:
    with pytest.raises(ValueError, match="has no full text"):
        write_manuscript(world, world.papers)


def test_strength_words_and_capitals() -> None:
    assert [strength(v) for v in (0.29, 0.3, 0.59, 0.6)] == ["light", "mid", "mid", "core"]
    assert capitalise("x-ray diffraction") == "X-ray diffraction"
    assert capitalise("") == ""
