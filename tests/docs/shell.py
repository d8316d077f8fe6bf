"""Command lines in code blocks."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from tests.docs.pages import Block

PROGRAMS = (["platform"], ["citescape"], [".venv/bin/platform"])
_ENDS = {"&&", "||", "|", ";", "\n"}
_REDIRECTS = {"<", ">"}


@dataclass(frozen=True)
class Command:
    """One command of a line: its words, and its input and output files."""

    words: tuple[str, ...]
    source: str = ""
    target: str = ""

    @property
    def arguments(self) -> list[str] | None:
        """Arguments of a call of the program; None for another command."""
        return list(self.words[1:]) if [*self.words[:1]] in PROGRAMS else None


def split_commands(block: Block) -> Iterator[Command]:
    """Commands of a block in order. In a console, other lines are output."""
    text = block.text
    if block.language == "console":
        text = "\n".join(re.findall(r"^\$ ((?:.*\\\n)*.*)$", text, re.MULTILINE))
    text = re.sub(r"(^|\s)#.*$", "", text.replace("\\\n", " "), flags=re.MULTILINE)
    tokens = shlex.shlex(text, posix=True, punctuation_chars=True)
    tokens.commenters = ""
    tokens.whitespace = " \t"  # line ends are tokens
    tokens.wordchars += "[]{},:=@^$%+"
    words: list[str] = []
    files = {"<": "", ">": ""}
    redirect = ""
    for token in [*tokens, ";"]:
        if token in _ENDS:
            if words:
                yield Command(tuple(words), files["<"], files[">"])
            words, files = [], {"<": "", ">": ""}
        elif token in _REDIRECTS:
            redirect = token
        elif redirect:
            files[redirect], redirect = token, ""
        else:
            words.append(token)


def split_calls(block: Block) -> Iterator[list[str]]:
    """Arguments of each call of the program in a block."""
    for command in split_commands(block):
        if command.arguments is not None:
            yield command.arguments
