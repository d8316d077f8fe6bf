"""Help texts and docstrings as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from textwrap import dedent

_CODE = re.compile(r"(``.+?``|`[^`]+`)", re.DOTALL)
_ASIDE = re.compile(r"^(platform .*?\S {2,})(\S.*)$", re.MULTILINE)
_SPECIAL = re.compile(r"([\\*_<\[\]|~#])")


def escape(text: str) -> str:
    """Plain text with code in backticks, so that nothing else in it is read as markup."""
    parts = _CODE.split(text)
    return "".join(
        part if number % 2 else _SPECIAL.sub(r"\\\1", part) for number, part in enumerate(parts)
    )


def to_markdown(text: str) -> str:
    """A docstring or a help text: paragraphs, and indented blocks as code."""
    blocks: list[str] = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.splitlines()
        raw = lines[0].strip() == "\b"
        if raw:
            lines = lines[1:]
            title = lines[0].strip()
            if title.endswith(":") and len(lines) > 1:
                blocks.append(escape(title))
                lines = lines[1:]
        if raw or all(line.startswith("    ") for line in lines):
            body = dedent("\n".join(lines))
            shell = all(line.startswith("platform ") for line in body.splitlines())
            if shell:  # text beside a command becomes a comment, so that lines can be pasted
                body = _ASIDE.sub(r"\1# \2", body)
            blocks.append(fence(body, "sh" if shell else "text"))
        else:
            joined = "\n".join(line.strip() for line in lines)
            items = re.match(r"- ", joined)
            blocks.append(escape(joined) if items else escape(joined.replace("\n", " ")))
    return "\n\n".join(blocks)


def fence(text: str, language: str) -> str:
    """A block of code."""
    return f"```{language}\n{text}\n```"


def cell(text: str) -> str:
    """Text in a cell of a table."""
    return " ".join(text.replace("\\|", "|").replace("|", "\\|").split())


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell(value) for value in line)} |" for line in lines)


def code(text: object) -> str:
    """A value as code."""
    return f"`{text}`"
