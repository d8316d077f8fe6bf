"""The formats there are."""

from __future__ import annotations

from collections.abc import Mapping

from citescape.exports.delimited import write_edges, write_nodes
from citescape.exports.gexf import write_gexf
from citescape.exports.graphml import write_graphml
from citescape.exports.pajek import pajek_parts
from citescape.exports.parts import Format, only
from citescape.exports.tables import write_edge_parquet, write_node_parquet
from citescape.exports.vosviewer import write_json
from citescape.exports.vosviewer_text import text_parts

FORMATS: Mapping[str, Format] = {
    "vosviewer": Format(
        ".json",
        "VOSviewer, also in a browser",
        "in VOSviewer: Open, VOSviewer JSON file, {file}; or in a browser at "
        "https://app.vosviewer.com",
        only(".json", write_json),
    ),
    "vosviewer-txt": Format(
        "-map.txt",
        "VOSviewer's map and network files, which any spreadsheet can edit",
        "in VOSviewer: Open, VOSviewer map file, {file}, and the network file beside it",
        text_parts,
    ),
    "gexf": Format(
        ".gexf",
        "Gephi: places, sizes and colours are set",
        "in Gephi: File, Open, {file}",
        only(".gexf", write_gexf),
    ),
    "graphml": Format(
        ".graphml",
        "igraph (Python, R), networkx, Cytoscape, yEd",
        "in Python: networkx.read_graphml('{file}'); in R: igraph::read_graph('{file}', 'graphml')",
        only(".graphml", write_graphml),
    ),
    "pajek": Format(
        ".net",
        "Pajek: network, partitions (.clu), vectors (.vec)",
        "in Pajek: File, Network, Read, {file}; .clu under Partition, .vec under Vector",
        pajek_parts,
    ),
    "csv": Format(
        "-nodes.csv",
        "spreadsheets, data frames: a file of nodes and one of edges",
        "in Python: pandas.read_csv('{file}'); edges name their ends by id",
        lambda _: {"-nodes.csv": write_nodes, "-edges.csv": write_edges},
    ),
    "parquet": Format(
        "-nodes.parquet",
        "the same in Parquet: smaller, faster, with types",
        "in Python: pandas.read_parquet('{file}'); edges name their ends by id",
        lambda _: {"-nodes.parquet": write_node_parquet, "-edges.parquet": write_edge_parquet},
    ),
}
