"""Chooses the level whose topics are as large as those of reviews (Sjögårde and Ahlgren 2018)."""

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
_FROM_REFERENCES = (
    "the network ({}) is built from reference lists, including those of reviews: agreement is "
    "overestimated"
)
_TRAINED = (
    "the vectors of the network ({}) are from {}, which was trained on this store, perhaps on "
    "reference lists, including those of reviews: agreement may be overestimated"
)
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class BaselineConfig:
    """Settings of the baseline."""

    types: tuple[str, ...] = SYNTHESIS
    """Article types of reviews, as given by publishers."""
    least: int = 10
    """Minimum number of references of a review among the clustered papers."""

    def __post_init__(self) -> None:
        if self.least < 2 or not self.types:
            raise ConfigError(
                f"least is {self.least}, types {', '.join(self.types) or 'none'}; expected at "
                "least 2 references and at least one type"
            )


@dataclass(frozen=True)
class Baseline:
    """Papers cited by exactly one review, in one class per review."""

    rows: Rows
    """(papers,) positions among the clustered papers, ascending."""
    classes: Labels
    """(papers,) 0 to reviews - 1, in the order of the reviews' ids."""
    reviews: pa.StringArray
    """(reviews,) ascending."""
    shared: int
    """Number of papers excluded because several reviews cite them."""

    def __len__(self) -> int:
        """Number of papers."""
        return len(self.rows)


@dataclass(frozen=True)
class LevelChoice:
    """The level that agrees best with the baseline, and the agreement of all levels."""

    level: str
    curve: pa.Table
    """One row per level: `level`, `resolution`, `communities`, `ari`."""
    baseline: Baseline
    note: str = ""
    """Reasons to doubt the choice; or empty."""


def choose_level(
    store: GraphStore, clustering: ClusterRun, config: BaselineConfig | None = None
) -> LevelChoice:
    """Chooses the level whose communities agree best with the reference lists of reviews.

    A review synthesises a topic, so the papers that it cites are a class. Agreement is the adjusted
    Rand index between these classes and the communities, over the papers in a class; the level of
    highest agreement is chosen (ties: the coarsest).

    If reviews cite few papers of the clustering, as in a network of full texts only, the choice is
    coarse or impossible; a network of all papers (`--papers all`) includes all cited papers.

    Args:
        store: store with citations and article types.
        clustering: clustering with at least two levels.
        config: settings of the baseline.

    Raises:
        ConfigError: the clustering has one level, or fewer than two reviews cite enough of its
            papers.
        StoreError: the store has no citations.
    """
    config = config or BaselineConfig()
    if len(clustering.levels) < 2:
        raise ConfigError(
            f"{clustering.run} has one level; expected at least two: cluster at "
            f"several resolutions with {quote_command('cluster --help', store.location)}"
        )
    ids = clustering.read().restrict_to_core().ids
    reviews = sort_ids(store.read(query("communities/reviews"), types=list(config.types))["id"])
    citations = read_citations(store, weight="none")
    baseline = build_baseline(citations, reviews, ids, least=config.least)
    if len(baseline.reviews) < 2:
        raise ConfigError(
            f"{len(baseline.reviews)} of the {len(reviews):,} papers of type "
            f"{' or '.join(config.types)} in {store.location} cite {config.least} or more of the "
            f"{len(ids):,} clustered papers; "
            "expected at least two: cluster a network of all papers (`--papers all`), lower "
            "the minimum number of references, or name the level"
        )
    figures = clustering.figures()
    levels = figures["level"].to_pylist()
    clusterings = [clustering.read(level).restrict_to_core() for level in levels]
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
        notes.append(f"{levels[best]} is the {end} level: a {more} level may agree better")
    notes.append(_note_dependence(clustering))
    return LevelChoice(levels[best], pa.table(curve), baseline, "; ".join(filter(None, notes)))


def build_baseline(
    citations: Citations, reviews: pa.StringArray, ids: pa.StringArray, *, least: int = 10
) -> Baseline:
    """Builds classes of papers by the review that cites them.

    A paper that several reviews cite has no class, since classes do not overlap. Classes of a
    single paper are removed.

    Args:
        citations: citations of the store.
        reviews: ids of reviews, ascending.
        ids: ids of clustered papers, ascending.
        least: minimum number of these papers that a review must cite.
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
        return _TRAINED.format(kind, training) if training else ""
    return _FROM_REFERENCES.format(kind)
