"""Steps of the store: ingest papers, show its content, check the machine and the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from citescape.core.errors import ConfigError
from citescape.ingest.config import IngestConfig
from citescape.runs.context import Context
from citescape.runs.step import LOCAL, ClusterAddress, Paths, Setting, Step, as_paths

if TYPE_CHECKING:
    from citescape.ingest.doctor import Diagnosis
    from citescape.ingest.ingest import IngestResult
    from citescape.ingest.overview import Overview


@dataclass(frozen=True)
class Ingest(IngestConfig, Step["IngestResult"]):
    """Load papers and their citations into the graph.

    PATHS are files, folders or archives (.tar.gz, .tar.xz, .zip) of full texts (JATS, TEI, S2ORC,
    unarXive), records (PubMed, Crossref, OpenAlex, Semantic Scholar), and exports of Scopus (CSV)
    and Web of Science (plain text or tab-delimited), recognised by their content. Papers that are
    loaded already are skipped, corrected ones replaced, further files of a paper counted as copies,
    and records of several sources joined; after an interruption, run the same command again. Papers
    and rows of tables that cannot be read are listed and skipped.

    Or PATHS are tables: a CSV of papers (columns id, title; perhaps abstract, year, date, venue,
    authors, doi, pmid, keywords; several authors or keywords separated by ;) and one of citations
    (columns citing, cited), or the ACL Anthology Network's acl-metadata.txt and acl.txt; also a
    folder with both. Give all tables of a data set together: papers and citations of an earlier
    version that they lack are removed. If these are papers of another file, most papers, or all
    citations, nothing is loaded without --replace. No paper is removed if any row is rejected.

    Or a table of retractions and corrections, with the column names of Retraction Watch
    (OriginalPaperDOI, RetractionNature, and perhaps RetractionDOI, RetractionDate, Reason); it
    replaces an earlier one with the same file name.

    --shards FOLDER writes the graph into a folder instead of a store, for more papers than one
    machine takes: Parquet files with the tables of the graph, made by tasks on the cores of this
    machine or on a Ray cluster (--cluster). FOLDER then holds the graph of PATHS alone; what was
    read before and is unchanged is not read again. `platform score --shards` scores it, `platform
    load` loads it, or the part that you want to look at, into a store.

    --save FILE writes a row for each document: citations found, loaded, and lost with the reason.
    --report FILE writes a page on the quality of the data: documents by outcome, papers by source,
    missing fields, references without a known work, lost citations, and sources that disagree.

    Exit status: 0 if any paper is loaded, now or before; 1 if not, if an archive or a compressed
    table is cut off, an archive or folder cannot be read, or --strict stopped at a paper or row.
    """

    creates_store = True
    examples = """
    platform ingest papers/
    platform ingest PMC_bulk.tar.gz --save losses.csv
    platform ingest papers/ openalex.jsonl --report quality.html
    platform ingest tei/ works.parquet pubmed26n0001.xml.gz
    platform ingest papers/ --store bolt://localhost:7687
    platform ingest papers.csv citations.csv.gz --dataset physics
    platform ingest papers.csv citations.csv.gz --dataset physics --replace
    platform ingest aan/release/2014 --store aan.lbug
    platform ingest savedrecs.txt scopus.csv
    platform ingest retraction_watch.csv
    platform ingest pmc/*.tar.gz --shards pmc-shards
    platform ingest /data/pmc --shards s3://bucket/pmc --cluster 10.0.0.1:6379
    """
    paths: Annotated[Paths, Setting(argument=True, metavar="PATHS...")]
    """Files, folders or archives to load."""
    neo4j_import: Annotated[Path | None, Setting(metavar="FOLDER")] = None
    """Instead of loading, write files for neo4j-admin's offline import into this folder and print
    its command; the fastest way to fill an empty Neo4j."""
    report: Annotated[Path | None, Setting(metavar="FILE")] = None
    """Write a page on the quality of the loaded data into this HTML file; an earlier quality report
    is replaced."""
    shards: Annotated[str, Setting(metavar="FOLDER")] = ""
    """Instead of loading, write the graph into this folder as Parquet files; also an address that
    fsspec understands, such as s3://bucket/folder."""
    cluster: ClusterAddress = LOCAL
    """Where shards are made: on this machine, or on a Ray cluster whose machines see PATHS and the
    folder; auto finds the one that runs on this machine."""

    def compute(self, context: Context) -> IngestResult:
        from citescape.ingest.load import load
        from citescape.ingest.neo4j_import import prepare_import
        from citescape.ingest.quality.page import check_report, report_ingest
        from citescape.loaders.datasets import find_sources
        from citescape.loaders.sources import check_exists

        paths = as_paths(self.paths)
        for path in paths:
            check_exists(path)
        find_sources(paths, format_=self.format, name=self.data_set or None)
        if self.report is not None:
            check_report(self.report)
        if self.shards:
            return self._write_shards(context, paths)
        if self.cluster != LOCAL:
            raise ConfigError("cluster makes shards; expected it together with shards")
        if self.neo4j_import is None:
            result = load(context, paths, self)
            if self.report is None:
                return result
            return report_ingest(context, result, self.report, paths=paths)
        if self.report is not None:
            raise ConfigError(
                "neo4j_import does not load a store, which the report is about; leave out one of "
                "the two, and run `platform status --report` after the import"
            )
        if context.named:
            raise ConfigError(
                "neo4j_import writes files and does not load a store; leave out one of the two"
            )
        return prepare_import(
            paths, self.neo4j_import, config=self, progress=lambda p: context.progress(str(p))
        )

    def _write_shards(self, context: Context, paths: Sequence[Path]) -> IngestResult:
        from citescape.distributed.cluster import open_cluster
        from citescape.distributed.storage import Storage
        from citescape.ingest.shards.ingest import ingest_shards

        given = {"neo4j_import": self.neo4j_import, "report": self.report, "store": context.named}
        if also := [name for name, value in given.items() if value]:
            raise ConfigError(
                f"shards writes the graph into a folder; expected it without {', '.join(also)}: "
                "`platform load` fills a store from it, or writes import files"
            )
        with open_cluster(self.cluster, workers=self.workers) as cluster:
            return ingest_shards(
                Storage(self.shards), cluster, paths, self, progress=context.progress
            )


@dataclass(frozen=True)
class Status(Step["Overview"]):
    """Show the content of the store: nodes, relationships, runs, and pending work."""

    examples = """
    platform status
    platform status --sources
    platform status --report quality.html
    """
    sources: bool = False
    """List the sources of papers, also if there is only one."""
    report: Annotated[Path | None, Setting(metavar="FILE")] = None
    """Write a page on the quality of the data into this HTML file: papers by source, missing
    fields, references without a known work, lost citations, and sources that disagree. An earlier
    quality report is replaced."""

    def compute(self, context: Context) -> Overview:
        from dataclasses import replace

        from citescape.ingest.overview import describe_disk, read_overview
        from citescape.ingest.quality.page import check_report, report_store
        from citescape.runs.directory import list_runs, list_unfinished

        if self.report is not None:
            check_report(self.report)
        found = read_overview(context.store)
        list_runs(
            context.runs, ""
        )  # warns of damaged runs; the overview lists only runs in the graph
        found = replace(
            found,
            unfinished=tuple(list_unfinished(context.runs)),
            low_disk=describe_disk(context.location),
            show_sources=self.sources,
        )
        return found if self.report is None else report_store(context, found, self.report)


@dataclass(frozen=True)
class Doctor(Step["Diagnosis"]):
    """Check this machine, the installation and the store, with advice for each problem.

    With --migrate, a store of an earlier schema version is first upgraded to that of this release:
    new tables and properties are added, and sources of papers are named; other data of the store is
    not changed. An interrupted upgrade is completed by the same command. Exit status 1 if something
    is broken.
    """

    migrate: bool = False
    """Upgrade the store to the schema version of this release."""

    def compute(self, context: Context) -> Diagnosis:
        from citescape.ingest.doctor import diagnose

        return diagnose(context, migrate=self.migrate)
