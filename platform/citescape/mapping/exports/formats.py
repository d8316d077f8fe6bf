"""The formats there are."""

from __future__ import annotations

from collections.abc import Mapping

from citescape.mapping.exports.delimited import write_edges, write_nodes
from citescape.mapping.exports.gexf import find_undirected, write_gexf
from citescape.mapping.exports.graphml import write_graphml
from citescape.mapping.exports.pajek import pajek_parts
from citescape.mapping.exports.parts import Format, only
from citescape.mapping.exports.tables import write_edge_parquet, write_node_parquet
from citescape.mapping.exports.vosviewer import find_limits, write_json
from citescape.mapping.exports.vosviewer_text import text_parts

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
        text_parts,
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
        lambda _: {"-nodes.csv": write_nodes, "-edges.csv": write_edges},
    ),
    "parquet": Format(
        "-nodes.parquet",
        "in Python: pandas.read_parquet('{file}'); edges name their ends by id",
        lambda _: {"-nodes.parquet": write_node_parquet, "-edges.parquet": write_edge_parquet},
    ),
}
