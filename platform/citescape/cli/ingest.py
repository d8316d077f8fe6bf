"""`platform ingest`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.options import DEFAULT_STORE, output_options, store_option, usable_cores
from citescape.cli.output import Ticker, echo_json, echo_table, number, ticking
from citescape.errors import ConfigError

if TYPE_CHECKING:
    from citescape.graph.ingest import IngestConfig, IngestResult, Progress

_SHOWN = 20
"""Rejected documents that are named; more go into the report only."""


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=usable_cores,
    show_default="one a core",
    help="Processes that read papers.",
)
@click.option("--strict", is_flag=True, help="Stop at the first paper that cannot be read.")
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
    strict: bool,
    report: Path | None,
    neo4j_import: Path | None,
    store: str,
    as_json: bool,
) -> None:
    """Load full-text papers into the citation graph.

    PATHS are JATS full texts (as PMC, Europe PMC and most publishers offer them): XML files,
    folders, or archives (.tar.gz, .tar.xz, .zip). Papers that are loaded already are skipped,
    corrected ones replaced; interrupted, run it again to go on.

    \b
    Examples:
      platform ingest papers/
      platform ingest PMC_bulk.tar.gz --report losses.csv
      platform ingest papers/ --store bolt://localhost:7687
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.graph.ingest import IngestConfig
    from citescape.loaders.sources import check_exists

    for path in paths:
        check_exists(path)
    if report is not None:
        _check_folder(report)
    config = IngestConfig(workers=workers, strict=strict)
    if neo4j_import is None:
        result, command = _load(paths, store, config), ""
    else:
        _refuse_store()
        result, command = _prepare_import(paths, neo4j_import, config)
    if report is not None:
        _write_report(result, report)
    _print_rejected(result)
    _stop_if_useless(result)
    if as_json:
        made = {"folder": str(neo4j_import), "command": command} if command else {}
        echo_json({**figures(result), **made})
    elif command:
        _print(result, f"the files in {neo4j_import} now hold:")
        click.echo(f"\nnext, with the Neo4j server stopped and its database empty:\n{command}")
    else:
        _print(result, f"{store} now holds:")
        _print_next(result, store)
    if result.damage is not None:
        raise result.damage


def _load(paths: tuple[Path, ...], store: str, config: IngestConfig) -> IngestResult:
    from citescape.graph.ingest import ingest as load
    from citescape.graph.store import open_store

    graph = open_store(store)
    try:
        with ticking() as ticker:
            return load(graph, paths, config, progress=lambda p: _tell(ticker, p))
    finally:
        graph.close()


def _prepare_import(
    paths: tuple[Path, ...], folder: Path, config: IngestConfig
) -> tuple[IngestResult, str]:
    """What was found in the papers, and the command that imports the files made of them."""
    from citescape.graph.neo4j_import import prepare_import

    with ticking() as ticker:
        made = prepare_import(paths, folder, config=config, progress=lambda p: _tell(ticker, p))
    return made.result, made.command


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


def _tell(ticker: Ticker, progress: Progress) -> None:
    rejected = f", {number(progress.rejected)} rejected" if progress.rejected else ""
    ticker.tell(f"{progress.step}: {number(progress.documents)} documents{rejected}")


def figures(result: IngestResult) -> dict[str, object]:
    """The figures of an ingest, as `--json` gives them."""
    return {
        "papers": result.papers,
        "fulltext_papers": result.fulltext_papers,
        "authors": result.authors,
        "sections": result.sections,
        "occurrences": result.occurrences,
        "citations": result.citations,
        "anchors": result.anchors,
        "losses": result.losses,
        "rejected_files": len(result.rejected),
        "rejected": [{"path": path, "message": message} for path, message in result.rejected],
        "documents": dict(sorted(result.status.items())),
        "seconds": round(result.seconds, 2),
    }


def _print_rejected(result: IngestResult) -> None:
    """Names them, but for the damaged archive that the command ends with."""
    ended = result.damage.path if result.damage is not None else None
    named = [(path, message) for path, message in result.rejected if path != ended]
    for path, message in named[:_SHOWN]:
        click.echo(f"rejected  {path}: {message}", err=True)
    if len(named) > _SHOWN:
        rest = number(len(named) - _SHOWN)
        click.echo(f"rejected  {rest} more; --report FILE lists them all", err=True)


def _print(result: IngestResult, place: str) -> None:
    done = ", ".join(f"{number(n)} {name}" for name, n in sorted(result.status.items()))
    click.echo(f"{done or 'no documents'} in {result.seconds:.1f} s; {place}\n")
    rows = [
        ("papers", result.papers, f"{number(result.fulltext_papers)} with full text"),
        ("authors", result.authors, ""),
        ("sections", result.sections, ""),
        ("citations in the text", result.occurrences, _account(result)),
        ("citing-cited pairs", result.citations, ""),
    ]
    echo_table(("", "count", ""), rows)


def _print_next(result: IngestResult, store: str) -> None:
    if result.status["loaded"]:
        option = "" if store == DEFAULT_STORE else f" --store {store}"
        click.echo(f"\nnext: platform score{option}")


def _account(result: IngestResult) -> str:
    """Pointers found = loaded + lost, in words."""
    lost = ", ".join(f"{number(n)} {reason}" for reason, n in result.losses.items())
    return f"of {number(result.anchors)} pointers; lost: {lost or 'none'}"


def _write_report(result: IngestResult, path: Path) -> None:
    import pyarrow.csv

    from citescape.graph.ingest import flat_report

    aside = path.with_name(path.name + ".part")
    pyarrow.csv.write_csv(flat_report(result.report), aside)
    os.replace(aside, path)


def _stop_if_useless(result: IngestResult) -> None:
    """Exit status 1 where nothing at all could be used."""
    if any(result.status[name] for name in ("loaded", "unchanged", "copy")):
        return
    if result.damage is not None:
        raise result.damage
    if not result.rejected:
        click.echo(
            "platform: no papers found; expected .xml or .nxml files, folders or archives of them",
            err=True,
        )
    sys.exit(1)
