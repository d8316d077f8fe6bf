"""What published encoders were trained on, and what runs say of the encoders that they made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from citescape.embeddings.graph_embed import COMMAND as GRAPH
from citescape.encoders.files import HUB_DEFAULT
from citescape.runs.directory import find_run, read_command, read_run
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
    command = read_command(path) if named else ""
    # commands of packages above this layer are named, not imported
    if command not in (GRAPH, "embed", "encode", "combine", "train"):
        return PUBLISHED.get(named, UNKNOWN)
    record, runs = read_run(path), path.parent
    if command == GRAPH:
        return Traits(citations=True, importance=record.config.get("weight") == "importance")
    if command in ("embed", "encode"):
        return read_traits(runs, str(record.config.get("encoder", "")))
    if command == "combine":
        return _join([read_traits(runs, part) for part in record.config.get("parts", ())])

    # a training: its base, its teacher, and the samples; older versions do not record the samples
    sources = [str(record.config.get("base", "")), record.inputs.get("teacher", "")]
    known = [read_traits(runs, source) for source in sources if source]
    sampled = record.counts.get("sampled", "")
    sample_path = find_run(runs, sampled) if sampled else None
    if sample_path:
        sample = read_run(sample_path)
        known.append(_SAMPLERS.get(sample.config.get("sampler", ""), UNKNOWN))
        graph = sample.inputs.get("embeddings", "")  # those of facets weigh no importance
        known += [read_traits(runs, graph)] if graph else []
    else:
        known.append(UNKNOWN)
    return replace(_join(known), contrast=True, facet=record.inputs.get("facet", ""))


def _join(known: list[Traits]) -> Traits:
    """A trait that any has; unknown if it is unknown for one and no other has it."""
    return Traits(
        citations=_any([traits.citations for traits in known]),
        contrast=_any([traits.contrast for traits in known]),
        importance=_any([traits.importance for traits in known]),
        facet=", ".join(sorted({traits.facet for traits in known if traits.facet})),
    )


def _any(flags: list[bool | None]) -> bool | None:
    if any(flags):
        return True
    return None if None in flags else False
