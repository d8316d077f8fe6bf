"""What may be recommended for which context, so that nothing of the future is known.

Published inductive benchmarks take the papers of the training contexts for candidates
(`train-union`). That is less than the definition asks for (Profiler, Eq. 1 and 2): that no
evaluation paper is a candidate, and that candidates are older than the query. The strict protocols
do as defined.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, invalid_choice
from citescape.recommend.contexts import TEXT, Contexts
from citescape.recommend.dates import EVER, NEVER, Dates
from citescape.recommend.masking.mask import strip_placeholders
from citescape.search.listed import Bools, sort_unique

TRAIN_UNION, STRICT_GLOBAL, STRICT_PER_QUERY = "train-union", "strict-global", "strict-per-query"
PROTOCOLS = {
    TRAIN_UNION: "candidates are all papers of the training contexts",
    STRICT_GLOBAL: "of these, no evaluation paper, and none that is not older than every query",
    STRICT_PER_QUERY: "of these, for each query those that are older than it",
}


@dataclass(frozen=True, eq=False)
class Inductive:
    """Candidates, and contexts of which something that they cite can be found."""

    protocol: str
    corpus: pa.StringArray
    """(candidates,) ids, ascending."""
    training: Contexts
    splits: Mapping[str, Contexts]
    """Evaluation contexts that are left, with the works that may be found for them."""
    dropped: Mapping[str, Mapping[str, int]]
    """Split -> reason -> contexts; of the corpus: reason -> papers."""
    works_dropped: Mapping[str, int]
    """Split -> works that contexts which are left cite, and which may not be found for them."""

    def find_leaks(self, dates: Dates | None = None) -> dict[str, int]:
        """What would tell an answer; all 0 where nothing does.

        Returns:
            `contexts_in_training`: evaluation contexts that are training contexts too, by their
            ids or, where texts are known, by paper and words;
            `citing_in_training`: evaluation papers in which training contexts stand too;
            `outside`: works to be found that are no candidates; of the strict protocols, which need
            dates, `not_older`: (context, work) whose work is not older than the citing paper; of
            `strict-global` `evaluation_papers`: citing papers that are candidates.
        """
        pairs = pa.concat_tables([one.pairs for one in self.splits.values()])
        outside = pc.invert(pc.is_in(pairs["cited"], value_set=self.corpus))
        known = pc.is_in(sort_unique(pairs["citing"]), value_set=self.training.citing)
        found = {
            "contexts_in_training": _count_taught(pairs, self.training.pairs),
            "citing_in_training": _count(known),
            "outside": _count(outside),
        }
        if self.protocol == TRAIN_UNION:
            return found
        older = _older(pairs, _need(dates, self.protocol))
        found["not_older"] = int((~older).sum())
        if self.protocol == STRICT_GLOBAL:
            citing = sort_unique(pairs["citing"])
            found["evaluation_papers"] = _count(pc.is_in(citing, value_set=self.corpus))
        return found


def apply_protocol(
    name: str,
    training: Contexts,
    evaluation: Mapping[str, Contexts],
    *,
    dates: Dates | None = None,
    candidates: pa.StringArray | None = None,
) -> Inductive:
    """Candidates and evaluation contexts of a protocol (Profiler, Eq. 1 and 2).

    Training contexts stay as they are. An evaluation context is left out where none of what it
    cites may be found. A paper without a date is older than none and none is older than it, so
    strict protocols leave out candidates and contexts of such papers, and count them.

    Args:
        name: one of `PROTOCOLS`.
        training: contexts that profiles are made of.
        evaluation: split -> contexts to be completed.
        dates: of all papers; the strict protocols need them.
        candidates: ids of all that may be found, ascending; None for the papers of the training
            contexts, as published benchmarks have it.

    Raises:
        ConfigError: no such protocol, a strict one without dates, or nothing is left of a split.
    """
    if name not in PROTOCOLS:
        raise invalid_choice("protocol", name, PROTOCOLS)
    corpus, lost = training.papers if candidates is None else candidates, dict[str, int]()
    if name == STRICT_GLOBAL:
        corpus, lost = _cut(corpus, evaluation, _need(dates, name))
    splits, dropped, works = {}, {"corpus": lost}, {}
    for split, contexts in evaluation.items():
        splits[split], dropped[split] = _complete(contexts, corpus, name, dates=dates)
        left = pc.is_in(contexts.pairs["context"], value_set=splits[split].ids)
        works[split] = _count(left) - splits[split].pairs.num_rows
        if not len(splits[split]):
            raise ConfigError(
                f"{split}: none of {len(contexts):,} contexts cites a work that {name} lets be "
                f"found ({len(corpus):,} candidates); expected some"
            )
    return Inductive(name, corpus, training, splits, dropped, works)


def _cut(
    corpus: pa.StringArray, evaluation: Mapping[str, Contexts], dates: Dates
) -> tuple[pa.StringArray, dict[str, int]]:
    """Candidates without evaluation papers, and without those not older than every query.

    There is one corpus for all splits, as in Eq. 1: a validation paper is no candidate for test
    queries either, and the oldest paper of any split decides what is old enough for all.
    """
    queries = sort_unique(
        pa.chunked_array([one.citing for one in evaluation.values()], pa.string())
    )
    asked = pc.is_in(corpus, value_set=queries).to_numpy(zero_copy_only=False)
    _, latest = dates.span(corpus)
    dated = latest < EVER
    begun, _ = dates.span(queries)
    known = begun[begun > NEVER]  # contexts of the others are left out, so they ask for nothing
    newer = dated & (latest >= min(known, default=EVER))
    lost = {
        "evaluation_papers": int(asked.sum()),
        "without_date": int((~asked & ~dated).sum()),
        "not_older": int((~asked & newer).sum()),
    }
    return corpus.filter(pa.array(~asked & dated & ~newer)), lost


def _complete(
    contexts: Contexts, corpus: pa.StringArray, name: str, *, dates: Dates | None
) -> tuple[Contexts, dict[str, int]]:
    """What can be found of contexts, and how many are left out because of what."""
    found = contexts.filter(pc.is_in(contexts.pairs["cited"], value_set=corpus))
    dropped = {"cited_not_in_corpus": len(contexts) - len(found)}
    if name == TRAIN_UNION:
        return found, dropped
    told = _need(dates, name)
    begun, _ = told.span(found.pairs["citing"].combine_chunks())
    dated = found.filter(pa.array(begun > NEVER))
    kept = dated.filter(pa.array(_older(dated.pairs, told)))
    dropped["citing_without_date"] = len(found) - len(dated)
    dropped["cited_not_older"] = len(dated) - len(kept)
    return kept, dropped


def _count_taught(asked: pa.Table, training: pa.Table) -> int:
    """Contexts of which training has the id, or the same words of the same paper."""
    told = pc.is_in(asked["context"], value_set=sort_unique(training["context"]))
    if TEXT in asked.column_names and TEXT in training.column_names:
        words = (
            pc.binary_join_element_wise(one["citing"], strip_placeholders(one[TEXT]), "\n")
            for one in (asked, training)
        )
        told = pc.or_(told, pc.is_in(next(words), value_set=next(words).combine_chunks()))
    return len(sort_unique(asked["context"].filter(told)))


def _older(pairs: pa.Table, dates: Dates) -> Bools:
    """(rows,) whether the work is older than the paper that cites it."""
    ends = (pairs[name].combine_chunks() for name in ("cited", "citing"))
    return dates.are_older(*ends)


def _need(dates: Dates | None, name: str) -> Dates:
    if dates is None:
        raise ConfigError(f"{name} compares dates; expected those of papers, or {TRAIN_UNION}")
    return dates


def _count(flags: pa.Array | pa.ChunkedArray) -> int:
    return int(pc.sum(flags).as_py() or 0)
