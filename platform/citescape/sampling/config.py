"""Settings of samplers. Imports little, so that help and errors are fast."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from citescape.core.errors import ConfigError
from citescape.core.paper_types import RESEARCH
from citescape.runs.step import PaperTypes, Setting, Settings

PUBLISHED_FAR, PUBLISHED_PAPERS = 4000, 248_007
"""k of hard negatives, and number of papers of the corpus it was chosen for (SciNCL, 4.3)."""
SHORT = ("skip", "shrink")
SUBSTITUTES = ("cited-beside", "none")
CONTRADICTIONS = ("drop", "keep")
STRATEGIES = ("band", "threshold")
"""Neighbours up to rank k, or neighbours closest above a cosine (SciNCL, appendix F.4)."""
POSITIVES = (*STRATEGIES, "sorted")
"""Positives may also be the closest papers of a random sample (appendix F.7)."""
EASY = ("filtered", "random", "sorted", "clusters")
"""Random but not among the k nearest; random; furthest of a random sample; from a far cluster
(SciNCL, section 3.4, appendices F.3 and F.7)."""

PerAnchor = Annotated[int, Setting(flags=("-K", "--per-anchor"), least=1)]
Hard = Annotated[int, Setting(flags=("-H", "--hard"), least=0)]
Contradictions = Annotated[str, Setting(choices=CONTRADICTIONS, expert=True)]


def check_hard(triplets: int, hard: int) -> None:
    """Raises ConfigError if an anchor has more hard negatives than triplets."""
    if hard > triplets:
        raise ConfigError(
            f"{triplets} triplets per anchor (K), {hard} hard negatives (H); expected H of 0 to K"
        )


@dataclass(frozen=True, kw_only=True)
class SamplingConfig(Settings):
    """Settings of all samplers."""

    seed: Annotated[int, Setting(least=0, most=2**31 - 1)] = 0
    """Random seed."""
    validation: Annotated[float, Setting(least=0)] = 0.2
    """Share of the anchors whose triplets are held out for validation (CIA, section 4.1.1); less
    than 1."""
    share: Annotated[float, Setting(above=0, most=1)] = 1.0
    """Share of the anchors to use, each with all its triplets (SciNCL, section 7.2)."""
    triplets: Annotated[int | None, Setting(least=1, default="all")] = None
    """Maximum number of triplets; anchors are used in random order."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.validation >= 1:
            raise ConfigError(f"validation is {self.validation}; expected 0 or more, less than 1")


@dataclass(frozen=True, kw_only=True)
class AnchorTypes(Settings):
    """Types of the anchors of samplers that take anchors from the citations."""

    types: PaperTypes = RESEARCH
    """Types of the anchors. Positives and negatives may have any type."""


@dataclass(frozen=True)
class ImportanceConfig(Settings):
    """Parameters of CIA, Algorithm 1, with the published defaults."""

    positives: PerAnchor = 5
    """Number of triplets per anchor (K), each with its own positive."""
    hard: Hard = 2
    """Number of these triplets (H) whose negative is one of the least important references."""
    short_anchors: Annotated[str, Setting(choices=SHORT)] = "skip"
    """Anchors with fewer than K + H references: skip them, or shrink K and H to fit."""
    contradictions: Contradictions = "drop"
    """Pairs that are close in one triplet and far in another: drop both triplets, or keep them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_hard(self.positives, self.hard)

    @property
    def needed(self) -> int:
        """Number of references that an anchor needs: K + H."""
        return self.positives + self.hard


@dataclass(frozen=True)
class SpecterConfig(Settings):
    """Parameters of SPECTER, with the defaults of the published comparison."""

    positives: PerAnchor = 5
    """Number of triplets per anchor (K), each with its own positive."""
    hard: Hard = 2
    """Number of these triplets (H) whose negative is a work that a reference cites."""
    substitute: Annotated[str, Setting(choices=SUBSTITUTES)] = "cited-beside"
    """Hard negatives if references cite nothing: works that another paper cites beside a
    reference, or none."""
    both_directions: bool = False
    """Take papers that cite the anchor as positives too (SciNCL, appendix F.1)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_hard(self.positives, self.hard)


@dataclass(frozen=True)
class LabelConfig(Settings):
    """Number of triplets, and choice of anchors."""

    positives: PerAnchor = 5
    """Number of triplets per anchor (K), each with its own positive and negative."""
    balanced: bool = False
    """Take as many anchors of each label as the rarest label has."""


@dataclass(frozen=True)
class NeighbourhoodConfig(Settings):
    """Parameters of SciNCL, with the published defaults."""

    per_anchor: PerAnchor = 5
    """Number of triplets per anchor (K, c+), each with its own positive."""
    hard: Hard = 2
    """Number of these triplets (H, c- hard) with a far neighbour as negative; the others have easy
    negatives."""
    near: Annotated[int, Setting(least=1)] = 25
    """Highest rank of positives (k+)."""
    far: Annotated[int | None, Setting(least=1, default="4,000 scaled to the corpus")] = None
    """Highest rank of hard negatives (k- hard)."""
    width: Annotated[int, Setting(least=0, expert=True)] = 0
    """Width of the bands to draw from; 0 for the number of papers to draw."""
    positives: Annotated[str, Setting(choices=POSITIVES, expert=True)] = "band"
    """Positives: neighbours by rank, those closest above near_threshold, or the closest of a
    random sample."""
    negatives: Annotated[str, Setting(choices=STRATEGIES, expert=True)] = "band"
    """Hard negatives: neighbours by rank, or those closest above far_threshold."""
    near_threshold: Annotated[float, Setting(expert=True)] = 0.9
    """Minimum cosine of positives, exclusive."""
    far_threshold: Annotated[float, Setting(expert=True)] = 0.3
    """Minimum cosine of hard negatives, exclusive."""
    easy: Annotated[str, Setting(choices=EASY)] = "filtered"
    """Easy negatives: random but not among the nearest, random, the furthest of a random sample, or
    from a far cluster."""
    sample: Annotated[int, Setting(least=1, expert=True)] = 50
    """Size of the random sample for sorted positives and sorted easy negatives."""
    clusters: Annotated[int, Setting(least=2, expert=True)] = 100
    """Number of clusters for easy negatives from clusters."""
    cluster_distance: Annotated[float, Setting(least=0, most=1, expert=True)] = 1.0
    """Cluster to draw from: 0 for the nearest other cluster, 1 for the farthest."""
    contradictions: Contradictions = "keep"
    """Pairs that are close in one triplet and far in another: drop both triplets, or keep them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_hard(self.per_anchor, self.hard)
        if self.positives == "sorted" and self.sample < self.per_anchor:
            raise ConfigError(
                f"sample is {self.sample}; expected {self.per_anchor} or more, one per triplet"
            )
        if self.near < self.band or (self.width and self.width < self.per_anchor):
            raise ConfigError(
                f"near is {self.near} and width {self.width}; expected a band of at least "
                f"{self.per_anchor} ranks, one per triplet"
            )
        if self.far is not None and self.far - max(self.width, self.hard) < self.near:
            raise ConfigError(
                f"near is {self.near} and far {self.far}: the bands overlap; expected far of "
                f"{self.near + max(self.width, self.hard)} or more"
            )

    @property
    def band(self) -> int:
        """Number of ranks that positives are drawn from."""
        return self.width or self.per_anchor

    @property
    def hard_band(self) -> int:
        """Number of ranks that hard negatives are drawn from."""
        return self.width or self.hard

    def scaled(self, papers: int) -> NeighbourhoodConfig:
        """The same settings with `far` scaled to the number of papers with vectors.

        A scaled `far` is at least two bands beyond the positives.

        Raises:
            ConfigError: an explicit `far` is larger than the corpus, or the corpus too small.
        """
        closest = self.near + 2 * self.band + self.hard_band
        scaled = max(round(PUBLISHED_FAR * papers / PUBLISHED_PAPERS), closest)
        far = scaled if self.far is None else self.far
        if far >= papers:
            scaled_far = f"near is {self.near}, which requires far {far}"
            problem = scaled_far if self.far is None else f"far is {far}"
            raise ConfigError(
                f"{problem}, but only {papers:,} papers have a vector and a text; expected at most "
                f"{papers - 1}: use a smaller --near or --far, or embed more papers"
            )
        return replace(self, far=far)
