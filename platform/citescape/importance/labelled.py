"""Labelled citations as pairs of a graph: of the store, or of a graph of their own sentences."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.errors import ConfigError, list_some
from citescape.core.outputs import forget_outputs
from citescape.core.pairs import encode
from citescape.core.progress import Progress, silent
from citescape.core.types import Identifiers
from citescape.importance.counts import PairFeatures
from citescape.importance.read import read_features
from citescape.ingest.labelled_contexts import load_contexts
from citescape.loaders.citation_labels import CitationLabel, read_labels
from citescape.papers.id_lists import match_listed
from citescape.papers.slices import Slice, read_slices
from citescape.runs.result import plural
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.queries import query

_ENDINGS = (".jsonl", ".gz", ".json", ".csv", ".tsv", ".parquet", ".txt")
"""Files of a folder that are read."""


@dataclass(frozen=True)
class LabelAccount:
    """How many records of the files became labelled pairs, and what became of the others.

    Invariant: `pairs` = labelled pairs + contradicting + unknown + uncited.
    """

    records: int
    pairs: int
    """Distinct pairs of citing and cited paper."""
    contradicting: int = 0
    """Pairs whose records disagree on the label; left out."""
    unknown: int = 0
    """Pairs with a paper that the graph does not have."""
    uncited: int = 0
    """Pairs of known papers without a citation in the graph."""
    unlabelled: int = 0
    """Records without a label; they are not among `records`."""


@dataclass(frozen=True)
class LabelledPairs:
    """Labelled pairs, ascending by citing, then by cited id."""

    store: GraphStore
    slices: tuple[Slice, ...]
    features: PairFeatures
    """Of all pairs of the graph."""
    positions: npt.NDArray[np.int64]
    """(n,) place of each labelled pair among all pairs."""
    important: npt.NDArray[np.bool_]
    """(n,) the labels."""
    stated: npt.NDArray[np.float64]
    """(n,) number of mentions that the file states; NaN if it states none."""
    account: LabelAccount
    from_sentences: bool
    """The graph has the sentences of the files alone, not whole papers."""

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def citing(self) -> pa.Array:
        """(n,) ids of the citing papers."""
        return self.features.pairs.ends(self.positions)[0]

    @property
    def clusters(self) -> npt.NDArray[np.int64]:
        """(n,) number of the citing paper, in the order of ids: 0 and up."""
        encoded = self.citing.dictionary_encode()
        return np.asarray(encoded.indices.to_numpy(), np.int64)

    def fingerprint(self) -> str:
        """Hash of pairs and labels, and of the features of all pairs."""
        digest = hashlib.blake2b(self.features.fingerprint().encode(), digest_size=32)
        for column in self.features.pairs.ends(self.positions):
            digest.update("\n".join(column.to_pylist()).encode())
        digest.update(self.important.tobytes() + self.stated.tobytes())
        return digest.hexdigest()

    def describe(self) -> list[str]:
        """Lines on the labels: their number, and why pairs were left out."""
        account, positive = self.account, int(self.important.sum())
        papers = len(np.unique(self.clusters))
        place = "sentences of the files" if self.from_sentences else self.store.location
        lines = [
            f"{len(self):,} labelled citations of {papers:,} papers, {positive:,} important "
            f"({positive / len(self):.1%}); graph: {place}"
        ]
        left_out = {
            "with contradicting labels": account.contradicting,
            "with a paper that is not in the graph": account.unknown,
            "without a citation in the graph": account.uncited,
        }
        reasons = [f"{count:,} {reason}" for reason, count in left_out.items() if count]
        if reasons:
            lines.append(f"left out of {account.pairs:,} pairs: {', '.join(reasons)}")
        if account.unlabelled:
            lines.append(f"{plural(account.unlabelled, 'record')} without a label left out")
        return lines


@contextmanager
def open_labelled(
    files: Sequence[Path],
    *,
    graph: str,
    store: Callable[[], GraphStore],
    sections: str = "model",
    progress: Progress = silent,
) -> Iterator[LabelledPairs]:
    """Labelled pairs with their graph; one of sentences exists as long as the context.

    Args:
        files: files of labelled citations, or folders of them.
        graph: `store`; `sentences`, a graph made from the files; `auto`: sentences if the files
            have any, else the store.
        store: opens the graph of the user.
        sections: section types to count, `model` or `rules`.
        progress: called with the name of each stage.

    Raises:
        SourceError: a file is not one of labelled citations.
        ConfigError: no labelled pair is in the graph, or all labels are equal.
    """
    progress("reading labels")
    unlabelled: list[str] = []
    labels = list(read_labels(_list_files(files), skipped=unlabelled.append))
    has_sentences = any(context.text for label in labels for context in label.contexts)
    if graph == "sentences" and not has_sentences:
        raise ConfigError(f"{list_some(files)} has no sentences; give --graph store")
    if graph == "store" or not has_sentences:
        yield _match(
            store(), labels, files, len(unlabelled), from_sentences=False, sections=sections
        )
        return
    with tempfile.TemporaryDirectory(prefix="citescape-") as folder:
        progress("making a graph of the sentences")
        made = open_store(str(Path(folder) / "sentences.lbug"))
        try:
            load_contexts(made, labels)
            yield _match(
                made, labels, files, len(unlabelled), from_sentences=True, sections=sections
            )
        finally:
            made.close()
            forget_outputs(Path(folder))


def _list_files(paths: Iterable[Path]) -> list[Path]:
    """The files, and those in folders, in the order of their names."""
    files: list[Path] = []
    for path in paths:
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        files += [one for one in inside if not path.is_dir() or one.suffix in _ENDINGS]
    if not files:
        raise ConfigError("no files of labelled citations; expected --labels FILE")
    return files


def _match(
    store: GraphStore,
    labels: Sequence[CitationLabel],
    files: Sequence[Path],
    unlabelled: int,
    *,
    from_sentences: bool,
    sections: str,
) -> LabelledPairs:
    """The pairs of the graph that have one label."""
    names = sorted({name for label in labels for name in (label.citing.id, label.cited.id)})
    nodes = dict(zip(names, _find_nodes(store, names), strict=True))
    given: dict[tuple[str, str], list[CitationLabel]] = {}
    unknown = set()
    for label in labels:  # files may name one paper by several identifiers
        ends = label.citing.id, label.cited.id
        pair = nodes[ends[0]] or ends[0], nodes[ends[1]] or ends[1]
        given.setdefault(pair, []).append(label)
        if not all(nodes[name] for name in ends):
            unknown.add(pair)
    agreed = {pair: own for pair, own in given.items() if _agree(own)}
    slices = read_slices(store)
    features = read_features(store, slices, sections=sections)

    known = [pair for pair in agreed if pair not in unknown]
    citing, cited = (
        encode(pa.array([pair[side] for pair in known], pa.string()), features.pairs.ids)
        for side in (0, 1)
    )
    positions = features.pairs.locate(citing, cited)
    order = np.argsort(positions, kind="stable")
    order = order[positions[order] >= 0]
    account = LabelAccount(
        records=len(labels),
        pairs=len(given),
        contradicting=len(given) - len(agreed),
        unknown=len(agreed) - len(known),
        uncited=int((positions < 0).sum()),
        unlabelled=unlabelled,
    )
    found = [agreed[known[row]] for row in order]
    important = np.array([_is_important(own) for own in found], bool)
    if not len(important) or important.all() or not important.any():
        raise ConfigError(
            f"{int(important.sum()):,} important and {int((~important).sum()):,} other citations "
            f"of {list_some(files)} are in {store.location} ({account.pairs:,} pairs; "
            f"{account.contradicting:,} with contradicting labels, {account.unknown:,} with "
            f"unknown papers, {account.uncited:,} without a citation; {unlabelled:,} records "
            "without a label); expected both kinds"
        )
    stated = [max((label.mentions or 0 for label in one), default=0) or np.nan for one in found]
    return LabelledPairs(
        store,
        tuple(slices),
        features,
        positions[order],
        important,
        np.array(stated, float),
        account,
        from_sentences,
    )


def _agree(labels: Sequence[CitationLabel]) -> bool:
    """Whether records of one pair have one label; those of single sentences need not agree."""
    return len({label.is_important for label in labels if not label.by_context}) <= 1


def _is_important(labels: Sequence[CitationLabel]) -> bool:
    """The label of the pair; without one, whether any of its sentences is important."""
    of_pair = [label for label in labels if not label.by_context]
    return any(label.is_important for label in of_pair or labels)


def _find_nodes(store: GraphStore, names: Sequence[str]) -> list[str | None]:
    """Node of each name: an identifier, or the id of a data set without the name of the set.

    A number of a data set is not a PMID: nodes named by an identifier match that identifier alone.
    """
    found = match_listed(store, names)
    if None not in found:
        return found
    ids: list[str] = store.read(query("features/papers")).sort_by("id")["id"].to_pylist()
    by_own: dict[str, str] = {}
    for id_ in ids:
        kind, _, own = id_.partition(":")
        if kind not in Identifiers._fields:
            by_own.setdefault(own, id_)
    return [
        by_own.get(name.partition(":")[2] or name) if node is None else node
        for name, node in zip(names, found, strict=True)
    ]
