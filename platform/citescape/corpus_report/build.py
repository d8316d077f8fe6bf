"""Builds the page about a corpus: figures, losses, pictures, tables, and the Cypher of each."""

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
from citescape.reports.content import Report, Section, Terms, Verdict
from citescape.reports.page import write_page
from citescape.runs.context import Context
from citescape.runs.result import Result, Summary
from citescape.store.queries import query

_EXAMPLES = 10
_ORIGIN = "Made by platform report."


@dataclass(frozen=True)
class CorpusReport(Result):
    """A page about a corpus."""

    path: Path
    shown: tuple[str, ...]
    """Titles of the parts it has."""
    left_out: tuple[tuple[str, str], ...]
    """Titles of parts without data, and the command that makes them."""

    def summarise(self) -> Summary:
        """Where the page is, and what would make it complete."""
        figures = {
            "path": str(self.path),
            "shown": list(self.shown),
            "left_out": [{"part": part, "command": command} for part, command in self.left_out],
        }
        lines = [f"{self.path}: {', '.join(self.shown)}"]
        return Summary(lines, figures, [(f"to add: {p.lower()}", c) for p, c in self.left_out])

    def _repr_html_(self) -> str:
        page = escape(self.path.read_text(encoding="utf-8"))  # in a frame, with a style of its own
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 70vh; border: 0"></iframe>'


def is_report(path: Path) -> bool:
    """Whether a file is a page of `platform report`: it has the sentence on its origin."""
    return path.is_file() and _ORIGIN.encode() in path.read_bytes()


def build_report(
    context: Context,
    out: Path,
    *,
    further: Sequence[Section] = (),
    verdicts: Sequence[Verdict] = (),
    notes: Sequence[str] = (),
    origin: str = _ORIGIN,
    program: str = "platform",
) -> CorpusReport:
    """Writes the page; an existing file is replaced.

    Args:
        context: the store and the runs, with the latest map.
        out: the HTML file; its folder is created if it does not exist.
        further: sections after those of the corpus.
        verdicts: lines at the top, each with whether it holds.
        notes: lines below them.
        origin: one sentence at the foot of the page.
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
    parts: list[tuple[str, str, Section | None]] = []  # title, command that makes it, section
    for question in QUESTIONS:
        context.progress(question.title.lower())
        section = show_question(store, question, program)
        parts.append((question.title, question.missing, section))
    parts.append(("Map", "map", show_map(context, out.parent)))
    parts.append(("Near papers", "embed", show_nearest(context)))
    left_out = [(title, command) for title, command, section in parts if section is None]
    sections = [show_losses(store, totals["occurrences"])]
    if pairs.importance.any():
        sections += [show_importance(context, pairs), show_examples(store, pairs, examples)]
    else:
        left_out.insert(0, ("Where importance comes from", "score"))
    sections += [section for _, _, section in parts if section]
    shown = [section.title.lower() for section in sections]
    sections += [*further, show_next(store, program, examples[0], similar="near papers" in shown)]
    if left_out:
        commands = [
            (part, write_command(program, store.location, *words.split()))
            for part, words in left_out
        ]
        missing = Terms(commands, code=True)
        sections.append(Section("missing", "What is missing here", [missing]))
    in_depth = float(((pairs.counts[:, 2] + pairs.counts[:, 3]) > 0).mean())
    report = Report(
        kicker="citescape \N{MIDDLE DOT} report",
        title="Which citations matter",
        finding=f"Of {len(pairs):,} citations between {totals['papers']:,} works, {in_depth:.0%} "
        "come back in the results or the discussion of the citing paper. This page shows which, "
        "and why.",
        about=f"Store: {store.location}",
        facts=[
            ("full texts read", f"{totals['fulltext_papers']:,}"),
            ("works, cited ones included", f"{totals['papers']:,}"),
            ("citations", f"{totals['citations']:,}"),
            ("in-text citations", f"{totals['occurrences']:,}"),
            ("authors told apart", f"{totals['authors']:,}"),
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
    return CorpusReport(out, tuple(shown), tuple(left_out))
