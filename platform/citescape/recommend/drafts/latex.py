"""A manuscript in LaTeX: its title, abstract and sections, and where it wants citations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from citescape.recommend.drafts.citations import take_out, take_out_marks
from citescape.recommend.drafts.latex_text import to_plain
from citescape.recommend.drafts.manuscript import (
    REFERENCES,
    TABLES,
    Manuscript,
    Passage,
    heads_references,
)
from citescape.recommend.drafts.marks import CITED, MARK, WANTED, Marks, is_open

Read = Callable[[Path], str]
"""The text of a file that is known to be there."""

_UNSEEN = re.compile(
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
"""In place of a comment, which takes the end of its line with it, unless a paragraph ends there."""
_JOINED = re.compile(rf"{_ENDED_LINE}(?:\n[ \t]*(?![ \t]*\n))?")
_CALLED = re.compile(
    rf"""
    \\(?:input|include|subfile)\b\s*\{{(?P<file>[^{{}}\n]*)\}}
  | \\(?P<cite>[A-Za-z]*[cC]ite[A-Za-z]*)\*?\s*(?:\[[^\[\]]*\]\s*){{0,2}}\{{(?P<keys>[^{{}}]*)\}}
  | \\todo\s*(?:\[[^\[\]]*\])?\s*\{{(?P<todo>[^{{}}]*)\}}
  | (?P<plain>{WANTED.pattern})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NO_CITATIONS = frozenset(("nocite", "citestyle", "defcitealias", "citereset"))
_ASKED = re.compile(r"\b(?:cit\w*|refs?|references?)\b|\?", re.IGNORECASE)
_DISPLAYED = re.compile(
    r"(?:\$\$.{0,5000}?\$\$|\\\[.{0,5000}?\\\]"
    r"|\\begin\{(equation|align|gather|multline|eqnarray|displaymath|math)(\*?)\}"
    r".{0,5000}?\\end\{\1\2\})[ \t]*\n?",
    re.DOTALL,
)
_APART = re.compile(
    r"\\begin\{(?P<table>tabular[xy*]?|tabulary|longtable\*?|tabbing)\}.*?(?:\\end\{(?P=table)\}|\Z)"
    r"|\\begin\{thebibliography\}.*?(?:\\end\{thebibliography\}|\Z)"
    r"|\\bibitem\b(?:(?!\\bibitem\b|\n[ \t]*\n).)*",
    re.DOTALL,
)
"""Tables and lists of references, which have no sentences."""
_HEADING = re.compile(
    r"\\(?:part|chapter|(?:sub)*section|(?:sub)?paragraph)\*?\s*(?:\[[^\[\]]*\]\s*)?(?=\{)"
    r"|\\(?:begin|end)\{(?P<abstract>abstract)\}|\\abstract\s*(?=\{)"
)
_PARAGRAPH = re.compile(
    r"\n[ \t]*\n\s*|\\(?:begin|end)\{[^{}]*\}|\\(?:item|par|caption|bigskip|medskip|smallskip)\b"
)
_FOOTNOTE = re.compile(r"\\footnote(?:text)?\s*(?:\[[^\[\]]*\])?\s*(?=\{)")
_DEEPEST = 20
"""Files that include each other."""


@dataclass(frozen=True)
class _Source:
    """A file among those that make up a draft."""

    file: str
    folder: Path | None
    """Of the draft; None for a text without files."""
    opened: tuple[str, ...] = ()
    """Files that led here."""


def read_latex(text: str, marks: Marks, *, folder: Path | None, read: Read) -> Manuscript:
    """A manuscript from its source; files that it includes from its folder are read with it.

    Args:
        text: the source, whole or a part of it; commands of the author are not expanded.
        marks: markers that are found are added, and notes on files that are not read.
        folder: of the source; None if it has none.
        read: gives the text of an included file.
    """
    flat = _flatten(text, marks, _Source("", folder), read=read)
    whole = _JOINED.sub("", flat)
    body = whole.partition("\\begin{document}")[2] or whole
    body = _set_apart(body.partition("\\end{document}")[0], marks)
    abstract = " ".join(part for name, part in _sections(body) if name == "Abstract")
    title = re.search(r"\\title\s*(?:\[[^\[\]]*\])?\s*(?=\{)", whole)
    return Manuscript(
        take_out_marks(to_plain(_argument(whole, title.end())[0])) if title else "",
        take_out(to_plain(_PARAGRAPH.sub(" ", abstract))),
        tuple(_passages(body, marks)),
    )


def resolve_commands(text: str, marks: Marks) -> str:
    """A few sentences as plain text, with a character for each marker."""
    flat = _flatten(text, marks, _Source("", None), read=Path.read_text)
    return to_plain(_DISPLAYED.sub(_keep_marks, _JOINED.sub("", flat)))


def _flatten(text: str, marks: Marks, source: _Source, *, read: Read) -> str:
    """The source with included files in place, without what is not printed, markers marked."""
    text = _UNSEEN.sub(_hide, text.replace(_ENDED_LINE, " "))

    def resolve(found: re.Match[str]) -> str:
        name, todo = (found["cite"] or "").lower(), found["todo"]
        if name in _NO_CITATIONS or (todo is not None and not _ASKED.search(todo)):
            return ""
        if name and not is_open(found["keys"]):
            return f"[{CITED}]"
        line = text.count("\n", 0, found.start()) + 1
        if found["file"] is not None:
            return _include(found["file"], (marks, source, line), read=read)
        return marks.add(source.file, line, found.group())

    return _CALLED.sub(resolve, text)


def _hide(found: re.Match[str]) -> str:
    """Lines stay, so that they can be counted."""
    if found["comment"]:
        return _ENDED_LINE
    if found["name"] or found["quote"] or found.group().startswith("\\iffalse"):
        return "\n" * found.group().count("\n") or " "
    return found.group()


def _include(named: str, where: tuple[Marks, _Source, int], *, read: Read) -> str:
    """The text of an included file; nothing, and a note, where it cannot be read."""
    marks, source, line = where
    name = named.strip() + ("" if Path(named.strip()).suffix else ".tex")
    told = f"{name}, which line {line} of {source.file or 'the draft'} includes, is not read"
    if source.folder is None:
        marks.notes.append(f"{told}: the draft is no file in a folder")
        return ""
    root = source.folder.resolve()
    path = (root / name).resolve()
    if not path.is_relative_to(root):
        marks.notes.append(f"{told}: it is outside {source.folder}")
    elif name in source.opened or len(source.opened) >= _DEEPEST:
        marks.notes.append(f"{told}: files include each other without end")
    elif not path.is_file():
        marks.notes.append(f"{told}: there is no such file in {source.folder}")
    else:
        inner = _Source(name, source.folder, (*source.opened, name))
        return _flatten(read(path), marks, inner, read=read)
    return ""


def _set_apart(body: str, marks: Marks) -> str:
    """The text without tables, lists of references and displayed maths."""

    def leave_out(found: re.Match[str]) -> str:
        marks.leave_out(found.group(), TABLES if found["table"] else REFERENCES)
        return "\n\n"

    return _DISPLAYED.sub(_keep_marks, _APART.sub(leave_out, body))


def _passages(body: str, marks: Marks) -> Iterator[Passage]:
    for section, part in _sections(body):
        if heads_references(section):
            marks.leave_out(part, REFERENCES)
            continue
        for paragraph in _PARAGRAPH.split(_move_footnotes(part)):
            if paragraph and MARK.search(paragraph):
                yield Passage(section, to_plain(paragraph))


def _sections(body: str) -> Iterator[tuple[str, str]]:
    """Headings, and the text below each; an abstract's heading is `Abstract`."""
    section, done = "", 0
    for found in _HEADING.finditer(body):
        if found.start() < done:
            continue
        yield section, body[done : found.start()]
        section, done = "", found.end()
        if found.group().startswith("\\abstract"):
            text, done = _argument(body, done)
            yield "Abstract", text
        elif found["abstract"]:
            section = "Abstract" if found.group().startswith("\\begin") else ""
        else:
            heading, done = _argument(body, done)
            section = take_out(to_plain(heading))
            yield section, heading
    yield section, body[done:]


def _move_footnotes(text: str) -> str:
    """Footnotes as paragraphs of their own after the text, so that they part no sentence."""
    pieces, notes, done = [], [], 0
    for found in _FOOTNOTE.finditer(text):
        if found.start() >= done:
            note, end = _argument(text, found.end())
            pieces.append(text[done : found.start()])
            notes.append(note)
            done = end
    return "\n\n".join(("".join((*pieces, text[done:])), *notes))


def _argument(text: str, start: int) -> tuple[str, int]:
    """What stands between the brace at `start` and its counterpart, and where that ends.

    Without a counterpart it ends with the paragraph.
    """
    depth = 0
    for found in re.compile(r"\\.|[{}]|\n[ \t]*\n|\Z", re.DOTALL).finditer(text, start):
        sign = found.group()
        depth += (sign == "{") - (sign == "}")
        if depth == 0 and sign == "}":
            return text[start + 1 : found.start()], found.end()
        if not sign.strip():
            break
    return text[start + 1 : found.start()], found.start()


def _keep_marks(found: re.Match[str]) -> str:
    """Nothing of displayed maths but the markers in it."""
    return f" {' '.join(f'[{mark}]' for mark in MARK.findall(found.group()))} "
