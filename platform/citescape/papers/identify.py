"""Finds a paper by its id in the store, a DOI, a PMID or a PMCID."""

from __future__ import annotations

import re
from dataclasses import dataclass

from citescape.core.errors import ConfigError, list_some
from citescape.core.identifiers import (
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
    pmcid_in_link,
    pmid_in_link,
)
from citescape.loaders.datasets import TAKEN
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_NO_HINT = "check it for typos"


@dataclass(frozen=True)
class PaperName:
    """Id and title of a paper, for messages."""

    id: str
    title: str
    """Empty if unknown."""

    def __str__(self) -> str:
        return f'{self.id} "{_cut(self.title)}"' if self.title else self.id

    @property
    def in_full(self) -> str:
        """Id and whole title."""
        return f'{self.id} "{self.title}"' if self.title else self.id


def find_paper(store: GraphStore, text: str, *, cited_by: PaperName | None = None) -> PaperName:
    """The paper with this id: `doi:10.1/x`, `10.1/x`, `https://doi.org/10.1/x`, `PMC123`, `pmid:9`.

    Addresses at PubMed, PubMed Central and Europe PMC are accepted too. Bare digits may be a PMID
    or a PMCID without its prefix; both are looked up. The id of a paper in the store always means
    that paper, even where others print it as their PMID. An id that only entries of reference lists
    have, such as the second DOI of an article, means their work.

    Args:
        store: the graph.
        text: the identifier.
        cited_by: citing paper; its references come first among several papers with the identifier.

    Raises:
        ConfigError: no paper, or several; the message names similar ones.
    """
    name = text.strip()
    if exact := _names(store.read(query("features/paper_by_id"), id=name).to_pylist()):
        return exact[0]
    ids = read_identifiers(name)
    matches = _names(store.read(query("features/explain_paper"), id=name, **ids).to_pylist())
    if not matches:
        matches = _names(store.read(query("features/paper_by_printed_id"), **ids).to_pylist())
    if len(matches) > 1 and cited_by is not None:
        cited = set(find_cited(store, cited_by))
        matches = [paper for paper in matches if paper in cited] or matches
    if len(matches) == 1:
        return matches[0]
    if matches:
        matches.sort(key=lambda paper: paper.id)
        raise ConfigError(
            f"{name!r} is ambiguous in {store.location}: {list_some(matches)}; give one of these "
            "ids"
        )
    hint = _hint(store, name.lower()) if name else _NO_HINT
    raise ConfigError(
        f"no paper {name!r} in {store.location}; expected the id of a paper, a DOI, PMID or "
        f"PMCID; {hint}"
    )


def read_identifiers(name: str) -> dict[str, str]:
    """The DOI, PMID and PMCID that a text may be, normalised; empty where it is none."""
    bare = name.lower().removeprefix("pmcid:").removeprefix("pmid:").strip()
    pmid = None if name.lower().startswith("pmcid:") else normalise_pmid(bare)
    pmcid = None if name.lower().startswith("pmid:") else normalise_pmcid(bare)
    return {
        "doi": normalise_doi(name) or "",
        "pmid": pmid or pmid_in_link(name) or "",
        "pmcid": pmcid or pmcid_in_link(name) or "",
    }


def find_cited(store: GraphStore, citing: PaperName) -> list[PaperName]:
    """The papers that `citing` cites, the most important first."""
    return _names(store.read(query("features/explain_cited"), citing=citing.id).to_pylist())


def _hint(store: GraphStore, text: str) -> str:
    """Similar papers: those with this id in a data set, else ids that contain the text."""
    bare = re.sub(r"^[\w.-]+:", "", text)
    similar = store.read(query("features/explain_similar_ids"), text=text, ending=f":{bare}")
    rows = similar.to_pylist()
    named = [row for row in rows if row["named"] and row["id"].partition(":")[0] not in TAKEN]
    if named and bare == text:
        return f"with the name of its data set it is {list_some(_names(named))}"
    return f"similar: {list_some(_names(rows))}" if rows else _NO_HINT


def _names(rows: list[dict[str, str | None]]) -> list[PaperName]:
    """One name per paper, in the order of the rows."""
    names = {str(row["id"]): row["title"] or "" for row in rows}
    return [PaperName(id_, title) for id_, title in names.items()]


def _cut(title: str, length: int = 60) -> str:
    return title if len(title) <= length else title[: length - 1].rstrip() + "…"
