"""Headings that name a section's subject, not its kind: what rules on titles cannot read.

The text below such a heading stays what it was, so that the planted counts tell how well a
learned labeller finds its type.
"""

from __future__ import annotations

from dataclasses import replace

from citescape.demo.manuscript import Manuscript
from citescape.demo.text import write_heading
from citescape.demo.world import World

_STREAM = 3


def write_topical(world: World, manuscript: Manuscript, share: float) -> Manuscript:
    """The paper, with topical headings on most of its sections if it is one of the `share`."""
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
    """Whether `write_topical` changes the paper, but for those without headings."""
    return bool(world.rng(_STREAM, paper).random() < share)
