"""From runs and the graph to files of other tools."""

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
    read_memberships,
    tell_memberships,
)
from citescape.mapping.exports.papers import read_papers
from citescape.mapping.exports.places import find_placed, find_places
from citescape.mapping.exports.sources import ExportSources, Named, find_sources
from citescape.mapping.exports.topics import build_topics
from citescape.networks.network import Network
from citescape.papers.bibliography import BIBLIOGRAPHIES
from citescape.runs.directory import default_runs, library_versions
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.store.graph_store import GraphStore
from citescape.store.state import CLUSTER_RUN, read_meta


@dataclass(frozen=True)
class Exported(Result):
    """A network that was written to files."""

    form: str
    """Key of `formats.FORMATS`."""
    files: Mapping[Path, int]
    """Their sizes in bytes."""
    content: AttributedNetwork
    """What is in them, and notes on it."""

    @property
    def arrow(self) -> pa.Table:
        """A row a node: id, title or label, and attributes."""
        return self.content.nodes

    def tables(self) -> dict[str, pa.Table]:
        """Nodes and edges."""
        return {"nodes": self.content.nodes, "edges": self.content.edges()}

    def summarise(self) -> Summary:
        """Nodes and edges, files, notes, and how to open them."""
        content = self.content
        about = content.about.items()
        made = ", ".join(f"{name} {run}" for name, run in about if name != "citescape")
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
                f"{plural(content.network.edges, 'edge')} of {made}",
                *list_files(self.files, content.notes, FORMATS[self.form].opening),
            ],
            figures,
        )


@dataclass(frozen=True)
class Bibliography(Result):
    """Papers that were written as a bibliography."""

    form: str
    """Key of `bibliography.BIBLIOGRAPHIES`."""
    files: Mapping[Path, int]
    """Their sizes in bytes."""
    papers: int
    network: str = ""
    """Run of the network whose papers they are, if any."""

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
    """Files with their sizes, notes, and how to open the first file."""
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
    named: Named | None = None,
    runs: Path | None = None,
    force: bool = False,
    progress: Progress = silent,
) -> Exported:
    """Writes a network with all that is known of its papers, or topics, for another tool.

    Args:
        store: the graph; only read.
        form: a key of `formats.FORMATS`.
        out: the file; formats of several files put an end behind its name.
        config: what of the network.
        named: the runs that it is made of.
        runs: folder of run directories; by default `runs` beside the store.
        force: replace files that are there.
        progress: told the name of each stage as it begins.

    Raises:
        ConfigError: no such format, run or level; a file is there already or cannot be written, of
            which nothing is left then.
        SourceError: a file of a run is damaged.
    """
    if form not in FORMATS:
        raise invalid_choice("format", form, FORMATS)
    meant = FORMATS[form]
    check_folder(out)
    if not force:
        check_absent(list(name_files(out, {meant.suffix: None})))
    content = gather(store, config, named=named, runs=runs, progress=progress)
    content = content.with_note(*meant.limits(content))
    parts = name_files(out, meant.parts(content))
    if not force:
        check_absent(list(parts))
    progress(f"writing {content.network.edges:,} edges")
    files = write_files({path: partial(part, content) for path, part in parts.items()})
    strays = list_some(find_strays(list(files), meant.suffix, meant.varying))
    told = [f"not of this export, though named as if: {strays}"] if strays else []
    return Exported(form, files, content.with_note(*told))


def gather(
    store: GraphStore,
    config: ExportConfig | None = None,
    *,
    named: Named | None = None,
    runs: Path | None = None,
    progress: Progress = silent,
) -> AttributedNetwork:
    """A network with what is known of its papers, or topics; see `export`."""
    config, runs = config or ExportConfig(), runs or default_runs(store.location)
    current = read_meta(store, CLUSTER_RUN) or ""
    sources = find_sources(runs, named or Named(), current=current, location=store.location)
    if config.level and sources.clustering is None:
        raise ConfigError(
            f"level is {config.level!r}, and there are no communities; make them with `platform "
            "cluster`, name a run with --clustering, or leave --level out"
        )
    network, by_weight = sources.network.read(), bool(named and named.network)
    if config.papers == "core":
        network = network.where(network.in_core)
    if config.of == "topics":
        level = sources.clustering.level(config.level) if sources.clustering else ""
        by_name = bool(named and named.map)
        sources = sources.of_topics(runs, level, named=by_name)
        topics = _gather_topics(sources, network, level, location=store.location)
        chosen = _choose(topics, config, by_weight=by_weight)
    else:
        papers = _gather_papers(store, sources, network, progress=progress)
        chosen = _choose(papers, config, by_weight=by_weight)
        chosen = _describe_papers(store, sources, chosen, level=config.level, progress=progress)
    version = library_versions("citescape").get("citescape", "")
    return replace(chosen, about={**sources.runs, "citescape": version})


def _gather_papers(
    store: GraphStore, sources: ExportSources, network: Network, *, progress: Progress
) -> AttributedNetwork:
    """What papers are chosen by: citations received and places."""
    facts = read_facts(store, network, progress=progress)
    parts = [pa.table({"id": network.ids}), facts.received]
    if not network.in_core.all():
        parts.append(pa.table({"core": pa.array(network.core)}))
    if sources.map:
        parts.append(find_places(sources.map.read_papers(), network.ids, key="id"))
    links = facts.links if facts.links["citing"].null_count < network.edges else pa.table({})
    kind, nodes = sources.network.kind, _beside(*parts)
    return AttributedNetwork(network, nodes, links, kind, notes=facts.missing)


def _describe_papers(
    store: GraphStore,
    sources: ExportSources,
    chosen: AttributedNetwork,
    *,
    level: str,
    progress: Progress,
) -> AttributedNetwork:
    """The same with what papers say of themselves, and with their communities."""
    ids, made = chosen.network.ids, sources.clustering
    papers = read_papers(store, ids, progress=progress)
    levels: tuple[Membership, ...] = ()
    notes: list[str] = []
    if gone := papers["fulltext"].null_count:
        notes.append(f"papers of the network that are not in the graph any more: {gone:,}")
    if made:
        level, levels = made.level(level), read_memberships(made, ids, sources.topics)
    nodes = _beside(papers, chosen.nodes, tell_memberships(levels))
    chosen = replace(chosen, nodes=nodes, memberships=levels, level=level)
    return chosen.with_note(*notes, *_of_another(sources))


def _gather_topics(
    sources: ExportSources, network: Network, level: str, *, location: str
) -> AttributedNetwork:
    if sources.clustering is None:
        raise ConfigError(
            "there are no communities, and so no topics; make them with `platform cluster`, or "
            "name a run with --clustering"
        )
    run = sources.clustering
    tied, nodes, parents = build_topics(network, run, level=level, known=sources.topics)
    if sources.map:
        nodes = _beside(nodes, find_places(sources.map.read_topics(), tied.ids, key="name"))
    notes = _of_another(sources)
    for what, known, command in (
        ("labels", level in sources.topics, "topics"),
        ("places", find_placed(nodes).any(), "map"),
    ):
        make = quote_command(f"{command} --clustering {run.run} --level {level}", location)
        notes += [] if known else [f"topics have no {what} yet: {make} finds some"]
    return AttributedNetwork(
        tied,
        nodes,
        pa.table({}),
        sources.network.kind,
        unit="topic",
        memberships=(parents,) if parents else (),
        level=parents.level if parents else "",
        notes=tuple(notes),
    )


def _of_another(sources: ExportSources) -> list[str]:
    """What is to be said where the communities are not those of the network."""
    made = sources.clustering
    if made is None or made.network == sources.network.run:
        return []
    return [f"communities are those of {made.run}, made of {made.network}"]


def _beside(*tables: pa.Table) -> pa.Table:
    """Tables of the same rows as one."""
    columns = {name: table[name] for table in tables for name in table.column_names}
    return pa.table(columns).combine_chunks()


def _choose(
    whole: AttributedNetwork, config: ExportConfig, *, by_weight: bool
) -> AttributedNetwork:
    return select(
        _keep_placed(whole) if config.placed else whole,
        largest=config.largest,
        min_weight=config.min_weight,
        top=config.top,
        linked=config.linked,
        by_weight=by_weight,
    )


def _keep_placed(whole: AttributedNetwork) -> AttributedNetwork:
    placed = find_placed(whole.nodes)
    if not placed.any():
        raise ConfigError(
            f"none of the {len(placed):,} {whole.unit}s has a place on a map; make one with "
            "`platform map`, or leave --placed out"
        )
    return keep_nodes(whole, placed)
