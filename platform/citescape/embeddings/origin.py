"""What vectors of papers know of citations."""

from __future__ import annotations

from pathlib import Path

from citescape.embeddings.graph_embed import COMMAND as GRAPH
from citescape.encoders.saved import find_trained
from citescape.runs.directory import find_run, read_run


def is_of_citations(run: str) -> bool:
    """Whether the vectors of a run are of the citation graph, not of texts."""
    return run.startswith(f"{GRAPH}-")


def find_training(runs: Path, run: str) -> str:
    """The training in `runs` whose encoder made the vectors of a run of `platform embed`.

    Empty if the encoder is as it was before any of them; and if the run is not in `runs`, where no
    record says by what its vectors were made.
    """
    path = find_run(runs, run)
    encoder = str(read_run(path).inputs.get("encoder", "")) if path else ""
    return find_trained(runs, encoder) if encoder else ""
