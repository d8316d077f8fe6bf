"""The level whose topics have the size of reviews' topics (Sjögårde and Ahlgren 2018)."""

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
"""Kinds of networks that use no citations, unless their vectors do."""
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
    """Settings of the baseline."""

    types: tuple[str, ...] = SYNTHESIS
    """Types of papers that are reviews, as their publishers mark them."""
    least: int = 10
    """Smallest number of references of a review among the clustered papers."""

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
    """Papers left out because several reviews cite them."""

    def __len__(self) -> int:
        """Number of papers."""
        return len(self.rows)


@dataclass(frozen=True)
class Chosen:
    """The level that agrees best with the baseline, and the agreement of all levels."""

    level: str
    curve: pa.Table
    """One row per level: `level`, `resolution`, `communities`, `ari`."""
    baseline: Baseline
    note: str = ""
    """Reasons to doubt the choice; empty if there are none."""


def choose_level(
    store: GraphStore, clustering: ClusterRun, config: BaselineConfig | None = None
) -> Chosen:
    """The level whose communities agree best with the reference lists of reviews.

    A review synthesises a topic, so the papers that it cites are a class. Agreement is the adjusted
    Rand index between these classes and the communities, over the papers that are in a class; the
    level with the highest is chosen, among equals the coarsest.

    If few papers of the clustering are cited by reviews, as in a clustering of full texts only, the
    choice is coarse or impossible; a network of all papers (`--papers all`) has them all.

    Raises:
        ConfigError: the clustering has one level, or fewer than two reviews cite enough of its
            papers.
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
    figures = clustering.figures()
    levels = figures["level"].to_pylist()
    clusterings = [clustering.read(level).of_core() for level in levels]
    agreement = [compute_ari(baseline.classes, c.labels[baseline.rows]) for c in clusterings]
    best = int(np.argmax(agreement))
    curve = {
        "level": pa.array(levels, pa.string()),
        "resolution": figures["resolution"].cast(pa.float64()),
        "communities": pa.array([len(c) for c in clusterings], pa.int64()),
        "ari": pa.array(agreement, pa.float64()),
    }
    notes = []
    if best in (0, len(levels) - 1):
        end, more = ("coarsest", "coarser") if best == 0 else ("finest", "finer")
        notes.append(f"{levels[best]} is the {end} level: a {more} one may agree better")
    notes.append(_note_dependence(clustering))
    return Chosen(levels[best], pa.table(curve), baseline, "; ".join(filter(None, notes)))


def build_baseline(
    citations: Citations, reviews: pa.StringArray, ids: pa.StringArray, *, least: int = 10
) -> Baseline:
    """Classes of papers by the review that cites them.

    Reviews that cite `least` or more of the papers count. A paper that several of them cite has no
    class, since classes of a partition do not overlap; nor has the only paper left of a class.

    Ids of reviews and of clustered papers ascend.
    """
    review = find_rows(citations.ids, reviews)[citations.citing]
    paper = find_rows(citations.ids, ids)[citations.cited]
    known = (review >= 0) & (paper >= 0)
    review, paper = review[known], paper[known]
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


def _note_dependence(clustering: ClusterRun) -> str:
    """A note if the network was built from reference lists; else empty."""
    path = find_run(clustering.path.parent, clustering.network)
    if path is None:
        return ""
    record = read_run(path)
    kind, vectors = record.config.get("kind"), str(record.inputs.get("vectors", ""))
    if kind in _BY_TEXT and not is_of_citations(vectors):
        training = find_training(path.parent, vectors)
        return _TAUGHT.format(kind, training) if training else ""
    return _MADE_OF.format(kind)
