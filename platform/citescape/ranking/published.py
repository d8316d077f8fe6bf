"""What published encoders were trained on, and what runs say of the encoders that they made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from citescape.embeddings.graph_embed import COMMAND as GRAPH
from citescape.encoders.files import HUB_DEFAULT
from citescape.runs.directory import RunRecord, find_run, read_command, read_run
from citescape.search.traits import Traits

UNKNOWN = Traits(0, None, None, None)
_CITING = Traits(citations=True, contrast=True)
PUBLISHED: Mapping[str, Traits] = {
    HUB_DEFAULT: _CITING,  # among its pairs of texts are 117 million of S2ORC's citations
    "allenai/specter": _CITING,
    "allenai/specter2_base": _CITING,
    "malteos/scincl": _CITING,
    "allenai/scibert_scivocab_uncased": Traits(),
    "bert-base-uncased": Traits(),
}
"""Encoder of the hub -> as its authors say; of others nothing is known here."""
_SAMPLERS: Mapping[str, Traits] = {
    "importance": Traits(citations=True, contrast=True, importance=True),
    "specter": _CITING,
    "neighbourhood": _CITING,
    "facet": _CITING,
    "labels": Traits(contrast=True),
}
"""Of `platform sample` -> what its triplets know, without the vectors they were drawn by."""


def read_traits(runs: Path, named: str) -> Traits:
    """What an encoder or vectors were made with, as far as the runs at hand say.

    A training knows what its base knows, what its triplets were sampled by and what its teacher
    knows; a weighted sum what its parts know; vectors of a graph know citations, and importance if
    it weighed them.

    Args:
        runs: folder of run directories.
        named: run, its folder, or an encoder of the hub.
    """
    path = find_run(runs, named) or Path(named)
    read = _READERS.get(read_command(path)) if named else None
    return read(path.parent, read_run(path)) if read else PUBLISHED.get(named, UNKNOWN)


def _of_graph(runs: Path, record: RunRecord) -> Traits:
    return Traits(citations=True, importance=record.config.get("weight") == "importance")


def _of_vectors(runs: Path, record: RunRecord) -> Traits:
    return read_traits(runs, str(record.config.get("encoder", "")))


def _of_sum(runs: Path, record: RunRecord) -> Traits:
    return _join(read_traits(runs, part) for part in record.config.get("parts", ()))


def _of_training(runs: Path, record: RunRecord) -> Traits:
    sources = [str(record.config.get("base", "")), record.inputs.get("teacher", "")]
    known = [read_traits(runs, source) for source in sources if source]
    known.append(_of_triplets(runs, record.counts.get("sampled", "")))
    return replace(_join(known), contrast=True, facet=record.inputs.get("facet", ""))


def _of_triplets(runs: Path, sampled: str) -> Traits:
    """Of a run of `platform sample`, by its name; trainings of older versions do not say it."""
    path = find_run(runs, sampled) if sampled else None
    if path is None:
        return UNKNOWN
    record = read_run(path)
    own = _SAMPLERS.get(record.config.get("sampler", ""), UNKNOWN)
    graph = record.inputs.get("embeddings", "")  # those of facets weigh no importance
    return _join([own, read_traits(runs, graph)]) if graph else own


_READERS = {
    GRAPH: _of_graph,
    "embed": _of_vectors,
    "encode": _of_vectors,
    "combine": _of_sum,
    "train": _of_training,
}
"""Command -> what its runs say. Those above this layer are named, not imported."""


def _join(known: Iterable[Traits]) -> Traits:
    """What any of them knows; not known where one is not, and no other knows it."""
    found = list(known)
    return Traits(
        citations=_any([one.citations for one in found]),
        contrast=_any([one.contrast for one in found]),
        importance=_any([one.importance for one in found]),
        facet=", ".join(sorted({one.facet for one in found if one.facet})),
    )


def _any(flags: list[bool | None]) -> bool | None:
    if any(flags):
        return True
    return None if None in flags else False
