"""Data sets of tables: their files, format and name.

Tables of papers and of citations that are given together, or are in one folder, are one data set.
Ids of papers without DOI and PMID begin with its name (`aan:D10-1001`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from os.path import isfile
from pathlib import Path

from citescape.core.errors import ConfigError, SourceError, invalid_choice
from citescape.core.paths import path_text
from citescape.core.types import Identifiers
from citescape.loaders import aan, csv_tables
from citescape.loaders.archives import ARCHIVES, ARTICLES, ending, ends
from citescape.loaders.documents import of_file
from citescape.loaders.exports import is_export_file
from citescape.loaders.formats import DOCUMENTS as DOCUMENT_FORMATS
from citescape.loaders.formats import FORMATS
from citescape.loaders.lines import TextLines
from citescape.loaders.sources import walk
from citescape.loaders.table_rows import CitationBatch, PaperRow

_TABLES = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
_LISTED = (*_TABLES, ".txt", ".txt.gz")
"""Endings of files that are tables; endings of the tables that are searched for in folders."""
_NO_TABLES = (*ARTICLES, *ARCHIVES)


@dataclass(frozen=True)
class TableFormat:
    """Detection and reading of tables in one format."""

    version: str
    expected: str
    kind_of: Callable[[str], str | None]
    """First line of a file -> its content: `papers`, `citations`, `both`, `notices`, or None."""
    read_papers: Callable[[TextLines], Iterator[PaperRow | SourceError]]
    read_citations: Callable[[TextLines], Iterator[CitationBatch]]
    name: str | None = None
    """Name of the data set, for a format with a single data set."""
    never: tuple[str, ...] = ()
    """Endings that exclude the format; a header of two words looks like a pair of ids."""


TABLE_FORMATS = {
    "csv": TableFormat(
        csv_tables.VERSION,
        "a table with columns id and title, and perhaps one with columns citing and cited; or one "
        "of notices with columns OriginalPaperDOI and RetractionNature",
        csv_tables.kind_of,
        csv_tables.read_papers,
        csv_tables.read_citations,
    ),
    "aan": TableFormat(
        aan.VERSION,
        "acl-metadata.txt (`id = {...}`) and acl.txt (`citing , cited`)",
        aan.kind_of,
        aan.read_papers,
        aan.read_citations,
        name="aan",
        never=_TABLES,
    ),
}

TAKEN = frozenset((*Identifiers._fields, "key", "ref", "sha256", "orcid", "author"))
"""Prefixes of ids of the graph, which are not allowed as names."""


@dataclass(frozen=True)
class DataSet:
    """One table of papers and the tables of citations between them."""

    format: str
    name: str
    papers: Path
    """Absolute path, so that the graph distinguishes data sets independent of the working
    directory."""
    citations: tuple[Path, ...]
    named: bool
    """Whether the user chose the name; otherwise it is that of the file."""

    @property
    def place(self) -> str:
        """The table of papers, as messages and the graph name it."""
        return path_text(self.papers)

    @property
    def table_format(self) -> TableFormat:
        """The format of its tables."""
        return TABLE_FORMATS[self.format]


@dataclass(frozen=True)
class InputSources:
    """Documents, data sets and tables of notices at some paths."""

    documents: tuple[Path, ...]
    data_sets: tuple[DataSet, ...]
    notices: tuple[Path, ...]
    """Tables of retractions and corrections (`loaders.notice_tables`)."""
    passed_over: Counter[str]
    """Other files in folders of data sets, by ending."""


def find_sources(
    paths: Sequence[Path], *, format_: str = "auto", name: str | None = None
) -> InputSources:
    """Separates tables and documents.

    A folder with a table of papers directly in it is a data set, any other folder holds documents.
    Tables that are given as files are one data set, apart from tables of notices.

    Args:
        paths: existing files, folders, archives.
        format_: format of all paths, one of `FORMATS`.
        name: name of the data set; by default that of its file.

    Raises:
        ConfigError: an invalid format or name, or a name without a data set.
        SourceError: a table lacks columns, is without a table of papers, or cannot be read.
    """
    if format_ not in FORMATS:
        raise invalid_choice("format", format_, FORMATS)
    notices: list[Path] = []
    if format_ in DOCUMENT_FORMATS:
        data_sets, documents = [], list(paths)
    else:
        formats = tuple(known for known in TABLE_FORMATS if format_ in ("auto", known))
        groups, documents = _group_tables(paths, formats, forced=format_ != "auto")
        notices = [path for _, tables in groups for path in tables.pop("notices", ())]
        data_sets = [_data_set(*group, name=name) for group in groups if group[1]]
    if name is not None and len(data_sets) != 1:
        raise ConfigError(
            f"--dataset {name!r} names one data set, but found {len(data_sets)}; expected one: "
            "give its tables alone"
        )
    tables = [path for data_set in data_sets for path in (data_set.papers, *data_set.citations)]
    folders = [path for path in paths if path.is_dir() and path not in documents]
    others = folders and _files_below(folders) - _files_below([*tables, *notices, *documents])
    passed_over = Counter(ending(file.name) for file in others)
    return InputSources(tuple(documents), tuple(data_sets), tuple(notices), passed_over)


def _files_below(paths: Sequence[Path]) -> set[Path]:
    """The files, and the files in folders at any depth."""
    found = (file for path in paths for file in (path, *(file for file, _ in walk(path))))
    return {file.absolute() for file in found if isfile(file)}


_Tables = dict[str, list[Path]]
"""Files by kind: `papers`, `citations`, `notices`."""


def _group_tables(
    paths: Sequence[Path], formats: tuple[str, ...], *, forced: bool
) -> tuple[list[tuple[str, _Tables]], list[Path]]:
    """The tables of each data set with their format, and the other paths."""
    groups: list[tuple[str, _Tables]] = []
    documents: list[Path] = []
    given: dict[str, _Tables] = {}
    for path in paths:
        if not forced and path.is_file() and is_export_file(path):
            documents.append(path)
            continue
        if path.is_dir():
            here = _of_folder(path, formats)
            groups += here
            known = bool(here)
        else:
            known = _sort(path, formats, given)
        if not known and (forced or ends(path.name, _TABLES)):
            raise _no_table(path, formats)
        if not known:
            documents.append(path)
    return [*given.items(), *groups], documents


def _of_folder(folder: Path, formats: tuple[str, ...]) -> list[tuple[str, _Tables]]:
    """The data sets of a folder that has a table of papers directly in it.

    Raises:
        SourceError: another file with the ending of a table is not a table, or cannot be read.
    """
    found: dict[str, _Tables] = {}
    listed = (file for file in folder.iterdir() if ends(file.name, _LISTED) and isfile(file))
    files = [file for file in sorted(listed) if _able(file, formats)]
    others = [file for file in files if not _sort(file, formats, found)]
    data_sets = [(name, tables) for name, tables in found.items() if "papers" in tables]
    for file in others if data_sets else ():
        if ends(file.name, _TABLES):
            rest = "; if it is not part of the data set, name the tables instead of their folder"
            raise _no_table(file, formats, rest)
        _check_readable(file)
    return data_sets


def _able(path: Path, formats: tuple[str, ...]) -> list[str]:
    """The possible formats of a file with this ending."""
    return [name for name in formats if not ends(path.name, TABLE_FORMATS[name].never)]


def _sort(file: Path, formats: tuple[str, ...], found: dict[str, _Tables]) -> bool:
    """Adds a table to `found`; False for a file that is not a table."""
    line = "" if ends(file.name, _NO_TABLES) else TextLines(file).first()
    for name in _able(file, formats):
        if kind := TABLE_FORMATS[name].kind_of(line):
            for each in ("papers", "citations") if kind == "both" else (kind,):
                found.setdefault(name, {}).setdefault(each, []).append(file)
            return True
    return False


def _check_readable(file: Path) -> None:
    """Refuses a file that is damaged or cannot be read."""
    if not TextLines(file).first():
        of_file(file).read()


def _no_table(path: Path, formats: tuple[str, ...], rest: str = "") -> SourceError:
    likely = _able(path, formats) or formats
    expected = ", or ".join(TABLE_FORMATS[name].expected for name in likely)
    return SourceError(str(path), "no-table", f"{_held(path)}; expected {expected}{rest}")


def _held(path: Path) -> str:
    if path.is_dir():
        return "a folder without a known table"
    _check_readable(path)
    line = TextLines(path).first()
    if not line:
        return "holds no line"
    if "\0" in line:
        return "holds zero bytes, which UTF-8 text does not have; save it as CSV in UTF-8"
    hint = csv_tables.hint_of(line)
    return f"begins with {line[:60]!r}; not a known table{hint and f' ({hint})'}"


def name_of_file(file: str) -> str:
    """The name of a data set without a chosen one: `.../my papers.csv.gz` -> `my-papers`."""
    stem = re.sub(r"(?i)\.(csv|tsv|txt)?(\.gz)?$", "", Path(file).name)
    return re.sub(r"[^\w.-]+", "-", stem)


def _data_set(format_: str, tables: _Tables, *, name: str | None) -> DataSet:
    papers = tables.get("papers", [])
    if len(papers) != 1:
        first = (papers or tables["citations"])[0]
        found = f"{len(papers)} tables of papers" if papers else "citations without papers"
        message = f"{found}; expected one table of papers with those of its citations"
        raise SourceError(str(first), "no-data-set", message)
    file = papers[0].absolute()
    named = TABLE_FORMATS[format_].name if name is None else name
    citations = tuple(path.absolute() for path in tables.get("citations", []))
    own = name_of_file(file.name) if named is None else named
    if own in TAKEN or not re.fullmatch(r"[\w.-]+", own):
        raise ConfigError(
            f"data set {own!r}: expected a name of letters, digits, '.', '_' and '-' other than "
            f"{', '.join(sorted(TAKEN))}; choose one with --dataset"
        )
    return DataSet(format_, own, file, citations, named is not None)
