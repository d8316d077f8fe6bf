"""Inputs of rankers of a benchmark's papers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa

from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.evaluation.leakage.seen import count_seen
from citescape.evaluation.mdcr.benchmark import MdcrBenchmark
from citescape.evaluation.mdcr.build import SPLITS, TEXTS, MdcrRun
from citescape.evaluation.mdcr.evaluate import measure, score
from citescape.evaluation.mdcr.files import read_texts
from citescape.evaluation.mdcr.queries import VALIDATION
from citescape.evaluation.tuning import Grid, tune_bm25
from citescape.networks.citations import Citations
from citescape.papers.documents import DocumentCorpus
from citescape.ranking.registry import Basis
from citescape.ranking.sgc import find_ends
from citescape.search.bm25 import Bm25


def prepare_basis(
    basis: Basis, made: MdcrRun, read: Callable[[], Citations], *, split: str
) -> Basis:
    """Adds citations, the queries held out, and the tuning of BM25 to a basis.

    Args:
        basis: with the texts of a split.
        made: the benchmark.
        read: reads the citations of the graph that it is from; called if a ranker needs them.
        split: which is measured. BM25 cannot be tuned by the queries that it is measured by.
    """
    ids = basis.ids
    there = [name for name, file in SPLITS.items() if (made.path / file).is_file()]
    queries = [made.read(name).table["query"] for name in there]
    rows = find_rows(pa.chunked_array([chunk for part in queries for chunk in part.chunks]), ids)
    held_out, tune = np.unique(rows[rows >= 0]), None
    if split != VALIDATION and VALIDATION in there:
        corpus = read_texts(made.path / TEXTS[VALIDATION])
        tune = partial(tune_on_benchmark, benchmark=made.read(VALIDATION), corpus=corpus)
    return replace(
        basis,
        citations=lambda: find_ends(read(), ids),
        held_out=held_out,
        count_seen=partial(count_seen, runs=basis.runs, queries=ids.take(pa.array(held_out))),
        tune=tune,
    )


def tune_on_benchmark(
    ranker: Bm25,
    *,
    benchmark: MdcrBenchmark,
    corpus: DocumentCorpus,
    grid: Grid | None = None,
    progress: Progress = silent,
) -> Bm25:
    """Tunes BM25 by MAP, the mean over fields, on the candidates of another split and its texts."""
    pairs, ids = benchmark.pairs(), corpus.papers["id"].combine_chunks()

    def find_map(tried: Bm25) -> float:
        found = measure(benchmark, score(tried, ids, pairs), metrics=("map",))
        return float(np.nanmean(found.group_means("map")))

    found = tune_bm25(Bm25.from_documents(corpus.documents), find_map, grid, progress=progress)
    return replace(ranker, k1=found.k1, b=found.b, trials=found.trials)
