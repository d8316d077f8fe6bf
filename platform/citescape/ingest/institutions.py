"""Institutions: their ids, and affiliations of papers with several sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.types import Institution, Paper
from citescape.ingest.identity import fold

LINK = "AFFILIATED_WITH"
_LONGEST = 200  # characters of a name in an id
_ROR = "ror:"


def institution_id(institution: Institution) -> str:
    """Id of the node: by ROR, else by OpenAlex, else by country and folded name."""
    if institution.ror:
        return f"{_ROR}{institution.ror}"
    if institution.openalex:
        return f"openalex:{institution.openalex}"
    name = (fold(institution.name) or institution.name)[:_LONGEST].rstrip()
    return f"name:{institution.country}:{name}"


def affiliation_rows(paper: Paper, own: str) -> Iterator[dict[str, object]]:
    """One row for each institution of a paper; of several forms of one institution the first.

    Args:
        paper: the paper.
        own: its node id.
    """
    rows: dict[str, dict[str, object]] = {}
    positions: dict[str, list[int]] = {}
    for place, institution in enumerate(paper.institutions):
        id_ = institution_id(institution)
        stated = {"name": institution.name, "country": institution.country or None}
        stated["openalex"] = institution.openalex
        rows.setdefault(id_, {"from": own, "to": id_, **stated})
        positions.setdefault(id_, []).extend(
            i for i, author in enumerate(paper.authors) if place in author.institutions
        )
    for id_, row in rows.items():
        yield {**row, "positions": " ".join(map(str, sorted({*positions[id_]})))}


def id_of_ror(ids: pa.ChunkedArray) -> pa.ChunkedArray:
    """The ids in the Research Organization Registry of institutions, null where unknown."""
    known = pc.starts_with(ids, _ROR)
    return pc.if_else(known, pc.utf8_slice_codeunits(ids, len(_ROR)), pa.scalar(None, pa.string()))


def trust(affiliations: pa.Table) -> pa.Array:
    """How exact each affiliation is: 0 with an id of the institution, 1 with a country, 2 else."""
    has_id = pc.match_substring_regex(affiliations["to"], "^(ror|openalex):")
    return pc.if_else(has_id, 0, pc.if_else(pc.is_valid(affiliations["country"]), 1, 2))


def place_on_by_line(
    affiliations: pa.Table,
    own: Mapping[tuple[str, str], list[str] | None],
    merged: Mapping[str, list[str] | None],
) -> pa.Table:
    """The affiliations with positions on the by-line of the merged paper.

    An author that it does not have, or has twice at other places, is left out.

    Args:
        affiliations: rows of AFFILIATED_WITH with their `source`.
        own: paper and source -> surnames as that source has them.
        merged: paper -> surnames of the merged paper.
    """
    positions = []
    for row in affiliations.select(["from", "source", "positions"]).to_pylist():
        before, after = own[row["from"], row["source"]] or [], merged[row["from"]] or []
        listed = [int(number) for number in (row["positions"] or "").split()]
        moved = [p for p in _moved(listed, before, after) if p is not None]
        positions.append(" ".join(map(str, moved)))
    place = affiliations.schema.get_field_index("positions")
    column = pa.array(positions, affiliations.schema.field(place).type)
    return affiliations.set_column(place, affiliations.schema.field(place), column)


def _moved(positions: list[int], before: list[str], after: list[str]) -> Iterator[int | None]:
    if before == after:
        yield from positions
        return
    names, old = [fold(name) for name in after], [fold(name) for name in before]
    for position in positions:
        name = old[position]
        if names[position : position + 1] == [name]:
            yield position
        else:
            yield names.index(name) if names.count(name) == old.count(name) == 1 else None
