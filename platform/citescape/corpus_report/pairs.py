"""Citation pairs, and citations with their sentences, for report pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.types import SECTION_NAMES
from citescape.importance.components import COUNTED, PUBLISHED
from citescape.importance.components import TABLE as TABLE_OF_COMPONENTS
from citescape.importance.weights import (
    ComponentCounts,
    ComponentStatistics,
    compute_statistics,
    compute_weights,
)
from citescape.reports.content import QuotedCitation
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.schema import TABLE
from citescape.store.statements import read_text

SECTION_LABELS = {kind: name.capitalize() for kind, name in SECTION_NAMES.items()}
_SENTENCES = 3
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PairTable:
    """All citation pairs, by importance, then by ids; one entry per pair."""

    citing: list[str]
    cited: list[str]
    counts: Ints
    """(pairs, 5), columns as in `COUNTED`."""
    shared: Bools
    importance: Floats
    """0 for unscored pairs."""

    def __len__(self) -> int:
        return len(self.citing)

    def component(self, name: str) -> Ints:
        """Values of a component (`I`, `R`, `D`, `S`, ...)."""
        if name == "S":
            return self.shared.astype(np.int64)
        return self.counts[:, COUNTED.index(TABLE_OF_COMPONENTS[name].column)]


def read_pairs(store: GraphStore) -> PairTable:
    """Reads all citation pairs."""
    table = store.read(read_text(TABLE["CITES"], [*COUNTED, "self", "importance"]))
    if table.num_rows:
        order = [("importance", "descending"), ("from", "ascending"), ("to", "ascending")]
        table = table.sort_by(order)

    def read_numbers(name: str) -> Floats:
        values = table[name].cast(pa.float64()).fill_null(0.0)
        return np.asarray(values.to_numpy(zero_copy_only=False))

    return PairTable(
        citing=table["from"].to_pylist(),
        cited=table["to"].to_pylist(),
        counts=np.stack([read_numbers(name) for name in COUNTED], axis=1).astype(np.int64),
        shared=read_numbers("self") > 0,
        importance=read_numbers("importance"),
    )


def compute_components(pairs: PairTable) -> tuple[ComponentStatistics, ...]:
    """Mean, deviation, entropy and entropy weight of each component (CIA, Table 3)."""
    counts = [
        ComponentCounts.from_histogram(name, np.bincount(pairs.component(name)))
        for name in PUBLISHED
    ]
    method = "entropy" if any(count.varies for count in counts) else "uniform"
    return compute_statistics(counts, compute_weights(counts, method))


def read_examples(store: GraphStore, pairs: PairTable, rows: Sequence[int]) -> list[QuotedCitation]:
    """Reads citations with up to three of their sentences.

    Args:
        store: store to read.
        pairs: all citation pairs.
        rows: rows of `pairs`.
    """
    ids = sorted({end for row in rows for end in (pairs.citing[row], pairs.cited[row])})
    works = {
        work["id"]: work for work in store.read(query("explore/papers"), papers=ids).to_pylist()
    }
    examples = []
    for row in rows:
        citing, cited = pairs.citing[row], pairs.cited[row]
        occurrences = query("features/explain_occurrences")
        contexts = store.read(occurrences, citing=citing, cited=cited).to_pylist()
        numbers = zip(SECTION_LABELS.values(), pairs.counts[row].tolist(), strict=True)
        counts = [(name, f"{number}") for name, number in numbers if number]

        # one sentence per section first, in the order R, D, I, M; then further sentences
        order, seen = {"R": 0, "D": 1, "I": 2, "M": 3}, Counter[str]()
        ranked: list[tuple[int, int, int]] = []
        for at, context in enumerate(contexts):
            section = context["type"]
            ranked.append((seen[section], order.get(section, 4), at))
            seen[section] += 1
        chosen = [contexts[at] for _, _, at in sorted(ranked)[:_SENTENCES]]
        example = QuotedCitation(
            importance=float(pairs.importance[row]),
            citing=_name(works[citing]),
            citing_title=_title(works[citing]),
            citing_id=citing,
            cited=_name(works[cited]),
            cited_title=_title(works[cited]),
            cited_id=cited,
            counts=[*counts, *([("Shared author", "yes")] if pairs.shared[row] else [])],
            sentences=[
                (SECTION_LABELS.get(context["type"], context["type"]), context["context"])
                for context in chosen
            ],
        )
        examples.append(example)
    return examples


def _title(work: dict[str, Any]) -> str:
    """Title without the full stop of some reference lists."""
    return (work["title"] or "untitled").removesuffix(".")


def _name(work: dict[str, Any]) -> str:
    """`Wang et al. (2015)`."""
    surnames = work["surnames"] or ["Unknown"]
    names = {1: surnames[0], 2: " and ".join(surnames)}.get(len(surnames), f"{surnames[0]} et al.")
    return f"{names} ({work['year'] or 'no year'})"


def find_perfunctory(pairs: PairTable) -> int | None:
    """Row of a perfunctory citation, as contrast to the most important citation.

    This is the least important work that the same paper mentions once, in its introduction; or, if
    it has none, the least important such pair of all.
    """
    if not len(pairs):
        return None
    once = (pairs.counts.sum(axis=1) == 1) & (pairs.counts[:, 0] == 1)
    same = np.array([citing == pairs.citing[0] for citing in pairs.citing]) & once
    rows = np.flatnonzero(same if same.any() else once)
    return int(rows[-1]) if len(rows) else None
