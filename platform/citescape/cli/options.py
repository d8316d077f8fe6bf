"""Options that commands share."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from citescape.core.config import DEFAULT_STORE, is_address, store_words


def command_line(command: str, location: str, runs: Path | None = None) -> str:
    """A command that works when pasted.

    Args:
        command: words after the name of the program.
        location: path or address of the store.
        runs: folder of runs, if it is not the default one.
    """
    if runs:
        command += f" --runs {shlex.quote(str(runs))}"
    return f"{shlex.quote(program())} {command}{store_words(location)}"


def program() -> str:
    """`platform`, or the path to it where a shell would not find it."""
    own = Path(sys.executable).with_name("platform")
    found = shutil.which("platform")
    if not own.exists() or (found is not None and own.samefile(found)):
        return "platform"
    here = Path.cwd()
    return str(own.relative_to(here)) if own.is_relative_to(here) else str(own)


def store_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--store`: the graph to work on."""
    return click.option(
        "--store",
        envvar="CITESCAPE_STORE",
        default=DEFAULT_STORE,
        show_default=True,
        show_envvar=True,
        metavar="PATH|ADDRESS",
        callback=_check_store,
        help="The graph: a file, or bolt:// or neo4j:// address (user and password from "
        "CITESCAPE_NEO4J_USER and CITESCAPE_NEO4J_PASSWORD, or ~/.netrc).",
    )(function)


def _check_store(context: click.Context, option: click.Parameter, location: str) -> str:
    """Checks early that the location can be a path or an address, without a password."""
    from citescape.store.neo4j.address import check_location

    location, problem = check_location(location)
    if problem:
        raise problem
    return location


def runs_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--runs`: where run directories go."""
    return click.option(
        "--runs",
        envvar="CITESCAPE_RUNS",
        show_default="runs, beside the store",
        show_envvar=True,
        type=click.Path(file_okay=False, path_type=Path),
        callback=_check_runs,
        help="Folder of run directories: results as Parquet beside run.json.",
    )(function)


def _check_runs(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """Refuses an address, perhaps with a password, as the name of a new folder."""
    if path and is_address(str(path)):
        raise click.UsageError(f"{option.opts[0]} is an address; expected a folder", context)
    return path


def output_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--json` and `--debug`."""
    function = click.option(
        "--debug", is_flag=True, help="On failure show the whole traceback.", expose_value=False
    )(function)
    return click.option(
        "--json", "as_json", is_flag=True, help="End with one line of JSON on standard output."
    )(function)


SEED = click.IntRange(0, 2**31 - 1)
"""Range of random seeds that every library accepts."""
