"""Temporal overlap of training contexts with evaluation contexts, which is not leakage.

Protocols restrict candidates, not the sentences of profiles: a sentence of a later paper may be in
the profile of a work that is old enough. Two papers may also share a sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import find_rows
from citescape.recommend.contexts import TEXT, Contexts
from citescape.recommend.dates import NEVER, Dates
from citescape.recommend.protocol import Inductive
from citescape.recommend.texts import join_sentences, list_sentences
from citescape.search.listed import sort_unique


def count_overlaps(inductive: Inductive, dates: Dates) -> dict[str, dict[str, int]]:
    """Number of contexts of each split that overlap with the training contexts.

    Contexts of papers without a date are counted as `undated` only. A training context of a paper
    without a date may be newer than any other paper.

    Returns:
        Split -> `newer_sentences`: training sentences that may be newer than a query paper;
        `newer_profiles`: contexts that cite a work whose profile has a sentence that may be newer
        than the query paper; `undated`: contexts of papers without a date; `same_words`: contexts
        with the same words as a training context of another paper, if texts are known.
    """
    training, overlaps = inductive.training, {}
    for split, contexts in inductive.splits.items():
        earliest, _ = dates.span(contexts.citing)
        earliest = earliest[earliest > NEVER]
        newer = 0
        if len(earliest):
            _, latest = dates.span(training.pairs["citing"].combine_chunks())
            recent = training.filter(pa.array(latest >= earliest.min()))
            newer = len(join_sentences(recent) if TEXT in recent.pairs.column_names else recent)
        overlaps[split] = {
            "newer_sentences": newer,
            **_count_dated(contexts, training, dates),
            "same_words": _count_same(contexts, training),
        }
    return overlaps


def count_fold_overlaps(
    folds: Sequence[Contexts], training: Contexts, dates: Dates
) -> dict[str, int]:
    """Overlap of each fold with the profiles computed without its papers.

    Args:
        folds: query contexts.
        training: contexts of all profiles.
        dates: dates of all papers.

    Returns:
        `newer_profiles` and `undated` of all folds, see `count_overlaps`.
    """
    overlaps: Counter[str] = Counter(newer_profiles=0, undated=0)
    for fold in folds:
        own = pc.is_in(training.pairs["citing"], value_set=fold.citing)
        overlaps.update(_count_dated(fold, training.filter(pc.invert(own)), dates))
    return dict(overlaps)


def _count_dated(contexts: Contexts, training: Contexts, dates: Dates) -> dict[str, int]:
    """Contexts whose cited works have newer sentences in their profiles, and undated ones."""
    _, latest = dates.span(training.pairs["citing"].combine_chunks())
    cited = training.pairs.select(["cited"]).append_column("latest", pa.array(latest))
    last = cited.group_by("cited").aggregate([("latest", "max")]).sort_by("cited")
    rows = find_rows(contexts.pairs["cited"], last["cited"].combine_chunks())
    ends = np.append(last["latest_max"].to_numpy(), NEVER)  # -1, a work without contexts, is last
    earliest, _ = dates.span(contexts.pairs["citing"].combine_chunks())
    flags = {
        "newer_profiles": (earliest > NEVER) & (ends[rows] >= earliest),
        "undated": earliest == NEVER,
    }
    return {
        name: len(sort_unique(contexts.pairs["context"].filter(pa.array(chosen))))
        for name, chosen in flags.items()
    }


def _count_same(contexts: Contexts, training: Contexts) -> int:
    if TEXT not in contexts.pairs.column_names or TEXT not in training.pairs.column_names:
        return 0
    by_words = list_sentences(training).group_by("words")
    papers = by_words.aggregate([("citing", "min"), ("citing", "max")])
    shared = list_sentences(contexts).join(papers, "words", join_type="inner")
    others = (pc.not_equal(shared["citing"], shared[f"citing_{end}"]) for end in ("min", "max"))
    return len(sort_unique(shared["context"].filter(pc.or_(*others))))
