"""Settings of networks."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass, fields
from math import inf
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from citescape.core.errors import ConfigError
from citescape.runs.step import Count, RunName, Seed, Setting, Share, Step

if TYPE_CHECKING:
    from citescape.networks.build import NetworkRun  # noqa: F401

KindName = Literal[
    "knn",
    "citation",
    "extended",
    "co-citation",
    "coupling",
    "bm25",
    "importance",
    "background",
    "method",
    "result",
]
"""Keys of `kinds.KINDS`."""
Papers = Literal["fulltext", "all"]
Normalisation = Literal["none", "fractional", "association"]
Terms = Literal["phrases", "words"]
"""Terms that BM25 compares: noun phrases or single words."""
PAPERS = get_args(Papers)
"""Papers with full text, or all papers, cited works included."""
NORMALISATIONS = get_args(Normalisation)
"""See `networks.normalise`."""


@dataclass(frozen=True)
class NetworkConfig(Step["NetworkRun"]):
    """Kind, papers and settings of a network."""

    kind: Annotated[
        KindName,
        Setting(argument=True, metavar="[KIND]"),
    ] = "knn"
    """Relation of papers."""
    _: KW_ONLY
    papers: Papers = "fulltext"
    """Papers of the network: those with full text, or also those known from reference lists."""
    years: Annotated[str, Setting(metavar="FIRST-LAST", default="all years")] = ""
    """Years of publication: 2018, 2015-2019, 2015-, -2019."""
    normalise: Annotated[
        Normalisation | None,
        Setting(default="fractional for extended, co-citation and coupling, else none"),
    ] = None
    """Normalisation of weights: none; N w (1/s + 1/t) / 2, with s and t the sums of weights at both
    ends and N the number of papers; or association strength, 2m w / (s t)."""
    top: Annotated[int, Setting(least=0, default="0, all edges")] = 0
    """Number of strongest edges kept per paper; an edge is kept if either end keeps it. For
    co-citation and coupling, strength is the number of works in common, before normalisation."""
    k: Annotated[Count, Setting(flags=("-k",))] = 20
    """Number of nearest papers per paper (knn, bm25)."""
    weighted: bool = True
    """Weight edges by cosine, not by 1 (knn)."""
    vectors: Annotated[RunName, Setting(default="those in the graph, else the latest")] = ""
    """Run of `platform embed` or `platform train graph` (knn)."""
    method: Annotated[Literal["auto", "exact", "ivf", "hnsw"], Setting(expert=True)] = "auto"
    """Search method; auto is exact up to 150,000 papers, else ivf (knn)."""
    recall: Annotated[Share, Setting(above=0, expert=True)] = 0.95
    """Minimum share of the exact neighbours that ivf and hnsw must find (knn)."""
    seed: Annotated[Seed, Setting(expert=True)] = 0
    """Random seed of an approximate search (knn)."""
    terms: Terms = "phrases"
    """Terms of texts: noun phrases or single words (bm25)."""
    k1: Annotated[float, Setting(least=0, expert=True)] = 1.2
    """Saturation of repeated terms (bm25)."""
    b: Annotated[Share, Setting(expert=True)] = 0.75
    """Normalisation of the length of texts (bm25)."""
    min_links: Annotated[int, Setting(least=2)] = 2
    """Minimum number of papers of the network that an outside paper must be linked to (extended;
    Waltman et al. 2020)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        parse_years(self.years)
        if self.k1 == inf:
            raise ConfigError("k1 is infinite; expected a number")


_ALL_YEARS = -9999, 9999
_SPAN = re.compile(r"([0-9]{1,4})?(?:(-)([0-9]{1,4})?)?")
COMMON = ("papers", "years", "normalise", "top")
"""Settings of every kind."""
SETTINGS = tuple(item.name for item in fields(NetworkConfig) if item.name != "kind")


def parse_years(text: str) -> tuple[int, int]:
    """Parses first and last year of a span such as `2018`, `2015-2019`, `2015-`, `-2019`.

    Raises:
        ConfigError: not a span, or it ends before it begins.
    """
    if not text:
        return _ALL_YEARS
    match = _SPAN.fullmatch(text)
    first, dash, last = match.groups() if match else (None, None, None)
    low = int(first or _ALL_YEARS[0])
    high = int(last or (_ALL_YEARS[1] if dash else low))
    if not (first or last) or low > high:
        raise ConfigError(f"years is {text!r}; expected a span as 2018, 2015-2019, 2015- or -2019")
    return low, high
