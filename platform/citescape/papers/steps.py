"""Steps: remove papers and sources; collections of papers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from citescape.core.errors import ConfigError
from citescape.runs.context import Context
from citescape.runs.step import Paths, Setting, Step, as_paths

if TYPE_CHECKING:
    from citescape.papers.collections import AddedCollection, CollectionList, RemovedCollection
    from citescape.papers.removal import Removed


@dataclass(frozen=True)
class Remove(Step["Removed"]):
    """Remove papers, or all that one source says, from the graph.

    PAPERS are ids in the store, DOIs, PMIDs or PMCIDs. A removed paper that others cite stays as a
    cited work. With --source, papers that other sources have too stay as these have them. The graph
    is then as if what was removed had never been loaded.

    Files of removed papers are read again by the next `platform ingest` that finds them.
    """

    writes = True
    examples = """
    platform remove 10.1371/journal.pone.0181712 PMC4532041
    platform remove --source openalex
    """

    papers: Annotated[tuple[str, ...], Setting(argument=True, metavar="[PAPERS...]")] = ()
    """Papers to remove."""
    source: Annotated[str, Setting(metavar="NAME")] = ""
    """Source to remove; `platform status` lists the sources."""

    def compute(self, context: Context) -> Removed:
        from citescape.papers.removal import remove_papers, remove_source

        if bool(self.papers) == bool(self.source):
            raise ConfigError("expected papers to remove, or one source with --source")
        if self.source:
            return remove_source(context.store, self.source, progress=context.progress)
        return remove_papers(context.store, self.papers, progress=context.progress)


@dataclass(frozen=True)
class AddCollection(Step["AddedCollection"]):
    """Add the papers that a bibliography lists to a collection.

    FILES are exports of Zotero, EndNote, Mendeley, JabRef and others: BibTeX (.bib), RIS (.ris),
    CSL-JSON or Zotero's JSON (.json), or tables with a column DOI or Title. An entry is found by
    DOI, PMID, PMCID, or by its title, year and first author, as `platform check` does. Keywords of
    an entry become tags of the paper in the collection.

    A collection adds no papers and citations to the graph: entries that the graph does not have
    are listed. --save FILE writes a row for each entry. The same files again change nothing; other
    files add papers to the collection.

    Exit status 1 if no entry is found; then nothing is written.
    """

    writes = True
    examples = """
    platform collection add thesis zotero.bib
    platform collection add review included.ris --save entries.csv
    """

    name: Annotated[str, Setting(argument=True, metavar="NAME")]
    """Name of the collection."""
    files: Annotated[Paths, Setting(argument=True, metavar="FILES...")]
    """Files with entries."""

    def compute(self, context: Context) -> AddedCollection:
        from citescape.papers.collections import add_collection

        files = as_paths(self.files)
        return add_collection(context.store, self.name, files, progress=context.progress)


@dataclass(frozen=True)
class ListCollections(Step["CollectionList"]):
    """List the collections of the graph, with the number of their papers."""

    def compute(self, context: Context) -> CollectionList:
        from citescape.papers.collections import list_collections

        return list_collections(context.store)


@dataclass(frozen=True)
class RemoveCollection(Step["RemovedCollection"]):
    """Remove a collection; its papers stay in the graph."""

    writes = True
    examples = "platform collection remove thesis"

    name: Annotated[str, Setting(argument=True, metavar="NAME")]
    """Name of the collection."""

    def compute(self, context: Context) -> RemovedCollection:
        from citescape.papers.collections import remove_collection

        return remove_collection(context.store, self.name)
