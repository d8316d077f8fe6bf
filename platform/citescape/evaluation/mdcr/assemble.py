"""Pools that rankers search, and the candidates of all queries as one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import find_rows
from citescape.evaluation.literature import Literature
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.evaluation.mdcr.negatives import (
    GRAPH,
    MOST_CITED,
    RANDOM,
    Surroundings,
    choose_candidates,
    find_most_cited,
)
from citescape.evaluation.mdcr.queries import TEST, Queries
from citescape.metrics.chance import draw_number, draw_numbers
from citescape.search.listed import Codes
from citescape.search.ranker import Found


def find_pool(
    literature: Literature, queries: Queries, code: int, *, config: MdcrConfig, sample: int = 0
) -> Codes:
    """Papers that a field's papers cite, drawn, and all that its queries cite (section 3.2).

    Returns:
        Ascending; `config.pool` papers, fewer where there are no more, more where queries cite so.
    """
    name = literature.fields.names[code]
    own = join_splits(queries, name)
    wanted = np.zeros(len(literature), np.bool_)
    wanted[_cited_by_any(literature, own)] = True
    wanted &= queries.candidates
    others = np.zeros(len(literature), np.bool_)
    others[_cited_by_any(literature, np.flatnonzero(literature.in_field(code)))] = True
    drawn = np.flatnonzero(others & queries.candidates & ~wanted)
    room = max(config.pool - int(wanted.sum()), 0)
    purpose = f"pool {name}" if not sample else f"pool {name} {sample}"
    numbers = draw_numbers(literature.ids.take(pa.array(drawn)), purpose, seed=config.seed)
    wanted[drawn[np.argsort(numbers, kind="stable")[:room]]] = True
    return np.flatnonzero(wanted).astype(np.int32)


def join_splits(queries: Queries, field: str) -> Codes:
    """Queries of a field, of both splits."""
    parts = [by_field.get(field, np.empty(0, np.int32)) for by_field in queries.by_field.values()]
    return np.sort(np.concatenate(parts)).astype(np.int32)


def _cited_by_any(literature: Literature, papers: np.ndarray) -> Codes:
    parts = [literature.cites.of(int(paper)) for paper in papers]
    found: Codes = np.unique(np.concatenate([np.empty(0, np.int32), *parts]))
    return found


def list_candidates(
    literature: Literature,
    queries: Queries,
    lists: Mapping[str, Mapping[str, Found]],
    *,
    split: str,
    config: MdcrConfig,
) -> pa.Table:
    """`field`, `query`, `kind`, `candidate` of all queries of a split."""
    rows: list[tuple[str, int, str, Codes]] = []
    anything = np.flatnonzero(queries.candidates).astype(np.int32)
    for code, field in enumerate(literature.fields.names):
        own = queries.by_field[split].get(field)
        if own is None:
            continue
        most = _find_most_cited(literature, queries, code, config=config)
        around = Surroundings(literature, queries.candidates, most, anything)
        for query in own.tolist():
            near = {name: _list_of(found[field], query) for name, found in lists.items()}
            chosen = choose_candidates(query, near, around, config=config)
            rows += [(field, query, kind, papers) for kind, papers in chosen.items()]
    return _to_table(literature, rows)


def _find_most_cited(
    literature: Literature, queries: Queries, code: int, *, config: MdcrConfig
) -> Codes:
    among = literature.in_field(code) & queries.candidates
    seed = draw_number(literature.fields.names[code], MOST_CITED, seed=config.seed)
    return find_most_cited(literature, among, config.depth, seed=seed)


def count_most_cited(
    literature: Literature, queries: Queries, *, config: MdcrConfig
) -> dict[str, dict[str, int]]:
    """What the most cited candidates of each field are drawn from.

    Returns:
        Field -> `papers`, `config.depth` or all there are; `least`, citations that the last of them
        received.
    """
    found = {}
    for code, field in enumerate(literature.fields.names):
        if field in queries.by_field[TEST]:
            most = _find_most_cited(literature, queries, code, config=config)
            received = literature.cited_by.counts[most]
            found[field] = {"papers": len(most), "least": int(min(received, default=0))}
    return found


def _list_of(found: Found, query: int) -> Codes:
    own: Codes = found.papers[np.searchsorted(found.queries, query)]
    return own


def _to_table(literature: Literature, rows: list[tuple[str, int, str, Codes]]) -> pa.Table:
    sizes = [len(papers) for *_, papers in rows]
    papers = np.concatenate([np.empty(0, np.int32), *(papers for *_, papers in rows)])
    queries = np.repeat(np.array([query for _, query, _, _ in rows], np.int32), sizes)
    ids = literature.ids
    columns = {
        "field": pa.array(np.repeat([field for field, *_ in rows], sizes).tolist(), pa.string()),
        "query": ids.take(pa.array(queries)),
        "kind": pa.array(np.repeat([kind for _, _, kind, _ in rows], sizes).tolist(), pa.string()),
        "candidate": ids.take(pa.array(papers)),
    }
    return pa.table(columns)


def count_candidates(
    literature: Literature, table: pa.Table, models: Sequence[str], *, config: MdcrConfig
) -> dict[str, Any]:
    """Queries, pairs, lists that are short by kind, and candidates newer than their query.

    A list without any candidate is short too; it has no row in the table.
    """
    rows = [find_rows(table[name], literature.ids) for name in ("query", "candidate")]
    keys = ["field", "query", "kind"]
    lists = table.group_by(keys).aggregate([([], "count_all")])
    queries = table.group_by(keys[:2]).aggregate([]).num_rows
    full = Counter(lists.filter(pc.equal(lists["count_all"], config.negatives))["kind"].to_pylist())
    short = {kind: queries - full[kind] for kind in (*models, GRAPH, MOST_CITED, RANDOM)}
    return {
        "queries": queries,
        "pairs": len(table),
        "short_lists": {kind: count for kind, count in short.items() if count},
        "newer_candidates": int((literature.years[rows[1]] > literature.years[rows[0]]).sum()),
    }
