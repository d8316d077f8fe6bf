"""Reads references from files and from text: BibTeX, RIS, JSON, LaTeX, tables, lists of ids."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from citescape.core.errors import ConfigError
from citescape.core.identifiers import normalise_doi, normalise_pmcid, normalise_pmid, pmid_in_link
from citescape.papers.bibtex_reader import looks_like_bibtex, read_bibtex
from citescape.papers.csl_reader import looks_like_json, read_csl
from citescape.papers.latex_source import Find, find_in_folder, find_in_texts
from citescape.papers.manuscripts import looks_like_latex, read_citations
from citescape.papers.references import ListedReference, ReferenceList, make_reference
from citescape.papers.ris_reader import looks_like_ris, read_ris
from citescape.papers.text_files import normalise_text, read_text_file

SUFFIXES = (".bib", ".ris", ".json", ".tex", ".ltx", ".csv", ".tsv", ".txt")
"""Endings of files with references."""
LARGEST_FILE = 256 << 20
"""Maximum number of bytes of a file; 100,000 entries of BibTeX have some 30 million."""
_MOST_NOTES = 20
_DOI = re.compile(
    r"10\.[0-9]{4,9}/\S+?(?=[,;|]?(?:\s|$|(?:https?://\S{0,30}/|doi:)?10\.[0-9]{4,9}/))"
)
"""Up to a separator or the next DOI; a year in it is neither, as in 10.1111/j.1469.2010.03284.x."""
_PREFIXED = re.compile(r"\b(pmid|pmcid)\s*:?\s*((?:PMC)?[0-9]{1,9})\b", re.IGNORECASE)
_PMCID = re.compile(r"\bPMC[0-9]{3,9}\b", re.IGNORECASE)
_ID = re.compile(r"[a-z][\w.-]*:\S+", re.IGNORECASE)
_UNKNOWN = re.compile(r"(?<!\S)(?:10\.[^\s/]*+/|(?!https?:)[a-z][\w.-]*+:)[^\s0-9]*+[0-9]\S*+")
"""What is no known identifier, beside others: it must be reported, not skipped."""
_SEPARATOR = re.compile(r"[\s,;|]")
_LONGEST_PREFIX = 200
"""Characters before a DOI that may belong to an id of the store."""
_WORDS = re.compile(r"[^\W\d_]{2,}")
_COLUMNS = {
    "doi": ("doi", "di"),
    "pmid": ("pmid", "pubmed id", "pubmed_id", "pm"),
    "pmcid": ("pmcid", "pmc"),
    "title": ("title", "article title", "ti", "document title"),
    "year": ("year", "publication year", "py", "date", "pubyear"),
    "authors": ("authors", "author", "author full names", "au", "creators"),
    "key": ("key", "id", "citation key", "citekey"),
}
"""Column here -> its names in tables, in lower case."""


def read_references(names: Sequence[str], texts: Mapping[str, str]) -> ReferenceList:
    """The references of files, of texts, and of identifiers.

    Args:
        names: paths of files, and identifiers. A path ends in one of `SUFFIXES`, or exists.
        texts: name of a file -> its content; the name decides the format, and is never opened.

    Raises:
        ConfigError: a file cannot be read, or there is no reference.
        SourceError: a file is too long, not text, or damaged JSON.
    """
    found = ReferenceList()
    sources: list[tuple[str, str, Find]] = []
    contents = {name: normalise_text(text) for name, text in texts.items()}
    sources += [(name, text, find_in_texts(contents)) for name, text in contents.items()]
    listed = []
    for name in names:
        path = Path(name)
        if path.suffix.lower() in SUFFIXES or _is_file(path):
            sources.append((path.name, _read(path), find_in_folder(path.parent, _read)))
        else:
            listed.append(name)
    if listed:
        found.references += read_list("\n".join(listed), "")
    with_lists = any(_find_kind(name, text) == "bib" for name, text, _ in sources)
    for name, text, find in sources:
        _add(found, name, text, find, with_lists=with_lists)
    if not found.references and not found.mentions:
        what = ", ".join(name for name, _, _ in sources) or "the text"
        raise ConfigError(
            f"{what} has no reference; expected a .bib, .ris, .json, .tex or .csv file, or DOIs, "
            "PMIDs or ids of papers"
        )
    more = len(found.notes) - _MOST_NOTES
    if more > 0:
        found.notes[_MOST_NOTES:] = [f"{more:,} more lines like these"]
    return found


def _add(found: ReferenceList, name: str, text: str, find: Find, *, with_lists: bool) -> None:
    """Adds the references of one file."""
    kind = _find_kind(name, text)
    if kind == "bib":
        found.references += read_bibtex(text, name, found.notes)
    elif kind == "ris":
        found.references += read_ris(text, name, found.notes)
    elif kind == "json":
        found.references += read_csl(text, name, found.notes)
    elif kind == "csv":
        found.references += _read_table(text, name, found.notes)
    elif kind == "tex":
        cited = read_citations(text, name, find, found.notes)
        found.mentions = (found.mentions or {}) | cited.mentions
        found.references += cited.items
        for listed in () if with_lists else cited.lists:
            try:
                content = normalise_text(find(listed))
            except LookupError as error:
                found.notes.append(f"{listed}, the reference list, is not read: {error.args[0]}")
            else:
                found.references += read_bibtex(content, listed, found.notes)
    else:
        found.references += read_list(text, name)


def _find_kind(name: str, text: str) -> str:
    """`bib`, `ris`, `json`, `tex`, `csv` or `list`: by the ending, else by the content."""
    suffix = PurePosixPath(name).suffix.lower()
    known = {".bib": "bib", ".ris": "ris", ".json": "json", ".tex": "tex", ".ltx": "tex"}
    if suffix in known:
        return known[suffix]
    if suffix in (".csv", ".tsv") and _find_columns(text):
        return "csv"
    if looks_like_json(text):
        return "json"
    if looks_like_bibtex(text):
        return "bib"
    if looks_like_ris(text):
        return "ris"
    return "tex" if looks_like_latex(text) else "list"


def read_list(text: str, file: str) -> list[ListedReference]:
    """Identifiers between any separators, or a title per line; `#` begins a comment.

    A line with several words and no identifier is a title. DOIs, PMIDs and PMCIDs are found in
    printed references too.

    Args:
        text: the list.
        file: its name.
    """
    references = []
    for number, whole in enumerate(text.split("\n"), 1):
        line = whole.partition(" #")[0].strip() if not whole.startswith("#") else ""
        references += [ListedReference(file, number, **fields) for fields in _find_ids(line)]
    return references


def _find_ids(line: str) -> list[dict[str, Any]]:
    """The identifiers in a line as fields of `ListedReference`."""
    fields: list[tuple[int, dict[str, Any]]] = []

    def take(match: re.Match[str], kind: str, value: str | None) -> str:
        if value:
            key = match.group().strip(" .,;")
            before = line[max(0, match.start() - _LONGEST_PREFIX) : match.start()]
            name = f"{_SEPARATOR.split(before)[-1]}{key}"  # an id of the store may hold a DOI
            fields.append((match.start(), {"key": key, "name": name, kind: value}))
        return " " * len(match.group()) if value else match.group()

    rest = _DOI.sub(lambda match: take(match, "doi", normalise_doi(match[0], whole=True)), line)
    rest = _PREFIXED.sub(
        lambda match: take(
            match,
            match[1].lower(),
            (normalise_pmid if match[1].lower() == "pmid" else normalise_pmcid)(match[2]),
        ),
        rest,
    )
    rest = _PMCID.sub(lambda match: take(match, "pmcid", normalise_pmcid(match[0])), rest)
    if pmid := pmid_in_link(rest):
        fields.append((len(rest), {"key": line, "name": line, "pmid": pmid}))
    if fields:
        for match in _UNKNOWN.finditer(rest):
            name = match.group().rstrip(".,;")
            fields.append((match.start(), {"key": name, "name": name}))
        return [own for _, own in sorted(fields, key=lambda item: item[0])]
    parts = [part for part in re.split(r"[\s,;|]+", line) if part]
    is_text = not all(part.isdecimal() or _ID.fullmatch(part) for part in parts)
    if len(parts) > 1 and is_text and len(_WORDS.findall(line)) > 1:
        return [{"key": line, "title": line}]
    return [
        {"key": part, "name": part, **({"pmid": pmid} if (pmid := normalise_pmid(part)) else {})}
        for part in parts
    ]


def _find_columns(text: str) -> dict[str, int]:
    """Column of `_COLUMNS` -> its place in the first row of a table."""
    header = next(csv.reader([text.partition("\n")[0]], delimiter=_find_delimiter(text)), [])
    names = [name.strip().lower() for name in header]
    places = {
        column: next(names.index(name) for name in known if name in names)
        for column, known in _COLUMNS.items()
        if any(name in names for name in known)
    }
    return places if places.keys() & {"doi", "pmid", "pmcid", "title"} else {}


def _find_delimiter(text: str) -> str:
    return max("\t;,", key=text.partition("\n")[0].count)


def _read_table(text: str, file: str, notes: list[str]) -> list[ListedReference]:
    places = _find_columns(text)
    rows = csv.reader(text.splitlines(keepends=True)[1:], delimiter=_find_delimiter(text))
    references: list[ListedReference] = []
    while True:
        line = rows.line_num + 2
        try:
            row = next(rows)
        except StopIteration:
            return references
        except csv.Error as error:
            problem = str(error)
            if "field limit" in problem:
                problem = (
                    f"a cell has more than {csv.field_size_limit():,} characters, perhaps because "
                    "a quotation mark before it is not closed"
                )
            notes.append(f"{file}, line {line}: {problem}; left out")
            continue
        fields = {name: row[place] for name, place in places.items() if place < len(row)}
        if any(map(str.strip, row)):
            names = (fields.get(name, "").strip() for name in ("key", "doi", "pmid", "title"))
            last = rows.line_num + 1
            key = next(filter(None, names), f"line {last}")
            authors = re.split(r";|\band\b", fields.get("authors", ""))
            references.append(make_reference(file, last, key, fields, authors))


def _read(path: Path) -> str:
    return normalise_text(read_text_file(path, LARGEST_FILE))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long, or has a null character
        return False
