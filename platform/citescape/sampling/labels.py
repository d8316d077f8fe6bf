"""Oracle triplets from gold labels: an upper bound, because they know the labels of the task.

Positives share the anchor's label, negatives have another (SciNCL, section 4.4, Oracle SciDocs).
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.core.compiled import compiled
from citescape.core.draws import draw_below, hash_ids
from citescape.core.errors import ConfigError, SourceError
from citescape.core.pairs import sort_ids
from citescape.core.progress import Progress, silent
from citescape.core.sorting import bisect
from citescape.papers.id_lists import match_listed
from citescape.runs.directory import Stopwatch
from citescape.sampling.config import LabelConfig, SamplingConfig
from citescape.sampling.draws import SHARE, Ints, shuffle_anchors
from citescape.sampling.pool import SampledTriplets, choose_anchors, count_rows, hold_out
from citescape.sampling.sample import SampleResult, SamplingRequest, find_usable, publish_triplets
from citescape.sampling.triplets import TRIPLETS, build_triplets, reason_code
from citescape.store.graph_store import GraphStore

LEAKS = "an upper bound: it has seen the labels"
COLUMNS = ("id", "label")
_SAME, _OTHER = reason_code("same label"), reason_code("another label")
_NEGATIVE = 1 << 12
"""First draw of negatives: an anchor has far fewer than 4,096 triplets."""


@dataclass(frozen=True)
class GoldLabels:
    """Papers with a text and a single label."""

    ids: pa.StringArray
    """(papers,) ascending."""
    names: tuple[str, ...]
    """Ascending."""
    codes: Ints
    """(papers,) positions in `names`."""
    left_out: Mapping[str, int]
    """Numbers of skipped rows and papers, by reason."""

    def fingerprint(self) -> str:
        """SHA-256 of papers and labels, 64 digits."""
        named = (self.names[code] for code in self.codes)
        lines = (f"{id_}\0{name}" for id_, name in zip(self.ids.to_pylist(), named, strict=True))
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def read_labels(path: Path) -> list[tuple[str, str]]:
    """The rows (identifier, label) of a CSV file with the columns `id` and `label`.

    Raises:
        SourceError: no such file, not text, a missing column, an incomplete row, or no rows.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            columns = reader.fieldnames or ()
            rows = [tuple((row.get(name) or "").strip() for name in COLUMNS) for row in reader]
    except (OSError, csv.Error) as error:
        raise _error(path, f"{error}") from error
    except UnicodeDecodeError as error:
        raise _error(path, "text that is not UTF-8") from error
    if not set(COLUMNS) <= set(columns):
        raise _error(path, f"columns {', '.join(map(repr, columns)) or 'none'}")
    broken = [k for k, row in enumerate(rows) if not all(row)]
    if broken:
        raise _error(path, f"row {broken[0] + 1} below the header is incomplete")
    if not rows:
        raise _error(path, "no rows")
    return [(id_, label) for id_, label in rows]


def _error(path: Path, problem: str) -> SourceError:
    expected = "expected a CSV file with an id and a label in every row and the header `id,label`"
    return SourceError(str(path), "no-labels", f"{expected}; found: {problem}; correct the file")


def find_labelled(
    store: GraphStore, rows: Sequence[tuple[str, str]], *, exclude: Collection[str] = ()
) -> GoldLabels:
    """The papers of the rows, by id, DOI, PMID or PMCID, and their labels.

    Skipped: rows without a paper in the store, excluded papers, papers with several labels, and
    papers without title and abstract.

    Args:
        store: the graph.
        rows: identifier and label.
        exclude: ids of papers to skip.
    """
    matched = match_listed(store, [name for name, _ in rows])
    labels: dict[str, set[str]] = {}
    for id_, (_, label) in zip(matched, rows, strict=True):
        if id_ is not None:
            labels.setdefault(id_, set()).add(label)
    remaining = {id_: names for id_, names in labels.items() if id_ not in set(exclude)}
    single = {id_: min(names) for id_, names in remaining.items() if len(names) == 1}
    ids = sort_ids(pa.array(single, pa.string()))
    kept = ids.filter(pa.array(find_usable(store, ids)))
    names, codes = np.unique([single[id_] for id_ in kept.to_pylist()], return_inverse=True)
    left_out = count_rows(
        labels_without_paper=matched.count(None),
        labels_disagree=len(remaining) - len(single),
        papers_without_text=len(single) - len(kept),
    )
    return GoldLabels(kept, tuple(map(str, names)), codes.astype(np.int32), left_out)


def sample_labels(
    store: GraphStore,
    rows: Sequence[tuple[str, str]],
    config: LabelConfig | None = None,
    *,
    exclude: Collection[str] = (),
    sampling: SamplingConfig | None = None,
    runs: Path | None = None,
    progress: Progress = silent,
) -> SampleResult:
    """Samples oracle triplets from gold labels, and stores them in a run directory.

    Args:
        store: the graph, for the texts of papers; citations do not matter.
        rows: identifier and label, as `read_labels` returns them.
        config: number of triplets, and whether labels are balanced.
        exclude: ids of papers that must not be in triplets.
        sampling: seed, split, size.
        runs: folder of run directories; by default `runs` beside the store.
        progress: reports the stages.

    Writes to the graph: a Run node with the warning `LEAKS` in its configuration.

    Raises:
        ConfigError: no label has more papers than an anchor has triplets, or only one label exists.
    """
    config, sampling, clock = config or LabelConfig(), sampling or SamplingConfig(), Stopwatch()
    progress("reading labels")
    with clock.timed("read"):
        labels = find_labelled(store, rows, exclude=exclude)

    def sample() -> Mapping[str, SampledTriplets]:
        progress("sampling triplets by label")
        return {TRIPLETS: draw_labelled(labels, config, sampling=sampling)}

    settings = {**asdict(config), **asdict(sampling), "leaks": LEAKS}
    inputs = {"labels": labels.fingerprint(), "left_out": labels.left_out}
    request = SamplingRequest("labels", settings, inputs, sample, exclude)
    return replace(publish_triplets(store, request, runs=runs, clock=clock), warning=LEAKS)


def draw_labelled(
    labels: GoldLabels, config: LabelConfig | None = None, *, sampling: SamplingConfig | None = None
) -> SampledTriplets:
    """Triplets of an anchor, a paper with the same label and a paper with another label.

    All such papers are equally likely. A paper has one label, so no pair is close in one triplet
    and far in another.

    Args:
        labels: papers and their labels.
        config: number of triplets, and whether labels are balanced.
        sampling: seed, split, size.

    Returns:
        Triplets, and the counts of `labels.left_out` with `labels`, `labelled`, `label_too_rare`
        (anchors), `balanced_away` (anchors) and `no_random_paper` (triplets).

    Raises:
        ConfigError: no triplets can be drawn.
    """
    config, sampling = config or LabelConfig(), sampling or SamplingConfig()
    sizes = np.bincount(labels.codes, minlength=len(labels.names))
    able = np.flatnonzero(sizes[labels.codes] > config.positives).astype(np.int32)
    anchors = _balance(labels, able, seed=sampling.seed) if config.balanced else able
    chosen = choose_anchors(anchors, labels.ids, sampling)
    if sampling.triplets is not None:
        chosen = chosen[: -(-sampling.triplets // config.positives)]
    order = np.argsort(labels.codes, kind="stable").astype(np.int32)
    starts = np.append(0, np.cumsum(sizes))
    settings = (config.positives, sampling.seed)
    rows = fill(np.sort(chosen), labels.codes, (order, starts), settings)[: sampling.triplets]
    kept = rows[rows[:, 2] >= 0]
    counts = count_rows(
        labels=len(labels.names),
        labelled=len(labels.codes),
        label_too_rare=len(labels.codes) - len(able),
        balanced_away=len(able) - len(anchors),
        no_random_paper=int((rows[:, 2] < 0).sum()),
    )
    if not len(kept):
        raise ConfigError(
            f"no triplets: {len(labels.codes):,} papers with {len(labels.names):,} labels, "
            f"{sizes.max(initial=0):,} papers with the most frequent label; expected at least two "
            f"labels, one of them with more than {config.positives} papers"
        )
    triplets = build_triplets(labels.ids, kept, reasons=(_SAME, _OTHER))
    return SampledTriplets(hold_out(triplets, sampling), {**labels.left_out, **counts})


def _balance(labels: GoldLabels, anchors: Ints, *, seed: int) -> Ints:
    """As many random anchors of each label as the rarest of the labels has."""
    shuffled = shuffle_anchors(anchors, hash_ids(labels.ids), seed=seed, purpose=SHARE)
    grouped = shuffled[np.argsort(labels.codes[shuffled], kind="stable")]
    _, first, sizes = np.unique(labels.codes[grouped], return_index=True, return_counts=True)
    turn = np.arange(len(grouped)) - np.repeat(first, sizes)
    kept: Ints = np.sort(grouped[turn < sizes.min(initial=len(anchors))])
    return kept


@compiled
def fill(anchors: Ints, codes: Ints, grouped: tuple[Ints, Ints], settings: tuple[int, int]) -> Ints:
    """The kernel: rows (triplets, 3) int32 of anchor, positive, negative; -1 if none is left.

    Args:
        anchors: ascending, of labels with more papers than an anchor has triplets.
        codes: (papers,) label of each paper.
        grouped: papers by label, ascending within each label, and the first position of each label.
        settings: triplets per anchor, seed.
    """
    papers, starts = grouped
    triplets, seed = settings
    rows = np.full((len(anchors) * triplets, 3), -1, np.int32)
    for k in range(len(anchors)):
        anchor = anchors[k]
        low, high = starts[codes[anchor]], starts[codes[anchor] + 1]
        own = low + bisect(papers[low:high], anchor)
        near = draw_distinct(triplets, high - low - 1, (seed, anchor, 0))
        others = len(papers) - (high - low)
        far = draw_distinct(min(triplets, others), others, (seed, anchor, _NEGATIVE))
        for i in range(triplets):
            row = rows[k * triplets + i]
            place = low + near[i]
            row[0], row[1] = anchor, papers[place + (place >= own)]
            if i < len(far):
                row[2] = papers[far[i] + (high - low) * (far[i] >= low)]
    return rows


@compiled
def draw_distinct(count: int, below: int, key: tuple[int, int, int]) -> Ints:
    """Distinct numbers of 0 .. below - 1, all equally likely.

    Args:
        count: quantity of numbers.
        below: end of the range.
        key: (seed, anchor, first draw).
    """
    seed, anchor, first = key
    drawn, ascending = np.empty(count, np.int64), np.empty(count, np.int64)
    for i in range(count):
        number = draw_below(below - i, seed, anchor, first + i)
        place = i
        for k in range(i):
            if ascending[k] > number:
                place = k
                break
            number += 1
        for k in range(i, place, -1):
            ascending[k] = ascending[k - 1]
        drawn[i] = ascending[place] = number
    return drawn
