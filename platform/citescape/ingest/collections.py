"""Links the papers of collections again after papers or the identity of works changed.

A collection keeps the ids that its papers had when they were added. A paper may get another id, for
example that of its DOI when a source brings one, and papers may be joined, split, removed and
loaded again; the paper of an id is then found by the records and entries that have it.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.hashing import hash_texts
from citescape.ingest.identity import ID_BREAK, ID_KINDS, NAMED
from citescape.ingest.index.works import IDS, WORK, WorkIndex
from citescape.ingest.stored import present
from citescape.ingest.sync import differences
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import REL, TABLE
from citescape.store.statements import read_text

TAG_BREAK = "\t"
"""Separates the tags of a member in `Collection.member_tags`."""
_MEMBERS = pa.schema(
    [TABLE["Collection"].arrow.field(name) for name in ("id", "members", "member_tags")]
)


def link_collections(store: GraphStore, works: WorkIndex) -> None:
    """Links the present papers of all collections.

    Args:
        store: the graph.
        works: all records and entries, with their works.

    Writes to the graph: IN_COLLECTION; the members of collections from before schema version 9.
    """
    collections = store.read(query("collections/named")).to_pylist()
    if not collections:
        return
    links = store.read(read_text(REL["IN_COLLECTION"]))
    earlier = [row for row in collections if row["members"] is None]
    for row in earlier:
        own = links.filter(pc.equal(links["to"], row["id"])).sort_by("from").to_pylist()
        row["members"] = [link["from"] for link in own]
        row["member_tags"] = [TAG_BREAK.join(link["tags"] or ()) for link in own]
    store.apply([Change("update", "Collection", pa.Table.from_pylist(earlier, _MEMBERS))])
    names = sorted({name for row in collections for name in row["members"]})
    found = find_papers(store, works, names)
    tags: dict[tuple[str, str], dict[str, None]] = {}
    for row in collections:
        members = dict(zip(row["members"], row["member_tags"], strict=True))
        for name, own in members.items():
            # A paper that was added under its present id has the tags that it was given then.
            if name in found and (name == found[name] or found[name] not in members):
                tags.setdefault((found[name], row["id"]), {}).update(
                    dict.fromkeys(own.split(TAG_BREAK) if own else ())
                )
    rows = [{"from": paper, "to": to, "tags": [*own]} for (paper, to), own in tags.items()]
    expected = pa.Table.from_pylist(rows, TABLE["IN_COLLECTION"].arrow)
    store.apply(differences("IN_COLLECTION", links, expected))


def find_papers(store: GraphStore, works: WorkIndex, names: list[str]) -> dict[str, str]:
    """The present papers of ids that papers had, as far as there are any.

    The node with the id counts, else the paper with a record that has it, else the work of most
    entries with it.
    """
    ids = pa.chunked_array([pa.array(names, pa.string())])
    known = present(store, "Paper", ids)
    lost = ids.filter(pc.invert(pc.is_in(ids, value_set=known)))
    found = {name: name for name in known.to_pylist()}
    if not lost:
        return found
    hashes = hash_texts(lost)
    counts: dict[str, Counter[tuple[bool, str]]] = {name: Counter() for name in lost.to_pylist()}
    papers = works.papers.take(np.unique(works.papers.find(IDS, hashes)), ["id", "source_ids"])
    for row in papers.to_pylist():
        for name in {id_ for text in row["source_ids"] for id_ in text.split(ID_BREAK)}:
            if name in counts:
                counts[name][True, row["id"]] += 1
    columns = ["id", *ID_KINDS, "key", WORK]
    entries = works.entries.take(np.unique(works.entries.find(IDS, hashes)), columns)
    for row in entries.to_pylist():
        key = row["key"] or ""
        ids = (f"{kind}:{row[kind]}" for kind in ID_KINDS)
        for name in (*ids, key.removeprefix(NAMED), f"key:{key}", f"ref:{row['id']}"):
            if name in counts and row[WORK] is not None:
                counts[name][False, row[WORK]] += 1
    for name, numbers in counts.items():
        if numbers:
            (_, found[name]), _ = min(numbers.items(), key=lambda c: (not c[0][0], -c[1], c[0][1]))
    return found
