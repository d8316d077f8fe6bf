"""Which level has topics of the size that reviews are about (Sjögårde and Ahlgren 2018)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError
from citescape.core.pairs import find_rows, sort_ids
from citescape.embeddings.origin import find_training, is_of_citations
from citescape.mapping.communities.agreement import compute_ari
from citescape.mapping.communities.clustering import ClusterRun, Labels
from citescape.mapping.communities.config import SYNTHESIS
from citescape.networks.citations import Citations, read_citations
from citescape.runs.directory import find_run, read_run
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_BY_TEXT = ("knn", "bm25")
"""Kinds of networks that know no citations, unless their vectors do."""
_MADE_OF = (
    "the network ({}) is made of reference lists, those of reviews among them: agreement is higher "
    "than it would be for a network of another origin"
)
_TAUGHT = (
    "the vectors of the network ({}) are of {}, which has learned from this store, perhaps from "
    "reference lists, those of reviews among them: agreement may be higher than it would be for an "
    "encoder that has not"
)
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class BaselineConfig:
    """Which reviews make the baseline."""

    types: tuple[str, ...] = SYNTHESIS
    """Of papers, as their publishers mark them."""
    least: int = 10
    """References of a review among the clustered papers."""

    def __post_init__(self) -> None:
        if self.least < 2 or not self.types:
            raise ConfigError(
                f"least is {self.least}, types {', '.join(self.types) or 'none'}; expected 2 "
                "references or more, and one type at least"
            )


@dataclass(frozen=True)
class Baseline:
    """Papers that one review cites, in classes: a class for each review."""

    rows: Rows
    """(papers,) positions among the clustered papers, ascending."""
    classes: Labels
    """(papers,) 0 to reviews - 1, in the order of the reviews' ids."""
    reviews: pa.StringArray
    """(reviews,) ascending."""
    shared: int
    """Papers left out since several of the reviews cite them."""

    def __len__(self) -> int:
        """Papers."""
        return len(self.rows)


@dataclass(frozen=True)
class Chosen:
    """The level that agrees best with the baseline, and how all of them do."""

    level: str
    curve: pa.Table
    """A row a level: `level`, `resolution`, `communities`, `ari`."""
    baseline: Baseline
    note: str = ""
    """What makes the choice doubtful; empty where nothing does."""


def choose_level(
    store: GraphStore, clustering: ClusterRun, config: BaselineConfig | None = None
) -> Chosen:
    """The level whose communities agree best with the reference lists of reviews.

    A review synthesises a topic, so the papers that it cites are a class. Agreement is the adjusted
    Rand index between these classes and the communities, over the papers that are in a class; the
    level with the highest is chosen, of equals the coarsest.

    Where few papers of the clustering are cited by reviews, as where it is of full texts only, the
    choice is coarse or cannot be made; a network of all papers (`--papers all`) has them all.

    Args:
        store: the graph; only read.
        clustering: with several levels.
        config: which reviews.

    Raises:
        ConfigError: the clustering has one level, or there are no two reviews that cite enough of
            its papers.
        StoreError: the store has no citations.
    """
    config = config or BaselineConfig()
    if len(clustering.levels) < 2:
        raise ConfigError(
            f"{clustering.run} has one level, so there is nothing to choose from; cluster at "
            f"several resolutions: {quote_command('cluster --help', store.location)}"
        )
    ids = clustering.read().of_core().ids
    reviews = sort_ids(store.read(query("communities/reviews"), types=list(config.types))["id"])
    citations = read_citations(store, weight="none")
    baseline = build_baseline(citations, reviews, ids, least=config.least)
    if len(baseline.reviews) < 2:
        raise ConfigError(
            f"{len(baseline.reviews)} of the {len(reviews):,} papers of type "
            f"{' or '.join(config.types)} in {store.location} cite {config.least} or more of the "
            f"{len(ids):,} clustered papers; "
            "expected two at least: cluster a network of all papers (`--papers all`), ask for "
            "fewer references, or name the level"
        )
    return _choose(clustering, baseline)


def build_baseline(
    citations: Citations, reviews: pa.StringArray, ids: pa.StringArray, *, least: int = 10
) -> Baseline:
    """Classes of papers by the review that cites them.

    Reviews that cite `least` or more of the papers count. A paper that several of them cite is of
    no class, since classes of a partition do not overlap; so is the only one left of a class.

    Args:
        citations: of any papers.
        reviews: ids, ascending.
        ids: ascending, of the clustered papers.
        least: references of a review among these.
    """
    review = find_rows(citations.ids, reviews)[citations.citing]
    paper = find_rows(citations.ids, ids)[citations.cited]
    told = (review >= 0) & (paper >= 0)
    review, paper = review[told], paper[told]
    large = np.bincount(review, minlength=len(reviews)) >= least
    review, paper = review[large[review]], paper[large[review]]
    times = np.bincount(paper, minlength=len(ids))
    review, paper = review[times[paper] == 1], paper[times[paper] == 1]
    several = np.bincount(review, minlength=len(reviews)) > 1
    review, paper = review[several[review]], paper[several[review]]
    order = np.argsort(paper)
    classes = (np.cumsum(several) - 1)[review[order]].astype(np.int32)
    kept = reviews.filter(pa.array(several))
    return Baseline(paper[order], classes, kept, int((times > 1).sum()))


def _choose(clustering: ClusterRun, baseline: Baseline) -> Chosen:
    figures = clustering.figures()
    levels = figures["level"].to_pylist()
    found = [clustering.read(level).of_core() for level in levels]
    agreement = [compute_ari(baseline.classes, one.labels[baseline.rows]) for one in found]
    best = int(np.argmax(agreement))
    curve = {
        "level": pa.array(levels, pa.string()),
        "resolution": figures["resolution"].cast(pa.float64()),
        "communities": pa.array([len(one) for one in found], pa.int64()),
        "ari": pa.array(agreement, pa.float64()),
    }
    notes = [one for one in (_beyond(levels, best), _depend(clustering)) if one]
    return Chosen(levels[best], pa.table(curve), baseline, "; ".join(notes))


def _beyond(levels: list[str], best: int) -> str:
    """Whether the best may lie beyond the levels that there are."""
    if 0 < best < len(levels) - 1:
        return ""
    end, more = ("coarsest", "coarser") if best == 0 else ("finest", "finer")
    return f"{levels[best]} is the {end} level: a {more} one may agree better"


def _depend(clustering: ClusterRun) -> str:
    """Whether reference lists had a part in the network that was clustered."""
    path = find_run(clustering.path.parent, clustering.network)
    if path is None:
        return ""
    record = read_run(path)
    kind, vectors = record.config.get("kind"), str(record.inputs.get("vectors", ""))
    if kind in _BY_TEXT and not is_of_citations(vectors):
        training = find_training(path.parent, vectors)
        return _TAUGHT.format(kind, training) if training else ""
    return _MADE_OF.format(kind)
