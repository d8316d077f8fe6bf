"""What training contexts tell of evaluation contexts without being a leak, counted to be told.

Protocols say which works may be found. They say nothing of the sentences that profiles are made of:
one of a later paper may stand in the profile of a work that is old enough. Nor do they forbid that
two papers share a sentence: what an earlier one says, whoever writes a later one may have read.
"""

from __future__ import annotations

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


def count_foreknowledge(inductive: Inductive, dates: Dates) -> dict[str, dict[str, int]]:
    """Of each split what training contexts know already.

    Of contexts whose paper has no date nothing is said but how many they are. A training context of
    a paper without a date is not surely older than anything.

    Returns:
        Split -> `newer_sentences`: training contexts that are not surely older than every paper
        that asks, those of one sentence as one; `asked_of_newer`: contexts with a work to be found
        in whose profile there is one that is not surely older than the paper that asks; `undated`:
        contexts whose paper has no date; `same_words`: contexts whose words are those of a training
        context of another paper, where texts are known.
    """
    training = inductive.training
    return {
        split: {
            "newer_sentences": _count_newer(contexts, training, dates),
            "asked_of_newer": _count_asked(contexts, training, dates),
            "undated": _count_undated(contexts, dates),
            "same_words": _count_same(contexts, training),
        }
        for split, contexts in inductive.splits.items()
    }


def count_fold_foreknowledge(
    folds: Sequence[Contexts], training: Contexts, dates: Dates
) -> dict[str, int]:
    """What profiles made without the papers of a fold know of its contexts.

    Args:
        folds: training contexts that are asked.
        training: contexts that profiles are made of.
        dates: of all papers.

    Returns:
        `asked_of_newer` and `undated` of all folds, see `count_foreknowledge`.
    """
    found = {"asked_of_newer": 0, "undated": 0}
    for fold in folds:
        own = pc.is_in(training.pairs["citing"], value_set=fold.citing)
        found["asked_of_newer"] += _count_asked(fold, training.filter(pc.invert(own)), dates)
        found["undated"] += _count_undated(fold, dates)
    return found


def _count_undated(contexts: Contexts, dates: Dates) -> int:
    begun, _ = dates.span(contexts.pairs["citing"].combine_chunks())
    return len(sort_unique(contexts.pairs["context"].filter(pa.array(begun == NEVER))))


def _count_newer(contexts: Contexts, training: Contexts, dates: Dates) -> int:
    begun, _ = dates.span(contexts.citing)
    begun = begun[begun > NEVER]
    if not len(begun):
        return 0
    _, latest = dates.span(training.pairs["citing"].combine_chunks())
    newer = training.filter(pa.array(latest >= begun.min()))
    return len(join_sentences(newer) if TEXT in newer.pairs.column_names else newer)


def _count_asked(contexts: Contexts, training: Contexts, dates: Dates) -> int:
    _, latest = dates.span(training.pairs["citing"].combine_chunks())
    said = training.pairs.select(["cited"]).append_column("latest", pa.array(latest))
    last = said.group_by("cited").aggregate([("latest", "max")]).sort_by("cited")
    rows = find_rows(contexts.pairs["cited"], last["cited"].combine_chunks())
    ends = np.append(last["latest_max"].to_numpy(), NEVER)  # -1 takes the last: nothing is said
    begun, _ = dates.span(contexts.pairs["citing"].combine_chunks())
    newer = (begun > NEVER) & (ends[rows] >= begun)
    return len(sort_unique(contexts.pairs["context"].filter(pa.array(newer))))


def _count_same(contexts: Contexts, training: Contexts) -> int:
    if TEXT not in contexts.pairs.column_names or TEXT not in training.pairs.column_names:
        return 0
    asked, known = list_sentences(contexts), list_sentences(training)
    by = known.group_by("words").aggregate([("citing", "min"), ("citing", "max")])
    shared = asked.join(by, "words", join_type="inner")
    ends = (pc.not_equal(shared["citing"], shared[f"citing_{end}"]) for end in ("min", "max"))
    return len(sort_unique(shared["context"].filter(pc.or_(*ends))))
