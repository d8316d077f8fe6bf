"""Papers of a benchmark to exclude from triplets."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from citescape.evaluation.leakage.benchmarks import read_benchmark_list
from citescape.evaluation.leakage.files import is_plain
from citescape.evaluation.leakage.names import title_keys
from citescape.papers.id_lists import find_listed, match_listed, read_id_list
from citescape.runs.result import plural
from citescape.runs.step import RunName, name_runs
from citescape.search.listed import sort_unique
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query


@dataclass(frozen=True)
class HeldOut:
    """Papers of a store to hold out."""

    listed: int
    """Number of papers in the list."""
    missing: int
    """Number of papers of the list that are not in the store."""
    ids: tuple[str, ...]
    """Ids of the papers in the store, each once, ascending."""
    twins: int = 0
    """Number of papers matched by title only."""


def find_held_out(
    store: GraphStore, runs: Path, named: str, *, candidates: bool = False
) -> HeldOut:
    """Papers of a store that are queries of a benchmark, and others with the same titles.

    An encoder must not be trained on the references of queries. Candidates in the training data are
    not leakage (MDCR, section 3.1, removes queries only).

    Args:
        store: the graph.
        runs: folder of run directories.
        named: a benchmark, see `benchmarks.read_benchmark_list`, or a list of papers. Plain text is
            matched by id only, and bare digits are PMIDs.
        candidates: include all papers of the benchmark, not only its queries.

    Raises:
        ConfigError: not a benchmark or list.
        SourceError: a file has another format.
    """
    if is_plain(Path(named)):
        match = find_listed(store, read_id_list(Path(named)))
        return HeldOut(match.listed, match.missing, match.ids)
    benchmark = read_benchmark_list(runs, named)
    excluded = benchmark.papers if candidates else benchmark.queries
    match = find_listed(store, [name for name in excluded.to_pylist() if not name.isdecimal()])
    ids = pa.array(match.ids, pa.string())

    # papers of the store with the same title as a listed paper, in the list or in the store
    known = store.read(query("features/titles")).combine_chunks()
    papers, keys = known["id"].cast(pa.string()), title_keys(known["title"])
    listed = benchmark.titles.filter(pc.is_in(benchmark.titles["paper"], value_set=excluded))
    own = keys.filter(pc.is_in(papers, value_set=ids).combine_chunks())
    titles = pa.concat_arrays([title_keys(listed["title"]), own]).drop_null()
    twins = papers.filter(pc.is_in(keys, value_set=titles, skip_nulls=True)).combine_chunks()

    held_out = sort_unique(pa.chunked_array([ids, twins]))
    missing = len(excluded) - match.listed + match.missing
    return HeldOut(len(excluded), missing, tuple(held_out.to_pylist()), len(held_out) - len(ids))


class MissingPapersWarning(UserWarning):
    """Papers of a list are not in the store, or further papers have the same titles."""


def find_papers(
    store: GraphStore,
    runs: Path,
    named: Sequence[RunName] | RunName,
    *,
    candidates: bool = False,
) -> tuple[str, ...]:
    """Ids of the papers of benchmarks, lists in files, and identifiers.

    Papers of lists that are not in the store are left out with a warning.

    Args:
        store: the graph.
        runs: folder of run directories.
        named: one or several runs, files or identifiers.
        candidates: include all papers of a benchmark, not only its queries.

    Raises:
        ConfigError: a name is not a run, a file or an identifier.
        SourceError: a file has another format.
    """
    names = [named] if isinstance(named, str) else list(name_runs(named))
    lists = [name for name in names if Path(name).exists() or (runs / name).exists()]
    papers = [name for name in names if name not in lists]
    matched = match_listed(store, papers) if papers else []
    lists += [name for name, id_ in zip(papers, matched, strict=True) if id_ is None]
    ids = {id_ for id_ in matched if id_ is not None}
    for name in lists:
        held_out = find_held_out(store, runs, name, candidates=candidates)
        notes = []
        if held_out.missing:
            listed = plural(held_out.listed, "paper")
            notes.append(f"{held_out.missing:,} of {listed} not in the store")
        if held_out.twins:
            notes.append(f"{plural(held_out.twins, 'more paper')} with the same titles")
        if notes:
            warnings.warn(f"{name}: {', '.join(notes)}", MissingPapersWarning, stacklevel=1)
        ids.update(held_out.ids)
    return tuple(sorted(ids))
