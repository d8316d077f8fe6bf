"""Headings that name the subject of a section, from which rules cannot derive its type.

The text below such a heading does not change, so the planted counts measure how well a learned
labeller predicts section types.
"""

from __future__ import annotations

from dataclasses import replace

from citescape.demo.manuscript import GeneratedManuscript
from citescape.demo.text import write_heading
from citescape.demo.world import World

_STREAM = 3


def write_topical(
    world: World, manuscript: GeneratedManuscript, share: float
) -> GeneratedManuscript:
    """The paper, with topical headings on most of its sections if it is in the `share`."""
    rng = world.rng(_STREAM, manuscript.work.index)
    if rng.random() >= share:
        return manuscript
    voice, body = world.voice(manuscript.work.index), []
    for part in manuscript.body:
        if part.heading and rng.random() >= 0.2:
            heading = write_heading(voice, f"topical.{part.column}", rng)
            body.append(replace(part, heading=heading))
        else:
            body.append(part)
    return replace(manuscript, body=tuple(body))


def is_topical(world: World, paper: int, share: float) -> bool:
    """Whether `write_topical` changes the headings of the paper, if it has any."""
    return bool(world.rng(_STREAM, paper).random() < share)
