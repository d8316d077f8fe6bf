"""Citing sentences of a world with their planted intents, in SciCite's format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from citescape.demo.manuscript import GeneratedSection, write_manuscript
from citescape.demo.world import World


def write_examples(world: World, path: Path) -> int:
    """Writes one JSON line per citing sentence in the bodies; returns their number.

    Fields: `string`, `sectionName`, `label`, `citeStart`, `citeEnd`. All markers are numbers.
    Sentences without a planted intent (captions, table rows) are skipped.
    """
    lines = [
        json.dumps(example, ensure_ascii=False)
        for paper in range(world.papers)
        for section in write_manuscript(world, paper).body
        for example in _examples(section, section.heading)
    ]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def _examples(section: GeneratedSection, heading: str) -> Iterator[dict[str, object]]:
    """Examples of a section and its subsections, with the heading of the top section."""
    for paragraph in section.paragraphs:
        for sentence in paragraph:
            if not sentence.intent:
                continue
            text = sentence.text.replace("{c}", " [1]").replace("{n}", "Smith et al. [1]")
            start = text.index("[1]")
            yield {
                "string": text,
                "sectionName": heading,
                "label": sentence.intent,
                "citeStart": start,
                "citeEnd": start + len("[1]"),
            }
    for inner in section.parts:
        yield from _examples(inner, heading)
