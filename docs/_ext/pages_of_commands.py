"""The command reference: one page for each command, with all its options."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click
from page_markup import code, escape, fence, table, to_markdown

from citescape.cli.main import find_command, find_summary, list_commands

_HEAD = """# Commands

One program, `platform` (also installed as `citescape`). `platform COMMAND --help` shows the common
options, `platform COMMAND --help --all` every option. These pages list every option; those marked
*expert* are in `--help --all` only.

Each setting can be given in a TOML file for `--config`. Options on the command
line win. Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted, 141 nobody reads the answer
of a command that writes nothing else.

"""


def make_pages() -> dict[str, str]:
    """Pages by their path below `docs/`."""
    names = list_commands()
    rows = [(f"[`platform {name}`]({name}.md)", escape(find_summary(name))) for name in names]
    toctree = "\n".join(["```{toctree}", ":hidden:", "", *names, "```"])
    index = f"{_HEAD}{table(('command', 'what it does'), rows)}\n\n{toctree}\n"
    pages = {"reference/commands/index.md": index}
    for name in names:
        command = find_command(name)
        assert command is not None
        parts = list(_sections(command, name, 1))
        pages[f"reference/commands/{name}.md"] = "\n\n".join(parts) + "\n"
    return pages


def _sections(command: click.Command, words: str, level: int) -> Iterator[str]:
    yield f"{'#' * level} platform {words}"
    own = getattr(command, "default", None) if isinstance(command, click.Group) else command
    if own is not None:
        pieces = own.collect_usage_pieces(click.Context(own))
        yield fence(" ".join(["platform", words, *pieces]), "text")
    yield to_markdown(inspect.cleandoc(command.help or ""))
    if own is not None:
        yield from _options(own)
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from _sections(below, f"{words} {name}", level + 1)


def _options(command: click.Command) -> Iterator[str]:
    context = click.Context(command)
    rows = [_row(one, context) for one in command.params]
    if rows:
        yield table(("option", "value", "default", "meaning"), rows)


def _row(parameter: click.Parameter, context: click.Context) -> tuple[str, str, str, str]:
    if isinstance(parameter, click.Option):
        names = [code(name) for name in (*parameter.opts, *parameter.secondary_opts)]
        value = "" if parameter.is_flag else parameter.make_metavar(context)
        help_text = escape(parameter.help or "")
        if parameter.hidden:
            help_text += " *(expert)*"
        if parameter.envvar:
            help_text += f" Environment variable: `{parameter.envvar}`."
        return ", ".join(names), code(value) if value else "", _default(parameter), help_text
    return code(parameter.make_metavar(context)), "argument", "", _argument_help(parameter)


def _argument_help(parameter: click.Parameter) -> str:
    words = "Required." if parameter.required else "May be left out."
    return f"{words} May be repeated." if parameter.nargs == -1 else words


def _default(option: click.Option) -> str:
    if option.required:
        return "required"
    if isinstance(option.show_default, str):
        return escape(option.show_default)
    value = option.default
    if option.is_flag:
        return "yes" if value is True else "no"
    if not option.show_default or value is None or callable(value) or "UNSET" in repr(value):
        return ""
    if isinstance(value, list | tuple):
        return ", ".join(code(item) for item in value)
    return code(value) if f"{value}" else ""
