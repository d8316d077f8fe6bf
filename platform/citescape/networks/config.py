"""What a network is made of."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from math import inf

from citescape.core.errors import ConfigError, invalid_choice

PAPERS = ("fulltext", "all")
"""Papers whose full text is loaded; or also those known from reference lists only."""
NORMALISATIONS = ("none", "fractional", "association")
"""See `networks.normalise`."""
TERMS = ("phrases", "words")
"""What of a text BM25 compares: noun phrases, or single words."""


@dataclass(frozen=True)
class NetworkConfig:
    """Which network, of which papers. Settings that the kind does not know are left aside."""

    kind: str = "knn"
    """A key of `kinds.KINDS`."""
    papers: str = "fulltext"
    """One of `PAPERS`: the core, which the network is about."""
    years: str = ""
    """Only papers published then, as in `2018`, `2015-2019`, `2015-`, `-2019`; empty: whenever."""
    normalise: str = ""
    """One of `NORMALISATIONS`; empty for the kind's own, see `kinds.KINDS`."""
    top: int = 0
    """Strongest edges kept for each paper; an edge stays if either end keeps it. 0: all. Of
    `co-citation` and `coupling` those of most works in common, whatever they weigh once normalised;
    what is kept weighs what it does among all."""
    k: int = 20
    """`knn`, `bm25`: nearest papers of each paper (CIA, section 4.1.2)."""
    weighted: bool = True
    """`knn`: weight by cosine; else every edge counts 1."""
    vectors: str = ""
    """`knn`: run of `embed` or `train graph`; empty for the vectors in the graph, else the last."""
    method: str = "auto"
    """`knn`: how neighbours are sought, see `embeddings.neighbours`."""
    recall: float = 0.95
    """`knn`: least recall of an approximate search."""
    seed: int = 0
    """`knn`: of an approximate search."""
    terms: str = "phrases"
    """`bm25`: one of `TERMS`."""
    k1: float = 1.2
    """`bm25`: how soon repetitions of a term stop to count."""
    b: float = 0.75
    """`bm25`: how much long texts count less, 0 to 1."""
    min_links: int = 2
    """`extended`: core papers that a paper outside must be linked to (Waltman et al. 2020)."""

    def __post_init__(self) -> None:
        if self.top < 0 or self.k < 1 or self.min_links < 2:
            raise ConfigError(
                f"top is {self.top}, k {self.k}, min_links {self.min_links}; expected top of 0 or "
                "more, k of 1 or more and min_links of 2 or more"
            )
        parse_years(self.years)
        if not 0 <= self.k1 < inf or not 0 <= self.b <= 1:
            raise ConfigError(f"k1 is {self.k1}, b {self.b}; expected k1 >= 0 and 0 <= b <= 1")
        if self.normalise and self.normalise not in NORMALISATIONS:
            raise invalid_choice("normalise", self.normalise, NORMALISATIONS)


_FOREVER = -9999, 9999
_SPAN = re.compile(r"([0-9]{1,4})?(?:(-)([0-9]{1,4})?)?")
COMMON = ("papers", "years", "normalise", "top")
"""Settings that matter to every kind."""
SETTINGS = tuple(field.name for field in fields(NetworkConfig) if field.name != "kind")


def parse_years(text: str) -> tuple[int, int]:
    """First and last year of a span such as `2018`, `2015-2019`, `2015-`, `-2019`.

    Raises:
        ConfigError: it is no such span, or ends before it begins.
    """
    if not text:
        return _FOREVER
    told = _SPAN.fullmatch(text)
    first, dash, last = told.groups() if told else (None, None, None)
    low = int(first or _FOREVER[0])
    high = int(last or (_FOREVER[1] if dash else low))
    if not (first or last) or low > high:
        raise ConfigError(f"years is {text!r}; expected a span as 2018, 2015-2019, 2015- or -2019")
    return low, high
