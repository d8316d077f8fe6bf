"""Papers as files of reference managers and LaTeX, and as lines to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.files import check_absent, check_folder, write_files
from citescape.papers.bibtex import write_bibtex
from citescape.papers.entries import Entry
from citescape.papers.id_lists import match_listed, read_id_list
from citescape.papers.identify import find_paper
from citescape.papers.ris import write_ris
from citescape.store.graph_store import GraphStore


@dataclass(frozen=True)
class Bibliography:
    """A format of bibliographies."""

    suffix: str
    opening: str
    """How to use it, with `{file}` in the place of the file."""
    write: Callable[[Sequence[Entry]], str]


BIBLIOGRAPHIES: Mapping[str, Bibliography] = {
    "bibtex": Bibliography(".bib", r"in LaTeX: \addbibresource{{{file}}}", write_bibtex),
    "ris": Bibliography(".ris", "in Zotero, EndNote or Mendeley: File, Import, {file}", write_ris),
}


def find_named(store: GraphStore, names: Sequence[str], listed: Path | None = None) -> list[str]:
    """Ids of the papers that names mean, and those of a file with an id a line; each once.

    Raises:
        ConfigError: a name, or one of the file, means no paper of the graph.
        SourceError: the file cannot be read, or names nothing.
    """
    ids = [find_paper(store, name).id for name in names]
    lines = read_id_list(listed) if listed else []
    for line, id_ in zip(lines, match_listed(store, lines), strict=True):
        ids.append(id_ or find_paper(store, line).id)
    return list(dict.fromkeys(ids))


def name_bibliography(form: str, out: Path, *, force: bool = False) -> Path:
    """The file that `write_bibliography` would write: before the work, whether it can.

    Raises:
        ConfigError: no such format, the file is there already or cannot be made.
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
    entries: Sequence[Entry], form: str, out: Path, *, force: bool = False
) -> Path:
    """Writes a file of the format, whole or not at all; its suffix is added where it lacks.

    Args:
        entries: of which there must be one.
        form: a key of `BIBLIOGRAPHIES`.
        out: the file.
        force: replace it if it is there.

    Raises:
        ConfigError: no such format, no entries, the file is there already or cannot be written.
    """
    path = name_bibliography(form, out, force=force)
    if not entries:
        raise ConfigError("no papers for a bibliography; expected one or more")
    text = BIBLIOGRAPHIES[form].write(entries).encode()

    def write(sink: BinaryIO) -> None:
        sink.write(text)

    write_files({path: write})
    return path
