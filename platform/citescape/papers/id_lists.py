"""Lists of papers in text files: benchmarks, test sets, exclusions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import SourceError
from citescape.core.identifiers import normalise_doi, normalise_pmcid, normalise_pmid
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query


@dataclass(frozen=True)
class ListedPapers:
    """Papers of a list that are in the store."""

    listed: int
    """Distinct non-empty lines of the list."""
    missing: int
    """Lines without a paper in the store."""
    ids: tuple[str, ...]
    """Ids of the papers, each once, ascending; several lines may name the same paper."""


def read_id_list(path: Path) -> list[str]:
    """The identifiers of a text file, one per line; `#` begins a comment.

    Raises:
        SourceError: no such file, not text, or no line in it.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(
            str(path), "no-ids", f"expected a text file with an id per line; found: {error}"
        ) from error
    names = [line.partition(" #")[0].strip() for line in lines if not line.startswith("#")]
    ids = list(dict.fromkeys(name for name in names if name))
    if not ids:
        raise SourceError(
            str(path), "no-ids", "expected a text file with an id per line; found none"
        )
    return ids


def find_listed(store: GraphStore, names: Iterable[str]) -> ListedPapers:
    """The papers of a list of identifiers, see `match_listed`."""
    matched = match_listed(store, list(dict.fromkeys(names)))
    ids = {id_ for id_ in matched if id_ is not None}
    return ListedPapers(len(matched), matched.count(None), tuple(sorted(ids)))


def match_listed(store: GraphStore, names: Sequence[str]) -> list[str | None]:
    """The id of the paper of each identifier; None without a paper in the store.

    Identifiers are ids of the store, DOIs, PMIDs, or PMCIDs with their prefix, and the first of
    these that fits counts; among several papers with the same one the lowest id. One pass over the
    papers' identifiers for a list of any length.
    """
    forms: dict[str, Sequence[str | None]] = {
        "id": names,
        "doi": [normalise_doi(name, whole=True) for name in names],
        "pmid": [
            normalise_pmid(name[5:].strip() if name.lower().startswith("pmid:") else name)
            for name in names
        ],
        # Bare digits are a PMID, not a PMCID.
        "pmcid": [normalise_pmcid(name) if name[:3].lower() == "pmc" else None for name in names],
    }
    papers = store.read(query("papers/identifiers")).sort_by("id")
    ids = pa.chunked_array([pa.nulls(len(names), pa.string())])
    for column, values in forms.items():
        known = papers.filter(pc.is_valid(papers[column]))
        identifiers = known[column].cast(pa.string()).combine_chunks()
        rows = pc.index_in(pa.array(values, pa.string()), value_set=identifiers)
        ids = pc.coalesce(ids, known["id"].cast(pa.string()).take(rows))
    matched: list[str | None] = ids.to_pylist()
    return matched
