"""What structured abstracts teach: sentences whose facet their heading tells, the heading hidden.

Learned from are abstracts whose headings name all three facets. Where one is missing, its sentences
stand below another heading: without "Methods", methods are told under "Results".
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from citescape.core.errors import ConfigError
from citescape.core.types import FACETS
from citescape.text.abstracts.abstract import Abstract, cut, sentence_ends
from citescape.text.abstracts.headings import Segment

FEWEST = 2
"""Abstracts that must teach each facet."""


@dataclass(frozen=True)
class GoldAbstract:
    """Sentences of one abstract and their facets."""

    id: str
    sentences: tuple[str, ...]
    facets: tuple[str, ...]


@dataclass
class Gold:
    """The structured abstracts of a corpus."""

    complete: list[GoldAbstract] = field(default_factory=list)
    """Headings outside the text name all three facets."""
    incomplete: list[GoldAbstract] = field(default_factory=list)
    """They name one or two; not learned from."""
    written: list[GoldAbstract] = field(default_factory=list)
    """Headings printed in the text name all three facets; they are taken out of the sentences."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Sentences by the heading that names no facet."""

    def fingerprint(self) -> str:
        """Hash of what is learned from, 32 hex digits."""
        rows = [[one.id, one.sentences, one.facets] for one in self.complete]
        return hashlib.blake2b(json.dumps(rows).encode(), digest_size=16).hexdigest()


def collect_gold(abstracts: Iterable[Abstract]) -> Gold:
    """Sorts out the structured abstracts of a corpus, in their order; others are passed over.

    The order decides the fingerprint and the batches of a training: give them by id.
    """
    gold = Gold()
    for one in abstracts:
        if one.headed:
            found = _labelled(one.id, one.text, one.headed)
            (gold.complete if _complete(found) else gold.incomplete).append(found)
            headings = zip(one.headings, one.known, strict=True)
            gold.left_out.update(heading for heading, facet in headings if facet is None)
        elif _complete(found := _labelled(one.id, one.text, one.written)):
            gold.written.append(found)
    return gold


def check_gold(gold: Gold, where: str) -> None:
    """Refuses a corpus that cannot teach every facet.

    Raises:
        ConfigError: says what was found and what else there is to do.
    """
    if len(gold.complete) >= FEWEST:
        return
    help_ = (
        "use `platform text abstracts label --model rules` or --llm, or load papers that have some"
    )
    if not gold.complete and not gold.incomplete:
        raise ConfigError(
            f"{where} holds no structured abstract; expected some whose headings (Background, "
            f"Methods, Results) teach the facets: {help_}"
        )
    every = [*gold.complete, *gold.incomplete]
    papers = ", ".join(f"{f} in {sum(f in one.facets for one in every)}" for f in FACETS)
    raise ConfigError(
        f"{len(gold.complete)} structured abstracts in {where} have headings for all of "
        f"{', '.join(FACETS)} ({papers}); expected {FEWEST} at least to learn from: {help_}"
    )


def _labelled(id_: str, text: str, segments: Sequence[Segment]) -> GoldAbstract:
    """The sentences of the segments that tell their facet, without headings printed in them."""
    sentences: list[str] = []
    facets: list[str] = []
    for segment in segments:
        if segment.facet:
            part = text[segment.body : segment.end].strip()
            found = cut(part, sentence_ends(part))
            sentences += found
            facets += [segment.facet] * len(found)
    return GoldAbstract(id_, tuple(sentences), tuple(facets))


def _complete(one: GoldAbstract) -> bool:
    return set(one.facets) == set(FACETS)
