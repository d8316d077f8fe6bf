"""Derives which works are retracted, corrected or of concern, from all notices of the store.

Notices are loaded as their sources state them, whether or not the graph has the work. Which work a
notice concerns, and which notice counts, is computed again after every ingest, so that the order of
loading does not matter.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.types import Identifiers
from citescape.ingest.identity import ID_KINDS, aliases
from citescape.ingest.stored import read_papers
from citescape.ingest.sync import differences, unique_rows
from citescape.loaders.jats_notices import ARTICLE_TYPES
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import REL, TABLE
from citescape.store.statements import read_text

STATES = {
    "retraction": "retracted",
    "partial-retraction": "partly retracted",
    "concern": "concern",
    "correction": "corrected",
    "reinstatement": "reinstated",
}
"""Kind of notice -> `Paper.notice`, the most serious first."""
COLUMNS = ("notice", "notice_date", "notice_year", "notice_doi", "notice_source")
"""Properties of Paper that are derived from notices."""

_SEVERITY = list(STATES)
_SOURCES = ("notice", "table", "work", "reference", "title")
"""Sources, the most trusted first."""
_TITLE = re.compile(
    r"\[retracted\b[^\]]*\]|retracted(?: article| paper| chapter)?\s*:", re.IGNORECASE
)


class WorkNotice(NamedTuple):
    """A notice about a known work."""

    kind: str
    date: str
    """Date of the notice; empty if unknown."""
    doi: str
    """DOI of the notice; empty if unknown."""
    source: str
    """`notice`, `work`, `table`, `reference`, or `title`: the title of the work."""


Row = dict[str, str | None]


def write_notices(store: GraphStore) -> None:
    """Matches notices to works, and marks these works.

    Writes to the graph: CONCERNS, PUBLISHED_AS; Paper.notice, notice_date, notice_year, notice_doi,
    notice_source. May be repeated; writes nothing if nothing changed.
    """
    notices = store.read(query("ingest/notices"))
    titled = store.read(query("ingest/retracted_titles"))
    works = store.read(query("ingest/dated_works")) if notices.num_rows else None
    found = match_notices(notices, titled, works)
    for name, rows in (("CONCERNS", found.concerns), ("PUBLISHED_AS", found.published)):
        store.apply(differences(name, store.read(read_text(REL[name])), rows))
    _mark_works(store, found.deciding)


class NoticeMatches(NamedTuple):
    """What follows from notices."""

    concerns: pa.Table
    """Rows of CONCERNS."""
    published: pa.Table
    """Rows of PUBLISHED_AS."""
    deciding: dict[str, WorkNotice]
    """Work -> the notice that counts."""


def match_notices(notices: pa.Table, titled: pa.Table, works: pa.Table | None) -> NoticeMatches:
    """The works that notices concern.

    Args:
        notices: all notices, with the `paper` that states each.
        titled: `id`, `title`, `type` of works whose title may be that of a retracted one.
        works: `id`, ids, `date`, `year` of all works that notices may name; None without notices.
    """
    by_work: dict[str, list[WorkNotice]] = defaultdict(list)
    concerns: list[Row] = []
    published: list[Row] = []
    if works is not None:
        known = _Works(works)
        for row in notices.to_pylist():
            work, paper = known.ends(row)
            if paper is not None:
                published.append({"from": row["id"], "to": paper})
            if work is not None and work != paper:
                concerns.append({"from": row["id"], "to": work})
                date = row["date"] or known.dates.get(paper or "", "")
                entry = WorkNotice(str(row["kind"]), date, row["doi"] or "", str(row["stated_by"]))
                by_work[work].append(entry)
    issued = {row["to"] for row in published}
    for row in titled.to_pylist():
        own = str(row["id"])
        is_notice = own in issued or (row["type"] or "").lower() in ARTICLE_TYPES
        if _TITLE.match(row["title"] or "") and not is_notice:
            by_work[own].append(WorkNotice("retraction", "", "", "title"))
    links = {
        name: unique_rows(name, pa.Table.from_pylist(rows, TABLE[name].arrow))
        for name, rows in (("CONCERNS", concerns), ("PUBLISHED_AS", published))
    }
    deciding = {work: deciding_notice(found) for work, found in by_work.items()}
    return NoticeMatches(links["CONCERNS"], links["PUBLISHED_AS"], deciding)


def notices_depend(store: GraphStore, names: pa.Array) -> bool:
    """Whether a change of papers and works can change what `write_notices` writes.

    Args:
        store: the graph.
        names: their ids (`identity.all_names`), as they were and are.
    """
    notices = store.read(query("ingest/notices"))
    links = (store.read(read_text(REL[name], ())) for name in ("CONCERNS", "PUBLISHED_AS"))
    noted = store.read(query("ingest/noted_works"))
    by_title = noted.filter(pc.equal(noted["notice_source"], "title"))["id"]
    ends = [notices["paper"], by_title, *(rows["to"] for rows in links)]
    for kind in ID_KINDS:
        for name in (kind, f"work_{kind}"):
            ends.append(pc.binary_join_element_wise(f"{kind}:", notices[name], ""))
    if any(pc.any(pc.is_in(end, value_set=names)).as_py() for end in ends):
        return True
    titles = read_papers(store, names.to_pylist(), ("title",))["title"].drop_null()
    return any(_TITLE.match(title) for title in titles.to_pylist())


class _Works:
    """Looks up works by the identifiers in notices."""

    def __init__(self, works: pa.Table) -> None:
        self._ids = {kind: _by_id(works, kind) for kind in ID_KINDS}
        without_doi = works.filter(pc.is_null(works["doi"]))
        self._unnamed = {kind: _by_id(without_doi, kind) for kind in ID_KINDS[1:]}
        years = pc.cast(works["year"], pa.string())
        dates = pc.coalesce(works["date"], years, pa.scalar(""))
        self.dates: dict[str, str] = dict(
            zip(works["id"].to_pylist(), dates.to_pylist(), strict=True)
        )
        """Work -> its date, or year; empty if unknown."""

    def ends(self, row: Row) -> tuple[str | None, str | None]:
        """The work that a notice concerns, and the notice itself, if the graph has them."""
        work = self._find(Identifiers(*(row[f"work_{kind}"] for kind in ID_KINDS)))
        notice = self._find(Identifiers(*(row[kind] for kind in ID_KINDS)))
        if row["stated_by"] == "work":
            work = row["paper"]
        elif row["stated_by"] == "notice":
            notice = row["paper"]
        return work, notice

    def _find(self, ids: Identifiers) -> str | None:
        """A DOI decides; another id may only lead from it to a work without DOI."""
        if ids.doi in self._ids["doi"]:
            return self._ids["doi"][ids.doi]
        others = self._unnamed if ids.doi else self._ids
        found = (
            others[kind].get(id_) for kind, id_ in zip(ID_KINDS[1:], ids[1:], strict=True) if id_
        )
        return next((work for work in found if work), None)


def _by_id(works: pa.Table, kind: str) -> dict[str | None, str]:
    """Identifier of one kind -> work; of several works with it the smallest id."""
    found = aliases(works, kind)
    return dict(zip(found["key"].to_pylist(), found["value"].to_pylist(), strict=True))


def deciding_notice(notices: Iterable[WorkNotice]) -> WorkNotice:
    """The notice that counts: the most serious kind that holds, of this kind the first.

    A reinstatement takes back retractions and concerns, except those known to be later.
    """
    found = sorted(notices, key=_order)
    lifted = max((entry.date for entry in found if entry.kind == "reinstatement"), default=None)
    for kind in _SEVERITY:
        same = [entry for entry in found if entry.kind == kind]
        if lifted is not None and kind != "reinstatement":
            later = (entry for entry in same if _is_later(entry.date, lifted))
            same = list(later) if kind != "correction" else []
        if same:
            return same[0]
    raise ValueError("expected at least one notice")


def _order(entry: WorkNotice) -> tuple[object, ...]:
    """The earliest year, in it the most exact date, then the most trusted source with a DOI."""
    date = entry.date
    exact = (not date, date[:4], -len(date), date)
    return (*exact, not entry.doi, _SOURCES.index(entry.source), entry.doi)


def _is_later(date: str, other: str) -> bool:
    """Whether a date is known to be later than another, both as exact as known."""
    return bool(date and other) and date > other and not date.startswith(other)


def _mark_works(store: GraphStore, states: dict[str, WorkNotice]) -> None:
    present = {row.pop("id"): row for row in store.read(query("ingest/noted_works")).to_pylist()}
    expected = {row.pop("id"): row for row in list_marks(states).to_pylist()}
    none = dict.fromkeys(COLUMNS)
    rows = [
        {"id": work, **expected.get(work, none)}
        for work in sorted({*present, *expected})
        if present.get(work) != expected.get(work, none)
    ]
    if rows:
        store.apply([Change("update", "Paper", pa.Table.from_pylist(rows, _MARKS))])


_MARKS = pa.schema([TABLE["Paper"].arrow.field(name) for name in ("id", *COLUMNS)])


def list_marks(states: Mapping[str, WorkNotice]) -> pa.Table:
    """`id` and the `COLUMNS` of works with a notice."""
    rows = []
    for work, entry in sorted(states.items()):
        year = int(entry.date[:4]) if entry.date else None
        values = (STATES[entry.kind], entry.date or None, year, entry.doi or None, entry.source)
        rows.append({"id": work, **dict(zip(COLUMNS, values, strict=True))})
    return pa.Table.from_pylist(rows, _MARKS)


def may_be_retracted(titles: pa.ChunkedArray) -> pa.ChunkedArray:
    """Whether titles begin as those of retracted works may (`ingest/retracted_titles`)."""
    lower = pc.utf8_lower(titles)
    return pc.fill_null(
        pc.or_(pc.starts_with(lower, "retracted"), pc.starts_with(lower, "[retracted")), False
    )
