"""Collections: papers of the graph that a bibliography lists, with its keywords as tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, list_some
from citescape.core.progress import Progress
from citescape.ingest.collections import TAG_BREAK
from citescape.papers.paper_index import PaperIndex
from citescape.papers.reference_files import read_references
from citescape.runs.result import Result, Summary, Table, plural
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import TABLE

_SHOWN = 20
"""Entries without a paper that are printed; `--save` writes all."""
_LONGEST = 100
"""Maximum characters of a name."""
ENTRIES = pa.schema(
    {
        "file": pa.string(),
        "line": pa.int64(),
        "key": pa.string(),
        "title": pa.string(),
        "year": pa.int64(),
        "doi": pa.string(),
        "paper": pa.string(),
        "how": pa.string(),
        "agreement": pa.float64(),
        "near": pa.string(),
        "tags": pa.string(),
    }
)
"""Columns of the entries of a collection, see `paper_index.MATCHES`; lists are joined by `; `."""


@dataclass(frozen=True)
class AddedCollection(Result):
    """Entries of a bibliography, and the papers that they are."""

    name: str
    entries: pa.Table
    """A row for each entry, with the columns of `ENTRIES`."""
    added: int
    """Papers that the collection did not have before."""
    papers: int
    """Papers of the collection now."""
    notes: tuple[str, ...] = ()

    @property
    def arrow(self) -> pa.Table:
        """A row for each entry: how it was found."""
        return self.entries

    @property
    def exit_status(self) -> int:
        """1 where no entry is found: then nothing is written."""
        return 0 if self.found else 1

    @property
    def found(self) -> int:
        """Number of entries with a paper."""
        return int(pc.count(self.entries["paper"]).as_py())

    def summarise(self) -> Summary:
        """Numbers of entries, how they were found, and those that were not."""
        ways = Counter(self.entries["how"].drop_null().to_pylist())
        how = ", ".join(f"{n:,} by {way}" for way, n in ways.most_common())
        total = len(self.entries)
        parts: list[str | Table] = [
            f"{self.found:,} of {plural(total, 'entry', 'entries')} found{how and f': {how}'}"
        ]
        if self.found:
            parts.append(
                f"collection {self.name}: {plural(self.papers, 'paper')}, {self.added:,} of them "
                "new"
            )
        missing = self.entries.filter(pc.is_null(self.entries["paper"]))
        if len(missing):
            columns = ("file", "line", "key", "title", "near")
            rows = [[row[c] for c in columns] for row in missing.slice(0, _SHOWN).to_pylist()]
            title = f"not found{f' (the first {_SHOWN})' if len(missing) > _SHOWN else ''}:"
            header = ("file", "line", "key", "title", "similar")
            parts += ["", Table(header, rows, title, optional=1)]
            parts.append(
                "A collection adds no papers and citations; ingest missing ones, then add it again."
            )
        figures = {
            "name": self.name,
            "entries": total,
            "found": self.found,
            "how": dict(ways),
            "added": self.added,
            "papers": self.papers,
        }
        return Summary(parts, figures, remarks=self.notes)


@dataclass(frozen=True)
class CollectionList(Result):
    """The collections of a graph."""

    table: pa.Table
    """`collection`, `papers`, `files`."""

    @property
    def arrow(self) -> pa.Table:
        """A row for each collection."""
        return self.table

    def summarise(self) -> Summary:
        """A table of collections."""
        rows = self.table.to_pylist()
        if not rows:
            return Summary(["no collections"], {"collections": []})
        shown = [[row["collection"], row["papers"], row["files"]] for row in rows]
        return Summary([Table(("collection", "papers", "files"), shown)], {"collections": rows})


@dataclass(frozen=True)
class RemovedCollection(Result):
    """A collection that was removed."""

    name: str
    papers: int
    """Number of its papers; they stay in the graph."""

    def summarise(self) -> Summary:
        """Name and number of papers."""
        text = f"collection {self.name} removed; its {plural(self.papers, 'paper')} stay"
        return Summary([text], {"name": self.name, "papers": self.papers})


def add_collection(
    store: GraphStore, name: str, files: Sequence[Path], *, progress: Progress
) -> AddedCollection:
    """Finds the entries of files in the graph, and adds their papers to a collection.

    The same files again change nothing. Papers that the collection has from other files stay. It
    keeps the ids of its papers, so a paper that gets another id, or is removed and loaded again, is
    in it then (`ingest.collections`).

    Args:
        store: the graph.
        name: name of the collection.
        files: bibliographies, see `reference_files`.
        progress: called with the name of each step.

    Raises:
        ConfigError: an invalid name, or a file that cannot be read or has no entry.

    Writes to the graph: a Collection node with these ids; IN_COLLECTION {tags} from each paper that
    is found.
    """
    name = _check_name(name)
    for file in files:
        if not file.is_file():
            raise ConfigError(f"no file {file}; expected BibTeX, RIS, CSL-JSON or a table")
    progress("reading entries")
    listed = read_references([str(file) for file in files], {})
    progress("finding papers")
    references = listed.table
    matches = PaperIndex(store).match(references)
    papers: dict[str, dict[str, None]] = {}
    for paper, tags in zip(
        matches["paper"].to_pylist(), references["tags"].to_pylist(), strict=True
    ):
        if paper is not None:
            papers.setdefault(paper, {}).update(dict.fromkeys(tags))
    before = _read_members(store, name)
    if papers:
        tagged = {paper: list(tags) for paper, tags in papers.items()}
        _write(store, name, [file.name for file in files], tagged, before)
    return AddedCollection(
        name,
        _describe(references, matches),
        len(papers.keys() - before.keys()),
        len(papers.keys() | before.keys()),
        tuple(listed.notes),
    )


def list_collections(store: GraphStore) -> CollectionList:
    """The collections of a graph, by name."""
    rows = store.read(query("collections/list"))
    files = ["; ".join(names or ()) for names in rows["files"].to_pylist()]
    return CollectionList(
        pa.table(
            {
                "collection": rows["id"],
                "papers": rows["papers"],
                "files": pa.array(files, pa.string()),
            }
        )
    )


def remove_collection(store: GraphStore, name: str) -> RemovedCollection:
    """Removes a collection; its papers stay.

    Raises:
        ConfigError: there is no such collection.
    """
    known = store.read(query("collections/list"))["id"].to_pylist()
    if name not in known:
        raise ConfigError(
            f"no collection {name!r} in {store.location}; it has {list_some(known) or 'none'}"
        )
    members = _read_members(store, name)
    store.apply([Change("delete", "Collection", pa.table({"id": [name]}))], atomic=True)
    return RemovedCollection(name, len(members))


def _check_name(name: str) -> str:
    if not name.strip() or len(name) > _LONGEST or not name.isprintable():
        raise ConfigError(
            f"collection {name[:_LONGEST]!r}: expected a name of 1 to {_LONGEST} characters"
        )
    return name.strip()


def _read_members(store: GraphStore, name: str) -> dict[str, list[str]]:
    """Tags of the papers of a collection."""
    rows = store.read(query("collections/members"), collection=name).to_pylist()
    return {row["paper"]: list(row["tags"] or ()) for row in rows}


def _write(
    store: GraphStore,
    name: str,
    files: Sequence[str],
    papers: dict[str, list[str]],
    before: dict[str, list[str]],
) -> None:
    """Adds papers to a collection in one transaction; tags of those that it has are replaced."""
    known = {row["id"]: row["files"] for row in store.read(query("collections/list")).to_pylist()}
    members = {paper: TAG_BREAK.join(tags) for paper, tags in before.items()}
    for row in store.read(query("collections/named")).to_pylist():
        if row["id"] == name and row["members"] is not None:
            members = dict(zip(row["members"], row["member_tags"], strict=True))
    members |= {paper: TAG_BREAK.join(tags) for paper, tags in papers.items()}
    row = {
        "id": name,
        "files": sorted({*files, *(known.get(name) or ())}),
        "members": [*members],
        "member_tags": [*members.values()],
    }
    node = pa.Table.from_pylist([row], TABLE["Collection"].arrow)
    rows = [{"from": paper, "to": name, "tags": tags} for paper, tags in papers.items()]
    new = [row for row in rows if row["from"] not in before]
    old = [row for row in rows if row["from"] in before and row["tags"] != before[str(row["from"])]]
    schema = TABLE["IN_COLLECTION"].arrow
    store.apply(
        [
            Change("update" if name in known else "insert", "Collection", node),
            Change("insert", "IN_COLLECTION", pa.Table.from_pylist(new, schema)),
            Change("update", "IN_COLLECTION", pa.Table.from_pylist(old, schema)),
        ],
        atomic=True,
    )


def _describe(references: pa.Table, matches: pa.Table) -> pa.Table:
    """The entries with the columns of `ENTRIES`."""
    columns = {
        field.name: (references if field.name in references.column_names else matches)[field.name]
        for field in ENTRIES
    }
    for name in ("near", "tags"):
        columns[name] = pa.array(
            ["; ".join(own or ()) for own in columns[name].to_pylist()], pa.string()
        )
    return pa.table(columns, schema=ENTRIES)
