"""The three parts of an abstract and the contract of a split.

FLeW, section 3.2: background, "the context or previous knowledge related to the topic"; method,
"the methodology, approach, or contribution"; result, "the findings, outcomes, or conclusions". Each
sentence belongs to exactly one part, the text is unchanged, and a part may be empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from citescape.core.errors import ConfigError
from citescape.core.types import FACETS
from citescape.runs.directory import RunRecord
from citescape.text.abstracts.abstract import cut

FACET_INDEX = {facet: k for k, facet in enumerate(FACETS)}

Sentences = Sequence[str]
"""The sentences of one abstract, in order, with the white space at their ends."""
UNSAVED_RUN = RunRecord("split-unkept", "split train", {}, {})
"""Record of a splitter that is not stored as a run."""


@dataclass(frozen=True)
class FacetLabels:
    """A facet for each sentence of one abstract."""

    facets: tuple[str, ...]
    source: str
    """`headings`, `model`, `rules` or `llm`."""
    run: str
    """Id of the run of the source."""


class Splitter(Protocol):
    """Gives each sentence of each abstract a facet."""

    record: RunRecord
    """Record of the run, whose id names the splitter in the graph."""

    def __call__(self, abstracts: Sequence[Sentences]) -> list[FacetLabels]:
        """Labels of each abstract; empty for one without sentences."""
        ...


@runtime_checkable
class SlowSplitter(Splitter, Protocol):
    """A splitter that is expensive and may fail, such as an LLM: all its labels are kept."""

    fallback: Splitter
    """Splitter of the abstracts that this one cannot label."""
    last_labels: list[FacetLabels | None]
    """Labels of the abstracts of the last call, kept after an error; None if not labelled."""

    @property
    def batch(self) -> int:
        """Number of abstracts per call."""
        ...


def join_by_facet(text: str, ends: Sequence[int], facets: Sequence[str]) -> dict[str, str]:
    """Text of each facet: its sentences, joined and stripped.

    Args:
        text: the whole abstract.
        ends: end offset of each sentence, ascending to the length of the text.
        facets: facet of each sentence.

    Raises:
        ConfigError: the ends do not cover the text, or a sentence has no facet.
    """
    covers = list(ends) == sorted(ends) and (ends[-1] if len(ends) else 0) == len(text)
    if not covers or len(ends) != len(facets) or not set(facets) <= set(FACETS):
        raise ConfigError(
            f"{len(ends)} sentences and {len(facets)} facets do not split a text of "
            f"{len(text)} characters; expected ends that ascend to its length and one of "
            f"{', '.join(FACETS)} for each sentence"
        )
    sentences = cut(text, ends)
    return {
        facet: "".join(s for s, f in zip(sentences, facets, strict=True) if f == facet).strip()
        for facet in FACETS
    }
