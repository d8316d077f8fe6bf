"""Step: report on a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from citescape.runs.context import Context
from citescape.runs.step import Setting, Step

if TYPE_CHECKING:
    from citescape.corpus_report.build import CorpusReport


@dataclass(frozen=True)
class Report(Step["CorpusReport"]):
    """Make one page about your corpus, to read and to send.

    What was read and what was lost, which works matter and in which sections, self-citation by
    year, venue and author, what citations are for, topics, and a map. Each table shows the Cypher
    that gives it. Parts without data are left out and named with the command that makes them. The
    page is one HTML file that needs nothing else.
    """

    examples = """
    platform report
    platform report --out crops.html
    """
    out: Annotated[Path, Setting(metavar="FILE")] = Path("report.html")
    """HTML file to write; an earlier page of `platform report` is replaced."""
    force: bool = False
    """Replace any other file of that name too."""

    def compute(self, context: Context) -> CorpusReport:
        from citescape.core.files import check_absent, check_folder
        from citescape.corpus_report.build import build_report, is_report

        check_folder(self.out)
        if not (self.force or is_report(self.out)):
            check_absent([self.out])
        return build_report(context, self.out)
