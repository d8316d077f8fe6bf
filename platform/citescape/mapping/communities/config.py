"""Settings of communities, of topics and of accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from citescape.core.errors import ConfigError
from citescape.runs.step import Count, Positive, RunName, Seed, Setting, Share, Step

if TYPE_CHECKING:
    from citescape.mapping.communities.clustering import ClusterRun  # noqa: F401
    from citescape.mapping.communities.judge import AccuracyRun  # noqa: F401
    from citescape.mapping.communities.relative import Range
    from citescape.mapping.communities.topics import TopicsRun  # noqa: F401

Quality = Literal["cpm", "modularity"]
Engine = Literal["igraph", "leidenalg"]
ITERATIONS = 10
"""Passes of the Leiden algorithm, as in CWTS networkanalysis; -1: until nothing changes.
docs/benchmarks.md compares time and quality of two and ten passes."""
LEVELS = {"macro": 2 / 3, "meso": 1 / 2, "micro": 1 / 3}
"""Level of a hierarchy -> x, where the community of a paper has 2 N ** x of N papers on average.
N ** (1/3) is 321 for the 33.2 million papers of CIA (section 5.4.2), whose 101,022 topics have a
mean size of 329; averaged over papers the mean is about twice that, since most papers are in large
topics. The levels above have about N ** (1/2) and N ** (1/3) communities."""
SYNTHESIS = ("review-article", "systematic-review")
"""Types of JATS articles that synthesise a topic."""
NAMED = {2: ("macro", "micro"), 3: tuple(LEVELS)}
"""Number of levels of a hierarchy -> their names."""


@dataclass(frozen=True, kw_only=True)
class ClusterConfig(Step["ClusterRun"]):
    """Settings of a clustering.

    At most one of resolutions, communities and sizes is set, with one value per level. Without them
    there are three levels, `LEVELS`; communities of a level consist of whole communities of the
    level below.
    """

    resolutions: Annotated[tuple[Positive, ...], Setting(flags=("-r", "--resolution"))] = ()
    """Resolution of the quality function, one per level; higher values give smaller communities."""
    communities: Annotated[tuple[Count, ...], Setting(flags=("-n", "--communities"))] = ()
    """Number of communities, one per level; papers without edges are not counted."""
    sizes: Annotated[
        tuple[Annotated[float, Setting(least=1)], ...], Setting(flags=("--size",))
    ] = ()
    """Size of the community of a paper, as a mean over papers, one per level."""
    nested: bool = False
    """Nest the two or three given levels in a hierarchy."""
    quality: Quality = "cpm"
    """Quality function: constant Potts model, or modularity."""
    engine: Annotated[Engine, Setting(expert=True)] = "igraph"
    """Implementation of the Leiden algorithm."""
    seed: Seed = 0
    """Random seed."""
    seeds: Count = 1
    """Number of random seeds; with several, the result is their consensus."""
    iterations: Annotated[int, Setting(least=-1, expert=True)] = ITERATIONS
    """Passes of the algorithm; -1 until a pass changes nothing."""
    min_size: Count = 1
    """Minimum size of a community; smaller communities are merged into larger ones that they are
    linked to."""
    start: Annotated[RunName, Setting(expert=True)] = ""
    """Run of `platform cluster` whose communities the algorithm starts from."""
    previous: Annotated[
        RunName,
        Setting(
            expert=True,
            metavar="RUN|none",
            default="the one in the graph, else the latest with a similar network and levels",
        ),
    ] = ""
    """Run whose names are kept for communities that hardly change."""
    warn_singletons: Annotated[Share, Setting(expert=True)] = 0.3
    """Maximum share of singleton papers without a warning."""

    def __post_init__(self) -> None:
        super().__post_init__()
        given = [values for values in (self.resolutions, self.communities, self.sizes) if values]
        if len(given) > 1:
            raise ConfigError("resolutions, communities and sizes: expected at most one of them")
        for values in given:
            if not isinstance(values, Sequence):
                raise ConfigError(f"levels by {values}; expected a sequence, as in ({values},)")
            if min(values) <= 0 or len(set(values)) < len(values):
                listed = ", ".join(map(str, values))
                raise ConfigError(f"levels by {listed}; expected numbers above 0, each once")
        if self.nested and (not given or len(given[0]) not in NAMED):
            count = len(given[0]) if given else 0
            raise ConfigError(
                f"a hierarchy of {count} levels; expected two or three resolutions, numbers of "
                "communities or sizes"
            )

    @property
    def is_nested(self) -> bool:
        """Whether communities of a level consist of whole communities of the level below."""
        return self.nested or not (self.resolutions or self.communities or self.sizes)


@dataclass(frozen=True, kw_only=True)
class TopicsConfig(Step["TopicsRun"]):
    """Settings of topics."""

    level: Annotated[str, Setting(default="meso, else the finest")] = ""
    """Level of the clustering."""
    fields: Annotated[str, Setting(metavar="subjects|venue|FILE")] = "subjects"
    """Fields of papers, for main fields and DIV: subjects of journals, journals, or a CSV file with
    the columns `id` and `label` (several labels separated by `;`)."""
    top: Count = 10
    """Number of terms and of papers kept for each topic."""
    vectors: Annotated[
        RunName,
        Setting(default="those of the network, else those in the graph, else the latest"),
    ] = ""
    """Run of `platform embed`; the vector of a topic is the mean of its papers' vectors."""


@dataclass(frozen=True, kw_only=True)
class JudgeConfig(Step["AccuracyRun"]):
    """Settings of an evaluation of networks."""

    resolutions: Annotated[int, Setting(least=2)] = 12
    """Number of clusterings of each network and seed, from coarse to fine."""
    seeds: Count = 3
    """Number of random seeds; their deviation is shown."""
    seed: Seed = 0
    """First random seed."""
    coarsest: Annotated[float, Setting(least=1)] = 5.0
    """Coarsest compared clustering, as a number of communities of equal size."""
    finest: Annotated[float, Setting(least=1)] = 4.0
    """Finest compared clustering, as a number of papers per community of equal size."""
    least: Annotated[Share, Setting(expert=True)] = 0.5
    """Minimum share of the range from `coarsest` to `finest`, on a logarithmic scale, that a
    network must cover to be compared."""
    quality: Quality = "cpm"
    """Quality function: constant Potts model, or modularity."""
    iterations: Annotated[int, Setting(least=-1, expert=True)] = ITERATIONS
    """Passes of the Leiden algorithm; -1 until a pass changes nothing."""
    top: Annotated[Count, Setting(expert=True)] = 20
    """Number of most related papers that a paper is linked to in the network of the criterion."""
    most_pairs: Annotated[Count, Setting(expert=True)] = 20_000_000_000
    """Maximum number of terms shared by pairs of papers, summed over pairs; with more, the network
    of the criterion is not built."""

    def within(self, papers: int) -> Range:
        """The compared range of granularities for a number of papers.

        Raises:
            ConfigError: there are too few papers for the range.
        """
        low, high = self.coarsest / papers, 1 / self.finest
        if low >= high:
            raise ConfigError(
                f"{papers} papers are judged; expected more than "
                f"{self.coarsest * self.finest:g}, for {self.coarsest:g} communities down to "
                f"{self.finest:g} papers each"
            )
        return low, high
