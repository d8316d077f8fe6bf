"""Shows which entries and records are one work, and lets users decide it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, list_some
from citescape.core.identifiers import normalise_doi
from citescape.core.progress import Progress
from citescape.ingest.decisions import JOIN, SPLIT, names_of, read_decisions
from citescape.ingest.joining import list_records
from citescape.ingest.pending import mark_pending
from citescape.ingest.resolve import resolve
from citescape.papers.identify import PaperName, find_paper
from citescape.runs.result import Result, Summary, Table, Text
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import TABLE

_SHOWN = 20
"""Names that are printed; `--save` writes all entries."""
_CUT = 60  # characters of a title


@dataclass(frozen=True)
class WorkIdentity(Result):
    """The records and entries of one work."""

    work: PaperName
    records: pa.Table
    """`source`, `name`, `path`; without rows for a work that is only cited."""
    entries: pa.Table
    """`name`, `matched_by`, `citing`, and what is printed, of each entry."""
    decisions: pa.Table

    @property
    def arrow(self) -> pa.Table:
        """A row for each entry."""
        return self.entries

    def summarise(self) -> Summary:
        """Records, names of entries with an example of each, and decisions."""
        rows = self.entries.to_pylist()
        counts = Counter((row["name"], row["matched_by"]) for row in rows)
        example = {(row["name"], row["matched_by"]): row for row in reversed(rows)}
        names = [
            (name, n, how, *_describe(example[name, how]))
            for (name, how), n in counts.most_common()
        ]
        parts: list[str | Text | Table] = [self.work.in_full]
        if self.records.num_rows:
            listed = [list(row.values()) for row in self.records.to_pylist()]
            parts += ["", Table(("record of", "name", "file"), listed)]
        head = ("name of entries", "entries", "matched by", "title", "author", "year", "place")
        parts += ["", Table(head, names[:_SHOWN], optional=2)]
        if len(names) > _SHOWN:
            parts.append(f"and {len(names) - _SHOWN:,} more names; --save FILE writes all entries")
        if self.decisions.num_rows:
            parts += ["", _list(self.decisions)]
        figures = {
            "work": self.work.id,
            "records": self.records.to_pylist(),
            "names": [{"name": row[0], "entries": row[1], "matched_by": row[2]} for row in names],
            "decisions": self.decisions.to_pylist(),
        }
        return Summary(parts, figures)


@dataclass(frozen=True)
class DecisionList(Result):
    """The decisions of users on what is one work."""

    decisions: pa.Table

    @property
    def arrow(self) -> pa.Table:
        """A row for each decision."""
        return self.decisions

    def summarise(self) -> Summary:
        """A table of decisions."""
        figures = {"decisions": self.decisions.to_pylist()}
        return Summary(
            [_list(self.decisions) if self.decisions.num_rows else "no decisions"], figures
        )


@dataclass(frozen=True)
class Decided(Result):
    """The works of two names after a decision was made or undone."""

    first: tuple[str, ...]
    """Works with entries or records of the first name."""
    second: tuple[str, ...]

    def summarise(self) -> Summary:
        """The works."""
        works = sorted({*self.first, *self.second})
        several = f"different works: {', '.join(works)}" if works else "no work has these names now"
        text = f"one work: {works[0]}" if len(works) == 1 else several
        return Summary([text], {"first": list(self.first), "second": list(self.second)})


def show_identity(store: GraphStore, paper: str) -> WorkIdentity:
    """The records and entries of a work, and the decisions on their names.

    Args:
        store: the graph.
        paper: the work, see `papers.identify.find_paper`.

    Raises:
        ConfigError: no such paper.
    """
    work = find_paper(store, paper)
    loaded = store.read(query("identity/records"), work=work.id)
    records = list_records(loaded)
    paths = [path for row in loaded["source_paths"].to_pylist() for path in row]
    entries = store.read(query("identity/entries"), work=work.id)
    entries = entries.append_column("name", names_of(entries))
    named = pa.table(
        {
            "source": records["source"],
            "name": names_of(records),
            "path": pa.array(paths, pa.string()),
        }
    )
    decisions = read_decisions(store)
    names = pa.array({work.id, *named["name"].to_pylist(), *entries["name"].to_pylist()})
    concerned = pc.or_(
        pc.is_in(decisions["first"], value_set=names),
        pc.is_in(decisions["second"], value_set=names),
    )
    return WorkIdentity(work, named, entries, decisions.filter(concerned))


def list_decisions(store: GraphStore) -> DecisionList:
    """All decisions on what is one work."""
    return DecisionList(read_decisions(store))


def split_works(store: GraphStore, first: str, second: str, *, progress: Progress) -> Decided:
    """Decides that two names of one work are different works.

    Raises:
        ConfigError: a name is unknown, or they are different works already.

    Writes to the graph: an IdentityDecision, and what changes with it.
    """
    first, second = _as_name(first), _as_name(second)
    if first == second:
        raise ConfigError(f"{first} is given twice; expected two names of one work")
    before = _find_both(store, first, second)
    if not {*before.first} & {*before.second}:
        raise ConfigError(
            f"{first} and {second} are different works already: {list_some(before.first)} and "
            f"{list_some(before.second)}"
        )
    return _decide(store, SPLIT, first, second, progress)


def join_works(store: GraphStore, first: str, second: str, *, progress: Progress) -> Decided:
    """Decides that the works of two names are one.

    Raises:
        ConfigError: a name is unknown, they are one work already, or both are papers of one source.

    Writes to the graph: an IdentityDecision, and what changes with it.
    """
    first, second = _as_name(first), _as_name(second)
    before = _find_both(store, first, second)
    if before.first == before.second:
        raise ConfigError(f"{first} and {second} are one work already: {list_some(before.first)}")
    ids = sorted({*before.first, *before.second})
    loaded = store.read(query("ingest/stored_papers"), ids=ids).to_pylist()
    counted = Counter(source for row in loaded for source in row["sources"])
    shared = [source for source, n in counted.items() if n > 1]
    if shared:
        raise ConfigError(
            f"{list_some(ids)} are papers of the same source ({list_some(shared)}); expected a "
            "source to have a paper once: `platform remove` one of them"
        )
    return _decide(store, JOIN, first, second, progress)


def undo_decision(store: GraphStore, first: str, second: str, *, progress: Progress) -> Decided:
    """Removes the decision on two names.

    Raises:
        ConfigError: there is none.

    Writes to the graph: what changes with it.
    """
    first, second = _as_name(first), _as_name(second)
    id_ = _decision_id(first, second)
    if id_ not in read_decisions(store)["id"].to_pylist():
        raise ConfigError(
            f"no decision on {first} and {second} in {store.location}; `platform identity list` "
            "lists them"
        )
    changes = replace(mark_pending(store), names=(first, second))
    store.apply([Change("delete", "IdentityDecision", pa.table({"id": [id_]}))], atomic=True)
    resolve(store, changes, report=progress)
    # Papers with these names may have been removed since the decision.
    return Decided(_find_works(store, first), _find_works(store, second))


def _decide(store: GraphStore, kind: str, first: str, second: str, progress: Progress) -> Decided:
    """Writes a decision, in place of another one on the same names."""
    id_ = _decision_id(first, second)
    row = {"id": id_, "kind": kind, "first": first, "second": second}
    known = id_ in read_decisions(store)["id"].to_pylist()
    rows = pa.Table.from_pylist([row], TABLE["IdentityDecision"].arrow)
    changes = replace(mark_pending(store), names=(first, second))
    store.apply([Change("update" if known else "insert", "IdentityDecision", rows)], atomic=True)
    resolve(store, changes, report=progress)
    return _find_both(store, first, second)


def _decision_id(first: str, second: str) -> str:
    return " ".join(sorted((first, second)))


def _as_name(text: str) -> str:
    """`10.1/x` as `doi:10.1/x`; other names unchanged."""
    name = text.strip()
    kind = name.partition(":")[0]
    if kind in ("doi", "http", "https") or name.startswith("10."):
        doi = normalise_doi(name, whole=True)
        return f"doi:{doi}" if doi else name
    return name


def _find_both(store: GraphStore, first: str, second: str) -> Decided:
    """The works of two names.

    Raises:
        ConfigError: no entry, record or paper has one of them.
    """
    works = [_find_works(store, name) for name in (first, second)]
    for name, found in zip((first, second), works, strict=True):
        if not found:
            raise ConfigError(
                f"no entry, record or paper has the name {name!r} in {store.location}; "
                "`platform identity show PAPER` lists names"
            )
    return Decided(*works)


def _find_works(store: GraphStore, name: str) -> tuple[str, ...]:
    """The works with entries or records of a name."""
    kind, _, value = name.partition(":")
    if name.startswith("ref:"):
        kind, value = "id", name.removeprefix("ref:")
    found = store.read(query("identity/named_entries"), kind=kind, value=value)
    same = pc.equal(names_of(found), name)
    works = {*found["work"].filter(same).to_pylist()}
    loaded = store.read(query("identity/named_records"), id=name)
    records = list_records(loaded)
    works |= {*records["paper"].filter(pc.equal(names_of(records), name)).to_pylist()}
    if store.read(query("ingest/present_papers"), ids=[name]).num_rows and not works:
        works = {name}
    return tuple(sorted(works))


def _describe(row: dict[str, object]) -> tuple[object, ...]:
    """Title, first author, year and place of an entry."""
    authors = row["surnames"]
    title = str(row["title"] or row["text"] or row["source"] or "")
    place = " ".join(str(row[name]) for name in ("source", "volume", "page") if row[name])
    first = authors[0] if isinstance(authors, list) and authors else ""
    return title[:_CUT], first, row["year"], place[:_CUT]


def _list(decisions: pa.Table) -> Table:
    rows = [(row["kind"], row["first"], row["second"]) for row in decisions.to_pylist()]
    return Table(("decision", "name", "name"), rows)
