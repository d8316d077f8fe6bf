"""Command lines in README and docs name commands, options and values that exist."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import chain

import click
import pytest

from citescape.cli.main import platform as program
from tests.docs.pages import (
    DOCS,
    ROOT,
    list_blocks,
    list_current_pages,
    made_pages,
    split_page,
    without_blocks,
)
from tests.docs.shell import split_calls

EXAMPLE = DOCS / "adding-a-capability.md"
"""Its command does not exist before the reader has made it."""
INLINE = re.compile(r"`((?:platform|citescape) [a-z][^`]*)`")


def list_lines() -> Iterator[tuple[str, list[str]]]:
    """Words of the command lines in blocks of code, each with the place where it stands."""
    made = [split_page(DOCS / name, text, "sh") for name, text in made_pages().items()]
    for block in (*list_blocks("sh", "console", "bash"), *chain.from_iterable(made)):
        if block.page != EXAMPLE:
            for words in split_calls(block):
                yield f"{block}: {shlex.join(words)[:60]}", words


def parse(words: list[str]) -> None:
    """Parses a command line without running it.

    Raises:
        ClickException: a command, an option or a value does not exist.
    """
    context = program.make_context("platform", list(words))
    command: click.Command = program
    while isinstance(command, click.Group):
        rest = [*context._protected_args, *context.args]
        name, found, rest = command.resolve_command(context, rest)
        assert found is not None
        command = found
        context = command.make_context(name, rest, parent=context)


LINES = list(list_lines())


def test_there_are_command_lines_in_the_guides() -> None:
    assert len(LINES) > 80
    pages = {place.partition(":")[0] for place, _ in LINES}
    assert pages >= {"README.md", "docs/quickstart.md", "docs/guides/text.md"}


@pytest.mark.parametrize("words", [pytest.param(words, id=place) for place, words in LINES])
def test_a_command_line_parses(words: list[str]) -> None:
    assert parse_problem(words) == ""


def parse_problem(words: list[str]) -> str:
    """What is wrong with a command line; files of examples need not exist."""
    try:
        parse(words)
    except click.exceptions.Exit as stop:  # --help, --version
        return "" if stop.exit_code == 0 else f"exit status {stop.exit_code}"
    except click.ClickException as error:
        return "" if "does not exist" in error.message else error.format_message()
    return ""


def list_spans() -> Iterator[tuple[str, str]]:
    """Commands in running text, with the place where each stands."""
    for page in list_current_pages():
        if page != EXAMPLE:
            for span in INLINE.findall(without_blocks(page.read_text(encoding="utf-8"))):
                yield str(page.relative_to(ROOT)), " ".join(span.split())


def find_options(span: str) -> tuple[set[str], set[str]]:
    """Options that a span names, and those that its command has."""
    command: click.Command = program
    context = click.Context(program)
    given: set[str] = set()
    for word in span.split()[1:]:
        if word.startswith("-"):
            given.add(word.partition("=")[0].rstrip(",.;:)"))
        elif isinstance(command, click.Group) and not given:
            below = command.get_command(context, word) if word in known(command) else None
            command = below or command
    commands = [command, getattr(command, "default", None)]
    parameters = [p for one in commands if one is not None for p in one.params]
    names = {name for p in parameters for name in (*p.opts, *p.secondary_opts)}
    return given, names | {"--help", "--all", "-h", "--version", "--debug"}


def known(command: click.Group) -> list[str]:
    return command.list_commands(click.Context(command))


def test_commands_in_running_text_have_the_options_they_are_named_with() -> None:
    spans = list(list_spans())
    assert len(spans) > 100
    for place, span in spans:
        given, names = find_options(span)
        assert given <= names, f"{place}: {span}"


def test_every_page_of_a_command_exists() -> None:
    """The reference has a page for each command, and on it a section for each below it."""
    pages = made_pages()
    for name in known(program):
        text = pages[f"reference/commands/{name}.md"]
        command = program.get_command(click.Context(program), name)
        for below in getattr(command, "commands", {}):
            assert f"## platform {name} {below}\n" in text
