"""`platform ingest`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.options import command_line, output_options, store_option
from citescape.cli.output import echo_json, echo_table, number
from citescape.core.config import is_address, make_store_folder
from citescape.core.cores import usable_cores
from citescape.core.errors import CitescapeError, ConfigError, StoreError, list_some
from citescape.core.outputs import forget_outputs
from citescape.core.progress import Ticker, ticking
from citescape.core.terminal import echo
from citescape.loaders.formats import FORMATS
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.ingest.ingest import IngestConfig, IngestProgress, IngestResult
    from citescape.store.graph_store import GraphStore

_SHOWN = 20
"""Rejected documents that are named; more go into the report only."""
_NOTED = {
    "missing": ("cell", "that a table fills with NaN, NULL or the like: read as empty"),
    "no-title": ("paper", "without title"),
    "bad-year": ("paper", "with a year or date that cannot be read"),
}
"""Notes of rows of tables that are told -> of what they are, and what is odd about it."""


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=usable_cores,
    show_default="one a core",
    help="Processes that read papers.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="auto",
    show_default=True,
    help="What the files are; auto looks into them.",
)
@click.option(
    "--dataset",
    metavar="NAME",
    help="Name of a data set of tables: ids of its papers without DOI or PMID begin with it. "
    "By default that of the file, aan for the ACL Anthology Network.",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Let tables take the place of another file's of that name, or of more than twice as many "
    "papers, or come without the citations they had; what they lack is removed.",
)
@click.option("--strict", is_flag=True, help="Stop at the first paper or row that cannot be read.")
@click.option(
    "--report",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write a CSV with a row for each document: citations found, loaded, lost and why.",
)
@click.option(
    "--neo4j-import",
    "neo4j_import",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Instead of loading, write files for neo4j-admin's offline import there and print its "
    "command; the fastest way to fill an empty Neo4j.",
)
@store_option
@output_options
def ingest(
    paths: tuple[Path, ...],
    workers: int,
    format_: str,
    dataset: str | None,
    replace: bool,
    strict: bool,
    report: Path | None,
    neo4j_import: Path | None,
    store: str,
    as_json: bool,
) -> None:
    """Load papers and their citations into the graph.

    PATHS are JATS full texts (as PMC, Europe PMC and most publishers offer them): XML files,
    folders, or archives (.tar.gz, .tar.xz, .zip). Papers that are loaded already are skipped,
    corrected ones replaced, further files of a paper counted as copies; interrupted, run it again
    to go on. Papers that cannot be read are named and left out, rows of tables likewise.

    Or PATHS are tables: a CSV of papers (columns id, title; perhaps abstract, year, date, venue,
    authors, doi, pmid, keywords; several authors or keywords with ; between) and one of citations
    (columns citing, cited), or the ACL Anthology Network's acl-metadata.txt and acl.txt; also a
    folder with both. Give them together: they are what the data set is, and what an earlier state
    of them had besides goes. If that is papers of another file, most of them, or all citations,
    nothing is loaded without --replace; while any row is rejected, no paper goes.

    Exit status: 0 if any paper is loaded, now or before; 1 if none is, an archive or a compressed
    table broke off, an archive or folder cannot be read, or --strict stopped at a paper or row.

    \b
    Examples:
      platform ingest papers/
      platform ingest PMC_bulk.tar.gz --report losses.csv
      platform ingest papers/ --store bolt://localhost:7687
      platform ingest papers.csv citations.csv.gz --dataset physics
      platform ingest papers.csv citations.csv.gz --dataset physics --replace
      platform ingest aan/release/2014 --store aan.lbug
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.ingest.ingest import IngestConfig
    from citescape.loaders.datasets import find_sources
    from citescape.loaders.sources import check_exists

    for path in paths:
        check_exists(path)
    find_sources(paths, format_=format_, name=dataset)  # refuses, before there is a store
    if report is not None:
        _check_folder(report)
    config = IngestConfig(workers, strict=strict, format=format_, data_set=dataset, replace=replace)
    if neo4j_import is None:
        done = _load(paths, store, config)
    else:
        _refuse_store()
        done = _prepare_import(paths, neo4j_import, config)
    result = done.result
    if report is not None:
        _write_report(result, report)
    for remark in (_print_rejected, _print_passed_over, _print_citations, _print_notes):
        remark(result)
    _stop_if_useless(result)
    if as_json:
        echo_json({**figures(result), **done.made})
    else:
        _print(result, done.place)
        if done.next_lines:
            echo("", *done.next_lines)
    if result.damage is not None:
        raise result.damage


@dataclass(frozen=True)
class _Done:
    """What was found in the papers, and what the command says beside it."""

    result: IngestResult
    place: str
    """What holds it now."""
    next_lines: tuple[str, ...]
    """What to do next; empty if nothing is left to do."""
    made: dict[str, str] = field(default_factory=dict)
    """Figures for `--json` beside those of the papers."""


def _load(paths: tuple[Path, ...], store: str, config: IngestConfig) -> _Done:
    from citescape.ingest.ingest import ingest as load
    from citescape.ingest.overview import needs_scores

    with _opened(store) as graph:
        with ticking() as ticker:
            result = load(graph, paths, config, progress=lambda p: _tell(ticker, p))
        unscored = needs_scores(graph)
    without_texts = result.citations and not result.occurrences
    next_ = "score" if unscored else "network build citation" if without_texts else ""
    next_lines = (f"next: {command_line(next_, store)}",) if next_ else ()
    return _Done(result, f"{store} now holds:", next_lines)


@contextmanager
def _opened(store: str) -> Iterator[GraphStore]:
    """The store to fill. A new one that gets no paper, as none can be read, is not left behind.

    One that a fault of its own cut off stays: a rerun goes on from it.
    """
    from citescape.store.graph_store import open_store

    is_new = not is_address(store) and not Path(store).exists()
    make_store_folder(store)
    graph = open_store(store)
    useless = False
    try:
        yield graph
        useless = is_new and _is_empty(graph)
    except CitescapeError as error:
        useless = is_new and not isinstance(error, StoreError) and _is_empty(graph)
        raise
    finally:
        graph.close()
        if useless:
            with suppress(OSError):  # would hide why there is no paper
                Path(store).unlink()
            forget_outputs(Path(store))


def _is_empty(graph: GraphStore) -> bool:
    return not graph.read("MATCH (p:Paper) RETURN p.id AS id LIMIT 1").num_rows


def _prepare_import(paths: tuple[Path, ...], folder: Path, config: IngestConfig) -> _Done:
    from citescape.ingest.neo4j_import import prepare_import

    with ticking() as ticker:
        made = prepare_import(paths, folder, config=config, progress=lambda p: _tell(ticker, p))
    return _Done(
        made.result,
        f"the files in {folder} now hold:",
        ("next, with the Neo4j server stopped and its database empty:", made.command),
        {"folder": str(folder), "command": made.command},
    )


def _refuse_store() -> None:
    """`--store` on the command line would be ignored; in the environment it is a habit."""
    source = click.get_current_context().get_parameter_source("store")
    if source is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError("--neo4j-import writes files and fills no --store; leave one out")


def _check_folder(report: Path) -> None:
    """Before the work: a report cannot be had by running the same ingest again."""
    if not report.parent.is_dir():
        raise ConfigError(f"--report {report}: no folder {report.parent}; create it first")
    if not os.access(report.parent, os.W_OK):
        raise ConfigError(f"--report {report}: folder {report.parent} cannot be written to")


def _tell(ticker: Ticker, progress: IngestProgress) -> None:
    rejected = f", {number(progress.rejected)} rejected" if progress.rejected else ""
    total = progress.total or 0
    of = f"{number(progress.documents)} of " if total > progress.documents else ""
    documents = plural(max(total, progress.documents), "document")  # a file may hold several
    ticker.tell(f"{progress.step}: {of}{documents}{rejected}")


def figures(result: IngestResult) -> dict[str, object]:
    """The figures of an ingest, as `--json` gives them."""
    return {
        "papers": result.papers,
        "fulltext_papers": result.fulltext_papers,
        "table_papers": result.table_papers,
        "authors": result.authors,
        "sections": result.sections,
        "occurrences": result.occurrences,
        "citations": result.citations,
        "anchors": result.anchors,
        "losses": result.losses,
        "rejected_files": len(result.rejected),
        "rejected": [{"path": path, "message": message} for path, message in result.rejected],
        "documents": dict(sorted(result.status.items())),
        "tables_of_citations": result.citations_read,
        "notes": dict(sorted(result.notes.items())),
        "seconds": round(result.seconds, 2),
    }


def _print_rejected(result: IngestResult) -> None:
    """Names them, but for the damaged archive that the command ends with."""
    ended = result.damage.path if result.damage is not None else None
    named = [(path, message) for path, message in result.rejected if path != ended]
    for path, message in named[:_SHOWN]:
        echo(f"rejected  {path}: {message}", err=True)
    if len(named) > _SHOWN:
        rest = number(len(named) - _SHOWN)
        echo(f"rejected  {rest} more; --report FILE lists them all", err=True)


def _print_passed_over(result: IngestResult) -> None:
    """One line of the files in folders and archives that are no papers."""
    if result.passed_over:
        by_ending = result.passed_over.most_common()
        kinds = list_some([f"{number(n)} {ending}" for ending, n in by_ending])
        total = result.passed_over.total()
        echo(f"{plural(total, 'file')} passed over: {kinds}", err=True)


def _print_citations(result: IngestResult) -> None:
    """A line for each table of citations: its lines, and why some were left out."""
    for table in result.citations_read:
        lost, notes = _counts(table["lost"]), _counts(table["notes"])
        lines = table["kept"] + sum(table["lost"].values())
        note = f"; of these {notes}" if notes else ""
        echo(
            f"{table['path']}: {plural(lines, 'citation')}, {number(table['kept'])} kept{note}; "
            f"left out: {lost or 'none'}",
            err=True,
        )


def _print_notes(result: IngestResult) -> None:
    """A line for each thing that is odd about papers of tables."""
    found = result.notes
    for note, (what, told) in _NOTED.items():
        if found[note]:
            echo(f"{plural(found[note], what)} {told}", err=True)


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{number(n)} {reason}" for reason, n in found.items())


def _print(result: IngestResult, place: str) -> None:
    done = ", ".join(f"{number(n)} {name}" for name, n in sorted(result.status.items()))
    echo(f"{done or 'no documents'} in {result.seconds:.1f} s; {place}", "")
    rows = [
        ("papers", result.papers, _loaded(result)),
        ("authors", result.authors, ""),
        ("sections", result.sections, ""),
        ("citations in the text", result.occurrences, _account(result)),
        ("citing-cited pairs", result.citations, ""),
    ]
    echo_table(("", "count", ""), rows)


def _account(result: IngestResult) -> str:
    """Pointers found = loaded + lost, in words."""
    return f"of {plural(result.anchors, 'pointer')}; lost: {_counts(result.losses) or 'none'}"


def _loaded(result: IngestResult) -> str:
    """How many papers are not known from reference lists only; tables have no text."""
    full = result.fulltext_papers - result.table_papers
    counts = {"with full text": full, "from tables": result.table_papers}
    return ", ".join(f"{number(n)} {kind}" for kind, n in counts.items() if n)


def _write_report(result: IngestResult, path: Path) -> None:
    from citescape.core.spreadsheets import write_csv
    from citescape.ingest.ingest import flat_report

    write_csv(flat_report(result.report), path)


def _stop_if_useless(result: IngestResult) -> None:
    """Exit status 1 where nothing at all could be used."""
    if any(result.status[name] for name in ("loaded", "unchanged", "copy")):
        return
    if result.damage is not None:
        raise result.damage
    if not result.rejected:
        echo(
            "platform: no papers found; expected .xml or .nxml files, folders or archives of them, "
            "or tables of papers and citations",
            err=True,
        )
    sys.exit(1)
