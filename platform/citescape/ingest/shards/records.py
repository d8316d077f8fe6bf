"""Records of papers: in parts by paper, each once, joined where several are of one paper.

1. `split`: the records of a shard go to the parts of their papers.
2. `choose`: of several records of a paper from one source one counts.
3. `move`: records that belong to another paper go to its part (see `works.find_moves_of_part`).
4. `merge`: the records of each paper become its rows in the graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.hashing import Hashes, hash_texts
from citescape.distributed.exchange import (
    ExchangeFile,
    Tables,
    WrittenFile,
    part_of,
    read_exchange,
    read_file,
    read_parts,
    writing,
)
from citescape.distributed.stages import name_output
from citescape.distributed.storage import Storage
from citescape.ingest.identity import ID_KINDS
from citescape.ingest.index.hashes import hash_ids, hash_paper_ids
from citescape.ingest.index.rows import Hashed
from citescape.ingest.index.works import ENTRY_SCHEMA, PAPER_SCHEMA
from citescape.ingest.joining import list_records
from citescape.ingest.records import (
    LatestRecords,
    merge_records,
    only_papers,
    owners,
    record_rows,
    rename_papers,
    without_papers,
)
from citescape.ingest.records import concat as concat_records
from citescape.ingest.shards.components import add_edges, smallest_of_rows
from citescape.ingest.shards.read import read_shard

LIGHT = ("id", *ID_KINDS, "key")
"""What decides which records belong to another paper."""
EMPTY_REFERENCES = pa.schema([(name, pa.string()) for name in LIGHT]).empty_table()
_SOURCE = "source "
"""Begins the name of the reader of the records of a source."""
_FILES = "File"
_NOTICES = "Notice"


def split(storage: Storage, output: str, shard: Mapping[str, Any], parts: int) -> None:
    """Sends the records of a shard to the parts of their papers."""
    with writing(storage, output) as file:
        for name, rows in read_shard(storage, dict(shard)).items():
            if name == _NOTICES:
                of_table = pc.is_valid(rows["file"])
                stated = rows.filter(of_table)
                file.spread("NoticeOfTable", stated, part_of(hash_texts(stated["id"]), parts))
                rows = rows.filter(pc.invert(of_table))
            own = rows["paper"] if name == _FILES else owners(name, rows)
            rows = rows.append_column("\x1fsource", pa.repeat(shard["source"], rows.num_rows))
            file.spread(name, rows, part_of(hash_texts(own), parts))


def choose(storage: Storage, output: str, folder: str, parts: int, part: int) -> None:
    """Keeps one record of each paper and source of a part; the file has them by source.

    The same file has the ids of records and entries (`LIGHT`) for the parts of their smallest hash,
    and edges between hashes.
    """
    latest = LatestRecords()
    kept: dict[str, list[Tables]] = {}
    files, notices = list[pa.Table](), list[pa.Table]()
    for found in read_parts(storage, folder, part):
        if "NoticeOfTable" in found:
            notices.append(found.pop("NoticeOfTable"))
        if not found:
            continue
        source = next(iter(found.values()))["\x1fsource"][0].as_py()
        tables = {name: rows.drop_columns(["\x1fsource"]) for name, rows in found.items()}
        if _FILES in tables:
            files.append(tables.pop(_FILES))
        if "Paper" not in tables:
            continue
        copies, replaced = latest.add(source, tables["Paper"])
        earlier = kept.setdefault(source, [])
        earlier[:] = [without_papers(one, replaced) for one in earlier]
        earlier.append(without_papers(tables, copies))
    records = {source: concat_records(list_) for source, list_ in sorted(kept.items())}
    own, references = _list_light(records)
    with writing(storage, output) as file:
        for source, tables in records.items():
            for name, rows in tables.items():
                file.add(name, f"{_SOURCE}{source}", rows)
        if files:
            file.add(_FILES, "files", _first_of_each(pa.concat_tables(files)))
        if notices:
            file.add(_NOTICES, "notices", _first_of_each(pa.concat_tables(notices)))
        count = own.num_rows
        hashed = Hashed.join([hash_paper_ids(own), _shift(hash_ids(references), count)])
        smallest, edges = smallest_of_rows(hashed.rows, hashed.hashes, count + references.num_rows)
        _add_keyed(file, "records", list_records(own), smallest[:count], parts)
        _add_keyed(file, "references", references, smallest[count:], parts)
        add_edges(file, edges, parts)


def _first_of_each(rows: pa.Table) -> pa.Table:
    """The first row of each id."""
    codes = rows["id"].combine_chunks().dictionary_encode().indices.to_numpy()
    _, first = np.unique(codes, return_index=True)
    return rows.take(pa.array(np.sort(first)))


def _list_light(records: Mapping[str, Tables]) -> tuple[pa.Table, pa.Table]:
    """The records as papers of one source, and what identifies their references."""
    papers = [tables["Paper"].select(PAPER_SCHEMA.names) for tables in records.values()]
    lists = [
        tables["Reference"].select(LIGHT) for tables in records.values() if "Reference" in tables
    ]
    references = pa.concat_tables([EMPTY_REFERENCES, *lists])
    return pa.concat_tables([PAPER_SCHEMA.empty_table(), *papers]), references


def _shift(hashed: Hashed, rows: int) -> Hashed:
    return Hashed(hashed.rows + rows, hashed.hashes)


def _add_keyed(file: ExchangeFile, name: str, rows: pa.Table, hashes: Hashes, parts: int) -> None:
    """Adds rows for the parts of their hashes, which are in the column `hash`."""
    file.spread(name, rows.append_column("hash", pa.array(hashes)), part_of(hashes, parts))


def _read_sources(file: WrittenFile) -> dict[str, Tables]:
    """The records of a part, by source."""
    sources = [reader for reader in file.readers if reader.startswith(_SOURCE)]
    return {reader.removeprefix(_SOURCE): file.read(reader) for reader in sources}


def _read_moves(storage: Storage, folder: str, part: int) -> dict[tuple[str, str], str]:
    """Paper and source of the records of a part that move -> their paper."""
    rows = read_exchange(storage, folder, part).get("moves")
    if rows is None:
        return {}
    columns = (rows[name].to_pylist() for name in ("paper", "source", "work"))
    return {(paper, source): work for paper, source, work in zip(*columns, strict=True)}


def move(storage: Storage, output: str, chosen: str, moves: str, parts: int, part: int) -> None:
    """Sends records of a part that belong to other papers to the parts of these."""
    names = _read_moves(storage, moves, part)
    with writing(storage, output) as file:
        if not names:
            return
        present = WrittenFile(storage, name_output(chosen, part))
        for source, tables in _read_sources(present).items():
            own = {paper: work for (paper, s), work in names.items() if s == source}
            moved = rename_papers(only_papers(tables, sorted(own)), own)
            for name, rows in moved.items():
                file.spread(
                    f"{source}\x1f{name}", rows, part_of(hash_texts(owners(name, rows)), parts)
                )


def merge(
    storage: Storage, output: str, chosen: str, moves: str, moved: str, parts: int, part: int
) -> None:
    """The rows of the papers of a part from their records.

    The file has them for the reader `loaded`; papers and entries for the parts of their smallest
    hash, as `works.match_part` takes them.
    """
    names = _read_moves(storage, moves, part)
    records: dict[str, list[Tables]] = {}
    present = WrittenFile(storage, name_output(chosen, part))
    for source, tables in _read_sources(present).items():
        gone = [paper for paper, s in names if s == source]
        records.setdefault(source, []).append(without_papers(tables, gone))
    for key, rows in read_exchange(storage, moved, part).items():
        source, table = key.split("\x1f")
        records.setdefault(source, []).append({table: rows})
    whole = {source: concat_records(list_) for source, list_ in sorted(records.items())}
    whole = {source: tables for source, tables in whole.items() if "Paper" in tables}
    loaded = _merge(whole)
    own = present.read("files").get(_FILES)
    if own is not None:
        paper = [
            names.get(key, key[0])
            for key in zip(own["paper"].to_pylist(), own["source"].to_pylist(), strict=True)
        ]
        place = own.schema.get_field_index("paper")
        loaded[_FILES] = own.set_column(place, "paper", pa.array(paper, pa.string()))
    loaded = concat_records([loaded, present.read("notices")])
    papers = loaded.get("Paper", PAPER_SCHEMA.empty_table()).select(PAPER_SCHEMA.names)
    entries = list_entries(loaded)
    with writing(storage, output) as file:
        for table, rows in loaded.items():
            file.add(table, "loaded", rows)
        hashed = Hashed.join([hash_paper_ids(papers), _shift(hash_ids(entries), papers.num_rows)])
        smallest, _ = smallest_of_rows(
            hashed.rows, hashed.hashes, papers.num_rows + entries.num_rows
        )
        _add_keyed(file, "papers", papers, smallest[: papers.num_rows], parts)
        _add_keyed(file, "entries", entries, smallest[papers.num_rows :], parts)


def _merge(records: Mapping[str, Tables]) -> Tables:
    """Rows of papers; those with several records have these as `Record` nodes besides."""
    ids = [tables["Paper"]["id"] for tables in records.values()]
    if not ids:
        return {}
    counted = pa.chunked_array([c for column in ids for c in column.chunks]).value_counts()
    several = counted.field("values").filter(pc.greater(counted.field("counts"), 1)).to_pylist()
    parts = [without_papers(tables, several) for tables in records.values()]
    joint = {source: only_papers(tables, several) for source, tables in records.items()}
    joint = {source: tables for source, tables in joint.items() if tables["Paper"].num_rows}
    if joint:
        parts.append(merge_records(joint))
        parts += [record_rows(source, tables) for source, tables in joint.items()]
    return concat_records([{k: v for k, v in part.items() if v.num_rows} for part in parts])


def list_entries(loaded: Tables) -> pa.Table:
    """The entries of reference lists with their papers."""
    links = loaded.get("HAS_REFERENCE")
    if links is None:
        return ENTRY_SCHEMA.empty_table()
    rows = loaded["Reference"]
    row = pc.index_in(rows["id"], value_set=links["to"])
    return rows.append_column("paper", links["from"].take(row)).select(ENTRY_SCHEMA.names)


def read_loaded(storage: Storage, folder: str, part: int) -> Tables:
    """The rows of the papers of a part, result of `merge`."""
    return read_file(storage, name_output(folder, part), "loaded")
