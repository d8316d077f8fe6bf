"""Step: list runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from citescape.runs.context import Context
from citescape.runs.step import Setting, Step

if TYPE_CHECKING:
    from citescape.runs.listing import RunList


@dataclass(frozen=True)
class Runs(Step["RunList"]):
    """List the stored runs with their settings; the latest last.

    Lists all runs, or those of one COMMAND. Each has a folder with its results and run.json:
    settings, hashes of the inputs, versions, figures, times. Commands accept these ids as RUN.
    `platform status` marks the runs whose results are in the graph.
    """

    examples = """
    platform runs
    platform runs network
    platform runs cluster --json
    """
    command: Annotated[str, Setting(argument=True)] = ""
    """Command whose runs are listed; all if empty."""

    def compute(self, context: Context) -> RunList:
        from citescape.runs.listing import list_kept_runs

        return list_kept_runs(context.runs, self.command)
