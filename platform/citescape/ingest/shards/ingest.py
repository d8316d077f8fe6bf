"""Sources -> a graph of shards, by tasks on this machine or on a cluster.

Records are read once (`read`); the graph is derived from all of them, stage by stage. Each task
writes one file; an ingest that is run again after an interruption does what is missing.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from citescape.distributed.exchange import list_files, read_exchange, read_facts, read_file
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
_AUTHORS = "disambiguating authors"
_DERIVED = (
    *("labels.json", "labels", "scores.json", "scores", "score-work"),
    *("vectors.json", "vectors", "neighbours", "neighbour-work"),
)
"""Files of other commands, which follow from the graph."""
_PART_BYTES = 24_000_000
"""Bytes of records of a part: about 1,300 full texts of the crops archive."""


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
    _refuse_other_files(storage)
    with storage.alone():
        storage.write_json(MARK, {})
        stages = Stages(storage, cluster, progress)
        entries = _read(stages, tasks, config)
        read = _summarise_reading(storage, tasks, entries, sources)
        read = replace(read, passed_over=read.passed_over + passed_over)
        if read.exit_status:
            for task in tasks:
                storage.remove(f"{reading.FOLDER}/{task.key}.json")
                storage.remove(f"{reading.FOLDER}/{task.key}")
            return replace(read, seconds=time.monotonic() - started)
        graph, unchanged = _find_or_build(stages, paths, tasks, entries, parts)
        storage.remove(WORK)
        keys = [task.key for task in tasks]
        storage.remove_others(reading.FOLDER, [*keys, *(f"{key}.json" for key in keys)])
    place, scored = storage.address, "scores.json" in storage.sizes("scores.json")
    types: Any = graph.account["types"]
    named = [name for name in config.types if name not in (*GROUPS, ALL)]
    return replace(
        read,
        **_totals(graph),
        graph=graph,
        absent_types=tuple(name for name in named if name not in types),
        place=f"{place} {'holds these sources already' if unchanged else 'now holds'}:",
        next=f"load {place}" if scored else f"score --shards {place}",
        seconds=time.monotonic() - started,
    )


def _find_or_build(
    stages: Stages,
    paths: Sequence[Path],
    tasks: Sequence[reading.ReadingTask],
    entries: Sequence[Mapping[str, Any]],
    parts: int | None,
) -> tuple[ShardedGraph, bool]:
    """The graph of what was read, and whether it was complete before."""
    keys = [task.key for task in tasks]
    states = (f"{key} {entry['unreadable']}" for key, entry in zip(keys, entries, strict=True))
    id_ = hashlib.blake2b("\n".join(states).encode(), digest_size=12).hexdigest()
    graph = _find_complete(stages.storage, id_)
    if graph is not None and parts in (None, graph.parts):
        return graph, True
    shards = [shard for entry in entries for shard in entry["shards"]]
    size = sum(file["bytes"] for shard in shards for file in shard["files"].values())
    parts = parts or max(1, ceil(size / _PART_BYTES))
    account = {"tasks": keys, "sources": [str(path) for path in paths]}
    return build_graph(stages, shards, parts=parts, account=account, id_=id_), False


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


def _refuse_other_files(storage: Storage) -> None:
    """Refuses a folder of something else: what is not of the graph would be removed."""
    sizes = storage.sizes()
    if sizes and MARK not in sizes:
        raise ConfigError(
            f"{storage.address} holds other files, such as {next(iter(sizes))}; expected a new or "
            "empty folder, or one of an earlier ingest into shards"
        )


def _find_complete(storage: Storage, id_: str) -> ShardedGraph | None:
    """The graph, if it is complete and of these sources; otherwise it is built again."""
    if MANIFEST not in storage.sizes():
        return None
    try:
        graph = ShardedGraph.open(storage, labels=False)
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
    known: dict[str, dict[str, Any]] = {}
    for output in sizes.keys() & {*outputs}:
        entry = storage.read_json(output)
        # What a machine could not read, another one, or the same one later, perhaps can.
        if entry["unreadable"] or not _is_whole(entry, sizes):
            storage.remove(output)
            continue
        if "loaded" in entry["status"]:
            entry["status"]["unchanged"] = entry["status"].pop("loaded")
        known[output] = entry
    stages.run(
        "reading sources",
        reading.FOLDER,
        reading.read_task,
        [(task, config) for task in tasks],
        outputs=outputs,
    )
    return [known.get(output) or storage.read_json(output) for output in outputs]


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
    work = f"{id_}-{parts}-{__version__}"
    storage.remove_unfinished()
    storage.remove_others(WORK, [work])
    chain = _Chain(stages, f"{WORK}/{work}", parts)

    split = chain.run("splitting records", records.split, [(shard, parts) for shard in shards])
    chosen = chain.over_parts("choosing records", records.choose, split, parts)
    roots = connect(stages, f"{WORK}/{work}/connect", chosen, parts)
    light = ("records", "references")
    grouped = chain.over_parts(
        "grouping records", works.route, chosen, roots, light, parts, name="light"
    )
    moves = chain.over_parts("joining records", works.find_moves_of_part, grouped, parts)
    moved = chain.over_parts("moving records", records.move, chosen, moves, parts)
    merged = chain.over_parts("merging records", records.merge, chosen, moves, moved, parts)

    whole = ("papers", "entries")
    grouped = chain.over_parts(
        "grouping references", works.route, merged, roots, whole, parts, name="whole"
    )
    matched = chain.over_parts("matching references", works.match_part, grouped, parts)
    same = chain.over_parts("comparing works", works.compare_part, matched)
    joins = chain.over_parts("joining works", works.choose_part, matched, same)
    last = chain.run("following joins", works.follow, [(joins,)])
    found = chain.over_parts("finding works", works.finish_part, matched, last, parts)
    built = chain.over_parts("building papers", papers.build_part, merged, found, parts)

    counted = chain.over_parts(_AUTHORS, authors.count_part, built)
    joined = chain.run(_AUTHORS, authors.join_blocks, [(counted,)])
    sent = chain.over_parts(_AUTHORS, authors.send_by_lines, built, counted, joined, parts)
    total = read_facts(storage, built)["papers"]
    paired = chain.over_parts(_AUTHORS, authors.pair_part, sent, joined, total, parts)
    summed = chain.run(_AUTHORS, authors.sum_pairs, [(paired,)])
    people = chain.over_parts(
        _AUTHORS, authors.assign_part, sent, joined, paired, summed, total, parts
    )

    named = chain.run("naming works of notices", notices.list_named, [(built,)])
    noted = chain.over_parts("finding works of notices", notices.find_named, built, named)
    claims = chain.run("matching notices", notices.match_claims, [(built, noted, parts)])

    for outdated in (MANIFEST, *_DERIVED):
        storage.remove(outdated)
    _forget_incomplete(storage, f"{chain.folder}/{write_graph_part.__name__}")
    files = chain.over_parts("writing shards", write_graph_part, built, people, claims)
    return _complete(storage, files, read_facts(storage, built), parts, account=account, id_=id_)


@dataclass(frozen=True)
class _Chain:
    """Stages whose files are in folders named by their functions."""

    stages: Stages
    folder: str
    parts: int

    def run(
        self,
        title: str,
        function: Callable[..., None],
        tasks: Sequence[tuple[object, ...]],
        name: str = "",
    ) -> str:
        """Runs a function for each tuple of arguments; returns the folder of its files."""
        folder = f"{self.folder}/{name or function.__name__}"
        self.stages.run(title, folder, function, tasks)
        return folder

    def over_parts(
        self, title: str, function: Callable[..., None], *arguments: object, name: str = ""
    ) -> str:
        """Runs a function for each part, which is its last argument."""
        tasks = [(*arguments, part) for part in range(self.parts)]
        return self.run(title, function, tasks, name)


def _complete(
    storage: Storage,
    files: str,
    facts: Mapping[str, int],
    parts: int,
    *,
    account: Mapping[str, object],
    id_: str,
) -> ShardedGraph:
    """Writes the manifest; files of an earlier graph are removed."""
    listed: dict[str, object] = {}
    for name in list_files(storage, files):
        listed |= storage.read_json(name)
    for name in storage.sizes(FOLDER).keys() - listed.keys():
        storage.remove(name)

    def counted(prefix: str) -> dict[str, int]:
        found = ((name, facts[name]) for name in sorted(facts) if name.startswith(prefix))
        return {name.removeprefix(prefix): number for name, number in found}

    totals = {name: facts[name] for name in ("loaded", "without_text", "anchors")}
    known = {**account, **totals, "lost": counted("lost "), "types": counted("type ")}
    return complete(storage, parts=parts, files=listed, account=known, id_=id_)


def _forget_incomplete(storage: Storage, folder: str) -> None:
    """Removes outputs of tasks whose Parquet files are not there as they were written."""
    sizes = storage.sizes(FOLDER)
    for output in storage.sizes(folder):
        listed = storage.read_json(output)
        if any(sizes.get(name) != facts["bytes"] for name, facts in listed.items()):
            storage.remove(output)


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
