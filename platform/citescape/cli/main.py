"""Entry point: finds the command, runs it, and turns errors into one line."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NoReturn

import click

from citescape import __version__
from citescape.cli.diagnostics import diagnostics
from citescape.cli.streams import ForgivingStream, forgiving_streams
from citescape.core.errors import CitescapeError, without_unsafe_advice
from citescape.core.extras import named_extras
from citescape.core.near import find_near
from citescape.core.outputs import watched_outputs
from citescape.core.redaction import redact, remember_passwords
from citescape.core.terminal import echo, guarded_streams
from citescape.training.processes import is_first_process

ORDER = (
    *("demo", "ingest", "load", "remove", "text", "score", "explain", "find", "neighbours"),
    *("contexts", "related", "check"),
    *("sample", "train", "embed", "similar"),
    *("network", "cluster", "topics", "communities", "community", "map", "benchmark", "evaluate"),
    *(
        "prepare",
        "recommend",
        "export",
        "report",
        "status",
        "runs",
        "cypher",
        "serve",
        "mcp",
        "doctor",
    ),
)
"""Names in the order of an analysis; the rest follows."""
COMMANDS = {
    "demo": "demo:demo",
    "cypher": "cypher:cypher",
    "serve": "serve:serve",
    "mcp": "mcp:mcp",
}
"""Command name -> module below `citescape.cli` and click command, for commands without a step."""
SUMMARIES = {
    "demo": "Run the whole chain on a generated corpus and write a report page.",
    "cypher": "Query the graph in Cypher.",
    "serve": "Explore the graph in a browser.",
    "mcp": "Answer agents about the graph (Model Context Protocol).",
}
RENAMED = {
    "graph-embed": "train graph",
    "rerank": "train reranker",
    "split": "text abstracts",
    "migrate": "doctor --migrate",
    "recommendations": "recommend",
    "importance": "score",
}
"""Earlier and similar names of commands -> the words of the command."""

_EPILOG = """\b
First steps:
  platform demo                      see it work, on a generated corpus
  platform ingest FOLDER             load your own papers
  platform score                     how important is every citation?
  platform text sections train       then `label`: types of sections that no rule can read
  platform sample importance         then `train`, `embed`, `similar`: which papers are near?
  platform network build coupling    then `cluster`, `topics`, `map`: what does the field look like?
  platform recommend paper.tex       what could be cited where the draft has [?]
  platform cypher --list             library of queries that are ready to run
"""


_STOPPED = "stopped; what was written is kept, run the same command again to complete it"


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used: `--help` stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of an analysis."""
        return list_commands()

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command, and stops silently when nobody reads its output any more."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _stop_writing()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports one command.

        Raises:
            UsageError: there is no such command; the message names near ones.
        """
        command = find_command(cmd_name)
        if command is None:
            known = [*list_commands(), *_list_paths(), *RENAMED]
            near = [RENAMED.get(name, name) for name in find_near(cmd_name, known)]
            expected = ", ".join(dict.fromkeys(near or list_commands()))
            raise click.UsageError(f"no command {cmd_name!r}; expected: {expected}", ctx)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, find_summary(name)) for name in list_commands()])


def _steps() -> dict[str, Any]:
    """Methods and groups of a corpus by the names of their commands."""
    from citescape.corpus import Corpus
    from citescape.runs.methods import list_members

    return {name.replace("_", "-"): member for name, member in list_members(Corpus)}


def _list_paths(prefix: str = "", members: dict[str, Any] | None = None) -> Iterator[str]:
    """Words of the commands within groups: `train graph`, `text sections train`."""
    from citescape.runs.methods import Subgroup, list_members

    for name, member in (_steps() if members is None else members).items():
        words = f"{prefix} {name}".strip()
        if prefix:
            yield words
        if isinstance(member, Subgroup):
            own = {n.replace("_", "-"): m for n, m in list_members(member.kind) if n[0] != "_"}
            yield from _list_paths(words, own)


def list_commands() -> list[str]:
    """Names of all commands at the top."""
    names = [*COMMANDS, *_steps()]
    return sorted(dict.fromkeys(names), key=lambda n: ORDER.index(n) if n in ORDER else len(ORDER))


def find_command(name: str) -> click.Command | None:
    """One command: derived from a step or group of steps, or written by hand."""
    from citescape.cli.commands import make_member

    member = _steps().get(name)
    if member is not None:
        return make_member(name, member)
    if name not in COMMANDS:
        return None
    module, _, attribute = COMMANDS[name].partition(":")
    command: click.Command = getattr(import_module(f"citescape.cli.{module}"), attribute)
    return command


def find_summary(name: str) -> str:
    """The summary of a command, in one line."""
    if name in SUMMARIES:
        return SUMMARIES[name]
    from citescape.runs.step import summary_line

    member = _steps()[name]
    if hasattr(member, "step"):
        return summary_line(member.step)
    own = vars(member.kind).get("__call__")
    return summary_line(own.step if own else member.kind)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=_EPILOG,
)
@click.version_option(__version__, prog_name="platform (citescape)")
@click.option(
    "--debug", is_flag=True, expose_value=False, help="On failure show the whole traceback."
)
def platform() -> None:
    """Which citations matter, what a field looks like, what to cite.

    Full texts go into a citation graph (a file, or a Neo4j server); every citation in it says where
    in the paper it stands, how often, whether it is a self-citation, and how important it is.
    """


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line.

    Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted, 141 nobody reads the answer of a
    command that writes nothing else.
    """
    given = sys.argv[1:] if arguments is None else arguments
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    for text in (*given, os.environ.get("CITESCAPE_STORE", "")):
        remember_passwords(text)
    with forgiving_streams() as out, guarded_streams():
        try:
            with diagnostics(), watched_outputs() as watched, named_extras():
                platform.main(args=given, prog_name="platform", standalone_mode=False)
            out.flush()
            _check_output(out, wrote=watched.wrote)
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            sys.exit(2)
        except click.exceptions.Exit as stop:
            sys.exit(stop.exit_code)
        except click.ClickException as error:
            _fail(_usage(error), error.exit_code)
        # click replaces KeyboardInterrupt by Abort
        except (click.Abort, KeyboardInterrupt) as stop:
            if not is_first_process():
                sys.exit(130)
            _fail(str(stop.__cause__ or stop) or _STOPPED, 130)
        except BrokenPipeError:
            _stop_writing()
        except Exception as error:
            if "--debug" in given:
                sys.stderr.write(redact("".join(traceback.format_exception(error))))
                sys.exit(1)
            _fail(_one_line(error), 1)


def _check_output(out: ForgivingStream, *, wrote: bool) -> None:
    """Fails for unwritable output; a closed pipe fails only if the command wrote nothing else.

    Args:
        out: standard output.
        wrote: whether the command changed a store or wrote files.
    """
    if isinstance(out.error, BrokenPipeError) and not wrote:
        sys.exit(128 + signal.SIGPIPE)
    if out.error is not None and not isinstance(out.error, BrokenPipeError):
        done = "; the store and the files of this command are complete" if wrote else ""
        _fail(f"standard output cannot be written: {out.error.strerror}{done}", 1)


def _usage(error: click.ClickException) -> str:
    text = error.format_message().removesuffix(".")
    if isinstance(error, click.MissingParameter):  # lists each choice on its own line
        text = _plain(text)
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return text
    where = context.command_path.strip()
    line = _plain(context.get_usage().removeprefix("Usage:"))
    return f"{text[:1].lower()}{text[1:]}; usage: {line} (more: {where} --help)"


def _one_line(error: Exception) -> str:
    if isinstance(error, CitescapeError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror}"
    if isinstance(error, UnicodeEncodeError) and error.encoding == "utf-8":
        found = error.object[max(error.start - 60, 0) : error.end + 60]
        return f"{found} is not text in UTF-8; expected file names and values that are"
    found = _plain(f"{type(error).__name__}: {without_unsafe_advice(error)}")
    return f"internal error: {found}; run it again with --debug, and report the traceback"


def _plain(text: str) -> str:
    return " ".join(text.split())


def _stop_writing() -> NoReturn:
    """Ends like a program that SIGPIPE ends, for bytes written past `ForgivingStream`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(128 + signal.SIGPIPE)


def _fail(message: str, status: int) -> NoReturn:
    echo(f"platform: {redact(message)}", err=True)
    sys.exit(status)


if __name__ == "__main__":  # `accelerate launch -m citescape.cli.main`
    main()
