"""Which works the entries of reference lists lead to, in parts.

The result is that of `ingest.whole_matching`.

1. `route`: what shares ids, directly or through others, comes together in one part.
2. `find_moves_of_part`: which records belong to another paper.
3. `match_part`: works by ids and keys (`identity.match_works`), the *units*.
4. `compare_part`: contents of units in one block are compared (`similar_works`).
5. `choose_part`: which unit each joins; `follow`: the last unit of each chain of joins.
6. `finish_part`: the work of each entry.

A unit or a stray content has a number: its part, then its place in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from citescape.core.hashing import Hashes, hash_texts
from citescape.distributed.exchange import part_of, read_exchange, read_file, writing
from citescape.distributed.stages import name_output
from citescape.distributed.storage import Storage
from citescape.ingest.contents import LARGEST_BLOCK, Contents, Ints, name_blocks, pairs_in_blocks
from citescape.ingest.decisions import NO_DECISIONS
from citescape.ingest.entries import FIELDS, group_entries, read_entries
from citescape.ingest.identity import match_works
from citescape.ingest.index.works import ENTRY_SCHEMA, PAPER_SCHEMA
from citescape.ingest.joining import find_moves
from citescape.ingest.shards.components import Roots
from citescape.ingest.shards.records import EMPTY_REFERENCES
from citescape.ingest.similar_works import (
    STRAY_KIND,
    choose_joins,
    content_keys,
    find_same,
    find_units,
)

_PART_BITS = 40
_RANK = ("kind", "total", "work", "place")
"""What orders units: the kind first, then most entries, the name, the place of a stray content."""
_COMPARED = (*FIELDS, "source", "whole")


def route(
    storage: Storage,
    output: str,
    folder: str,
    roots: str,
    names: tuple[str, ...],
    parts: int,
    part: int,
) -> None:
    """Sends rows to the parts of the smallest hash of their components.

    Args:
        storage: folder of all files.
        output: file to write.
        folder: exchange with rows that have a `hash`.
        roots: result of `components.connect`.
        names: tables to send.
        parts: number of parts.
        part: part of the hashes.
    """
    known = Roots(storage, roots, part)
    with writing(storage, output) as file:
        for name, rows in read_exchange(storage, folder, part, *names).items():
            targets = part_of(known.of(rows["hash"].to_numpy()), parts)
            file.spread(name, rows.drop_columns(["hash"]), targets)


def find_moves_of_part(storage: Storage, output: str, folder: str, parts: int, part: int) -> None:
    """Records that belong to another paper than that of their own id."""
    tables = read_exchange(storage, folder, part)
    with writing(storage, output) as file:
        if "records" in tables:
            references = tables.get("references", EMPTY_REFERENCES).sort_by("id")
            moves = find_moves(tables["records"].sort_by("id"), references, NO_DECISIONS)
            file.spread("moves", moves, part_of(hash_texts(moves["paper"]), parts))


def match_part(storage: Storage, output: str, folder: str, parts: int, part: int) -> None:
    """Matches entries by ids and keys.

    The file has entries, and the distinct contents of units, for the reader `own`; contents for the
    parts of their blocks.
    """
    tables = read_exchange(storage, folder, part)
    papers = tables.get("papers", PAPER_SCHEMA.empty_table()).sort_by("id")
    entries = tables.get("entries", ENTRY_SCHEMA.empty_table()).sort_by("id")
    matches = match_works(papers, entries)
    entries = entries.append_column("work", matches["work"])
    entries = entries.append_column("matched_by", matches["matched_by"])
    compared = read_entries(entries).append_column("work", matches["work"])
    unknown = pa.nulls(entries.num_rows, pa.string())
    groups = group_entries(papers, compared.append_column("known", unknown))
    place = pc.index_in(content_keys(compared), value_set=content_keys(groups))
    entries = entries.append_column("content", place)
    with writing(storage, output) as file:
        file.add("entries", "own", entries)
        if groups.num_rows:
            units = find_units(Contents(groups), groups, papers["id"])
            stray = pa.array(units.stray)
            of_work = np.asarray(units.work, np.uint64)
            own = len(units.works) + np.cumsum(units.stray) - 1
            base = np.uint64(part << _PART_BITS)
            columns = {
                "content": base + np.arange(groups.num_rows, dtype=np.uint64),
                "work_unit": base + of_work,
                "unit": base + np.where(units.stray, own, units.work).astype(np.uint64),
                "kind": units.kinds,
                "total": np.where(units.stray, 0, units.total[units.work]),
                "place": np.where(units.stray, np.arange(groups.num_rows), 0),
                "stray": stray,
            }
            for name, column in columns.items():
                groups = groups.append_column(name, pa.array(column))
            file.add("contents", "own", groups.drop_columns(["text", "known"]))
            sent = groups.select(["content", "unit", *_RANK, *_COMPARED])
            for block in name_blocks(groups):
                used = pc.not_equal(block.names, "")
                hashes = block._replace(names=block.names.filter(used)).hashes()
                rows = sent.take(pa.array(block.rows[used.to_numpy()]))
                rows = rows.append_column("block", pa.array(hashes))
                same = pa.repeat(block.same_place, rows.num_rows)
                rows = rows.append_column("same_place", same)
                file.spread("blocks", rows, part_of(hashes, parts))


class _Ranked(NamedTuple):
    """Units in the order of their ranks."""

    units: Hashes
    """(u,) number of each."""
    rank: Ints
    """(n,) place of the unit of each row among them."""


def _rank(rows: pa.Table, prefix: str = "") -> _Ranked:
    """The units of rows by rank."""
    names = [f"{prefix}{name}" for name in ("unit", *_RANK)]
    units = rows.select(names).rename_columns(["unit", *_RANK])
    units = units.group_by(["unit", *_RANK]).aggregate([])
    descending = {"total": "descending"}
    units = units.sort_by([(name, descending.get(name, "ascending")) for name in _RANK])
    place = pc.index_in(rows[names[0]], value_set=units["unit"])
    return _Ranked(units["unit"].to_numpy(), place.to_numpy().astype(np.int64))


def compare_part(storage: Storage, output: str, folder: str, part: int) -> None:
    """Compares the contents in each block of a part; sends what is the same to its units."""
    rows = read_exchange(storage, folder, part, "blocks").get("blocks")
    with writing(storage, output) as file:
        if rows is None:
            return
        code = np.unique(rows["block"].to_numpy(), return_inverse=True)[1].astype(np.int64)
        size = np.bincount(code)[code]
        kept = pa.array((size > 1) & (size <= LARGEST_BLOCK))
        rows, code = rows.filter(kept), code[kept.to_numpy(zero_copy_only=False)]
        if not rows.num_rows:
            return
        _, first, place = np.unique(
            rows["content"].to_numpy(), return_index=True, return_inverse=True
        )
        groups = rows.take(pa.array(first))
        ranked = _rank(groups)
        same_place = rows["same_place"].to_numpy()
        pairs = (
            (a, b, flag)
            for flag in (True, False)
            for a, b in pairs_in_blocks(
                place[same_place == flag].astype(np.int64), code[same_place == flag]
            )
        )
        contents = Contents(groups)
        kinds = groups["kind"].to_numpy()
        known = np.zeros(groups.num_rows, bool)
        a, b, rule = find_same(contents, pairs, ranked.rank, kinds, known=known)
        junior, senior = groups.take(pa.array(a)), groups.take(pa.array(b))
        found = junior.select(["unit", "content"]).append_column("rule", pa.array(rule))
        for name in ("unit", *_RANK):
            found = found.append_column(f"senior_{name}", senior[name])
        file.spread("same", found, _home(junior["unit"].to_numpy()))


def _home(units: Hashes) -> NDArray[np.int64]:
    """The part of each unit."""
    return np.asarray(units >> np.uint64(_PART_BITS), np.int64)


def choose_part(storage: Storage, output: str, matched: str, folder: str, part: int) -> None:
    """Which unit each unit of a part joins."""
    same = read_exchange(storage, folder, part, "same").get("same")
    with writing(storage, output) as file:
        if same is None:
            return
        contents = _read_own(storage, matched, part, "contents")
        base = np.uint64(part << _PART_BITS)
        ranked = _rank(same, "senior_")
        joins, joined = choose_joins(
            (same["unit"].to_numpy() - base).astype(np.int64),
            ranked.rank,
            (same["content"].to_numpy() - base).astype(np.int64),
            same["rule"].to_numpy(),
            contents["times"].to_numpy(),
            (contents["unit"].to_numpy() - base).astype(np.int64),
        )
        senior = ranked.units[np.array(joined, np.int64)]
        place = pc.index_in(pa.array(senior), value_set=same["senior_unit"])
        columns = {
            "unit": pa.array(base + np.array(joins, np.uint64)),
            "senior": pa.array(senior),
            "name": same["senior_work"].take(place),
            "stray": pc.equal(same["senior_kind"].take(place), STRAY_KIND),
        }
        file.add("joins", "all", pa.table(columns))


def _read_own(storage: Storage, folder: str, part: int, table: str) -> pa.Table:
    found = read_file(storage, name_output(folder, part), "own", table)
    return found[table]


def follow(storage: Storage, output: str, folder: str) -> None:
    """The last unit of each chain of joins, if it is a work.

    This task holds all joins: the numbers of two units, and a name.
    """
    joins = read_exchange(storage, folder, "all").get("joins")
    with writing(storage, output) as file:
        if joins is None:
            return
        joins = joins.sort_by("unit")
        unit, last = joins["unit"].to_numpy(), joins["senior"].to_numpy()
        end = np.arange(len(unit))
        while True:  # row of the last join of each chain
            place = np.minimum(np.searchsorted(unit, last[end]), len(unit) - 1)
            further = unit[place] == last[end]
            if not further.any():
                break
            end = np.where(further, end[place], end)
        found = pa.table({"unit": joins["unit"], "name": joins["name"].take(pa.array(end))})
        stray = joins["stray"].take(pa.array(end))
        found = found.filter(pc.invert(stray))
        file.spread("last", found, _home(found["unit"].to_numpy()))


def finish_part(
    storage: Storage, output: str, matched: str, last: str, parts: int, part: int
) -> None:
    """Sends the work of each entry to the part of its paper, and the entry to that of its work."""
    own = read_file(storage, name_output(matched, part), "own")
    with writing(storage, output) as file:
        if "entries" not in own:
            return
        entries = own["entries"]
        joins = read_exchange(storage, last, part, "last").get("last")
        if joins is not None:
            entries = _join(entries, own["contents"], joins)
        entries = entries.drop_columns(["content"])
        matches = entries.select(["id", "paper", "work", "matched_by"])
        file.spread("matches", matches, part_of(hash_texts(entries["paper"]), parts))
        file.spread("entries", entries, part_of(hash_texts(entries["work"]), parts))


def _join(entries: pa.Table, contents: pa.Table, joins: pa.Table) -> pa.Table:
    """The entries with the works that their contents join."""

    def last(column: str) -> pa.ChunkedArray:
        return joins["name"].take(pc.index_in(contents[column], value_set=joins["unit"]))

    # A stray content that joins nothing stays with its work.
    joined = pc.coalesce(last("unit"), last("work_unit"), contents["work"])
    work = joined.take(entries["content"])
    changed = pc.fill_null(pc.not_equal(work, entries["work"]), False)
    columns = {
        "work": pc.if_else(changed, work, entries["work"]),
        "matched_by": pc.if_else(changed, "similar", entries["matched_by"]),
    }
    for name, column in columns.items():
        entries = entries.set_column(entries.schema.get_field_index(name), name, column)
    return entries
