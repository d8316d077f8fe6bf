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
    """Write a report page on your corpus.

    The page shows citations read and lost, the works of highest importance and their sections,
    self-citation by year, venue and author, citation intents, topics, and a map. Each table shows
    its Cypher. Sections without data are listed with the command that computes the data. The page
    is one self-contained HTML file.
    """

    examples = """
    platform report
    platform report --out crops.html
    """
    out: Annotated[Path, Setting(metavar="FILE")] = Path("report.html")
    """HTML file to write; an existing page of `platform report` is replaced."""
    force: bool = False
    """Replace any existing file."""

    def compute(self, context: Context) -> CorpusReport:
        from citescape.core.files import check_absent, check_folder
        from citescape.corpus_report.build import build_report, is_report

        check_folder(self.out)
        if not (self.force or is_report(self.out)):
            check_absent([self.out])
        return build_report(context, self.out)
