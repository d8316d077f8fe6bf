"""Traits of published encoders, and of encoders and vectors of runs."""

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
    HUB_DEFAULT: _CITING,  # its training pairs include 117 million citations of S2ORC
    "allenai/specter": _CITING,
    "allenai/specter2_base": _CITING,
    "malteos/scincl": _CITING,
    "allenai/scibert_scivocab_uncased": Traits(),
    "bert-base-uncased": Traits(),
}
"""Encoder of the hub -> its traits according to its authors; others are unknown."""
_SAMPLERS: Mapping[str, Traits] = {
    "importance": Traits(citations=True, contrast=True, importance=True),
    "specter": _CITING,
    "neighbourhood": _CITING,
    "facet": _CITING,
    "labels": Traits(contrast=True),
}
"""Sampler of `platform sample` -> traits of its triplets, without those of its vectors."""


def read_traits(runs: Path, named: str) -> Traits:
    """Traits of an encoder or of vectors, from the runs in a folder.

    A training inherits the traits of its base, its triplets and its teacher, and a weighted sum
    those of its parts. Vectors of a graph use citations, and importance if it is their weight.

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
        # a graph embedding; graphs of facets are not weighted by importance
        graph = sample.inputs.get("embeddings", "")
        known += [read_traits(runs, graph)] if graph else []
    else:
        known.append(UNKNOWN)
    return replace(_join(known), contrast=True, facet=record.inputs.get("facet", ""))


def _join(known: list[Traits]) -> Traits:
    """Traits that any part has; unknown if a part is unknown and no other has the trait."""
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
