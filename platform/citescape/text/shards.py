"""Labels texts of a graph of shards; labels are written beside it, see `ingest.shards.labels`.

A task fills a store with some papers of a part and labels it, as any store is labelled. So labels
are those of a store, but for the last bits of a network's probabilities, which depend on the texts
that it reads together. Each process loads the model once. A labelling that is run again after an
interruption does the papers that are missing.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from citescape import __version__
from citescape.core.config import ShardsLocation, store_words
from citescape.core.errors import StoreError
from citescape.core.outputs import unwatched
from citescape.core.progress import Progress, silent
from citescape.distributed.cluster import Cluster
from citescape.distributed.stages import DONE, Stages, name_beside
from citescape.distributed.storage import Storage
from citescape.ingest.records import owners
from citescape.ingest.shards.graph import ShardedGraph, name_file
from citescape.ingest.shards.labels import (
    FOLDER,
    Labels,
    name_folder,
    read_labels,
    write_labels,
)
from citescape.runs.result import Result, Summary
from citescape.store.graph_store import Change, open_store
from citescape.store.schema import REL, TABLE
from citescape.store.statements import key_columns, read_text
from citescape.text.labeller import RULES

R = TypeVar("R", bound=Result)


@dataclass(frozen=True)
class Labeller(Generic[R]):
    """How one kind of text is labelled."""

    kind: str
    """sections, intents or abstracts."""
    result: Callable[..., R]
    """The result, given the run of the model, figures and settings."""
    load: Callable[..., Any]
    """The model, given the folder of runs and its name."""
    label: Callable[..., R]
    """Labels a store, given the model and settings; figures of its result can be added."""
    reads: Mapping[str, Sequence[str]]
    """Columns that it reads, by table, without keys; Paper comes first."""
    writes: Mapping[str, Sequence[str]]
    """Columns that it writes, by table, without keys."""
    sized_by: str
    """Table whose rows decide how many papers a task labels."""
    rows: int
    """Rows of that table for each task; an interruption loses those of the tasks at work."""
    full_texts: bool = True
    """Labels papers with a full text; else those with an abstract too."""
    reads_labels: Sequence[str] = ()
    """Kinds of labels that it reads."""


@dataclass
class LabelledShards(Result, Generic[R]):
    """Labels beside a graph of shards."""

    labelled: R
    """Figures, as for a store."""
    folder: str
    """Folder of the labels."""
    unchanged: bool
    """They were there before."""
    next: Sequence[tuple[str, str]] = ()
    """Commands to run next, with the reason."""

    @property
    def arrow(self) -> pa.Table:
        """As for a store."""
        return self.labelled.arrow

    def summarise(self) -> Summary:
        """As for a store, with the folder of the labels."""
        summary = self.labelled.summarise()
        state = "unchanged" if self.unchanged else "written"
        figures = {**summary.figures, "labels": self.folder, "unchanged": self.unchanged}
        parts = [*summary.parts, f"labels are in {self.folder} ({state})"]
        return replace(summary, parts=parts, figures=figures, next=self.next)


def label_shards(
    labeller: Labeller[R],
    graph: ShardedGraph,
    cluster: Cluster,
    named: str,
    run: str,
    *,
    runs: Path,
    on_gpu: bool = False,
    progress: Progress = silent,
    **settings: object,
) -> LabelledShards[R]:
    """Labels the texts of a graph of shards.

    Args:
        labeller: the kind of text.
        graph: the graph; its folder takes the labels.
        cluster: where tasks run.
        named: the model as the user names it: a run, a folder, `rules`, or nothing.
        run: id of the run of that model.
        runs: folder of runs, which all machines see.
        on_gpu: whether a task takes a GPU, where the cluster has some.
        progress: called with the number of finished tasks.
        settings: further arguments of `Labeller.label`.

    Raises:
        StoreError: no papers to label, or a damaged file.
    """
    kind, address = labeller.kind, graph.storage.address
    others = {name: labels for name, labels in graph.labels.items() if name != kind}
    read = {name: others[name].key for name in labeller.reads_labels if name in others}
    key = _hash(graph.division, run, settings, read, labeller.rows, __version__)
    labels = graph.labels.get(kind)
    unchanged = labels is not None and labels.key == key and labels.are_there(graph.storage)
    if labels is None or not unchanged:
        if named != RULES:  # the latest model now, also for a task that starts later
            is_folder = named and Path(named).is_dir()
            named = str(Path(named).absolute()) if is_folder else run
        labels = _label(
            labeller,
            replace(graph, labels=others),
            Stages(graph.storage, cluster, progress),
            key,
            (str(runs.absolute()), named, settings),
            on_gpu=on_gpu,
        )
    graph.storage.remove(f"{labels.folder}/{DONE}")
    graph.storage.remove_others(f"{FOLDER}/{kind}", [key])
    figures = add_figures([labels.figures])
    if unchanged:
        figures |= {name: 0 for name in ("written", "pairs_written") if name in figures}
    result = labeller.result(run=run, **figures, **settings)
    following = []
    if graph.state != replace(graph, labels={**others, kind: labels}).state:
        following.append(("next", f"score{store_words(ShardsLocation(address))}"))
        if "intents" in others:
            reason = "intents depend on section types, label them again"
            command = f"text intents label{store_words(ShardsLocation(address))}"
            following.append((reason, command))
    folder = f"{address.rstrip('/')}/{labels.folder}"
    return LabelledShards(result, folder, unchanged, following)


def _label(
    labeller: Labeller[Any],
    graph: ShardedGraph,
    stages: Stages,
    key: str,
    model: tuple[object, ...],
    *,
    on_gpu: bool,
) -> Labels:
    """Labels all papers; the labels of an earlier model are removed when these are complete.

    Args:
        labeller: the kind of text.
        graph: the graph with the labels of other kinds.
        stages: runs the tasks.
        key: see `Labels.key`.
        model: last arguments of `label_papers`.
        on_gpu: see `label_shards`.
    """
    kind, storage = labeller.kind, graph.storage
    folder = name_folder(kind, key)
    done = f"{folder}/{DONE}"
    tasks: list[tuple[object, ...]] = []
    outputs: list[str] = []
    for part in range(graph.parts):
        pieces = -(-graph.rows.get(name_file(labeller.sized_by, part), 0) // labeller.rows)
        for piece in range(pieces):
            tasks.append((labeller, graph.only(part, labeller.reads), part, piece, pieces, *model))
            outputs.append(f"{done}/{part:05}-{piece:04}.json")
    if not tasks:
        raise StoreError(
            f"{storage.address} has no {labeller.sized_by}, so no {kind} to label; expected papers "
            "with text: ingest some into another folder"
        )
    title = f"labelling {kind}"
    stages.run(title, done, label_papers, tasks, outputs=outputs, on_gpu=on_gpu)
    figures = add_figures([storage.read_json(output) for output in outputs])
    sizes = storage.sizes(folder)
    files = {name: size for name, size in sizes.items() if name.endswith(".parquet")}
    columns = {name: [*columns] for name, columns in labeller.writes.items()}
    labels = Labels(kind, key, columns, files, figures)
    present = read_labels(storage, graph.division)  # others may have been written meanwhile
    write_labels(storage, graph.division, {**present, kind: labels})
    return labels


def _hash(*values: object) -> str:
    return hashlib.blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=8).hexdigest()


def add_figures(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Sums of numbers, and of dictionaries of numbers, by name."""
    sums: dict[str, Any] = {}
    for figures in results:
        for name, value in figures.items():
            if isinstance(value, dict):
                counted = sums.setdefault(name, Counter())
                counted.update(value)
            else:
                sums[name] = sums.get(name, 0) + value
    return sums


@lru_cache(maxsize=1)
def _load(load: Callable[..., Any], runs: str, named: str) -> Any:
    """The model, once in each process."""
    return load(Path(runs), named)


def label_papers(
    storage: Storage,
    output: str,
    labeller: Labeller[Any],
    graph: ShardedGraph,
    part: int,
    piece: int,
    pieces: int,
    runs: str,
    named: str,
    settings: Mapping[str, object],
) -> None:
    """Labels some papers of a part; writes their labels, then their figures."""
    papers = _choose(graph, part, piece, pieces, full_texts=labeller.full_texts)
    figures: dict[str, Any] = {}
    if len(papers):
        model = _load(labeller.load, runs, named)
        with (
            unwatched(),
            TemporaryDirectory() as place,
            closing(open_store(f"{place}/papers.lbug")) as store,
        ):
            store.apply(_fill(graph, part, papers, labeller.reads))
            result = labeller.label(store, model, **settings)
            for table, columns in {**labeller.writes, "Run": TABLE["Run"].columns}.items():
                rows = store.read(read_text(TABLE[table], columns))
                order = [(key, "ascending") for key in key_columns(TABLE[table])]
                storage.write_table(name_beside(output, table), rows.sort_by(order))
        figures = {n: v for n, v in vars(result).items() if type(v) in (int, dict, Counter)}
    storage.write_json(output, figures)


def _choose(
    graph: ShardedGraph, part: int, piece: int, pieces: int, *, full_texts: bool
) -> pa.Array:
    """Ids of the papers of a task, ascending."""
    columns = ["id", "fulltext", *([] if full_texts else ["abstract"])]
    rows = graph.read("Paper", part, columns)
    chosen = rows["fulltext"]
    if not full_texts:
        chosen = pc.or_(chosen, pc.fill_null(pc.not_equal(rows["abstract"], ""), False))
    ids = rows["id"].filter(chosen).combine_chunks().sort()
    begin, end = (len(ids) * k // pieces for k in (piece, piece + 1))
    return ids[begin:end]


def _fill(
    graph: ShardedGraph, part: int, papers: pa.Array, reads: Mapping[str, Sequence[str]]
) -> list[Change]:
    """Rows of papers for a store, nodes before relationships; other columns are null."""
    tables: dict[str, pa.Table] = {}
    for name, columns in reads.items():
        keys = key_columns(TABLE[name])
        rows = graph.read(name, part, [*keys, *columns])
        owned = rows["id"] if name == "Paper" else owners(name, rows)
        tables[name] = rows.filter(pc.is_in(owned, value_set=papers))
    cited = [tables[name]["to"] for name in reads if name in REL and REL[name].target == "Paper"]
    if cited:
        chunks = [chunk for ends in cited for chunk in ends.chunks]
        ids = pa.chunked_array(chunks, pa.string()).unique()
        works = ids.filter(pc.invert(pc.is_in(ids, value_set=papers)))
        stubs = pa.table({"id": works, "fulltext": pa.repeat(False, len(works))})
        tables["Paper"] = pa.concat_tables([tables["Paper"], stubs], promote_options="default")
    return [
        Change(
            "insert",
            name,
            pa.concat_tables([TABLE[name].arrow.empty_table(), rows], promote_options="default"),
        )
        for name, rows in tables.items()
    ]
