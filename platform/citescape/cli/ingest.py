"""`platform ingest`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.options import DEFAULT_STORE, output_options, store_option, usable_cores
from citescape.cli.output import Ticker, echo_json, echo_table, number, ticking

if TYPE_CHECKING:
    from citescape.graph.ingest import IngestConfig, IngestResult, Progress

FORMATS = ("auto", "jats")


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "_format",
    type=click.Choice(FORMATS),
    default="auto",
    show_default=True,
    help="Format of the papers. JATS (PMC, Europe PMC, most publishers) is read today.",
)
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
    type=click.Path(file_okay=False, path_type=Path),
    help="Write files for neo4j-admin's offline import there and print its command; "
    "the fastest way to fill an empty Neo4j.",
)
@store_option
@output_options
def ingest(
    paths: tuple[Path, ...],
    _format: str,
    workers: int,
    strict: bool,
    report: Path | None,
    neo4j_import: Path | None,
    store: str,
    as_json: bool,
) -> None:
    """Load full-text papers into the citation graph.

    PATHS are XML files, folders, or archives (.tar.gz, .tar.xz, .zip). Papers that are loaded
    already are skipped, corrected ones replaced; interrupted, run it again to go on.

    \b
    Examples:
      platform ingest papers/
      platform ingest PMC_bulk.tar.gz --report losses.csv
      platform ingest papers/ --store bolt://localhost:7687
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.graph.ingest import IngestConfig
    from citescape.graph.ingest import ingest as load
    from citescape.graph.store import open_store
    from citescape.loaders.sources import check_exists

    for path in paths:
        check_exists(path)
    if neo4j_import is not None:
        _for_import(
            paths, IngestConfig(workers, strict=strict), folder=neo4j_import, as_json=as_json
        )
        return
    graph = open_store(store)
    try:
        with ticking() as ticker:
            config = IngestConfig(workers=workers, strict=strict)
            result = load(graph, paths, config, progress=lambda p: _tell(ticker, p))
    finally:
        graph.close()
    if report is not None:
        _write_report(result, report)
    _print(result, store, as_json=as_json)
    _stop_if_failed(result)


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


def _print(result: IngestResult, store: str, *, as_json: bool) -> None:
    for path, message in result.rejected[:20]:
        click.echo(f"rejected  {path}: {message}", err=True)
    if len(result.rejected) > 20:
        rest = len(result.rejected) - 20
        click.echo(f"rejected  {rest} more; --report FILE lists them all", err=True)
    if as_json:
        echo_json(figures(result))
        return
    done = ", ".join(f"{number(n)} {name}" for name, n in sorted(result.status.items()))
    click.echo(f"{done or 'no documents'} in {result.seconds:.1f} s; {store} now holds:\n")
    rows = [
        ("papers", result.papers, f"{number(result.fulltext_papers)} with full text"),
        ("authors", result.authors, ""),
        ("sections", result.sections, ""),
        ("citations in the text", result.occurrences, _account(result)),
        ("citing-cited pairs", result.citations, ""),
    ]
    echo_table(("", "count", ""), rows)
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


def _stop_if_failed(result: IngestResult) -> None:
    """Exit status 1 where an archive broke off, or nothing at all could be used."""
    if result.damage is not None:
        raise result.damage
    used = result.status["loaded"] + result.status["unchanged"] + result.status["copy"]
    if used:
        return
    if not result.rejected:
        click.echo(
            "platform: no papers found; expected .xml or .nxml files, folders or archives of them",
            err=True,
        )
    sys.exit(1)


def _for_import(
    paths: tuple[Path, ...], config: IngestConfig, *, folder: Path, as_json: bool
) -> None:
    from citescape.graph.neo4j_import import prepare_import

    with ticking() as ticker:
        command = prepare_import(paths, folder, config=config, progress=lambda p: _tell(ticker, p))
    if as_json:
        echo_json({"folder": str(folder), "command": command})
        return
    click.echo(f"Files for neo4j-admin are in {folder}. With the server stopped, run:", err=True)
    click.echo(command)
