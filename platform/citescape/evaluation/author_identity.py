"""Evaluation of author disambiguation: ORCIDs are hidden, and authors are found again.

Only signatures with an ORCID are measured. They are on by-lines of full texts, where more people
print full names than in reference lists; `initials` prints some of them as reference lists do.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.ingest.authors import AuthorResolver, neighbourhood_authors
from citescape.ingest.names import initials_of
from citescape.ingest.signatures import flatten, read_signatures
from citescape.metrics.clusterings import MEASURES, count_clusters, measure_clusters
from citescape.metrics.intervals import Interval
from citescape.runs.result import Result, Summary, Table, Text, plural

FREQUENCIES = ((1, 10), (11, 100), (101, 0))
"""Classes of names by the number of signatures with their surname and first initial."""
_ALL = "all names"


@dataclass(frozen=True)
class NameGroup:
    """Measures of the signatures of some names."""

    names: str
    signatures: int
    people: int
    pairs: int
    """Pairs of signatures of one person."""
    measures: dict[str, Interval]


@dataclass(frozen=True)
class AuthorEvaluation(Result):
    """Authors found without ORCIDs, compared with the ORCIDs."""

    groups: tuple[NameGroup, ...]
    """All names, then names by frequency."""
    hidden: int
    """ORCIDs that were hidden and are measured."""
    excluded: int
    """ORCIDs that a by-line prints beside two names; they are not measured."""

    @cached_property
    def arrow(self) -> pa.Table:
        """A row per group of names and measure: value and 95% interval over people."""
        rows = [
            {
                "names": group.names,
                "signatures": group.signatures,
                "people": group.people,
                "pairs": group.pairs,
                "measure": measure,
                "value": _known(interval.mean),
                "low": _known(interval.low),
                "high": _known(interval.high),
            }
            for group in self.groups
            for measure, interval in group.measures.items()
        ]
        return pa.Table.from_pylist(rows)

    def summarise(self) -> Summary:
        """Measures of all names with intervals, and by frequency of the name."""
        every = self.groups[0]
        measured = plural(every.signatures, "signature")
        head = (
            f"{measured} of {plural(every.people, 'person', 'people')} with a hidden ORCID, "
            f"{plural(every.pairs, 'pair')} of one person; signatures without an ORCID are "
            "resolved, but not measured"
        )
        if self.excluded:
            head += f"; left out: {plural(self.excluded, 'ORCID')} beside two names of a by-line"
        intervals = Table(
            (_ALL, "value", "low", "high"),
            [
                (measure, *map(_known, (found.mean, found.low, found.high)))
                for measure, found in every.measures.items()
            ],
        )
        columns = ("signatures of the name", "measured", "pairs", *MEASURES)
        by_name = Table(
            [name.replace("pairwise", "pair").replace("B-cubed", "B3") for name in columns],
            [
                (
                    group.names,
                    group.signatures,
                    group.pairs,
                    *(_known(interval.mean) for interval in group.measures.values()),
                )
                for group in self.groups
            ],
        )
        figures: dict[str, Any] = {
            "signatures": every.signatures,
            "people": every.people,
            "pairs": every.pairs,
            "excluded": self.excluded,
            "names": {
                group.names: {name: _known(found.mean) for name, found in group.measures.items()}
                for group in self.groups
            },
        }
        return Summary([Text(head), "", intervals, "", by_name], figures)


def _known(value: float) -> float | None:
    return value if np.isfinite(value) else None


def evaluate_authors(
    papers: pa.Table,
    cites: pa.Table,
    *,
    hide: float = 1.0,
    initials: float = 0.0,
    seed: int = 0,
    resolver: AuthorResolver = neighbourhood_authors,
) -> AuthorEvaluation:
    """Hides ORCIDs, finds authors again, and compares them with the ORCIDs. Writes nothing.

    Args:
        papers: by-lines, see `neighbourhood_authors`.
        cites: citations, see there.
        hide: share of ORCIDs that are hidden, drawn by person. Only these are measured.
        initials: share of papers whose given names are reduced to initials.
        seed: random seed of both shares and of the intervals.
        resolver: disambiguates authors.

    Raises:
        ConfigError: no by-line has an ORCID.
    """
    papers = papers.sort_by("id")
    rng = np.random.default_rng(seed)
    flat = flatten(papers)
    orcids = flat.filter(pc.is_valid(flat["orcid"]))
    if not orcids.num_rows:
        raise ConfigError("no by-line has an ORCID; expected full texts that print ORCIDs")
    counted = orcids.group_by(["paper", "orcid"]).aggregate([([], "count_all")])
    twice = pc.unique(counted.filter(pc.greater(counted["count_all"], 1))["orcid"])
    known = pc.unique(orcids["orcid"]).sort()
    hidden = known.filter(pa.array(rng.random(len(known)) < hide))
    shortened = rng.random(papers.num_rows) < initials
    changed = _hide(papers, hidden)
    changed = _shorten(changed, shortened)

    resolved = resolver(changed, cites)
    measured = pc.and_(
        pc.is_in(flat["orcid"], value_set=hidden),
        pc.invert(pc.is_in(flat["orcid"], value_set=twice)),
    )
    places = _place(resolved)
    row = pc.index_in(_place(flat).filter(measured), value_set=places)
    found = resolved["author"].take(row).combine_chunks().dictionary_encode().indices.to_numpy()
    truth = flat["orcid"].filter(measured).combine_chunks().dictionary_encode().indices.to_numpy()
    block = read_signatures(flat, papers).block
    sizes = np.bincount(block)[block][measured.to_numpy()]
    return AuthorEvaluation(
        groups=measure_names(found, truth, sizes, seed=seed),
        hidden=len(hidden),
        excluded=len(twice),
    )


def measure_names(
    found: npt.NDArray[np.integer],
    truth: npt.NDArray[np.integer],
    sizes: npt.NDArray[np.integer],
    *,
    seed: int = 0,
) -> tuple[NameGroup, ...]:
    """Measures of all signatures, and by frequency of the name.

    Args:
        found: (n,) code of the author of each signature.
        truth: (n,) code of the person.
        sizes: (n,) number of signatures with the surname and first initial.
        seed: random seed of the intervals.
    """
    groups: list[NameGroup] = []
    for low, high in ((1, 0), *FREQUENCIES):
        inside = (sizes >= low) & ((sizes <= high) | (high == 0))
        counts = count_clusters(found[inside].astype(np.int64), truth[inside].astype(np.int64))
        name = f"{low}-{high}" if high else f"{low} or more"
        groups.append(
            NameGroup(
                names=name if groups else _ALL,
                signatures=int(inside.sum()),
                people=len(counts.entries),
                pairs=round(float(counts.true_pairs.sum())),
                measures=measure_clusters(counts, seed=seed),
            )
        )
    return tuple(groups)


def _hide(papers: pa.Table, hidden: pa.Array) -> pa.Table:
    """Papers without some ORCIDs."""
    lists = papers["orcids"].combine_chunks()
    values = lists.flatten()
    kept = pc.if_else(pc.is_in(values, value_set=hidden), "", values)
    offsets = np.append(0, np.cumsum(pc.fill_null(pc.list_value_length(lists), 0).to_numpy()))
    mask = pc.is_null(lists)
    column = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), kept, mask=mask)
    return papers.set_column(papers.schema.get_field_index("orcids"), "orcids", column)


def _shorten(papers: pa.Table, shortened: npt.NDArray[np.bool_]) -> pa.Table:
    """Papers with initials in place of given names."""
    if not shortened.any():
        return papers
    givens = [
        [initials.upper() for initials in initials_of(names)] if short and names else names
        for names, short in zip(papers["givens"].to_pylist(), shortened.tolist(), strict=True)
    ]
    column = pa.array(givens, pa.list_(pa.string()))
    return papers.set_column(papers.schema.get_field_index("givens"), "givens", column)


def _place(signatures: pa.Table) -> pa.ChunkedArray:
    """Paper and position of each signature as one text."""
    position = pc.cast(signatures["position"], pa.string())
    return pc.binary_join_element_wise(signatures["paper"], position, "@")
