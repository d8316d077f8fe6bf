"""Hard negatives: papers that are similar to cited papers but not cited (MDCR, section 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
import numpy.typing as npt

from citescape.core.draws import draw_ties
from citescape.core.errors import ConfigError
from citescape.evaluation.literature import Literature
from citescape.evaluation.mdcr.benchmark import ALL, TRUE
from citescape.evaluation.mdcr.config import MODELS, MdcrConfig
from citescape.metrics.chance import draw_number, draw_subset
from citescape.search.listed import Bools, Codes, Rows
from citescape.search.ranker import NONE, Pool, SearchResult

GRAPH, MOST_CITED, RANDOM = "graph", "most_cited", "random"


@dataclass(frozen=True)
class CandidateSources:
    """Papers from which the candidates of all queries of a field are drawn."""

    literature: Literature
    candidates: Bools
    """(papers,) papers that may be candidates."""
    most_cited: Codes
    """Most cited papers of the field, in descending order of citations."""
    all_candidates: Codes
    """(candidates,) all candidates, ascending."""


def choose_candidates(
    query: int, lists: Mapping[str, Codes], pools: CandidateSources, *, config: MdcrConfig
) -> dict[str, Codes]:
    """Kind -> candidates of a query: cited papers, and negatives of each kind.

    Kinds of negatives are drawn in this order, each paper once: lists of models, graph, most cited,
    random.

    Args:
        query: row of the query.
        lists: model -> first papers of its list for the query.
        pools: papers to draw from.
        config: numbers of candidates, and seed.
    """
    keys = pools.literature.keys
    draw = partial(draw_number, pools.literature.ids[query].as_py(), seed=config.seed)
    cited = pools.literature.cites[query]
    eligible = cited[pools.candidates[cited]]
    positives = draw_subset(eligible, config.positives, keys, seed=draw(TRUE))
    chosen, used = {TRUE: np.sort(positives)}, np.append(cited, query)
    by_kind = {name: papers[papers != NONE] for name, papers in lists.items()}
    by_kind |= {GRAPH: walk_graph(query, pools, seed=draw(GRAPH))}
    by_kind |= {MOST_CITED: pools.most_cited, RANDOM: pools.all_candidates}
    for kind, papers in by_kind.items():
        free = papers[~np.isin(papers, used)]
        if kind != GRAPH:  # papers of the graph are ordered by proximity
            free = draw_subset(free, config.negatives, keys, seed=draw(kind))
        chosen[kind] = free[: config.negatives].astype(np.int32)
        used = np.append(used, chosen[kind])
    return chosen


def walk_graph(query: int, pools: CandidateSources, *, seed: int = 0) -> Codes:
    """Papers that cite, or are cited by, the references of a query, the nearest first.

    References c are in descending order of O = |OC_q & (OC_c | IC_c)| / |OC_q|, ties by a hash of
    (seed, query, c). Each c adds all papers of OC_c | IC_c in random order, except the query and
    its references. OC are the papers that a paper cites, IC the papers that cite it.

    Args:
        query: row of the query.
        pools: citations, and papers that may be candidates.
        seed: random seed of the query.
    """
    literature = pools.literature
    cited = literature.cites[query]
    near = [np.union1d(literature.cites[c], literature.cited_by[c]) for c in cited]
    overlap = np.array([np.isin(papers, cited).sum() for papers in near], np.int64)
    # half the seed, so that ties are independent of `draw_subset` below
    ties = draw_ties(seed >> 1, literature.keys[query], literature.keys[cited])
    order = np.lexsort((ties, -overlap))
    walk = [draw_subset(near[k], len(near[k]), literature.keys, seed=seed) for k in order]
    joined = np.concatenate([np.empty(0, np.int32), *walk])
    first = np.sort(np.unique(joined, return_index=True)[1])
    papers = joined[first]
    kept: Codes = papers[pools.candidates[papers] & ~np.isin(papers, [*cited, query])]
    return kept


def search_lists(
    pool: Pool, queries: Rows, depth: int, *, keys: npt.NDArray[np.uint64], seed: int = 0
) -> SearchResult:
    """The `depth` best papers of each query; ties by a hash of (seed, ids).

    Ties are frequent: works with a title only often have equal BM25 scores. In the crops archive,
    every fifth list is cut between papers with equal scores.

    Args:
        pool: papers to search.
        queries: rows of the queries.
        depth: length of the lists.
        keys: (corpus,) hashes from `hash_ids`.
        seed: random seed of ties.
    """
    papers = np.full((len(queries), depth), NONE, np.int32)
    scores = np.full((len(queries), depth), -np.inf, np.float32)
    left, reach = np.arange(len(queries)), depth
    while len(left):  # search further until all ties with the last paper are known
        reach *= 2
        result = pool.search(queries[left], reach)
        is_full = result.papers[:, -1] != NONE
        is_cut = is_full & (result.scores[:, -1] == result.scores[:, depth - 1])
        for row in np.flatnonzero(~is_cut):
            exists = result.papers[row] != NONE
            candidates, own_scores = result.papers[row][exists], result.scores[row][exists]
            ties = draw_ties(seed, keys[queries[left[row]]], keys[candidates])
            order = np.lexsort((ties, -own_scores))[:depth]
            papers[left[row], : len(order)] = candidates[order]
            scores[left[row], : len(order)] = own_scores[order]
        left = left[is_cut]
    return SearchResult(queries, papers, scores)


def find_most_cited(literature: Literature, among: Bools, depth: int, *, seed: int = 0) -> Codes:
    """The papers with the most citations; ties by a hash of (seed, id).

    Args:
        literature: papers and citations.
        among: (papers,) papers to choose from.
        depth: maximum number of papers.
        seed: random seed of ties.
    """
    papers = np.flatnonzero(among).astype(np.int32)
    received = literature.cited_by.counts[papers]
    # half the seed, so that ties are independent of `draw_subset`, which draws from these papers
    ties = draw_ties(seed >> 1, np.uint64(0), literature.keys[papers])
    order = np.lexsort((ties, -received))
    most: Codes = papers[order[:depth]]
    return most


def choose_models(lists: Mapping[str, SearchResult], literature: Literature) -> list[str]:
    """The three models whose lists overlap least, by mean Jaccard of pairs (section 4.1).

    Cited papers are ignored. Of equal sets the first in the order of `lists` is chosen; a pair of
    models whose overlap is undefined counts as 1.

    Args:
        lists: model -> search results for the same queries, with the same depth.
        literature: citations.
    """
    if len(lists) <= MODELS:
        return list(lists)
    shared = dict(measure_jaccard(lists, literature))
    sets = list(combinations(lists, MODELS))
    means = [
        np.mean([shared.get(pair, 1.0) for pair in combinations(chosen, 2)]) for chosen in sets
    ]
    return list(sets[int(np.argmin(means))])


def measure_jaccard(
    lists: Mapping[str, SearchResult], literature: Literature
) -> Iterator[tuple[tuple[str, str], float]]:
    """Pairs of models with the mean Jaccard of their lists over queries.

    Queries with an empty list are skipped; so are pairs of models without other queries.

    Raises:
        ConfigError: the lists have different queries.
    """
    for name, other in combinations(lists, 2):
        if not np.array_equal(lists[name].queries, lists[other].queries):
            raise ConfigError(f"{name} and {other} have different queries; expected the same")
        shares = []
        for row, query in enumerate(lists[name].queries):
            cited = np.append(literature.cites[query], [query, NONE])
            first, second = (
                np.setdiff1d(lists[model].papers[row], cited) for model in (name, other)
            )
            if len(first) and len(second):
                common = len(np.intersect1d(first, second))
                shares.append(common / (len(first) + len(second) - common))
        if shares:
            yield (name, other), float(np.mean(shares))


def check_lists(lists: Mapping[str, SearchResult]) -> None:
    """Checks that each model has results for at least half the queries.

    Raises:
        ConfigError: a model has fewer, so that candidates cannot be drawn from its lists.
    """
    for name, result in lists.items():
        empty = int((result.papers == NONE).all(axis=1).sum())
        if 2 * empty > len(result.papers):
            raise ConfigError(
                f"{name} finds nothing for {empty:,} of {len(result.papers):,} queries; expected "
                "papers for half of them or more: leave it out, or check that it has vectors or "
                "scores of these papers"
            )


def check_names(models: Sequence[str]) -> None:
    """Checks that no model has the name of a kind of candidates.

    Raises:
        ConfigError: a name is reserved.
    """
    reserved = sorted({ALL, TRUE, GRAPH, MOST_CITED, RANDOM} & set(models))
    if reserved:
        raise ConfigError(
            f"a model cannot be called {reserved[0]!r}, the name of a kind of candidates; give it "
            f"another name: NAME={reserved[0]}"
        )
