"""Protocols: the candidates of each evaluation context.

Published inductive benchmarks use the papers of the training contexts as candidates
(`train-union`). The definition is stricter (Profiler, Eq. 1 and 2): no evaluation paper is a
candidate, and candidates are older than the query. The strict protocols follow the definition.
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
    STRICT_GLOBAL: "the same without evaluation papers, and older than every query",
    STRICT_PER_QUERY: "candidates are papers of the training contexts older than the query itself",
}


@dataclass(frozen=True, eq=False)
class Inductive:
    """Candidates, and evaluation contexts that cite at least one of them."""

    protocol: str
    corpus: pa.StringArray
    """(candidates,) ids, ascending."""
    training: Contexts
    splits: Mapping[str, Contexts]
    """Evaluation contexts, with the cited works that are candidates."""
    dropped: Mapping[str, Mapping[str, int]]
    """Split -> reason -> number of contexts left out; `corpus`: reason -> number of papers."""
    works_dropped: Mapping[str, int]
    """Split -> number of works cited by the remaining contexts that are not candidates."""

    def find_leaks(self, dates: Dates | None = None) -> dict[str, int]:
        """Number of leaks from evaluation to training, by kind; all 0 without leaks.

        Returns:
            `contexts_in_training`: evaluation contexts that are training contexts too, by their
            ids or, if texts are known, by paper and words; `citing_in_training`: evaluation papers
            with training contexts; `outside`: cited works that are not candidates; for strict
            protocols, which need dates, `not_older`: pairs of context and work whose work is not
            older than the citing paper; for `strict-global` `evaluation_papers`: citing papers that
            are candidates.
        """
        pairs = pa.concat_tables([split.pairs for split in self.splits.values()])
        training = self.training.pairs

        # training contexts with the same id, or with the same words in the same paper
        seen = pc.is_in(pairs["context"], value_set=sort_unique(training["context"]))
        if TEXT in pairs.column_names and TEXT in training.column_names:
            own, known = (
                pc.binary_join_element_wise(table["citing"], strip_placeholders(table[TEXT]), "\n")
                for table in (pairs, training)
            )
            seen = pc.or_(seen, pc.is_in(own, value_set=known.combine_chunks()))

        citing = sort_unique(pairs["citing"])
        leaks = {
            "contexts_in_training": len(sort_unique(pairs["context"].filter(seen))),
            "citing_in_training": _count_true(pc.is_in(citing, value_set=self.training.citing)),
            "outside": _count_true(pc.invert(pc.is_in(pairs["cited"], value_set=self.corpus))),
        }
        if self.protocol != TRAIN_UNION:
            older = _are_older(pairs, _require_dates(dates, self.protocol))
            leaks["not_older"] = int((~older).sum())
        if self.protocol == STRICT_GLOBAL:
            leaks["evaluation_papers"] = _count_true(pc.is_in(citing, value_set=self.corpus))
        return leaks


def apply_protocol(
    name: str,
    training: Contexts,
    evaluation: Mapping[str, Contexts],
    *,
    dates: Dates | None = None,
    candidates: pa.StringArray | None = None,
) -> Inductive:
    """Candidates and evaluation contexts of a protocol (Profiler, Eq. 1 and 2).

    Training contexts are unchanged. An evaluation context is left out if it cites no candidate. A
    paper without a date is neither older nor newer than any paper: strict protocols leave out such
    candidates, and contexts of such papers, and count both.

    Args:
        name: one of `PROTOCOLS`.
        training: contexts of the profiles.
        evaluation: split -> evaluation contexts.
        dates: dates of all papers; required by strict protocols.
        candidates: ids of all candidates, ascending; None for the papers of the training contexts,
            as in published benchmarks.

    Raises:
        ConfigError: no such protocol, a strict one without dates, or no context of a split is left.
    """
    if name not in PROTOCOLS:
        raise invalid_choice("protocol", name, PROTOCOLS)
    corpus, lost = training.papers if candidates is None else candidates, dict[str, int]()
    if name == STRICT_GLOBAL:
        corpus, lost = _restrict_corpus(corpus, evaluation, _require_dates(dates, name))
    splits, dropped, works = {}, {"corpus": lost}, {}
    for split, contexts in evaluation.items():
        splits[split], dropped[split] = _keep_findable(contexts, corpus, name, dates=dates)
        remaining = pc.is_in(contexts.pairs["context"], value_set=splits[split].ids)
        works[split] = _count_true(remaining) - splits[split].pairs.num_rows
        if not len(splits[split]):
            raise ConfigError(
                f"{split}: none of {len(contexts):,} contexts cites a candidate of {name} "
                f"({len(corpus):,} candidates); expected some"
            )
    return Inductive(name, corpus, training, splits, dropped, works)


def _restrict_corpus(
    corpus: pa.StringArray, evaluation: Mapping[str, Contexts], dates: Dates
) -> tuple[pa.StringArray, dict[str, int]]:
    """Candidates that are older than every evaluation paper, and are not evaluation papers.

    There is one corpus for all splits, as in Eq. 1: a validation paper is not a candidate for test
    queries either, and all candidates are older than the oldest paper of any split.
    """
    queries = sort_unique(
        pa.chunked_array([split.citing for split in evaluation.values()], pa.string())
    )
    own = pc.is_in(corpus, value_set=queries).to_numpy(zero_copy_only=False)
    _, latest = dates.span(corpus)
    dated = latest < EVER
    earliest, _ = dates.span(queries)
    known = earliest[earliest > NEVER]  # contexts of undated papers are left out
    newer = dated & (latest >= min(known, default=EVER))
    lost = {
        "evaluation_papers": int(own.sum()),
        "without_date": int((~own & ~dated).sum()),
        "not_older": int((~own & newer).sum()),
    }
    return corpus.filter(pa.array(~own & dated & ~newer)), lost


def _keep_findable(
    contexts: Contexts, corpus: pa.StringArray, name: str, *, dates: Dates | None
) -> tuple[Contexts, dict[str, int]]:
    """Rows whose works are candidates, and the number of contexts left out by reason."""
    findable = contexts.filter(pc.is_in(contexts.pairs["cited"], value_set=corpus))
    dropped = {"cited_not_in_corpus": len(contexts) - len(findable)}
    if name == TRAIN_UNION:
        return findable, dropped
    dates = _require_dates(dates, name)
    earliest, _ = dates.span(findable.pairs["citing"].combine_chunks())
    dated = findable.filter(pa.array(earliest > NEVER))
    kept = dated.filter(pa.array(_are_older(dated.pairs, dates)))
    dropped["citing_without_date"] = len(findable) - len(dated)
    dropped["cited_not_older"] = len(dated) - len(kept)
    return kept, dropped


def _are_older(pairs: pa.Table, dates: Dates) -> Bools:
    """(rows,) whether the work is older than the citing paper."""
    ends = (pairs[name].combine_chunks() for name in ("cited", "citing"))
    return dates.are_older(*ends)


def _require_dates(dates: Dates | None, name: str) -> Dates:
    if dates is None:
        raise ConfigError(f"{name} requires dates of papers; expected dates, or {TRAIN_UNION}")
    return dates


def _count_true(flags: pa.Array | pa.ChunkedArray) -> int:
    return int(pc.sum(flags).as_py() or 0)
