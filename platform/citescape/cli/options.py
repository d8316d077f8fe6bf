"""Options that commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

DEFAULT_STORE = "citescape.lbug"


def usable_cores() -> int:
    """Cores this process may run on, which may be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def store_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--store`: the graph to work on."""
    return click.option(
        "--store",
        envvar="CITESCAPE_STORE",
        default=DEFAULT_STORE,
        show_default=True,
        show_envvar=True,
        metavar="PATH|ADDRESS",
        help="The graph: a file, or bolt:// or neo4j:// address (user and password from "
        "CITESCAPE_NEO4J_USER and CITESCAPE_NEO4J_PASSWORD, or ~/.netrc).",
    )(function)


def runs_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--runs`: where run directories go."""
    return click.option(
        "--runs",
        envvar="CITESCAPE_RUNS",
        default="runs",
        show_default=True,
        show_envvar=True,
        type=click.Path(file_okay=False, path_type=Path),
        help="Folder of run directories: results as Parquet beside run.json.",
    )(function)


def output_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--json` and `--debug`."""
    function = click.option(
        "--debug", is_flag=True, help="On failure show the whole traceback.", expose_value=False
    )(function)
    return click.option(
        "--json", "as_json", is_flag=True, help="End with one line of JSON on standard output."
    )(function)
