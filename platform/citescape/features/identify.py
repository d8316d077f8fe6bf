"""Finds the paper a user means: its id in the store, a DOI, a PMID or a PMCID."""

from __future__ import annotations

from dataclasses import dataclass

from citescape.errors import ConfigError
from citescape.graph.queries import query
from citescape.graph.store import GraphStore
from citescape.identifiers import normalise_doi, normalise_pmcid, normalise_pmid


@dataclass(frozen=True)
class PaperName:
    """A paper as it is called in messages."""

    id: str
    title: str
    """Empty if unknown."""

    def __str__(self) -> str:
        return f'{self.id} "{_cut(self.title)}"' if self.title else self.id


def find_paper(store: GraphStore, text: str) -> PaperName:
    """The paper with this id: `doi:10.1/x`, `10.1/x`, `https://doi.org/10.1/x`, `PMC123`, `pmid:9`.

    Bare digits may be a PMID or a PMCID without its prefix; both are looked for. The id of a paper
    in the store always means that paper, even where others print it as their PMID.

    Raises:
        ConfigError: no paper, or several; the message names similar ones.
    """
    name = text.strip()
    bare = name.lower().removeprefix("pmcid:").removeprefix("pmid:").strip()
    looked = {
        "id": name,
        "doi": normalise_doi(name) or "",
        "pmid": "" if name.lower().startswith("pmcid:") else normalise_pmid(bare) or "",
        "pmcid": "" if name.lower().startswith("pmid:") else normalise_pmcid(bare) or "",
    }
    found = _names(store.read(query("features/explain_paper"), **looked).to_pylist())
    exact = [paper for paper in found if paper.id == name]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        raise ConfigError(
            f"{name!r} is ambiguous in {store.location}: {_list(found)}; give one of these ids"
        )
    raise ConfigError(_unknown(store, name))


def find_cited(store: GraphStore, citing: PaperName) -> list[PaperName]:
    """The papers that `citing` cites, the most important first."""
    return _names(store.read(query("features/explain_cited"), citing=citing.id).to_pylist())


def _unknown(store: GraphStore, name: str) -> str:
    similar = store.read(query("features/explain_similar_ids"), text=name.lower()).to_pylist()
    hint = f"similar: {_list(_names(similar))}" if similar and name else "check it for typos"
    return (
        f"no paper {name!r} in {store.location}; expected the id of a paper, a DOI, PMID or "
        f"PMCID; {hint}"
    )


def _names(rows: list[dict[str, str | None]]) -> list[PaperName]:
    names = {str(row["id"]): row["title"] or "" for row in rows}
    return [PaperName(id_, title) for id_, title in names.items()]


def _list(papers: list[PaperName]) -> str:
    return ", ".join(str(paper) for paper in papers)


def _cut(title: str, length: int = 60) -> str:
    return title if len(title) <= length else title[: length - 1].rstrip() + "…"
