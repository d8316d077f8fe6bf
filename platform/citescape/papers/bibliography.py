"""Papers as files of reference managers and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.files import check_absent, check_folder, write_files
from citescape.papers.bibtex import write_bibtex
from citescape.papers.entries import BibliographyEntry
from citescape.papers.id_lists import match_listed, read_id_list
from citescape.papers.identify import find_paper
from citescape.papers.ris import write_ris
from citescape.store.graph_store import GraphStore


@dataclass(frozen=True)
class BibliographyFormat:
    """A format of bibliographies."""

    suffix: str
    opening: str
    """How to use the file; `{file}` stands for its name."""
    write: Callable[[Sequence[BibliographyEntry]], str]


BIBLIOGRAPHIES: Mapping[str, BibliographyFormat] = {
    "bibtex": BibliographyFormat(".bib", r"in LaTeX: \addbibresource{{{file}}}", write_bibtex),
    "ris": BibliographyFormat(
        ".ris", "in Zotero, EndNote or Mendeley: File, Import, {file}", write_ris
    ),
}


def find_named(store: GraphStore, names: Sequence[str], listed: Path | None = None) -> list[str]:
    """Ids of the named papers, and of those in a file; each once.

    Args:
        store: the graph.
        names: identifiers of papers.
        listed: file with one identifier per line.

    Raises:
        ConfigError: a name without a paper in the graph.
        SourceError: the file cannot be read, or has no name.
    """
    ids = [find_paper(store, name).id for name in names]
    lines = read_id_list(listed) if listed else []
    for line, id_ in zip(lines, match_listed(store, lines), strict=True):
        ids.append(id_ or find_paper(store, line).id)
    return list(dict.fromkeys(ids))


def name_bibliography(form: str, out: Path, *, force: bool = False) -> Path:
    """The file that `write_bibliography` would write, checked before the work.

    Args:
        form: a key of `BIBLIOGRAPHIES`.
        out: the file, with or without its suffix.
        force: allow an existing file.

    Raises:
        ConfigError: no such format, or the file exists or cannot be written.
    """
    if form not in BIBLIOGRAPHIES:
        raise invalid_choice("format", form, BIBLIOGRAPHIES)
    suffix = BIBLIOGRAPHIES[form].suffix
    path = out if out.suffix == suffix else out.with_name(out.name + suffix)
    check_folder(path)
    if not force:
        check_absent([path])
    return path


def write_bibliography(
    entries: Sequence[BibliographyEntry], form: str, out: Path, *, force: bool = False
) -> Path:
    """Writes a file of the format, complete or not at all; adds a missing suffix.

    Args:
        entries: at least one.
        form: a key of `BIBLIOGRAPHIES`.
        out: the file.
        force: replace an existing file.

    Raises:
        ConfigError: no such format, no entries, or the file exists or cannot be written.
    """
    path = name_bibliography(form, out, force=force)
    if not entries:
        raise ConfigError("no papers for a bibliography; expected one or more")
    text = BIBLIOGRAPHIES[form].write(entries).encode()
    write_files({path: lambda sink: sink.write(text)})
    return path
