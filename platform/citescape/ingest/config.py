"""How papers are ingested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from citescape.core.cores import usable_cores
from citescape.loaders.formats import FORMATS
from citescape.runs.step import Setting, Settings


@dataclass(frozen=True, kw_only=True)
class IngestConfig(Settings):
    """How papers are ingested."""

    workers: Annotated[int, Setting(least=1, default="one per core")] = usable_cores()
    """Processes that read papers."""
    format: Annotated[str, Setting(choices=FORMATS)] = "auto"
    """Format of the files; auto detects it by their content."""
    data_set: Annotated[str, Setting(flags=("--dataset",), metavar="NAME")] = ""
    """Name of the data set of tables: ids of its papers without DOI or PMID begin with it. By
    default the name of the file, aan for the ACL Anthology Network."""
    replace: bool = False
    """Let tables take the place of another file's of that name, or of more than twice as many
    papers, or come without the citations they had; what they lack is removed."""
    strict: bool = False
    """Stop at the first paper or row that cannot be read."""
    batch_papers: Annotated[int | None, Setting(least=1, expert=True)] = None
    """Full texts written in one transaction; by default what suits the store."""
    authors: Annotated[Callable[..., Any] | None, Setting(python=True)] = None
    """Function that disambiguates authors (`ingest.authors.AuthorResolver`); by default by
    neighbourhoods of shared co-authors."""
