"""The source of a manuscript in LaTeX: included files, unprinted parts, sections, arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

Find = Callable[[str], str]
"""Gives the text of an included file by its name; a LookupError says why there is none."""

_UNPRINTED = re.compile(
    r"""
    \\begin\{(?P<name>verbatim|Verbatim|lstlisting|minted|comment|filecontents)(?P<star>\*?)\}
      .*?(?:\\end\{(?P=name)(?P=star)\}|\Z)
  | \\iffalse\b.*?(?:\\fi\b|\Z)
  | \\(?:verb|lstinline)\*?(?P<quote>[^\sA-Za-z{*])[^\n]*?(?P=quote)
  | (?P<comment>%[^\n]*)
  | \\.
    """,
    re.VERBOSE | re.DOTALL,
)
_ENDED_LINE = "\x00"
"""Replaces a comment, which removes the end of its line, unless a paragraph ends there."""
_JOINED = re.compile(rf"{_ENDED_LINE}(?:\n[ \t]*(?![ \t]*\n))?")
_HEADING = re.compile(
    r"\\(?P<heading>part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?\s*(?:\[[^\[\]]*\]\s*)?(?=\{)"
    r"|\\(?:begin|end)\{(?P<abstract>abstract)\}|\\abstract\s*(?=\{)"
)
_LEVELS = {
    "part": 0,
    "chapter": 0,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}
_MAX_DEPTH = 20
"""Depth of included files."""
_MOST_FILES = 1_000
"""Included files of a manuscript, each as often as it is included."""
_MOST_CHARACTERS = 20_000_000
"""Characters of the included files."""


@dataclass
class _Budget:
    """What a manuscript may still include: a few files could include each other a million times."""

    files: int = _MOST_FILES
    characters: int = _MOST_CHARACTERS
    is_spent: bool = False


@dataclass(frozen=True)
class LatexFile:
    """A file of a manuscript."""

    find: Find
    """Gives the files that it includes."""
    name: str = ""
    """Name of an included file; empty for the manuscript itself."""
    opened: tuple[str, ...] = ()
    """Chain of files that include this one."""
    budget: _Budget = field(default_factory=_Budget)
    """Shared by all files of a manuscript."""

    def include(self, argument: str, line: int, notes: list[str]) -> tuple[str, LatexFile] | None:
        r"""The text of a file that this one includes; None, with a note, if it cannot be read.

        Args:
            argument: argument of the command, such as `methods` for `\input{methods}`.
            line: line of the command, from 1.
            notes: receives the reason why a file is not read.
        """
        budget = self.budget
        if budget.is_spent:  # one note says so
            return None
        name = argument.strip() + ("" if Path(argument.strip()).suffix else ".tex")
        note = f"{name}, included in line {line} of {self.name or 'the draft'}, is not read"
        if name in self.opened or len(self.opened) >= _MAX_DEPTH:
            notes.append(f"{note}: files include each other endlessly or too deeply")
            return None
        try:
            text = self.find(name)
        except LookupError as error:
            notes.append(f"{note}: {error.args[0]}")
            return None
        budget.files -= 1
        budget.characters -= len(text)
        if budget.files < 0 or budget.characters < 0:
            budget.is_spent = True
            notes.append(
                f"{note}, nor is any later one: expected at most {_MOST_FILES:,} included files "
                f"with {_MOST_CHARACTERS:,} characters in all"
            )
            return None
        return text, LatexFile(self.find, name, (*self.opened, name), budget)


def find_nothing(_: str) -> str:
    """Finds no included file: the manuscript is a string."""
    raise LookupError("the draft is not a file")


def find_in_folder(folder: Path, read: Callable[[Path], str]) -> Find:
    """Finds included files in the folder of a manuscript, and nowhere else.

    Args:
        folder: folder of the manuscript.
        read: reads an existing file.
    """
    root = folder.resolve()

    def find(name: str) -> str:
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            raise LookupError(f"it is outside {folder}")
        if not path.is_file():
            raise LookupError(f"there is no such file in {folder}")
        return read(path)

    return find


def find_in_texts(texts: Mapping[str, str]) -> Find:
    """Finds included files among texts, by their name without its folder.

    Args:
        texts: name of a file -> its content.
    """
    by_name = {PurePosixPath(name).name: text for name, text in texts.items()}

    def find(name: str) -> str:
        text = by_name.get(PurePosixPath(name).name)
        if text is None:
            raise LookupError("it is not among the given files")
        return text

    return find


def hide_unprinted(text: str) -> str:
    """The source without comments and verbatim parts; line ends stay, so that lines count."""
    return _UNPRINTED.sub(_hide, text.replace(_ENDED_LINE, " "))


def join_lines(text: str) -> str:
    """The source of `hide_unprinted` with lines joined where a comment ended one."""
    return _JOINED.sub("", text)


def _hide(match: re.Match[str]) -> str:
    if match["comment"]:
        return _ENDED_LINE
    if match["name"] or match["quote"] or match.group().startswith("\\iffalse"):
        return "\n" * match.group().count("\n") or " "
    return match.group()


class LatexPart(NamedTuple):
    """A heading, or the text below one."""

    section: str
    """The heading as plain text; empty without one."""
    text: str
    """Source of the heading, or of the text below it."""
    level: int
    """1 for sections, 2 for subsections and so on; 0 for parts, chapters and without a heading."""


def list_parts(body: str, clean: Callable[[str], str]) -> Iterator[LatexPart]:
    r"""Headings, each as its own source and then the text below it.

    The heading of an abstract is `Abstract`.

    Args:
        body: the source between `\begin{document}` and `\end{document}`.
        clean: a heading as plain text.
    """
    section, level, done = "", 0, 0
    for match in _HEADING.finditer(body):
        if match.start() < done:
            continue
        yield LatexPart(section, body[done : match.start()], level)
        section, level, done = "", 0, match.end()
        if match.group().startswith("\\abstract"):
            text, done = read_argument(body, done)
            yield LatexPart("Abstract", text, 1)
        elif match["abstract"]:
            if match.group().startswith("\\begin"):
                section, level = "Abstract", 1
        else:
            heading, done = read_argument(body, done)
            section, level = clean(heading), _LEVELS[match["heading"]]
            yield LatexPart(section, heading, level)
    yield LatexPart(section, body[done:], level)


def read_argument(text: str, start: int) -> tuple[str, int]:
    """The text between the brace at `start` and its counterpart, and where that ends.

    Without a counterpart it ends with the paragraph.
    """
    depth = 0
    for match in re.compile(r"\\.|[{}]|\n[ \t]*\n|\Z", re.DOTALL).finditer(text, start):
        sign = match.group()
        depth += (sign == "{") - (sign == "}")
        if depth == 0 and sign == "}":
            return text[start + 1 : match.start()], match.end()
        if not sign.strip():
            break
    return text[start + 1 : match.start()], match.start()
