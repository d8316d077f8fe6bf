"""Versions of a work, such as preprint and article: separate nodes, related by VERSION_OF."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.identity import ID_KINDS, aliases
from citescape.ingest.records import read_paper_rows
from citescape.ingest.sync import differences, unique_rows
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.schema import REL, TABLE
from citescape.store.statements import read_text

_PREPRINT = re.compile(
    r"doi:10\.(?:48550/arxiv\.|1101/(?:\d{6}$|20\d\d\.)|64898/|21203/rs\.|20944/preprints|"
    r"26434/chemrxiv|2139/ssrn|31234/|31219/|31222/|31223/|35542/|36227/techrxiv|1590/scielopreprints|"
    r"22541/|33774/|32942/)"
)
"""DOIs that servers of preprints register: arXiv, bioRxiv and medRxiv, Research Square, ..."""


def write_versions(store: GraphStore) -> None:
    """Relates papers to the versions that their sources name, if the graph has them.

    Writes to the graph: VERSION_OF.
    """
    claims = store.read(query("ingest/versions"))
    works = store.read(query("ingest/dated_works")) if claims.num_rows else None
    expected = relate_versions(claims, _read_stating(store, claims), works)
    present = store.read(read_text(REL["VERSION_OF"]))
    store.apply(differences("VERSION_OF", present, expected))


def relate_versions(
    claims: pa.Table, stating: Mapping[str, Set[str]], works: pa.Table | None
) -> pa.Table:
    """Rows of VERSION_OF.

    Args:
        claims: `id`, `versions`, `sources` of loaded papers that name other versions.
        stating: paper with several sources -> those of them that name versions.
        works: `id`, ids, `date`, `year`, `type` of all works that are named, and of the papers;
            None without claims.
    """
    rows = []
    if works is not None:
        named = {*pc.list_flatten(claims["versions"]).to_pylist()}
        found = _find(works, named)
        known = {row["id"]: row for row in works.to_pylist()}
        for claim in claims.to_pylist():
            of_claim = [s for s in claim["sources"] if s in stating.get(claim["id"], ())]
            source = (of_claim or claim["sources"])[0]  # the most trusted one
            for id_ in claim["versions"]:
                other = found.get(id_)
                if other is not None and other != claim["id"]:
                    first, second = sorted(
                        (claim["id"], other), key=lambda work: _place(known[work])
                    )
                    rows.append({"from": first, "to": second, "source": source})
    rows.sort(key=lambda row: (row["from"], row["to"], row["source"]))
    return unique_rows("VERSION_OF", pa.Table.from_pylist(rows, TABLE["VERSION_OF"].arrow))


def versions_depend(store: GraphStore, names: pa.Array) -> bool:
    """Whether a change of papers and works can change what `write_versions` writes.

    Args:
        store: the graph.
        names: their ids (`identity.all_names`), as they were and are.
    """
    claims = store.read(query("ingest/versions"))
    related = store.read(read_text(REL["VERSION_OF"], ()))
    ends = (claims["id"], pc.list_flatten(claims["versions"]), related["from"], related["to"])
    return any(pc.any(pc.is_in(end, value_set=names)).as_py() for end in ends)


def _read_stating(store: GraphStore, claims: pa.Table) -> dict[str, set[str]]:
    """Paper with several sources -> those whose records name its versions."""
    several = pc.greater(pc.list_value_length(claims["sources"]), 1)
    joint = claims["id"].filter(several).to_pylist()
    return list_stating(store.read(query("ingest/records"), ids=joint)) if joint else {}


def list_stating(records: pa.Table) -> dict[str, set[str]]:
    """Paper -> the sources whose records name versions.

    Args:
        records: `paper`, `source`, `rows` of `Record` nodes.
    """
    stating: dict[str, set[str]] = {}
    for paper, source, row in read_paper_rows(records):
        if row.get("versions"):
            stating.setdefault(paper, set()).add(source)
    return stating


def _find(works: pa.Table, named: set[str]) -> dict[str, str]:
    """Prefixed id -> the work that has it; of several the one with the smallest id."""
    found: dict[str, str] = {}
    for kind in ID_KINDS:
        ids = [id_.removeprefix(f"{kind}:") for id_ in named if id_.startswith(f"{kind}:")]
        having = works.filter(pc.is_in(works[kind], value_set=pa.array(ids, pa.string())))
        rows = aliases(having, kind)
        for id_, work in zip(rows["key"].to_pylist(), rows["value"].to_pylist(), strict=True):
            found[f"{kind}:{id_}"] = work
    return found


def _place(work: dict[str, str | int | None]) -> tuple[object, ...]:
    """Sort key: preprints first, then by date."""
    preprint = bool(_PREPRINT.match(str(work["id"]))) or work["type"] == "preprint"
    date = work["date"] or str(work["year"] or "")
    return (not preprint, not date, date, work["id"])
