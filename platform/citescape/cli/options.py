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

Command = Callable[..., Any]


class InOrder(click.Group):
    """A group that lists its commands in the order in which they are used, not by letter."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands as they were added."""
        return list(self.commands)


def add_options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """A decorator of several options, which help shows in this order."""

    def add(function: Command) -> Command:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def command_line(command: str, location: str, runs: Path | None = None) -> str:
    """A command that works when pasted."""
    if runs:
        command += f" --runs {shlex.quote(str(runs))}"
    return f"{shlex.quote(program())} {command}{store_words(location)}"


def program() -> str:
    """`platform`, or the path to it where a shell would not find it."""
    own = Path(sys.executable).with_name("platform")
    found = shutil.which("platform")
    missed = own.exists() and (found is None or not own.samefile(found))
    return _short(own) if missed else "platform"


def label_line(group: str, location: str, runs: Path | None, *, run: str | None) -> str:
    """The command that labels; with the model of `run`, where that is not the last one trained."""
    named = f" --model {run}" if run else ""
    return command_line(f"{group} label{named}", location, runs)


def _short(path: Path) -> str:
    """The path from here, where it lies below."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


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
    """Before anything is done with it: whether it can be a path or an address, without password."""
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
    """An address, perhaps with a password, is not taken as the name of a new folder."""
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


def encoder_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--encoder`: the pretrained model that turns texts into vectors."""
    return click.option(
        "--encoder",
        envvar="CITESCAPE_ENCODER",
        default="",
        show_default="MiniLM",
        show_envvar=True,
        metavar="FOLDER|HUB-ID",
        help="Pretrained transformer: a local folder, or an id of the Hugging Face hub.",
    )(function)


def tokens_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--max-tokens`: of rankers that encode."""
    return click.option(
        "--max-tokens",
        type=click.IntRange(8),
        default=None,
        show_default="as the encoder has it",
        help="Read of a text by encoders.",
    )(function)


SEED = click.IntRange(0, 2**31 - 1)
"""What every library takes as one."""


def csv_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--csv`: the figures as a file too."""
    return click.option(
        "--csv",
        "csv_file",
        type=click.Path(dir_okay=False, path_type=Path),
        callback=_in_a_folder,
        metavar="FILE",
        help="Write the figures to a CSV file too, in full.",
    )(function)


def _in_a_folder(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """Before minutes of work: whether there is a folder for its result."""
    if path and not path.parent.is_dir():
        raise click.UsageError(
            f"{option.opts[0]} {path}: there is no folder {path.parent}", context
        )
    return path


def seed_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--seed`: of everything random."""
    return click.option(
        "--seed",
        type=SEED,
        default=0,
        show_default=True,
        help="Of all that is random.",
    )(function)


def model_option(command: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--model`: a trained model, as the command `platform COMMAND` makes them."""
    return click.option(
        "--model",
        default="",
        show_default=f"the last of `platform {command}`",
        metavar="RUN|FOLDER|rules",
        help="Run id or folder of a trained model, or `rules` for none.",
    )
