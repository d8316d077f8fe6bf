"""Origin of vectors of papers: citations or texts, and the training of the encoder."""

from __future__ import annotations

from pathlib import Path

from citescape.embeddings.graph_embed import COMMAND as GRAPH
from citescape.encoders.saved import find_trained
from citescape.runs.directory import find_run, read_run


def is_of_citations(run: str) -> bool:
    """Whether the vectors of a run are of the citation graph, not of texts."""
    return run.startswith(f"{GRAPH}-")


def find_training(runs: Path, run: str) -> str:
    """The training in `runs` of the encoder that computed the vectors of a run of `platform embed`.

    Empty if no training changed the encoder, or if the run is not in `runs`.
    """
    path = find_run(runs, run)
    encoder = str(read_run(path).inputs.get("encoder", "")) if path else ""
    return find_trained(runs, encoder) if encoder else ""
