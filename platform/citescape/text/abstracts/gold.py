"""Training data of splitters: sentences of structured abstracts, with the facets of their headings.

Headings are hidden. Models are trained on abstracts whose headings name all three facets: where one
is missing, its sentences are below another heading, such as methods below "Results".
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from citescape.core.errors import ConfigError
from citescape.core.types import FACETS
from citescape.text.abstracts.abstract import MainAbstract, cut, sentence_ends
from citescape.text.abstracts.headings import Segment

MIN_ABSTRACTS = 2
"""Minimum number of complete abstracts."""


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
    """Headings outside the text name one or two facets; not used for training."""
    written: list[GoldAbstract] = field(default_factory=list)
    """Headings printed in the text name all three facets; sentences exclude them."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Number of sentences by heading, for headings that name no facet."""

    def fingerprint(self) -> str:
        """Hash of the training data, 32 hex digits."""
        rows = [[abstract.id, abstract.sentences, abstract.facets] for abstract in self.complete]
        return hashlib.blake2b(json.dumps(rows).encode(), digest_size=16).hexdigest()


def collect_gold(abstracts: Iterable[MainAbstract]) -> Gold:
    """The structured abstracts of a corpus, in the given order; others are skipped.

    Pass abstracts in order of id: the order decides the fingerprint and the batches of training.
    """
    gold = Gold()
    for abstract in abstracts:
        labelled = _label(abstract.id, abstract.text, abstract.headed or abstract.written)
        complete = set(labelled.facets) == set(FACETS)
        if abstract.headed:
            (gold.complete if complete else gold.incomplete).append(labelled)
            headings = zip(abstract.headings, abstract.heading_facets, strict=True)
            gold.left_out.update(heading for heading, facet in headings if facet is None)
        elif complete:
            gold.written.append(labelled)
    return gold


def check_gold(gold: Gold, where: str) -> None:
    """Raises ConfigError if the corpus has too few structured abstracts to train on."""
    if len(gold.complete) >= MIN_ABSTRACTS:
        return
    hint = (
        "use `platform text abstracts label --model rules` or --llm, or load papers that have "
        "structured abstracts"
    )
    if not gold.complete and not gold.incomplete:
        raise ConfigError(
            f"{where} holds no structured abstract; expected some with headings such as "
            f"Background, Methods, Results: {hint}"
        )
    structured = [*gold.complete, *gold.incomplete]
    papers = ", ".join(f"{f} in {sum(f in a.facets for a in structured)}" for f in FACETS)
    raise ConfigError(
        f"{len(gold.complete)} structured abstracts in {where} have headings for all of "
        f"{', '.join(FACETS)} ({papers}); expected at least {MIN_ABSTRACTS} to train on: {hint}"
    )


def _label(id_: str, text: str, segments: Sequence[Segment]) -> GoldAbstract:
    """The sentences of the segments with a facet, without headings printed in them."""
    sentences: list[str] = []
    facets: list[str] = []
    for segment in segments:
        if segment.facet:
            part = text[segment.body : segment.end].strip()
            part_sentences = cut(part, sentence_ends(part))
            sentences += part_sentences
            facets += [segment.facet] * len(part_sentences)
    return GoldAbstract(id_, tuple(sentences), tuple(facets))
