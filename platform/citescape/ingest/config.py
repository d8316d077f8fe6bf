"""Settings of an ingest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from citescape.core.paper_types import ALL
from citescape.loaders.formats import FORMATS
from citescape.runs.step import PaperTypes, Setting, Settings


@dataclass(frozen=True, kw_only=True)
class IngestConfig(Settings):
    """Settings of an ingest."""

    workers: Annotated[int | None, Setting(least=1, default="one per core")] = None
    """Processes that read papers. By default the first 10 MB are read before other processes
    start: for few papers, starting takes longer than reading."""
    format: Annotated[str, Setting(choices=FORMATS)] = "auto"
    """Format of the files; auto detects it by their content."""
    data_set: Annotated[str, Setting(flags=("--dataset",), metavar="NAME")] = ""
    """Name of the data set of tables: ids of its papers without DOI or PMID begin with it. By
    default the name of the file, aan for the ACL Anthology Network."""
    source: Annotated[str, Setting(metavar="NAME")] = ""
    """Name of the source of full texts and records, such as `pmc`: what a source says of a paper is
    replaced when the source is loaded again. By default the name of the format."""
    types: PaperTypes = (ALL,)
    """Types of papers to load, as the files state them (`research-article`), or groups of types;
    papers of other types are counted and skipped."""
    replace: bool = False
    """Allow tables to replace those of another file with the same name, or with more than twice as
    many papers, or those with citations by those without; papers and citations that are missing now
    are removed."""
    strict: bool = False
    """Stop at the first paper or row that cannot be read."""
    batch_papers: Annotated[int | None, Setting(least=1, expert=True)] = None
    """Largest number of papers in one transaction; the default depends on the store."""
    authors: Annotated[Callable[..., Any] | None, Setting(python=True)] = None
    """Function that disambiguates authors (`ingest.authors.AuthorResolver`); by default
    `neighbourhood_authors`."""
