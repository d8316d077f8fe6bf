"""Step: write a network, its communities and its map as files for other tools."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from citescape.core.errors import ConfigError
from citescape.mapping.exports.config import ExportConfig
from citescape.runs.context import Context
from citescape.runs.step import RunName, Setting

if TYPE_CHECKING:
    from citescape.mapping.exports.export import ExportedBibliography, ExportedNetwork

BIBLIOGRAPHIES = ("bibtex", "ris")
"""Formats of papers, not of networks."""
FormatName = Literal[
    "vosviewer",
    "vosviewer-txt",
    "gexf",
    "graphml",
    "pajek",
    "csv",
    "parquet",
    "bibtex",
    "ris",
]
"""Keys of `formats.FORMATS` and of `papers.bibliography.BIBLIOGRAPHIES`."""


@dataclass(frozen=True)
class Export(ExportConfig):
    """Write a network, its communities and its map as files for other tools.

    \b
    FORMAT         used by
      vosviewer      VOSviewer, also in a browser: one JSON file
      vosviewer-txt  VOSviewer: a map file and a network file, text with tabs
      gexf           Gephi: places, sizes and colours are set
      graphml        igraph (Python, R), networkx, Cytoscape, yEd
      pajek          Pajek: network, partitions (.clu), vectors (.vec)
      csv            spreadsheets, data frames: nodes and edges
      parquet        the same, smaller, with types
      bibtex         LaTeX: the papers as entries of a bibliography
      ris            Zotero, EndNote, Mendeley: the same

    Papers have title, authors, year, venue, DOI, citations and importance received, contexts by
    intent, communities at every level and their place on the map, if known. Edges have weights;
    edges that are citations also have importance and contexts.
    """  # noqa: D301 - \b is the character that keeps click from wrapping

    examples = """
        platform export gexf -o crops.gexf
        platform export vosviewer --network coupling --linked --largest 1000 -o crops.json
        platform export graphml --of topics -o topics.graphml
        platform export bibtex --paper 10.1038/ng.352 --paper PMC6356303 -o refs.bib
        platform export ris --largest 100 -o classics.ris
    """
    form: Annotated[FormatName, Setting(argument=True, metavar="FORMAT")]
    """Format of the files."""
    out: Annotated[str | Path, Setting(flags=("-o", "--out"), metavar="FILE")]
    """File to write; formats of several files add a suffix to its name."""
    network: Annotated[
        RunName,
        Setting(metavar="RUN|KIND", default="the one that was clustered, else the latest"),
    ] = ""
    """Network: a run, or a kind for its latest network."""
    clustering: Annotated[
        RunName,
        Setting(
            metavar="RUN|none",
            default="that of the given topics or map, else of the network, else in the graph",
        ),
    ] = ""
    """Run of `platform cluster`."""
    topics: Annotated[
        RunName, Setting(metavar="RUN|none", default="the latest of the clustering")
    ] = ""
    """Run of `platform topics`, for labels."""
    map: Annotated[
        RunName,
        Setting(metavar="RUN|none", default="the latest of the clustering, else the latest"),
    ] = ""
    """Run of `platform map`, for places."""
    paper: Annotated[tuple[str, ...], Setting(metavar="ID")] = ()
    """Paper of a bibliography (bibtex, ris), instead of the papers of a network."""
    ids: Annotated[Path | None, Setting(metavar="FILE")] = None
    """File with one id per line: papers of a bibliography (bibtex, ris)."""
    force: bool = False
    """Replace existing files."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.paper or self.ids) and self.form not in BIBLIOGRAPHIES:
            expected = " or ".join(BIBLIOGRAPHIES)
            raise ConfigError(
                f"--paper and --ids apply to {expected}; {self.form} exports a network"
            )
        if self.form in BIBLIOGRAPHIES and self.of != "papers":
            raise ConfigError(f"{self.form} exports papers; omit --of {self.of}")

    def compute(self, context: Context) -> ExportedNetwork | ExportedBibliography:
        from citescape.mapping.exports.export import ExportedBibliography, export, gather
        from citescape.mapping.exports.sources import RunNames
        from citescape.papers.bibliography import find_named, write_bibliography
        from citescape.papers.entries import read_entries

        named = RunNames(*map(str, (self.network, self.clustering, self.topics, self.map)))
        out, network = Path(self.out), ""
        if self.form not in BIBLIOGRAPHIES:
            return export(
                context.store,
                self.form,
                out,
                config=self,
                named=named,
                runs=context.runs,
                force=self.force,
                progress=context.progress,
            )
        ids = find_named(context.store, self.paper, Path(self.ids) if self.ids else None)
        if not ids:
            content = gather(
                context.store, self, named=named, runs=context.runs, progress=context.progress
            )
            ids, network = content.network.ids.to_pylist(), content.about["network"]
        entries = read_entries(context.store, ids)
        path = write_bibliography(entries, self.form, out, force=self.force)
        return ExportedBibliography(self.form, {path: path.stat().st_size}, len(entries), network)
