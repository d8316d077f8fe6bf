"""Predictors of importance: what the graph knows of a pair beyond the counts of Eq. 1.

A missing value is NaN: intents before they are labelled, years that are unknown, pairs that the
text never mentions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import Codes, Pairs, build_pairs, encode, sort_ids
from citescape.core.progress import Progress, silent
from citescape.core.types import FACETS
from citescape.importance import kernel
from citescape.importance.components import COUNTED
from citescape.importance.counts import PairFeatures
from citescape.importance.learned.sentences import read_wording
from citescape.importance.titles import Encode, compare_titles
from citescape.papers.slices import Slice, read_sliced
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

Floats = npt.NDArray[np.float64]
Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Predictor:
    """One property of a pair of citing and cited paper."""

    name: str
    doc: str
    direction: int = 0
    """1: more of it never lowers importance; -1: never raises it; 0: any shape."""
    is_log: bool = False
    """Linear models use log(1 + x)."""
    whole: bool = False
    """It needs whole papers, with all their citations, not sentences of labelled ones alone."""


TABLE = {
    predictor.name: predictor
    for predictor in (
        Predictor("mentions", "mentions in the text", 1, is_log=True),
        Predictor("in_introduction", "share of the mentions in the introduction"),
        Predictor("in_methods", "share of the mentions in methods"),
        Predictor("in_results", "share of the mentions in results"),
        Predictor("in_discussion", "share of the mentions in discussion and conclusion"),
        Predictor(
            "fewest_beside", "fewest other works cited in the same sentence", -1, is_log=True
        ),
        Predictor("words", "mean number of words of the citing sentences", is_log=True),
        Predictor("own_voice", "share of the citing sentences with we, our, this study"),
        Predictor("names_authors", "share of the citing sentences that name the authors", 1),
        Predictor("place", "earliest place of the citation in a sentence, share of it"),
        Predictor("background", "mean probability of the intent background"),
        Predictor("method", "mean probability of the intent method"),
        Predictor("result", "mean probability of the intent result"),
        Predictor("first_position", "share of the text before the first mention", whole=True),
        Predictor("spread", "share of the text between first and last mention", 1, whole=True),
        Predictor("self", "1 if the papers share an author, else 0"),
        Predictor("title_similarity", "cosine of the titles", 1),
        Predictor("abstract_similarity", "cosine of the abstracts", 1),
        Predictor("age", "years between the papers"),
        Predictor("cited_by", "papers in the graph that cite the work", is_log=True, whole=True),
        Predictor("references", "works that the paper cites", -1, is_log=True, whole=True),
    )
}
"""All predictors by name, in the order of columns."""


Columns = dict[str, Floats]
"""Predictor -> (pairs,) values, NaN for missing ones; all predictors of `TABLE`."""


def read_predictors(
    store: GraphStore,
    slices: Sequence[Slice],
    features: PairFeatures,
    *,
    encode_texts: Encode | None = None,
    among: npt.NDArray[np.bool_] | None = None,
    progress: Progress = silent,
) -> Columns:
    """The predictors of all pairs.

    Args:
        store: the graph.
        slices: citing papers, those of `features`.
        features: the counts of all pairs.
        encode_texts: encodes titles and abstracts; None leaves their similarities missing.
        among: (pairs,) pairs whose similarities are needed; those of others may be missing.
        progress: called while texts are encoded.
    """
    pairs = features.pairs
    in_degree = np.bincount(pairs.cited, minlength=len(pairs.ids))
    return {
        **_read_mentions(store, slices, pairs, features.counts),
        "self": features.selfs.astype(float),
        **_compare_papers(store, pairs, encode_texts, among=among, progress=progress),
        "cited_by": in_degree[pairs.cited].astype(float),
    }


def read_pair_predictors(store: GraphStore, citing: str, cited: str) -> dict[str, float]:
    """The predictors of one scored pair; similarities are those that its score has stored.

    Args:
        store: the graph.
        citing: id of the citing paper.
        cited: id of the cited paper.
    """
    part = Slice(citing, citing, 0)
    (rows,) = read_sliced(store, "features/scores", [part])
    ids = sort_ids(pa.chunked_array([rows["citing"].cast(pa.string()), rows["cited"]]).unique())
    pairs = build_pairs(ids, encode(rows["citing"], ids), encode(rows["cited"], ids))
    order = pairs.locate(encode(rows["citing"], ids), encode(rows["cited"], ids))
    counts = np.zeros((len(pairs), len(COUNTED)), np.int64)
    counts[order] = np.column_stack([pc.fill_null(rows[name], 0).to_numpy() for name in COUNTED])
    columns = _read_mentions(store, [part], pairs, counts)
    (row,) = (row for row in rows.to_pylist() if row["cited"] == cited)
    (papers,) = store.read(query("features/described_pair"), citing=citing, cited=cited).to_pylist()
    years = papers["citing_year"], papers["cited_year"]
    place = int(pairs.locate(encode(pa.array([citing]), ids), encode(pa.array([cited]), ids))[0])
    return {
        **{name: float(column[place]) for name, column in columns.items()},
        "self": float(row["self"]),
        "age": np.nan if None in years else float(years[0] - years[1]),
        "title_similarity": _or_nan(row["title_similarity"]),
        "abstract_similarity": _or_nan(row["abstract_similarity"]),
        "cited_by": float(papers["cited_by"]),
    }


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


def _read_mentions(
    store: GraphStore, slices: Sequence[Slice], pairs: Pairs, counts: npt.NDArray[np.integer]
) -> Columns:
    """The predictors from the mentions of all pairs, and the length of reference lists."""
    mentions = counts[:, : kernel.COMBINED].sum(axis=1).astype(float)
    known = np.where(mentions, mentions, np.nan)
    sums = _Sums.empty(len(pairs))
    for rows in read_sliced(store, "features/sentences", slices):
        sums.add(pairs, rows)
    lengths = np.diff(pairs.indptr)
    return {
        "mentions": mentions,
        "in_introduction": counts[:, kernel.INTRO] / known,
        "in_methods": counts[:, kernel.METHOD] / known,
        "in_results": counts[:, kernel.RESULT] / known,
        "in_discussion": counts[:, kernel.DISCUSSION] / known,
        **sums.columns(),
        "references": np.repeat(lengths, lengths).astype(float),
    }


@dataclass
class _Sums:
    """Sums, minima and maxima over the mentions of each pair."""

    mentions: Floats
    sums: dict[str, Floats]
    known: dict[str, Floats]
    """Number of mentions with a value, for means over known values."""
    lowest: dict[str, Floats]
    highest: dict[str, Floats]

    @classmethod
    def empty(cls, pairs: int) -> _Sums:
        means = ("words", "own_voice", "names_authors", *FACETS)
        return cls(
            np.zeros(pairs),
            {name: np.zeros(pairs) for name in means},
            {name: np.zeros(pairs) for name in means},
            {name: np.full(pairs, np.inf) for name in ("fewest_beside", "place", "position")},
            {name: np.full(pairs, -np.inf) for name in ("position",)},
        )

    def add(self, pairs: Pairs, rows: pa.Table) -> None:
        """Adds the mentions of some citing papers."""
        citing = encode(rows["citing"], pairs.ids)
        at = pairs.locate(citing, encode(rows["cited"], pairs.ids))
        known = at >= 0
        rows, citing, at = rows.filter(pa.array(known)), citing[known], at[known]
        wording = read_wording(rows["context"], rows["marker"])
        beside = np.maximum(wording.cited_works, _count_together(citing, rows["context"], at)) - 1
        np.add.at(self.mentions, at, 1.0)
        unknown = np.where(wording.words > 0, 0.0, np.nan)  # a mention without its sentence
        values = {
            "words": wording.words + unknown,
            "own_voice": wording.own_voice + unknown,
            "names_authors": wording.names_authors + unknown,
            **{facet: _intent(rows, facet) for facet in FACETS},
        }
        for name, value in values.items():
            given = np.isfinite(value)
            np.add.at(self.sums[name], at[given], value[given])
            np.add.at(self.known[name], at[given], 1.0)
        positions = pc.fill_null(rows["position"].cast(pa.float64()), np.nan).to_numpy()
        self._extend("fewest_beside", at, beside + unknown)
        self._extend("place", at, wording.place)
        self._extend("position", at, positions)

    def _extend(self, name: str, at: Positions, value: Floats) -> None:
        given = np.isfinite(value)
        np.minimum.at(self.lowest[name], at[given], value[given])
        if name in self.highest:
            np.maximum.at(self.highest[name], at[given], value[given])

    def columns(self) -> dict[str, Floats]:
        """The predictors from the mentions; NaN for pairs that the text never mentions."""
        with np.errstate(invalid="ignore"):
            means = {name: self.sums[name] / self.known[name] for name in self.sums}
            lowest = {
                name: np.where(np.isfinite(value), value, np.nan)
                for name, value in self.lowest.items()
            }
            spread = self.highest["position"] - self.lowest["position"]
        return {
            **means,
            "fewest_beside": lowest["fewest_beside"],
            "place": lowest["place"],
            "first_position": lowest["position"],
            "spread": np.where(np.isfinite(spread), spread, np.nan),
        }


def _count_together(citing: Codes, contexts: pa.ChunkedArray, at: Positions) -> Floats:
    """Number of works that each mention's sentence cites in the graph: (mentions,)."""
    sentence = contexts.combine_chunks().dictionary_encode().indices
    texts = pc.fill_null(sentence, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    _, sentences = np.unique(np.column_stack([citing, texts]), axis=0, return_inverse=True)
    works = np.unique(np.column_stack([sentences.ravel(), at]), axis=0)[:, 0]
    counted = np.bincount(works, minlength=int(sentences.max(initial=0)) + 1)
    return counted[sentences.ravel()].astype(float)


def _intent(rows: pa.Table, facet: str) -> Floats:
    """Probability of an intent; 0 or 1 for intents that the source states, NaN without labels."""
    probability = rows[facet].cast(pa.float64())
    stated = [
        None if intents is None else float(facet in intents)
        for intents in rows["intents"].to_pylist()
    ]
    filled = pc.coalesce(probability, pa.array(stated, pa.float64()))
    return np.asarray(pc.fill_null(filled, np.nan).to_numpy(), float)


def _compare_papers(
    store: GraphStore,
    pairs: Pairs,
    encode_texts: Encode | None,
    *,
    among: npt.NDArray[np.bool_] | None,
    progress: Progress,
) -> dict[str, Floats]:
    """Similarity of titles and abstracts, and years between the papers."""
    rows = store.read(query("features/described"))
    codes = encode(rows["id"], pairs.ids)
    years = np.full(len(pairs.ids), np.nan)
    stated = pc.fill_null(rows["year"].cast(pa.float64()), np.nan).to_numpy()
    years[codes[codes >= 0]] = stated[codes >= 0]
    citing = np.repeat(np.arange(len(pairs.ids)), np.diff(pairs.indptr))
    missing = np.full(len(pairs), np.nan)
    columns = {
        "age": years[citing] - years[pairs.cited],
        "title_similarity": missing,
        "abstract_similarity": missing,
    }
    if encode_texts:
        for name in ("title", "abstract"):
            steps = compare_titles(
                pairs,
                (codes, rows[name]),
                encode_texts,
                among=among,
                noun=f"{name}s",
                progress=progress,
            )
            columns[f"{name}_similarity"] = np.where(
                steps == kernel.MISSING, np.nan, steps * kernel.GRID
            )
    return columns
