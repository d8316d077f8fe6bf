"""Profiles of the current state of a store, and the texts that have no vectors yet."""

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
from citescape.core.types import Document
from citescape.embeddings.steps import EmbedConfig
from citescape.papers.slices import read_sliced, read_slices
from citescape.recommend.encoding import ResolvedEncoder, find_new
from citescape.recommend.graph_contexts import read_library, read_papers
from citescape.recommend.library import Library
from citescape.recommend.profiles import WORD_WEIGHT, ProfileRun
from citescape.recommend.profiling import ProfileConfig, list_alike, make_profiles
from citescape.recommend.worded import WordedLibrary
from citescape.runs.directory import replace_record
from citescape.runs.kept import find_kept
from citescape.store.graph_store import GraphStore

_STATE = "state"
"""State of the store, in the record of a run."""
_PAIRS = 1 << 17
"""Citations read at a time: a result of ladybug is limited to 1 GiB."""


def read_state(store: GraphStore) -> str:
    """16 hex digits that change whenever the input of profiles changes.

    The input is the result of `papers.cypher` and `cited_in.cypher`; sums of hashes do not depend
    on the order of rows. Counts and sums of lengths would miss a replaced word. Names in reference
    lists, which locate markers, are covered by the hash of the file of a paper.
    """
    cited_in = read_sliced(store, "recommend/cited_in", read_slices(store, pairs=_PAIRS))
    sums = [_sum_hashes(tables) for tables in (read_papers(store), cited_in)]
    text = repr((version("citescape"), sums))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _sum_hashes(tables: Iterable[pa.Table]) -> tuple[int, int]:
    """Number of rows, and the sum of their hashes."""
    count, total = 0, 0
    for batch in chain.from_iterable(table.to_batches() for table in tables):
        columns = (pc.cast(column, pa.string()) for column in batch.columns)
        rows = pc.binary_join_element_wise(*columns, "\0", null_handling="replace")
        count += len(rows)
        # scrambled: sums of FNV-1a are equal for texts whose last letters are swapped
        total += int(draw_each(0, hash_ids(rows), 0).sum(dtype=np.uint64))
    return count, total


def open_profiles(
    store: GraphStore,
    config: ProfileConfig | None = None,
    *,
    runs: Path,
    state: str = "",
    library: Library | None = None,
    progress: Progress = silent,
) -> tuple[ProfileRun, ResolvedEncoder]:
    """Profiles of all works of a store, and their encoder.

    Missing profiles of the current store are computed, which takes minutes; after a change only the
    changed ones.

    Args:
        store: the graph.
        config: weights and encoder of the profiles.
        runs: folder of run directories.
        state: state of the store, see `read_state`; read from the store if empty.
        library: papers and contexts of this state; None to read them if they are needed.
        progress: called with the name of each stage as it begins.

    Raises:
        ConfigError: no such encoder; `runs` is not writable.
        StoreError: no sentence cites a known work.
    """
    config, state = config or ProfileConfig(), state or read_state(store)
    resolved = ResolvedEncoder.from_config(config.encoder, runs)
    current = find_profiles(config, resolved, state, runs=runs)
    if current:
        return current, resolved
    earlier = next(
        (
            run.word_weight_choice
            for run in list_alike(config, resolved, runs)
            if run.word_weight_choice
        ),
        None,
    )
    progress("computing profiles once: reading citing sentences")
    library = library or read_library(store, progress=progress)
    run = make_profiles(library, config, runs=runs, progress=progress)
    request = {**run.record.request, _STATE: state}
    if earlier:  # until `platform prepare` chooses it again
        request.setdefault(WORD_WEIGHT, earlier.to_record())
    record = replace(run.record, request=request)
    replace_record(run.path, record)
    return replace(run, record=record), resolved


def find_profiles(
    config: ProfileConfig, encoder: ResolvedEncoder, state: str, *, runs: Path
) -> ProfileRun | None:
    """Profiles of a state of the store; None if they are not computed."""
    alike = list_alike(config, encoder, runs)
    return next((run for run in alike if is_current(run, state)), None)


def count_new_texts(words: WordedLibrary, encoder: ResolvedEncoder, runs: Path) -> int:
    """Number of distinct texts of a library that have no vectors yet."""
    sentences = [Document("", text) for text in words.texts]
    return len(find_new([*words.library.documents, *sentences], encoder, runs))


def open_named(
    store: GraphStore, named: str, *, runs: Path, encoder: str = ""
) -> tuple[ProfileRun, ResolvedEncoder]:
    """Profiles by the id or folder of their run, for any state of the store.

    Args:
        store: the graph, for messages.
        named: id or folder of the run.
        runs: folder of run directories.
        encoder: encoder that the profiles must have; empty for that of the run.

    Raises:
        ConfigError: no such run, or its encoder is another one, or has changed.
    """
    run = find_kept(ProfileRun, runs, named, location=store.location)
    config, names = run.record.config, ("form", "pooling", "max_tokens", "precision")
    settings = {name: config[name] for name in names}
    resolved = ResolvedEncoder.from_config(
        EmbedConfig(encoder or config["encoder"], **settings), runs
    )
    if resolved.sha256 != run.record.inputs["encoder"]:
        raise ConfigError(
            f"profiles {run.run} are of the encoder {config['encoder']}; found {resolved.name}"
            f"{'' if encoder else ', whose files have changed since'}: vectors of two encoders "
            "cannot be compared; leave out --encoder, or leave out --profiles to compute others"
        )
    return run, resolved


def is_current(run: ProfileRun, state: str) -> bool:
    """Whether profiles were computed for this state of the store."""
    return bool(run.record.request.get(_STATE) == state)
