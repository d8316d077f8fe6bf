"""How communities are to be found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from citescape.core.errors import ConfigError, invalid_choice
from citescape.mapping.communities.leiden import ENGINES, ITERATIONS
from citescape.mapping.communities.quality import QUALITIES

LEVELS = {"macro": 2 / 3, "meso": 1 / 2, "micro": 1 / 3}
"""Levels of a hierarchy -> x, where the community of a paper has 2 N ** x of N papers on average.
N ** (1/3) is 321 for the 33.2 million papers that CIA (section 5.4.2) has in 101,022 topics, 329 in
each; averaged over papers it is about twice that, since most papers are in large ones. The levels
above have some N ** (1/2) and N ** (1/3) communities."""
NAMED = {2: ("macro", "micro"), 3: tuple(LEVELS)}
"""How many levels a hierarchy has -> their names."""


@dataclass(frozen=True)
class ClusterConfig:
    """Which communities, and how they are found.

    At most one of resolutions, communities and sizes is given: a level each. With none of them
    there are three levels, `LEVELS`, of which each holds the communities of the one below whole.
    """

    resolutions: tuple[float, ...] = ()
    """Of the quality function."""
    communities: tuple[int, ...] = ()
    """How many communities, papers without edges aside; resolutions are sought for them."""
    sizes: tuple[float, ...] = ()
    """The same by how many papers are in the community of a paper, on average over papers."""
    nested: bool = False
    """The two or three levels given form a hierarchy."""
    quality: str = "cpm"
    """A key of `quality.QUALITIES`."""
    engine: str = "igraph"
    """A key of `leiden.ENGINES`."""
    seed: int = 0
    seeds: int = 1
    """Several: the consensus of that many clusterings, from `seed` on."""
    iterations: int = ITERATIONS
    min_size: int = 1
    """Communities of fewer papers are given to larger ones they are linked to."""
    start: str = ""
    """Run of `platform cluster` to start from, in place of every paper alone."""
    previous: str = ""
    """Run whose names are kept where communities are much the same; empty: of those of such a
    network with such levels the one in the graph, else the last; `none`."""
    warn_singletons: float = 0.3
    """Share of papers alone in their communities, from which on there is a warning."""

    def __post_init__(self) -> None:
        if self.quality not in QUALITIES:
            raise invalid_choice("quality", self.quality, QUALITIES)
        if self.engine not in ENGINES:
            raise invalid_choice("engine", self.engine, ENGINES)
        if self.seeds < 1 or self.min_size < 1:
            raise ConfigError(
                f"seeds is {self.seeds}, min_size {self.min_size}; expected 1 or more of both"
            )
        self._check_levels()

    def _check_levels(self) -> None:
        given = [one for one in (self.resolutions, self.communities, self.sizes) if one]
        if len(given) > 1:
            raise ConfigError("resolutions, communities and sizes: expected one of them at most")
        for values in given:
            if not isinstance(values, Sequence):
                raise ConfigError(f"levels by {values}; expected a sequence, as in ({values},)")
            if min(values) <= 0 or len(set(values)) < len(values):
                told = ", ".join(map(str, values))
                raise ConfigError(f"levels by {told}; expected numbers above 0, each once")
        if self.nested and (not given or len(given[0]) not in NAMED):
            found = len(given[0]) if given else 0
            raise ConfigError(
                f"a hierarchy of {found} levels; expected two or three resolutions, numbers of "
                "communities or sizes"
            )

    @property
    def is_nested(self) -> bool:
        """Whether each level holds the communities of the one below whole."""
        return self.nested or not (self.resolutions or self.communities or self.sizes)
