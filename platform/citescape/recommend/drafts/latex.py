"""A manuscript in LaTeX: its title, abstract, sections and markers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from citescape.recommend.drafts.citations import remove_citations, remove_marks
from citescape.recommend.drafts.latex_text import to_plain
from citescape.recommend.drafts.marks import (
    CITED,
    MARK,
    MARKER,
    REFERENCES,
    TABLES,
    MarkedManuscript,
    Marks,
    Passage,
    heads_references,
    is_open,
)

Read = Callable[[Path], str]
"""Reads an existing file."""

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
_COMMAND = re.compile(
    rf"""
    \\(?:input|include|subfile)\b\s*\{{(?P<file>[^{{}}\n]*)\}}
  | \\(?P<cite>[A-Za-z]*[cC]ite[A-Za-z]*)\*?\s*(?:\[[^\[\]]*\]\s*){{0,2}}\{{(?P<keys>[^{{}}]*)\}}
  | \\todo\s*(?:\[[^\[\]]*\])?\s*\{{(?P<todo>[^{{}}]*)\}}
  | (?P<plain>{MARKER.pattern})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NO_CITATIONS = frozenset(("nocite", "citestyle", "defcitealias", "citereset"))
_CITING_TODO = re.compile(r"\b(?:cit\w*|refs?|references?)\b|\?", re.IGNORECASE)
_DISPLAYED = re.compile(
    r"(?:\$\$.{0,5000}?\$\$|\\\[.{0,5000}?\\\]"
    r"|\\begin\{(equation|align|gather|multline|eqnarray|displaymath|math)(\*?)\}"
    r".{0,5000}?\\end\{\1\2\})[ \t]*\n?",
    re.DOTALL,
)
_WITHOUT_SENTENCES = re.compile(
    r"\\begin\{(?P<table>tabular[xy*]?|tabulary|longtable\*?|tabbing)\}.*?(?:\\end\{(?P=table)\}|\Z)"
    r"|\\begin\{thebibliography\}.*?(?:\\end\{thebibliography\}|\Z)"
    r"|\\bibitem\b(?:(?!\\bibitem\b|\n[ \t]*\n).)*",
    re.DOTALL,
)
"""Tables and reference lists, which have no sentences."""
_HEADING = re.compile(
    r"\\(?:part|chapter|(?:sub)*section|(?:sub)?paragraph)\*?\s*(?:\[[^\[\]]*\]\s*)?(?=\{)"
    r"|\\(?:begin|end)\{(?P<abstract>abstract)\}|\\abstract\s*(?=\{)"
)
_PARAGRAPH = re.compile(
    r"\n[ \t]*\n\s*|\\(?:begin|end)\{[^{}]*\}|\\(?:item|par|caption|bigskip|medskip|smallskip)\b"
)
_FOOTNOTE = re.compile(r"\\footnote(?:text)?\s*(?:\[[^\[\]]*\])?\s*(?=\{)")
_MAX_DEPTH = 20
"""Depth of included files."""


@dataclass(frozen=True)
class _Source:
    """A file of a draft."""

    file: str
    folder: Path | None
    """Folder of the draft; None for a string."""
    opened: tuple[str, ...] = ()
    """Chain of files that include this one."""


def read_latex(text: str, marks: Marks, *, folder: Path | None, read: Read) -> MarkedManuscript:
    """A manuscript from its source and the files that it includes from its folder.

    Args:
        text: the source, whole or in part; commands that it defines are not expanded.
        marks: receives the markers, and notes on files that are not read.
        folder: folder of the source; None for a string.
        read: reads an included file.
    """
    flat = _flatten(text, marks, _Source("", folder), read=read)
    whole = _JOINED.sub("", flat)
    body = whole.partition("\\begin{document}")[2] or whole
    body = body.partition("\\end{document}")[0]

    def skip(match: re.Match[str]) -> str:
        marks.skip(match.group(), TABLES if match["table"] else REFERENCES)
        return "\n\n"

    body = _DISPLAYED.sub(_keep_marks, _WITHOUT_SENTENCES.sub(skip, body))
    passages = []
    for section, part in _sections(body):
        if heads_references(section):
            marks.skip(part, REFERENCES)
            continue
        for paragraph in _PARAGRAPH.split(_move_footnotes(part)):
            if paragraph and MARK.search(paragraph):
                passages.append(Passage(section, to_plain(paragraph)))
    abstract = " ".join(part for name, part in _sections(body) if name == "Abstract")
    title = re.search(r"\\title\s*(?:\[[^\[\]]*\])?\s*(?=\{)", whole)
    return MarkedManuscript(
        remove_marks(to_plain(_argument(whole, title.end())[0])) if title else "",
        remove_citations(to_plain(_PARAGRAPH.sub(" ", abstract))),
        tuple(passages),
    )


def resolve_commands(text: str, marks: Marks) -> str:
    """A few sentences as plain text, with a character for each marker."""
    flat = _flatten(text, marks, _Source("", None), read=Path.read_text)
    return to_plain(_DISPLAYED.sub(_keep_marks, _JOINED.sub("", flat)))


def _flatten(text: str, marks: Marks, source: _Source, *, read: Read) -> str:
    """The source with included files, without unprinted parts, with characters for markers."""
    text = _UNPRINTED.sub(_hide, text.replace(_ENDED_LINE, " "))

    def resolve(match: re.Match[str]) -> str:
        name, todo = (match["cite"] or "").lower(), match["todo"]
        if name in _NO_CITATIONS or (todo is not None and not _CITING_TODO.search(todo)):
            return ""
        if name and not is_open(match["keys"]):
            return f"[{CITED}]"
        line = text.count("\n", 0, match.start()) + 1
        if match["file"] is not None:
            return _include(match["file"], marks, source, line=line, read=read)
        return marks.add(source.file, line, match.group())

    return _COMMAND.sub(resolve, text)


def _hide(match: re.Match[str]) -> str:
    """Removes an unprinted part; its line ends stay, so that lines can be counted."""
    if match["comment"]:
        return _ENDED_LINE
    if match["name"] or match["quote"] or match.group().startswith("\\iffalse"):
        return "\n" * match.group().count("\n") or " "
    return match.group()


def _include(argument: str, marks: Marks, source: _Source, *, line: int, read: Read) -> str:
    """The text of an included file; empty, with a note, if it cannot be read."""
    name = argument.strip() + ("" if Path(argument.strip()).suffix else ".tex")
    note = f"{name}, included in line {line} of {source.file or 'the draft'}, is not read"
    if source.folder is None:
        marks.notes.append(f"{note}: the draft is not a file")
        return ""
    root = source.folder.resolve()
    path = (root / name).resolve()
    if not path.is_relative_to(root):
        marks.notes.append(f"{note}: it is outside {source.folder}")
    elif name in source.opened or len(source.opened) >= _MAX_DEPTH:
        marks.notes.append(f"{note}: files include each other endlessly or too deeply")
    elif not path.is_file():
        marks.notes.append(f"{note}: there is no such file in {source.folder}")
    else:
        inner = _Source(name, source.folder, (*source.opened, name))
        return _flatten(read(path), marks, inner, read=read)
    return ""


def _sections(body: str) -> Iterator[tuple[str, str]]:
    """Headings, and the text below each; the heading of an abstract is `Abstract`."""
    section, done = "", 0
    for match in _HEADING.finditer(body):
        if match.start() < done:
            continue
        yield section, body[done : match.start()]
        section, done = "", match.end()
        if match.group().startswith("\\abstract"):
            text, done = _argument(body, done)
            yield "Abstract", text
        elif match["abstract"]:
            section = "Abstract" if match.group().startswith("\\begin") else ""
        else:
            heading, done = _argument(body, done)
            section = remove_citations(to_plain(heading))
            yield section, heading
    yield section, body[done:]


def _move_footnotes(text: str) -> str:
    """Moves footnotes behind the text, as paragraphs, so that they do not split sentences."""
    pieces, notes, done = [], [], 0
    for match in _FOOTNOTE.finditer(text):
        if match.start() >= done:
            note, end = _argument(text, match.end())
            pieces.append(text[done : match.start()])
            notes.append(note)
            done = end
    return "\n\n".join(("".join((*pieces, text[done:])), *notes))


def _argument(text: str, start: int) -> tuple[str, int]:
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


def _keep_marks(match: re.Match[str]) -> str:
    """The markers of displayed maths."""
    return f" {' '.join(f'[{mark}]' for mark in MARK.findall(match.group()))} "
