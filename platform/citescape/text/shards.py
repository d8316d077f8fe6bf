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
from citescape.core.errors import ConfigError, StoreError
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
from citescape.ingest.shards.settings import ShardStep
from citescape.runs.context import Context
from citescape.runs.result import Result, Summary
from citescape.store.graph_store import Change
from citescape.store.ladybug.adapter import LadybugStore
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
    load: Callable[[Path, str], Any]
    """The model, given the folder of runs and its name."""
    label: Callable[..., R]
    """Labels a store, given the model and settings. The result has the `run` of the model; its
    numbers, and dictionaries of numbers, can be added to those of other papers."""
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
        """The table of the figures."""
        return self.labelled.arrow

    def summarise(self) -> Summary:
        """The figures, and the folder of the labels."""
        summary = self.labelled.summarise()
        state = "unchanged" if self.unchanged else "written"
        figures = {**summary.figures, "labels": self.folder, "unchanged": self.unchanged}
        parts = [*summary.parts, f"labels are in {self.folder} ({state})"]
        return replace(summary, parts=parts, figures=figures, next=self.next)


@dataclass(frozen=True)
class ModelReference:
    """A model that tasks load, once in each process."""

    runs: str
    """Folder of runs, which all machines see."""
    name: str
    """Its name: the id of a run, a folder, or `rules`."""
    run: str
    """Id of its run; `rules` for the rules of sections."""
    is_network: bool = False
    """Whether it takes all cores of a machine, or a GPU."""

    @classmethod
    def resolved(
        cls, runs: Path, named: str, run: str, *, is_network: bool = False
    ) -> ModelReference:
        """The reference to a model that was found.

        Args:
            runs: folder of runs.
            named: the model as the user names it: a run, a folder, `rules`, or nothing.
            run: id of the run of that model.
            is_network: whether it takes all cores of a machine, or a GPU.
        """
        is_folder = bool(named) and Path(named).is_dir()
        name = str(Path(named).absolute()) if is_folder else run
        return cls(str(runs.absolute()), RULES if named == RULES else name, run, is_network)


def label_with_step(
    step: ShardStep[Any],
    context: Context,
    labeller: Labeller[R],
    model: ModelReference,
    **settings: object,
) -> LabelledShards[R]:
    """Labels the shards that a step names.

    A network labels in one process of this machine, which takes all cores or the GPU.

    Args:
        step: names shards and cluster.
        context: progress.
        labeller: the kind of text.
        model: the model.
        settings: further arguments of `Labeller.label`.
    """
    with step.open_shards(context, workers=1 if model.is_network else None) as (graph, cluster):
        return label_shards(labeller, graph, cluster, model, progress=context.progress, **settings)


def label_shards(
    labeller: Labeller[R],
    graph: ShardedGraph,
    cluster: Cluster,
    model: ModelReference,
    *,
    progress: Progress = silent,
    **settings: object,
) -> LabelledShards[R]:
    """Labels the texts of a graph of shards.

    Args:
        labeller: the kind of text.
        graph: the graph; its folder takes the labels.
        cluster: where tasks run.
        model: the model.
        progress: called with the number of finished tasks.
        settings: further arguments of `Labeller.label`.

    Raises:
        ConfigError: a task found another model under the name.
        StoreError: no papers to label, or a damaged file.
    """
    kind, storage = labeller.kind, graph.storage
    others = {name: labels for name, labels in graph.labels.items() if name != kind}
    read = {name: others[name].key for name in labeller.reads_labels if name in others}
    key = _hash(graph.division, model.run, settings, read, labeller.rows, __version__)
    labels = graph.labels.get(kind)
    unchanged = labels is not None and labels.key == key and labels.are_there(storage)
    if labels is None or not unchanged:
        stages = Stages(storage, cluster, progress)
        labels = _label(labeller, replace(graph, labels=others), stages, key, model, settings)
    storage.remove(f"{labels.folder}/{DONE}")
    storage.remove_others(f"{FOLDER}/{kind}", [key])
    figures = add_figures([labels.figures])
    if unchanged:
        figures |= {name: 0 for name in ("written", "pairs_written") if name in figures}
    result = labeller.result(run=model.run, **figures, **settings)
    following = []
    if graph.state != replace(graph, labels={**others, kind: labels}).state:
        words = store_words(ShardsLocation(storage.address))
        following.append(("next", f"score{words}"))
        if "intents" in others:
            reason = "intents depend on section types, label them again"
            following.append((reason, f"text intents label{words}"))
    folder = f"{storage.address.rstrip('/')}/{labels.folder}"
    return LabelledShards(result, folder, unchanged, following)


def _label(
    labeller: Labeller[Any],
    graph: ShardedGraph,
    stages: Stages,
    key: str,
    model: ModelReference,
    settings: Mapping[str, object],
) -> Labels:
    """Labels all papers, and then writes that the labels are complete.

    Args:
        labeller: the kind of text.
        graph: the graph with the labels of other kinds.
        stages: runs the tasks.
        key: see `Labels.key`.
        model: the model.
        settings: further arguments of `Labeller.label`.
    """
    kind, storage = labeller.kind, graph.storage
    folder = name_folder(kind, key)
    done = f"{folder}/{DONE}"
    tasks: list[tuple[object, ...]] = []
    outputs: list[str] = []
    for part in range(graph.parts):
        own = graph.only(part, labeller.reads)
        pieces = -(-graph.rows.get(name_file(labeller.sized_by, part), 0) // labeller.rows)
        for piece in range(pieces):
            tasks.append((labeller, model, settings, own, part, piece, pieces))
            outputs.append(f"{done}/{part:05}-{piece:04}.json")
    if not tasks:
        raise StoreError(
            f"{storage.address} has no {labeller.sized_by}, so no {kind} to label; expected papers "
            "with text: ingest some into another folder"
        )
    title = f"labelling {kind}"
    stages.run(title, done, label_papers, tasks, outputs=outputs, on_gpu=model.is_network)
    found = [storage.read_json(output) for output in outputs]
    sizes = storage.sizes(folder)
    labels = Labels(
        kind,
        key,
        columns={name: [*columns] for name, columns in labeller.writes.items()},
        files={name: size for name, size in sizes.items() if name.endswith(".parquet")},
        figures=add_figures([each["figures"] for each in found]),
        runs=[*{row["id"]: row for each in found for row in each["runs"]}.values()],
    )
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
def _load(load: Callable[[Path, str], Any], model: ModelReference) -> Any:
    """The model, once in each process."""
    return load(Path(model.runs), model.name)


def label_papers(
    storage: Storage,
    output: str,
    labeller: Labeller[Any],
    model: ModelReference,
    settings: Mapping[str, object],
    graph: ShardedGraph,
    part: int,
    piece: int,
    pieces: int,
) -> None:
    """Labels some papers of a part; writes their labels, then their figures and runs.

    Raises:
        ConfigError: there is another model under the name.
    """
    papers = _choose(graph, part, piece, pieces, full_texts=labeller.full_texts)
    figures: dict[str, Any] = {}
    runs: list[dict[str, Any]] = []
    if len(papers):
        loaded = _load(labeller.load, model)
        with (
            unwatched(),
            TemporaryDirectory() as place,
            # one thread: a cluster counts a task as one core, and there is a task for each
            closing(LadybugStore.open(f"{place}/papers.lbug", threads=1)) as store,
        ):
            store.apply(_fill(graph, part, papers, labeller.reads))
            result = labeller.label(store, loaded, **settings)
            if result.run != model.run:
                raise ConfigError(
                    f"{model.name} in {model.runs} is {result.run} now; expected {model.run}, as "
                    "when the command began: label again when the model stays"
                )
            for table, columns in labeller.writes.items():
                rows = store.read(read_text(TABLE[table], columns))
                order = [(key, "ascending") for key in key_columns(TABLE[table])]
                storage.write_table(name_beside(output, table), rows.sort_by(order))
            runs = store.read(read_text(TABLE["Run"])).to_pylist()
        figures = {n: v for n, v in vars(result).items() if type(v) in (int, dict, Counter)}
    storage.write_json(output, {"figures": figures, "runs": runs})


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
