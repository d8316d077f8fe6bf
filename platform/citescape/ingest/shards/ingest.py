"""Sources -> a graph of shards, by tasks on this machine or on a cluster.

Records are read once (`read`); the graph is derived from all of them, stage by stage. Each task
writes one file; an ingest that is run again after an interruption does what is missing.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape import __version__
from citescape.core.errors import ConfigError, StoreError
from citescape.core.paper_types import ALL, GROUPS
from citescape.core.progress import Progress, silent
from citescape.distributed.cluster import Cluster
from citescape.distributed.exchange import read_exchange, read_facts, read_file
from citescape.distributed.stages import Stages, name_output
from citescape.distributed.storage import Storage
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import IngestResult, flat_report
from citescape.ingest.parse import CITATIONS, NOTICES, REPORT, VALUES
from citescape.ingest.shards import authors, notices, papers, records, works
from citescape.ingest.shards import read as reading
from citescape.ingest.shards.components import connect
from citescape.ingest.shards.graph import FOLDER, MANIFEST, ShardedGraph, complete, write_part
from citescape.loaders.datasets import InputSources, find_sources
from citescape.loaders.sources import check_exists

MARK = "shards.json"
"""File that marks a folder of shards, written first."""
WORK = "work"
_DERIVED = (*("scores.json", "scores", "score-work", "vectors", "neighbours", "neighbour-work"),)
"""Files of other commands, which follow from the graph."""
_PART_BYTES = 24_000_000
"""Bytes of records of a part: about 2,000 full texts, some 300 MB in memory."""


@dataclass(frozen=True)
class ShardedIngest(IngestResult):
    """Outcome of an ingest into shards. `report` has the documents without a loaded paper."""

    graph: ShardedGraph | None = None
    """None if no paper was loaded."""
    counted_notes: Counter[str] = field(default_factory=Counter)
    """See `notes`."""

    @property
    def notes(self) -> Counter[str]:
        """Number of oddities in the documents, by kind."""
        return self.counted_notes

    @property
    def arrow(self) -> pa.Table:
        """A row per document: citations found, loaded, and lost with the reason."""
        if self.graph is None:
            return flat_report(self.report)
        keys: Any = self.graph.account["tasks"]
        read = self.graph.storage.read_table
        tables = (read(f"{reading.FOLDER}/{key}/report.parquet") for key in keys)
        return flat_report(pa.concat_tables([REPORT.empty_table(), *tables]))


def ingest_shards(
    storage: Storage,
    cluster: Cluster,
    paths: Sequence[Path],
    config: IngestConfig | None = None,
    *,
    parts: int | None = None,
    progress: Progress = silent,
) -> ShardedIngest:
    """Reads sources into shards, and derives works, citations and authors from them.

    The graph is that of `ingest.ingest` for a new store. Sources that were read into the folder
    before, and are unchanged, are not read again; others that it held are removed.

    Args:
        storage: the folder.
        cluster: where tasks run.
        paths: files, folders, archives, tables.
        config: see `IngestConfig`.
        parts: number of parts; by default it depends on the size of the records.
        progress: called with the stage and its finished tasks.

    Raises:
        SourceError: a path does not exist, a table lacks columns; with `strict`, a document that
            cannot be read.
        StoreError: a file of the folder is missing or cannot be written.
    """
    config = config or IngestConfig()
    if config.authors is not None:
        raise ConfigError("shards take no function for authors; expected the default")
    started = time.monotonic()
    for path in paths:
        check_exists(path)
    sources = find_sources(paths, format_=config.format, name=config.data_set or None)
    passed_over = Counter(sources.passed_over)
    tasks = reading.plan_reading(paths, sources, config, passed_over)
    _claim(storage)
    stages = Stages(storage, cluster, progress)
    entries = _read(stages, tasks, config)
    read = _summarise_reading(storage, tasks, entries, sources)
    read = replace(read, passed_over=read.passed_over + passed_over)
    if read.exit_status:
        for task in tasks:
            storage.remove(f"{reading.FOLDER}/{task.key}.json")
            storage.remove(f"{reading.FOLDER}/{task.key}")
        return replace(read, seconds=time.monotonic() - started)
    keys = [task.key for task in tasks]
    states = (f"{key} {entry['unreadable']}" for key, entry in zip(keys, entries, strict=True))
    id_ = hashlib.blake2b("\n".join(states).encode(), digest_size=12).hexdigest()
    graph = _find_complete(storage, id_)
    unchanged = graph is not None and parts in (None, graph.parts)
    if graph is None or not unchanged:
        shards = [shard for entry in entries for shard in entry["shards"]]
        size = sum(file["bytes"] for shard in shards for file in shard["files"].values())
        parts = parts or max(1, ceil(size / _PART_BYTES))
        account = {"tasks": keys, "sources": [str(path) for path in paths]}
        graph = build_graph(stages, shards, parts=parts, account=account, id_=id_)
    storage.remove(WORK)
    _remove_others(storage, keys)
    place, scored = storage.address, "scores.json" in storage.sizes("scores.json")
    result = replace(
        read,
        **_totals(graph),
        graph=graph,
        place=f"{place} {'holds these sources already' if unchanged else 'now holds'}:",
        next=f"load {place}" if scored else f"score --shards {place}",
        seconds=time.monotonic() - started,
    )
    types: Any = graph.account["types"]
    named = [name for name in config.types if name not in (*GROUPS, ALL)]
    return replace(result, absent_types=tuple(name for name in named if name not in types))


def _summarise_reading(
    storage: Storage,
    tasks: Sequence[reading.ReadingTask],
    entries: Sequence[Mapping[str, Any]],
    sources: InputSources,
) -> ShardedIngest:
    """What was read, without what the graph holds."""
    reports = [REPORT.empty_table()]
    for task, entry in zip(tasks, entries, strict=True):
        if entry["status"].keys() - {"loaded", "copy"}:
            report = storage.read_table(f"{reading.FOLDER}/{task.key}/report.parquet")
            held = pc.is_in(report["status"], value_set=pa.array(["loaded", "copy"]))
            reports.append(report.filter(pc.invert(held)))
    sums = {
        name: sum((Counter(entry[name]) for entry in entries), Counter[str]())
        for name in ("status", "notes", "passed_over")
    }
    for account in (CITATIONS, NOTICES, VALUES):
        sums["status"].pop(account, None)
    return ShardedIngest(
        report=pa.concat_tables(reports),
        **_NO_TOTALS,
        status=sums["status"],
        passed_over=sums["passed_over"],
        counted_notes=sums["notes"],
        without_citations=tuple(e.place for e in sources.data_sets if not e.citations),
        unread_columns={k: v for e in sources.data_sets for k, v in e.unread_columns.items()},
    )


_NO_TOTALS: dict[str, Any] = {
    **dict.fromkeys(("papers", "fulltext_papers", "table_papers", "authors", "sections"), 0),
    **dict.fromkeys(("occurrences", "citations", "anchors"), 0),
}


def _totals(graph: ShardedGraph) -> dict[str, Any]:
    """Totals of a graph, as `IngestResult` has them."""
    account: Any = graph.account
    return {
        "papers": graph.count("Paper"),
        "fulltext_papers": account["loaded"],
        "table_papers": account["without_text"],
        "authors": graph.count("Author"),
        "sections": graph.count("Section"),
        "occurrences": graph.count("Occurrence"),
        "citations": graph.count("CITES"),
        "anchors": account["anchors"],
        "losses": account["lost"],
    }


def _claim(storage: Storage) -> None:
    """Marks the folder as one of shards, so that files of other programs are never removed."""
    sizes = storage.sizes()
    if sizes and MARK not in sizes:
        raise ConfigError(
            f"{storage.address} holds other files, such as {next(iter(sizes))}; expected a new or "
            "empty folder, or one of an earlier ingest into shards"
        )
    storage.write_json(MARK, {"format": 1})


def _find_complete(storage: Storage, id_: str) -> ShardedGraph | None:
    """The graph, if it is complete and of these sources; otherwise it is built again."""
    if MANIFEST not in storage.sizes():
        return None
    try:
        graph = ShardedGraph.open(storage)
    except StoreError:  # files are gone or damaged
        return None
    return graph if graph.id == id_ else None


def _read(
    stages: Stages, tasks: Sequence[reading.ReadingTask], config: IngestConfig
) -> list[dict[str, Any]]:
    """Reads what is not read yet; returns what each task has read."""
    outputs = [f"{reading.FOLDER}/{task.key}.json" for task in tasks]
    storage = stages.storage
    sizes = storage.sizes(reading.FOLDER)
    for output in outputs:
        if output in sizes:
            entry = storage.read_json(output)
            # What a machine could not read, another one, or the same one later, perhaps can.
            if entry["unreadable"] or not _is_whole(entry, sizes):
                storage.remove(output)
    before = storage.sizes(reading.FOLDER)
    stages.run(
        "reading sources",
        reading.FOLDER,
        reading.read_task,
        [(task, config) for task in tasks],
        outputs=outputs,
    )
    entries = [storage.read_json(output) for output in outputs]
    for entry, output in zip(entries, outputs, strict=True):
        if output in before and "loaded" in entry["status"]:
            entry["status"]["unchanged"] = entry["status"].pop("loaded")
    return entries


def _is_whole(entry: Mapping[str, Any], sizes: Mapping[str, int]) -> bool:
    """Whether the shards of a task are there, with the sizes that it states."""
    return all(
        sizes.get(f"{shard['folder']}/{name}.parquet") == file["bytes"]
        for shard in entry["shards"]
        for name, file in shard["files"].items()
    )


def build_graph(
    stages: Stages,
    shards: Sequence[Mapping[str, Any]],
    *,
    parts: int,
    account: Mapping[str, object],
    id_: str,
) -> ShardedGraph:
    """Derives the graph from records, and writes it.

    Args:
        stages: runs the tasks.
        shards: records, see `read.ShardWriter`; later ones count before earlier ones.
        parts: number of parts.
        account: what the manifest says of the sources.
        id_: hash of the sources.
    """
    storage = stages.storage
    work = f"{WORK}/{id_}-{parts}-{__version__}"
    storage.remove_unfinished()
    for name in {name.split("/")[1] for name in storage.sizes(WORK)}:
        if f"{WORK}/{name}" != work:
            storage.remove(f"{WORK}/{name}")
    every = range(parts)

    def run(title: str, name: str, function: Any, tasks: Sequence[tuple[object, ...]]) -> str:
        folder = f"{work}/{name}"
        stages.run(title, folder, function, tasks)
        return folder

    split = run("splitting records", "split", records.split, [(shard, parts) for shard in shards])
    chosen = run(
        "choosing records", "chosen", records.choose, [(split, part, parts) for part in every]
    )
    roots = connect(stages, f"{work}/connect", chosen, parts)
    to_groups = partial(_route, parts=parts, roots=roots)
    grouped = run(
        "grouping records",
        "records",
        works.route,
        to_groups(chosen, ("records", "references")),
    )
    moves = run(
        "joining records",
        "moves",
        works.find_moves_of_part,
        [(grouped, part, parts) for part in every],
    )
    moved = run(
        "moving records", "moved", records.move, [(chosen, moves, part, parts) for part in every]
    )
    merged = run(
        "merging records",
        "merged",
        records.merge,
        [(chosen, moves, moved, part, parts) for part in every],
    )
    entries = run(
        "grouping references", "entries", works.route, to_groups(merged, ("papers", "entries"))
    )
    matched = run(
        "matching references",
        "matched",
        works.match_part,
        [(entries, part, parts) for part in every],
    )
    same = run("comparing works", "same", works.compare_part, [(matched, part) for part in every])
    joins = run(
        "joining works", "joins", works.choose_part, [(matched, same, part) for part in every]
    )
    last = run("following joins", "last", works.follow, [(joins,)])
    found = run(
        "finding works",
        "works",
        works.finish_part,
        [(matched, last, part, parts) for part in every],
    )
    built = run(
        "building papers",
        "built",
        papers.build_part,
        [(merged, found, part, parts) for part in every],
    )
    people = _find_authors(stages, work, built, parts)
    named = run("naming works of notices", "named", notices.list_named, [(built,)])
    noted = run(
        "finding works of notices",
        "noted",
        notices.find_named,
        [(built, named, part) for part in every],
    )
    claims = run("matching notices", "claims", notices.match_claims, [(built, noted, parts)])
    for outdated in (MANIFEST, *_DERIVED):
        storage.remove(outdated)
    _forget_incomplete(storage, f"{work}/files")
    files = run(
        "writing shards",
        "files",
        write_graph_part,
        [(built, people, claims, part) for part in every],
    )
    names = [name_output(files, part) for part in every]
    listed: dict[str, object] = {}
    for name in names:
        listed |= storage.read_json(name)
    for name in storage.sizes(FOLDER):
        if name not in listed:
            storage.remove(name)
    facts = read_facts(storage, built)

    def counted(prefix: str) -> dict[str, int]:
        return {
            name.removeprefix(prefix): number
            for name, number in sorted(facts.items())
            if name.startswith(prefix)
        }

    totals = {name: facts.get(name, 0) for name in ("loaded", "without_text", "anchors")}
    known = {**account, **totals, "lost": counted("lost "), "types": counted("type ")}
    graph = complete(storage, parts=parts, files=listed, account=known, id_=id_)
    storage.remove(WORK)
    return graph


def _forget_incomplete(storage: Storage, folder: str) -> None:
    """Removes outputs of tasks whose Parquet files are not there as they were written."""
    sizes = storage.sizes(FOLDER)
    for output in storage.sizes(folder):
        listed = storage.read_json(output)
        if any(sizes.get(name) != facts["bytes"] for name, facts in listed.items()):
            storage.remove(output)


def _route(
    folder: str, names: tuple[str, ...], *, parts: int, roots: str
) -> list[tuple[object, ...]]:
    return [(folder, roots, names, part, parts) for part in range(parts)]


def _find_authors(stages: Stages, work: str, built: str, parts: int) -> str:
    """Finds authors; returns the folder of their files."""
    every = range(parts)
    total = read_facts(stages.storage, built)["papers"]
    title = "disambiguating authors"

    def run(name: str, function: Any, tasks: Sequence[tuple[object, ...]]) -> str:
        folder = f"{work}/authors-{name}"
        stages.run(title, folder, function, tasks)
        return folder

    counted = run("counted", authors.count_part, [(built, part) for part in every])
    joined = run("joined", authors.join_blocks, [(counted,)])
    sent = run(
        "sent", authors.send_by_lines, [(built, counted, joined, part, parts) for part in every]
    )
    paired = run(
        "paired", authors.pair_part, [(sent, joined, total, part, parts) for part in every]
    )
    signatures = read_facts(stages.storage, paired).get("signatures", 0)
    summed = run("summed", authors.sum_pairs, [(paired, signatures)])
    return run(
        "assigned",
        authors.assign_part,
        [(sent, joined, paired, summed, total, signatures, part, parts) for part in every],
    )


def write_graph_part(
    storage: Storage, output: str, built: str, people: str, claims: str, part: int
) -> None:
    """Writes the tables of a part, and then the rows and bytes of their files."""
    tables = papers.read_built(storage, built, part)
    tables |= read_file(storage, name_output(people, part), "graph")
    tables |= papers.build_terms(storage, built, part)
    found = read_exchange(storage, claims, part)
    if "marks" in found:
        tables["Paper"] = papers.mark_papers(tables["Paper"], found.pop("marks"))
    storage.write_json(output, write_part(storage, part, {**tables, **found}))


def _remove_others(storage: Storage, keys: Sequence[str]) -> None:
    """Removes the records of sources that are no longer among those of the folder."""
    kept = {f"{key}.json" for key in keys} | {*keys}
    names = {name.split("/")[1] for name in storage.sizes(reading.FOLDER)}
    for name in sorted(names - kept):
        storage.remove(f"{reading.FOLDER}/{name}")
