"""Queries of an evaluation in the training data of an encoder."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.embeddings.embed import COMMAND as EMBED
from citescape.evaluation.leakage.trained import read_trained
from citescape.runs.directory import find_run, read_command, read_run

_TRAINED, _ENCODED = ("train", "combine"), (EMBED, "encode")


def count_seen(named: str, *, runs: Path, queries: pa.StringArray) -> int | None:
    """Number of queries in the training list of an encoder, by id, in any role.

    Args:
        named: encoder, or a run of its vectors.
        runs: folder of run directories.
        queries: unique ids.

    Returns:
        The number; None if the triplets of the training were removed; 0 for an encoder without a
        training run in `runs`.
    """
    path = find_run(runs, Path(named).name) if named else None
    command = read_command(path) if path else ""
    if path and command in _ENCODED:
        return count_seen(str(read_run(path).config["encoder"]), runs=runs, queries=queries)
    if path is None or command not in _TRAINED:
        return 0
    try:
        training = read_trained(runs, path.name).papers
    except ConfigError:
        return None
    return int(pc.sum(pc.is_in(queries, value_set=training)).as_py() or 0)
