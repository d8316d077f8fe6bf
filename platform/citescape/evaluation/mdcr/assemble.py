"""Pools that rankers search, and the table of candidates of all queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from citescape.core.pairs import find_rows
from citescape.evaluation.literature import Literature
from citescape.evaluation.mdcr.benchmark import count_short_lists
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.evaluation.mdcr.negatives import (
    GRAPH,
    MOST_CITED,
    RANDOM,
    CandidateSources,
    choose_candidates,
    find_most_cited,
)
from citescape.evaluation.mdcr.queries import TEST, QuerySplits
from citescape.metrics.chance import draw_number, draw_numbers
from citescape.search.listed import Bools, Codes
from citescape.search.ranker import SearchResult


def find_pool(
    literature: Literature, queries: QuerySplits, code: int, *, config: MdcrConfig, sample: int = 0
) -> Codes:
    """The pool of a field: papers cited by its queries, and random papers cited in the field.

    As in MDCR, section 3.2.

    Args:
        literature: papers, citations, fields.
        queries: queries of all fields.
        code: code of the field.
        config: size of the pool, and seed.
        sample: number of the random sample.

    Returns:
        Rows, ascending: `config.pool` papers; fewer if the field cites fewer, more if its queries
        cite more.
    """
    name = literature.fields.names[code]

    def find_cited(papers: np.ndarray) -> Bools:
        """(papers,) true for candidates that one of the papers cites."""
        cited = np.zeros(len(literature), np.bool_)
        for paper in papers.tolist():
            cited[literature.cites[paper]] = True
        return cited & queries.candidates

    pool = find_cited(join_splits(queries, name))
    others = np.flatnonzero(find_cited(np.flatnonzero(literature.in_field(code))) & ~pool)
    room = max(config.pool - int(pool.sum()), 0)
    purpose = f"pool {name}" if not sample else f"pool {name} {sample}"
    numbers = draw_numbers(literature.ids.take(pa.array(others)), purpose, seed=config.seed)
    pool[others[np.argsort(numbers, kind="stable")[:room]]] = True
    return np.flatnonzero(pool).astype(np.int32)


def join_splits(queries: QuerySplits, field: str) -> Codes:
    """Queries of a field in both splits, ascending."""
    parts = [by_field.get(field, np.empty(0, np.int32)) for by_field in queries.by_field.values()]
    return np.sort(np.concatenate(parts)).astype(np.int32)


def list_candidates(
    literature: Literature,
    queries: QuerySplits,
    lists: Mapping[str, Mapping[str, SearchResult]],
    *,
    split: str,
    config: MdcrConfig,
) -> pa.Table:
    """`field`, `query`, `kind`, `candidate`: candidates of all queries of a split.

    Args:
        literature: papers, citations, fields.
        queries: queries of all fields.
        lists: model -> field -> first papers of its lists.
        split: name of the split.
        config: numbers of candidates, and seed.
    """
    fields, owners, kinds, candidates = list[str](), list[int](), list[str](), list[int]()
    all_candidates = np.flatnonzero(queries.candidates).astype(np.int32)
    for code, field in enumerate(literature.fields.names):
        own = queries.by_field[split].get(field)
        if own is None:
            continue
        most = _find_most_cited(literature, queries, code, config=config)
        pools = CandidateSources(literature, queries.candidates, most, all_candidates)
        for query in own.tolist():
            near = {
                name: by_field[field].papers[np.searchsorted(by_field[field].queries, query)]
                for name, by_field in lists.items()
            }
            for kind, papers in choose_candidates(query, near, pools, config=config).items():
                fields += [field] * len(papers)
                owners += [query] * len(papers)
                kinds += [kind] * len(papers)
                candidates += papers.tolist()
    columns = {
        "field": pa.array(fields, pa.string()),
        "query": literature.ids.take(pa.array(owners, pa.int32())),
        "kind": pa.array(kinds, pa.string()),
        "candidate": literature.ids.take(pa.array(candidates, pa.int32())),
    }
    return pa.table(columns)


def _find_most_cited(
    literature: Literature, queries: QuerySplits, code: int, *, config: MdcrConfig
) -> Codes:
    among = literature.in_field(code) & queries.candidates
    seed = draw_number(literature.fields.names[code], MOST_CITED, seed=config.seed)
    return find_most_cited(literature, among, config.depth, seed=seed)


def count_most_cited(
    literature: Literature, queries: QuerySplits, *, config: MdcrConfig
) -> dict[str, dict[str, int]]:
    """Counts the papers from which the most cited candidates of each field are drawn.

    Args:
        literature: papers, citations, fields.
        queries: queries of all fields.
        config: depth of the list.

    Returns:
        Field -> `papers`, at most `config.depth`, and `least`, their minimum number of citations.
    """
    counts = {}
    for code, field in enumerate(literature.fields.names):
        if field in queries.by_field[TEST]:
            most = _find_most_cited(literature, queries, code, config=config)
            received = literature.cited_by.counts[most]
            counts[field] = {"papers": len(most), "least": int(min(received, default=0))}
    return counts


def count_candidates(
    literature: Literature, table: pa.Table, models: Sequence[str], *, config: MdcrConfig
) -> dict[str, Any]:
    """Counts queries, pairs, incomplete lists by kind, and candidates newer than their query.

    Args:
        literature: papers and years.
        table: table of `list_candidates`.
        models: names of the models.
        config: number of candidates of a list.
    """
    rows = [find_rows(table[name], literature.ids) for name in ("query", "candidate")]
    keys = ["field", "query", "kind"]
    kinds = (*models, GRAPH, MOST_CITED, RANDOM)
    return {
        "queries": table.group_by(keys[:2]).aggregate([]).num_rows,
        "pairs": len(table),
        "short_lists": count_short_lists(table, kinds, config.negatives),
        "newer_candidates": int((literature.years[rows[1]] > literature.years[rows[0]]).sum()),
    }
