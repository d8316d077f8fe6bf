"""The citing sentences of a world with their planted intents, in SciCite's format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from citescape.demo.manuscript import Part, write_manuscript
from citescape.demo.world import World


def write_examples(world: World, path: Path) -> int:
    """Writes one JSON line a citing sentence of the bodies; returns how many.

    Fields: `string`, `sectionName`, `label`, `citeStart`, `citeEnd`. All markers are numbers; a
    sentence whose wording tells no intent (a caption, a table row) is left out.
    """
    lines = [
        json.dumps(example, ensure_ascii=False)
        for paper in range(world.papers)
        for part in write_manuscript(world, paper).body
        for example in _examples(part, part.heading)
    ]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def _examples(part: Part, heading: str) -> Iterator[dict[str, object]]:
    """Those of a section and of all below it, under the heading at the top."""
    for paragraph in part.paragraphs:
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
    for inner in part.parts:
        yield from _examples(inner, heading)
