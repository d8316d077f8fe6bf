"""A manuscript in Markdown or plain text: its title, abstract, sections and markers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

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

_FRONT = re.compile(r"\A---[ \t]*\n(?P<fields>.*?)\n(?:---|\.\.\.)[ \t]*(?=\n|\Z)", re.DOTALL)
_UNPRINTED = re.compile(
    r"<!--.*?(?:-->|\Z)|^ {0,3}(?P<fence>```|~~~).*?(?:^ {0,3}(?P=fence)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_COMMAND = re.compile(
    rf"(?P<plain>{MARKER.pattern})|\[(?P<keys>[^\[\]\n]*(?<![\w.])@[^\[\]]*)\]"
    r"|(?<![\w.@])@[A-Za-z][\w:-]*",
    re.IGNORECASE,
)
_KEY = re.compile(r"(?<![\w.@?])(?:@([^\s;,\]]*)|\?+)")
"""Key of a work; empty for a question mark."""
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(?P<text>.*?)[ \t#]*$")
_UNDERLINE = re.compile(r"^ {0,3}(?:=+|-{2,})[ \t]*$")
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+|^[ \t]*>[ \t]?")
_ROW = re.compile(r"^[ \t]*(?:\||\+[-=])")
_RULE = re.compile(r"^[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+$")
"""The rule below the head of a table whose rows do not begin with `|`."""
_STARTS = re.compile(r"[\W\d_]*[^\Wa-zß-öø-ÿ\d_]")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3})(?=\S)([^*_]+?)(?<=\S)\1(?![\w*])|`([^`\n]*)`")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_NUMBERED = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,4}\.)\s+")
_ABSTRACT = re.compile(r"^\W*(?:abstract|summary)\W*$", re.IGNORECASE)
_RUN_IN = re.compile(r"^\W{0,3}(?:abstract|summary)\W{0,3}[:.—–-]\W{0,3}", re.IGNORECASE)
_LONGEST_HEADING, _LONGEST_ATOP, _LONGEST_TITLE = 80, 50, 300
"""Maximum characters of a heading, of a heading without a blank line below it, and of a title."""


@dataclass
class _MarkdownBlock:
    """Lines of one paragraph, heading, item or table."""

    lines: list[str] = field(default_factory=list)
    level: bool = False
    """Whether it is marked as a heading."""
    item: bool = False
    """Whether it is an item of a list, or a quotation."""

    @property
    def text(self) -> str:
        return " ".join(self.lines)

    @property
    def table(self) -> bool:
        return any(_ROW.match(line) or _RULE.match(line) for line in self.lines)


def read_markdown(text: str, marks: Marks) -> MarkedManuscript:
    """A manuscript from Markdown, or from plain text with headings on lines of their own.

    The title is that of the front matter, the first heading, or a short first line without a
    full stop.

    Args:
        text: with line feeds as line ends.
        marks: receives the markers.
    """
    front = _FRONT.match(text)
    title = _front_field(front, "title")
    printed = _UNPRINTED.sub(_hide, _FRONT.sub(_hide, text))
    blocks = [
        part for block in _blocks(replace_markers(printed, marks)) for part in _part_heading(block)
    ]
    if blocks and not title and _is_title(blocks):
        title = remove_marks(_strip(blocks.pop(0).text))

    section, passages, abstract = "", list[Passage](), list[str]()
    for block in blocks:
        text, listed = _strip(block.text), heads_references(section)
        # entries of a reference list may look like unmarked headings
        if block.level or (_is_heading(block) and not listed):
            section = _NUMBERED.sub("", remove_citations(text))
            continue
        if block.table or listed:
            marks.skip(text, TABLES if block.table else REFERENCES)
            continue
        run_in = not abstract and _RUN_IN.match(text)
        if run_in:
            text = text[run_in.end() :]
        if run_in or _ABSTRACT.match(section):
            abstract.append(remove_citations(text))
        if MARK.search(text):
            passages.append(Passage("Abstract" if run_in else section, text))
    text = " ".join(abstract) or _front_field(front, "abstract")
    return MarkedManuscript(title, text, tuple(passages))


def replace_markers(text: str, marks: Marks) -> str:
    """The text with a character for each marker, and without keys of cited works."""

    def resolve(match: re.Match[str]) -> str:
        keys = _KEY.findall(match["keys"] or "")
        if match["plain"] or any(is_open(key) for key in keys):
            return marks.add("", text.count("\n", 0, match.start()) + 1, match.group())
        return f"[{CITED}]"

    return _COMMAND.sub(resolve, text)


def _blocks(text: str) -> Iterator[_MarkdownBlock]:
    block = _MarkdownBlock()
    for line in text.split("\n"):
        heading = _HEADING.match(line)
        tabled = bool(block.lines and _ROW.match(block.lines[0])) != bool(_ROW.match(line))
        if heading or not line.strip() or _ITEM.match(line) or tabled:
            if block.lines:
                yield block
            block = _MarkdownBlock(item=bool(_ITEM.match(line)))
        if heading:
            yield _MarkdownBlock([heading["text"]], level=True)
        elif len(block.lines) == 1 and _UNDERLINE.match(line):
            yield _MarkdownBlock(block.lines, level=True)
            block = _MarkdownBlock()
        elif line.strip():
            block.lines.append(_ITEM.sub("", line).strip())
    if block.lines:
        yield block


def _part_heading(block: _MarkdownBlock) -> Iterator[_MarkdownBlock]:
    """The heading on the first line of a paragraph in plain text, if any, and the rest."""
    first, rest = _MarkdownBlock(block.lines[:1]), _MarkdownBlock(block.lines[1:], item=block.item)
    if rest.lines and _is_heading(first) and _is_atop(first.text, rest):
        yield first
        block = rest
    yield block


def _is_atop(heading: str, rest: _MarkdownBlock) -> bool:
    """Whether a line is the heading of the lines below: it is far shorter, and they are sentences.

    Lines of a wrapped paragraph are about as long, and a title of several lines has no full stop.
    """
    short = len(heading.split()) <= 4 or len(heading) < 2 / 3 * len(rest.lines[0])
    ends = rest.text[-1:] in ".?!" or bool(MARK.search(rest.text))
    starts = bool(_STARTS.match(rest.text)) and len(heading) <= _LONGEST_ATOP
    return heads_references(heading) or (short and ends and starts and not rest.item)


def _is_title(blocks: list[_MarkdownBlock]) -> bool:
    """Whether the first block is a title: a heading, or a line without a full stop."""
    first = blocks[0]
    if first.level:
        return not _ABSTRACT.match(first.text) and not _is_section(first.text)
    short = len(first.text) <= _LONGEST_TITLE and len(first.lines) <= 3
    ends = first.text.rstrip().endswith((".", ",", ";", ":"))
    alone = len(blocks) > 1 and not MARK.search(first.text)
    return short and alone and not ends and not _is_section(first.text)


def _is_section(text: str) -> bool:
    words = _NUMBERED.sub("", text).strip().lower()
    return words in ("abstract", "summary", "introduction", "background")


def _is_heading(block: _MarkdownBlock) -> bool:
    text = block.text
    if block.level or MARK.search(text) or len(block.lines) != 1:
        return block.level
    if block.item or heads_references(text):
        return heads_references(text)
    short = len(text) <= _LONGEST_HEADING and len(text.split()) <= 10
    return short and (text[:1].isupper() or text[:1].isdigit()) and text[-1:] not in ".,;:?!…"


def _strip(text: str) -> str:
    """Removes the markup of Markdown and HTML."""
    text = _TAG.sub("", _LINK.sub(r"\1", text))
    text = _EMPHASIS.sub(lambda match: match[2] or match[3] or "", text)
    return " ".join(text.split())


def _front_field(front: re.Match[str] | None, name: str) -> str:
    """A field of the front matter (YAML), on one line or on indented lines below."""
    pattern = rf"^{name}:[ \t]*(?:[|>][+-]?[ \t]*)?(.*(?:\n[ \t]+.*)*)"
    match = re.search(pattern, front["fields"] if front else "", re.MULTILINE)
    return " ".join(match[1].split()).strip("\"'") if match else ""


def _hide(match: re.Match[str]) -> str:
    return "\n" * match.group().count("\n")
