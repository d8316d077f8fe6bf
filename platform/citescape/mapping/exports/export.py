"""Exports runs and the graph to files of other tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pyarrow as pa

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, invalid_choice, list_some
from citescape.core.files import check_absent, check_folder, find_strays, name_files, write_files
from citescape.core.progress import Progress, silent
from citescape.mapping.exports.attributed import AttributedNetwork, keep_nodes, select
from citescape.mapping.exports.config import ExportConfig
from citescape.mapping.exports.facts import read_facts
from citescape.mapping.exports.formats import FORMATS
from citescape.mapping.exports.membership import (
    Membership,
    list_memberships,
    read_memberships,
)
from citescape.mapping.exports.papers import read_papers
from citescape.mapping.exports.places import find_placed, find_places
from citescape.mapping.exports.sources import ExportSources, RunNames, find_sources
from citescape.mapping.exports.topics import build_topics
from citescape.networks.network import Network
from citescape.papers.bibliography import BIBLIOGRAPHIES
from citescape.runs.directory import default_runs, library_versions
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.store.graph_store import GraphStore
from citescape.store.state import CLUSTER_RUN, read_meta


@dataclass(frozen=True)
class ExportedNetwork(Result):
    """A network written to files."""

    form: str
    """Key of `formats.FORMATS`."""
    files: Mapping[Path, int]
    """File -> size in bytes."""
    content: AttributedNetwork
    """Content of the files, and notes."""

    @property
    def arrow(self) -> pa.Table:
        """One row per node: id, title or label, and attributes."""
        return self.content.nodes

    def tables(self) -> dict[str, pa.Table]:
        """Nodes and edges."""
        return {"nodes": self.content.nodes, "edges": self.content.edges()}

    def summarise(self) -> Summary:
        """Numbers of nodes and edges, files, notes, and how to open the files."""
        content = self.content
        runs = [f"{name} {run}" for name, run in content.about.items() if name != "citescape"]
        figures = {
            "format": self.form,
            "files": {str(path): size for path, size in self.files.items()},
            "kind": content.kind,
            "of": f"{content.unit}s",
            "nodes": len(content.network),
            "edges": content.network.edges,
            "attributes": content.nodes.column_names,
            "edge_attributes": content.edges().column_names[2:],
            **content.about,
            "notes": content.notes,
        }
        return Summary(
            [
                f"{plural(len(content.network), content.unit)} and "
                f"{plural(content.network.edges, 'edge')} of {', '.join(runs)}",
                *list_files(self.files, content.notes, FORMATS[self.form].opening),
            ],
            figures,
        )


@dataclass(frozen=True)
class ExportedBibliography(Result):
    """Papers written as a bibliography."""

    form: str
    """Key of `bibliography.BIBLIOGRAPHIES`."""
    files: Mapping[Path, int]
    """File -> size in bytes."""
    papers: int
    network: str = ""
    """Run of the network of the papers, or empty."""

    def summarise(self) -> Summary:
        """Number of papers, the file, and how to open it."""
        files = {str(path): size for path, size in self.files.items()}
        source = f" of network {self.network}" if self.network else ""
        return Summary(
            [
                f"{plural(self.papers, 'paper')}{source}",
                *list_files(self.files, (), BIBLIOGRAPHIES[self.form].opening),
            ],
            {"format": self.form, "files": files, "of": "papers", "papers": self.papers},
        )


def list_files(files: Mapping[Path, int], notes: Sequence[str], opening: str) -> Iterator[Part]:
    """Lists files with their sizes, notes, and how to open the first file.

    Args:
        files: file -> size in bytes.
        notes: notes for the user.
        opening: text with `{file}` for the first file.
    """
    yield ""
    yield Table(("file", "bytes"), [(str(path), size) for path, size in files.items()])
    for note in notes:
        yield from ("", note)
    yield from ("", f"open it {opening.format(file=next(iter(files)))}")


def export(
    store: GraphStore,
    form: str,
    out: Path,
    *,
    config: ExportConfig | None = None,
    named: RunNames | None = None,
    runs: Path | None = None,
    force: bool = False,
    progress: Progress = silent,
) -> ExportedNetwork:
    """Writes a network with all attributes of its papers or topics, for another tool.

    Args:
        store: store to read.
        form: a key of `formats.FORMATS`.
        out: file to write; formats of several files add a suffix to its name.
        config: nodes and edges to write.
        named: runs to export.
        runs: folder of runs; by default `runs` beside the store.
        force: replace existing files.
        progress: receives the current stage.

    Raises:
        ConfigError: no such format, run or level; a file exists or cannot be written; no partial
            file is left.
        SourceError: a file of a run is damaged.
    """
    if form not in FORMATS:
        raise invalid_choice("format", form, FORMATS)
    format_ = FORMATS[form]
    check_folder(out)
    if not force:
        check_absent(list(name_files(out, {format_.suffix: None})))
    content = gather(store, config, named=named, runs=runs, progress=progress)
    content = content.with_note(*format_.limits(content))
    parts = name_files(out, format_.parts(content))
    if not force:
        check_absent(list(parts))
    progress(f"writing {content.network.edges:,} edges")
    files = write_files({path: partial(part, content) for path, part in parts.items()})
    strays = list_some(find_strays(list(files), format_.suffix, format_.varying))
    notes = [f"files of an earlier export with this name: {strays}"] if strays else []
    return ExportedNetwork(form, files, content.with_note(*notes))


def gather(
    store: GraphStore,
    config: ExportConfig | None = None,
    *,
    named: RunNames | None = None,
    runs: Path | None = None,
    progress: Progress = silent,
) -> AttributedNetwork:
    """Reads a network with the attributes of its papers or topics.

    Args:
        store: store to read.
        config: nodes and edges to select.
        named: runs to export.
        runs: folder of runs; by default `runs` beside the store.
        progress: receives the current stage.
    """
    config, runs = config or ExportConfig(), runs or default_runs(store.location)
    named = named or RunNames()
    current = read_meta(store, CLUSTER_RUN) or ""
    sources = find_sources(runs, named, current=current, location=store.location)
    if config.level and sources.clustering is None:
        raise ConfigError(
            f"level is {config.level!r}, but no communities were found; run `platform "
            "cluster`, name a run with --clustering, or omit --level"
        )
    network = sources.network.read()
    if config.papers == "core":
        network = network.where(network.in_core)
    if config.of == "topics":
        level = sources.clustering.topic_level(config.level) if sources.clustering else ""
        sources = sources.with_topic_map(runs, level, named=bool(named.map))
        content = _gather_topics(sources, network, level, location=store.location)
    else:
        content = _gather_papers(store, sources, network, progress=progress)

    if config.placed:
        placed = find_placed(content.nodes)
        if not placed.any():
            raise ConfigError(
                f"found no place on a map for {len(placed):,} {content.unit}s; run `platform map`, "
                "or omit --placed"
            )
        content = keep_nodes(content, placed)
    content = select(
        content,
        largest=config.largest,
        min_weight=config.min_weight,
        top=config.top,
        linked=config.linked,
        by_weight=bool(named.network),
    )
    if config.of == "papers":
        content = _describe_papers(store, sources, content, level=config.level, progress=progress)
    version = library_versions("citescape").get("citescape", "")
    return replace(content, about={**sources.runs, "citescape": version})


def _gather_papers(
    store: GraphStore, sources: ExportSources, network: Network, *, progress: Progress
) -> AttributedNetwork:
    """Papers with attributes for the selection: citations received and places."""
    facts = read_facts(store, network, progress=progress)
    parts = [pa.table({"id": network.ids}), facts.received]
    if not network.in_core.all():
        parts.append(pa.table({"core": pa.array(network.core)}))
    if sources.map:
        parts.append(find_places(sources.map.read_papers(), network.ids, key="id"))
    links = facts.links if facts.links["citing"].null_count < network.edges else pa.table({})
    kind, nodes = sources.network.kind, _join_columns(*parts)
    return AttributedNetwork(network, nodes, links, kind, notes=facts.missing)


def _describe_papers(
    store: GraphStore,
    sources: ExportSources,
    chosen: AttributedNetwork,
    *,
    level: str,
    progress: Progress,
) -> AttributedNetwork:
    """The selected papers with their bibliographic data and communities."""
    ids, clustering = chosen.network.ids, sources.clustering
    papers = read_papers(store, ids, progress=progress)
    levels: tuple[Membership, ...] = ()
    notes: list[str] = []
    if missing := papers["fulltext"].null_count:
        notes.append(f"papers of the network that are no longer in the graph: {missing:,}")
    if clustering:
        level, levels = (
            clustering.topic_level(level),
            read_memberships(clustering, ids, sources.topics),
        )
    nodes = _join_columns(papers, chosen.nodes, list_memberships(levels))
    chosen = replace(chosen, nodes=nodes, memberships=levels, level=level)
    return chosen.with_note(*notes, *_note_other_network(sources))


def _gather_topics(
    sources: ExportSources, network: Network, level: str, *, location: str
) -> AttributedNetwork:
    if sources.clustering is None:
        raise ConfigError(
            "no communities were found, so topics cannot be exported; run `platform cluster`, "
            "or name a run with --clustering"
        )
    run = sources.clustering
    topics, nodes, parents = build_topics(network, run, level=level, known=sources.topics)
    if sources.map:
        nodes = _join_columns(nodes, find_places(sources.map.read_topics(), topics.ids, key="name"))
    notes = _note_other_network(sources)
    for values, known, command in (
        ("labels", level in sources.topics, "topics"),
        ("places", find_placed(nodes).any(), "map"),
    ):
        hint = quote_command(f"{command} --clustering {run.run} --level {level}", location)
        notes += [] if known else [f"topics have no {values}: run {hint}"]
    return AttributedNetwork(
        topics,
        nodes,
        pa.table({}),
        sources.network.kind,
        unit="topic",
        memberships=(parents,) if parents else (),
        level=parents.level if parents else "",
        notes=tuple(notes),
    )


def _note_other_network(sources: ExportSources) -> list[str]:
    """Note if the communities are of another network."""
    run = sources.clustering
    if run is None or run.network == sources.network.run:
        return []
    return [f"communities of {run.run} are from another network, {run.network}"]


def _join_columns(*tables: pa.Table) -> pa.Table:
    """Joins the columns of tables with the same rows."""
    columns = {name: table[name] for table in tables for name in table.column_names}
    return pa.table(columns).combine_chunks()
