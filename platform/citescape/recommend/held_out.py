"""The weight of words of a store, chosen on sentences of papers held out of its profiles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.metrics.chance import draw_numbers
from citescape.recommend.contexts import Contexts
from citescape.recommend.dates import EVER, NEVER
from citescape.recommend.lcr.measure import WARM, RelevantWorks
from citescape.recommend.lcr.prepare import ProfileInputs
from citescape.recommend.library import read_dates, read_documents
from citescape.recommend.profiler import ProfileWeights
from citescape.recommend.profiles import WORD_WEIGHT, ProfileRun
from citescape.recommend.queries import ContextQueries, EncodedQueries
from citescape.recommend.retriever import CandidateIndex
from citescape.recommend.texts import read_texts
from citescape.recommend.word_weight import (
    FEWEST,
    WordWeightChoice,
    choose_word_weight,
    rank_by_word_weight,
)
from citescape.runs.directory import replace_record
from citescape.search.listed import Bools

HELD_OUT = 0.1
"""Share of the citing papers that are held out."""
MOST = 1000
"""Maximum number of sentences to choose on."""


def keep_word_weight(run: ProfileRun, *, progress: Progress = silent) -> ProfileRun:
    """The run with a weight of words that was chosen on its profiles, in its record.

    Args:
        run: profiles; returned unchanged if they have such a weight.
        progress: called with the name of each stage as it begins.
    """
    if run.word_weight_choice and run.word_weight_choice.run == run.run:
        return run
    progress("choosing the weight of words")
    chosen = replace(choose_on_profiles(run, progress=progress), run=run.run)
    request = {**run.record.request, WORD_WEIGHT: chosen.to_record()}
    record = replace(run.record, request=request)
    replace_record(run.path, record)
    return replace(run, record=record)


def choose_on_profiles(run: ProfileRun, *, progress: Progress = silent) -> WordWeightChoice:
    """The weight of words with the highest MRR on sentences of held-out citing papers.

    A tenth of the citing papers are drawn by a hash of their ids, and at most `MOST` of their
    sentences. Candidates are works that other papers cite and that are older than the query paper:
    a work that only the held-out papers cite is in the store because of the query.
    """
    citing = run.contexts.citing
    drawn = np.argsort(draw_numbers(citing, WORD_WEIGHT, seed=0), kind="stable")
    held = citing.take(pa.array(drawn[: round(HELD_OUT * len(citing))]))
    pairs = run.contexts.pairs.filter(pc.is_in(run.contexts.pairs["citing"], value_set=held))
    if len(Contexts(pairs)) < FEWEST:
        return choose_word_weight(np.empty((len(Contexts(pairs)), 0)), held.to_numpy(False))

    config = run.record.config
    weights = ProfileWeights(config["alpha"], config["beta"], contexts=config["contexts"])
    index = ProfileInputs.from_run(run).build_index_without(held, weights)
    warm = pc.is_in(pairs["cited"], value_set=run.ids.filter(pa.array(index.profiled)))
    contexts = Contexts(pairs.filter(warm).combine_chunks())
    encoded = _read_queries(run, contexts)
    order = np.argsort(draw_numbers(encoded.ids, WORD_WEIGHT, seed=1), kind="stable")
    encoded = encoded.select_rows(np.sort(order[:MOST]))
    relevant = RelevantWorks.from_contexts(contexts, encoded.ids, run.ids, warm=index.profiled)
    queries = encoded.compose(index.lexicon)
    return choose_on_warm(index, queries, relevant, among=index.profiled, progress=progress)


def choose_on_warm(
    index: CandidateIndex,
    queries: ContextQueries,
    relevant: RelevantWorks,
    *,
    among: Bools,
    progress: Progress = silent,
) -> WordWeightChoice:
    """The weight of words with the highest MRR of warm works, ranked among warm works.

    Args:
        index: candidates, without the papers of the queries.
        queries: q queries.
        relevant: works that these queries cite.
        among: (n,) papers that are candidates.
        progress: reports how many queries are done.
    """
    rows, cited = relevant.among(WARM)
    warm = np.unique(rows)
    ranks = rank_by_word_weight(
        index,
        queries.select_rows(warm),
        [cited[rows == row] for row in warm],
        among=among & index.profiled,
        progress=progress,
    )
    found = np.isfinite(ranks).any(axis=1)  # the others cite only works that may be newer
    return choose_word_weight(ranks[found], relevant.citing[warm[found]])


def _read_queries(run: ProfileRun, contexts: Contexts) -> EncodedQueries:
    """Queries from the vectors of a run; of contexts with a letter or a digit."""
    ids, texts = read_texts(contexts)
    kept = [row for row, text in enumerate(texts) if any(map(str.isalnum, text))]
    ids, texts = ids.take(pa.array(kept, pa.int64())), [texts[row] for row in kept]
    first = pa.array(find_rows(ids, contexts.pairs["context"].combine_chunks()))
    papers = contexts.pairs["citing"].take(first).combine_chunks()
    citing = find_rows(papers, run.ids)
    days = read_dates(run.papers).span(papers)[0]
    return EncodedQueries(
        ids,
        texts,
        read_documents(run.papers.take(pa.array(citing))),
        run.context_vectors[contexts.pairs["row"].take(first).to_numpy()],
        run.base[citing],
        citing,
        np.where(days == NEVER, np.int32(EVER), days),
    )
