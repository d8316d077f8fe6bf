"""Data sets of tables: their files, format and name.

Tables of papers and of citations that are given together, or are in one folder, are one data set.
Ids of papers without DOI and PMID begin with its name (`aan:D10-1001`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os.path import isfile
from pathlib import Path

from citescape.core.errors import ConfigError, SourceError, invalid_choice
from citescape.core.paths import absolute_path, path_text
from citescape.core.types import Identifiers, Paper
from citescape.loaders import aan, csv_tables, s2ag_tables
from citescape.loaders.archives import ARCHIVES, ARTICLES, DOCUMENTS, RECORDS, ending, ends
from citescape.loaders.documents import of_file
from citescape.loaders.exports import is_export_file
from citescape.loaders.formats import DOCUMENTS as DOCUMENT_FORMATS
from citescape.loaders.formats import FORMATS, TABLES_TOO
from citescape.loaders.lines import TextLines
from citescape.loaders.sources import walk
from citescape.loaders.table_rows import (
    CitationBatch,
    PaperRow,
    ValueBatch,
    identifiers_of,
    identify_cited,
    record_of,
)

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
    """First line of a file, or its beginning -> its content: `papers`, `citations`, `both`,
    `notices`, a key of `read_values`, another name for a file that is not read, or None."""
    read_papers: Callable[[TextLines], Iterator[PaperRow | SourceError]]
    read_citations: Callable[[TextLines], Iterator[CitationBatch]]
    name: str | None = None
    """Name of the data set, for a format with a single data set."""
    never: tuple[str, ...] = ()
    """Endings that exclude the format; a header of two words looks like a pair of ids."""
    read_values: Mapping[str, Callable[[TextLines], Iterator[ValueBatch]]] = field(
        default_factory=dict
    )
    """Content of files that add a value to papers (`abstracts`) or authors (`authors`: ORCIDs)."""
    identify: Callable[[PaperRow], Identifiers] = identifiers_of
    identify_cited: Callable[[str], Identifiers] = identify_cited
    """Id of a work that is not in the table of papers -> its identifiers."""
    record_of: Callable[..., Paper] = record_of
    """See `table_rows.record_of`."""
    has_header: bool = True
    """Whether the first line shows what a file is; otherwise the second one does too."""
    in_parts: bool = False
    """Whether papers are published in many files, of which users load some: several files of papers
    are one data set, and papers that are missing now stay. Papers alone are documents."""
    listed: tuple[str, ...] = _LISTED
    """Endings of files that are searched for in folders."""


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
        never=(*_TABLES, *RECORDS),
    ),
    "s2ag": TableFormat(
        s2ag_tables.VERSION,
        "JSON Lines of the datasets papers and citations of Semantic Scholar",
        s2ag_tables.kind_of,
        s2ag_tables.read_papers,
        s2ag_tables.read_citations,
        name="s2ag",
        never=_TABLES,
        read_values={"authors": s2ag_tables.read_orcids, "abstracts": s2ag_tables.read_abstracts},
        identify=s2ag_tables.identify,
        identify_cited=s2ag_tables.identify_cited,
        record_of=s2ag_tables.record_of,
        has_header=False,
        in_parts=True,
        listed=(".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz"),
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
    more_papers: tuple[Path, ...] = ()
    """Further tables of papers, of a format `in_parts`."""
    values: tuple[tuple[str, Path], ...] = ()
    """Files that add values, with their content: a key of `TableFormat.read_values`."""

    @property
    def all_papers(self) -> tuple[Path, ...]:
        """All tables of papers."""
        return (self.papers, *self.more_papers)

    @property
    def files(self) -> tuple[Path, ...]:
        """All files of the data set."""
        return (*self.all_papers, *self.citations, *(path for _, path in self.values))

    @property
    def place(self) -> str:
        """The table of papers, as messages and the graph name it."""
        return path_text(self.papers)

    @property
    def unread_columns(self) -> dict[str, list[str]]:
        """Table -> its columns that are not read, where there are any."""
        if self.format != "csv":
            return {}
        tables = dict.fromkeys((*self.all_papers, *self.citations))
        found = {path_text(t): csv_tables.unread_columns(TextLines(t).first()) for t in tables}
        return {path: columns for path, columns in found.items() if columns}

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
    tables: frozenset[Path]
    """Absolute paths of all tables, also of those that are not loaded, such as vectors."""
    passed_over: Counter[str]
    """Other files in folders of data sets, and those that are not loaded, by ending."""


def find_sources(
    paths: Sequence[Path], *, format_: str = "auto", name: str | None = None
) -> InputSources:
    """Separates tables and documents.

    Tables directly in a folder are one data set if one has papers; without it, only tables of
    notices are read. Other files in a folder are documents. Tables that are given as files are one
    data set, apart from tables of notices.

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
    if format_ in DOCUMENT_FORMATS and format_ not in TABLES_TOO:
        data_sets, documents, unread = [], list(paths), set[Path]()
    else:
        formats = tuple(known for known in TABLE_FORMATS if format_ in ("auto", known))
        groups, documents, unread = _group_tables(paths, formats, forced=format_ != "auto")
        notices = [path for _, tables in groups for path in tables.pop("notices", ())]
        data_sets = [_data_set(*group, name=name) for group in groups if group[1]]
    if name is not None and len(data_sets) != 1:
        raise ConfigError(
            f"--dataset {name!r} names one data set, but found {len(data_sets)}; expected one: "
            "give its tables alone"
        )
    loaded = _files_below([*notices, *(file for each in data_sets for file in each.files)])
    folders = [path for path in paths if path.is_dir() and path not in documents]
    others = _files_below(folders) - loaded - _files_below(documents if folders else ())
    return InputSources(
        tuple(documents),
        tuple(data_sets),
        tuple(notices),
        frozenset(loaded | unread),
        Counter(ending(file.name) for file in others | unread),
    )


def _files_below(paths: Sequence[Path]) -> set[Path]:
    """The files, and the files in folders at any depth."""
    found = (file for path in paths for file in (path, *(file for file, _ in walk(path))))
    return {absolute_path(file) for file in found if isfile(file)}


_Tables = dict[str, list[Path]]
"""Files by kind: `papers`, `citations`, `notices`."""


def _group_tables(
    paths: Sequence[Path], formats: tuple[str, ...], *, forced: bool
) -> tuple[list[tuple[str, _Tables]], list[Path], set[Path]]:
    """The tables of each data set with their format, the other paths, and files not to be read."""
    groups: list[tuple[str, _Tables]] = []
    unread: set[Path] = set()
    documents: list[Path] = []
    given: dict[str, _Tables] = {}
    for path in paths:
        if not forced and path.is_file() and is_export_file(path):
            documents.append(path)
            continue
        if path.is_dir():
            here, known_only = _of_folder(path, formats)
            groups += here
            unread |= _files_below(known_only)
            files = {file for _, tables in here for group in tables.values() for file in group}
            has_papers = any("papers" in tables for _, tables in here)
            known = has_papers and (forced or not _has_documents(path, files.union(known_only)))
        else:
            known = _sort(path, formats, given)
        if not known and ((forced and formats[0] not in TABLES_TOO) or ends(path.name, _TABLES)):
            raise _no_table(path, formats)
        if not known:
            documents.append(path)
    for name in [name for name, tables in given.items() if _are_documents(name, tables)]:
        documents += [path for files in given.pop(name).values() for path in files]
    places = {path: place for place, path in enumerate(paths)}
    documents.sort(key=places.__getitem__)
    return [*given.items(), *groups], documents, unread


def _has_documents(folder: Path, tables: set[Path]) -> bool:
    """Whether a folder holds documents beside tables, at any depth."""
    endings = (*DOCUMENTS, *ARCHIVES)
    files = (file for file, is_folder in walk(folder) if not is_folder and file not in tables)
    return any(ends(file.name, endings) or is_export_file(file) for file in files)


def _are_documents(format_: str, tables: _Tables) -> bool:
    """Whether files are papers or abstracts alone, of a format that reads them as documents."""
    return TABLE_FORMATS[format_].in_parts and [*tables] in (["papers"], ["abstracts"])


def _of_folder(
    folder: Path, formats: tuple[str, ...]
) -> tuple[list[tuple[str, _Tables]], list[Path]]:
    """The data sets of a folder with a table of papers directly in it, else tables of notices.

    With them the files of their formats that are not loaded, such as vectors.

    Raises:
        SourceError: another file with the ending of a table is not a table, or cannot be read.
    """
    found: dict[str, _Tables] = {}
    endings = tuple(ending for name in formats for ending in TABLE_FORMATS[name].listed)
    listed = (file for file in folder.iterdir() if ends(file.name, endings) and isfile(file))
    files = [file for file in sorted(listed) if _able(file, formats)]
    others = [file for file in files if not _sort(file, formats, found)]
    unread: list[Path] = []
    for name, tables in found.items():
        for content in {*tables} - {"papers", "citations", "notices"}:
            if content not in TABLE_FORMATS[name].read_values:
                unread += tables.pop(content)
    data_sets = [
        (name, tables)
        for name, tables in found.items()
        if "papers" in tables and not _are_documents(name, tables)
    ]
    if not data_sets:
        read = ((name, tables.get("notices")) for name, tables in found.items())
        return [(name, {"notices": files}) for name, files in read if files], unread
    for file in others:
        if is_export_file(file):
            continue
        if ends(file.name, _TABLES):
            rest = (
                "; if it is not part of the data set, move it to a folder below, or name the tables"
            )
            raise _no_table(file, formats, rest)
        if ends(file.name, _LISTED):
            _check_readable(file)
    return data_sets, unread


def _able(path: Path, formats: tuple[str, ...]) -> list[str]:
    """The possible formats of a file with this ending."""
    return [name for name in formats if not ends(path.name, TABLE_FORMATS[name].never)]


def _sort(file: Path, formats: tuple[str, ...], found: dict[str, _Tables]) -> bool:
    """Adds a table to `found`; False for a file that is not a table."""
    lines = [""] if ends(file.name, _NO_TABLES) else TextLines(file).head(2)
    for name in _able(file, formats):
        own = TABLE_FORMATS[name]
        kinds = map(own.kind_of, lines[:1] if own.has_header else lines)
        if kind := next(filter(None, kinds), None):
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
    likely = [name for name in likely if name not in TABLES_TOO] or likely
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
    own = TABLE_FORMATS[format_]
    papers = tables.get("papers", [])
    if not papers or (len(papers) > 1 and not own.in_parts):
        content, files = next(iter(tables.items()))
        found = f"{len(papers)} tables of papers" if papers else f"{content} without papers"
        message = f"{found}; expected one table of papers with those of its citations"
        raise SourceError(str((papers or files)[0]), "no-data-set", message)
    for content, files in tables.items():
        if content not in ("papers", "citations", *own.read_values):
            message = f"a file of {content}, which is not loaded with papers; leave it out"
            message += " and give it to `platform embed --vectors` afterwards"
            raise SourceError(str(files[0]), "no-data-set", message)
    file = absolute_path(papers[0])
    chosen = own.name if name is None else name
    called = name_of_file(file.name) if chosen is None else chosen
    if called in TAKEN or not re.fullmatch(r"[\w.-]+", called):
        raise ConfigError(
            f"data set {called!r}: expected a name of letters, digits, '.', '_' and '-' other than "
            f"{', '.join(sorted(TAKEN))}; choose one with --dataset"
        )
    return DataSet(
        format_,
        called,
        file,
        tuple(absolute_path(path) for path in tables.get("citations", [])),
        chosen is not None,
        tuple(absolute_path(path) for path in papers[1:]),
        tuple(
            (kind, absolute_path(path)) for kind in own.read_values for path in tables.get(kind, [])
        ),
    )
