r"""What a manuscript in LaTeX cites: keys by section, and the reference lists that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from citescape.core.identifiers import normalise_doi, normalise_year, pmid_in_link, pmid_in_text
from citescape.loaders.section_types import UNTYPED, Typing, type_section
from citescape.papers.latex_source import (
    Find,
    LatexFile,
    hide_unprinted,
    join_lines,
    list_parts,
)
from citescape.papers.latex_text import to_plain
from citescape.papers.references import ListedReference

_INPUT = re.compile(r"\\(?:input|include|subfile)\b\s*\{(?P<file>[^{}\n]*)\}")
_CITE = re.compile(
    r"\\(?P<name>(?:[abd-zABD-Z]|[cC](?!ite))*[cC]ite[A-Za-z]*+)\*?"
    r"\s*+(?:\[[^\[\]]*+\]\s*+){0,2}\{(?P<keys>[^{}]*+)\}"
)
_LISTS = re.compile(r"\\(?:bibliography|addbibresource)\s*+(?:\[[^\[\]]*+\]\s*+)?\{([^{}]*+)\}")
_ITEMS = re.compile(r"\\begin\{thebibliography\}.*?(?:\\end\{thebibliography\}|\Z)", re.DOTALL)
_ITEM = re.compile(r"\\bibitem\s*+(?:\[(?:[^\[\]{}]|\{[^{}]*+\})*\]\s*+)?\{([^{}]*+)\}")
_NO_CITATIONS = frozenset(("citestyle", "defcitealias", "citereset", "citetrackerfalse"))
_LOOKS = re.compile(r"\\(?:documentclass|(?:begin|title|input|include)\{|(?:sub)*section\b)")


@dataclass
class ManuscriptCitations:
    """Citations of a manuscript."""

    mentions: dict[str, dict[str, int]] = field(default_factory=dict)
    """Key -> type of section (I, M, R, D, other) -> number of citations, in the order of the
    text; empty for a key of a `nocite` command."""
    lists: list[str] = field(default_factory=list)
    """Names of its `.bib` files."""
    items: list[ListedReference] = field(default_factory=list)
    """Entries of its own reference list."""


def read_citations(text: str, file: str, find: Find, notes: list[str]) -> ManuscriptCitations:
    r"""The keys that a manuscript cites, by type of section as for papers of the graph.

    The type follows from the heading, else from that of the section above. Text before the first
    heading and the abstract are `other`.

    Args:
        text: its source.
        file: its name.
        find: gives the files that it includes.
        notes: receives a line for each included file that is not read.
    """
    whole = join_lines(_flatten(text, LatexFile(find), notes))
    body = whole.partition("\\begin{document}")[2] or whole
    body = body.partition("\\end{document}")[0]
    found = ManuscriptCitations()
    for names in _LISTS.findall(whole):
        for name in filter(None, map(str.strip, names.split(","))):
            found.lists.append(name if name.endswith(".bib") else f"{name}.bib")
    for items in _ITEMS.findall(body):
        found.items += _read_items(items, file)
    above: dict[int, Typing] = {}
    for section, part, level in list_parts(_ITEMS.sub(" ", body), to_plain):
        parent = next((above[k] for k in sorted(above, reverse=True) if 0 < k < level), None)
        typing = type_section("", section, parent) if level else UNTYPED
        above = {k: kept for k, kept in above.items() if k < level} | {level: typing}
        for cite in _CITE.finditer(part):
            if cite["name"].lower() in _NO_CITATIONS:
                continue
            for key in filter(None, map(str.strip, cite["keys"].split(","))):
                counts = found.mentions.setdefault(key, {})
                if cite["name"].lower() != "nocite":
                    counts[typing.type] = counts.get(typing.type, 0) + 1
    return found


def looks_like_latex(text: str) -> bool:
    """Whether a text has commands of a manuscript."""
    return _LOOKS.search(text) is not None or _CITE.search(text) is not None


def _flatten(text: str, source: LatexFile, notes: list[str]) -> str:
    text = hide_unprinted(text)

    def resolve(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start()) + 1
        included = source.include(match["file"], line, notes)
        return _flatten(*included, notes) if included else ""

    return _INPUT.sub(resolve, text)


def _read_items(text: str, file: str) -> list[ListedReference]:
    """Entries of a reference list: identifiers, and the whole entry as title."""
    starts = [*_ITEM.finditer(text)]
    ends = (*(start.start() for start in starts[1:]), len(text))
    items = []
    for start, end in zip(starts, ends, strict=False):
        source = text[start.end() : end].replace("\\newblock", " ")
        plain = to_plain(re.sub(r"\\(?:url|doi|href)\b", " ", source))
        items.append(
            ListedReference(
                file,
                1,
                start[1].strip(),
                plain.removesuffix("\\end").strip(),
                normalise_year(plain),
                doi=normalise_doi(source.replace("\\_", "_").replace("}", " ")),
                pmid=pmid_in_link(source) or pmid_in_text(plain),
            )
        )
    return items
