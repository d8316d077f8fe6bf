"""Which neighbours of a paper are close, which are far, and which are no neighbours at all."""

from __future__ import annotations

from dataclasses import dataclass, replace

from citescape.core.errors import ConfigError, invalid_choice
from citescape.sampling.pool import check_counts

PUBLISHED_FAR, PUBLISHED_PAPERS = 4000, 248_007
"""The hard negatives' k, and the papers of the corpus for which it was chosen (SciNCL, 4.3)."""
STRATEGIES = ("band", "threshold")
"""Neighbours up to rank k, or the ones closest above a cosine (SciNCL, appendix F.4)."""
POSITIVES = (*STRATEGIES, "sorted")
"""Positives may be the closest of a random sample too (appendix F.7)."""
EASY = ("filtered", "random", "sorted", "clusters")
"""Random but none of the k nearest; any; furthest of a sample; of a far cluster (SciNCL, section
3.4, appendices F.3 and F.7)."""


@dataclass(frozen=True)
class NeighbourhoodConfig:
    """SciNCL's parameters; the defaults are the published ones."""

    triplets: int = 5
    """A query; all have a positive of their own (c+)."""
    hard: int = 2
    """Of these, triplets with a far neighbour as negative (c- hard); the others get easy ones."""
    near: int = 25
    """k+: positives have the ranks (k+ - c+, k+]."""
    far: int | None = None
    """k- hard; None: 4,000 scaled to the corpus, round(4000 papers / 248,007)."""
    width: int = 0
    """Draw from bands this wide; 0: as wide as there are papers to take from them."""
    positives: str = "band"
    negatives: str = "band"
    """Strategies of positives and of hard negatives."""
    near_threshold: float = 0.9
    far_threshold: float = 0.3
    """Cosines above which positives and hard negatives lie, for the strategy `threshold`."""
    easy: str = "filtered"
    sample: int = 50
    """Random papers of which `sorted` takes the closest as positives, the furthest as easy
    negatives."""
    clusters: int = 100
    """For `clusters`: so many, of which the one at `cluster_distance` is drawn from."""
    cluster_distance: float = 1.0
    """0: the nearest other cluster, 1: the farthest."""
    contradictions: str = "keep"
    """Pairs that are close in one triplet and far in another: counted, and with `drop` left out."""

    def __post_init__(self) -> None:
        choices = {"positives": POSITIVES, "negatives": STRATEGIES, "easy": EASY}
        for name, known in {**choices, "contradictions": ("drop", "keep")}.items():
            if getattr(self, name) not in known:
                raise invalid_choice(name, getattr(self, name), known)
        check_counts(self.triplets, self.hard)
        if not 0 <= self.cluster_distance <= 1 or self.clusters < 2 or self.sample < 1:
            raise ConfigError(
                f"clusters is {self.clusters}, cluster distance {self.cluster_distance}, sample "
                f"{self.sample}; expected 2 or more, 0 to 1, 1 or more"
            )
        if self.positives == "sorted" and self.sample < self.triplets:
            raise ConfigError(
                f"sample is {self.sample}; expected {self.triplets} or more, to take one a triplet "
                "from"
            )
        if self.near < self.band or (self.width and self.width < self.triplets):
            raise ConfigError(
                f"near is {self.near} and width {self.width}; expected a band of at least "
                f"{self.triplets} ranks, one a triplet"
            )
        if self.far is not None and self.far - max(self.width, self.hard) < self.near:
            raise ConfigError(
                f"near is {self.near} and far {self.far}: the bands overlap; expected far of "
                f"{self.near + max(self.width, self.hard)} or more"
            )

    @property
    def band(self) -> int:
        """Ranks that positives are taken from."""
        return self.width or self.triplets

    @property
    def hard_band(self) -> int:
        """Ranks that hard negatives are taken from."""
        return self.width or self.hard

    def scaled(self, papers: int) -> NeighbourhoodConfig:
        """The same with `far` set for a corpus of so many papers with vectors.

        Scaled down it stays two bands apart from the positives.

        Raises:
            ConfigError: an explicit `far` is larger than the corpus, or the corpus too small.
        """
        closest = self.near + 2 * self.band + self.hard_band
        scaled = max(round(PUBLISHED_FAR * papers / PUBLISHED_PAPERS), closest)
        far = scaled if self.far is None else self.far
        if far >= papers:
            asked = f"near is {self.near}, which asks for far {far}"
            said = asked if self.far is None else f"far is {far}"
            raise ConfigError(
                f"{said}, but only {papers:,} papers have a vector and a text; expected at most "
                f"{papers - 1}: give a smaller --near or --far, or embed more papers"
            )
        return replace(self, far=far)
