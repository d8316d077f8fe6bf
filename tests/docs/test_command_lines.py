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
    generated_pages,
    list_blocks,
    list_current_pages,
    split_page,
    without_blocks,
)
from tests.docs.shell import split_calls

EXAMPLE = DOCS / "adding-a-capability.md"
"""The command of the page does not exist before the reader writes it."""
INLINE = re.compile(r"`((?:platform|citescape) [a-z][^`]*)`")


def list_lines() -> Iterator[tuple[str, list[str]]]:
    """Words of command lines in code blocks, with the place of each."""
    generated = [split_page(DOCS / name, text, "sh") for name, text in generated_pages().items()]
    for block in (*list_blocks("sh", "console", "bash"), *chain.from_iterable(generated)):
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
        name, result, rest = command.resolve_command(context, rest)
        assert result is not None
        command = result
        context = command.make_context(name, rest, parent=context)


LINES = list(list_lines())


def test_guides_contain_command_lines() -> None:
    assert len(LINES) > 80
    pages = {place.partition(":")[0] for place, _ in LINES}
    assert pages >= {"README.md", "docs/quickstart.md", "docs/guides/text.md"}


@pytest.mark.parametrize("words", [pytest.param(words, id=place) for place, words in LINES])
def test_command_lines_are_valid(words: list[str]) -> None:
    assert parse_problem(words) == ""


def parse_problem(words: list[str]) -> str:
    """Errors of a command line; files of examples need not exist."""
    try:
        parse(words)
    except click.exceptions.Exit as stop:  # --help, --version
        return "" if stop.exit_code == 0 else f"exit status {stop.exit_code}"
    except click.ClickException as error:
        return "" if "does not exist" in error.message else error.format_message()
    return ""


def list_spans() -> Iterator[tuple[str, str]]:
    """Commands in running text, with the place of each."""
    for page in list_current_pages():
        if page != EXAMPLE:
            for span in INLINE.findall(without_blocks(page.read_text(encoding="utf-8"))):
                yield str(page.relative_to(ROOT)), " ".join(span.split())


def find_options(span: str) -> tuple[set[str], set[str]]:
    """Options that a span names, and options of its command."""
    command: click.Command = program
    context = click.Context(program)
    given_options: set[str] = set()
    for word in span.split()[1:]:
        if word.startswith("-"):
            given_options.add(word.partition("=")[0].rstrip(",.;:)"))
        elif isinstance(command, click.Group) and not given_options:
            below = command.get_command(context, word) if word in known(command) else None
            command = below or command
    commands = [command, getattr(command, "default", None)]
    parameters = [p for parent in commands if parent is not None for p in parent.params]
    names = {name for p in parameters for name in (*p.opts, *p.secondary_opts)}
    return given_options, names | {"--help", "--all", "-h", "--version", "--debug"}


def known(command: click.Group) -> list[str]:
    return command.list_commands(click.Context(command))


def test_options_of_commands_in_running_text_exist() -> None:
    spans = list(list_spans())
    assert len(spans) > 100
    for place, span in spans:
        given_options, names = find_options(span)
        assert given_options <= names, f"{place}: {span}"


def test_every_page_of_a_command_exists() -> None:
    """The reference has a page for each command, with a section for each subcommand."""
    pages = generated_pages()
    for name in known(program):
        text = pages[f"reference/commands/{name}.md"]
        command = program.get_command(click.Context(program), name)
        for below in getattr(command, "commands", {}):
            assert f"## platform {name} {below}\n" in text
