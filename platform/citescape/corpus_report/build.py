"""Builds the report page of a corpus: numbers, losses, pictures, tables and their Cypher."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from citescape.core.config import quote_command
from citescape.core.errors import StoreError
from citescape.core.files import write_files
from citescape.corpus_report.pairs import read_examples, read_pairs
from citescape.corpus_report.questions import QUESTIONS
from citescape.corpus_report.sections import (
    show_examples,
    show_importance,
    show_losses,
    show_map,
    show_nearest,
    show_next,
    show_question,
    write_command,
)
from citescape.reports.content import DefinitionList, ReportContent, ReportSection, Verdict
from citescape.reports.page import write_page
from citescape.runs.context import Context
from citescape.runs.result import Result, Summary
from citescape.store.queries import query

_EXAMPLES = 10
_ORIGIN = "Made by platform report."


@dataclass(frozen=True)
class CorpusReport(Result):
    """The report page of a corpus."""

    path: Path
    shown: tuple[str, ...]
    """Titles of its sections."""
    missing: tuple[tuple[str, str], ...]
    """Title of each section without data, and the command that computes the data."""

    def summarise(self) -> Summary:
        """Path and sections of the page, and commands for missing sections."""
        figures = {
            "path": str(self.path),
            "shown": list(self.shown),
            "left_out": [{"part": part, "command": command} for part, command in self.missing],
        }
        lines = [f"{self.path}: {', '.join(self.shown)}"]
        return Summary(lines, figures, [(f"to add: {p.lower()}", c) for p, c in self.missing])

    def _repr_html_(self) -> str:
        page = escape(
            self.path.read_text(encoding="utf-8")
        )  # in a frame, so that its style does not affect the notebook
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 70vh; border: 0"></iframe>'


def is_report(path: Path) -> bool:
    """Whether a file is a page of `platform report`, by the sentence on its origin."""
    return path.is_file() and _ORIGIN.encode() in path.read_bytes()


def build_report(
    context: Context,
    out: Path,
    *,
    further: Sequence[ReportSection] = (),
    verdicts: Sequence[Verdict] = (),
    notes: Sequence[str] = (),
    origin: str = _ORIGIN,
    program: str = "platform",
) -> CorpusReport:
    """Writes the report page; an existing file is replaced.

    Args:
        context: store and runs.
        out: HTML file; its folder is created if missing.
        further: sections after those of the corpus.
        verdicts: statements at the top of the page.
        notes: lines below the verdicts.
        origin: sentence at the foot of the page.
        program: name of the command line, for the commands on the page.

    Raises:
        StoreError: the store has no citations.
        ConfigError: the file cannot be written.
    """
    store = context.store
    context.progress("reading citations")
    pairs = read_pairs(store)
    if not len(pairs):
        raise StoreError(
            f"{store.location} has no citations; load papers with "
            f"{quote_command('ingest PATH', store.location)}"
        )
    totals = store.read(query("explore/totals")).to_pylist()[0]
    examples = read_examples(store, pairs, range(min(_EXAMPLES, len(pairs))))
    parts: list[tuple[str, str, ReportSection | None]] = []  # title, command of its data, section
    for question in QUESTIONS:
        context.progress(question.title.lower())
        section = show_question(store, question, program)
        parts.append((question.title, question.missing, section))
    parts.append(("Map", "map", show_map(context, out.parent)))
    parts.append(("Nearest papers", "embed", show_nearest(context)))
    missing = [(title, command) for title, command, section in parts if section is None]
    sections = [show_losses(store, totals["occurrences"])]
    if pairs.importance.any():
        sections += [show_importance(context, pairs), show_examples(store, pairs, examples)]
    else:
        missing.insert(0, ("Where importance comes from", "score"))
    sections += [section for _, _, section in parts if section]
    shown = [section.title.lower() for section in sections]
    sections += [
        *further,
        show_next(store, program, examples[0], similar="nearest papers" in shown),
    ]
    if missing:
        commands = [
            (title, write_command(program, store.location, *words.split()))
            for title, words in missing
        ]
        listed = DefinitionList(commands, code=True)
        sections.append(ReportSection("missing", "Missing sections", [listed]))
    in_depth = float(((pairs.counts[:, 2] + pairs.counts[:, 3]) > 0).mean())
    report = ReportContent(
        kicker="citescape \N{MIDDLE DOT} report",
        title="Which citations matter",
        finding=f"Of {len(pairs):,} citations between {totals['papers']:,} works, {in_depth:.0%} "
        "have a mention in the results or the discussion of the citing paper.",
        about=f"Store: {store.location}",
        facts=[
            ("full texts read", f"{totals['fulltext_papers']:,}"),
            ("works, cited ones included", f"{totals['papers']:,}"),
            ("citations", f"{totals['citations']:,}"),
            ("in-text citations", f"{totals['occurrences']:,}"),
            ("authors, disambiguated", f"{totals['authors']:,}"),
            ("self-citations", f"{pairs.shared.mean():.1%}"),
        ],
        sections=sections,
        origin=origin,
        verdicts=verdicts,
        notes=notes,
    )
    text = write_page(report)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_files({out: lambda file: file.write(text.encode())})
    return CorpusReport(out, tuple(shown), tuple(missing))
