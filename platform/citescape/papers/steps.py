"""Steps of single papers and sources: remove them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from citescape.core.errors import ConfigError
from citescape.runs.context import Context
from citescape.runs.step import Setting, Step

if TYPE_CHECKING:
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
