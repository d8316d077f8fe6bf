"""A manuscript in LaTeX: its title, abstract, sections and markers."""

from __future__ import annotations

import re

from citescape.papers.latex_source import (
    Find,
    LatexFile,
    find_nothing,
    hide_unprinted,
    join_lines,
    list_parts,
    read_argument,
)
from citescape.papers.latex_text import to_plain
from citescape.recommend.drafts.citations import remove_citations, remove_marks
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

_COMMAND = re.compile(
    rf"""
    \\(?:input|include|subfile)\b\s*\{{(?P<file>[^{{}}\n]*)\}}
  | \\(?P<cite>(?:[abd-z]|c(?!ite))*cite[a-z]*+)\*?
    \s*+(?:\[[^\[\]]*+\]\s*+){{0,2}}\{{(?P<keys>[^{{}}]*+)\}}
  | \\todo\s*+(?:\[[^\[\]]*+\]\s*+)?\{{(?P<todo>[^{{}}]*+)\}}
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
_PARAGRAPH = re.compile(
    r"\n[ \t]*\n\s*|\\(?:begin|end)\{[^{}]*\}|\\(?:item|par|caption|bigskip|medskip|smallskip)\b"
)
_FOOTNOTE = re.compile(r"\\footnote(?:text)?\s*(?:\[[^\[\]]*\])?\s*(?=\{)")


def read_latex(text: str, marks: Marks, *, find: Find) -> MarkedManuscript:
    """A manuscript from its source and the files that it includes from its folder.

    Args:
        text: the source, whole or in part; commands that it defines are not expanded.
        marks: receives the markers, and notes on files that are not read.
        find: gives the files that it includes.
    """
    whole = join_lines(_flatten(text, marks, LatexFile(find)))
    body = whole.partition("\\begin{document}")[2] or whole
    body = body.partition("\\end{document}")[0]

    def skip(match: re.Match[str]) -> str:
        marks.skip(match.group(), TABLES if match["table"] else REFERENCES)
        return "\n\n"

    body = _DISPLAYED.sub(_keep_marks, _WITHOUT_SENTENCES.sub(skip, body))
    passages = []
    for section, part, _ in list_parts(body, _clean_heading):
        if heads_references(section):
            marks.skip(part, REFERENCES)
            continue
        for paragraph in _PARAGRAPH.split(_move_footnotes(part)):
            if paragraph and MARK.search(paragraph):
                passages.append(Passage(section, to_plain(paragraph)))
    parts = list_parts(body, _clean_heading)
    abstract = " ".join(part.text for part in parts if part.section == "Abstract")
    title = re.search(r"\\title\s*(?:\[[^\[\]]*\])?\s*(?=\{)", whole)
    return MarkedManuscript(
        remove_marks(to_plain(read_argument(whole, title.end())[0])) if title else "",
        remove_citations(to_plain(_PARAGRAPH.sub(" ", abstract))),
        tuple(passages),
    )


def resolve_commands(text: str, marks: Marks) -> str:
    """A few sentences as plain text, with a character for each marker."""
    flat = _flatten(text, marks, LatexFile(find_nothing))
    return to_plain(_DISPLAYED.sub(_keep_marks, join_lines(flat)))


def _flatten(text: str, marks: Marks, source: LatexFile) -> str:
    """The source with included files, without unprinted parts, with characters for markers."""
    text = hide_unprinted(text)

    def resolve(match: re.Match[str]) -> str:
        name, todo = (match["cite"] or "").lower(), match["todo"]
        if name in _NO_CITATIONS or (todo is not None and not _CITING_TODO.search(todo)):
            return ""
        if name and not is_open(match["keys"]):
            return f"[{CITED}]"
        line = text.count("\n", 0, match.start()) + 1
        if match["file"] is not None:
            included = source.include(match["file"], line, marks.notes)
            return _flatten(included[0], marks, included[1]) if included else ""
        return marks.add(source.name, line, match.group())

    return _COMMAND.sub(resolve, text)


def _clean_heading(heading: str) -> str:
    return remove_citations(to_plain(heading))


def _move_footnotes(text: str) -> str:
    """Moves footnotes behind the text, as paragraphs, so that they do not split sentences."""
    pieces, notes, done = [], [], 0
    for match in _FOOTNOTE.finditer(text):
        if match.start() >= done:
            note, end = read_argument(text, match.end())
            pieces.append(text[done : match.start()])
            notes.append(note)
            done = end
    return "\n\n".join(("".join((*pieces, text[done:])), *notes))


def _keep_marks(match: re.Match[str]) -> str:
    """The markers of displayed maths."""
    return f" {' '.join(f'[{mark}]' for mark in MARK.findall(match.group()))} "
