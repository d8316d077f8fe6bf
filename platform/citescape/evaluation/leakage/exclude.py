"""Papers of a benchmark that are to be in no triplet."""

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
    """Papers of a store that are held out."""

    listed: int
    """Papers of the list."""
    missing: int
    """Papers of the list whose id is not in the store."""
    ids: tuple[str, ...]
    """Ids of the papers in the store, each once, ascending."""
    twins: int = 0
    """Papers matched by title only."""


def find_held_out(
    store: GraphStore, runs: Path, named: str, *, candidates: bool = False
) -> HeldOut:
    """The papers of a store that a benchmark asks about, and others of the same titles.

    To predict what a query cites, an encoder must not have learned from the query; that it knows
    candidates is no leak (MDCR, section 3.1, removes queries only).

    Args:
        store: the graph.
        runs: folder of run directories.
        named: a benchmark, as `benchmarks.read_benchmark_list` takes it; or a list of papers. Of a
            plain text, ids alone count, and bare digits are PMIDs.
        candidates: all papers of the benchmark, not only its queries.

    Raises:
        ConfigError: it is nothing of this.
        SourceError: a file is not what it should be.
    """
    if is_plain(Path(named)):
        found = find_listed(store, read_id_list(Path(named)))
        return HeldOut(found.listed, found.missing, found.ids)
    benchmark = read_benchmark_list(runs, named)
    wanted = benchmark.papers if candidates else benchmark.queries
    found = find_listed(store, [name for name in wanted.to_pylist() if not name.isdecimal()])
    ids = pa.array(found.ids, pa.string())

    # papers of the store with the title of a wanted one, as the list or the store has it
    known = store.read(query("features/titles")).combine_chunks()
    papers, keys = known["id"].cast(pa.string()), title_keys(known["title"])
    listed = benchmark.titles.filter(pc.is_in(benchmark.titles["paper"], value_set=wanted))
    own = keys.filter(pc.is_in(papers, value_set=ids).combine_chunks())
    titles = pa.concat_arrays([title_keys(listed["title"]), own]).drop_null()
    twins = papers.filter(pc.is_in(keys, value_set=titles, skip_nulls=True)).combine_chunks()

    held = sort_unique(pa.chunked_array([ids, twins]))
    missing = len(wanted) - found.listed + found.missing
    return HeldOut(len(wanted), missing, tuple(held.to_pylist()), len(held) - len(ids))


class MissingPapersWarning(UserWarning):
    """A list names papers that are not in the store, or others of the same titles."""


def find_papers(
    store: GraphStore,
    runs: Path,
    named: Sequence[RunName] | RunName,
    *,
    candidates: bool = False,
) -> tuple[str, ...]:
    """Ids of the papers that names mean: benchmarks, files with a list, identifiers of papers.

    Papers of lists that are not in the store are left out with a warning.

    Args:
        store: the graph.
        runs: folder of run directories.
        named: runs, files, identifiers; or one of these.
        candidates: all papers of a benchmark, not only its queries.

    Raises:
        ConfigError: a name is none of this.
        SourceError: a file is not what it should be.
    """
    names = [named] if isinstance(named, str) else list(name_runs(named))
    lists = [name for name in names if Path(name).exists() or (runs / name).exists()]
    papers = [name for name in names if name not in lists]
    matched = match_listed(store, papers) if papers else []
    lists += [name for name, id_ in zip(papers, matched, strict=True) if id_ is None]
    ids = {id_ for id_ in matched if id_ is not None}
    for name in lists:
        found = find_held_out(store, runs, name, candidates=candidates)
        notes = []
        if found.missing:
            notes.append(f"{found.missing:,} of {plural(found.listed, 'paper')} not in the store")
        if found.twins:
            notes.append(f"{plural(found.twins, 'more paper')} of the same titles")
        if notes:
            warnings.warn(f"{name}: {', '.join(notes)}", MissingPapersWarning, stacklevel=1)
        ids.update(found.ids)
    return tuple(sorted(ids))
