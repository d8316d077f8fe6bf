"""The formats of exports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from citescape.mapping.exports.attributed import AttributedNetwork, Part
from citescape.mapping.exports.gexf import find_undirected, write_gexf
from citescape.mapping.exports.graphml import write_graphml
from citescape.mapping.exports.pajek import pajek_parts
from citescape.mapping.exports.tables import (
    write_edge_csv,
    write_edge_parquet,
    write_node_csv,
    write_node_parquet,
)
from citescape.mapping.exports.vosviewer import find_limits, write_json, write_links, write_map


@dataclass(frozen=True)
class Format:
    """Files that other tools read."""

    suffix: str
    """Ending of the name of the file, or of the first file if there are several."""
    opening: str
    """How to open it, with `{file}` in the place of the first file."""
    parts: Callable[[AttributedNetwork], Mapping[str, Part]]
    """Ending of a file's name -> its writer."""
    varying: tuple[str, ...] = ()
    """Suffixes of files that are written only if there is something for them."""
    limits: Callable[[AttributedNetwork], Sequence[str]] = lambda _: ()
    """Notes on what the tool would refuse or cannot show."""


def only(end: str, part: Part) -> Callable[[AttributedNetwork], Mapping[str, Part]]:
    """The parts of a format with one file."""
    return lambda _: {end: part}


FORMATS: Mapping[str, Format] = {
    "vosviewer": Format(
        ".json",
        "in VOSviewer: Open, VOSviewer JSON file, {file}; or in a browser at "
        "https://app.vosviewer.com",
        only(".json", write_json),
        limits=find_limits,
    ),
    "vosviewer-txt": Format(
        "-map.txt",
        "in VOSviewer: Open, VOSviewer map file, {file}, and the network file beside it",
        lambda _: {"-map.txt": write_map, "-network.txt": write_links},
        limits=find_limits,
    ),
    "gexf": Format(
        ".gexf",
        "in Gephi: File, Open, {file}",
        only(".gexf", write_gexf),
        limits=find_undirected,
    ),
    "graphml": Format(
        ".graphml",
        "in Python: networkx.read_graphml('{file}'); in R: igraph::read_graph('{file}', 'graphml')",
        only(".graphml", write_graphml),
    ),
    "pajek": Format(
        ".net",
        "in Pajek: File, Network, Read, {file}; .clu under Partition, .vec under Vector",
        pajek_parts,
        varying=(".clu", ".vec"),
    ),
    "csv": Format(
        "-nodes.csv",
        "in Python: pandas.read_csv('{file}'); edges name their ends by id",
        lambda _: {"-nodes.csv": write_node_csv, "-edges.csv": write_edge_csv},
    ),
    "parquet": Format(
        "-nodes.parquet",
        "in Python: pandas.read_parquet('{file}'); edges name their ends by id",
        lambda _: {"-nodes.parquet": write_node_parquet, "-edges.parquet": write_edge_parquet},
    ),
}
