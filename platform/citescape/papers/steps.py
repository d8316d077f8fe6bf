"""Steps: load shards; remove papers and sources; collections of papers; what is one work."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from citescape.core.errors import ConfigError
from citescape.papers.loading.config import SliceConfig
from citescape.runs.context import Context
from citescape.runs.step import Paths, Setting, Step, as_paths

if TYPE_CHECKING:
    from citescape.papers.collections import AddedCollection, CollectionList, RemovedCollection
    from citescape.papers.identity import Decided, DecisionList, WorkIdentity
    from citescape.papers.loading.load import LoadResult
    from citescape.papers.removal import Removed


@dataclass(frozen=True)
class Load(SliceConfig, Step["LoadResult"]):
    """Load a graph of shards, or a slice of it, into the store.

    DIR is the folder of a graph that `platform ingest --shards` has written, or its address in an
    object store (s3://bucket/folder). The shards hold everything; the store has what you look at,
    query and map. With several settings a slice has the papers that fulfil all of them.

    Chosen papers have all that is theirs: text, in-text citations, reference lists, terms. Works
    that they cite are there as cited works, also if the shards have their text. Scores and vectors
    beside the shards are loaded too. `corpus.arrow(TABLE)` reads all rows of the shards in Python.

    The store must be new or empty. It has all of the graph or slice, or nothing: an interrupted
    load into a file leaves no papers, and into a server is completed by the same command. A later
    `platform ingest` adds papers to the store, not to the shards.
    """

    creates_store = True
    examples = """
    platform load shards/ --store corpus.lbug
    platform load shards/ --where "year >= 2015 and type = 'research-article'"
    platform load shards/ --around 10.1038/ng.3825 --hops 2 --store near.lbug
    platform load shards/ --listed review.ris --store review.lbug
    platform load s3://bucket/shards --store bolt://localhost:7687
    platform load shards/ --neo4j-import import-files
    """

    shards: Annotated[str | PathLike[str], Setting(argument=True, metavar="DIR")]
    """Folder of the graph of shards."""
    neo4j_import: Annotated[Path | None, Setting(metavar="FOLDER")] = None
    """Instead of loading, write files for neo4j-admin's offline import into this folder and print
    its command; the fastest way to fill an empty Neo4j."""

    def compute(self, context: Context) -> LoadResult:
        from citescape.papers.loading.load import load_shards

        if self.neo4j_import is not None and context.named:
            raise ConfigError(
                "neo4j_import writes files and does not load a store; leave out one of the two"
            )
        return load_shards(context, fspath(self.shards), self, import_folder=self.neo4j_import)


@dataclass(frozen=True)
class Remove(Step["Removed"]):
    """Remove papers, all that one source says, or a table of notices from the graph.

    PAPERS are ids in the store, DOIs, PMIDs or PMCIDs. A removed paper that others cite stays as a
    cited work. With --source, papers that other sources have too stay as these have them. The graph
    is then as if what was removed had never been loaded.

    Files of removed papers are read again by the next `platform ingest` that finds them.
    """

    writes = True
    examples = """
    platform remove 10.1371/journal.pone.0181712 PMC4532041
    platform remove --source openalex
    platform remove --source retraction_watch.csv
    """

    papers: Annotated[tuple[str, ...], Setting(argument=True, metavar="[PAPERS...]")] = ()
    """Papers to remove."""
    source: Annotated[str, Setting(metavar="NAME")] = ""
    """Source to remove, or file of notices; `platform status --sources` lists them."""

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


@dataclass(frozen=True)
class ShowIdentity(Step["WorkIdentity"]):
    """Show which records and entries of reference lists are one work, and why.

    PAPER is an id in the store, a DOI, PMID or PMCID. A name is the most trusted id that an entry
    prints, else the key of its title, year and first author; `platform identity split` and `join`
    take names.
    """

    examples = "platform identity show 10.1111/j.1558-5646.1985.tb00420.x"

    paper: Annotated[str, Setting(argument=True, metavar="PAPER")]
    """The work."""

    def compute(self, context: Context) -> WorkIdentity:
        from citescape.papers.identity import show_identity

        return show_identity(context.store, self.paper)


@dataclass(frozen=True)
class ListDecisions(Step["DecisionList"]):
    """List the decisions on what is one work."""

    def compute(self, context: Context) -> DecisionList:
        from citescape.papers.identity import list_decisions

        return list_decisions(context.store)


@dataclass(frozen=True)
class _Decision(Step["Decided"]):
    """A decision on two names."""

    writes = True

    first: Annotated[str, Setting(argument=True, metavar="NAME")]
    """A name that `platform identity show` lists: an id such as 10.1/x, or the key of a title."""
    second: Annotated[str, Setting(argument=True, metavar="NAME")]
    """The other name."""


@dataclass(frozen=True)
class SplitIdentity(_Decision):
    """Keep two names apart that were matched to one work.

    Entries and records with the second name become a work of their own, or those with the first if
    the work has the second name. The decision lasts when papers are loaded again;
    `platform identity undo` ends it.
    """

    examples = "platform identity split 10.1/x pmid:123"

    def compute(self, context: Context) -> Decided:
        from citescape.papers.identity import split_works

        return split_works(context.store, self.first, self.second, progress=context.progress)


@dataclass(frozen=True)
class JoinIdentity(_Decision):
    """Join the works of two names.

    Two loaded papers are joined as records of one paper if they come from different sources. The
    decision lasts when papers are loaded again; `platform identity undo` ends it.
    """

    examples = "platform identity join 10.1111/j.1558-5646.1985.tb00420.x 10.2307/2408678"

    def compute(self, context: Context) -> Decided:
        from citescape.papers.identity import join_works

        return join_works(context.store, self.first, self.second, progress=context.progress)


@dataclass(frozen=True)
class UndoIdentity(_Decision):
    """Undo a decision on two names; their works are matched as if it had never been made."""

    examples = "platform identity undo 10.1/x pmid:123"

    def compute(self, context: Context) -> Decided:
        from citescape.papers.identity import undo_decision

        return undo_decision(context.store, self.first, self.second, progress=context.progress)
