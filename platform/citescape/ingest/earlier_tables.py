"""Papers of an earlier state of a data set: which to remove, and when to refuse the removal."""

from __future__ import annotations

from typing import NamedTuple

from citescape.core.errors import SourceError
from citescape.ingest.identity import ID_BREAK
from citescape.ingest.table_papers import TablePapers
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_MOST_GONE = 1 / 2
"""Share of a data set's papers; a table that lacks more is probably cut off, or of another set."""


def papers_gone(store: GraphStore, papers: TablePapers) -> list[str]:
    """Ids of the papers that the store has from the data set and that it no longer has."""
    return sorted(paper for paper, row in _loaded(store, papers).items() if row.id not in papers)


def check_earlier(store: GraphStore, papers: TablePapers) -> None:
    """Refuses a data set that would remove papers or citations, perhaps by mistake.

    Args:
        store: the graph.
        papers: the tables to load.

    Nothing is refused for a format `in_parts`, whose papers are not removed.

    Raises:
        SourceError: the store has papers of that name from another file, and no name was chosen
            or the table lacks some of them; or it lacks more than half of the papers loaded from
            it; or its papers had citations, and it has no table of citations now.
    """
    if papers.data_set.table_format.in_parts:
        return
    # Two files of one name may be two data sets, whose ids must not be mixed.
    name, start = papers.data_set.name, f"{papers.data_set.place}#"
    loaded = _loaded(store, papers)
    others = [row.path for row in loaded.values() if not row.path.startswith(start)]
    if others and not papers.data_set.named:
        message = (
            f"the store has papers of `{name}` from {others[0].partition('#')[0]}; if this "
            f"is the same data set, give --dataset {name}, else another name"
        )
        raise SourceError(papers.data_set.place, "name-taken", message)
    if not loaded:
        return
    is_whole = papers.read_ids()
    if not papers.data_set.citations:
        bare = store.read(query("ingest/citing_papers"), source=name)["id"].to_pylist()
        if bare:
            raise _refusal(
                papers, f"the citations of {len(bare):,} papers (no table of them is given)"
            )
    if not is_whole:
        return

    removed = [row for row in loaded.values() if row.id not in papers]
    foreign = sorted(row.path for row in removed if not row.path.startswith(start))
    if foreign:
        file = foreign[0].partition("#")[0]
        raise _refusal(papers, f"{len(foreign):,} papers of this name from {file}")
    own = [row.path.removeprefix(start) for row in removed]
    lost = sum(not papers.has_row(id_) for id_ in own)  # a paper with a new DOI is not lost
    if lost > _MOST_GONE * len(loaded):
        raise _refusal(papers, f"{lost:,} of the {len(loaded):,} papers of this data set")


class _Row(NamedTuple):
    """A row of a table that the store has."""

    path: str
    id: str
    """The paper of the row by itself; it may be joined to another one."""


def _loaded(store: GraphStore, papers: TablePapers) -> dict[str, _Row]:
    """The papers that the store has from the data set, with their rows."""
    name, found = papers.data_set.name, {}
    for paper in store.read(query("ingest/papers_of_source"), source=name).to_pylist():
        place = paper["sources"].index(name)
        own = paper["source_ids"][place].rpartition(ID_BREAK)[2]
        found[paper["id"]] = _Row(paper["source_paths"][place], own)
    return found


def _refusal(papers: TablePapers, lost: str) -> SourceError:
    message = (
        f"{lost} are not in it, and would be removed from the store; if that is right, give "
        "--replace, and if this is another data set, another name with --dataset"
    )
    return SourceError(papers.data_set.place, "would-remove", message)
