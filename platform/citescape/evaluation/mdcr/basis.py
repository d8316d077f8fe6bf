"""Inputs of rankers for the papers of a benchmark."""

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
    basis: Basis, run: MdcrRun, read: Callable[[], Citations], *, split: str
) -> Basis:
    """Adds citations, held-out queries and the tuning of BM25 to the inputs of rankers.

    Args:
        basis: inputs with the texts of a split.
        run: the benchmark.
        read: reads the citations of its graph; called if a ranker needs them.
        split: the evaluated split. BM25 is tuned on the validation split only if it is another.
    """
    ids = basis.ids
    splits = [name for name, file in SPLITS.items() if (run.path / file).is_file()]
    queries = [run.read(name).table["query"] for name in splits]
    rows = find_rows(pa.chunked_array([chunk for part in queries for chunk in part.chunks]), ids)
    held_out, tune = np.unique(rows[rows >= 0]), None
    if split != VALIDATION and VALIDATION in splits:
        corpus = read_texts(run.path / TEXTS[VALIDATION])
        tune = partial(tune_on_benchmark, benchmark=run.read(VALIDATION), corpus=corpus)
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
    """Tunes BM25 by MAP, the mean over fields, on the candidates of another split.

    Args:
        ranker: BM25 over the texts of the evaluated split.
        benchmark: the other split.
        corpus: texts of the other split.
        grid: values of k1 and b.
        progress: receives the current values.
    """
    pairs, ids = benchmark.pairs(), corpus.papers["id"].combine_chunks()

    def find_map(candidate: Bm25) -> float:
        figures = measure(benchmark, score(candidate, ids, pairs), metrics=("map",))
        return float(np.nanmean(figures.group_means("map")))

    tuned = tune_bm25(Bm25.from_documents(corpus.documents), find_map, grid, progress=progress)
    return replace(ranker, k1=tuned.k1, b=tuned.b, trials=tuned.trials)
