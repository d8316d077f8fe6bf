"""Formats of exports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from citescape.mapping.exports.attributed import AttributedNetwork, FileWriter
from citescape.mapping.exports.gexf import find_undirected, write_gexf
from citescape.mapping.exports.graphml import write_graphml
from citescape.mapping.exports.pajek import list_pajek_files
from citescape.mapping.exports.tables import (
    write_edge_csv,
    write_edge_parquet,
    write_node_csv,
    write_node_parquet,
)
from citescape.mapping.exports.vosviewer import find_limits, write_json, write_links, write_map


@dataclass(frozen=True)
class ExportFormat:
    """A format: its files and limits."""

    suffix: str
    """Suffix of the file, or of the first of several files."""
    opening: str
    """How to open it, with `{file}` for the first file."""
    parts: Callable[[AttributedNetwork], Mapping[str, FileWriter]]
    """Suffix of a file -> its writer."""
    varying: tuple[str, ...] = ()
    """Suffixes of files that are not always written."""
    limits: Callable[[AttributedNetwork], Sequence[str]] = lambda _: ()
    """Notes on limits of the tool."""


def one_file(
    suffix: str, writer: FileWriter
) -> Callable[[AttributedNetwork], Mapping[str, FileWriter]]:
    """Parts of a format with one file."""
    return lambda _: {suffix: writer}


FORMATS: Mapping[str, ExportFormat] = {
    "vosviewer": ExportFormat(
        ".json",
        "in VOSviewer: Open, VOSviewer JSON file, {file}; or in a browser at "
        "https://app.vosviewer.com",
        one_file(".json", write_json),
        limits=find_limits,
    ),
    "vosviewer-txt": ExportFormat(
        "-map.txt",
        "in VOSviewer: Open, VOSviewer map file, {file}, and the network file beside it",
        lambda _: {"-map.txt": write_map, "-network.txt": write_links},
        limits=find_limits,
    ),
    "gexf": ExportFormat(
        ".gexf",
        "in Gephi: File, Open, {file}",
        one_file(".gexf", write_gexf),
        limits=find_undirected,
    ),
    "graphml": ExportFormat(
        ".graphml",
        "in Python: networkx.read_graphml('{file}'); in R: igraph::read_graph('{file}', 'graphml')",
        one_file(".graphml", write_graphml),
    ),
    "pajek": ExportFormat(
        ".net",
        "in Pajek: File, Network, Read, {file}; .clu under Partition, .vec under Vector",
        list_pajek_files,
        varying=(".clu", ".vec"),
    ),
    "csv": ExportFormat(
        "-nodes.csv",
        "in Python: pandas.read_csv('{file}'); edges name their ends by id",
        lambda _: {"-nodes.csv": write_node_csv, "-edges.csv": write_edge_csv},
    ),
    "parquet": ExportFormat(
        "-nodes.parquet",
        "in Python: pandas.read_parquet('{file}'); edges name their ends by id",
        lambda _: {"-nodes.parquet": write_node_parquet, "-edges.parquet": write_edge_parquet},
    ),
}
