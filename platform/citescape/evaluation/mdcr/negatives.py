"""Hard negatives: papers that are not cited but look as if they were (MDCR, section 4.1)."""

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
from citescape.metrics.chance import draw_number, take_some
from citescape.search.listed import Bools, Codes, Rows
from citescape.search.ranker import NONE, SearchResult, Pool

GRAPH, MOST_CITED, RANDOM = "graph", "most_cited", "random"


@dataclass(frozen=True)
class CandidateSources:
    """Papers from which the candidates of all queries of a field are drawn."""

    literature: Literature
    candidates: Bools
    """(papers,) that may be one."""
    most_cited: Codes
    """Of the field, the most cited first."""
    anything: Codes
    """(candidates,) all of them, ascending."""


def choose_candidates(
    query: int, lists: Mapping[str, Codes], around: CandidateSources, *, config: MdcrConfig
) -> dict[str, Codes]:
    """Kind -> candidates of a query: cited papers, and negatives of one kind each.

    The kinds come in this order, and a paper of an earlier kind is not drawn again: the lists of
    models (model -> the first papers for this query), graph, most cited, random.
    """
    keys = around.literature.keys
    draw = partial(draw_number, around.literature.ids[query].as_py(), seed=config.seed)
    cited = around.literature.cites.of(query)
    eligible = cited[around.candidates[cited]]
    positives = take_some(eligible, config.positives, keys, seed=draw(TRUE))
    found, taken = {TRUE: np.sort(positives)}, np.append(cited, query)
    sources = {name: papers[papers != NONE] for name, papers in lists.items()}
    sources |= {GRAPH: walk_graph(query, around, seed=draw(GRAPH))}
    sources |= {MOST_CITED: around.most_cited, RANDOM: around.anything}
    for kind, papers in sources.items():
        free = papers[~np.isin(papers, taken)]
        if kind != GRAPH:  # whose order is that of how near its papers are
            free = take_some(free, config.negatives, keys, seed=draw(kind))
        found[kind] = free[: config.negatives].astype(np.int32)
        taken = np.append(taken, found[kind])
    return found


def walk_graph(query: int, around: CandidateSources, *, seed: int = 0) -> Codes:
    """Papers that cite what the query cites or are cited by it, the nearest first.

    Cited papers c by falling O = |OC_q & (OC_c | IC_c)| / |OC_q|, of equal O by a hash of (seed,
    query, c), where `seed` is the query's own; of each in turn all papers of OC_c | IC_c, in random
    order, without those that the query cites and itself. OC is what a paper cites, IC what cites
    it.
    """
    literature = around.literature
    cited = literature.cites.of(query)
    near = [np.union1d(literature.cites.of(c), literature.cited_by.of(c)) for c in cited]
    overlap = np.array([np.isin(papers, cited).sum() for papers in near], np.int64)
    # half the seed: other draws than those of `take_some` below
    ties = draw_ties(seed >> 1, literature.keys[query], literature.keys[cited])
    order = np.lexsort((ties, -overlap))
    walk = [take_some(near[k], len(near[k]), literature.keys, seed=seed) for k in order]
    joined = np.concatenate([np.empty(0, np.int32), *walk])
    first = np.sort(np.unique(joined, return_index=True)[1])
    found = joined[first]
    kept: Codes = found[around.candidates[found] & ~np.isin(found, [*cited, query])]
    return kept


def search_lists(
    pool: Pool, queries: Rows, depth: int, *, keys: npt.NDArray[np.uint64], seed: int = 0
) -> SearchResult:
    """The `depth` best papers of each query; at the cut, equal ones by a hash of (seed, ids).

    Works with a title only often have the same BM25: in the crops archive every fifth list is cut
    between papers of equal score.

    Args:
        pool: what is searched.
        queries: rows of the corpus.
        depth: of the lists.
        keys: (corpus,) of `hash_ids`.
        seed: of the hash.
    """
    papers = np.full((len(queries), depth), NONE, np.int32)
    scores = np.full((len(queries), depth), -np.inf, np.float32)
    left, reach = np.arange(len(queries)), depth
    while len(left):  # the papers that equal the last one of a list may be many
        reach *= 2
        found = pool.search(queries[left], reach)
        is_full = found.papers[:, -1] != NONE
        is_cut = is_full & (found.scores[:, -1] == found.scores[:, depth - 1])
        for row in np.flatnonzero(~is_cut):
            there = found.papers[row] != NONE
            candidates, found_scores = found.papers[row][there], found.scores[row][there]
            ties = draw_ties(seed, keys[queries[left[row]]], keys[candidates])
            order = np.lexsort((ties, -found_scores))[:depth]
            papers[left[row], : len(order)] = candidates[order]
            scores[left[row], : len(order)] = found_scores[order]
        left = left[is_cut]
    return SearchResult(queries, papers, scores)


def find_most_cited(literature: Literature, among: Bools, depth: int, *, seed: int = 0) -> Codes:
    """The papers with the most citations received, of equals by a hash of (seed, id)."""
    papers = np.flatnonzero(among).astype(np.int32)
    received = literature.cited_by.counts[papers]
    # half the seed: other draws than those of `take_some`, which takes from these papers
    ties = draw_ties(seed >> 1, np.uint64(0), literature.keys[papers])
    order = np.lexsort((ties, -received))
    found: Codes = papers[order[:depth]]
    return found


def choose_models(lists: Mapping[str, SearchResult], literature: Literature) -> list[str]:
    """The three models whose lists have least in common, by mean Jaccard of pairs (section 4.1).

    Cited papers do not count. Of equal sets the first in the order of `lists`; a pair
    without a figure counts as if it had all in common.

    Args:
        lists: model -> what it finds for the same queries, with the same depth.
        literature: whose citations leave a list's other papers.
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
    """Pairs of models, and what share of the papers in either list is in both: the mean of queries.

    Queries of which a list is empty are left out, and so are pairs that have no other.

    Raises:
        ConfigError: the lists are of other queries.
    """
    for one, other in combinations(lists, 2):
        if not np.array_equal(lists[one].queries, lists[other].queries):
            raise ConfigError(f"{one} and {other} searched for other queries; expected the same")
        shares = []
        for row, query in enumerate(lists[one].queries):
            cited = np.append(literature.cites.of(query), [query, NONE])
            first, second = (np.setdiff1d(lists[name].papers[row], cited) for name in (one, other))
            if len(first) and len(second):
                common = len(np.intersect1d(first, second))
                shares.append(common / (len(first) + len(second) - common))
        if shares:
            yield (one, other), float(np.mean(shares))


def check_lists(lists: Mapping[str, SearchResult]) -> None:
    """Whether each model finds something for half the queries or more.

    Raises:
        ConfigError: one does not: no candidates could be drawn from its lists.
    """
    for name, found in lists.items():
        empty = int((found.papers == NONE).all(axis=1).sum())
        if 2 * empty > len(found.papers):
            raise ConfigError(
                f"{name} finds nothing for {empty:,} of {len(found.papers):,} queries; expected "
                "papers for half of them or more: leave it out, or see whether it knows these "
                "papers"
            )


def check_names(models: Sequence[str]) -> None:
    """Whether no model is called as another kind of candidates is, or all of them are.

    Raises:
        ConfigError: one is.
    """
    taken = sorted({ALL, TRUE, GRAPH, MOST_CITED, RANDOM} & set(models))
    if taken:
        raise ConfigError(
            f"a model cannot be called {taken[0]!r}, which is a kind of candidates or all of "
            f"them; name it otherwise: NAME={taken[0]}"
        )
