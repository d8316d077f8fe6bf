"""Profiles of a store as it is now: made when they are first asked for, then found at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import version
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.draws import draw_each, hash_ids
from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.embeddings.steps import EmbedConfig
from citescape.papers.slices import read_sliced, read_slices
from citescape.recommend.encoding import Reading
from citescape.recommend.graph_contexts import read_library, read_papers
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.profiling import ProfileConfig, list_alike, make_profiles
from citescape.runs.directory import replace_record
from citescape.runs.kept import find_kept
from citescape.store.graph_store import GraphStore

_STATE = "state"
"""Of the store, in what a run was asked for."""
_PAIRS = 1 << 17
"""Citations whose sentences are read at a time: ladybug has a gibibyte for a result."""


def read_state(store: GraphStore) -> str:
    """16 hex digits of what profiles are made of: they change when any of it does.

    That is all of `papers.cypher` and `cited_in.cypher`; sums of hashes, whatever the order of the
    rows. Counts and sums of lengths would miss a word put for another. The names in reference
    lists, by which markers are found, are told by the file that a paper was loaded from.
    """
    cited_in = read_sliced(store, "recommend/cited_in", read_slices(store, pairs=_PAIRS))
    told = [_sum_up(tables) for tables in (read_papers(store), cited_in)]
    text = repr((version("citescape"), told))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _sum_up(tables: Iterable[pa.Table]) -> tuple[int, int]:
    """Number of rows, and the sum of their hashes."""
    count, total = 0, 0
    for batch in chain.from_iterable(table.to_batches() for table in tables):
        columns = (pc.cast(column, pa.string()) for column in batch.columns)
        rows = pc.binary_join_element_wise(*columns, "\0", null_handling="replace")
        count += len(rows)
        # drawn by their hashes: sums of FNV-1a stay the same where last letters change places
        total += int(draw_each(0, hash_ids(rows), 0).sum(dtype=np.uint64))
    return count, total


def open_profiles(
    store: GraphStore,
    config: ProfileConfig | None = None,
    *,
    runs: Path,
    state: str = "",
    progress: Progress = silent,
) -> tuple[ProfileRun, Reading]:
    """Profiles of all works of a store, and how their texts were read.

    Where there are none of the store as it is now they are made, which takes minutes; of an earlier
    state only what has changed is.

    Args:
        store: the graph.
        config: weights and encoder.
        runs: folder of run directories.
        state: of the store; empty where it is to be read.
        progress: told what is being done.

    Raises:
        ConfigError: no such encoder; nothing can be written to `runs`.
        StoreError: no sentence cites anything that is known.
    """
    config, state = config or ProfileConfig(), state or read_state(store)
    reading = Reading.of(config.encoder, runs)
    for run in list_alike(config, reading, runs):
        if run.record.asked.get(_STATE) == state:
            return run, reading
    progress("profiles are made once: reading the sentences that cite")
    run = make_profiles(
        read_library(store, progress=progress), config, runs=runs, progress=progress
    )
    record = replace(run.record, asked={**run.record.asked, _STATE: state})
    replace_record(run.path, record)
    return replace(run, record=record), reading


def open_named(
    store: GraphStore, named: str, *, runs: Path, encoder: str = ""
) -> tuple[ProfileRun, Reading]:
    """Profiles by the id or folder of their run, whatever the store is like now.

    Args:
        store: for messages.
        named: run or folder.
        runs: folder of run directories.
        encoder: that they are said to be of; empty for that which they are of.

    Raises:
        ConfigError: no such run, or its encoder is another one, or is not what it was.
    """
    run = find_kept(ProfileRun, runs, named, location=store.location)
    told, names = run.record.config, ("form", "pooling", "max_tokens", "precision")
    how = {name: told[name] for name in names}
    reading = Reading.of(EmbedConfig(encoder or told["encoder"], **how), runs)
    if reading.sha256 != run.record.inputs["encoder"]:
        raise ConfigError(
            f"profiles {run.run} are of the encoder {told['encoder']}; found {reading.name}"
            f"{'' if encoder else ', whose files have changed since'}: vectors of two encoders "
            "cannot be compared; leave out --encoder, or leave out --profiles to have others made"
        )
    return run, reading


def is_current(run: ProfileRun, state: str) -> bool:
    """Whether a store was in this state when these profiles were made."""
    return bool(run.record.asked.get(_STATE) == state)
