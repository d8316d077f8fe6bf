"""`platform evaluate report`."""

from __future__ import annotations

from pathlib import Path

import click

from citescape.cli.options import output_options, runs_option, store_option
from citescape.cli.output import echo_json
from citescape.core.terminal import echo


@click.command(short_help="A page, a text, pictures and CSV files of an evaluation.")
@click.argument("named", metavar="[RUN]", default="", required=False)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    show_default="the run's own folder",
    help="Folder for the files; it is made if it is not there.",
)
@click.option("--open", "open_page", is_flag=True, help="Open the page in a browser.")
@store_option
@runs_option
@output_options
def report(
    named: str,
    out: Path | None,
    open_page: bool,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Write what an evaluation found as a page to read and to pass on.

    RUN is an evaluation, by id or folder; by default the last one. report.html is one file that
    needs no network: what was found in one sentence, figures with intervals, differences with p,
    figures by field, kind of candidates and size of the pool, what was left out, and where it all
    comes from. report.md is the same as text, with pictures beside it as SVG; figures.csv and
    differences.csv hold all figures in full. An older report in the folder is replaced; other files
    are left alone.

    \b
    Examples:
      platform evaluate report --open
      platform evaluate report evaluate-c6742cecae88 --out paper/figures
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.evaluation.export import write_report
    from citescape.metrics.evaluated import EvaluationRun
    from citescape.runs.directory import default_runs
    from citescape.runs.kept import find_kept

    made = find_kept(EvaluationRun, runs or default_runs(store), named, location=store)
    files = write_report(made, out)
    if as_json:
        echo_json({"run": made.run, "page": str(files[0]), "files": [str(path) for path in files]})
    else:
        echo(f"run {made.run}: {', '.join(path.name for path in files[1:])} beside the page")
        echo(f"page: {files[0]}")
    if open_page:
        click.launch(str(files[0]))
