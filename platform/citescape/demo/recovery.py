"""Comparison of the graph with the ground truth of the generated world."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from citescape.demo.citations import (
    DISCUSSION,
    INTRODUCTION,
    RESULTS,
    SECTIONS,
    Bools,
    Floats,
    Ints,
)
from citescape.demo.shares import Share, compute_pairwise, compute_share
from citescape.demo.world import World
from citescape.papers.notices import compare_dates
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.schema import TABLE
from citescape.store.statements import read_text

Relation = Literal["=", "≥", "≤"]

SELF_PRECISION = 0.95
"""Precision of the author data of the published scores (CIA, section 3.1)."""
SELF_RECALL = 0.90
AUTHOR_PRECISION = 0.95
AUTHOR_RECALL = 0.90
CHANCE = 3.0
"""Standard errors by which a share may be below its bound: a small world has few authors of the
same name, and one wrong merge costs several percent."""
ATTAINED = 0.95
"""Share of the maximum rank correlation with planted importance. The maximum is that of the sum of
exact counts and self-citations: .68 in the default world, less in small ones. The remaining
variation of planted importance is not observable in an article."""
_BINS = 10
_CONTROL_WIDTH = 4.0
"""Bound of the control in standard errors of a rank correlation, 1 / sqrt(n - 1)."""
_COUNT_NAMES = {
    "I": "number of mentions in the introduction",
    "M": "number in methods",
    "R": "number in the results",
    "D": "number in discussion & conclusion",
    "other": "number elsewhere",
}
_SCORED = (INTRODUCTION, RESULTS, DISCUSSION)
_IDENTIFYING = ("doi", "pmid", "pmcid", "title", "fulltext")
_COUNTS = tuple(f"f_{name}" for name in SECTIONS)


@dataclass(frozen=True)
class Check:
    """One comparison: the value `found` has `relation` to the value `expected`."""

    name: str
    found: float
    relation: Relation
    expected: float
    chance: float = 0.0
    """Allowance for chance: how far `found` may be below `expected`."""

    @property
    def passed(self) -> bool:
        """Whether the relation holds; false for a missing value (NaN)."""
        if self.relation == "=":
            return self.found == self.expected
        if self.relation == "≤":
            return self.found <= self.expected
        return self.found + self.chance >= self.expected

    @property
    def by_chance(self) -> bool:
        """Whether it holds only with the allowance for chance."""
        return self.passed and self.relation == "≥" and self.found < self.expected

    def format_found(self) -> str:
        """The value found: counts with thousands separators, shares with four decimals."""
        return _format(self.found)

    def format_expected(self) -> str:
        """`≥ 0.9500`, with the allowance for chance if it was needed."""
        text = f"{self.relation} {_format(self.expected)}"
        return f"{text} - {_format(self.chance)} (chance)" if self.by_chance else text


def _format(value: float) -> str:
    if math.isnan(value):
        return "none"
    return f"{int(value):,}" if float(value).is_integer() else f"{value:.4f}"


@dataclass(frozen=True)
class Bin:
    """A tenth of the citations by planted importance, with its means."""

    planted: float
    score: float
    control: float
    """Mean score of a tenth chosen by shuffled planted importance."""


@dataclass(frozen=True)
class Recovery:
    """All comparisons, in the order of the chain: reading, linking, counting, scoring."""

    checks: tuple[Check, ...]
    bins: tuple[Bin, ...]
    """Empty if citations are missing or unscored."""

    @property
    def passed(self) -> bool:
        """Whether every comparison holds."""
        return all(check.passed for check in self.checks)


def check_recovery(store: GraphStore, world: World, *, seed: int = 0) -> Recovery:
    """Compares the graph with the truth planted in `world`.

    Works are matched by DOI, PMID, PMC id or title. Authors are compared over all pairs of names on
    the by-lines of the full texts: whether both names share a node.

    Args:
        store: store with the scored corpus of `world` only.
        world: the ground truth.
        seed: random seed of the shuffled control.
    """
    papers = _read(store, "Paper", *_IDENTIFYING)
    works = _works_by_node(papers, world)
    pairs = _match_pairs(store, works, world)
    planted = world.pairs.importance
    shuffled = np.random.default_rng([seed, 9]).permutation(planted)
    fulltexts = sum(bool(flag) for flag in papers["fulltext"])
    planned = set(range(world.papers)) | set(world.pairs.cited.tolist())
    checks = (
        Check("full texts", fulltexts, "=", world.papers),
        Check("works, full texts and cited ones", len(papers["id"]), "=", len(planned)),
        Check("works recognised", len(planned & set(works.values())), "=", len(planned)),
        *_check_pairs(pairs, world),
        *_check_authors(store, papers, works, world=world),
        *_check_self(pairs, world),
        *_check_importance(pairs.importance, world, shuffled),
    )
    return Recovery(checks, _average_tenths(pairs.importance, planted, shuffled))


@dataclass(frozen=True)
class _Matched:
    """Values of the graph for every planned pair; one entry per planned pair."""

    known: Bools
    """Whether the graph holds the pair."""
    counts: Ints
    """(pairs, 5); -1 where the pair is missing."""
    self_citation: Bools
    importance: Floats
    """NaN where the pair is missing or unscored."""
    unplanned: int
    """Number of citations in the graph that were not planned, second edges of a pair included."""


def _read(store: GraphStore, table: str, *columns: str) -> dict[str, list[Any]]:
    rows: pa.Table = store.read(read_text(TABLE[table], columns))
    return {name: rows[name].to_pylist() for name in rows.column_names}


def works_by_node(store: GraphStore, world: World) -> dict[object, int]:
    """Work of each paper node of a store that holds the corpus of `world`."""
    return _works_by_node(_read(store, "Paper", *_IDENTIFYING), world)


def _works_by_node(papers: dict[str, list[Any]], world: World) -> dict[object, int]:
    """Work of each paper node; nodes that match no work are skipped."""
    keys: dict[tuple[str, object], int] = {}
    for work in world.works:
        for kind in ("doi", "pmid", "pmcid"):
            keys[kind, getattr(work, kind)] = work.index
        keys["title", _normalise(work.title)] = work.index
    works: dict[object, int] = {}
    for row, node in enumerate(papers["id"]):
        matches = [keys.get((kind, papers[kind][row] or "")) for kind in ("doi", "pmid", "pmcid")]
        matches.append(keys.get(("title", _normalise(str(papers["title"][row])))))
        match = next((work for work in matches if work is not None), None)
        if match is not None:
            works[node] = match
    return works


def _normalise(title: str) -> str:
    """Letters and digits only, lower case, accents dropped."""
    decomposed = unicodedata.normalize("NFKD", title.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())


def _match_pairs(store: GraphStore, works: dict[object, int], world: World) -> _Matched:
    edges = _read(store, "CITES", *_COUNTS, "self", "importance")
    place = {
        pair: at
        for at, pair in enumerate(
            zip(world.pairs.citing.tolist(), world.pairs.cited.tolist(), strict=True)
        )
    }
    size = len(world.pairs)
    counts = np.full((size, len(_COUNTS)), -1, dtype=np.int64)
    shared, importance = np.zeros(size, dtype=bool), np.full(size, math.nan)
    known, unplanned = np.zeros(size, dtype=bool), 0
    for row, ends in enumerate(zip(edges["from"], edges["to"], strict=True)):
        at = place.get((works.get(ends[0], -1), works.get(ends[1], -1)))
        if at is None or known[at]:
            unplanned += 1
            continue
        known[at] = True
        counts[at] = [edges[name][row] or 0 for name in _COUNTS]
        shared[at] = bool(edges["self"][row])
        score = edges["importance"][row]
        importance[at] = math.nan if score is None else score
    return _Matched(known, counts, shared, importance, unplanned)


def _check_pairs(pairs: _Matched, world: World) -> Iterable[Check]:
    size, planned = len(world.pairs), world.counts
    yield Check("citation pairs", int(pairs.known.sum()), "=", size)
    yield Check("citation pairs that were not planned", pairs.unplanned, "=", 0)
    for column, name in enumerate(SECTIONS):
        equal = int((pairs.counts[:, column] == planned[:, column]).sum())
        yield Check(f"citations with the exact {_COUNT_NAMES[name]}", equal, "=", size)


def _check_authors(
    store: GraphStore,
    papers: dict[str, list[Any]],
    works: dict[object, int],
    *,
    world: World,
) -> Iterable[Check]:
    """Precision and recall of author disambiguation over pairs of names."""
    full = {node for node, flag in zip(papers["id"], papers["fulltext"], strict=True) if flag}
    wrote = _read(store, "WROTE", "position", "role")
    bylines: dict[object, list[tuple[object, object]]] = {}
    for author, node, position, role in zip(
        wrote["from"], wrote["to"], wrote["position"], wrote["role"], strict=True
    ):
        if node in full and role == "author":
            bylines.setdefault(node, []).append((position, author))
    nodes: list[object] = []
    persons: list[int] = []
    for node, names in bylines.items():
        names.sort(key=lambda entry: str(entry[0]).zfill(9))
        signed = world.works[works[node]].authors if node in works else ()
        nodes += [author for _, author in names][: len(signed)]
        persons += signed[: len(names)]
    precision, recall = compute_pairwise(nodes, persons)
    yield _share_check(
        "author names joined that are one person (precision)", precision, AUTHOR_PRECISION
    )
    yield _share_check("author names of one person that are joined (recall)", recall, AUTHOR_RECALL)


def _check_self(pairs: _Matched, world: World) -> Iterable[Check]:
    planted, citing = world.pairs.self_citation, world.pairs.citing
    both = np.bincount(citing[pairs.self_citation & planted], minlength=world.papers).tolist()
    for name, cases, bound in (
        ("precision", pairs.self_citation, SELF_PRECISION),
        ("recall", planted, SELF_RECALL),
    ):
        wholes = np.bincount(citing[cases], minlength=world.papers).tolist()
        yield _share_check(f"self-citations: {name}", compute_share(both, wholes), bound)


def _share_check(name: str, share: Share, bound: float) -> Check:
    return Check(name, share.value, "≥", bound, CHANCE * share.error)


def _check_importance(scores: Floats, world: World, shuffled: Floats) -> Iterable[Check]:
    scored = ~np.isnan(scores)
    yield Check("citations scored", int(scored.sum()), "=", len(scores))
    planted = world.pairs.importance
    exact = world.counts[:, _SCORED].sum(axis=1) + world.pairs.self_citation
    bound = _CONTROL_WIDTH / math.sqrt(max(len(planted) - 1, 1))
    yield Check(
        "importance: rank correlation with the planted one",
        compute_rank_correlation(scores[scored], planted[scored]),
        "≥",
        ATTAINED * compute_rank_correlation(exact.astype(float), planted),
    )
    yield Check(
        "control: with a shuffled one, absolute",
        abs(compute_rank_correlation(scores[scored], shuffled[scored])),
        "≤",
        bound,
    )


def _average_tenths(scores: Floats, planted: Floats, shuffled: Floats) -> tuple[Bin, ...]:
    if np.isnan(scores).any() or len(scores) < _BINS:
        return ()
    tenths = zip(
        *(np.array_split(np.argsort(key, kind="stable"), _BINS) for key in (planted, shuffled)),
        strict=True,
    )
    return tuple(
        Bin(float(planted[own].mean()), float(scores[own].mean()), float(scores[other].mean()))
        for own, other in tenths
    )


def compute_rank_correlation(a: Floats, b: Floats) -> float:
    """Spearman's rho with mean ranks for ties; NaN if a value is missing or all are equal."""
    if len(a) < 2 or np.isnan(a).any() or np.isnan(b).any():
        return math.nan
    ranks = []
    for values in (a, b):
        _, place, sizes = np.unique(values, return_inverse=True, return_counts=True)
        ranks.append((np.cumsum(sizes) - (sizes - 1) / 2)[place])
        if len(sizes) == 1:
            return math.nan
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def check_notices(store: GraphStore, world: World) -> Iterable[Check]:
    """Works with their planted notices, and citations before and after them.

    Args:
        store: store with the corpus of `world` and its table of notices.
        world: the ground truth.
    """
    works = works_by_node(store, world)
    marked = store.read(query("ingest/noted_works")).to_pylist()
    found = {(works.get(row["id"]), row["notice"], row["notice_doi"]) for row in marked}
    planted = {(notice.work, notice.state, notice.doi) for notice in world.notices}
    yield Check("retracted and corrected works recognised", len(found & planted), "=", len(planted))
    yield Check("works marked without a planted notice", len(found - planted), "=", 0)

    expected: Counter[str] = Counter()
    dates = {notice.work: str(notice.year or "") for notice in world.notices}
    pairs = zip(world.pairs.citing.tolist(), world.pairs.cited.tolist(), strict=True)
    for citing, cited in pairs:
        if cited in dates:
            expected[compare_dates(str(world.works[citing].year), dates[cited])] += 1
    counted = store.read(query("explore/notices")).to_pylist()
    for timing, text in (
        ("before", "before their notice"),
        ("same", "in the year of their notice"),
        ("after", "after their notice"),
        ("unknown", "with a notice without a date"),
    ):
        count = sum(row[timing] for row in counted)
        yield Check(f"citations of such works {text}", count, "=", expected[timing])
