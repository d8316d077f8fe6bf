"""Recommendations: rank of the clicked paper among the papers shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.errors import SourceError, invalid_choice
from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.scidocs.files import Click, read_clicks, read_propensities
from citescape.evaluation.scidocs.paper_features import compute_features, read_papers
from citescape.evaluation.scidocs.ranker import RankerConfig, train_ranker
from citescape.metrics.figures import Figure, PerQuery
from citescape.search.listed import Floats
from citescape.search.vectors import compute_row_cosines, slices

FOLDER, METADATA = "recomm", "paper_metadata_recomm.json"
PROPENSITIES = "propensity_scores.json"
METRICS = ("ndcg", "precision@1")
RANKERS = ("cosine", "features")
_PAIRS = 4_096
"""Maximum number of pairs whose vectors are in memory."""
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ClickPairs:
    """Pairs of a query and a paper shown beside it, click by click."""

    clicks: Sequence[Click]
    queries: pa.StringArray
    """(p,) ids of queries."""
    papers: pa.StringArray
    """(p,) ids of papers, in the order shown."""
    rows: Rows
    """(p,) click of each pair, ascending."""
    clicked: Rows
    """(clicks,) row of the clicked pair."""

    @classmethod
    def from_clicks(cls, clicks: Sequence[Click]) -> ClickPairs:
        """The pairs of clicks."""
        sizes = [len(click.shown) for click in clicks]
        starts = np.cumsum([0, *sizes])[:-1]
        queries = [click.query for click in clicks for _ in click.shown]
        papers = [paper for click in clicks for paper in click.shown]
        return cls(
            clicks,
            pa.array(queries, pa.string()),
            pa.array(papers, pa.string()),
            np.repeat(np.arange(len(clicks)), sizes),
            starts + np.array([click.position for click in clicks], np.int64),
        )


def compute_cosines(shown: ClickPairs, embeddings: PaperEmbeddings) -> Floats:
    """(p,) cosines of the embeddings; 0 if one is missing."""
    queries, papers = embeddings.rows(shown.queries), embeddings.rows(shown.papers)
    cosines = np.zeros(len(queries))
    for part in slices(len(queries), _PAIRS):
        cosines[part] = compute_row_cosines(
            embeddings.select_rows(queries[part]), embeddings.select_rows(papers[part])
        )
    return cosines


def judge_clicks(scores: Floats, shown: ClickPairs) -> Mapping[str, Floats]:
    """(clicks,) nDCG and P@1 of each click, with the clicked paper as the only relevant one.

    nDCG = 1 / log2(2 + a) and P@1 = 1 if a = 0, else 0, where a is the number of papers with a
    higher score, plus half the number of papers with the same score.
    """
    own = scores[shown.clicked][shown.rows]
    others = np.arange(len(scores)) != shown.clicked[shown.rows]
    above = ((scores > own) + 0.5 * (scores == own)) * others
    ahead = np.bincount(shown.rows, above, minlength=len(shown.clicks))
    return {"ndcg": 1 / np.log2(2 + ahead), "precision@1": (ahead == 0).astype(np.float64)}


def weight_by_propensity(clicks: Sequence[Click], propensities: Floats, source: str = "") -> Floats:
    """(clicks,) weights 1 / propensity of the clicked position.

    The weights correct for position bias: the first positions are clicked more often.

    Args:
        clicks: clicks with their positions.
        propensities: (positions,) propensities.
        source: name of the file, for messages.

    Raises:
        SourceError: a position has no propensity.
    """
    places = np.array([click.position for click in clicks], np.int64)
    if places.max(initial=0) >= len(propensities):
        raise SourceError(
            source,
            "no-propensity",
            f"expected a propensity of each position; found {len(propensities)}, and a click at "
            f"position {places.max() + 1}",
        )
    weights: Floats = 1 / propensities[places]
    return weights


def recommend(
    folder: Path, embeddings: PaperEmbeddings, *, split: str, ranker: str = "cosine", seed: int = 7
) -> list[Figure]:
    """Adjusted nDCG and P@1: means over clicks, weighted by 1 / propensity of their position.

    Args:
        folder: folder of SciDocs, with recomm/ and, for `features`, paper_metadata_recomm.json.
        embeddings: embeddings; missing ones have cosine 0.
        split: `val` or `test`.
        ranker: `cosine` of the embeddings, which is not comparable with published figures; or
            `features`, see `ranker.train_ranker`, which is, up to random effects.
        seed: random seed of the training of `features`.

    Returns:
        Figures of the task `recomm` or `recomm (cosine)`, with one query per click and the weights.

    Raises:
        ConfigError: no such ranker.
        SourceError: a file is missing or has another format.
    """
    if ranker not in RANKERS:
        raise invalid_choice("ranker", ranker, RANKERS)
    path = folder / FOLDER
    shown = ClickPairs.from_clicks(read_clicks(path / f"{split}.csv"))
    weights = weight_by_propensity(
        shown.clicks, read_propensities(path / PROPENSITIES), str(path / f"{split}.csv")
    )
    if ranker == "cosine":
        scores = compute_cosines(shown, embeddings)
    else:
        scores = _score_by_features(folder, embeddings, shown, split=split, seed=seed)
    judged = judge_clicks(scores, shown)
    queries = pa.array([click.query for click in shown.clicks], pa.string())
    query_rows, paper_rows = embeddings.rows(queries), embeddings.rows(shown.papers)
    task = FOLDER if ranker == "features" else f"{FOLDER} ({ranker})"
    return [
        Figure(
            task,
            metric,
            100 * float(np.average(judged[metric], weights=weights)),
            used=len(weights),
            missing=int((query_rows < 0).sum()),
            missing_others=int((paper_rows < 0).sum()),
            covered=float((np.append(paper_rows, query_rows) >= 0).mean()),
            per_query=PerQuery(queries, judged[metric], weights),
        )
        for metric in METRICS
    ]


def _score_by_features(
    folder: Path, embeddings: PaperEmbeddings, shown: ClickPairs, *, split: str, seed: int
) -> Floats:
    """(p,) scores of a ranker trained on `train`.

    As in the published evaluator, the split `val` is scored by the last epoch, and `test` by the
    best epoch on `val`.
    """
    splits = ["train", *([] if split == "val" else ["val"])]
    parts = [
        ClickPairs.from_clicks(read_clicks(folder / FOLDER / f"{name}.csv")) for name in splits
    ]
    names = [array.to_pylist() for part in (*parts, shown) for array in (part.queries, part.papers)]
    papers = read_papers(folder / METADATA, set().union(*names))

    def to_features(pairs: ClickPairs) -> Floats:
        ids = (pairs.queries.to_pylist(), pairs.papers.to_pylist())
        return compute_features(papers, ids, compute_cosines(pairs, embeddings))

    known = [(to_features(part), part.rows, part.clicked) for part in parts]
    net = train_ranker(known[0], known[1] if len(known) > 1 else None, RankerConfig(seed=seed))
    return net.score(to_features(shown))
