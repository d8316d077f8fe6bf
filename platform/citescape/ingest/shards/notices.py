"""Notices and versions: what papers state of others, gathered in one task.

Notices, and papers that name other versions of their work, are few. Their ids go to all parts,
which answer with the works that have one of them.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.hashing import hash_texts
from citescape.distributed.exchange import (
    ExchangeFile,
    Tables,
    part_of,
    read_exchange,
    read_file,
    writing,
)
from citescape.distributed.stages import name_output
from citescape.distributed.storage import Storage
from citescape.ingest.identity import ID_KINDS
from citescape.ingest.notices import list_marks, match_notices, may_be_retracted
from citescape.ingest.versions import list_stating, relate_versions
from citescape.store.schema import TABLE

_CLAIMS = "claims"
_DATED = ("id", *ID_KINDS, "date", "year", "type")
_TITLED = ("id", "title", "type")
_VERSIONS = ("id", "versions", "sources")
_RECORDS = ("paper", "source", "rows")


def send_claims(file: ExchangeFile, tables: Tables) -> None:
    """Sends notices, perhaps retracted titles, and papers that name versions, to one task."""
    if "Notice" in tables:
        notices = tables["Notice"]
        stated = tables.get("STATES", TABLE["STATES"].arrow.empty_table())
        paper = stated["from"].take(pc.index_in(notices["id"], value_set=stated["to"]))
        file.add("notices", _CLAIMS, notices.append_column("paper", paper))
    papers = tables["Paper"]
    titled = papers.filter(may_be_retracted(papers["title"]))
    file.add("titled", _CLAIMS, titled.select(_TITLED))
    several = pc.greater(pc.fill_null(pc.list_value_length(papers["versions"]), 0), 0)
    naming = papers.filter(pc.and_(several, papers["fulltext"])).select(_VERSIONS)
    file.add("versions", _CLAIMS, naming)
    if "Record" in tables:
        records = tables["Record"]
        links = tables["DESCRIBES"]
        paper = links["to"].take(pc.index_in(records["id"], value_set=links["from"]))
        records = records.append_column("paper", paper).select(_RECORDS)
        records = records.filter(pc.is_in(records["paper"], value_set=naming["id"]))
        file.add("records", _CLAIMS, records)


def list_named(storage: Storage, output: str, built: str) -> None:
    """Writes the ids that notices and versions name, in the form `doi:10.1/x`."""
    claims = read_exchange(storage, built, _CLAIMS, "notices", "versions")
    named = [pa.chunked_array([], pa.string())]
    if "notices" in claims:
        notices = claims["notices"]
        named.append(notices["paper"])
        for kind in ID_KINDS:
            for name in (kind, f"work_{kind}"):
                named.append(pc.binary_join_element_wise(f"{kind}:", notices[name], ""))
    if "versions" in claims:
        named += [claims["versions"]["id"], pc.list_flatten(claims["versions"]["versions"])]
    ids = pa.chunked_array([chunk for column in named for chunk in column.chunks], pa.string())
    with writing(storage, output) as file:
        file.add("named", "all", pa.table({"id": ids.drop_null().unique()}))


def find_named(storage: Storage, output: str, built: str, named: str, part: int) -> None:
    """Writes the works of a part that have one of the named ids."""
    ids = read_exchange(storage, named, "all").get("named")
    with writing(storage, output) as file:
        if ids is None:
            return
        found = read_file(storage, name_output(built, part), "graph", "Paper")
        papers = found["Paper"].select(_DATED) if found else TABLE["Paper"].arrow.empty_table()
        among = ids["id"].combine_chunks()
        keep = pc.is_in(papers["id"], value_set=among)
        for kind in ID_KINDS:
            names = pc.binary_join_element_wise(f"{kind}:", papers[kind], "")
            keep = pc.or_(keep, pc.is_in(names, value_set=among, skip_nulls=True))
        file.add("works", "all", papers.filter(keep).select(_DATED))


def match_claims(storage: Storage, output: str, built: str, found: str, parts: int) -> None:
    """Which works notices concern, and which papers are versions, for the parts of their rows."""
    claims = read_exchange(storage, built, _CLAIMS)
    works = read_exchange(storage, found, "all").get("works")
    with writing(storage, output) as file:
        none = pa.table({"id": pa.array([], pa.string())})
        titled = claims.get("titled", none)
        notices = claims.get("notices", none)
        if works is None and notices.num_rows:
            works = TABLE["Paper"].arrow.empty_table().select(_DATED)
        matched = match_notices(notices, titled, works if notices.num_rows else None)
        versions = claims.get("versions")
        rows = {"CONCERNS": matched.concerns, "PUBLISHED_AS": matched.published}
        if versions is not None:
            records = claims.get("records")
            stating = list_stating(records) if records is not None else {}
            rows["VERSION_OF"] = relate_versions(versions, stating, works)
        for name, links in rows.items():
            file.spread(name, links, part_of(hash_texts(links["from"]), parts))
        marks = list_marks(matched.deciding)
        file.spread("marks", marks, part_of(hash_texts(marks["id"]), parts))
