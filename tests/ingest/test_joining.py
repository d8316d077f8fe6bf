"""Records whose ids lead to other papers."""

from __future__ import annotations

import pyarrow as pa

from citescape.ingest.identity import ID_BREAK, ID_KINDS, match_works
from citescape.ingest.joining import find_moves, list_records
from citescape.store.schema import TABLE

NO_DECISIONS = TABLE["IdentityDecision"].arrow.empty_table()
COLUMNS = ("id", *ID_KINDS, "key")


def mentions(*ids: dict[str, str]) -> pa.Table:
    rows = [{"id": f"p#r{n}", **own} for n, own in enumerate(ids)]
    return pa.Table.from_pylist(rows, pa.schema([(name, pa.string()) for name in COLUMNS]))


def test_a_record_leads_where_a_reference_with_its_ids_does() -> None:
    """Most references with the DOI give it another PMID, which is three steps from the record."""
    references = mentions(
        {"pmcid": "PMC1", "pmid": "5"},
        {"pmid": "5", "doi": "10.1/d"},
        {"pmid": "6", "doi": "10.1/d"},
        {"pmid": "6", "doi": "10.1/d"},
        {"pmcid": "PMC1"},
    )
    row = {
        "id": "pmcid:PMC1",
        "sources": ["jats"],
        "source_ids": [f"pmcid:PMC1{ID_BREAK}pmcid:PMC1"],
    }
    records = list_records(pa.Table.from_pylist([row]))
    moves = find_moves(records, references, NO_DECISIONS)
    none = mentions().slice(0, 0)
    assert match_works(none, references)["work"].to_pylist()[-1] == "pmid:5"
    assert moves["work"].to_pylist() == ["pmid:5"]
